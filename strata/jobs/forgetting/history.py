"""What git's history still has of it, and the history without it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from strata.errors import DecryptionFailed, GitUnavailable, KeyUnavailable
from strata.jobs.forgetting.documents import Document, decoded
from strata.jobs.forgetting.recognition import PLACEHOLDER
from strata.jobs.forgetting.removal import scrubbed
from strata.messages import Notice
from strata.workspace import stored
from strata.workspace.git_history import GitHistory, Rewritten
from strata.workspace.layout import LONG_TERM

if TYPE_CHECKING:
    from pathlib import Path

    from strata.jobs.forgetting.recognition import Recogniser
    from strata.memory import Memory

__all__ = [
    "History",
    "Rewritten",
    "history_of",
    "leftovers",
    "rewrite_history",
    "usable_history",
]


@dataclass(slots=True)
class History:
    """Every content that git has of a memory file; *versions* counts those that matter."""

    documents: list[Document] = field(default_factory=list)
    versions: int = 0

    def holding(self, known: Recogniser) -> History:
        """Return only what holds something of what is *known*."""
        holding = [d for d in self.documents if known.lines(d.path, d.text)]
        return History(holding, len(holding))


def history_of(memory: Memory) -> History:
    """Return the history of *memory*; nothing where there is no git, or no repository."""
    root = memory.workspace.root
    try:
        history = GitHistory(root)
        versions = history.versions() if history.is_there else []
    except GitUnavailable:
        return History()
    texts = ((v.path, _text(v.content, root / v.path)) for v in versions)
    found = [
        Document("git", p, text, root / p) for p, text in texts if text is not None
    ]
    return History(found, len(found))


def _text(content: bytes, file: Path) -> str | None:
    """Return what a version of *file* says, None where it is no text or its key is gone."""
    try:
        return decoded(stored.plain(content, file))
    except (DecryptionFailed, KeyUnavailable):
        return None


def usable_history(memory: Memory) -> None:
    """Raise `GitUnavailable` where the history is none, or cannot be rewritten safely."""
    history = GitHistory(memory.workspace.root)
    if not history.is_there:
        raise GitUnavailable(Notice("forget.no-git"))
    history.refuse_unsafe()


def leftovers(memory: Memory, known: Recogniser) -> int:
    """Return how many objects that nothing leads to still hold what is *known*."""
    contents = GitHistory(memory.workspace.root).leftovers()
    texts = (content.decode("utf-8", "surrogateescape") for content in contents)
    return sum(1 for text in texts if known.lines(LONG_TERM, text))


def rewrite_history(memory: Memory, known: Recogniser) -> Rewritten:
    """Take what is *known* out of every version, and destroy the old ones."""

    def change(path: str, content: bytes) -> bytes:
        if path:
            file = memory.workspace.root / path
            if _text(content, file) is None:
                return content
            return stored.changed(content, file, lambda c: scrubbed(path, c, known))
        text = content.decode("utf-8", "surrogateescape")
        return _message(text, known).encode("utf-8", "surrogateescape")

    return GitHistory(memory.workspace.root).rewrite(change)


def _message(text: str, known: Recogniser) -> str:
    """Return the message of a commit, which must not be left without its subject."""
    return "\n".join(
        PLACEHOLDER if known.forgets_text(line) else line for line in text.split("\n")
    )
