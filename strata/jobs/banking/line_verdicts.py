"""Which lines of a page a model says are over, and which hold all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from strata.jobs.banking.pairs import source_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from strata.bank.standing import Held
    from strata.bank.statements import Stated
    from strata.jobs.banking.page_questions import PageAnswer, Question

_TWO = 2


def verdicts(question: Question, given: PageAnswer | None) -> Iterator[dict[str, Any]]:
    """
    Give what the journal keeps of it: the keys of two lines, and the entries they are of.

    One line ends another where both are of that page, and it is the later one. What the
    reading ended holds where the model says so.
    """
    for older, newer in _pairs(question, given):
        if not _keys(newer.borne) & _keys(older.against):
            yield {"over": [_kept(older, newer.borne)]}
    for held in _holding(question, given):
        yield {"holds": [_kept(held, held.against)]}


def over_lines(
    question: Question, place: int, given: PageAnswer | None
) -> Sequence[Held]:
    """Return the lines of the page at *place* that are over, as the model says."""
    ended = [older for older, _ in _pairs(question, given)]
    holding = list(_holding(question, given))
    taken = [e for e in question.pages[place - 1].shown if e.until]
    return [*ended, *(each for each in taken if each not in holding)]


def _pairs(question: Question, given: PageAnswer | None) -> Iterator[tuple[Held, Held]]:
    if given is None:
        return
    for each in given.over:
        pair = question.of_page(given.page, [each.line, each.by])
        if len(pair) == _TWO and pair[0].last.moment < pair[1].last.moment:
            yield pair[0], pair[1]


def _holding(question: Question, given: PageAnswer | None) -> Iterator[Held]:
    if given is None:
        return
    ended = [older for older, _ in _pairs(question, given)]
    for held in question.of_page(given.page, given.holds):
        if held.until and held not in ended:
            yield held


def _kept(older: Held, by: Sequence[Stated]) -> dict[str, Any]:
    told = [each.key for each in older.borne]
    cited = [source_of(each) for each in (*older.borne, *by)]
    return {"line": told, "by": [each.key for each in by], "sources": cited}


def _keys(stated: Iterable[Stated]) -> set[str]:
    return {each.key for each in stated}
