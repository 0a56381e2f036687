"""What becomes a line only with the owner's word: said twice, said plainly, or accepted."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.history.names import ACTS, BY_HAND
from strata.models import Frame
from strata.notes.entries import parse_entry
from strata.statements.acting import targets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.models import Claim, Mention

SAID_ANEW = (BY_HAND, "you took it out by hand, and have said it again since")
_ACTS = (
    ACTS,
    (
        "it names a host, an address, a payee, a number or a command to use; it enters "
        "once you say so in a second conversation, or accept it"
    ),
)
_SAID = (
    "said",
    "you may have told of it only: it is a line once you say it plainly, or accept it",
)


@dataclass(frozen=True, slots=True)
class Known:
    """What needs no second word: *targets* that are confirmed, and *lines* that stand."""

    targets: frozenset[str]
    lines: Sequence[str]

    def why_it_waits(self, claim: Claim, text: str) -> tuple[str, str] | None:
        """Return why *claim* needs the owner's word to become a line, if it does."""
        if any(text in line for line in self.lines):
            return None
        if claim.conversations == 1 and all(map(_is_said_only, claim.mentions)):
            return _SAID
        return None if targets(text) <= self.targets else _ACTS


def _is_said_only(mention: Mention) -> bool:
    is_said = parse_entry(mention.text).frame is Frame.SAYING
    return is_said and not mention.edited_at


def known_from(owners: Sequence[Mention], memory_lines: Sequence[str]) -> Known:
    """Return what an agent may use: said in two conversations, or on the page already."""
    known = {each for line in memory_lines for each in targets(line)}
    told: dict[str, set[str]] = defaultdict(set)
    for mention in owners:
        for target in targets(mention.text):
            told[target].add(mention.label or mention.path)
    twice = {each for each in told if len(told[each]) > 1}
    return Known(frozenset(known | twice), memory_lines)
