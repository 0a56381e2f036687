"""What asking has cost: one record a call, and never what was said."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

    from strata.workspace.journal import Journal

_EVENT = "model_call"
OK = "ok"


@dataclass(frozen=True, slots=True)
class Call:
    """One call: what for, of whom, what it cost, and ``ok`` or what went wrong."""

    at: datetime
    purpose: str
    provider: str
    model: str
    input_tokens: int
    output_tokens: int
    milliseconds: int
    outcome: str

    @property
    def tokens(self) -> int:
        """Tokens in both directions."""
        return self.input_tokens + self.output_tokens


class Ledger:
    """The calls in *journal*, a file of its own; losing it costs history alone."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def record(self, call: Call) -> None:
        """Write *call* down, before anything else is done with its answer."""
        record: dict[str, Any] = {
            "event": _EVENT,
            "at": call.at.isoformat(timespec="seconds"),
            "purpose": call.purpose,
            "provider": call.provider,
            "model": call.model,
            "input_tokens": call.input_tokens,
            "output_tokens": call.output_tokens,
            "milliseconds": call.milliseconds,
            "outcome": call.outcome,
        }
        self._journal.append([record])

    def calls(self) -> Iterator[Call]:
        """Yield every call from the first on; a record that cannot be read is skipped."""
        for record in self._journal.records(_EVENT):
            try:
                yield _call(record)
            except (KeyError, TypeError, ValueError):
                continue

    def on(self, day: date) -> list[Call]:
        """Return the calls of *day*, as the calls' own time zone counts days."""
        return [call for call in self.calls() if call.at.date() == day]

    def in_month(self, day: date) -> list[Call]:
        """Return the calls of the month in which *day* lies."""
        month = (day.year, day.month)
        return [call for call in self.calls() if (call.at.year, call.at.month) == month]


def _call(record: dict[str, Any]) -> Call:
    return Call(
        datetime.fromisoformat(record["at"]),
        str(record["purpose"]),
        str(record["provider"]),
        str(record["model"]),
        int(record["input_tokens"]),
        int(record["output_tokens"]),
        int(record["milliseconds"]),
        str(record["outcome"]),
    )


def token_sum(calls: Iterable[Call]) -> int:
    """Return the tokens of *calls* together."""
    return sum(call.tokens for call in calls)
