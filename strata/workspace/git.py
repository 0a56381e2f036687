"""The git program, told not to run hooks, sign, ask, or look elsewhere than here."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from strata.errors import GitUnavailable
from strata.messages import Notice
from strata.workspace.folders import users_umask

if TYPE_CHECKING:
    from collections.abc import Mapping

TIMEOUT_SECONDS = 60.0
# What git leaves in its folder in the midst of something.
UNFINISHED = (
    *("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD"),
    *("rebase-merge", "rebase-apply"),
)

# What a user's configuration could make slow, interactive or different.
_CONFIGURATION = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "commit.gpgSign": "false",
    "core.quotePath": "false",
    "gc.auto": "0",
}
_NOTHING: Mapping[str, str] = MappingProxyType({})


class GitMissing(GitUnavailable):
    """There is no git on this machine."""


@dataclass(frozen=True)
class Git:
    """Git in *folder*; raises `GitUnavailable` with git's own last line where it fails."""

    folder: Path
    timeout_seconds: float = TIMEOUT_SECONDS

    @cached_property
    def inside(self) -> Path:
        """The repository's own folder, where git keeps its index."""
        return self.folder / self.word("rev-parse", "--git-dir")

    @cached_property
    def top(self) -> Git:
        """Git at the top of the repository."""
        return replace(self, folder=Path(self.word("rev-parse", "--show-toplevel")))

    def run(
        self,
        *arguments: str,
        stdin: bytes = b"",
        environment: Mapping[str, str] = _NOTHING,
    ) -> bytes:
        """Return what git prints."""
        settings = [
            part
            for name, value in _CONFIGURATION.items()
            for part in ("-c", f"{name}={value}")
        ]
        try:
            finished = subprocess.run(  # noqa: S603 - our own arguments, no shell
                ["git", *settings, *arguments],  # noqa: S607 - the user's git
                cwd=self.folder,
                input=stdin,
                capture_output=True,
                timeout=self.timeout_seconds,
                env={**_environment(), **environment},
                # The repository may be shared with others.
                umask=users_umask(),
                check=False,
            )
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            raise GitMissing(Notice("git.missing")) from None
        except subprocess.TimeoutExpired:
            raise GitUnavailable.of("git.endless", command=arguments[0]) from None
        if finished.returncode:
            said = finished.stderr.decode("utf-8", "replace").strip()
            raise GitUnavailable.of(
                "git.failed", command=arguments[0], reason=_reason(said)
            )
        return finished.stdout

    def word(
        self,
        *arguments: str,
        stdin: bytes = b"",
        environment: Mapping[str, str] = _NOTHING,
    ) -> str:
        """Return what git prints, without its line end."""
        printed = self.run(*arguments, stdin=stdin, environment=environment)
        return os.fsdecode(printed).rstrip("\n")

    def attempt(self, *arguments: str) -> str:
        """Return what git prints, or "" where it fails."""
        return os.fsdecode(self._tried(*arguments) or b"").rstrip("\n")

    def content(self, name: str) -> bytes | None:
        """Return the bytes of ``COMMIT:PATH``, as a checkout would write them."""
        return self._tried("cat-file", "--filters", name)

    def merged(
        self, ours: bytes, base: bytes, theirs: bytes, scratch: Path
    ) -> bytes | None:
        """Return *ours* with what leads from *base* to *theirs*; None where they clash."""
        files = {"ours": ours, "base": base, "theirs": theirs}
        for name, content in files.items():
            (scratch / name).write_bytes(content)
        names = [str(scratch / name) for name in files]
        return self._tried("merge-file", "-p", "-q", *names)

    def _tried(self, *arguments: str) -> bytes | None:
        """Return what git prints, None where it fails."""
        try:
            return self.run(*arguments)
        except GitMissing:
            raise
        except GitUnavailable:
            return None


def _environment() -> dict[str, str]:
    """Return the environment without what points git elsewhere, as inside a git hook."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith("GIT_")
    }
    return {**kept, "GIT_TERMINAL_PROMPT": "0", "GIT_EDITOR": "true", "LC_ALL": "C"}


def _reason(said: str) -> str:
    lines = said.split("\n")
    return next(
        (line for line in lines if line.startswith(("fatal", "error"))), lines[-1]
    )
