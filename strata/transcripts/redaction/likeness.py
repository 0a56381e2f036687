"""How much a value looks like what a person chose for getting in, by its shape alone."""

from __future__ import annotations

import string
from enum import Enum, auto

from strata.transcripts.redaction.tables import Patterns
from strata.transcripts.redaction.values import (
    is_hash,
    is_mixed,
    is_numbered_word,
    is_part,
)

CHOSEN = Patterns("told", "chosen")
_LETTERS, _DIGITS, _SIGNS = "a", "0", "!"
_CLASSES = str.maketrans(
    string.ascii_letters + string.digits + "!#$%@^&*~?+",
    _LETTERS * len(string.ascii_letters) + _DIGITS * 10 + _SIGNS * 11,
)
_FEWEST_LETTERS, _SHORTEST_SURE, _SHORTEST_ENDED, _LONGEST = 3, 7, 9, 40


class Likeness(Enum):
    """How much a value looks chosen; the more, the less must be said around it."""

    NONE = auto()
    LOOSE = auto()
    """Letters and digits, which names and models have too."""
    PART = auto()
    """Digits between letters, as makers write the names of components."""
    MIXED = auto()
    """Digits between letters."""
    SIGNED = auto()
    """Letters, digits and a sign."""
    SURE = auto()
    """The same in four and more turns, as no name, version or measure has them."""


def likeness(value: str) -> Likeness:
    """Say how much *value* looks like what somebody chose for getting in."""
    # What a sentence ends with may belong to the value.
    core = value.rstrip("!?*")
    classes = core.translate(_CLASSES)
    if _DIGITS not in classes or classes.count(_LETTERS) < _FEWEST_LETTERS:
        return Likeness.NONE
    if len(value) > _LONGEST or CHOSEN.no_value.fullmatch(value) or not is_mixed(value):
        return Likeness.NONE
    if is_hash(core) or is_numbered_word(core):
        return Likeness.NONE
    turns = CHOSEN.again.sub(r"\1", CHOSEN.joints.sub("", classes))
    return _with_sign(value, turns) if _SIGNS in turns else _without(value, core, turns)


def _without(value: str, core: str, turns: str) -> Likeness:
    if CHOSEN.products.match(core):
        return Likeness.NONE
    if CHOSEN.date.search(core):
        return Likeness.LOOSE
    if "_" not in core and (
        "a0a0" in turns or ("a0a" in turns and CHOSEN.long_number.search(core))
    ):
        return Likeness.PART if is_part(core) else Likeness.MIXED
    ended = value.endswith("!") and len(core) >= _SHORTEST_ENDED
    return Likeness.MIXED if ended else Likeness.LOOSE


def _with_sign(value: str, turns: str) -> Likeness:
    if CHOSEN.other_signs.search(value) or CHOSEN.forgotten_blank.fullmatch(value):
        return Likeness.LOOSE
    if CHOSEN.doubtful_signs.search(value):
        return Likeness.MIXED
    sure = len(turns) > 3 and len(value) >= _SHORTEST_SURE  # noqa: PLR2004 - Tulp#5588 has three
    return Likeness.SURE if sure else Likeness.SIGNED
