"""What a question says word for word: a phrase in quotes, and a -word to leave out."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from strata.notes.markdown import heading
from strata.search.language.keywords import content_terms
from strata.search.language.terms import folded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from strata.search.answering.passages import Passage

_QUOTES = (('"', '"'), ("“", "”"), ("＂", "＂"), ("「", "」"), ("『", "』"))
_QUOTED = "|".join(
    f"{left}([^{left}{right}\n]{{2,200}}){right}" for left, right in _QUOTES
)
_PHRASE = re.compile(rf"(?P<minus>(?:^|(?<=\s))[-－])?(?:{_QUOTED})")
# Two letters at least: "-n" is an option of some command. One hanzi is a word.
_EXCLUDED = re.compile(
    r"(?:^|(?<=\s))[-－](?P<word>[^\W\d_][\w.-]*\w|[\u3400-\u9fff])"
    r"(?=[,.;:?!，。；：？！、]*(?:\s|$))"
)
_BLANKS = re.compile(r"\s+")
# Up to where scripts without spaces begin: Redis is a word of 缓存改用Redis集群.
_LETTER = r"[^\W\u0e00-\U0010ffff]"


@dataclass(frozen=True, slots=True)
class Wanted:
    """
    A question without its operators.

    *phrases* come first where they stand in a passage; where nothing else is asked
    (*only*), no other passage is an answer. *excluded* words stand in no hit: the lines
    with them are left out, and what stands around them is not.
    """

    text: str
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    only: bool = False

    @property
    def operates(self) -> bool:
        """Whether there are any operators."""
        return bool(self.phrases or self.excluded)

    def select(self, passages: list[Passage]) -> tuple[list[Passage], list[Passage]]:
        """Return those of *passages* that hold the phrases, and others that may follow."""
        if not self.operates:
            return [], passages
        holding = [each for each in passages if self.holds(each)]
        others = [each for each in passages if each not in holding]
        return holding, [] if self.only else others

    def allowed(self, passage: Passage) -> list[Passage]:
        """Return *passage*, or what stands between its lines with an excluded word."""
        if not self._excludes(passage.text):
            return [passage]
        # Of a line that is cut in two, one half has no word of the other.
        lines = enumerate(passage.text.split("\n") if passage.whole else ())
        between = groupby(lines, lambda line: self._excludes(line[1]))
        parts = [_part(passage, [*its]) for excluded, its in between if not excluded]
        # A phrase may go over the end of a line.
        return [each for each in parts if each and not self._excludes(each.text)]

    def holds(self, passage: Passage) -> bool:
        """Tell whether there are phrases, and all stand in *passage*."""
        text = _folded(passage.text) if self.phrases else ""
        return bool(text) and all(phrase in text for phrase in self.phrases)

    def _excludes(self, text: str) -> bool:
        plain = _folded(text) if self.excluded else ""
        return any(_stands(word, plain) for word in self.excluded)


def parse(text: str) -> Wanted:
    """Read the operators of the question *text*."""
    found = list(_phrases(text))
    phrases = tuple(phrase for phrase, minus in found if phrase and not minus)
    unwanted = [phrase for phrase, minus in found if phrase and minus]
    rest = _PHRASE.sub(" ", text)
    words = [_folded(match["word"]) for match in _EXCLUDED.finditer(rest)]
    excluded = tuple(unwanted + words)
    if not (phrases or excluded):
        return Wanted(text)
    only = bool(phrases) and not content_terms(_EXCLUDED.sub(" ", rest))
    kept = _PHRASE.sub(lambda match: " " if match["minus"] else match[0], text)
    return Wanted(_EXCLUDED.sub(" ", kept).strip(), phrases, excluded, only)


def _part(passage: Passage, lines: Sequence[tuple[int, str]]) -> Passage | None:
    """Return the *lines* of *passage*, None where they say nothing."""
    if not any(line.strip() and heading(line) is None for _, line in lines):
        return None
    return replace(
        passage,
        start_line=passage.start_line + lines[0][0],
        end_line=passage.start_line + lines[-1][0],
        text="\n".join(line for _, line in lines),
        # What stands between two parts is not to come back with a join.
        whole=False,
    )


def _phrases(text: str) -> Iterator[tuple[str, bool]]:
    """Give each phrase in quotes, and whether a minus stands before it."""
    for match in _PHRASE.finditer(text):
        quoted = next(filter(None, match.groups()[1:]))
        yield _folded(quoted).strip(), match["minus"] is not None


def _folded(text: str) -> str:
    return _BLANKS.sub(" ", folded(text)).replace("’", "'").lower()


def _stands(word: str, text: str) -> bool:
    """Tell whether *word* stands in *text*, and not as an option of a command."""
    if not word.isascii():
        return word in text
    whole = rf"(?<!-)(?<!{_LETTER}){re.escape(word)}(?!{_LETTER})"
    return re.search(whole, text) is not None
