"""Recovery phrases of wallets: named as such, or told by nothing but their words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.transcripts.secret_rules.found import Secret
from strata.transcripts.secret_rules.judging import FUNCTION_WORDS
from strata.transcripts.secret_rules.mentions import Clues

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.transcripts.secret_rules.view import View

KIND = "secret:recovery-phrase"
_COUNTS = frozenset({12, 15, 18, 21, 24})
_FEWEST_WORDS = min(_COUNTS)
_NAMES = Clues("phrase", "mnemonic", "seed words", "recovery words")
_NAMED = re.compile(
    r"s?[^a-z\n]{0,4}(?:(?:is|are|of|my)\b)?[^a-z]{0,8}"
    r"(?P<body>(?:[0-9]{0,2}[.)]?[a-z]{3,8}[,\s]{1,3}){11,23}[0-9]{0,2}[.)]?[a-z]{3,8})\b"
)
_NAMED_IN_CHINESE = re.compile(
    r"助记词[^a-z\u4e00-\u9fff\n]{0,8}[是为]?[^a-z\u4e00-\u9fff]{0,8}"
    r"(?P<body>(?:[a-z]{3,8}[,\s]{1,3}){11,23}[a-z]{3,8}|(?:[\u4e00-\u9fff][,，\s]?){12,24})"
)
_SPACED_CHINESE = re.compile(
    r"(?<![\u4e00-\u9fff])(?:[\u4e00-\u9fff][ ,，、]{1,2}){11}"
    r"(?:(?:[\u4e00-\u9fff][ ,，、]{1,2}){12})?[\u4e00-\u9fff](?![\u4e00-\u9fff])"
)
_SPOKEN_OF = re.compile(
    r"(?:recovery|seed|backup|secret) ?(?:phrase|words?)|mnemonic|metamask|trezor"
    r"|(?:crypto|hardware|bitcoin|ledger|ethereum) ?wallet|助记词|(?:冷|硬件|加密)钱包"
)
_SPEAKING = Clues(
    *(
        "recovery",
        "seed",
        "backup",
        "secret",
        "mnemonic",
        "metamask",
        "trezor",
        "wallet",
    ),
    *("助记词", "钱包"),
)

# The letters of a row of words, at a glance: a word of one or two letters, or of more than
# eight, breaks it, and so do a full stop and whatever no list has between its words.
_GLANCE = bytes.maketrans(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZbcdefghijklmnopqrstuvwxyz0123456789,)\n\r\t",
    b"a" * 51 + b" " * 15,
)
_ROW = bytes(ord("x" if code in b"a ." else "!") for code in range(256))
_SHORTEST_WORD, _LONGEST_WORD = 3, 8
_COMMONEST_BREAKER = b" aa "
_BREAKERS = (b" a ", b" aa ", b"a" * (_LONGEST_WORD + 1), b" " * 7)
_SHORTEST_ROW = b"x" * (_FEWEST_WORDS * (_SHORTEST_WORD + 1) - 1)
_WORDS = re.compile(
    r"(?<![a-z'-])[a-z]{3,8}(?![a-z'-])(?:[,;]?[ \t\r]{0,3}(?:\n[ \t\r]{0,3}){0,2}"
    r"(?:\(?[0-9]{1,2}[.):]{0,2}[ \t]{0,3})?[a-z]{3,8}(?![a-z'-])){11,}"
)
_WORD = re.compile(r"[a-z]+")
_NEAR = 1000
_LISTED = re.compile("x{12,}")


def recovery_phrases(view: View) -> Iterator[Secret]:
    """Yield the recovery phrases in *view*."""
    yield from _named(view)
    for start, end in _places(view.text.encode("ascii", "replace")):
        yield from _rows(view.lowered, start, end)


def _named(view: View) -> Iterator[Secret]:
    for name in _NAMES.in_view(view):
        for called in re.finditer(name, view.lowered):
            if words := _NAMED.match(view.lowered, called.end()):
                yield Secret(*words.span("body"), KIND)
    if "助记词" in view.text:
        for match in _NAMED_IN_CHINESE.finditer(view.lowered):
            yield Secret(*match.span("body"), KIND)
    if (
        not view.text.isascii()
        and _SPEAKING.are_in(view)
        and speaks_of_phrase(view.text)
    ):
        for match in _SPACED_CHINESE.finditer(view.text):
            yield Secret(*match.span(), KIND)


def may_hold_row(raw: bytes) -> bool:
    """Say whether *raw*, a text in ASCII, can hold a dozen words as phrases have them."""
    glance = _broken(raw.translate(_GLANCE), _COMMONEST_BREAKER).translate(_ROW)
    return _SHORTEST_ROW in glance and next(_places(raw), None) is not None


def speaks_of_phrase(text: str) -> bool:
    """Say whether *text* is about a recovery phrase or what it opens."""
    return _SPOKEN_OF.search(text.lower()) is not None


def _places(raw: bytes) -> Iterator[tuple[int, int]]:
    """Yield start and end of what may be a row of words."""
    if len(raw) < len(_SHORTEST_ROW):
        return
    glance = raw.translate(_GLANCE)
    # One breaker ends most rows of ordinary text; the others are for what it leaves.
    for start, end in _unbroken(_broken(glance, _COMMONEST_BREAKER)):
        rest = glance[start:end].replace(b"a.", b"a!")
        for breaker in _BREAKERS:
            rest = _broken(rest, breaker)
        yield from ((start + first, start + last) for first, last in _unbroken(rest))


def _broken(glance: bytes, breaker: bytes) -> bytes:
    return glance.replace(breaker, b"!" * len(breaker))


def _unbroken(glance: bytes) -> Iterator[tuple[int, int]]:
    row, end = glance.translate(_ROW) + b"!", 0
    while (start := row.find(_SHORTEST_ROW, end)) >= 0:
        end = row.index(b"!", start)
        yield start, end


def _rows(lowered: str, start: int, end: int) -> Iterator[Secret]:
    # Imported late: most texts hold no such row.
    from strata.transcripts.secret_rules.recovery_words import (  # noqa: PLC0415
        RECOVERY_WORDS,
    )

    for row in _WORDS.finditer(lowered, start, end):
        spoken_of = speaks_of_phrase(lowered[max(0, start - _NEAR) : end + _NEAR])
        words = list(_WORD.finditer(lowered, *row.span()))
        listed = "".join("x" if word[0] in RECOVERY_WORDS else " " for word in words)
        # With commas it may be what to buy.
        runs = _LISTED.finditer(listed) if spoken_of or "," not in row[0] else ()
        for run in runs:
            yield Secret(words[run.start()].start(), words[run.end() - 1].end(), KIND)
        plain = FUNCTION_WORDS.isdisjoint(word[0] for word in words)
        if spoken_of and plain and len(words) in _COUNTS:
            yield Secret(*row.span(), KIND)
