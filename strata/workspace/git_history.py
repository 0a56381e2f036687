"""
The history of memory in git, rewritten so that some words were never in it.

Objects are made anew only where something of theirs changed: a commit from before the
first change keeps its id. Nothing but files of memory is looked into.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.errors import GitUnavailable
from strata.messages import Notice
from strata.workspace.git import Git
from strata.workspace.git_rewriting import MEMORY, Rewriting, is_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

TIMEOUT_SECONDS = 900.0
_AT_ONCE = 200
_UNFINISHED = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_LOG")
_REBASES = ("rebase-merge", "rebase-apply")


@dataclass(frozen=True, slots=True)
class Version:
    """One content that the file *path* of the workspace has had."""

    blob: str
    path: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Rewritten:
    """How many contents, commits and refs are others now; *remotes* still have the old."""

    versions: int
    commits: int
    refs: int
    remotes: tuple[str, ...] = ()

    def after(self, earlier: Rewritten | None) -> Rewritten:
        """Return what was done when *earlier* was done to the same history before."""
        if earlier is None:
            return self
        return Rewritten(
            earlier.versions + self.versions,
            earlier.commits + self.commits,
            max(earlier.refs, self.refs),
            tuple(dict.fromkeys([*earlier.remotes, *self.remotes])),
        )


class GitHistory:
    """The history of the workspace *root*, in whatever repository it is."""

    def __init__(self, root: Path) -> None:
        self._git = Git(root, timeout_seconds=TIMEOUT_SECONDS)
        self._prefix = self._git.attempt("rev-parse", "--show-prefix")

    @property
    def is_there(self) -> bool:
        """Whether the workspace lies in a repository with any commit or staged file."""
        return bool(self._git.attempt("rev-parse", "--git-dir"))

    def versions(self) -> list[Version]:
        """Return every content of a memory file that git can still reach."""
        names = dict.fromkeys([*self._committed(), *self._staged()])
        contents = self._contents([blob for blob, _ in names])
        return [
            Version(blob, path, contents[blob])
            for blob, path in names
            if blob in contents
        ]

    def leftovers(self) -> list[bytes]:
        """Return the content of every blob that lies about and nothing leads to."""
        listed = self._git.attempt("fsck", "--unreachable", "--no-progress")
        blobs = re.findall(r"^unreachable blob (\w+)", listed, re.MULTILINE)
        return list(self._contents(blobs).values())

    def refuse_unsafe(self) -> None:
        """Raise `GitUnavailable` where a rewrite would break or leave something."""
        folder = self._git.folder / self._git.word("rev-parse", "--git-common-dir")
        unsafe = {
            "a merge, rebase or bisect is unfinished; finish it": any(
                (folder / name).exists() for name in (*_UNFINISHED, *_REBASES)
            ),
            "there are stashes, which a rewrite loses; `git stash pop` or drop them": bool(
                self._git.attempt("stash", "list")
            ),
            "there are other worktrees; `git worktree remove` them": "\n\n"
            in self._git.attempt("worktree", "list", "--porcelain").strip(),
            "its history is shallow or borrowed; `git fetch --unshallow` first": any(
                (folder / name).exists()
                for name in ("shallow", "objects/info/alternates")
            ),
        }
        for reason, holds in unsafe.items():
            if holds:
                raise GitUnavailable(Notice("git.no-rewriting", reason=reason))

    def rewrite(self, change: Callable[[str, bytes], bytes]) -> Rewritten:
        """
        Let every content of a memory file be what *change* makes of it.

        The refs move together or not at all, and the old objects are destroyed. The
        working tree is not touched. Raise `GitUnavailable` as `refuse_unsafe` does.
        """
        self.refuse_unsafe()
        contents = {each.blob: each.content for each in self.versions()}
        rewriting = Rewriting(self._git, self._prefix, change, contents)
        remotes = tuple(self._git.attempt("remote").split())
        done = rewriting.run()
        self._git.run("reflog", "expire", "--expire=now", "--all")
        self._git.run("gc", "-q", "--prune=now")
        return Rewritten(*done, remotes)

    def _committed(self) -> Iterator[tuple[str, str]]:
        paths = [f":(top){self._prefix}{name}" for name in MEMORY]
        listed = self._git.attempt(
            "rev-list", "--objects", "--full-history", "--all", "--reflog", "--", *paths
        )
        for line in listed.split("\n"):
            blob, _, name = line.partition(" ")
            if name.startswith(self._prefix) and is_memory(name[len(self._prefix) :]):
                yield blob, name[len(self._prefix) :]

    def _staged(self) -> Iterator[tuple[str, str]]:
        for line in self._git.attempt("ls-files", "-s", "--", *MEMORY).split("\n"):
            fields, _, path = line.partition("\t")
            if path:
                yield fields.split()[1], path

    def _contents(self, names: Sequence[str]) -> dict[str, bytes]:
        contents: dict[str, bytes] = {}
        for start in range(0, len(names), _AT_ONCE):
            some = list(dict.fromkeys(names[start : start + _AT_ONCE]))
            stream = self._git.run(
                "cat-file", "--batch", stdin="".join(f"{n}\n" for n in some).encode()
            )
            contents |= dict(_batched(stream))
        return contents


def _batched(stream: bytes) -> Iterator[tuple[str, bytes]]:
    position = 0
    while position < len(stream):
        end = stream.index(b"\n", position)
        fields = stream[position:end].decode().split()
        position = end + 1
        if len(fields) == 3:  # noqa: PLR2004 - name, type, size
            size = int(fields[2])
            if fields[1] == "blob":
                yield fields[0], stream[position : position + size]
            position += size + 1
