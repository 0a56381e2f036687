"""Whether what was found answers the question, judged by the notes' own words."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Literal, NamedTuple

from strata.search.language.keywords import BESIDE_WEIGHT
from strata.search.language.terms import bare, tokens, word_terms
from strata.search.language.words import ENGLISH, ORDER, chinese

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from strata.search.answering.snippets import Marked

Compared = Literal["plain", "glossed", "across", "paraphrased"]

# Fitted on one half of questions that the public notes answer, of other people's questions
# and of invented ones, and held against the other half (bench/abstention.py). Among many
# notes the words of any question stand together by chance: the more there are, the more of
# it must stand there. A third of a cosine is what its words add to the nearest meaning.
NEAR_ENOUGH, NEAR_PER_CHUNK, WORDS_BESIDE = 0.31, 0.026, 0.27
WORDS_ENOUGH, WORDS_PER_CHUNK = 0.26, 0.045
CHARACTERS_ENOUGH, CHARACTERS_PER_CHUNK = 0.137, 0.06
# Of a Chinese question and Chinese notes words are compared that were taken from one
# dictionary, so that even strangers are near.
GLOSSED_ENOUGH, GLOSSED_PER_CHUNK, WORDS_BESIDE_GLOSSED = 0.42, 0.045, 0.5
# What is in another language than the question has none of its words, so that the cosine
# is all there is; where something in its own is nearer, that decides.
ACROSS_ENOUGH = 0.2
# Beside an entry few of a question's words are enough if they are rare there: what it adds
# up to is told in rarest words, each of which counts as so much of a cosine across
# languages. Of near questions without an answer about as many are refused as without terms
# (bench/cross_language.py).
RARE_WORDS_ENOUGH = 1.98
RARE_WORD, RARE_NEAR_ENOUGH = 0.136, 0.47
# Fewer were never measured, and must not ask for less: of Chinese notes down to a dozen,
# where every second question that the first hit answers was refused (bench/asked.py).
FEW_CHUNKS, FEW_GLOSSED = 50, 12
# One line with two thirds of the question answers it, however far off its meaning seems:
# settings and identifiers mean nothing to a model of sentences.
SAME_LINE = 0.65
# Nobody of whom the question speaks is in the notes.
STRANGERS = 0.2
# The question has the whole title of what was found: 386 of 1,125 that the public notes
# answer, and none of 1,064 strange ones.
TITLED = 0.2
# So much better fit what others said of themselves: 2 % of LoCoMo's questions, and 58 % of
# those that have one person's life told of the other.
OF_OTHERS = 0.1
# A word is as much of a question as two Chinese characters.
_WORD_WEIGHT = 2.0

_TITLE = re.compile(r"#{1,6}\s+(\S.*\S)\s*$")
# A question about the owner may name a place for the first time.
_OWNER = re.compile(r"\b(?:I|me|my|mine|we|us|our|ours)\b")
# Where no sentence begins.
_NAME = re.compile(r"(?<=[^.!?\"“'(] )[A-Z][A-Za-z]*\b")


class Asked:
    """
    The words of the question *text* that a note which answers it would have.

    *days* are terms that count as words of it, whatever words named them.
    """

    def __init__(self, text: str, days: Iterable[str] = ()) -> None:
        self._words: list[tuple[str, tuple[str, ...]]] = [(day, ()) for day in days]
        self._runs: list[str] = []
        for token, unspaced in tokens(ORDER.sub(" ", text)):
            if unspaced:
                self._runs += chinese().sub(" ", token).split()
            elif bare(token) not in ENGLISH:
                self._words.append(word_terms(token))
        self._size = _WORD_WEIGHT * len(self._words) + sum(map(len, self._runs))

    def share(self, found: Collection[str]) -> float:
        """
        Return how much of it the terms *found* make up; 1 where nothing is asked for.

        A name is there with its parts as well, and a character with one of its
        neighbours: where words begin and end is not known in Chinese.
        """
        held = sum(_WORD_WEIGHT * _held(*word, found) for word in self._words)
        held += sum(_characters(run, found) for run in self._runs)
        return held / self._size if self._size else 1.0

    @property
    def several(self) -> bool:
        """Whether it asks for more than one word, or three characters."""
        return self._size > _WORD_WEIGHT + 1

    @property
    def unspaced(self) -> bool:
        """Whether most of it is written without spaces."""
        return 2 * sum(map(len, self._runs)) > self._size


def _held(whole: str, parts: tuple[str, ...], found: Collection[str]) -> float:
    if whole in found or not parts:
        return float(whole in found)
    return sum(part in found for part in parts) / len(parts)


def _characters(run: str, found: Collection[str]) -> int:
    if len(run) == 1:
        return int(run in found)
    starts = [at for at in range(len(run) - 1) if run[at : at + 2] in found]
    return len({*starts, *(at + 1 for at in starts)})


@dataclass(frozen=True, slots=True)
class Verdict:
    """
    How well the best passages fit the question.

    *nearest* is the cosine of the nearest chunk, 0 where meaning was not compared;
    *compared* tells what with what: "plain" is English with English, "glossed" Chinese
    with Chinese, "across" one with the other, "paraphrased" either with what stands beside
    entries in other words, and *beside* how well that fits.
    *covered* is the share of the question that stands in one passage, *absent* the share
    that stands in none of the *chunks*, *in_line* that in one line, where several words are
    asked for. *strangers* tells that nobody whom it names is in the notes, *titled* that it
    has the title of a passage, *of_others* by how much better it fits the life of somebody
    else, who is *whose*.
    """

    nearest: float
    covered: float
    absent: float
    chunks: int = 1
    unspaced: bool = False
    in_line: float = 0.0
    strangers: bool = False
    titled: bool = False
    of_others: float = 0.0
    whose: str = ""
    compared: Compared = "plain"
    beside: float = 0.0

    @property
    def told_of(self) -> str:
        """Of whom the notes tell what was asked about another; nobody in most cases."""
        return self.whose if self.of_others > OF_OTHERS else ""

    @property
    def margin(self) -> float:
        """By how much the answer is good enough; below zero where it is not."""
        if self.told_of:
            return OF_OTHERS - self.of_others
        words = (self.covered + 1 - self.absent) / 2
        many = math.log(max(self.chunks, FEW_CHUNKS))
        said = self.in_line >= SAME_LINE
        if self.compared == "paraphrased":
            rare = RARE_WORD * self.beside / _rarest(self.chunks)
            if self.nearest:
                fit = self.nearest + rare - RARE_NEAR_ENOUGH - NEAR_PER_CHUNK * many
            else:
                fit = rare - RARE_WORD * RARE_WORDS_ENOUGH
        elif self.compared == "across" and not said:
            fit = self.nearest - ACROSS_ENOUGH - NEAR_PER_CHUNK * many
        elif self.compared == "glossed" and not said:
            fit = self.nearest + WORDS_BESIDE_GLOSSED * words
            few = math.log(max(self.chunks, FEW_GLOSSED))
            fit -= GLOSSED_ENOUGH + GLOSSED_PER_CHUNK * few
        elif self.nearest and not said:
            fit = self.nearest + WORDS_BESIDE * words
            fit -= NEAR_ENOUGH + NEAR_PER_CHUNK * many
        elif self.unspaced:
            fit = words - CHARACTERS_ENOUGH - CHARACTERS_PER_CHUNK * many
        else:
            fit = words - WORDS_ENOUGH - WORDS_PER_CHUNK * many
        return fit + TITLED * self.titled - STRANGERS * self.strangers

    @property
    def trust(self) -> float:
        """How much of a passage's score counts."""
        return max(self.nearest, self.covered)

    @property
    def answered(self) -> bool:
        """Whether the answer is good enough to be shown."""
        return self.margin >= 0


