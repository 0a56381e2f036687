"""A model says in few words what a page tells; what its lines do not say is dropped."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from strata.bank.borne_out import Witness
from strata.bank.describing import (
    MOST_SENTENCES,
    basis_of,
    key_of_line,
    shown_lines,
)
from strata.errors import Busy
from strata.history.descriptions import LABEL, SUMMARY, VERSION, read_descriptions
from strata.history.names import DESCRIBED, PROPOSED
from strata.jobs.banking.line_verdicts import over_lines, verdicts
from strata.jobs.banking.page_questions import (
    Answers,
    Asked,
    Question,
    prompt_label,
    room_in,
    size_of,
)
from strata.jobs.banking.pairs import Pairs, sources_of
from strata.jobs.thinking import forgotten_state, thinking
from strata.model.batching import batches
from strata.notes.entries import one_line
from strata.notes.marks import unmarked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from strata.bank.directory import Directory
    from strata.bank.pages import Bank
    from strata.bank.standing import Held
    from strata.jobs.banking.page_questions import Line, PageAnswer
    from strata.memory import Memory
    from strata.model.asking import Model

# So many at a time: more make a model careless, and its answer too long.
_MOST_PAGES, _MOST_OTHERS = 8, 20
# Fewer lines are read faster than what anybody makes of them.
_FEWEST_LINES = 3


@dataclass(slots=True)
class Told:
    """
    The records of what a model said, to be journaled where nothing was forgotten since.

    So many *pages* were asked about, and so many sentences *refused*. Of the pairs
    *proposed* the owner is asked whether they are one.
    """

    records: list[dict[str, Any]]
    pages: int = 0
    refused: int = 0
    proposed: list[tuple[str, str]] = field(default_factory=list)


def describe(
    memory: Memory, bank: Bank, directory: Directory, forgotten: set[str]
) -> Told:
    """
    Ask the model about the pages of *bank* that it was not asked about as they are.

    Nobody else waits for that. Nothing is told where more is *forgotten* than when the
    pages were made. What the model does not answer is asked about the next time.
    """
    told = Told([])
    with suppress(Busy), thinking(memory):
        if forgotten_state(memory) != forgotten:
            return told
        known, label = _pages(bank), prompt_label()
        described = read_descriptions(memory.journal)
        due = [
            e for e in known if _is_due(e) and not described.is_given(e.basis, label)
        ]
        # Where nothing is due the model need not be opened.
        if due and (model := memory.model):
            taking = _Taking(memory, model, Pairs(memory, bank, directory), told)
            taking.ask(due, known)
    return told


class _Taking:
    """Takes into *told* what *model* says of pages, and of *pairs* of names there."""

    def __init__(self, memory: Memory, model: Model, pairs: Pairs, told: Told) -> None:
        self._memory, self._model, self._pairs = memory, model, pairs
        self._told = told
        self._label = prompt_label()

    def ask(self, due: Sequence[Asked], known: Sequence[Asked]) -> None:
        """Ask about the pages *due*, until there is no answer."""
        room = room_in(self._model.window_chars)
        for batch in batches(due, most=_MOST_PAGES, room=room, chars=size_of):
            others = _others(batch, known, room - sum(map(size_of, batch)))
            question = Question(batch, others)
            found = self._model.ask(question.prompt, Answers, check=question.check)
            if found is None:
                return
            self._take(question, found)

    def _take(self, question: Question, answers: Answers) -> None:
        told, given = self._told, {each.page: each for each in answers.pages}
        for place, asked in enumerate(question.pages, 1):
            told.pages += 1
            answer = given.get(place)
            told.records.append(self._record(question, place, asked, answer))
            # Each by itself, so that one may be forgotten and the others stay.
            told.records += (
                self._base(DESCRIBED) | each for each in verdicts(question, answer)
            )
        for same in answers.same:
            cited = question.numbered(same.lines)
            if pair := self._pairs.proposed(same.names, cited):
                told.proposed.append((pair.name, pair.other))
                told.records.append(self._base(PROPOSED) | pair.record)

    def _record(
        self, question: Question, place: int, asked: Asked, given: PageAnswer | None
    ) -> dict[str, Any]:
        """Return the journal's record of what was said of a page, and what was dropped."""
        gone = over_lines(question, place, given)
        rows = [
            self._row(asked, part, line, question.cited(place, line.lines), gone)
            for part, line in _parts(given)
        ]
        refused = [each for each in rows if "reason" in each]
        self._told.refused += len(refused)
        sort = given.type if given and given.type in asked.entity.unsure else ""
        return {
            **self._base(DESCRIBED),
            "name": asked.entity.key,
            "basis": asked.basis,
            **({"sort": sort} if sort else {}),
            "lines": [each for each in rows if each not in refused],
            "refused": refused,
        }

    def _row(
        self,
        asked: Asked,
        part: str,
        line: Line,
        cited: Sequence[Held],
        gone: Sequence[Held],
    ) -> dict[str, Any]:
        """Return what is kept of *line*: with what bears it out, or why nothing does."""
        text = self._text(line)
        witness = Witness(asked.entity, cited, self._memory.timezone)
        told = {"part": part, "text": text, "sources": sources_of(cited)}
        over = "it tells of what is over" if any(e in gone for e in cited) else ""
        if reason := over or witness.refusal(text, label=part == LABEL):
            # What cites nothing may be about anybody: not a word of it is kept.
            return {**(told if cited else {"part": part}), "reason": reason}
        return told | {"cites": [key_of_line(each) for each in cited]}

    def _text(self, line: Line) -> str:
        """Return the words of *line*, of which none poses as more and none is a secret."""
        return self._memory.masked(unmarked(one_line(line.text)).strip())

    def _base(self, event: str) -> dict[str, Any]:
        return {
            "event": event,
            "version": VERSION,
            "at": self._memory.now.isoformat(timespec="seconds"),
            "model": self._model.name,
            "prompt": self._label,
        }


def _pages(bank: Bank) -> list[Asked]:
    """Return what the model may be shown of each page, that of the newest word first."""
    found = []
    for path, (entity, standing) in sorted(bank.known.items()):
        shown = shown_lines(entity, standing)
        newest = max((each.last.moment for each in shown), default=())
        found.append((newest, path, Asked(entity, basis_of(entity, shown), shown)))
    return [asked for *_, asked in sorted(found, key=lambda row: row[:2], reverse=True)]


def _is_due(page: Asked) -> bool:
    """
    Say whether *page* is to be asked about.

    It has enough lines, or those of one day may be over by that of another, or it is not
    clear what it is.
    """
    days = {each.last.day for each in page.shown}
    return (
        len(page.shown) >= _FEWEST_LINES
        or len(days) > 1
        or (bool(page.shown) and bool(page.entity.unsure))
    )


def _others(batch: Sequence[Asked], known: Iterable[Asked], room: int) -> list[Asked]:
    """Return what else of their sorts there is, as far as there is *room*."""
    found: list[Asked] = []
    sorts = {each.entity.sort for each in batch}
    for each in known:
        if each.shown and each not in batch and each.entity.sort in sorts:
            room -= size_of(Asked(each.entity, each.basis, each.shown[:1]))
            if room < 0 or len(found) == _MOST_OTHERS:
                break
            found.append(each)
    return found


def _parts(given: PageAnswer | None) -> Iterator[tuple[str, Line]]:
    """Give what the model said of a page, its label first; no more than has room."""
    if given and given.label:
        yield LABEL, given.label
    for line in given.summary[:MOST_SENTENCES] if given else ():
        yield SUMMARY, line
