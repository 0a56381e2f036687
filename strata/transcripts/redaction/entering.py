"""What somebody types or keys in to get in, told without calling it a password."""

from __future__ import annotations

import re
import string
from enum import Enum, auto
from typing import TYPE_CHECKING

from strata.transcripts.redaction.spans import Secret, Verdicts
from strata.transcripts.redaction.tables import Patterns, phrases
from strata.transcripts.redaction.values import is_a, is_hash, is_mixed
from strata.transcripts.redaction.view import Clues

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.transcripts.redaction.spans import Verdict
    from strata.transcripts.redaction.view import View

ENTERING = Patterns("told", "entering")
CHOSEN = Patterns("told", "chosen")
_CLUES = Clues(*phrases("told", "entering"))
# How far a clue reaches, and how much around a value is read.
_BEFORE, _AFTER, _LEAD, _SHORTEST, _LONGEST = 100, 80, 64, 6, 60
# A digit beside a letter or a sign: most texts have few, so the rest is read from there.
# Short ones, such as 4G and Q3, are passed over.
_TURN = re.compile(rb"0(?!(?<= .)[a0]{0,4} |(?<= a.) )(?:(?<=a.)|(?<=a-.)|(?=-?a))")
_KINDS = {
    "0": "0",
    "a": string.ascii_letters + "!#$%@^&*~+",
    "-": "-_.'",
    "=": "=/\\(){}[]",
}
_CLASSES = bytes(
    next((ord(kind) for kind, signs in _KINDS.items() if chr(code) in signs), ord(" "))
    for code in range(256)
)
_IN_CODE, _PUNCTUATION = b"=", "'()[]{}.*_"
_LETTERS, _DIGITS, _SIGNS = "a", "0", "!"
_SORTS = str.maketrans(
    string.ascii_letters + string.digits + "!#$%@^&*~?+",
    _LETTERS * len(string.ascii_letters) + _DIGITS * 10 + _SIGNS * 11,
)
_FEWEST_LETTERS, _SHORTEST_SURE, _SHORTEST_ENDED, _LONGEST_CHOSEN = 3, 7, 9, 40


def entering(view: View) -> Iterator[Secret]:
    """Yield what is typed in *view* to log on, to get in or to open something."""
    if _TURN.search(view.signs.translate(_CLASSES)) and _CLUES.are_in(view):
        yield from typed_in(view.text, view.signs)


def typed_in(text: str, signs: bytes) -> Iterator[Secret]:
    """Yield what *text*, which is the same in *signs*, says that somebody types."""
    done, verdicts, classes = 0, Verdicts(_judge), signs.translate(_CLASSES) + b" "
    for turn in _TURN.finditer(classes):
        at = turn.start()
        if at < done:
            continue
        done, first = classes.index(b" ", at), max(0, at - _LONGEST)
        seen = classes[max(first, classes.rfind(b" ", first, at) + 1) : done]
        if len(seen) >= _SHORTEST and _IN_CODE not in seen:
            # Backwards, up to the blank before it.
            before = ENTERING.rest.match(text[first:at][::-1])
            after = ENTERING.rest.match(text, at)
            start = at - (before.end() if before else 0)
            done = after.end() if after else at + 1
            yield from verdicts.on(text, start, done)[1]


def _judge(text: str, start: int, end: int) -> Verdict:
    value = text[start:end].strip(_PUNCTUATION)
    alike = likeness(value)
    if alike is Likeness.NONE:
        return end, ()
    start = text.index(value, start)
    secret = Secret(start, start + len(value), "secret:password")
    before = text[max(0, start - _BEFORE) : start].lower()
    after = text[secret.end : secret.end + _AFTER].lower()
    told = _is_told(alike, before[-_LEAD:], after) and (
        _CLUES.are_in_text(before) or _CLUES.are_in_text(after)
    )
    return end, (secret,) if told else ()


