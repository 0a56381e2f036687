"""query: find what was said, decided or done, and show where it stands."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from strata.history.names import ACTS
from strata.jobs.recalled import note_recall
from strata.search.answering.finding import Question
from strata.search.answering.ranking import Ranking
from strata.search.answering.superseded import History, history_of
from strata.search.answering.wordings import find_any
from strata.search.stores.store import Scope
from strata.workspace import stored
from strata.workspace.journal import Journal, while_it_stays

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import date, datetime
    from pathlib import Path

    from strata.hits import Answer, Tier
    from strata.memory import Memory
    from strata.search.answering.ranking import Place
    from strata.workspace.journal import State

# Each costs as much as a question.
_MOST_WORDINGS = 7
# Passages to choose from where a budget decides how many are shown.
_FOR_A_BUDGET = 30


@dataclass(frozen=True, slots=True)
class Wish:
    """
    What a caller may ask for beside the question.

    *limit* is how many hits at most, else the settings decide, or the *budget*: how many
    tokens all hits may have together. *as_of* asks for what was known at the end of that
    day. *also* says the question in other words, or in another language. What is about
    *project*, as memory knows it, comes before other things, and hides none of them.

    With *explain* the answer tells how it came about. Then it is that of the notes alone,
    and counts as no use of them, unless it is *for_owner*, who sees both at once.
    """

    limit: int | None = None
    since: datetime | None = None
    until: datetime | None = None
    tier: Tier | None = None
    as_of: date | None = None
    budget: int | None = None
    explain: bool = False
    also: tuple[str, ...] = ()
    for_owner: bool = False
    project: str = ""

    @property
    def examines(self) -> bool:
        """Whether the answer is for looking into, and not for knowing it."""
        return self.explain and not self.for_owner


def query(memory: Memory, text: str, wish: Wish) -> Answer:
    """
    Answer *text* as *wish* says.

    Raise `IndexUnavailable` where a newer Strata made the index.
    """
    notice_forgotten_of(memory)
    take_in_shared(memory)
    today = wish.as_of or memory.now.date()
    usual = _FOR_A_BUDGET if wish.budget else memory.settings.search_results
    question = Question(
        text,
        wish.limit or usual,
        _scope(memory, wish),
        budget=wish.budget,
        history=superseded(memory).as_of(today),
        explain=wish.explain,
    )
    ranking = Ranking(
        today,
        memory.settings.search_half_life_days,
        without=memory.settings.parts_off,
        reranker=memory.reranker,
        near=near_project(memory, wish.project),
    )
    others = (replace(question, text=each) for each in wish.also[:_MOST_WORDINGS])
    found = find_any(memory.index, memory.workspace.root, [question, *others], ranking)
    answer = _marked(found, question.history)
    if not (wish.tier or wish.as_of or wish.since or wish.until or wish.examines):
        answer = _with_page(memory, [text, *wish.also], answer, question.limit)
    answer = _of_projects(memory, answer)
    memory.saw(*(hit.citation for hit in answer.hits))
    if not wish.examines and not wish.as_of:
        note_recall(memory, text, answer)
    return answer


def near_project(memory: Memory, project: str) -> Callable[[Place], bool] | None:
    """Return what tells whether lines are about *project*, where one is at hand."""
    if not project:
        return None
    from strata.jobs.projects.preferring import near  # noqa: PLC0415 - few have projects

    return near(memory, project)


def _of_projects(memory: Memory, answer: Answer) -> Answer:
    """Say of each hit which projects it is about, where memory knows of any."""
    if not tells_of_projects(memory):
        return answer
    from strata.jobs.projects.preferring import labelled  # noqa: PLC0415 - few have them

    return labelled(memory, answer)


def project_of(memory: Memory, conversation: str) -> str:
    """Return the project of *conversation*, by its id or its key, where one is at hand."""
    if not conversation or not tells_of_projects(memory):
        return ""
    from strata.jobs.projects.preferring import at_hand  # noqa: PLC0415 - few have them

    return at_hand(memory, conversation)


def tells_of_projects(memory: Memory) -> bool:
    """Tell whether the journal may tell of any project; most do not."""
    return _told(memory).of_projects


def _with_page(
    memory: Memory, wordings: Sequence[str], answer: Answer, limit: int
) -> Answer:
    """Put first what the page has of whom the question names, where there are pages."""
    if not memory.workspace.layout.bank_names_file.exists():
        return answer
    from strata.jobs.banking.preferring import with_page  # noqa: PLC0415 - few have pages

    return with_page(memory, wordings, answer, limit)


def notice_forgotten_of(memory: Memory) -> None:
    """See that nothing which was forgotten has come back, where anything ever was."""
    if memory.has_forgotten:
        from strata.jobs.forgetting.keeping import (  # noqa: PLC0415 - few forget
            notice_forgotten,
        )

        notice_forgotten(memory)


def take_in_shared(memory: Memory) -> None:
    """See that of what agents share no more is here than may be read, if any is."""
    if memory.shares and not memory.parent:
        from strata.jobs.shared_copies import take_in  # noqa: PLC0415 - few share

        take_in(memory)


def _marked(answer: Answer, history: History) -> Answer:
    """Say of each hit whether it shows what waits for a second word of the owner."""
    if not history.unconfirmed:
        return answer
    hits, closest = (
        tuple(
            replace(hit, unconfirmed=history.is_unconfirmed(hit.snippet))
            for hit in found
        )
        for found in (answer.hits, answer.closest)
    )
    return replace(answer, hits=hits, closest=closest)


def superseded(memory: Memory) -> History:
    """Return the values that the journal knows to be out of date."""
    return _told(memory).history


class _Told(NamedTuple):
    """What a question asks of the journal, which is read once for all of it."""

    history: History
    of_projects: bool


def _told(memory: Memory) -> _Told:
    journal = memory.workspace.layout.journal_file
    return while_it_stays(_read, journal, _Told(History(), of_projects=False))


@lru_cache(maxsize=4)
def _read(path: Path, _state: State) -> _Told:
    # Most journals know of no such change, and a search is quicker than parsing.
    content = stored.read(path)
    known = any(f'"{event}"'.encode() in content for event in _ENDING)
    changes = [*_superseded(path)] if known else []
    waits = _waiting(path) if f'"{ACTS}"'.encode() in content else ()
    history = history_of(changes, _taken_back(path, content), waits)
    return _Told(history, of_projects=b'"project":' in content)


def _scope(memory: Memory, wish: Wish) -> Scope:
    since = wish.since.astimezone(memory.timezone).date() if wish.since else None
    until = wish.until.astimezone(memory.timezone).date() if wish.until else None
    # As of today MEMORY.md holds as well, whose lines have no day of their own.
    if wish.as_of and wish.as_of < memory.now.date():
        until = min(wish.as_of, until) if until else wish.as_of
    return Scope(tier=wish.tier, since=since, until=until)


def _superseded(path: Path) -> Iterator[tuple[str, str, str]]:
    texts: dict[str, str] = {}
    found: list[tuple[str, str, str]] = []
    records = list(Journal(path).records(*_ENDING, "undone", *_WRITING))
    undone = _undone_runs(records)
    for record in records:
        text, moment = str(record.get("text") or ""), str(record.get("at") or "")
        if record["event"] not in _ENDING:
            texts[str(record.get("id"))] = text
        elif record.get("run") not in undone:
            found.append((text, str(record.get("by") or ""), moment))
    yield from ((old, texts.get(by, ""), moment) for old, by, moment in found if old)


def _taken_back(path: Path, content: bytes) -> Iterator[tuple[str, str]]:
    if not any(f'"{sign}"'.encode() in content for sign in _SIGNS):
        return iter(())
    from strata.history.taken_back import taken_back  # noqa: PLC0415 - 6 ms, and rare

    return taken_back(Journal(path))


def _waiting(path: Path) -> Iterator[str]:
    """Yield every wording of what may make an agent act, and was said once."""
    from strata.history.statements import read_statements  # noqa: PLC0415 - rare
    from strata.history.taken_back import wordings  # noqa: PLC0415 - rare

    for each in read_statements(Journal(path), ""):
        if each.kind == "waiting" and each.record.get("dimension") == ACTS:
            yield from wordings(each.record)


def _undone_runs(records: list[dict[str, Any]]) -> frozenset[str]:
    if not any(record["event"] == "undone" for record in records):
        return frozenset()
    from strata.history.records import undone_runs  # noqa: PLC0415 - 6 ms, and rare

    return undone_runs(records)


_WRITING = ("promoted", "merged", "edited", "remembered", "accepted", "adopted")
_ENDING = ("superseded", "reworded")
# A journal without any of these knows of nothing that was taken back.
_SIGNS = ("declined", "deleted", "joke", "taken back")
