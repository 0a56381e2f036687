"""Days that pass in a workspace: somebody talks, and in the night memory is tidied."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from builders import Conversation

from strata.jobs.sync import sync
from strata.jobs.tidy import TidyReport, tidy
from strata.memory import Memory
from strata.notes.long_term import bare_lines

if TYPE_CHECKING:
    from pathlib import Path

FIRST = datetime(2026, 11, 2, 10, 0, tzinfo=UTC)


def new_life(root: Path) -> Life:
    """
    An empty workspace and state directory below *root*.
    """
    (root / "workspace" / "memory").mkdir(parents=True)
    (root / "state").mkdir()
    return Life(root)


@dataclass
class Life:
    """
    A workspace in which days pass: somebody talks, and in the night there is a tidy.
    """

    root: Path
    day: int = 0

    def memory(self, *, hours: float = 0) -> Memory:
        now = FIRST + timedelta(days=self.day, hours=hours)
        return Memory.open(
            workspace=str(self.root / "workspace"),
            state_dir=str(self.root / "state"),
            now=now.isoformat(),
            overrides=["timezone=UTC"],
        )

    def talk(self, *said: str, sync_now: bool = True) -> None:
        """
        The owner says each of *said* in a conversation of that day.
        """
        session = f"{self.day + 1:08x}-0000-4000-8000-{len(' '.join(said)):012d}"
        at = FIRST + timedelta(days=self.day)
        talk = Conversation(self.root / "state", session, f"agent:main:d{self.day}", at)
        for text in said:
            talk.user(text).agent("Noted.")
        talk.user("Thanks, bye").agent("Bye.").save()
        if sync_now:
            sync(self.memory(hours=2), since=FIRST - timedelta(days=1))

    def night(self) -> TidyReport:
        """
        Tidy at three in the morning; a new day begins.
        """
        report = tidy(self.memory(hours=17))
        self.day += 1
        return report

    @property
    def page(self) -> str:
        return self.memory().workspace.read("MEMORY.md")

    @property
    def lines(self) -> list[str]:
        return [line for line in bare_lines(self.page) if line.startswith("- ")]

    def events(self, event: str) -> list[dict[str, Any]]:
        return list(self.memory().journal.records(event))
