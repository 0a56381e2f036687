"""A question becomes an answer: terms, candidates, one order, and the words themselves."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from strata.errors import ModelUnavailable
from strata.hits import Answer
from strata.language.simplified import simplified
from strata.messages import Notice
from strata.search.answering.abstaining import (
    SAME_LINE,
    Asked,
    Nearest,
    Verdict,
    best_line,
    is_titled,
    judge,
    names_strangers,
)
from strata.search.answering.naming import names_beside
from strata.search.answering.operators import Wanted, parse
from strata.search.answering.passages import Files, join
from strata.search.answering.ranking import Parts, Ranking, toward, weighed
from strata.search.answering.refining import refine, within_reach
from strata.search.answering.showing import hits_of
from strata.search.answering.snippets import Reader, telling
from strata.search.answering.speakers import told_of_others
from strata.search.answering.superseded import History, Shown, demoted
from strata.search.indexing.manifest import EMBEDDED, GLOSSED, MIXED
from strata.search.indexing.times import Times, times_of
from strata.search.language.days import is_day
from strata.search.language.keywords import query_terms, query_vector, term_number
from strata.search.stores.store import Found
from strata.tokens import unspaced_count

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from strata.hits import Hit
    from strata.search.answering.passages import Passage
    from strata.search.answering.ranking import Place
    from strata.search.answering.snippets import Marked
    from strata.search.indexing.candidates import Candidates
    from strata.search.indexing.index import Index
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
    search = _search(index, workspace, question, ranking)
    return search.notes_of_days() if search.of_days else search.best()


def places(
    index: Index, workspace: Path, question: Question, ranking: Ranking
) -> Sequence[Place]:
    """
    Return where to read on what *question* speaks of, as `find` does, the best first.

    They are not compared with one another, nor judged, which takes longer than to find
    them. Raise `IndexUnavailable` for an index of a newer Strata.
    """
    search = _search(index, workspace, question, ranking)
    if not search.of_days:
        return search.nearest()
    answer = search.notes_of_days()
    return [*answer.hits, *answer.closest]


def _search(
    index: Index, workspace: Path, question: Question, ranking: Ranking
) -> _Search:
    wanted = parse(simplified(question.text))
    timed = "time" not in ranking.without
    times = times_of(wanted.text, ranking.day) if timed else Times(subject=wanted.text)
    of_days = times.alone and not wanted.phrases
    terms = {} if of_days else dict(times.terms) | query_terms(wanted.text)
    chinese = unspaced_count(wanted.text) * 4 > len(wanted.text)
    how = replace(ranking, times=times, toward=toward(wanted.text), chinese=chinese)
    if chinese and index.model:
        how = replace(how, glossed=bool(index.model.glosses))
    reader = Reader(Files(workspace), terms, wanted.text)
    return _Search(index, question, wanted, times, how, reader, of_days)


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


@dataclass(frozen=True, slots=True)
class _Search:
    """
    A question, what is known of it, and the means to answer it.

    It may ask for all notes *of days*, and for nothing else.
    """

    index: Index
    question: Question
    wanted: Wanted
    times: Times
    how: Ranking
    reader: Reader
    of_days: bool

    def best(self) -> Answer:
        """Answer with the passages that fit best."""
        question, wanted, reader = self.question, self.wanted, self.reader
        dense = self._vector()
        looked = self._look(dense, CANDIDATES)
        if wanted.operates and not looked.kept:
            # Hundreds may say the same words, and the one that is meant behind them.
            wider = self._look(dense, _FOR_OPERATORS)
            looked = wider if wider.kept else looked
        others = looked.others
        if dense and others and not (self.how.chinese or wanted.operates):
            looked, others = self._led_on(looked, dense)
        # Enough of them that none with the phrase is cut off before it comes to the front.
        reach = question.limit + min(len(looked.holding), question.limit)
        passages = refine([*looked.holding, *others], reader, self.how, reach)
        # What was joined may have a line with an excluded word between its parts.
        passages = [part for each in passages for part in wanted.allowed(each)]
        passages.sort(key=wanted.holds, reverse=True)
        shown = self._ordered(passages[: question.limit])
        verdict = self._judged(looked, shown)
        hits = hits_of(shown, reader, verdict.trust, question.budget)
        held = any(wanted.holds(each.passage) for each in shown)
        sure = held or "abstaining" in self.how.without or verdict.answered
        mode: Literal["hybrid", "keyword"] = "hybrid" if dense else "keyword"
        answer = self._answer(mode, hits, good=bool(hits) and sure)
        if not answer.answerable:
            answer = replace(answer, told_of=verdict.told_of)
        return self._explained(answer, verdict, looked)

    def nearest(self) -> list[Passage]:
        """Return the passages that fit best each by itself."""
        looked = self._look(self._vector(), CANDIDATES)
        return [*looked.holding, *looked.others][: self.question.limit]

    def notes_of_days(self) -> Answer:
        """Answer "what happened last week" with the notes of that week."""
        question = self.question
        many = _FOR_OPERATORS if self.wanted.excluded else 2 * question.limit
        candidates, named = self.index.notes_of(self.times, question.scope, many)
        files, ranked = self.reader.files, candidates.found.sparse
        found = {each: files.passage(candidates.rows[each], at) for each, at in ranked}
        _, allowed = self.wanted.select(self._standing(found.values()))
        joined = join(files, allowed, question.limit)
        shown = self._ordered([p for each in joined for p in self.wanted.allowed(each)])
        hits = hits_of(shown, self.reader, 1.0, question.budget)
        answer = self._answer("keyword", hits, good=named and bool(hits))
        verdict = Verdict(float(answer.answerable), 0.0, 1.0)
        order = [Parts(*each, 1.0, 1.0, 1.0, 1.0) for each in ranked]
        unranked = replace(candidates, found=Found([], []))
        looked = _Looked(unranked, order, found, [], allowed, named)
        return self._explained(answer, verdict, looked)

    def _vector(self) -> Sequence[float] | None:
        """Embed the question, where there is something to compare it with."""
        # The nearest to no words at all are notes that answer nothing.
        if not self.reader.terms or "vectors" in self.how.without:
            return None
        index, text = self.index, self.wanted.text
        if not index.compares(text):
            return None
        try:
            return index.vector_of(text)
        except ModelUnavailable as error:
            index.say(Notice("index.keywords-alone", error=error))
            return None

    def _look(self, dense: Sequence[float] | None, limit: int) -> _Looked:
        """Find the *limit* best chunks of each channel, and read the best of them."""
        vector, scope = query_vector(self.reader.terms), self.question.scope
        times = self.times.scopes(scope)
        found = self.index.search(vector, dense, scope=scope, limit=limit, times=times)
        self.reader.known = found.paraphrased
        return self._read(found)

    def _read(self, found: Candidates) -> _Looked:
        """Weigh what was *found*, and read the best of it."""
        question, wanted, files = self.question, self.wanted, self.reader.files
        order = weighed(found, self.how, self._unheard(found))
        # Operators look at every candidate, for the best ones may all fall to them.
        every = wanted.operates
        depth = len(order) if every else 3 * question.limit
        ranked = [(found.rows[each.number], each.score) for each in order[:depth]]
        notes = depth if every or question.explain else within_reach(question.limit)
        passages = files.passages(ranked, notes)
        holding, others = wanted.select(self._standing(passages))
        read = {parts.number: p for parts, p in zip(order, passages, strict=False)}
        kept = bool(holding if wanted.phrases else others)
        return _Looked(found, order, read, holding, others, kept)

    def _led_on(
        self, looked: _Looked, dense: Sequence[float]
    ) -> tuple[_Looked, list[Passage]]:
        """
        Follow the names beside what says the question, where a line says most of it.

        Where none does, bring forward what the question needs without having its words.
        """
        without = self.how.without
        first = looked.others[: within_reach(self.question.limit)]
        near = [self.reader.mark(each) for each in first]
        if best_line(Asked(self.times.subject), near) >= SAME_LINE:
            if not {"names", "keywords"} & without:
                looked = self._look_again(looked, near)
            return looked, looked.others
        if "occasions" in without:
            return looked, looked.others
        from strata.search.answering.occasions import (  # noqa: PLC0415 - not for all
            by_occasion,
        )

        text = self.wanted.text
        return looked, by_occasion(self.index, text, dense, looked.others)

    def _look_again(self, looked: _Looked, near: Sequence[Marked]) -> _Looked:
        """Find by words once more, by the names that stand *near* as well."""
        terms, index = self.reader.terms, self.index
        more = names_beside(near, terms)
        if not more:
            return looked
        scope, known = self.question.scope, looked.candidates
        times, vector = self.times.scopes(scope), query_vector({**terms, **more})
        condition = index.condition
        again = index.search(vector, None, scope=scope, limit=CANDIDATES, times=times)
        # By words alone an index is never behind.
        index.condition = condition
        found = Found(again.found.sparse, known.found.dense)
        rows = {**again.rows, **known.rows}
        return self._read(replace(known, found=found, rows=rows))

    def _unheard(self, found: Candidates) -> float:
        """Return how much of what is asked for stands in no note."""
        weights = self.reader.terms.items()
        absent = (
            weight for term, weight in weights if term_number(term) in found.absent
        )
        return sum(absent) / (sum(weight for _, weight in weights) or 1.0)

    def _standing(self, found: Iterable[Passage | None]) -> list[Passage]:
        """Return what says something still, and of a week only up to the last day."""
        until, day_of = self.question.scope.until, self.reader.files.day_of
        return [
            part
            for each in found
            if each and not each.is_frame
            if until is None or (day_of(each) or until) <= until
            for part in self._allowed(each)
        ]

    def _allowed(self, passage: Passage) -> list[Passage]:
        """Return *passage*, or what is not excluded of it and speaks of the question."""
        parts = self.wanted.allowed(passage)
        if parts == [passage] or not self.reader.terms:
            return parts
        return [each for each in parts if self.reader.mark(each).terms]

    def _ordered(self, passages: Sequence[Passage]) -> list[Shown]:
        """Put what was superseded after its successor, and phrases before all else."""
        off = "supersession" in self.how.without or not self.reader.terms
        history = History() if off else self.question.history
        marked = [self.reader.mark(passage) for passage in passages]
        shown = demoted(passages, marked, self.reader.terms, history)
        shown.sort(key=lambda each: self.wanted.holds(each.passage), reverse=True)
        return shown

    def _judged(self, looked: _Looked, shown: Sequence[Shown]) -> Verdict:
        terms, found, subject = self.reader.terms, looked.candidates, self.times.subject
        days = {term for term in terms if is_day(term)}
        present = {term for term in terms if term_number(term) not in found.absent}
        # Nor does the meaning count of what was read and may not be shown.
        kept = {None, *map(id, looked.holding), *map(id, looked.others)}
        near = [
            (found.rows[number].vector if number in found.rows else EMBEDDED, cosine)
            for number, cosine in found.found.dense
            if (id(each) if (each := looked.read.get(number)) else None) in kept
        ]
        chinese = self.how.chinese
        others = EMBEDDED if chinese else GLOSSED
        nearest = Nearest(
            max((cosine for state, cosine in near if state != others), default=0.0),
            max((cosine for state, cosine in near if state == others), default=0.0),
            glossed=chinese
            and self.how.glossed
            and any(state in {GLOSSED, MIXED} for state, _ in near),
        )
        marked = [each.marked for each in shown]
        verdict = judge(
            Asked(subject, days),
            marked,
            nearest,
            present | days,
            found.chunks,
            [each.marked for each in shown if each.passage.waiting],
            self._beside(looked),
        )
        weights = telling(terms, marked)
        weights = {term: weights[term] for term in terms.keys() - days}
        fits, whose = told_of_others(subject, marked, weights, self.reader.finder)
        return replace(
            verdict,
            strangers=names_strangers(subject, terms.keys() - present),
            titled=is_titled(subject, marked),
            of_others=fits,
            whose=whose,
        )

    def _beside(self, looked: _Looked) -> float:
        """Return the best score by words that stand beside a passage; mostly 0."""
        if not looked.candidates.paraphrased:
            return 0.0
        scores = dict(looked.candidates.found.sparse)
        shown = {*map(id, looked.holding), *map(id, looked.others)}
        return max(
            (
                scores.get(number, 0.0)
                for number, passage in looked.read.items()
                if passage and id(passage) in shown
                if any(self.reader.mark(passage).beside)
            ),
            default=0.0,
        )

    def _answer(
        self,
        mode: Literal["hybrid", "keyword"],
        hits: tuple[Hit, ...],
        *,
        good: bool,
    ) -> Answer:
        condition = self.index.condition
        if good:
            return Answer(mode, hits, answerable=True, index=condition)
        return Answer(mode, (), answerable=False, closest=hits, index=condition)

    def _explained(self, answer: Answer, verdict: Verdict, looked: _Looked) -> Answer:
        if not self.question.explain:
            return answer
        from strata.search.answering.explaining import explain  # noqa: PLC0415 - if asked

        found = looked.candidates, looked.order, looked.read
        explained = explain(self.reader.terms, self.times, verdict, *found, answer)
        return replace(answer, explanation=explained)
