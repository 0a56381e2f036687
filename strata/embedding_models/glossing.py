"""Chinese becomes English word for word, so that an English model can place its meaning."""

from __future__ import annotations

import mmap
from contextlib import suppress
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from strata.language.simplified import has_han, simplified
from strata.patterns import pattern

if TYPE_CHECKING:
    import re
    from pathlib import Path

# Part of what glosses are made of: raise it when the same file gives another English.
FORMAT = 1
FILE_NAME = "chinese-english.glosses"

_HEADER = "strata glosses {made} {digest} {size}\n"
_TITLE = b"strata glosses "
_LONGEST_HEADER = 200
_LONGEST = 8
# What stands in no dictionary costs so much more than what does.
_UNKNOWN = 26
_ENDLESS = 1 << 30
# Characters whose words are held ready: a hundred kilobytes for most of what is written.
_READY = 1024

_RUN = pattern("[\u3400-\u9fff〇]+")
# A longer one is no number that anybody wrote down.
_NUMBER = pattern(
    "(?<![零〇一二两三四五六七八九十百千万])[零〇一二两三四五六七八九十百千万]{2,24}(?![零〇一二两三四五六七八九十百千万])"
)
_DIGITS = dict(
    zip("零〇一二两三四五六七八九", (0, *range(3), *range(2, 10)), strict=True)
)
_POWERS = {"十": 10, "百": 100, "千": 1000}
_TEN_THOUSAND = 10_000
# After these a word that may count things does: 本 in 这本书 is no root.
_COUNTED = frozenset("这那哪每几两半某零〇一二三四五六七八九十百千万0123456789")
_MARKS = str.maketrans("，。？！：；（）、“”「」『』", ",.?!:;()," + '"' * 6)
_BEFORE_MARK = pattern(r"\s+([,.?!:;)])")


class Word(NamedTuple):
    """
    What a word is in English, nothing where that is all grammar.

    *cost* is what it adds to the cost of a text that is cut into words; *counts* tells
    that it may be a measure word.
    """

    gloss: str
    cost: int
    counts: bool


def line_of(name: str, word: Word) -> bytes:
    """Return the line of a file of glosses for the word *name*."""
    return f"{name}\t{word.cost}\t{'x' * word.counts}\t{word.gloss}\n".encode()


def header(made: str, digest: str, size: int) -> bytes:
    """
    Return the first line of a file of glosses.

    *made* tells of what they are made, *digest* which they are, *size* counts the bytes.
    """
    return _HEADER.format(made=made, digest=digest, size=size).encode()


def made_of(file: Path) -> str:
    """Say of what *file* is made; nothing where there is none, or half of one."""
    with suppress(OSError), file.open("rb") as opened:
        found = _parsed(opened.readline(_LONGEST_HEADER), file.stat().st_size)
        return found[0] if found else ""
    return ""


def _parsed(line: bytes, size: int) -> tuple[str, str] | None:
    parts = line.decode("utf-8", "replace").split()
    if not line.startswith(_TITLE) or len(parts) != 5:  # noqa: PLR2004 - the header's
        return None
    _, _, made, digest, body = parts
    whole = body.isdecimal() and int(body) + len(line) == size
    return (made, digest) if whole and made.split(".")[0] == str(FORMAT) else None


