"""recall: what the bank holds that answers, by words, meaning, entity, kind and time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from strata.errors import NotFound
from strata.jobs.banking.asking import (
    named_in,
    share_of,
    sought_entities,
    unnamed_terms,
)
from strata.jobs.banking.knowing import Known, known_entities, known_lines
from strata.jobs.query import Wish, query, take_in_shared
from strata.tokens import token_count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from strata.hits import Answer
    from strata.jobs.banking.knowing import KnownEntity
    from strata.memory import Memory

# A question finds so many passages, of which the lines are looked for in the bank.
_PASSAGES = 30
USUAL = 12
# Found by the search, in the order in which it found them; by its own words; by its name.
_FOUND, _WORDS, _NAMED = 1.0, 1.0, 0.75
# What no longer holds comes behind what does, and of what fits as well the newest first.
_PAST, _NEWER = 0.4, 0.3
_NEAR, _BEHIND = 0.2, 0.6
# Of so many it is looked at which may have taken another's place, from which score on.
_COMPARED, _DOUBTFUL = 12, -2.0
# Where somebody is named, what tells of others is hardly meant.
_OTHERS = 0.4


@dataclass(frozen=True, slots=True)
class Sought:
    """
    What is asked of the bank beside the words.

    *entity* is a name, *kind* one of W, B, O, E; *since* and *as_of* are days, *budget*
    is how many tokens all of it may have.
    """

    entity: str = ""
    kind: str = ""
    since: date | None = None
    as_of: date | None = None
    budget: int | None = None
    limit: int = USUAL


@dataclass(frozen=True, slots=True)
class Recalled:
    """One line of the bank with whom it tells of, and how well it fits, from 0 on."""

    line: Known
    names: tuple[str, ...]
    score: float


def recall(memory: Memory, text: str, sought: Sought) -> list[Recalled]:
    """
    Return what the bank holds that answers *text*, best first, as *sought* says.

    Raise `NotFound` where there is no bank yet, or nobody of the name that is sought.
    """
    known, lines = known_entities(memory), known_lines(memory)
    if memory.shares:
        lines = (*lines, *_shared(memory, known))
    if not lines:
        raise NotFound.of("bank.none")
    entities = (
        sought_entities(known, sought.entity)
        if sought.entity
        else named_in(known, text)
    )
    paths = {each.path for each in entities}
    found = _found(memory, text, sought) if text.strip() else {}
    by_path = {each.path: each.names[0] for each in known}
    asked = unnamed_terms(text, entities)
    rows = []
    if sought.as_of:
        lines = tuple(each.as_of(sought.as_of) for each in lines)
    for line in lines:
        if not _fits(line, sought) or (
            sought.entity and not paths & set(line.entities)
        ):
            continue
        score = max((found.get(source, 0.0) for source in line.sources), default=0.0)
        score += _WORDS * share_of(line.text, asked)
        if paths & set(line.entities):
            score += _NAMED
        elif paths and line.entities:
            score *= _OTHERS
        if score:
            names = tuple(by_path[path] for path in line.entities if path in by_path)
            rows.append(Recalled(line, names, score))
    ordered = _newest_first([*_past_last(rows, sought.as_of)])
    shown = list(_within(_successors_first(ordered), sought))
    sources = dict.fromkeys(source for row in shown for source in row.line.sources)
    memory.saw(*("#L".join(each.rsplit(":", 1)) for each in sources))
    return shown


def _past_last(rows: Sequence[Recalled], as_of: date | None) -> Iterator[Recalled]:
    """Give *rows* with what holds no more behind what holds of the same."""
    best: dict[str, float] = {}
    for row in rows:
        if _holds(row.line, as_of):
            for path in row.line.entities or ("",):
                best[path] = max(best.get(path, 0.0), row.score)
    for row in rows:
        if not _holds(row.line, as_of):
            held = [best.get(path, 0.0) for path in row.line.entities or ("",)]
            near = [each for each in held if each >= _NEAR * row.score]
            score = min([_PAST * row.score, *(_BEHIND * each for each in near)])
            row = replace(row, score=score)  # noqa: PLW2901 - the same, weighed
        yield row


def _newest_first(rows: Sequence[Recalled]) -> list[Recalled]:
    """Order *rows* by score, in which the last word on a thing counts for more."""
    days = sorted({row.line.last for row in rows})
    late = {day: number / max(len(days) - 1, 1) for number, day in enumerate(days)}
    return sorted(
        rows,
        key=lambda row: (
            -row.score * (1 - _NEWER + _NEWER * late[row.line.last]),
            row.line.sources,
        ),
    )


def _successors_first(rows: Sequence[Recalled]) -> list[Recalled]:
    """
    Return *rows* with each of the first behind what may have taken its place since.

    What does so for sure has ended it; here a doubt is enough, which hides nothing.
    """
    first = list(rows[:_COMPARED])
    for row in sorted(first, key=lambda each: each.line.last, reverse=True):
        place = first.index(row)
        older = next(
            (at for at in range(place) if _may_succeed(first[at].line, row.line)), None
        )
        if older is not None:
            first.insert(older, first.pop(place))
    return [*first, *rows[_COMPARED:]]


def _may_succeed(older: Known, newer: Known) -> bool:
    from strata.judges.succession import likely  # noqa: PLC0415 - 30 ms, with its weights

    if older.until or newer.until or older.last >= newer.last:
        return False
    return likely(older.text, newer.text)[0] >= _DOUBTFUL


def _shared(memory: Memory, known: Sequence[KnownEntity]) -> Iterator[Known]:
    """Yield what other agents share, which no bank but their own holds."""
    from strata.jobs.sharing.reading import shared_lines  # noqa: PLC0415 - few share

    take_in_shared(memory)
    for each in shared_lines(memory):
        told = tuple(entity.path for entity in named_in(known, each.text))
        place = f"{each.path}:{each.number}"
        yield Known(each.text, "W", each.day, each.day, "", 1.0, (place,), told)


def _found(memory: Memory, text: str, sought: Sought) -> dict[str, float]:
    """Return which lines of notes the search finds, and how well."""
    answer: Answer = query(
        memory, text, Wish(limit=_PASSAGES, as_of=sought.as_of, explain=False)
    )
    scores: dict[str, float] = {}
    for place, hit in enumerate(answer.hits or answer.closest):
        sure = _FOUND if answer.hits else _FOUND / 2
        for number in range(hit.start_line, hit.end_line + 1):
            source = f"{hit.path}:{number}"
            scores.setdefault(source, sure * hit.score / (1 + place / 10))
    return scores


def _fits(line: Known, sought: Sought) -> bool:
    if sought.kind and line.kind != sought.kind:
        return False
    if sought.since and line.last < sought.since.isoformat():
        return False
    return not sought.as_of or line.since <= sought.as_of.isoformat()


def _holds(line: Known, as_of: date | None) -> bool:
    return not line.until or (as_of is not None and line.until > as_of.isoformat())


def _within(rows: Sequence[Recalled], sought: Sought) -> Iterator[Recalled]:
    budget = sought.budget
    for number, row in enumerate(rows):
        if budget is None:
            if number >= sought.limit:
                return
        else:
            budget -= token_count(row.line.text) + 12
            if budget < 0:
                return
        yield row