def _is_told(alike: Likeness, before: str, after: str) -> bool:
    """Say whether what is said *before* and *after* is enough for a value so *alike*."""
    if ENTERING.named.search(before) or ENTERING.admits.match(after):
        return True
    if alike is Likeness.LOOSE or ENTERING.called.search(before):
        return False
    if alike is Likeness.SURE or ENTERING.does.match(after):
        return True
    if alike is Likeness.PART and ENTERING.used.search(before):
        return False
    said = ENTERING.said if alike is Likeness.SIGNED else ENTERING.typed
    return bool(ENTERING.typed.search(before) or said.search(before))


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
    classes = core.translate(_SORTS)
    if (
        _DIGITS not in classes
        or classes.count(_LETTERS) < _FEWEST_LETTERS
        or len(value) > _LONGEST_CHOSEN
        or CHOSEN.no_value.fullmatch(value)
        or not is_mixed(value)
        or is_hash(core)
        or is_a("numbered_word", core)
    ):
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
        return Likeness.PART if is_a("part", core) else Likeness.MIXED
    ended = value.endswith("!") and len(core) >= _SHORTEST_ENDED
    return Likeness.MIXED if ended else Likeness.LOOSE


def _with_sign(value: str, turns: str) -> Likeness:
    if CHOSEN.other_signs.search(value) or CHOSEN.forgotten_blank.fullmatch(value):
        return Likeness.LOOSE
    if CHOSEN.doubtful_signs.search(value):
        return Likeness.MIXED
    sure = len(turns) > 3 and len(value) >= _SHORTEST_SURE  # noqa: PLR2004 - Tulp#5588 has three
    return Likeness.SURE if sure else Likeness.SIGNED


LOCKS = Patterns("told", "locks")
_CLUES_TO_LOCKS = Clues(*phrases("told", "locks"))
# Where a code may begin, with 0 for all digits.
_FORM = re.compile(rb"0(?<!0.)(?:00|0?-0)")
_SENTENCE_BEFORE, _SENTENCE_AFTER, _LEAD_OF_CODE, _SHORT = 110, 60, 48, 3


def unlocking(view: View) -> Iterator[Secret]:
    """Yield the codes in *view*, and the turns of a dial, that open something."""
    if _FORM.search(view.signs) and _CLUES_TO_LOCKS.are_in(view):
        yield from keyed_in(view.lowered, view.signs)


def turns_dial(text: str, start: int, end: int) -> bool:
    """Say whether the turns at *start* to *end* are said to be those of a dial."""
    return LOCKS.turned.search(_sentence(text, start, end)) is not None


def keyed_in(lowered: str, signs: bytes) -> Iterator[Secret]:
    """Yield the digits that open something in a text *lowered*, which is in *signs* too."""
    for form in _FORM.finditer(signs):
        start = form.start()
        start -= lowered[start - 1 : start] in {"*", "#"}
        if (code := LOCKS.code.match(lowered, start)) and _opens(lowered, code):
            yield Secret(*code.span(), "secret:passcode")


def _opens(lowered: str, code: re.Match[str]) -> bool:
    """Say whether the digits of *code* in *lowered* are said to open a lock."""
    digits, before = (
        code[0],
        lowered[max(0, code.start() - _LEAD_OF_CODE) : code.start()],
    )
    framed = LOCKS.framed.fullmatch(digits) is not None
    # Most numbers are told by the word in front of them alone.
    if not (framed or code["opens"] is not None or LOCKS.leads.search(before)):
        return False
    sentence = _sentence(lowered, *code.span())
    if not LOCKS.lock.search(sentence) or LOCKS.numbered.search(before):
        return False
    if framed:
        return True
    keyed = LOCKS.keyed.search(before) is not None
    at_time = LOCKS.at.search(before) or (not keyed and LOCKS.clock.search(sentence))
    if at_time and LOCKS.time.fullmatch(digits):
        return False
    sure = LOCKS.sure_lock.search(sentence) is not None
    if len(digits) == _SHORT and not sure:
        return False
    said = LOCKS.says.search(before) is not None and (sure or "-" in digits)
    return code["opens"] is not None or keyed or said


def _sentence(text: str, start: int, end: int) -> str:
    """Return the sentence around *start* to *end*, and the one in front of it."""
    before = text[max(0, start - _SENTENCE_BEFORE) : start].lower()
    after = LOCKS.sentence_end.split(
        text[end : end + _SENTENCE_AFTER].lower(), maxsplit=1
    )[0]
    ends = [match.end() for match in LOCKS.sentence_end.finditer(before)]
    return f"{before[ends[-2] :] if len(ends) > 1 else before} {after}"
