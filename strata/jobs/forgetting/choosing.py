"""From what the owner wants forgotten to all that says it, rests on it, or carries it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from strata.errors import NotFound, UsageError
from strata.history.ledger import statement_id
from strata.jobs.forgetting.known import Known, sources_of
from strata.jobs.forgetting.target import is_same
from strata.messages import Notice
from strata.notes.markdown import heading, unbulleted
from strata.notes.marks import source_days, spoken, with_source
from strata.notes.sayings import sayings, words_of
from strata.workspace.layout import LONG_TERM
from strata.workspace.recalls import recall_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date

    from strata.jobs.forgetting.documents import Document
    from strata.jobs.forgetting.known import Entry
    from strata.jobs.forgetting.target import Target
    from strata.memory import Memory
    from strata.notes.sayings import Said
    from strata.progress import Progress

_WEEKLY = "memory/weekly/"
# So many ids are named where the start of one fits several.
_NAMED = 5


@dataclass(slots=True)
class Chosen:
    """
    What has to go, in plain words; only the hashes of it ever reach the disk.

    *scoped* statements go from what belongs to their day, *everywhere* ones from all
    places. *ids* stand for them in the journal and in caches, *evidence* are session and
    message of what they rest on, *sessions* the conversations that go as a whole.
    """

    everywhere: dict[str, None] = field(default_factory=dict)
    scoped: dict[tuple[date, str], None] = field(default_factory=dict)
    ids: set[str] = field(default_factory=set)
    evidence: set[tuple[str, str]] = field(default_factory=set)
    sessions: set[str] = field(default_factory=set)

    @property
    def statements(self) -> list[str]:
        """Every statement that goes, once."""
        both = [*self.everywhere, *(text for _, text in self.scoped)]
        return list(dict.fromkeys(text for text in both if text))


def choose(
    memory: Memory,
    target: Target,
    documents: Sequence[Document],
    progress: Progress,
) -> Chosen:
    """Return all that *target* means, in *documents* and in the journal."""
    return _Choosing(memory, target, documents).choose(progress)


def together(every: Iterable[Chosen]) -> Chosen:
    """Return which conversations all of *every* rest on, and which go as a whole."""
    both = Chosen()
    for each in every:
        both.evidence |= each.evidence
        both.sessions |= each.sessions
    return both


class _Choosing:
    def __init__(
        self, memory: Memory, target: Target, documents: Sequence[Document]
    ) -> None:
        self._zone = memory.timezone
        self._target = target
        self._documents = documents
        self._known = Known(memory)
        self._chosen = Chosen()
        # The entries of the daily notes, as they say it and as they stand.
        self._gone: dict[date, dict[str, str]] = defaultdict(dict)
        self._left: dict[date, dict[str, str]] = defaultdict(dict)

    def choose(self, progress: Progress) -> Chosen:
        self._choose_sessions()
        for done, document in enumerate(self._documents, 1):
            for said in self._meant(list(sayings(document.path, document.text))):
                self._take(said)
            progress(done, len(self._documents))
        self._take_sources()
        self._part_entries()
        self._take_weekly()
        self._take_long_term()
        self._take_evidence()
        self._take_records()
        return self._chosen

    @property
    def _by_words(self) -> bool:
        """Whether the target is known wherever it stands, and not by time or place."""
        return self._target.kind in {"text", "entity"}

    def _choose_sessions(self) -> None:
        start = self._target.session
        if not start:
            return
        found = self._known.sessions(start)
        if not found:
            raise NotFound(
                Notice("sync.no-conversation", id=start),
            )
        if len(found) > 1 and start not in found:
            raise UsageError(
                Notice(
                    "forget.several",
                    count=len(found),
                    start=start,
                    sessions=list(sorted(found)[:_NAMED]),
                )
            )
        self._chosen.sessions = {start} if start in found else found

    def _meant(self, every: list[Said]) -> Iterator[Said]:
        """Yield the lines that the target means by itself."""
        if self._by_words:
            yield from (said for said in every if not said.frame and self._says(said))
        elif self._target.session:
            yield from self._blocks(every)
        else:
            yield from (said for said in every if self._is_when(said))

    def _blocks(self, every: Iterable[Said]) -> Iterator[Said]:
        """Yield the blocks of the chosen conversations, not what others put behind them."""
        labels = self._known.labels(self._chosen.sessions)
        inside, last = False, 0
        for said in every:
            if heading(said.raw):
                inside, last = said.label in labels, 0
            elif last and said.number > last + 1 and not self._is_theirs(said):
                inside = False
            if inside:
                yield said
                last = 0 if said.frame else said.number

    def _is_theirs(self, said: Said) -> bool:
        """Say whether the journal knows *said* as an entry of a chosen conversation."""
        known = (
            self._known.evidence(said.day, [unbulleted(said.raw)]) if said.day else []
        )
        return any(session in self._chosen.sessions for _, session, _, _ in known)

    def _says(self, said: Said) -> bool:
        return self._target.is_said_by(said.text) or self._target.is_said_by(said.raw)

    def _is_when(self, said: Said) -> bool:
        since, until = self._target.since, self._target.until
        if said.day is None or since is None or until is None:
            return False
        if said.day in {since.date(), until.date()} and not said.frame:
            known = self._known.evidence(said.day, [unbulleted(said.raw)])
            said = replace(said, moment=known[0][3]) if known and known[0][3] else said
        return self._target.is_when(said, self._zone)

    def _take(self, said: Said) -> None:
        if self._by_words:
            self._chosen.everywhere[said.text] = None
        elif said.day:
            self._chosen.scoped[said.day, said.text] = None

    def _take_sources(self) -> None:
        """Let a line of MEMORY.md that says it take along the entries it rests on."""
        going = {words_of(text) for text in self._chosen.everywhere}
        for document in self._long_term():
            for said in sayings(document.path, document.text):
                if words_of(said.text) in going:
                    self._chosen.scoped |= dict.fromkeys(self._known.sources(said.raw))

    def _part_entries(self) -> None:
        everywhere = {words_of(text) for text in self._chosen.everywhere}
        scoped = {(day, words_of(text)) for day, text in self._chosen.scoped}
        for document in self._documents:
            if document.place != "note" or document.path.startswith(_WEEKLY):
                continue
            for said in sayings(document.path, document.text):
                if said.day and not said.frame:
                    words = words_of(said.text)
                    gone = words in everywhere or (said.day, words) in scoped
                    part = self._gone if gone else self._left
                    part[said.day][said.text] = unbulleted(said.raw)

    def _take_weekly(self) -> None:
        """Let a weekly line go that only entries which go have said."""
        for document in self._documents:
            if document.path.startswith(_WEEKLY):
                for said in sayings(document.path, document.text):
                    if (
                        said.day
                        and not said.frame
                        and self._rests_on_gone(said, said.day)
                    ):
                        self._chosen.scoped[said.day, said.text] = None

    def _rests_on_gone(self, said: Said, day: date) -> bool:
        gone, left = self._gone.get(day, {}), self._left.get(day, {})
        return _says_one(said.text, gone) and not _says_one(said.text, left)

    def _take_long_term(self) -> None:
        """Let a line of MEMORY.md go that nothing which stays would bring there."""
        for document in self._long_term():
            for said in sayings(document.path, document.text):
                entries = self._known.sources(said.raw) or self._resembling(said)
                gone = [text for day, text in entries if self._goes(day, text)]
                left = [text for day, text in entries if not self._goes(day, text)]
                stays = _says_one(said.text, left) or (
                    left and not _says_one(said.text, gone)
                )
                if gone and not stays:
                    self._chosen.everywhere[said.text] = None

    def _long_term(self) -> Iterator[Document]:
        return (d for d in self._documents if LONG_TERM in d.path.rpartition("/")[2])

    def _resembling(self, said: Said) -> list[Entry]:
        """Return what a line may rest on, where the journal does not know."""
        return [
            (day, text)
            for day in source_days(said.raw)
            for text in [*self._gone.get(day, {}), *self._left.get(day, {})]
            if is_same(said.text, text)
        ]

    def _goes(self, day: date, text: str) -> bool:
        words = words_of(text)
        if any(words == words_of(each) for each in self._gone.get(day, {})):
            return True
        return (day, text) in self._chosen.scoped or text in self._chosen.everywhere

    def _take_evidence(self) -> None:
        for day, entries in self._gone.items():
            for name, session, message, _ in self._known.evidence(
                day, entries.values()
            ):
                self._chosen.ids.add(name)
                self._chosen.evidence.add((session, message))
            cited = (with_source(text, [day]) for text in entries)
            self._chosen.ids |= {statement_id(line) for line in cited}

    def _take_records(self) -> None:
        """Take the journal's own wordings, and every id that stands for one."""
        for record in self._known.records:
            if self._is_meant(record):
                names = ("text", "line", "left") if self._by_words else ("line", "left")
                texts = [spoken(str(record.get(name) or "")) for name in names]
                self._chosen.everywhere |= dict.fromkeys(filter(None, texts))
                self._chosen.ids.add(str(record.get("id")))
        for day, text in self._chosen.scoped:
            self._chosen.ids.add(statement_id(with_source(text, [day])))
        for text in self._chosen.statements:
            self._chosen.ids |= {statement_id(text), f"recall:{recall_key(text)}"}

    def _is_meant(self, record: dict[str, Any]) -> bool:
        text = spoken(str(record.get("text") or ""))
        if text in self._chosen.everywhere or (text and self._target.is_said_by(text)):
            return True
        entries = sources_of(record)
        return bool(entries) and all(self._goes(*entry) for entry in entries)


def _says_one(text: str, entries: Iterable[str]) -> bool:
    words = words_of(text)
    return any(words == words_of(each) or is_same(text, each) for each in entries)
