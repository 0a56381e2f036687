"""
A run's changes as one commit, beside the user's own work in the same repository.

The commit is put together from exact bytes and never from the working tree or the user's
index, so that what the user has changed or staged is neither in it nor lost by it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from strata.errors import GitUnavailable
from strata.workspace.git import UNFINISHED, Git

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class Edit:
    """
    What a run made of one file: the bytes *before* and *after*; None is no file.

    *origin* is the path from which the file was moved here, or "".
    """

    before: bytes | None
    after: bytes | None
    origin: str = ""


@dataclass(slots=True)
class Committed:
    """The commit, "" where there was nothing to commit, and the paths not in it."""

    commit: str = ""
    left_out: list[str] = field(default_factory=list)


def commit_edits(
    root: Path, edits: Mapping[str, Edit], message: str, at: datetime
) -> Committed:
    """
    Commit *edits*, by path below *root*, and nothing else.

    A path is left out where the user has changed the same lines and not committed that.
    Raise `GitUnavailable` where git cannot be used.
    """
    git = Git(root)
    _open(git)
    for _ in range(ATTEMPTS):
        head = git.attempt("rev-parse", "--verify", "-q", "HEAD^{commit}")
        with TemporaryDirectory(dir=git.inside) as scratch:
            commit = _Commit(git, head, edits, Path(scratch))
            if commit.make(message, at):
                return commit.result
    raise GitUnavailable.of("git.too-fast")


def _open(git: Git) -> None:
    """Find the repository that holds the memory of *git*'s folder, or make one there."""
    top = git.attempt("rev-parse", "--show-toplevel")
    own = top and os.path.realpath(top) == os.path.realpath(git.folder)
    if not own and not (top and git.attempt("ls-files", "--", "MEMORY.md", "memory")):
        git.run("init", "-q", ".")
    if any((git.inside / name).exists() for name in UNFINISHED):
        raise GitUnavailable.of("git.unfinished")


class _Commit:
    """One attempt at a commit on top of *head* ("" for the first of a branch)."""

    def __init__(
        self, git: Git, head: str, edits: Mapping[str, Edit], scratch: Path
    ) -> None:
        self.result = Committed()
        self._git = git
        self._head = head
        self._edits = edits
        self._scratch = scratch
        self._index = {"GIT_INDEX_FILE": str(scratch / "index")}
        self._prefix = git.word("rev-parse", "--show-prefix")
        # By path: the blob at *head* and the new one, "" where there is no file.
        self._blobs: dict[str, tuple[str, str]] = {}

    def make(self, message: str, at: datetime) -> bool:
        """Commit; say whether the branch was still at *head*."""
        self._git.run("read-tree", self._head or "--empty", environment=self._index)
        for path, edit in self._edits.items():
            self._add(path, edit)
        if not self._blobs:
            return True
        commit = self._write(message, at)
        # The user's index first: should we be killed in between, ours is merely staged.
        self._restage()
        subject = message.partition("\n")[0]
        try:
            self._git.run(
                "update-ref", "-m", subject, "HEAD", commit, self._head or "0" * 40
            )
        except GitUnavailable:
            return False
        self.result.commit = commit
        return True

    def _write(self, message: str, at: datetime) -> str:
        tree = self._git.word("write-tree", environment=self._index)
        parents = ["-p", self._head] if self._head else []
        commit, author = ("commit-tree", tree, *parents), _author(at)
        return self._git.word(*commit, stdin=message.encode(), environment=author)

    def _add(self, path: str, edit: Edit) -> None:
        old = self._at_head(path)
        origin = self._edits.get(edit.origin)
        content = edit.after
        if origin and (committed := self._at_head(edit.origin)) is not None:
            # The file as it was committed moves; what the user changed in it stays theirs.
            content = self._merged(committed, origin.before, edit.after)
        elif old is not None and edit.after is not None:
            content = self._merged(old, edit.before, edit.after)
        if content is None and edit.after is not None:
            self.result.left_out.append(path)
        elif content != old:
            blobs = self._blob_at_head(path), self._store(path, content)
            self._blobs[path] = blobs
            self._stage(path, blobs[1], self._index)

    def _merged(
        self, ours: bytes, before: bytes | None, after: bytes | None
    ) -> bytes | None:
        """Return *ours*, what is committed, with the run's change; None if they clash."""
        if after is None or before is None or ours == before:
            return after
        return self._git.merged(ours, before, after, self._scratch)

    def _restage(self) -> None:
        """Let the user's index follow, and keep what the user has staged in it."""
        for path, (old, new) in self._blobs.items():
            fields = self._git.word("ls-files", "-s", "--", path).split()
            staged = fields[1] if fields else ""
            if staged in {old, new}:
                self._stage(path, new)
            elif staged and old and new:
                mine, base, theirs = (
                    self._git.run("cat-file", "blob", b) for b in (staged, old, new)
                )
                merged = self._git.merged(mine, base, theirs, self._scratch)
                if merged is not None:
                    self._stage(path, self._store(path, merged))

    def _stage(
        self, path: str, blob: str, environment: Mapping[str, str] | None = None
    ) -> None:
        if blob:
            entry = f"100644,{blob},{self._prefix}{path}"
            arguments = ["--add", "--cacheinfo", entry]
        else:
            arguments = ["--force-remove", "--", path]
        self._git.run("update-index", *arguments, environment=environment or {})

    def _store(self, path: str, content: bytes | None) -> str:
        if content is None:
            return ""
        # With its path, so that the filters of an ordinary commit apply (line ends).
        name = f"--path={self._prefix}{path}"
        return self._git.word("hash-object", "-w", name, "--stdin", stdin=content)

    def _at_head(self, path: str) -> bytes | None:
        name = f"{self._head}:{self._prefix}{path}"
        return self._git.content(name) if self._head else None

    def _blob_at_head(self, path: str) -> str:
        name = f"{self._head}:{self._prefix}{path}"
        if not self._head:
            return ""
        return self._git.attempt("rev-parse", "--verify", "-q", name)


def _author(at: datetime) -> dict[str, str]:
    date = at.isoformat(timespec="seconds")
    told = {"NAME": "Strata", "EMAIL": "strata@localhost", "DATE": date}
    roles = ("AUTHOR", "COMMITTER")
    return {f"GIT_{role}_{key}": told[key] for role in roles for key in told}
