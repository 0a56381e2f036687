"""A question becomes an answer: terms, candidates, one order, and the words themselves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from strata.errors import ModelUnavailable
from strata.models import Answer, Hit
from strata.search.keywords import query_terms, query_vector
from strata.search.passages import Files, join
from strata.search.ranking import Ranking, rank
from strata.search.snippets import mark, snippet, telling
from strata.search.terms import Finder
from strata.search.times import times_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from strata.search.index import Index
    from strata.search.passages import Passage
    from strata.search.snippets import Marked
    from strata.search.store import Scope
    from strata.search.times import Times

# How many chunks each of the two channels proposes; the right one is nearly always there.
CANDIDATES = 50
# When an answer is good enough, on the side of answering: of questions about somebody
# else's notes a third stay below, of 377 that can be answered not one.
NEAR_ENOUGH = 0.26
COVERED_ENOUGH = 0.35
# Without a model's word for it, less is asked for: a long question names much besides.
COVERED_ENOUGH_ALONE = 0.25


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, of which chunks, and how many hits are wanted at most."""

    text: str
    limit: int
    scope: Scope


@dataclass(frozen=True, slots=True)
class _Asked:
    """The question's terms with their weights, and the cosine of its nearest chunk."""

    terms: Mapping[str, float]
    finder: Finder
    nearest: float


def find(index: Index, workspace: Path, question: Question, ranking: Ranking) -> Answer:
    """
    Answer *question* from the memory files of *workspace*.

    Hits are ordered by score, from 0 to 1, and show at most 700 characters that stand in
    the file now. Raise `IndexUnavailable` for an index of a newer Strata.
    """
    times = times_of(question.text, ranking.day)
    if times.alone:
        return _of_days(index, workspace, question, times)
    terms = dict(times.terms) | query_terms(question.text)
    dense = _vector(index, question.text)
    candidates = index.search(
        query_vector(terms),
        dense,
        scope=question.scope,
        limit=CANDIDATES,
        times=times.scopes(question.scope),
    )
    ranking = replace(ranking, times=times)
    files = Files(workspace)
    found = (
        files.passage(candidates.rows[number], score)
        for number, score in rank(candidates, ranking)[: 2 * question.limit]
    )
    passages = join(files, [each for each in found if each is not None], question.limit)
    nearest = candidates.found.dense[0][1] if candidates.found.dense else 0.0
    asked = _Asked(terms, Finder(terms), nearest)
    marked = [mark(passage.text, asked.finder) for passage in passages]
    hits = _hits(passages, marked, asked)
    mode: Literal["hybrid", "keyword"] = "hybrid" if dense else "keyword"
    if _good_enough(marked, asked):
        return Answer(mode, hits, answerable=True)
    return Answer(mode, (), answerable=False, closest=hits)


def _of_days(index: Index, workspace: Path, question: Question, times: Times) -> Answer:
    """Answer "what happened last week" with the notes of that week."""
    limit = 2 * question.limit
    candidates, answerable = index.notes_of(times, question.scope, limit)
    files = Files(workspace)
    found = (
        files.passage(candidates.rows[number], score)
        for number, score in candidates.found.sparse
    )
    passages = join(files, [each for each in found if each is not None], question.limit)
    asked = _Asked({}, Finder({}), 1.0)
    hits = _hits(passages, [mark(each.text, asked.finder) for each in passages], asked)
    if answerable:
        return Answer("keyword", hits, answerable=True)
    return Answer("keyword", (), answerable=False, closest=hits)


def _vector(index: Index, text: str) -> Sequence[float] | None:
    """Embed *text*, where there is something to compare it with."""
    from strata.search.embedding import reads  # noqa: PLC0415 - imports stay in order

    if not index.has_vectors() or not reads(index.languages, text):
        return None
    try:
        vector: list[float] = index.encoder.encode([text])[0].tolist()
    except ModelUnavailable as error:
        index.say(f"{error}; searched by keywords alone")
        return None
    return vector


def _hits(
    passages: Sequence[Passage], marked: Sequence[Marked], asked: _Asked
) -> tuple[Hit, ...]:
    weights = telling(asked.terms, marked)
    trust = max([asked.nearest, *(_coverage(each, asked.terms) for each in marked)])
    return tuple(
        Hit(
            path=passage.path,
            start_line=passage.start_line,
            end_line=passage.end_line,
            score=min(max(passage.score * trust, 0.0), 1.0),
            snippet=snippet(each, weights, asked.finder),
            tier=passage.tier,
            day=passage.day,
        )
        for passage, each in zip(passages, marked, strict=True)
    )


def _coverage(passage: Marked, terms: Mapping[str, float]) -> float:
    """Return which share of the *terms*, by weight, stands in *passage*."""
    total = sum(terms.values())
    return sum(terms[term] for term in passage.terms) / total if total else 0.0


def _good_enough(marked: Sequence[Marked], asked: _Asked) -> bool:
    if asked.nearest >= NEAR_ENOUGH:
        return bool(marked)
    enough = COVERED_ENOUGH if asked.nearest else COVERED_ENOUGH_ALONE
    return any(_coverage(passage, asked.terms) >= enough for passage in marked)
