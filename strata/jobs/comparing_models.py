"""
embed --compare: which of two embedding models finds the owner's own notes more often.

Nobody asks here and no model writes questions. A line of the notes is cut in two, one half
is the question and the other stands among all lines for the answer: what belongs together
is to be found where hardly a word of the question is left. That says how well a model
reads such notes in their own language, and nothing of questions in another one.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.bundle import BUNDLE
from strata.embedding_models.encoder import is_foreign, load_encoder, reads
from strata.embedding_models.folder import find_model, read_model
from strata.errors import ModelUnavailable, UsageError
from strata.jobs.update import get_glosses, get_model
from strata.messages import Notice
from strata.notes.markdown import heading, unbulleted
from strata.notes.marks import spoken
from strata.patterns import pattern
from strata.search.indexing.scanning import scan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from strata.memory import Memory
    from strata.progress import Progress

# So many lines tell a difference of 5 %, and take a small model ten seconds.
_MOST, _FEWEST = 400, 20
# Halves of fewer say nothing by themselves.
_WORDS, _CHARACTERS = 8, 12
_FIVE = 5
_MARK = pattern("[,;:.!?](?= )|[，；：。！？、,;:!?]")
# The chance that two equal models seem so different.
_LIKELY = 0.05


@dataclass(frozen=True, slots=True)
class Score:
    """What share of the halves the model *name* finds first, and among five."""

    name: str
    first: float
    five: float


@dataclass(frozen=True, slots=True)
class Group:
    """How the two do on the *many* lines of one *kind*; *better* is the surely better."""

    kind: str
    many: int
    scores: tuple[Score, ...]
    better: str


@dataclass(frozen=True, slots=True)
class Timed:
    """How long the model *name* takes for one line."""

    name: str
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two models on *many* lines of somebody's notes."""

    many: int
    groups: tuple[Group, ...]
    models: tuple[Timed, ...]


@dataclass(frozen=True, slots=True)
class Halves:
    """A line of the notes, cut in two."""

    asked: str
    told: str

    @property
    def kind(self) -> str:
        return "chinese" if is_foreign(self.told) else "english"


def compare_models(
    memory: Memory,
    name: str,
    *,
    progress: Progress,
    say: Callable[[str], None],
) -> Comparison:
    """
    Measure the model in use and the model *name*, which is fetched where it is missing.

    Nothing is changed but for that. Raise `ModelUnavailable` where one cannot be had, and
    `UsageError` where both are one or the notes are too few.
    """
    used = memory.model_folder or find_model(BUNDLE)
    if used is None:
        raise ModelUnavailable(Notice("index.no-model"))
    if used.name == name:
        raise UsageError(Notice("comparing.same", name=name))
    lines = list(_cut_lines(memory))[:_MOST]
    if len(lines) < _FEWEST:
        raise UsageError(Notice("comparing.few", many=len(lines), fewest=_FEWEST))
    folders = [used, get_model(name, say)]
    ranks, timed = {}, []
    for number, folder in enumerate(folders):
        started = time.process_time()
        ranks[folder.name] = _ranks(folder, lines, number, progress)
        spent = (time.process_time() - started) / (2 * len(lines))
        timed.append(Timed(folder.name, 1000 * spent))
    return Comparison(len(lines), tuple(_groups(lines, ranks)), tuple(timed))


def _cut_lines(memory: Memory) -> Iterator[Halves]:
    """Yield the lines that are long enough, those of the newest notes first, each once."""
    seen = set()
    for path in sorted(scan(memory.workspace.root), reverse=True):
        for line in memory.workspace.read(path).split("\n"):
            text = spoken(unbulleted(line))
            if heading(line) or text.startswith(("---", "<!--", "|")) or text in seen:
                continue
            seen.add(text)
            if cut := _cut(text):
                yield cut


def _cut(text: str) -> Halves | None:
    """Cut *text* after the mark that is nearest to its middle, else in the middle."""
    chinese = is_foreign(text)
    if (len(text) if chinese else len(text.split())) < (
        _CHARACTERS if chinese else _WORDS
    ):
        return None
    half = len(text) // 2
    ends = [match.end() for match in _MARK.finditer(text)]
    inside = [at for at in ends if half / 2 <= at <= 3 * half / 2]
    if not inside and not chinese:
        inside = [at for at, letter in enumerate(text) if letter == " "]
    at = min(inside, key=lambda place: abs(place - half), default=half)
    return Halves(text[at:].strip(), text[:at].strip())


def _ranks(
    folder: Path, lines: Sequence[Halves], number: int, progress: Progress
) -> list[int]:
    """
    Return at which place each question finds its other half, 0 for what is not read.

    *progress* hears how far this *number* of two is.
    """
    import numpy as np  # noqa: PLC0415 - only models need it

    get_glosses(folder)
    model, encoder = read_model(folder), load_encoder(folder)
    passages, questions = [], []
    for done, line in enumerate(lines, start=1):
        passages += list(encoder.encode([model.passage(line.told)]))
        questions += list(encoder.encode([model.question(line.asked)]))
        progress(number * len(lines) + done, 2 * len(lines))
    kinds = np.array([line.kind for line in lines])
    readable = np.array([reads(model.languages, line.told) for line in lines])
    cosines = np.array(questions) @ np.array(passages).T
    # Whoever cannot read the other language is not led astray by it either.
    cosines[kinds[:, None] != kinds[None, :]] = -1
    own = cosines.diagonal()[:, None]
    ranks = 1 + (cosines > own).sum(axis=1)
    return [int(rank) if can else 0 for rank, can in zip(ranks, readable, strict=True)]


def _groups(lines: Sequence[Halves], ranks: dict[str, list[int]]) -> Iterator[Group]:
    """Yield how the models do on the lines of each language, and on all."""
    for kind in ("english", "chinese", "all"):
        places = [at for at, e in enumerate(lines) if kind in {e.kind, "all"}]
        if not places or (kind != "all" and len(places) == len(lines)):
            continue
        of = {name: [found[at] for at in places] for name, found in ranks.items()}
        scores = tuple(_score(name, found) for name, found in of.items())
        yield Group(kind, len(places), scores, _better(of))


def _score(name: str, ranks: Sequence[int]) -> Score:
    first = sum(rank == 1 for rank in ranks) / len(ranks)
    five = sum(map(_is_found, ranks)) / len(ranks)
    return Score(name, first, five)


def _better(ranks: dict[str, list[int]]) -> str:
    """Return the model that finds more among five than chance would have it, if any."""
    one, other = ranks
    pairs = [
        (_is_found(left), _is_found(right))
        for left, right in zip(ranks[one], ranks[other], strict=True)
    ]
    wins, losses = pairs.count((True, False)), pairs.count((False, True))
    if _by_chance(min(wins, losses), wins + losses) > _LIKELY:
        return ""
    return one if wins > losses else other


def _is_found(rank: int) -> bool:
    return 1 <= rank <= _FIVE


def _by_chance(fewer: int, of: int) -> float:
    """Return how likely so uneven a count of heads and tails is (the sign test)."""
    tail = sum(math.comb(of, each) for each in range(fewer + 1))
    return min(1.0, 2 * tail / float(2**of))
