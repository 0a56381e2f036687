"""What a question says word for word: a phrase in quotes, and a -word to leave out."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.search.language.keywords import content_terms

if TYPE_CHECKING:
    from strata.search.answering.passages import Passage

_PHRASE = re.compile(r"\"([^\"\n]{2,200})\"|“([^”\n]{2,200})”")
# Two letters at least: "-n" is an option of some command.
_EXCLUDED = re.compile(r"(?:^|(?<=\s))[-－](?P<word>[^\W\d_][\w.]*\w)(?=\s|$)")
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Wanted:
    """
    A question without its operators.

    *phrases* come first where they stand in a passage; where nothing else is asked
    (*only*), no other passage is an answer. *excluded* words stand in no hit.
    """

    text: str
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    only: bool = False

    def select(self, passages: list[Passage]) -> list[Passage]:
        """Return *passages* without those that are excluded, phrases first."""
        if not (self.phrases or self.excluded):
            return passages
        texts = {id(each): _folded(each.text) for each in passages}
        allowed = [each for each in passages if not self._excludes(texts[id(each)])]
        holding = [each for each in allowed if self._holds(texts[id(each)])]
        others = [each for each in allowed if each not in holding]
        return holding if self.only else holding + others

    def _holds(self, text: str) -> bool:
        return all(phrase in text for phrase in self.phrases)

    def _excludes(self, text: str) -> bool:
        return any(_stands(word, text) for word in self.excluded)


def parse(text: str) -> Wanted:
    """Read the operators of the question *text*."""
    phrases = tuple(
        folded
        for match in _PHRASE.finditer(text)
        if (folded := _folded(match[1] or match[2]).strip())
    )
    rest = _PHRASE.sub(" ", text)
    excluded = tuple(_folded(match["word"]) for match in _EXCLUDED.finditer(rest))
    if not (phrases or excluded):
        return Wanted(text)
    only = bool(phrases) and not content_terms(_EXCLUDED.sub(" ", rest))
    return Wanted(_EXCLUDED.sub(" ", text).strip(), phrases, excluded, only)


def _folded(text: str) -> str:
    return _BLANKS.sub(" ", unicodedata.normalize("NFKC", text)).lower()


def _stands(word: str, text: str) -> bool:
    """Tell whether *word* stands in *text*, and not as an option of a command."""
    if not word.isascii():
        return word in text
    return re.search(rf"(?<![\w-]){re.escape(word)}(?!\w)", text) is not None
