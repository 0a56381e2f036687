"""The page that OpenClaw's tab shows: one file, in which each agent has a part."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from strata.workspace.folders import clear_errors
from strata.workspace.locks import exclusive
from strata.workspace.replacing import draft, swap

if TYPE_CHECKING:
    from collections.abc import Iterable
    from contextlib import AbstractContextManager
    from pathlib import Path

# What somebody said is escaped wherever it stands, so no text can look like one of these.
HOLE = "<!-- parts -->\n"
_PART = re.compile(r"<!-- part (\w+) (\w+) -->\n.*?<!-- end -->\n", re.DOTALL)
_PATIENCE_SECONDS = 10.0


class TabFile:
    """
    The page in Strata's own *folder*; where that is gone nothing is written.

    A part has a stamp, which tells what it was made of.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / "tab.html"

    def stamp(self, agent: str) -> str:
        """Return the stamp of the part of *agent*, "" where there is none."""
        whole = self._parts().get(_name(agent), "")
        found = _PART.match(whole)
        return found[2] if found else ""

    def put(
        self, agent: str, stamp: str, part: str, *, frame: str, agents: Iterable[str]
    ) -> None:
        """Let *part* be that of *agent*, in *frame*, beside those of the other *agents*."""
        with self._alone():
            parts = self._parts()
            own = _name(agent)
            parts[own] = f"<!-- part {own} {stamp} -->\n{part}<!-- end -->\n"
            kept = "".join(parts.get(_name(each), "") for each in agents)
            self._write(frame.replace(HOLE, kept), durable=False)

    def take_out(self, agent: str) -> None:
        """Take the part of *agent* out, so that not even a power cut brings it back."""
        if not self.stamp(agent):
            return
        with self._alone():
            own = self._parts().get(_name(agent), "")
            self._write(self._page().replace(own, ""), durable=True)

    def _parts(self) -> dict[str, str]:
        return {found[1]: found[0] for found in _PART.finditer(self._page())}

    def _page(self) -> str:
        with clear_errors(self.path):
            try:
                return self.path.read_text(encoding="utf-8", errors="replace")
            except FileNotFoundError:
                return ""

    def _write(self, page: str, *, durable: bool) -> None:
        content = page.encode("utf-8", "replace")
        with clear_errors(self.path):
            folder = self.path.parent
            fresh = draft(folder, content, mode=0o600, prefix=".tab.", durable=durable)
            swap(fresh, self.path)

    def _alone(self) -> AbstractContextManager[None]:
        return exclusive(
            self.path.with_suffix(".lock"),
            timeout_seconds=_PATIENCE_SECONDS,
            doing="telling",
            makes_folder=False,
        )


def _name(agent: str) -> str:
    return hashlib.sha256(agent.encode("utf-8", "surrogatepass")).hexdigest()[:16]
