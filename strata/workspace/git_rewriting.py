"""New objects for old ones in git, from the first commit that changes to the last ref."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from strata.workspace.git import Git

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

MEMORY = ("MEMORY.md", "USER.md", "DREAMS.md", "memory")
# A signature vouches for bytes that are no longer those.
_SIGNATURES = (b"gpgsig", b"gpgsig-sha256")


class Rewriting:
    """
    One rewrite of what *change* makes of the *contents*, by blob, of memory files.

    *prefix* is the place of the workspace in the repository. Each object is looked up and
    made once.
    """

    def __init__(
        self,
        git: Git,
        prefix: str,
        change: Callable[[str, bytes], bytes],
        contents: Mapping[str, bytes],
    ) -> None:
        self._git = git
        self._prefix = prefix
        self._start = len(prefix)
        self._change = change
        # One content may stand at several paths, and git lists it at one of them.
        self._contents = contents
        self._blobs: dict[tuple[str, str], str] = {}
        self._trees: dict[tuple[str, str], str] = {}
        self._commits: dict[str, str] = {}

    def run(self) -> tuple[int, int, int]:
        """Return how many contents, commits and refs changed."""
        for line in self._git.attempt(
            "rev-list", "--topo-order", "--reverse", "--all", "HEAD"
        ).split():
            self._commits[line] = self._commit(line)
        self._restage()
        changed = sum(1 for old, new in self._commits.items() if old != new)
        versions = sum(1 for (old, _), new in self._blobs.items() if old != new)
        return versions, changed, self._move_refs()

    def _commit(self, name: str) -> str:
        raw = self._git.run("cat-file", "commit", name)
        head, gap, message = raw.partition(b"\n\n")
        lines = head.split(b"\n")
        after = [self._header(line) for line in lines]
        said = self._change("", message)
        if after == lines and said == message:
            return name
        return self._stored("commit", b"\n".join(_unsigned(after)) + gap + said)

    def _header(self, line: bytes) -> bytes:
        kind, _, value = line.partition(b" ")
        name = value.decode("ascii", "replace")
        if kind == b"tree":
            return b"tree " + self._tree(name, "").encode()
        if kind == b"parent":
            return b"parent " + self._commits.get(name, name).encode()
        return line

    def _tree(self, name: str, path: str) -> str:
        if (name, path) not in self._trees:
            self._trees[name, path] = self._made_tree(name, path)
        return self._trees[name, path]

    def _made_tree(self, name: str, path: str) -> str:
        raw = self._git.run("ls-tree", "--full-tree", "-z", name)
        entries = [entry for entry in raw.split(b"\0") if entry]
        after = [self._tree_entry(entry, path) for entry in entries]
        if after == entries:
            return name
        stdin = b"".join(entry + b"\0" for entry in after)
        return self._git.word("mktree", "-z", "--missing", stdin=stdin)

    def _tree_entry(self, entry: bytes, path: str) -> bytes:
        fields, _, name = entry.partition(b"\t")
        mode, kind, blob = fields.decode().split()
        full = path + name.decode("utf-8", "surrogateescape")
        if kind == "tree" and self._may_hold(f"{full}/"):
            blob = self._tree(blob, f"{full}/")
        elif kind == "blob":
            blob = self._blob(blob, full)
        return f"{mode} {kind} {blob}\t".encode() + name

    def _blob(self, name: str, path: str) -> str:
        inside = path.startswith(self._prefix)
        # A file of somebody else may have the same content.
        if name not in self._contents or not (
            inside and is_memory(path[self._start :])
        ):
            return name
        if (name, path) not in self._blobs:
            before = self._contents[name]
            after = self._change(path[self._start :], before)
            same = after == before
            self._blobs[name, path] = name if same else self._stored("blob", after)
        return self._blobs[name, path]

    def _may_hold(self, folder: str) -> bool:
        """Say whether files of memory lie below *folder*, of the repository."""
        inside = folder.startswith(f"{self._prefix}memory/")
        return inside or f"{self._prefix}memory/".startswith(folder)

    def _restage(self) -> None:
        lines = []
        for line in self._git.word("ls-files", "-s", "--full-name").split("\n"):
            fields, _, path = line.partition("\t")
            if not path:
                continue
            mode, blob, stage = fields.split()
            new = self._blob(blob, path)
            if new != blob:
                lines.append(f"{mode} {new} {stage}\t{path}\n")
        if lines:
            top = Git(Path(self._git.word("rev-parse", "--show-toplevel")))
            top.run("update-index", "--index-info", stdin=os.fsencode("".join(lines)))

    def _move_refs(self) -> int:
        listed = self._git.word(
            "for-each-ref", "--format=%(refname) %(objecttype) %(objectname) %(symref)"
        )
        moves = []
        for line in filter(None, listed.split("\n")):
            ref, kind, old, symbolic = [*line.split(" "), ""][:4]
            new = self._tag(old) if kind == "tag" else self._commits.get(old, old)
            if new != old and not symbolic:
                moves.append(f"update {ref} {new} {old}\n")
        head = self._git.attempt("rev-parse", "--verify", "-q", "HEAD")
        if head and not self._git.attempt("symbolic-ref", "-q", "HEAD"):
            new = self._commits.get(head, head)
            moves += [f"update HEAD {new} {head}\n"] if new != head else []
        if moves:
            self._git.run("update-ref", "--stdin", stdin="".join(moves).encode())
        return len(moves)

    def _tag(self, name: str) -> str:
        raw = self._git.run("cat-file", "tag", name)
        head, gap, message = raw.partition(b"\n\n")
        kind, target = head.split(b"\n")[1], head.split(b"\n")[0][7:].decode()
        if kind == b"type tag":
            new = self._tag(target)
        else:
            new = self._commits.get(target, target)
        said = self._change("", message.partition(b"-----BEGIN ")[0])
        if new == target and said == message.partition(b"-----BEGIN ")[0]:
            return name
        lines = [b"object " + new.encode(), *head.split(b"\n")[1:]]
        return self._stored("tag", b"\n".join(lines) + gap + said)

    def _stored(self, kind: str, content: bytes) -> str:
        return self._git.word(
            "hash-object", "-w", "--no-filters", "-t", kind, "--stdin", stdin=content
        )


def is_memory(path: str) -> bool:
    """Say whether *path*, below the workspace, is a file of memory."""
    return path in MEMORY or path.startswith("memory/")


def _unsigned(lines: Sequence[bytes]) -> Iterator[bytes]:
    inside = False
    for line in lines:
        inside = line.split(b" ")[0] in _SIGNATURES or (inside and line[:1] == b" ")
        if not inside:
            yield line