class Glossary:
    """The *file* of glosses, of which only what is asked for is read."""

    def __init__(self, file: Path) -> None:
        with file.open("rb") as opened:
            self._bytes = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
        first = self._bytes[: self._bytes.find(b"\n") + 1]
        found = _parsed(first, len(self._bytes))
        if found is None:
            raise ValueError(f"{file} is no file of glosses")
        self.fingerprint = found[1]
        self._start = len(first)
        self._words_with = lru_cache(_READY)(self._read_words_with)

    def english(self, text: str) -> str:
        """Return *text* with its Chinese as English words; all else stays as it is."""
        if not has_han(text):
            return text
        plain = _NUMBER.sub(lambda match: f" {_number(match[0])} ", simplified(text))
        told = _RUN.sub(lambda match: self._told(match, plain), plain).translate(_MARKS)
        lines = (" ".join(line.split()) for line in told.split("\n"))
        return _BEFORE_MARK.sub(r"\1", "\n".join(lines))

    def words(self, run: str) -> list[tuple[str, str]]:
        """Cut *run*, all hanzi, into words, each with its English, "" where unknown."""
        found = ((name, self._word(name)) for name in self._cut(run))
        return [(name, word.gloss if word else "") for name, word in found]

    def _told(self, match: re.Match[str], text: str) -> str:
        before = text[: match.start()].rstrip()[-1:]
        glosses = []
        for name in self._cut(match[0]):
            word = self._word(name)
            if word and word.gloss and not (word.counts and before in _COUNTED):
                glosses.append(word.gloss)
            before = name[-1]
        return f" {' '.join(glosses)} "

    def _cut(self, run: str) -> list[str]:
        """Cut *run* into the words that cost least together."""
        best = [(0, 0), *((_ENDLESS, at) for at in range(len(run)))]
        for start, character in enumerate(run):
            words, before = self._words_with(character), best[start][0]
            for end in range(start + 1, min(start + _LONGEST, len(run)) + 1):
                line = words.get(run[start:end])
                if line is None and end > start + 1:
                    continue
                cost = before + (_UNKNOWN if line is None else _parsed_line(line).cost)
                # Of equal ways the one whose last word is longest.
                if cost < best[end][0]:
                    best[end] = cost, start
        cut = []
        end = len(run)
        while end:
            start = best[end][1]
            cut.append(run[start:end])
            end = start
        return cut[::-1]

    def _word(self, name: str) -> Word | None:
        line = self._words_with(name[0]).get(name)
        return None if line is None else _parsed_line(line)

    def _read_words_with(self, character: str) -> dict[str, str]:
        """Return all words that begin with *character*, and what their lines say."""
        first, last = self._find(character), self._find(chr(ord(character) + 1))
        lines = self._bytes[first:last].decode("utf-8").splitlines()
        return dict(line.split("\t", 1) for line in lines)

    def _find(self, character: str) -> int:
        """Return where the lines from *character* on begin."""
        wanted, low, high = character.encode(), self._start, len(self._bytes)
        while low < high:
            # A line begins after the last line break before the middle.
            middle = self._bytes.rfind(b"\n", low, (low + high) // 2) + 1 or low
            after = self._bytes.find(b"\n", middle) + 1 or high
            if self._bytes[middle : middle + len(wanted)] < wanted:
                low = after
            else:
                high = middle
        return low


@lru_cache(maxsize=8192)
def _parsed_line(line: str) -> Word:
    cost, counts, gloss = line.split("\t")
    return Word(gloss, int(cost), bool(counts))


def _number(written: str) -> int | str:
    """Return the number that is *written* in Chinese, digits one by one where they are."""
    if not any(power in written for power in "十百千万"):
        return "".join(str(_DIGITS[digit]) for digit in written)
    whole = part = digit = power = 0
    for character in written:
        if character in _DIGITS:
            # 四百二 is 420, and 四百零二 is 402.
            digit, power = _DIGITS[character], power if _DIGITS[character] else 0
        elif character == "万":
            whole, part, digit = (whole + part + digit or 1) * _TEN_THOUSAND, 0, 0
            power = _TEN_THOUSAND
        else:
            power = _POWERS[character]
            part, digit = part + (digit or 1) * power, 0
    return whole + part + digit * max(power // 10, 1)


def opened(file: Path) -> Glossary | None:
    """Open the *file* of glosses, once for each that was put there; none if it is not."""
    try:
        state = file.stat()
    except OSError:
        return None
    return _opened(file, state.st_ino, state.st_mtime_ns)


@cache
def _opened(file: Path, _number: int, _modified_ns: int) -> Glossary | None:
    try:
        return Glossary(file)
    except (OSError, ValueError):
        return None
