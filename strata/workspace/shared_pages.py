"""The pages of what agents share: one of each agent, in OpenClaw's state folder."""

from __future__ import annotations

import hashlib
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from strata.workspace.folders import clear_errors, hide_from_git, make_private_folder
from strata.workspace.forms import is_encrypted
from strata.workspace.layout import SHARED, SHARED_COPIES
from strata.workspace.locks import exclusive
from strata.workspace.replacing import draft, remove_stale, swap, sync_folder

if TYPE_CHECKING:
    from collections.abc import Iterable
    from contextlib import AbstractContextManager
    from pathlib import Path

_MARK = "<!-- strata:shared -->"
_PATIENCE_SECONDS = 30.0
# An id that every file system takes as it is.
_PLAIN = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


class SharedPages:
    """
    The pages below the OpenClaw *state* folder, of which each agent writes its own alone.

    What is told in them is the owner's, and readable by the owner alone.
    """

    def __init__(self, state: Path) -> None:
        self._folder = state / SHARED

    @property
    def exist(self) -> bool:
        """Whether anything was ever shared here; cheaply told."""
        return self._folder.is_dir()

    def read(self, agent: str) -> str:
        """Return the page of *agent*, "" where there is none."""
        file = self._file(agent)
        with clear_errors(file):
            try:
                return file.read_text(encoding="utf-8", errors="replace")
            except FileNotFoundError:
                return ""

    def write(self, agent: str, page: str) -> None:
        """Let *page* be that of *agent*; an empty one takes it away."""
        file = self._file(agent)
        if self.read(agent) == page:
            return
        with clear_errors(file):
            if page:
                make_private_folder(self._folder)
                fresh = draft(self._folder, page.encode(), mode=0o600, prefix=".page.")
                swap(fresh, file)
            else:
                file.unlink(missing_ok=True)
                sync_folder(self._folder)

    def keep(self, agents: Iterable[str]) -> None:
        """Take away the pages of all but *agents*, and what a killed process left."""
        known = {page_name(each) for each in agents}
        with clear_errors(self._folder), suppress(FileNotFoundError):
            for file in self._folder.glob("*.md"):
                if file.name not in known:
                    file.unlink(missing_ok=True)
            remove_stale(self._folder, ".page.*")

    def alone(self) -> AbstractContextManager[None]:
        """Let nobody else write or copy pages meanwhile."""
        return exclusive(
            self._folder / ".lock", timeout_seconds=_PATIENCE_SECONDS, doing="sharing"
        )

    def _file(self, agent: str) -> Path:
        return self._folder / page_name(agent)


def page_name(agent: str) -> str:
    """Return the name of the file in which the page of *agent* stands."""
    if _PLAIN.fullmatch(agent):
        return f"{agent}.md"
    told = hashlib.sha256(agent.encode("utf-8", "surrogatepass")).hexdigest()
    return f"agent-{told[:16]}.md"


def marked(title: str) -> str:
    """Return the first line of a page: what is below it is Strata's to take away."""
    return f"# {title} {_MARK}"


def is_page(text: str) -> bool:
    """Say whether *text* is a page of ours, or a copy of one."""
    # An editor may have given it other ends of lines, or a mark at the start.
    return _MARK in text.lstrip("\ufeff \t\r\n").partition("\n")[0]


def is_copy(path: str, text: str) -> bool:
    """Say whether the file *path* of a workspace, which says *text*, is a copy of one."""
    return path.startswith(f"{SHARED_COPIES}/") and is_page(text)


def keep_from_git(root: Path) -> None:
    """Let no repository of the workspace *root* keep what may be taken back."""
    make_private_folder(root / SHARED_COPIES)
    hide_from_git(root / SHARED_COPIES)


def discard_copy(root: Path, agent: str) -> None:
    """
    Remove the copy of the page of *agent* in the workspace *root*.

    That it is one is not to be told where it is encrypted and the key is away: it goes.
    """
    file = root / SHARED_COPIES / page_name(agent)
    with clear_errors(file), suppress(FileNotFoundError):
        content = file.read_bytes()
        if is_encrypted(content) or is_page(content.decode("utf-8", "replace")):
            file.unlink(missing_ok=True)
            sync_folder(file.parent)
