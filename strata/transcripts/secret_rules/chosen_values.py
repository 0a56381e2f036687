"""How much a value looks like what a person chose for getting in, by its shape alone."""

from __future__ import annotations

import re
import string
from enum import Enum, auto

from strata.transcripts.secret_rules.values import (
    is_hash,
    is_mixed,
    is_numbered_word,
    is_part,
)

_LETTERS, _DIGITS, _SIGNS = "a", "0", "!"
_CLASSES = str.maketrans(
    string.ascii_letters + string.digits + "!#$%@^&*~?+",
    _LETTERS * len(string.ascii_letters) + _DIGITS * 10 + _SIGNS * 11,
)
_AGAIN = re.compile(r"(.)\1+")
_JOINTS = re.compile(r"[-_.']")
_NO_VALUE = re.compile(
    r".*[=/\\(){}\[\]].*"  # code, a path, a query
    r"|[#$@%~-].*"  # a tag, a variable, somebody
    r"|v?\d+\.\d.*"  # a version
    r"|(?:[\w-]+\.)+[a-z]{2,}"  # a host
    r"|(?:[A-Z0-9]{2,5}-){2,}[A-Z0-9]{2,5}"  # a serial number
    r"|\d+(?:[-.,]\d+)*-?[A-Za-z%]{1,5}",  # a measure
    re.DOTALL,
)
# Signs that are written for something else: a format, an amount, a colour, a version or a
# host behind a name, a cell of a table, a class and what it does, a name of a maker.
_OTHER_SIGNS = re.compile(
    r"%0?\d*[sdfiux](?![A-Za-z])|%[^%]*%|\A\d+%|\A[A-Za-z]{1,2}\$\d|&[A-Z]\d|\A\W"
    r"|\$\d{1,2}\.[A-Za-z]|\A(?i:fritz|yahoo)!"
    r"|#[0-9A-Fa-f]{3}(?:[0-9A-Fa-f]{3})?\Z|#L\d|@(?:[^0-9]|\d{1,3}(?:\.|\Z))"
    r"|\A[A-Za-z][&*!$][A-Za-z]|!\$?[A-Z]{1,3}\$?\d+\Z|\A[A-Z]\w+#[a-z]+[A-Z]?[a-z]*\Z"
    r"|[A-Z0-9]{5,}#[A-Z]{2,3}\Z|[!?](?:\d|\d\d?(?:st|nd|rd|th|am|pm))\Z"
)
# These may be: a heading behind a page, a version behind a name, a row of marks.
_DOUBTFUL_SIGNS = re.compile(
    r"\A[A-Za-z._-]+#(?:[A-Za-z-]+\d?\Z|\d+\Z)|\$\d{1,2}\Z|[@*?+]|!1+!*\Z|!!"
)
_FORGOTTEN_BLANK = re.compile(r"[A-Za-z]+\d*[!?][A-Z][a-z']+")
_PRODUCTS = re.compile(
    r"(?:i?phone|ipad|galaxy|pixel|mate|redmi|windows|office|mac(?:os)?|ubuntu|debian"
    r"|centos|fedora|python|node|java|rtx|gtx|ryzen|gpt|llama|qwen|claude|gemini|mistral"
    r"|deepseek|utf|iso|din|usb|mp|covid|sha|base|ed|win|x)(?![a-z])",
    re.IGNORECASE,
)
_DATE = re.compile(r"\d{4}-\d\d-\d\d|20\d{6}")
_LONG_NUMBER = re.compile(r"\d{2}")
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
    if len(value) > _LONGEST or _NO_VALUE.fullmatch(value) or not is_mixed(value):
        return Likeness.NONE
    if is_hash(core) or is_numbered_word(core):
        return Likeness.NONE
    turns = _AGAIN.sub(r"\1", _JOINTS.sub("", classes))
    return _with_sign(value, turns) if _SIGNS in turns else _without(value, core, turns)


def _without(value: str, core: str, turns: str) -> Likeness:
    if _PRODUCTS.match(core):
        return Likeness.NONE
    if _DATE.search(core):
        return Likeness.LOOSE
    if "_" not in core and (
        "a0a0" in turns or ("a0a" in turns and _LONG_NUMBER.search(core))
    ):
        return Likeness.PART if is_part(core) else Likeness.MIXED
    ended = value.endswith("!") and len(core) >= _SHORTEST_ENDED
    return Likeness.MIXED if ended else Likeness.LOOSE


def _with_sign(value: str, turns: str) -> Likeness:
    if _OTHER_SIGNS.search(value) or _FORGOTTEN_BLANK.fullmatch(value):
        return Likeness.LOOSE
    if _DOUBTFUL_SIGNS.search(value):
        return Likeness.MIXED
    sure = len(turns) > 3 and len(value) >= _SHORTEST_SURE  # noqa: PLR2004 - Tulp#5588 has three
    return Likeness.SURE if sure else Likeness.SIGNED
