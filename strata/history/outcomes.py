"""What became of a claim: a line of long-term memory, or the reason why it has none."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from strata.history.ledger import statement_id

if TYPE_CHECKING:
    from strata.models import Claim, Judgement


@dataclass(frozen=True, slots=True)
class Admitted:
    """A claim that deserves a line, with its judgement; *explicit* ones go first."""

    claim: Claim
    judgement: Judgement
    text: str
    explicit: bool = False
    pinned: bool = False

    @property
    def id(self) -> str:
        """The id of its wording."""
        return statement_id(self.text)


@dataclass(frozen=True, slots=True)
class Refused:
    """A claim that has no line: *event* is what the journal calls it."""

    event: str
    claim: Claim
    text: str
    dimension: str
    reason: str
    by: str = ""
    judgement: Judgement | None = None


@dataclass(slots=True)
class Considered:
    """All verdicts, each in the order in which the claims were first said."""

    admitted: list[Admitted] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
