"""A question becomes an answer: terms, candidates, one order, and the words themselves."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Literal

from strata.errors import ModelUnavailable
from strata.hits import Answer
from strata.messages import Notice
from strata.search.answering.abstaining import (
    Verdict,
    is_titled,
    judge,
    names_strangers,
)
from strata.search.answering.coverage import Asked
from strata.search.answering.operators import Wanted, parse
from strata.search.answering.passages import Files, join
from strata.search.answering.ranking import Parts, Ranking, toward, weighed
from strata.search.answering.refining import Reader, refine, within_reach
from strata.search.answering.showing import Shown, hits_of, ordered
from strata.search.answering.snippets import telling
from strata.search.answering.speakers import told_of_others
from strata.search.answering.superseded import History
from strata.search.indexing.times import Times, times_of
from strata.search.language.days import is_day
from strata.search.language.keywords import query_terms, query_vector, term_number
from strata.search.stores.store import Found

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from strata.hits import Hit
    from strata.search.answering.passages import Passage
    from strata.search.indexing.candidates import Candidates
    from strata.search.indexing.index import Index
    from strata.search.language.terms import Finder
    from strata.search.stores.store import Scope

# How many chunks each of the two channels proposes; the right one is nearly always there.
CANDIDATES = 50
# Where most of what was found may fall to an operator.
_FOR_OPERATORS = 1000


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
        return _of_days(index, workspace, question, times, wanted)
    terms = dict(times.terms) | query_terms(wanted.text)
    # The nearest to no words at all are notes that answer nothing.
    compared = terms and "vectors" not in ranking.without
    dense = _vector(index, wanted.text) if compared else None
    how = replace(ranking, times=times, toward=toward(wanted.text))
    reader = Reader(Files(workspace), terms, wanted.text)
    look = partial(_look, index, question, wanted, dense, how, reader)
    looked = look(CANDIDATES)
    if wanted.operates and not looked.kept:
        # Hundreds may say the same words, and the one that is meant behind them.
        wider = look(_FOR_OPERATORS)
        looked = wider if wider.kept else looked
    # Enough of them that none with the phrase is cut off before it comes to the front.
    reach = question.limit + min(len(looked.holding), question.limit)
    passages = refine([*looked.holding, *looked.others], reader, how, reach)
    passages.sort(key=wanted.holds, reverse=True)
    some = passages[: question.limit]
    shown = ordered(some, reader, terms, _history(question, ranking), wanted)
    verdict = _judged(times, terms, _left(looked), shown, reader.finder)
    hits = hits_of(shown, terms, reader.finder, verdict, question.budget)
    mode: Literal["hybrid", "keyword"] = "hybrid" if dense else "keyword"
    held = any(map(wanted.holds, shown.passages))
    sure = held or "abstaining" in ranking.without or verdict.answered
    answer = _answer(mode, hits, good=bool(hits) and sure, index=index)
    if not answer.answerable and verdict.told_of:
        answer = replace(answer, told_of=verdict.told_of)
    if not question.explain:
        return answer
    return _explained(answer, terms, times, verdict, looked)


@dataclass(frozen=True, slots=True)
class _Looked:
    """
    What was found, in *order*; what was *read* of it, and what of that may be shown.

    Those *holding* the phrases that are asked for come before *others*; *kept* are those
    that the question wants.
    """

    candidates: Candidates
    order: Sequence[Parts]
    read: Mapping[str, Passage | None]
    holding: list[Passage]
    others: list[Passage]
    kept: bool


def _look(  # noqa: PLR0913, PLR0917 - all that is known of the question
    index: Index,
    question: Question,
    wanted: Wanted,
    dense: Sequence[float] | None,
    how: Ranking,
    reader: Reader,
    limit: int,
) -> _Looked:
    """Find the *limit* best chunks of each channel, and read the best of them."""
    times = how.times.scopes(question.scope) if how.times else ()
    vector = query_vector(reader.terms)
    candidates = index.search(
        vector, dense, scope=question.scope, limit=limit, times=times
    )
    order = weighed(candidates, how)
    # Operators look at every candidate, for the best ones may all fall to them.
    every = wanted.operates
    depth = len(order) if every else 3 * question.limit
    ranked = [(candidates.rows[each.number], each.score) for each in order[:depth]]
    notes = depth if every or question.explain else within_reach(question.limit)
    found = reader.files.passages(ranked, notes)
    holding, others = wanted.select(_standing(found, reader.files, question))
    read = {parts.number: each for parts, each in zip(order, found, strict=False)}
    kept = bool(holding if wanted.phrases else others)
    return _Looked(candidates, order, read, holding, others, kept)


def _standing(
    found: Iterable[Passage | None], files: Files, question: Question
) -> list[Passage]:
    """Return what is there still, and of a week what it says up to the last day."""
    until = question.scope.until
    return [
        each
        for each in found
        if each and (until is None or (files.day_of(each) or until) <= until)
    ]


def _left(looked: _Looked) -> Candidates:
    """Return the candidates without the meaning of what was read and may not be shown."""
    kept = {None, *map(id, looked.holding), *map(id, looked.others)}
    dense = [
        each
        for each in looked.candidates.found.dense
        if (id(passage) if (passage := looked.read.get(each[0])) else None) in kept
    ]
    found = Found(looked.candidates.found.sparse, dense)
    return replace(looked.candidates, found=found)


def _explained(
    answer: Answer,
    terms: Mapping[str, float],
    times: Times,
    verdict: Verdict,
    looked: _Looked,
) -> Answer:
    from strata.search.answering.explaining import explain  # noqa: PLC0415 - only if asked

    found = looked.candidates, looked.order, looked.read
    return replace(answer, explanation=explain(terms, times, verdict, *found, answer))


def _history(question: Question, ranking: Ranking) -> History:
    return History() if "supersession" in ranking.without else question.history


def _judged(
    times: Times,
    terms: Mapping[str, float],
    candidates: Candidates,
    shown: Shown,
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


def _of_days(
    index: Index, workspace: Path, question: Question, times: Times, wanted: Wanted
) -> Answer:
    """Answer "what happened last week" with the notes of that week."""
    many = _FOR_OPERATORS if wanted.excluded else 2 * question.limit
    candidates, named = index.notes_of(times, question.scope, many)
    reader = Reader(Files(workspace), {})
    found = {
        number: reader.files.passage(candidates.rows[number], score)
        for number, score in candidates.found.sparse
    }
    _, allowed = wanted.select(_standing(found.values(), reader.files, question))
    shown = ordered(
        join(reader.files, allowed, question.limit), reader, {}, History(), wanted
    )
    hits = hits_of(shown, {}, reader.finder, Verdict(1.0, 0.0, 0.0), question.budget)
    answer = _answer("keyword", hits, good=named and bool(hits), index=index)
    if not question.explain:
        return answer
    verdict = Verdict(float(answer.answerable), 0.0, 1.0)
    order = [Parts(*each, 1.0, 1.0, 1.0, 1.0) for each in candidates.found.sparse]
    unranked = replace(candidates, found=Found([], []))
    looked = _Looked(unranked, order, found, [], allowed, named)
    return _explained(answer, {}, times, verdict, looked)


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
    from strata.embedding_models.encoder import reads  # noqa: PLC0415 - imports stay in order

    if not index.has_vectors() or not reads(index.languages, text):
        return None
    try:
        vector: list[float] = index.encoder.encode([text])[0].tolist()
    except ModelUnavailable as error:
        index.say(Notice("index.keywords-alone", error=error))
        return None
    return vector
