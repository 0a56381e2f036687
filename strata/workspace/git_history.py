"""
The history of memory in git, rewritten so that some words were never in it.

Objects are made anew only where something of theirs changed: a commit from before the
first change keeps its id. Nothing but files of memory is looked into.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from strata.errors import GitUnavailable
from strata.workspace.git import UNFINISHED, Git

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

TIMEOUT_SECONDS = 900.0
_AT_ONCE = 200
_MEMORY = ("MEMORY.md", "USER.md", "DREAMS.md", "memory")
# A signature vouches for bytes that are no longer those.
_SIGNATURES = (b"gpgsig", b"gpgsig-sha256")


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
                (folder / name).exists() for name in (*UNFINISHED, "BISECT_LOG")
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
                raise GitUnavailable.of("git.no-rewriting", reason=reason)

    def rewrite(self, change: Callable[[str, bytes], bytes]) -> Rewritten:
        """
        Let every content of a memory file be what *change* makes of it.

        The refs move together or not at all, and the old objects are destroyed. The
        working tree is not touched. Raise `GitUnavailable` as `refuse_unsafe` does.
        """
        self.refuse_unsafe()
        contents = {each.blob: each.content for each in self.versions()}
        rewriting = _Rewriting(self._git, self._prefix, change, contents)
        remotes = tuple(self._git.attempt("remote").split())
        done = rewriting.run()
        self._git.run("reflog", "expire", "--expire=now", "--all")
        self._git.run("gc", "-q", "--prune=now")
        return Rewritten(*done, remotes)

    def _committed(self) -> Iterator[tuple[str, str]]:
        paths = [f":(top){self._prefix}{name}" for name in _MEMORY]
        listed = self._git.attempt(
            "rev-list", "--objects", "--full-history", "--all", "--reflog", "--", *paths
        )
        for line in listed.split("\n"):
            blob, _, name = line.partition(" ")
            if name.startswith(self._prefix) and _is_memory(name[len(self._prefix) :]):
                yield blob, name[len(self._prefix) :]

    def _staged(self) -> Iterator[tuple[str, str]]:
        for line in self._git.attempt("ls-files", "-s", "--", *_MEMORY).split("\n"):
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


@dataclass(slots=True)
class _Rewriting:
    """
    One rewrite of what *change* makes of the *contents*, by blob, of memory files.

    *prefix* is the place of the workspace in the repository. New objects are made for old
    ones from the first commit that changes to the last ref, each once.
    """

    git: Git
    prefix: str
    change: Callable[[str, bytes], bytes]
    # One content may stand at several paths, and git lists it at one of them.
    contents: Mapping[str, bytes]
    _blobs: dict[tuple[str, str], str] = field(default_factory=dict)
    _trees: dict[str, str] = field(default_factory=dict)
    _commits: dict[str, str] = field(default_factory=dict)

    def run(self) -> tuple[int, int, int]:
        """Return how many contents, commits and refs changed."""
        commits = ("rev-list", "--topo-order", "--reverse", "--all", "HEAD")
        for line in self.git.attempt(*commits).split():
            self._commits[line] = self._commit(line)
        self._put(self.git.run("ls-files", "-s", "-z", "--full-name"))
        changed = sum(1 for old, new in self._commits.items() if old != new)
        versions = sum(1 for (old, _), new in self._blobs.items() if old != new)
        return versions, changed, self._move_refs()

    def _commit(self, name: str) -> str:
        raw = self.git.run("cat-file", "commit", name)
        head, gap, message = raw.partition(b"\n\n")
        lines = head.split(b"\n")
        after = [self._header(line) for line in lines]
        said = self.change("", message)
        if after == lines and said == message:
            return name
        return self._stored("commit", b"\n".join(_unsigned(after)) + gap + said)

    def _header(self, line: bytes) -> bytes:
        kind, _, value = line.partition(b" ")
        name = value.decode("ascii", "replace")
        if kind == b"tree":
            return b"tree " + self._tree(name).encode()
        if kind == b"parent":
            return b"parent " + self._commits.get(name, name).encode()
        return line

    def _tree(self, name: str) -> str:
        if name not in self._trees:
            places = [f"{self.prefix}{each}" for each in _MEMORY]
            listed = self.git.run("ls-tree", "-rz", "--full-tree", name, "--", *places)
            self._trees[name] = self._put(listed, tree=name) or name
        return self._trees[name]

    def _put(self, listed: bytes, tree: str = "") -> str:
        """
        Put what changes of the entries *listed* into the user's index, or into a *tree*.

        Return the tree that this makes, "" where nothing changes.
        """
        entries = b"".join(map(self._changed, filter(None, listed.split(b"\0"))))
        if not entries:
            return ""
        top = self.git.top
        put = ("update-index", "-z", "--index-info")
        if not tree:
            top.run(*put, stdin=entries)
            return ""
        with TemporaryDirectory(dir=self.git.inside) as scratch:
            index = {"GIT_INDEX_FILE": f"{scratch}/index"}
            top.run("read-tree", tree, environment=index)
            top.run(*put, stdin=entries, environment=index)
            return top.word("write-tree", "--missing-ok", environment=index)

    def _changed(self, entry: bytes) -> bytes:
        """Return an *entry* of an index or a tree with its new blob, if it has one."""
        fields, _, path = entry.partition(b"\t")
        blob = max(fields.split(), key=len)
        new = self._blob(blob.decode(), os.fsdecode(path)).encode()
        return b"" if new == blob else fields.replace(blob, new) + b"\t" + path + b"\0"

    def _blob(self, name: str, path: str) -> str:
        below = path.removeprefix(self.prefix)
        ours = path.startswith(self.prefix) and _is_memory(below)
        # A file of somebody else may have the same content.
        if name not in self.contents or not ours:
            return name
        if (name, path) not in self._blobs:
            before = self.contents[name]
            after = self.change(below, before)
            same = after == before
            self._blobs[name, path] = name if same else self._stored("blob", after)
        return self._blobs[name, path]

    def _move_refs(self) -> int:
        listed = self.git.word(
            "for-each-ref", "--format=%(refname) %(objecttype) %(objectname) %(symref)"
        )
        moves = []
        for line in filter(None, listed.split("\n")):
            ref, kind, old, symbolic = [*line.split(" "), ""][:4]
            new = self._tag(old) if kind == "tag" else self._commits.get(old, old)
            if new != old and not symbolic:
                moves.append(f"update {ref} {new} {old}\n")
        head = self.git.attempt("rev-parse", "--verify", "-q", "HEAD")
        if head and not self.git.attempt("symbolic-ref", "-q", "HEAD"):
            new = self._commits.get(head, head)
            moves += [f"update HEAD {new} {head}\n"] if new != head else []
        if moves:
            self.git.run("update-ref", "--stdin", stdin="".join(moves).encode())
        return len(moves)

    def _tag(self, name: str) -> str:
        raw = self.git.run("cat-file", "tag", name)
        head, gap, message = raw.partition(b"\n\n")
        kind, target = head.split(b"\n")[1], head.split(b"\n")[0][7:].decode()
        if kind == b"type tag":
            new = self._tag(target)
        else:
            new = self._commits.get(target, target)
        said = self.change("", message.partition(b"-----BEGIN ")[0])
        if new == target and said == message.partition(b"-----BEGIN ")[0]:
            return name
        lines = [b"object " + new.encode(), *head.split(b"\n")[1:]]
        return self._stored("tag", b"\n".join(lines) + gap + said)

    def _stored(self, kind: str, content: bytes) -> str:
        return self.git.word(
            "hash-object", "-w", "--no-filters", "-t", kind, "--stdin", stdin=content
        )


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


def _is_memory(path: str) -> bool:
    """Say whether *path*, below the workspace, is a file of memory."""
    return path in _MEMORY or path.startswith("memory/")


def _unsigned(lines: Sequence[bytes]) -> Iterator[bytes]:
    inside = False
    for line in lines:
        inside = line.split(b" ")[0] in _SIGNATURES or (inside and line[:1] == b" ")
        if not inside:
            yield line
