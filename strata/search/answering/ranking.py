"""Two lists of candidates become one order, in which newer wins where all else is equal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from strata.hits import Tier
from strata.search.indexing.manifest import EMBEDDED, GLOSSED, MIXED, PENDING
from strata.search.language.words import EARLIEST, LATEST
from strata.search.stores.store import Found

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from datetime import date

    from strata.search.answering.reranking import Reranker
    from strata.search.indexing.candidates import Candidates
    from strata.search.indexing.manifest import Row
    from strata.search.indexing.times import Times
    from strata.search.stores.store import Ranked

# A vote as large as that of words. Measured on six sets of notes with bench/recall.py: 0.4
# to 0.55 differ little, but on questions in other words less is worse; 0.7 and reciprocal
# ranks lose.
DENSE_SHARE = 0.5
# Glosses blur what Chinese words say exactly: on a year of Chinese notes recall@1 was 0.53
# by words alone, 0.56 with this share, and 0.47 with the other.
GLOSSED_SHARE = 0.3
# What stands in another language than the question has none of its words. Where half of
# these stand nowhere, it is as good as what has some of them: of questions about notes in
# the other language two thirds do, of others a sixth (bench/cross_language.py).
WORDS_OF_OTHERS = 2.0
# A plain half-life buries the only right answer: recall@5 fell from 0.83 to 0.52. A bonus
# of a twentieth at most decides only between near equals; a tenth cost a year of Chinese
# notes 0.003 of recall@5 and 0.007 of nDCG@10, and this costs no set any.
RECENCY_BONUS = 0.05

# What a question says about time prefers those notes and excludes no others: on a year of
# Chinese notes recall@5 rose from 0.71 to 0.80; 0.3 to 0.5 differ little (bench/recall.py).
TIME_BONUS = 0.4

# "Where do I live now" and "at first" ask for the newest and the oldest of what fits at
# least half as well as the best: on values that changed nDCG@10 is 0.74, without it 0.60.
# By half-lives, for what differs by days is no older value: as a share of the days of what
# was found it lost 0.03 on a week of chats. A year of Chinese notes loses 0.010.
ORDER_BONUS = 0.5
_FITTING = 0.5

# A line of MEMORY.md was verified, and says best what a day's note says at length: on four
# replayed months (bench/scenarios) the first hit was right for 0.86 instead of 0.83.
LONG_TERM_BONUS = 0.25

# Where three projects decide the same in other ways, that at hand is first for 0.67 of the
# questions instead of 0.27; of what only another one has 0.97 is still first, and all of it
# among five. With 0.3 that is 0.71 and 0.94 (bench/projects.py).
PROJECT_BONUS = 0.2

# No set: to hash a member of an enumeration takes longer than to compare three.
_EVERGREEN = (Tier.LONG_TERM, Tier.BANK, Tier.OTHER)


class Place(Protocol):
    """Lines *start_line* to *end_line* of the file *path*, a note of *tier* and *day*."""

    @property
    def path(self) -> str: ...
    @property
    def start_line(self) -> int: ...
    @property
    def end_line(self) -> int: ...
    @property
    def tier(self) -> Tier: ...
    @property
    def day(self) -> date | None: ...


@dataclass(frozen=True, slots=True)
class Ranking:
    """
    How ids are weighed: the *day* of asking, and when a note's bonus has halved.

    *toward* is 1 where the question asks for the latest value, -1 for the earliest;
    *chinese* tells its language, and *glossed* that a dictionary reads Chinese.
    *without* names the parts of the search that are switched off, and *reranker* reads
    the best passages again where there is one. *near* tells of a chunk whether it is about
    the project at hand, where there is one.
    """

    day: date
    half_life_days: int
    times: Times | None = None
    toward: int = 0
    without: frozenset[str] = frozenset()
    reranker: Reranker | None = None
    chinese: bool = False
    glossed: bool = True
    near: Callable[[Place], bool] | None = None


class Parts(NamedTuple):  # a question makes a hundred
    """What a candidate's score is the product of."""

    number: str
    fused: float
    recency: float
    time: float
    order: float
    tier: float
    project: float = 1.0

    @property
    def score(self) -> float:
        """The score, from 0 to 1, and more for what stands in MEMORY.md."""
        known = self.fused * self.recency * self.time * self.order * self.tier
        return known * self.project


