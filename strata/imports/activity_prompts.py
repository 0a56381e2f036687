"""Which part of an activity's title is the prompt, in whatever language its account is."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from strata.imports.activity_dates import table

if TYPE_CHECKING:
    from collections.abc import Iterable

_FEWEST_TITLES = 8
_SHARE = 0.7
_LONGEST_LABEL = 40
_COLONS = ":："


@dataclass(frozen=True, slots=True)
class Labels:
    """What stands *before* and *after* the prompts of one export; "" where nothing."""

    before: str = ""
    after: str = ""

    def prompt_in(self, title: str, *, answered: bool) -> str:
        """
        Return the prompt that *title* holds, "" where it tells of something else.

        A title in a language that nothing is known of is a prompt where it was *answered*.
        """
        said = title.replace("\xa0", " ").strip()
        if _stripped(said, *_words("others")) != said:
            return ""
        prompt = _stripped(said, *_words("prompts"))
        if prompt == said:
            own = ([each] if each else [] for each in (self.before, self.after))
            prompt = _stripped(said, *own)
        return prompt if answered or prompt != said else ""


def labels_of(titles: Iterable[str]) -> Labels:
    """
    Return what *titles*, of activities that were answered, have in common at their ends.

    That is how a label is found that no table has; it ends in a space or a colon.
    """
    before, after, count = Counter[str](), Counter[str](), 0
    for title in titles:
        said = title.replace("\xa0", " ").strip()
        count += 1
        before.update(_starts(said))
        after.update(each[::-1] for each in _starts(said[::-1]))
    if count < _FEWEST_TITLES:
        return Labels()
    return Labels(_longest(before, count), _longest(after, count))


def _starts(said: str) -> list[str]:
    """Return each start of *said* that ends where a word does, up to a label's length."""
    return [
        said[: at + 1]
        for at, sign in enumerate(said[:_LONGEST_LABEL])
        if sign == " " or sign in _COLONS
    ]


def _longest(found: Counter[str], count: int) -> str:
    common = (each for each, times in found.items() if times >= _SHARE * count)
    return max(common, key=len, default="")


def _stripped(said: str, before: Iterable[str], after: Iterable[str]) -> str:
    """Return *said* without the first of the labels *before* it, and of those *after*."""
    for label in before:
        inner = said[len(label) :]
        # "Prompted" is no part of "Promptedness"; a colon and Chinese need no space.
        is_part = label[-1].isascii() and label[-1].isalpha() and inner[:1].isalnum()
        if said.startswith(label) and not is_part:
            said = inner.strip()
            break
    ended = (label for label in after if said.endswith(label))
    return said.removesuffix(next(ended, "")).strip()


@cache
def _words(kind: str) -> tuple[list[str], list[str]]:
    """Return what stands before and after, the longest first."""
    words = table()[kind]
    return (
        sorted(words["before"], key=len, reverse=True),
        sorted(words["after"], key=len, reverse=True),
    )
