"""How much a statement matters, and which kind of entry it makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.distillation.cues.kinds import Cue
from strata.distillation.extraction.statements import is_trap
from strata.models import Tag

if TYPE_CHECKING:
    from strata.distillation.extraction.statements import Statement

# From here on a statement is an entry; what weighs less fills up a thin note.
WORTH_KEEPING = 1.3
# Up to here nothing is written unless nothing else was said.
WORTH_NOTHING = 0.0
# What puts the agent right weighs more.
RIGHT = 2.0
# A plain statement that names nothing; it may fill up a thin note.
FILLER = 0.4

_KINDS = {
    Cue.MEMO: 4.5,
    Cue.STANDING: 4.0,
    Cue.DECIDED: 3.8,
    Cue.DECISION: 3.2,
    Cue.CORRECTION: 3.5,
    Cue.FINDING: 3.0,
    Cue.SELF: 3.0,
    Cue.REQUIRES: 2.8,
    Cue.PROPERTY: 2.6,
    Cue.CONTACT: 2.5,
    Cue.RESULT: 2.4,
    Cue.DEADLINE: 2.4,
    Cue.EVENT: 2.2,
    Cue.UNTIL: 2.2,
    Cue.RECURRING: 2.2,
    Cue.HABIT: 2.0,
    Cue.CONDITION: 2.0,
    Cue.MANNER: 2.0,
    Cue.PROHIBITION: 1.5,
    Cue.SCOPE: 1.0,
    Cue.REQUEST: 0.3,
}
_EXTRAS = {
    Cue.IDENTIFIER: 1.5,
    Cue.TIME: 0.8,
    Cue.NUMBER: 0.6,
    Cue.REASON: 0.6,
    Cue.NAME: 0.4,
}
# What a plain statement of no kind must name to be more than talk.
_SPECIFIC = frozenset({Cue.IDENTIFIER, Cue.NUMBER, Cue.TIME, Cue.NAME})
# A redacted secret: what surrounds it was said for the moment.
PLACEHOLDER = "⟦"
# So many words a decision or a preference needs to mean anything later.
_TELLING = 4
# Fewer, where a person, a place or a figure is named, or the kind of statement is plain.
_NAMES = frozenset({Cue.NUMBER, Cue.IDENTIFIER})
_PLAIN = frozenset({Cue.DECIDED, Cue.FINDING, Cue.SELF, Cue.ANSWER, Cue.HABIT})
_FIRM = frozenset({Cue.MEMO, Cue.STANDING, Cue.REQUIRES, Cue.CORRECTION})
_PREFERENCE = {
    Cue.MEMO: 1.2, Cue.STANDING: 3.4, Cue.REQUIRES: 2.0, Cue.SELF: 2.5, Cue.HABIT: 1.4,
    Cue.RECURRING: 1.8, Cue.SCOPE: 0.8, Cue.PROHIBITION: 0.8, Cue.IMPERATIVE: 0.6,
    Cue.MANNER: 2.2, Cue.CONDITION: 0.6,
    Cue.ONE_OFF: -2.5, Cue.FINDING: -0.5, Cue.RESULT: -0.5,
}  # fmt: skip
_DECISION = {
    Cue.DECIDED: 3.6, Cue.DECISION: 2.2, Cue.PROPERTY: 1.8, Cue.REASON: 0.5, Cue.SCOPE: 0.3,
    Cue.PROHIBITION: 0.3, Cue.ONE_OFF: -2.0, Cue.FINDING: -0.4, Cue.RESULT: -0.4,
}  # fmt: skip
_FINDING = {
    Cue.FINDING: 2.6, Cue.LOCATED: 1.5, Cue.CORRECTION: 2.4, Cue.CONTACT: 1.6,
    Cue.UNTIL: 1.0, Cue.ONE_OFF: -1.0, Cue.EVENT: 2.2,
    Cue.IDENTIFIER: 1.5, Cue.NUMBER: 0.6, Cue.TIME: 0.3, Cue.NAME: 0.2, Cue.REPORTED: 0.3,
}  # fmt: skip
_TASK = {
    Cue.RESULT: 1.8,
    Cue.DEADLINE: 1.6,
    Cue.EVENT: -0.6,
    Cue.TIME: 0.8,
    Cue.NUMBER: 0.3,
    Cue.UNTIL: 0.5,
}
_NONE = {
    Cue.REQUEST: 1.8,
    Cue.FAVOUR: 1.2,
    Cue.ONE_OFF: 1.0,
    Cue.IMPERATIVE: 0.4,
    Cue.DANGLING: 1.5,
}
# Cues that mean more together than apart: which kind of entry they speak for, and how much.
_PAIRS: tuple[tuple[frozenset[Cue], Tag | None, float], ...] = (
    (frozenset({Cue.UNTIL, Cue.TIME}), Tag.FINDING, 2.5),
    (frozenset({Cue.UNTIL, Cue.TIME}), Tag.PREFERENCE, -2.0),
    (frozenset({Cue.DEADLINE, Cue.TIME}), Tag.PREFERENCE, -2.0),
    (frozenset({Cue.DEADLINE, Cue.RECURRING}), Tag.PREFERENCE, 4.0),
    (frozenset({Cue.SCOPE, Cue.IMPERATIVE}), Tag.PREFERENCE, 1.5),
    (frozenset({Cue.RECURRING, Cue.TIME}), Tag.PREFERENCE, 3.0),
    (frozenset({Cue.PROPERTY, Cue.STANDING}), Tag.DECISION, 3.0),
    (frozenset({Cue.PROPERTY, Cue.REASON}), Tag.DECISION, 1.5),
    (frozenset({Cue.DECIDED, Cue.STANDING}), Tag.DECISION, 1.0),
    (frozenset({Cue.RESULT, Cue.TIME}), Tag.TASK, 0.6),
    (frozenset({Cue.DECISION, Cue.STANDING}), Tag.DECISION, 1.5),
    (frozenset({Cue.MANNER, Cue.TIME}), Tag.PREFERENCE, -2.2),
    (frozenset({Cue.CONDITION, Cue.IMPERATIVE}), Tag.PREFERENCE, 3.2),
    (frozenset({Cue.CORRECTION, Cue.REQUEST}), Tag.PREFERENCE, 2.4),
    (frozenset({Cue.CONDITION, Cue.REQUEST}), None, -1.5),
    (frozenset({Cue.CONDITION, Cue.PROHIBITION}), Tag.PREFERENCE, 1.8),
    (frozenset({Cue.REASON, Cue.DECIDED}), Tag.DECISION, 1.2),
    (frozenset({Cue.ANSWER, Cue.PROHIBITION}), Tag.DECISION, 1.5),
)
_CONVINCING = 0.95
# What is to be done, or was; a day alone makes no task.
_TASKS = frozenset({Cue.RESULT, Cue.DEADLINE, Cue.UNTIL})
# What is said beside a mood or in passing, and yet holds.
_DURABLE = frozenset(
    {
        Cue.MEMO, Cue.STANDING, Cue.DECIDED, Cue.SELF, Cue.CORRECTION, Cue.FINDING,
        Cue.RECURRING, Cue.CONTACT, Cue.IDENTIFIER, Cue.DEADLINE, Cue.REQUIRES,
    }
)  # fmt: skip
# What makes more of an order than something to be done now.
_RULING = frozenset(
    {
        Cue.STANDING, Cue.MEMO, Cue.RECURRING, Cue.SCOPE, Cue.MANNER, Cue.REQUIRES,
        Cue.SELF, Cue.HABIT, Cue.PROHIBITION, Cue.DECIDED, Cue.CONDITION, Cue.CORRECTION,
        Cue.LOCATED, Cue.CONTACT, Cue.PROPERTY, Cue.REASON,
    }
)  # fmt: skip
# What is simply stated is a finding, if it names anything.
_DECLARED = 0.6
_ASKING = frozenset({Cue.REQUEST, Cue.IMPERATIVE, Cue.ONE_OFF})
_VOTES: tuple[tuple[Tag | None, dict[Cue, float]], ...] = (
    (Tag.PREFERENCE, _PREFERENCE),
    (Tag.DECISION, _DECISION),
    (Tag.FINDING, _FINDING),
    (Tag.TASK, _TASK),
    (None, _NONE),
)


def score(statement: Statement) -> float:
    """Return the weight of *statement*, about -5 to 12; see the thresholds above."""
    cues = statement.cues
    if is_trap(cues):
        return -1.0
    if Cue.RELAYED in cues:
        return 0.4
    if Cue.QUESTION in cues:
        return min(1.0, 0.2 * (statement.content - 1))
    if _is_mood(statement):
        return WORTH_NOTHING
    if not cues & _KINDS.keys() and not cues & _SPECIFIC:
        return FILLER if statement.content >= _TELLING else WORTH_NOTHING
    if Cue.DANGLING not in frozenset[Cue]().union(*standing_of(statement)):
        cues -= {Cue.DANGLING}
    weight = _weight(cues) + min(statement.content, 8) * 0.1
    if Cue.DANGLING in cues and not cues & (_FIRM | _NAMES):
        weight -= 2.0
    if PLACEHOLDER in statement.text:
        weight -= 1.0
    if statement.content < 2 and not cues & (_FIRM | {Cue.NUMBER, Cue.IDENTIFIER}):  # noqa: PLR2004 - a word says little
        weight -= 2.5
    return weight


def standing_of(statement: Statement) -> tuple[frozenset[Cue], ...]:
    """Return the parts that say enough without those that point to something else."""
    parts = statement.parts
    firm = tuple(
        part for part in parts if Cue.DANGLING not in part and part & _KINDS.keys()
    )
    return firm or parts


def _weight(cues: frozenset[Cue]) -> float:
    kinds = sorted((_KINDS[cue] for cue in cues if cue in _KINDS), reverse=True)
    extras = sum(_EXTRAS.get(cue, 0.0) for cue in cues)
    return (kinds[0] + 0.3 * sum(kinds[1:]) if kinds else 0.7) + extras


def tag_of(statement: Statement) -> Tag | None:
    """Return what kind of entry *statement* is; None for a request or an event."""
    cues = frozenset[Cue]().union(*standing_of(statement))
    if (
        cues & {Cue.RELAYED, Cue.QUESTION}
        or is_trap(cues)
        or PLACEHOLDER in statement.text
    ):
        return None
    if Cue.DANGLING in cues and not cues & _FIRM:
        return None
    if _is_mood(statement) or statement.content < _least(cues):
        return None
    parts = [part for part in standing_of(statement) if not _merely_asks(part)]
    if not parts:
        return None
    votes = {tag: _votes(tag, weights, parts) for tag, weights in _VOTES}
    if not cues & _ASKING and cues & {Cue.NUMBER, Cue.IDENTIFIER, Cue.NAME}:
        votes[Tag.FINDING] += _DECLARED
    if not cues & _TASKS:
        votes[Tag.TASK] = 0.0
    best = max(votes, key=lambda tag: votes[tag])
    return best if votes[best] >= _CONVINCING else None


def _least(cues: frozenset[Cue]) -> int:
    """Return how many words with a meaning an entry of that kind needs for its tag."""
    if cues & (_FIRM | _NAMES):
        return 0
    if cues & _PLAIN:
        return _TELLING - 2
    return _TELLING - 1 if Cue.CONTACT in cues else _TELLING


def _is_mood(statement: Statement) -> bool:
    """Say whether only a mood is told; a figure in many words is more than that."""
    if Cue.MOOD not in statement.cues or statement.cues & _DURABLE:
        return False
    if any(Cue.MOOD not in part and part & _RULING for part in statement.parts):
        return False
    return Cue.NUMBER not in statement.cues or statement.content <= _TELLING


def _merely_asks(cues: frozenset[Cue]) -> bool:
    return Cue.REQUEST in cues and not cues & _RULING


def _votes(
    tag: Tag | None, weights: dict[Cue, float], parts: list[frozenset[Cue]]
) -> float:
    """Count the sentence that speaks loudest for *tag*, and the others by half."""
    pairs = [(pair, extra) for pair, of, extra in _PAIRS if of is tag]
    voices = sorted(
        sum(weights.get(cue, 0.0) for cue in cues)
        + sum(extra for pair, extra in pairs if pair <= cues)
        for cues in parts
    )
    return voices[-1] + 0.5 * sum(voices[:-1])