def weighed(
    candidates: Candidates, ranking: Ranking, unheard: float = 0.0
) -> list[Parts]:
    """
    Return every candidate with the parts of its score, best first.

    *unheard* is the share of the question's words that stand in no note.
    """
    found = candidates.found
    if "keywords" in ranking.without and found.dense:
        found = Found([], found.dense)
    waiting = {row.id for row in candidates.rows.values() if row.vector == PENDING}
    balance = _balance(candidates.rows.values(), ranking, unheard)
    weighed = [
        Parts(
            number,
            score,
            _recency(row, ranking),
            _in_time(row, ranking),
            1.0,
            _of_tier(row, ranking),
            _of_project(row, ranking),
        )
        for number, score in fuse(found.sparse, found.dense, waiting, balance).items()
        if (row := candidates.rows.get(number))
    ]
    return _in_order(_by_score(weighed), candidates.rows, ranking)


def _by_score(parts: Iterable[Parts]) -> list[Parts]:
    # Ids differ, so that parts are never compared.
    ordered = sorted((-each.score, each.number, each) for each in parts)
    return [each for _, _, each in ordered]


def _balance(rows: Iterable[Row], ranking: Ranking, unheard: float) -> Balance:
    states = {row.id: row.vector for row in rows}
    trust = min(WORDS_OF_OTHERS * unheard, 1.0)
    across = {EMBEDDED, MIXED} if ranking.chinese else {GLOSSED, MIXED}
    others = {number for number, state in states.items() if state in across}
    glossed = ranking.chinese and ranking.glossed
    if not glossed or GLOSSED not in states.values():
        return Balance(others, trust)
    share = GLOSSED_SHARE + (DENSE_SHARE - GLOSSED_SHARE) * trust
    return Balance(others, trust, share)


class Balance(NamedTuple):
    """
    How words and meaning are weighed: the *share* of meaning.

    *others* are in another language than the question, and taken to say so much of what
    they mean as *trust* tells.
    """

    others: Collection[str] = ()
    trust: float = 0.0
    share: float = DENSE_SHARE


def fuse(
    sparse: Ranked,
    dense: Ranked,
    waiting: Collection[str] = (),
    balance: Balance | None = None,
) -> dict[str, float]:
    """
    Add the two scores, each stretched to reach from 0 to 1 over its own list.

    Those that are *waiting* for a vector are taken to mean what they say.
    """
    balance = balance or Balance()
    words, meaning = _stretched(sparse), _stretched(dense)
    if not (words and meaning):
        return words or meaning
    for number in meaning.keys() & balance.others:
        said = balance.trust * meaning[number]
        words[number] = max(words.get(number, 0.0), said)
    return {
        number: (1 - balance.share) * words.get(number, 0.0)
        + balance.share * (words if number in waiting else meaning).get(number, 0.0)
        for number in words | meaning
    }


def _stretched(ranked: Ranked) -> dict[str, float]:
    if not ranked:
        return {}
    scores = [score for _, score in ranked]
    low, high = min(scores), max(scores)
    width = high - low
    return {number: (score - low) / width if width else 1.0 for number, score in ranked}


def toward(text: str) -> int:
    """Tell whether the question *text* asks for the latest value, or for the earliest."""
    return bool(LATEST.search(text)) - bool(EARLIEST.search(text))


def _in_order(
    order: Sequence[Parts], rows: Mapping[str, Row], ranking: Ranking
) -> list[Parts]:
    """Return *order*, best first, with the latest or earliest first if they are wanted."""
    least = _FITTING * order[0].score if order else 0.0
    days = [
        day
        for parts in order
        if parts.score >= least and (day := rows[parts.number].day)
    ]
    if not days or not ranking.toward or "order" in ranking.without:
        return list(order)
    aim = max(days) if ranking.toward > 0 else min(days)
    placed = []
    for parts in order:
        day = rows[parts.number].day or aim
        near = 0.5 ** (abs((aim - day).days) / max(ranking.half_life_days, 1))
        placed.append(parts._replace(order=1 - ORDER_BONUS * (1 - near)))
    return _by_score(placed)


def _in_time(row: Row, ranking: Ranking) -> float:
    times = None if "time" in ranking.without else ranking.times
    named = times is None or not times.stretches or times.hold(row.day, row.tier)
    return 1.0 if named else 1 - TIME_BONUS


def _of_tier(row: Row, ranking: Ranking) -> float:
    lasting = row.tier is Tier.LONG_TERM and "tiers" not in ranking.without
    return 1 + LONG_TERM_BONUS * lasting


def _of_project(row: Row, ranking: Ranking) -> float:
    return 1.0 if ranking.near is None or ranking.near(row) else 1 - PROJECT_BONUS


def _recency(row: Row, ranking: Ranking) -> float:
    if row.tier in _EVERGREEN or row.day is None or "recency" in ranking.without:
        return 1.0
    age_days = max((ranking.day - row.day).days, 0)
    bonus: float = 0.5 ** (age_days / max(ranking.half_life_days, 1))
    return 1 - RECENCY_BONUS + RECENCY_BONUS * bonus
