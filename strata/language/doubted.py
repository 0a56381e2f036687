"""Which stretches of a message may be pasted, whatever their form: they wait for a word."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.language.cues import cue
from strata.language.pasted import LISTED, WORKED_ON

if TYPE_CHECKING:
    from collections.abc import Iterator

Span = tuple[int, int]

_LONGEST_HEAD = 240
# So many lines may come before the one that hands a text over: a greeting, a name.
_HEAD_LINES = 3
_LONG_CHARS = 160
_LONGEST_REMARK = 24
_READ_CHARS = 4000

# Things in which words come that somebody else wrote.
# The reader is pointed to what follows or came before, not to a thing in the world.
_POINTS = cue("doubted.points")
# The writer's own frame: what follows are the writer's rules.
_OWN_FRAME = cue("doubted.own_frame")
# A line in which the same person goes on.
_SAME_VOICE = cue("doubted.same_voice")
# Where something is to go, or from whom it is to come; and whom only others speak of so.
_ADDRESS = cue("doubted.address")
_GREETS = cue("doubted.greets")
# "She sent me this, is it legal": many ask without a mark.
_ASKED_BEHIND = cue("doubted.asked_behind")
_INLINE = re.compile(r"(?P<head>[^:?]{4,160}[:?])(?P<rest>.*)")
_HANZI = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[A-Za-z]{2,}")
_ANNOUNCES = cue("doubted.announces")
_PARTS = cue("doubted.parts")
_FIRST_PERSON = cue("doubted.first_person")
# What makes a head one in its language, and a block a long one.
_SOME_HANZI, _SOME_WORDS, _MANY = 3, 2, 8
_ASKS_BACK = cue("doubted.asks_back")


def doubted(text: str) -> Iterator[Span]:
    """
    Give where in *text* (in half-width form) words stand that may be somebody else's.

    That is told from what is around them: below a line that asks about a text or hands
    one over, and above one that asks back, the words are not taken for the writer's own.
    """
    lines = [*re.finditer(r"[^\n]*\S[^\n]*", text)]
    for place, head in enumerate(lines[:_HEAD_LINES]):
        if _hands_over(head[0], [line[0] for line in lines[place + 1 :]]):
            yield head.end(), len(text)
            return
        if len(head[0]) > _LONGEST_HEAD or _OWN_FRAME.search(head[0]):
            break
    if len(lines) > 1 and _ASKS_BACK.search(lines[-1][0]):
        if is_block(text[: lines[-1].start()]):
            yield 0, lines[-1].start()
    elif lines and (begun := _INLINE.match(lines[0][0])) and _is_put_in_line(begun):
        yield lines[0].start() + begun.end("head"), len(text)


def announces(text: str) -> int:
    """Return how many of the writer's next messages are to hold a text, as *text* says."""
    if len(text) > _LONGEST_HEAD or _OWN_FRAME.search(text):
        return 0
    found = _ANNOUNCES.search(text)
    parts = _PARTS.search(text) if found else None
    return 0 if found is None else 1 if parts is None else 3 if parts["more"] else 2


def asks_back(text: str) -> bool:
    """Say whether all of *text* asks about what its writer has sent before."""
    return "\n" not in text.strip() and _ASKS_BACK.search(text.strip()) is not None


def is_block(text: str) -> bool:
    """Say whether *text* may be a paste as a whole: no short wish, and no first person."""
    if _FIRST_PERSON.search(text):
        return False
    is_long = "\n" in text.strip() or len(text) > _LONG_CHARS
    return is_long or _ADDRESS.search(text[:_READ_CHARS]) is not None


def _hands_over(head: str, block: list[str]) -> bool:
    """Say whether the line *head* is about the lines *block* below it."""
    if not block or len(head) > _LONGEST_HEAD or _OWN_FRAME.search(head):
        return False
    if all(LISTED.match(line) for line in block) and "?" not in head:
        return False
    if len(block) == 1 and _SAME_VOICE.match(block[0]):
        return False
    whole = "\n".join(block)[:_READ_CHARS]
    hands = len(block) > 1 or _asks(head) or head.rstrip().endswith(":")
    is_remark = len(head) <= _LONGEST_REMARK and not _GREETS.match(head)
    return (
        (hands and _POINTS.search(head) is not None)
        or _in_other_language(head, whole)
        or (_asks(head) and len(whole) > _LONG_CHARS)
        or ((_asks(head) or is_remark) and _ADDRESS.search(whole) is not None)
    )


def _is_put_in_line(begun: re.Match[str]) -> bool:
    """Say whether a text is asked about that stands on the same line."""
    head, rest = begun["head"], begun["rest"][:_READ_CHARS]
    if not _asks(head) or not _POINTS.search(head) or _OWN_FRAME.search(head):
        return False
    return len(rest) > _LONG_CHARS or _ADDRESS.search(rest) is not None


def _asks(head: str) -> bool:
    asked = WORKED_ON.search(head) or _ASKED_BEHIND.search(head)
    return asked is not None or "?" in head


def _in_other_language(head: str, block: str) -> bool:
    """Say whether the block is long, and in a language in which *head* has no word."""
    hanzi, words = (
        [len(pattern.findall(each)) for each in (head, block)]
        for pattern in (_HANZI, _LATIN)
    )
    to_english = hanzi[0] >= _SOME_HANZI and not hanzi[1] and words[1] >= _MANY
    to_chinese = words[0] >= _SOME_WORDS and not hanzi[0] and hanzi[1] >= 2 * _MANY
    return to_english or to_chinese
