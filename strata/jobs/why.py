"""why: what became of a text that a question should have found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from strata.errors import UsageError
from strata.jobs.query import Wish, query
from strata.messages import Notice
from strata.notes.marks import folded
from strata.search.answering.superseded import key_of
from strata.search.indexing.scanning import decode, scan, split_lines
from strata.search.language.keywords import content_terms
from strata.search.language.terms import Finder
from strata.transcripts.redaction import redact
from strata.workspace import stored

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from strata.hits import Answer, Weighed
    from strata.memory import Memory

# How much of the expected words a line must hold to be the one that was meant.
_SAME_WORDS = 0.75
_EVENTS = (
    *("rejected", "waiting", "merged", "superseded", "evicted", "expired"),
    "forgotten",
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One reason, in a word that programs can tell apart, and what is known of it."""

    reason: str
    detail: str


def why(memory: Memory, question: str, expected: str) -> list[Finding]:
    """
    Say what became of the text *expected*, which *question* should find.

    Reasons are found, outranked, below-the-floor, index-behind, merged, superseded,
    evicted, expired, waiting, rejected, forgotten, redacted and not-captured.
    """
    if not question or not expected:
        raise UsageError(Notice("why.how"))
    places = list(_places(memory, expected))
    answer = query(memory, question, Wish(explain=True))
    found = list(_in_answer(answer, places)) + list(_in_journal(memory, expected))
    if places:
        return found or [_unranked(answer, places)]
    return found or [_never_written(memory, expected)]


def _places(memory: Memory, expected: str) -> Iterator[tuple[str, int]]:
    """Give each file and line that says *expected*, or nearly all of its words."""
    says, wanted = _says_most(expected), folded(expected)
    for path in scan(memory.workspace.root):
        content = decode(stored.read(memory.workspace.root / path))
        for number, line in enumerate(split_lines(content), start=1):
            if wanted in folded(line) or says(line):
                yield path, number


def _says_most(expected: str) -> Callable[[str], bool]:
    """Return what tells whether a text holds nearly all words of *expected*."""
    terms = content_terms(expected)
    finder, total = Finder(terms), sum(terms.values())

    def says(text: str) -> bool:
        held = sum(terms[term] for term in finder.present(text))
        return bool(total) and held / total >= _SAME_WORDS

    return says


def _in_answer(answer: Answer, places: list[tuple[str, int]]) -> Iterator[Finding]:
    explanation = answer.explanation
    if explanation is None:
        return
    holding = [
        (at, each)
        for at, each in enumerate(explanation.candidates, start=1)
        if any(
            path == each.path and each.start_line <= line <= each.end_line
            for path, line in places
        )
    ]
    # Where several say it, the one that is shown.
    for at, each in sorted(holding, key=lambda pair: not _is_shown(pair[1]))[:1]:
        place = f"{each.path}#L{each.start_line}-L{each.end_line}"
        detail = Notice(
            "why.candidate", place=place, at=at, score=each.score, fate=each.fate
        )
        yield Finding(_reason(each, answer), detail)


def _is_shown(candidate: Weighed) -> bool:
    return candidate.fate.startswith("shown")


def _reason(candidate: Weighed, answer: Answer) -> str:
    if not answer.answerable:
        return "below-the-floor"
    return "found" if _is_shown(candidate) else "outranked"


def _unranked(answer: Answer, places: list[tuple[str, int]]) -> Finding:
    place = ":".join(map(str, places[0]))
    if answer.index != "current":
        behind = Notice("why.index-behind", place=place, index=answer.index)
        return Finding("index-behind", behind)
    return Finding("outranked", Notice("why.far", place=place))


def _in_journal(memory: Memory, expected: str) -> Iterator[Finding]:
    """Give the last that happened to an entry with these words."""
    last: dict[str, dict[str, Any]] = {}
    says = _says_most(expected)
    for record in memory.journal.records(*_EVENTS):
        text = str(record.get("text") or "")
        if says(text):
            last[key_of(text)] = record
    for record in last.values():
        event = str(record["event"])
        reason = str(record.get("reason") or record.get("dimension") or "")
        told = {"what": Notice(f"why.{event}"), "text": record.get("text")}
        detail = (
            Notice("why.event-because", reason=reason, **told)
            if reason
            else Notice("why.event", **told)
        )
        yield Finding(event, detail)


def _never_written(memory: Memory, expected: str) -> Finding:
    if (told := redact(expected, memory.allowances)) != expected:
        return Finding("redacted", Notice("why.secret", text=told))
    return Finding("not-captured", Notice("why.never-written"))