def _rarest(chunks: int) -> float:
    """Return what a word adds to a score that stands in one of so many chunks."""
    return math.log1p((max(chunks, 1) - 0.5) / 1.5)


class Nearest(NamedTuple):
    """
    The cosines of the nearest chunk in the question's language, and in the *other* one.

    *glossed* tells that the question's is Chinese; 0 is none.
    """

    own: float = 0.0
    other: float = 0.0
    glossed: bool = False


def judge(  # noqa: PLR0913, PLR0917 - everything that speaks for or against
    asked: Asked,
    passages: Sequence[Marked],
    nearest: Nearest,
    present: Collection[str],
    chunks: int,
    waiting: Sequence[Marked] = (),
    beside: float = 0.0,
) -> Verdict:
    """
    Judge *passages* for what is *asked*, of which *present* stands in some note.

    Where one of those *waiting* for a vector says most of it, its words alone may do: what
    it means was not compared yet. *beside* is the score of the best that was found by what
    stands beside it; what is said there does not count as said by a note.
    """
    covered = _covered(asked, passages)
    anywhere = asked.share(present) if passages else 0.0
    in_line = best_line(asked, passages) if asked.several else 0.0
    words = covered, 1 - anywhere, chunks, asked.unspaced, in_line
    how: Compared = "glossed" if nearest.glossed and nearest.own else "plain"
    verdict = Verdict(nearest.own, *words, compared=how)
    if nearest.other > nearest.own:
        across = Verdict(nearest.other, *words, compared="across")
        known = (verdict, across) if nearest.own else (across,)
        verdict = max(known, key=attrgetter("margin"))
    if beside:
        shares = (asked.share(passage.terms) for passage in passages)
        told = max(covered, BESIDE_WEIGHT * max(shares, default=0.0))
        fit = nearest.other, told, *words[1:]
        terms = Verdict(*fit, compared="paraphrased", beside=beside)
        verdict = max((verdict, terms), key=attrgetter("margin"))
    if not covered or _covered(asked, waiting) < covered:
        return verdict
    by_words = replace(verdict, nearest=0.0, compared="plain")
    return max(verdict, by_words, key=attrgetter("margin"))


def _covered(asked: Asked, passages: Sequence[Marked]) -> float:
    return max((asked.share(passage.said) for passage in passages), default=0.0)


def best_line(asked: Asked, passages: Sequence[Marked]) -> float:
    """Return the largest share of what is *asked* that one line of *passages* says."""
    lines = {found for passage in passages for found in passage.found if found}
    return max(map(asked.share, lines), default=0.0)


def names_strangers(text: str, absent: Collection[str]) -> bool:
    """Tell whether the question *text* names somebody, and nobody who is in the notes."""
    if _OWNER.search(text):
        return False
    names = names_in(text)
    return bool(names) and all(word_terms(name)[0] in absent for name in names)


def names_in(text: str) -> list[str]:
    """Return the words of *text* that are written as names are, also of days and months."""
    return [name for name in _NAME.findall(text) if name.lower() not in ENGLISH]


def is_titled(text: str, passages: Sequence[Marked]) -> bool:
    """Tell whether the question *text* has the whole title of one of *passages*."""
    lines = (line for passage in passages for line in passage.lines if line[:1] == "#")
    titles = (match[1] for match in map(_TITLE.match, lines) if match)
    return any(_stands(title.lower(), text.lower()) for title in titles)


def _stands(title: str, text: str) -> bool:
    if not title.isascii():
        return title in text
    return re.search(rf"\b{re.escape(title)}\b", text) is not None
