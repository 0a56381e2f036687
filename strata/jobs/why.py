"""why: what became of a text: it is in memory, or it is not, and for which reason."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from strata.errors import NotFound, PathNotAllowed, UsageError
from strata.history.ledger import statement_id
from strata.history.names import MORE_THAN_REJECTED, REJECTED, SET_APART
from strata.history.projection import History
from strata.history.statements import MASKED_KINDS
from strata.jobs.deciding.reasons import reason_in, skip_in
from strata.jobs.forgetting.recognition import recogniser
from strata.jobs.heard import heard
from strata.jobs.query import Wish, query
from strata.language.sentences import language_of
from strata.messages import FALLBACK, Notice
from strata.notes.entries import one_line
from strata.notes.markdown import is_item
from strata.notes.marks import folded, spoken
from strata.notes.sayings import may_say, words_of
from strata.search.answering.citations import get, names_a_line
from strata.search.indexing.scanning import decode, scan, split_lines
from strata.search.language.keywords import content_terms
from strata.search.language.terms import Finder
from strata.transcripts.redaction import redact
from strata.workspace import stored
from strata.workspace.journal import name_of
from strata.workspace.layout import LONG_TERM

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import tzinfo

    from strata.history.statements import Statement
    from strata.hits import Answer, Weighed
    from strata.jobs.heard import Heard
    from strata.memory import Memory

# How much of the expected words a line must hold to be the one that was meant.
_SAME_WORDS = 0.75
# So many places, or verdicts, tell what became of a text.
_MOST = 3
_QUOTED_CHARS = 120


@dataclass(frozen=True, slots=True)
class Finding:
    """One reason, in a word that programs can tell apart, and what is known of it."""

    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class _Place:
    """A line that says it."""

    path: str
    number: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.number}"


def why(
    memory: Memory, text: str, expected: str = "", *, language: str = FALLBACK
) -> list[Finding]:
    """
    Say what became of *text*, or why the question *text* does not find *expected*.

    What cites a line, such as ``MEMORY.md:12``, stands for what that line says.

    Of a text: remembered, noted, not-judged, one of the kinds of `history.statements`,
    forgotten, redacted, skipped, elsewhere, not-settled, not-yours, left-out, not-worth,
    other-language, other-words, not-in-this-language or not-captured. Of a question
    also: found, outranked, below-the-floor and index-behind. Reasons from the journal are
    in *language*.
    """
    if not text:
        raise UsageError(Notice("why.how"))
    if not expected:
        cited = _cited(memory, text)
        return (
            _told(memory, cited, language) if cited else _became(memory, text, language)
        )
    places = list(_places(memory, expected))
    answer = query(memory, text, Wish(explain=True))
    found = list(_in_answer(answer, places))
    if places and answer.mode == "keyword" and not answer.answerable:
        found = list(_unread(text, places)) or found
    found += _verdicts(memory, expected, language, places)
    if places:
        return found or [_unranked(answer, places)]
    return found or _unwritten(memory, expected, language) or [_never()]


def _cited(memory: Memory, text: str) -> _Place | None:
    """Return the line that *text* cites, None where it is no citation of memory."""
    if not names_a_line(text):
        return None
    try:
        found = get(memory.workspace.root, text, lines=1)
    except PathNotAllowed:
        # A line of another file is a text to look for.
        return None
    return _Place(found.path, found.start_line, found.text)


def _told(memory: Memory, cited: _Place, language: str) -> list[Finding]:
    """Say what became of what the line *cited* says, that line first."""
    if not (said := spoken(cited.text)):
        raise NotFound(Notice("why.blank", place=cited))
    reason = "remembered" if cited.path == LONG_TERM else "noted"
    here = _stands(memory, reason, cited)
    became = _became(memory, said, language)
    return [here, *(each for each in became if each != here)]


def _became(memory: Memory, text: str, language: str) -> list[Finding]:
    places = list(_places(memory, text))
    if on_page := [each for each in places if each.path == LONG_TERM]:
        return [_stands(memory, "remembered", each) for each in on_page[:_MOST]]
    # The latest notes tell more than the first.
    found = [_stands(memory, "noted", each) for each in places[: -_MOST - 1 : -1]]
    judged = _verdicts(memory, text, language, places)
    if found and not judged:
        judged = [Finding("not-judged", Notice("why.not-judged"))]
    return (
        [*found, *judged]
        or _unwritten(memory, text, language)
        or [_meant(memory, text)]
    )


def _stands(memory: Memory, reason: str, place: _Place) -> Finding:
    # Whoever wrote the line, and whatever stands in it.
    said = redact(spoken(place.text), memory.allowances)
    return Finding(reason, Notice(f"why.{reason}", place=place, text=_quoted(said)))


def _quoted(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= _QUOTED_CHARS else f"{line[:_QUOTED_CHARS]}…"


def _places(memory: Memory, expected: str) -> Iterator[_Place]:
    """Give each line that says *expected*, or nearly all of its words."""
    meant = _Meant(expected)
    for path, text in _notes(memory):
        for number, line in meant.lines(text):
            yield _Place(path, number, line.removesuffix("\r"))


def _lines(memory: Memory) -> Iterator[_Place]:
    for path, text in _notes(memory):
        for number, line in enumerate(split_lines(text), start=1):
            yield _Place(path, number, line)


def _notes(memory: Memory) -> Iterator[tuple[str, str]]:
    for path in scan(memory.workspace.root):
        yield path, decode(stored.read(memory.workspace.root / path))


class _Meant:
    """Tells which texts say what was *expected*, or nearly all of its words."""

    def __init__(self, expected: str) -> None:
        self._terms, self._wanted = content_terms(expected), folded(expected)
        self._finder = Finder(self._terms)
        self._least = _SAME_WORDS * sum(self._terms.values())
        self._words = words_of(self._wanted)

    def __call__(self, text: str) -> bool:
        """Say whether *text* says it."""
        return self._has_most(self._finder.present(text)) or self._wanted in folded(
            text
        )

    def lines(self, text: str) -> Iterator[tuple[int, str]]:
        """Yield the lines of *text* that say it, each with its number."""
        if not self._wanted:
            return
        # To fold each line takes longer than all the rest, and most notes need none.
        may_say_all = may_say(text, self._words)
        found = zip(text.split("\n"), self._finder.by_line(text), strict=True)
        for number, (line, terms) in enumerate(found, start=1):
            near = may_say_all and may_say(line, self._words)
            if self._has_most(terms) or (near and self._wanted in folded(line)):
                yield number, line

    def _has_most(self, terms: Iterable[str]) -> bool:
        return sum(self._terms[term] for term in terms) >= (self._least or 1)


def _in_answer(answer: Answer, places: list[_Place]) -> Iterator[Finding]:
    explanation = answer.explanation
    if explanation is None:
        return
    holding = [
        (at, each)
        for at, each in enumerate(explanation.candidates, start=1)
        if any(
            place.path == each.path and each.start_line <= place.number <= each.end_line
            for place in places
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


def _unranked(answer: Answer, places: list[_Place]) -> Finding:
    place = places[0]
    if answer.index != "current":
        behind = Notice("why.index-behind", place=place, index=answer.index)
        return Finding("index-behind", behind)
    return Finding("outranked", Notice("why.far", place=place))


def _unread(question: str, places: list[_Place]) -> Iterator[Finding]:
    """Say that keywords alone do not reach what is written in another language."""
    if all(_is_foreign(question, place.text) for place in places):
        detail = Notice("why.keywords-alone", place=places[0])
        yield Finding("other-language", detail)


def _is_foreign(text: str, other: str) -> bool:
    return language_of(text) != language_of(other)


def _verdicts(
    memory: Memory, text: str, language: str, places: Iterable[_Place]
) -> list[Finding]:
    """
    Give what was last decided about statements with these words, the latest first.

    *places* are the lines that say it. Most of what was ever judged was rejected: of that
    the very words are told, and what they are near only where nothing else is.
    """
    journal, says = memory.journal, _Meant(text)
    texts = _texts(journal.records(*MORE_THAN_REJECTED, *SET_APART))
    ids = {statement_id(spoken(each)) for each in (text, *(e.text for e in places))}
    found = _judged(memory, says, ids.union(_saying(texts, says)))
    if not found:
        rejected = _texts(journal.records(REJECTED, suits=bool))
        found = _judged(memory, says, set(_saying(rejected, says)))
    return [_verdict(each, texts, language) for each in found]


def _texts(records: Iterable[dict[str, Any]]) -> dict[str, str]:
    """Return the latest words of the statements that *records* are about, by id."""
    texts = ((name_of(each), str(each.get("text") or "")) for each in records)
    return {name: text for name, text in texts if name and text}


def _saying(texts: Mapping[str, str], says: _Meant) -> Iterator[str]:
    """Yield the ids of those *texts* that say it; all at once, which is faster."""
    ids = list(texts)
    lines = "\n".join(each.replace("\n", " ") for each in texts.values())
    return (ids[number - 1] for number, _ in says.lines(lines))


def _judged(memory: Memory, says: _Meant, ids: set[str]) -> list[Statement]:
    """Return the latest of the statements *ids*, by how they stand now."""
    known = History(memory.journal, worded=False, about=ids)
    found = known.statements(memory.workspace.read(LONG_TERM)) if ids else []
    # What was masked, or has a line, tells nothing new.
    judged = (each for each in found if not each.line and each.kind not in MASKED_KINDS)
    return [*islice((each for each in judged if says(each.text)), _MOST)]


def _verdict(found: Statement, texts: dict[str, str], language: str) -> Finding:
    record = found.record
    successor = texts.get(str(record.get("by") or ""), "")
    model = record.get("model")
    because = [
        str(record.get("at", ""))[:10],
        reason_in(language, record),
        Notice("why.by", text=successor) if successor else "",
        Notice("review.judged-with", model=model) if model else "",
    ]
    told = {"what": Notice(f"why.{found.kind}"), "text": found.text}
    reason = [each for each in because if each]
    return Finding(found.kind, Notice("why.event-because", reason=reason, **told))


def _unwritten(memory: Memory, text: str, language: str) -> list[Finding]:
    """Say what became of a *text* that nothing in memory says."""
    # Only of the very text: what else may have been forgotten is nobody's business.
    known = recogniser(memory)
    if known and known.forgets_text(text):
        return [Finding("forgotten", Notice("why.forgotten"))]
    told = redact(text, memory.allowances)
    masked = [Finding("redacted", Notice("why.secret", text=told))]
    said = heard(memory, _Meant(text))
    fates = [_fate(each, memory.timezone, language) for each in said]
    return fates if told == text else [*masked, *fates]


def _fate(said: Heard, zone: tzinfo, language: str) -> Finding:
    """Say what became of a message that no note has."""
    by = skip_in(language, said.by) if said.fate == "skipped" else said.by
    if said.fate == "not-yours":
        by = Notice(f"trace.{said.by}")
    elif said.fate == "not-worth":
        by = by or Notice("why.local-judge")
    detail = Notice(
        f"why.{said.fate}",
        text=_quoted(said.message.text),
        at=said.message.time.astimezone(zone),
        session=said.session.id[:8],
        by=by,
    )
    return Finding(said.fate, detail)


def _meant(memory: Memory, text: str) -> Finding:
    """Look for *text* in other words: in another language, or near in meaning."""
    answer = query(memory, text, Wish(limit=1, explain=True))
    if not answer.hits:
        return _unheard(memory, text)
    hit = answer.hits[0]
    reason = "other-language" if _is_foreign(text, hit.snippet) else "other-words"
    return Finding(reason, Notice(f"why.{reason}", place=hit.citation))


def _unheard(memory: Memory, text: str) -> Finding:
    """Say that nobody said *text*; in another language somebody may have."""
    index = memory.index
    for place in _lines(memory):
        if is_item(place.text) and _is_foreign(text, place.text):
            if all(index.compares(each) for each in (text, place.text)):
                break
            detail = Notice("why.not-in-this-language", place=place)
            return Finding("not-in-this-language", detail)
    return _never()


def _never() -> Finding:
    return Finding("not-captured", Notice("why.never-written"))
