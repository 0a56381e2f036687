"""How much a statement matters, and which kind of entry it makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.distillation.cues import Cue
from strata.distillation.statements import is_trap
from strata.models import Tag

if TYPE_CHECKING:
    from strata.distillation.statements import Statement

# From here on a statement is an entry; what scores less fills up a thin note.
WORTH_KEEPING = 2.5
# Below this nothing is written even into an empty note.
WORTH_NOTHING = 0.0

_KINDS = {
    Cue.MEMO: 4.5,
    Cue.STANDING: 4.0,
    Cue.DECISION: 3.5,
    Cue.CORRECTION: 3.5,
    Cue.FINDING: 3.0,
    Cue.SELF: 3.0,
    Cue.REQUIRES: 2.8,
    Cue.PROPERTY: 2.6,
    Cue.CONTACT: 2.5,
    Cue.RESULT: 2.4,
    Cue.UNTIL: 2.2,
    Cue.RECURRING: 2.2,
    Cue.PROHIBITION: 1.5,
    Cue.IMPERATIVE: 1.2,
    Cue.SCOPE: 1.0,
    Cue.ONE_OFF: 0.2,
}
_EXTRAS = {
    Cue.IDENTIFIER: 1.5,
    Cue.TIME: 0.8,
    Cue.NUMBER: 0.6,
    Cue.REASON: 0.6,
    Cue.NAME: 0.4,
}
_FIRM = frozenset({Cue.MEMO, Cue.STANDING, Cue.REQUIRES, Cue.CORRECTION})


def score(statement: Statement) -> float:
    """Return the weight of *statement*, about -5 to 10; see the thresholds above."""
    cues = statement.cues
    if is_trap(cues):
        return -1.0
    if Cue.QUESTION in cues:
        return min(1.0, 0.2 * statement.content)
    weight = _weight(cues) + min(statement.content, 8) * 0.1
    if Cue.DANGLING in cues and not cues & _FIRM:
        weight -= 2.0
    if statement.content < 2 and not cues & (_FIRM | {Cue.NUMBER, Cue.IDENTIFIER}):  # noqa: PLR2004
        weight -= 2.5
    return weight


def _weight(cues: frozenset[Cue]) -> float:
    kinds = sorted((_KINDS[cue] for cue in cues if cue in _KINDS), reverse=True)
    extras = sum(_EXTRAS.get(cue, 0.0) for cue in cues)
    return (kinds[0] + 0.3 * sum(kinds[1:]) if kinds else 0.5) + extras


def tag_of(statement: Statement) -> Tag | None:
    """Return what kind of entry *statement* is; None for a request or an event."""
    cues = statement.cues
    if cues & {Cue.QUESTION, Cue.DANGLING} and not cues & _FIRM:
        return None
    if is_trap(cues):
        return None
    return _rule_tag(cues) or _fact_tag(cues)


def _rule_tag(cues: frozenset[Cue]) -> Tag | None:
    standing = bool(cues & {Cue.MEMO, Cue.STANDING, Cue.REQUIRES})
    if Cue.ONE_OFF in cues and not standing:
        return None
    if Cue.UNTIL in cues and Cue.TIME in cues and Cue.MEMO not in cues:
        return None
    if Cue.PROPERTY in cues and (standing or Cue.REASON in cues):
        return Tag.DECISION
    if standing:
        return Tag.PREFERENCE
    if cues & {Cue.SELF, Cue.RECURRING} and Cue.RESULT not in cues:
        return Tag.PREFERENCE
    manner = cues & {Cue.IMPERATIVE, Cue.PROHIBITION}
    if manner and Cue.SCOPE in cues and Cue.DECISION not in cues:
        return Tag.PREFERENCE
    return None


def _fact_tag(cues: frozenset[Cue]) -> Tag | None:
    if Cue.UNTIL in cues and Cue.TIME in cues:
        return Tag.FINDING
    if Cue.CORRECTION in cues:
        return Tag.FINDING
    if Cue.FINDING in cues and not cues >= {Cue.DECISION, Cue.IMPERATIVE}:
        return Tag.FINDING
    if Cue.ONE_OFF in cues:
        return None
    if cues & {Cue.DECISION, Cue.PROPERTY}:
        return Tag.DECISION
    if Cue.CONTACT in cues and not (Cue.IMPERATIVE in cues and Cue.TIME in cues):
        return Tag.FINDING
    if Cue.RESULT in cues and Cue.IMPERATIVE not in cues:
        return Tag.TASK
    if Cue.IDENTIFIER in cues and Cue.IMPERATIVE not in cues:
        return Tag.FINDING
    return None
