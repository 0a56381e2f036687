"""A model is consulted about the candidates on which it has not been heard yet."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, Any

from strata.history.ledger import read_ledger
from strata.history.opinions import opinion_record, read_opinions, wording_ids
from strata.history.shortenings import read_shortenings
from strata.jobs.deciding.considering import ids_of
from strata.jobs.deciding.questions import Answers, Candidate, prompt_label, questions
from strata.jobs.deciding.shortening import shorten
from strata.jobs.deciding.surroundings import Surroundings
from strata.judges.asked import Opinion, is_open
from strata.judges.law import refusal
from strata.language.wording import with_dates
from strata.model.rewording import WrongLine, reword
from strata.models import Evidence, Origin
from strata.notes.entries import one_line
from strata.notes.long_term import bare_lines
from strata.statements.grounding.proposals import unsaid
from strata.workspace.layout import LONG_TERM

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from strata.history.opinions import Opinions
    from strata.history.outcomes import Admitted
    from strata.jobs.deciding.questions import Answer, Question
    from strata.memory import Memory
    from strata.model.asking import Model
    from strata.models import Claim, Judgement

# A model that fails so often in a night is not asked about the rest.
_MOST_FAILURES = 2
# Fewer are not worth a question while none of them has waited for so many days; what the
# local judge says of them holds meanwhile.
_FEWEST = 5
_LONGEST_WAIT = timedelta(days=3)
_LONGEST_REASON = 200
_LONGEST_LINE = 300


@dataclass(frozen=True, slots=True)
class _Heard:
    """What the model said of a candidate; *refused* is why its line cannot be taken."""

    candidate: Candidate
    answer: Answer
    ends: tuple[str, ...]
    line: str
    refused: str = ""


class Consultation:
    """
    A model that is asked in one night about what it has not judged yet.

    What it says is put into the journal of *memory* once all of it is there, as it can
    only be trusted as a whole; no candidate is asked about twice.
    """

    def __init__(self, memory: Memory, model: Model) -> None:
        self._memory = memory
        self._journal = memory.journal
        self._model = model
        self._at = memory.now.isoformat(timespec="seconds")

    def opinions_on(self, ruled: Sequence[tuple[Claim, Judgement]]) -> Opinions:
        """Ask about those of *ruled* that are open and new; return all opinions."""
        known = read_opinions(self._journal)
        label = prompt_label()
        asked = [
            pair
            for pair in ruled
            if is_open(*pair) and not known.is_given(pair[0], self._model.name, label)
        ]
        if asked:
            self._ask(asked, ruled)
        return read_opinions(self._journal)

    def shorten(self, admitted: Sequence[Admitted]) -> None:
        """Let the model find shorter words for *admitted*."""
        shorten(self._memory, self._model, admitted)

    def _ask(
        self,
        asked: Sequence[tuple[Claim, Judgement]],
        ruled: Sequence[tuple[Claim, Judgement]],
    ) -> None:
        around = Surroundings(self._memory)
        candidates = [Candidate(*pair, around.of(pair[0])) for pair in asked]
        # What was said in one conversation is shown in one.
        candidates.sort(key=_said_at)
        page = self._page(ruled, {name for c, _ in asked for name in ids_of(c)})
        heard: list[_Heard] = []
        trusted, failures = True, 0
        for question in questions(
            candidates, list(page), window_chars=self._model.window_chars
        ):
            if failures == _MOST_FAILURES or not self._is_due(question):
                continue
            found = self._model.ask(question.prompt, Answers, check=question.check)
            if found is None:
                failures += 1
                continue
            answers, believed = question.split(found)
            trusted, failures = trusted and believed, failures + (not believed)
            ids = list(page.values())
            heard += [
                self._heard(question, candidate, answer, ids)
                for candidate, answer in zip(question.batch, answers, strict=True)
            ]
        if trusted:
            heard = self._repaired(heard)
        self._journal.append(self._record(each, trusted=trusted) for each in heard)

    def _page(
        self, ruled: Sequence[tuple[Claim, Judgement]], asked: set[str]
    ) -> dict[str, str]:
        """Return what the lines say that are not *asked* about, with their ids."""
        ledger = read_ledger(self._journal)
        lines = ledger.lines
        text = self._memory.workspace.read(LONG_TERM)
        # What was put together to save room is shown in its parts: one of them may end.
        parts = {e.text: e.ids for e in read_shortenings(self._journal).found}
        texts = {name: own.text for claim, own in ruled for name in ids_of(claim)}
        shown: dict[str, str] = {}
        standing = [lines[each] for each in bare_lines(text) if each in lines]
        standing += ledger.adopted().values()
        for record in standing:
            told, name = str(record["text"]), str(record["id"])
            for part in parts.get(told, (name,)):
                shown[texts.get(part, told)] = part
        return {told: name for told, name in shown.items() if name not in asked}

    def _is_due(self, question: Question) -> bool:
        """Say whether *question* is worth asking tonight."""
        before = self._memory.now.date() - _LONGEST_WAIT
        waiting = any(each.claim.days[-1] < before for each in question.batch)
        return waiting or len(question.batch) >= _FEWEST

    def _heard(
        self, question: Question, candidate: Candidate, answer: Answer, page: list[str]
    ) -> _Heard:
        line = "" if answer.why else one_line(answer.line)
        ends = tuple(_ended(question, candidate, answer.ends, page))
        return _Heard(candidate, answer, ends, line, self._refusal(candidate, line))

    def _refusal(self, candidate: Candidate, line: str) -> str:
        """Return why the law refuses *line* for *candidate*, "" where it does not."""
        if not line:
            return ""
        claim = candidate.claim
        if len(line) > _LONGEST_LINE:
            return "it is too long"
        evidence = tuple(_evidence(self._memory, candidate))
        if wrong := unsaid(line, evidence, self._memory.timezone):
            return wrong
        against = refusal(replace(claim, reworded=(line,)), line)
        return against[1] if against else ""

    def _repaired(self, heard: Sequence[_Heard]) -> list[_Heard]:
        """Let the lines that were refused be worded again, all in one question."""
        wrong = {
            place: WrongLine(each.line, each.refused, tuple(_words(each.candidate)))
            for place, each in enumerate(heard)
            if each.refused
        }
        again = reword(
            self._model,
            wrong,
            lambda place, line: self._refusal(heard[place].candidate, line),
        )
        return [
            replace(each, line=again[place], refused="") if place in again else each
            for place, each in enumerate(heard)
        ]

    def _record(self, heard: _Heard, *, trusted: bool) -> dict[str, Any]:
        answer = heard.answer
        opinion = Opinion(
            # What says something else would have to be refused again every night.
            text="" if heard.refused else self._dated(heard),
            section=answer.section,
            importance=answer.importance,
            mistake=one_line(answer.mistake)[:_LONGEST_REASON],
            why=answer.why,
            triggers=tuple(map(one_line, answer.triggers)),
            judge=self._model.name,
            prompt=prompt_label(),
            ends=heard.ends,
            trusted=trusted,
        )
        record = opinion_record(heard.candidate.claim, opinion, at=self._at)
        if trusted and heard.refused:
            record |= {"refused": heard.line, "reason": heard.refused}
        return record

    def _dated(self, heard: _Heard) -> str:
        """Return the line with the dates that a model left out of what was said."""
        cited = list(_evidence(self._memory, heard.candidate))
        newest = cited[len(heard.candidate.claim.mentions) - 1]
        quotes = [each.quote for each in cited]
        return with_dates(heard.line, newest.said_at, standing=True, quotes=quotes)


def _ended(
    question: Question, candidate: Candidate, ends: Sequence[int], page: list[str]
) -> Iterator[str]:
    """Yield the ids of the statements that *ends* name, of lines and of candidates."""
    names = list(question.lines)
    for number in dict.fromkeys(ends):
        other = question.candidate(number)
        if number in question.lines:
            yield page[names.index(number)]
        elif other is not None and other is not candidate:
            yield from sorted(wording_ids(other.claim))


def _said_at(candidate: Candidate) -> tuple[str, str, int]:
    newest = candidate.claim.mentions[-1]
    day = newest.day.isoformat()
    return day, candidate.around.talk or newest.time, candidate.around.at


def _evidence(memory: Memory, candidate: Candidate) -> Iterator[Evidence]:
    for mention in candidate.claim.mentions:
        said = datetime.combine(mention.day, _time(mention.time), memory.timezone)
        yield Evidence("", mention.text, said, Origin.OWNER)
    newest = datetime.combine(candidate.claim.days[-1], time(12), memory.timezone)
    for words in candidate.around.grounds:
        yield Evidence("", words, newest, Origin.OWNER)


def _time(told: str) -> time:
    try:
        return time.fromisoformat(told)
    except ValueError:
        return time(12)


def _words(candidate: Candidate) -> Iterator[str]:
    yield from (mention.text for mention in candidate.claim.mentions)
    yield from (words for _, who, words in candidate.around.rows if who == "owner")
