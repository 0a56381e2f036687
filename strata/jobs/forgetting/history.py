"""What git's history still has of it, and the history without it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.errors import DecryptionFailed, GitUnavailable, KeyUnavailable
from strata.jobs.forgetting.documents import Document, decoded
from strata.jobs.forgetting.recognition import PLACEHOLDER
from strata.jobs.forgetting.removal import bytes_of, scrubbed
from strata.messages import Notice
from strata.workspace import stored
from strata.workspace.git_history import GitHistory
from strata.workspace.layout import LONG_TERM

if TYPE_CHECKING:
    from pathlib import Path

    from strata.jobs.forgetting.recognition import Recogniser
    from strata.memory import Memory
    from strata.workspace.git_history import Rewritten


def history_of(memory: Memory) -> list[Document]:
    """Return every content that git has of a memory file; none where there is no git."""
    root = memory.workspace.root
    try:
        history = GitHistory(root)
        versions = history.versions() if history.is_there else []
    except GitUnavailable:
        return []
    texts = ((each.path, _text(each.content, root / each.path)) for each in versions)
    return [Document("git", p, text, root / p) for p, text in texts if text is not None]


def usable_history(memory: Memory) -> None:
    """Raise `GitUnavailable` where the history is none, or cannot be rewritten safely."""
    history = GitHistory(memory.workspace.root)
    if not history.is_there:
        raise GitUnavailable(Notice("forget.no-git"))
    history.refuse_unsafe()


def has_leftovers(memory: Memory, known: Recogniser) -> bool:
    """Say whether an object that nothing leads to still holds what is *known*."""
    contents = GitHistory(memory.workspace.root).leftovers()
    texts = (content.decode("utf-8", "surrogateescape") for content in contents)
    return any(known.lines(LONG_TERM, text) for text in texts)


def rewrite_history(memory: Memory, known: Recogniser) -> Rewritten:
    """Take what is *known* out of every version, and destroy the old ones."""

    def change(path: str, content: bytes) -> bytes:
        if path:
            file = memory.workspace.root / path
            if _text(content, file) is None:
                return content
            return stored.changed(content, file, lambda c: scrubbed(path, c, known))
        # The message of a commit, which must not be left without its subject.
        lines = content.decode("utf-8", "surrogateescape").split("\n")
        kept = (PLACEHOLDER if known.forgets_text(line) else line for line in lines)
        return bytes_of("\n".join(kept))

    return GitHistory(memory.workspace.root).rewrite(change)


def _text(content: bytes, file: Path) -> str | None:
    """Return what a version of *file* says, None where it is no text or its key is gone."""
    try:
        return decoded(stored.plain(content, file))
    except (DecryptionFailed, KeyUnavailable):
        return None
