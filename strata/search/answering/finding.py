"""A question becomes an answer: terms, candidates, one order, and the words themselves."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from strata.errors import ModelUnavailable
from strata.hits import Answer, Hit
from strata.search.answering.abstaining import (
    Verdict,
    is_titled,
    judge,
    names_strangers,
)
from strata.search.answering.coverage import Asked
from strata.search.answering.operators import parse
from strata.search.answering.passages import Files, join
from strata.search.answering.ranking import Ranking, toward, weighed
from strata.search.answering.refining import Reader, refine, within_reach
from strata.search.answering.snippets import MAX_CHARACTERS, snippet, telling
from strata.search.answering.speakers import told_of_others
from strata.search.answering.superseded import History, demoted
from strata.search.indexing.times import Times, times_of
from strata.search.language.days import is_day
from strata.search.language.keywords import query_terms, query_vector, term_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from strata.search.answering.passages import Passage
    from strata.search.answering.snippets import Marked
    from strata.search.answering.superseded import Succession
    from strata.search.indexing.candidates import Candidates
    from strata.search.indexing.index import Index
    from strata.search.language.terms import Finder
    from strata.search.stores.store import Scope

# How many chunks each of the two channels proposes; the right one is nearly always there.
CANDIDATES = 50
# Passages to choose from where a budget decides how many are shown.
_FOR_A_BUDGET = 30


@dataclass(frozen=True, slots=True)
class Question:
    """
    What is asked, of which chunks, and how many hits are wanted at most.

    *budget* is how many tokens all of them may have together; *history* tells which
    values were superseded. With *explain* the answer says how it came about.
    """

    text: str
    limit: int
    scope: Scope
    budget: int | None = None
    history: History = field(default_factory=History)
    explain: bool = False


@dataclass(frozen=True, slots=True)
class _Shown:
    """Passages in their final order, as far as they are shown."""

    passages: list[Passage]
    marked: list[Marked]
    outdated: list[Succession | None]

    @property
    def waiting(self) -> list[Marked]:
        """Those that have no vector yet."""
        pairs = zip(self.passages, self.marked, strict=True)
        return [marked for passage, marked in pairs if passage.waiting]


def find(index: Index, workspace: Path, question: Question, ranking: Ranking) -> Answer:
    """
    Answer *question* from the memory files of *workspace*.

    Hits are ordered by score, from 0 to 1, and show at most 700 characters that stand in
    the file now. Raise `IndexUnavailable` for an index of a newer Strata.
    """
    wanted = parse(question.text)
    timed = "time" not in ranking.without
    times = times_of(wanted.text, ranking.day) if timed else Times(subject=wanted.text)
    if times.alone and not wanted.phrases:
        return _of_days(index, workspace, question, times)
    terms = dict(times.terms) | query_terms(wanted.text)
    dense = None if "vectors" in ranking.without else _vector(index, wanted.text)
    candidates = index.search(
        query_vector(terms),
        dense,
        scope=question.scope,
        limit=CANDIDATES,
        times=times.scopes(question.scope),
    )
    how = replace(ranking, times=times, toward=toward(wanted.text))
    order = weighed(candidates, how)
    reader = Reader(Files(workspace), terms, wanted.text)
    # Operators look at every candidate, for the best ones may all fall to them.
    every = bool(wanted.phrases or wanted.excluded)
    depth = len(order) if every else 3 * _limit(question)
    ranked = [(candidates.rows[each.number], each.score) for each in order[:depth]]
    notes = depth if every or question.explain else within_reach(_limit(question))
    found = reader.files.passages(ranked, notes)
    allowed = wanted.select([each for each in found if each is not None])
    passages = refine(allowed, reader, how, _limit(question))
    shown = _ordered(passages, reader, terms, _history(question, ranking))
    verdict = _judged(times, terms, candidates, shown, reader.finder)
    hits = _hits(shown, terms, reader.finder, verdict, question)
    mode: Literal["hybrid", "keyword"] = "hybrid" if dense else "keyword"
    sure = bool(wanted.phrases) or "abstaining" in ranking.without or verdict.answered
    answer = _answer(mode, hits, good=bool(hits) and sure, index=index)
    if not answer.answerable and verdict.told_of:
        answer = replace(answer, told_of=verdict.told_of)
    if not question.explain:
        return answer
    from strata.search.answering.explaining import explain  # noqa: PLC0415 - only if asked

    read = [(parts.number, each) for parts, each in zip(order, found, strict=False)]
    return replace(
        answer,
        explanation=explain(
            terms, times, verdict, candidates, order, dict(read), answer
        ),
    )


def _history(question: Question, ranking: Ranking) -> History:
    return History() if "supersession" in ranking.without else question.history


def _judged(
    times: Times,
    terms: Mapping[str, float],
    candidates: Candidates,
    shown: _Shown,
    finder: Finder,
) -> Verdict:
    days = {term for term in terms if is_day(term)}
    present = {term for term in terms if term_number(term) not in candidates.absent}
    dense = candidates.found.dense
    verdict = judge(
        Asked(times.subject, days),
        shown.marked,
        dense[0][1] if dense else 0.0,
        present | days,
        candidates.chunks,
        shown.waiting,
    )
    weights = telling(terms, shown.marked)
    weights = {term: weights[term] for term in terms.keys() - days}
    of_others, whose = told_of_others(times.subject, shown.marked, weights, finder)
    return replace(
        verdict,
        strangers=names_strangers(times.subject, terms.keys() - present),
        titled=is_titled(times.subject, shown.marked),
        of_others=of_others,
        whose=whose,
    )


def _limit(question: Question) -> int:
    return max(question.limit, _FOR_A_BUDGET) if question.budget else question.limit


def _of_days(index: Index, workspace: Path, question: Question, times: Times) -> Answer:
    """Answer "what happened last week" with the notes of that week."""
    limit = _limit(question)
    candidates, answerable = index.notes_of(times, question.scope, 2 * limit)
    files = Files(workspace)
    found = (
        files.passage(candidates.rows[number], score)
        for number, score in candidates.found.sparse
    )
    passages = join(files, [each for each in found if each is not None], limit)
    reader = Reader(files, {})
    shown = _ordered(passages, reader, {}, question.history)
    hits = _hits(shown, {}, reader.finder, Verdict(1.0, 0.0, 0.0), question)
    return _answer("keyword", hits, good=answerable, index=index)


def _answer(
    mode: Literal["hybrid", "keyword"],
    hits: tuple[Hit, ...],
    *,
    good: bool,
    index: Index,
) -> Answer:
    if good:
        return Answer(mode, hits, answerable=True, index=index.condition)
    return Answer(mode, (), answerable=False, closest=hits, index=index.condition)


def _vector(index: Index, text: str) -> Sequence[float] | None:
    """Embed *text*, where there is something to compare it with."""
    from strata.search.indexing.embedding import reads  # noqa: PLC0415 - imports stay in order

    if not index.has_vectors() or not reads(index.languages, text):
        return None
    try:
        vector: list[float] = index.encoder.encode([text])[0].tolist()
    except ModelUnavailable as error:
        index.say(f"{error}; searched by keywords alone")
        return None
    return vector


def _ordered(
    passages: Sequence[Passage],
    reader: Reader,
    terms: Mapping[str, float],
    history: History,
) -> _Shown:
    marked = [reader.mark(passage) for passage in passages]
    judged = demoted(passages, marked, terms, history)
    return _Shown(
        [passage for passage, _, _ in judged],
        [each for _, each, _ in judged],
        [old for _, _, old in judged],
    )


def _hits(
    shown: _Shown,
    terms: Mapping[str, float],
    finder: Finder,
    verdict: Verdict,
    question: Question,
) -> tuple[Hit, ...]:
    weights = telling(terms, shown.marked)
    trust = max(verdict.nearest, verdict.covered)
    if question.budget is None:
        return tuple(_all_hits(shown, weights, finder, trust, MAX_CHARACTERS))
    from strata.search.answering.packing import pack, snippet_characters  # noqa: PLC0415

    size = snippet_characters(question.budget)
    hits = list(_all_hits(shown, weights, finder, trust, size))
    return pack(hits, question.budget)


def _all_hits(
    shown: _Shown,
    weights: Mapping[str, float],
    finder: Finder,
    trust: float,
    characters: int,
) -> Iterator[Hit]:
    for passage, marked, old in zip(
        shown.passages, shown.marked, shown.outdated, strict=True
    ):
        yield Hit(
            path=passage.path,
            start_line=passage.start_line,
            end_line=passage.end_line,
            score=min(max(passage.score * trust, 0.0), 1.0),
            snippet=snippet(marked, weights, finder, characters),
            tier=passage.tier,
            day=passage.day,
            superseded=(old.day or True) if old else False,
            successor=old.text if old else "",
        )
