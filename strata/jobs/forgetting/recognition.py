"""Whether a line, a fact or a record says what was forgotten, as the tombstones know it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from strata.jobs.forgetting.target import common_terms
from strata.models import Origin
from strata.notes.entries import one_line, worded
from strata.notes.marks import spoken
from strata.notes.sayings import Said, continues, sayings, windows, words_of
from strata.workspace.tombstones import Lifted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from strata.memory import Memory
    from strata.models import Fact
    from strata.workspace.tombstones import Seal, Tombstone

# A statement about fewer things than this is known by its words alone.
FEWEST_TERMS = 4
# Another wording of the same message shares at least this part of what it is about.
_SAME_MESSAGE = 0.5
PLACEHOLDER = "⟦forgotten⟧"
# Names of files and folders that say nothing, whatever was forgotten.
_OURS = frozenset(
    {
        *("MEMORY", "USER", "DREAMS", "memory", "weekly", "archive", "bank"),
        *("entities", "experience", "opinions", "world"),
        *(".strata", "scopes", "undo", "index"),
    }
)


class Recogniser:
    """Knows again what *tombstones* stand for, but for what the owner said anew."""

    def __init__(
        self, seal: Seal, tombstones: Sequence[Tombstone], lifted: Sequence[Lifted] = ()
    ) -> None:
        self.seal = seal
        self.tombstones = tombstones
        self._lifted = lifted

    def forgets(self, said: Said) -> bool:
        """Say whether the line *said* must not stand where it stands."""
        held = [each for each in self.tombstones if _covers(each, said.moment)]
        if not held:
            return False
        line, scoped = self._line(said.text), self._line(said.text, said.day)
        if any(line in each.lines or scoped in each.day_lines for each in held):
            return not self._is_lifted(said)
        if said.frame:
            return False
        spelled = any(self._spells(each.windows, said.raw) for each in held)
        return (spelled or any(self._means(each, said.text) for each in held)) and (
            not self._is_lifted(said)
        )

    def lines(self, path: str, text: str) -> list[Said]:
        """Return the lines of the file *path* that must not stand in its *text*."""
        every = list(sayings(path, text))
        found = {said.number: said for said in every if self.forgets(said)}
        for run in _sentences(every):
            found |= {said.number: said for said in self._spanning(run)}
        return [found[number] for number in sorted(found)]

    def forgets_text(self, text: str) -> bool:
        """Say whether a stray *text*, of a record say, is or quotes what was forgotten."""
        if not text.strip() or self.forgets(Said(0, text, None, "")):
            return bool(text.strip())
        return any(self._spells(each.parts, text) for each in self.tombstones)

    def forgets_name(self, path: str) -> bool:
        """Say whether the file *path* is named after what was forgotten."""
        return PLACEHOLDER in self.unnamed(path)

    def unnamed(self, path: str) -> str:
        """Return *path* without a name, of a folder or the file, that was forgotten."""
        *folders, name = path.split("/")
        stem, dot, ending = name.partition(".")
        parts = [self._unnamed(part) for part in (*folders, stem)]
        return "/".join(parts) + dot + ending

    def _unnamed(self, part: str) -> str:
        named = part not in _OURS and any(
            self._spells(each.windows, part) for each in self.tombstones
        )
        return PLACEHOLDER if named else part

    def forgets_entry(self, day: date, text: str) -> bool:
        """Say whether the entry *text* of the note of *day* was forgotten."""
        return self.forgets(Said(0, text, day, day.isoformat()))

    def forgets_fact(self, session: str, fact: Fact, day: date) -> bool:
        """Say whether *fact*, which a conversation offers again, must not be kept."""
        said_at = _said_at(fact)
        if said_at and self.forgets_moment(session, said_at):
            return True
        return any(self._forgets_fact(t, session, fact, day) for t in self.tombstones)

    def forgets_sentence(self, text: str, said_at: str, *, by_owner: bool) -> bool:
        """Say whether a sentence of *said_at*, in UTC, must not be read again."""
        return any(
            self._line(text) in each.lines
            or self._spells(each.windows, text)
            or self._means(each, text)
            for each in self.tombstones
            if not (by_owner and said_at > in_utc(datetime.fromisoformat(each.at)))
        )

    def is_said_anew(self, fact: Fact, day: date) -> bool:
        """Say whether *fact* is what was forgotten, and the owner has said it since."""
        return any(
            _is_later(each, fact) and self._says(each, fact, day)
            for each in self.tombstones
        )

    def knows(self, *parts: str) -> bool:
        """Say whether an id or a key, whose hash is that of *parts*, was forgotten."""
        sealed = self.seal.of(*parts)
        return any(sealed in each.ids for each in self.tombstones)

    def forgets_moment(self, session: str, moment: str) -> bool:
        """Say whether all that was said in *session* at *moment*, in UTC, was forgotten."""
        sealed = self.seal.of("session", session)
        return any(
            moment <= each.sessions.get(sealed, "") or each.since <= moment < each.until
            for each in self.tombstones
            if each.sessions or each.since
        )

    def lifting(self, text: str, day: date) -> Lifted:
        """Return what lets *text* stand from *day* on."""
        return Lifted(day.isoformat(), self._line(text), sealed_terms(self.seal, text))

    def _forgets_fact(
        self, tombstone: Tombstone, session: str, fact: Fact, day: date
    ) -> bool:
        if _is_later(tombstone, fact):
            return False
        if self._says(tombstone, fact, day):
            return True
        own = {self.seal.of("message", session, e.message_id) for e in fact.evidence}
        return bool(own & tombstone.messages) and self._resembles(
            tombstone, worded(fact.entry)
        )

    def _says(self, tombstone: Tombstone, fact: Fact, day: date) -> bool:
        text = one_line(worded(fact.entry))
        return (
            self._line(text) in tombstone.lines
            or self._line(text, day) in tombstone.day_lines
            or self._spells(tombstone.windows, text)
            or self._means(tombstone, text)
        )

    def _line(self, text: str, day: date | None = None) -> str:
        return sealed_line(self.seal, text, day)

    def _spells(self, runs: Sequence[tuple[int, str]], raw: str) -> bool:
        words = words_of(raw) if runs else ()
        wanted = {sealed for _, sealed in runs}
        return any(
            self.seal.of("words", *each) in wanted
            for size in {size for size, _ in runs}
            for each in windows(words, size)
        )

    def _means(self, tombstone: Tombstone, text: str) -> bool:
        if tombstone.kind != "text":
            return False
        wanted = [each for each in tombstone.terms if len(each) >= FEWEST_TERMS]
        return bool(wanted) and _any_within(wanted, sealed_terms(self.seal, text))

    def _resembles(self, tombstone: Tombstone, text: str) -> bool:
        terms = sealed_terms(self.seal, text)
        return any(
            len(each & terms) >= _SAME_MESSAGE * min(len(each), len(terms))
            for each in tombstone.terms
            if each and terms
        )

    def _is_lifted(self, said: Said) -> bool:
        terms = sealed_terms(self.seal, said.text) if self._lifted else frozenset()
        return any(
            said.moment[:10] >= each.day
            and (each.line == self._line(said.text) or _alike(each.terms, terms))
            for each in self._lifted
        )

    def _spanning(self, run: Sequence[Said]) -> list[Said]:
        """Return the lines of a wrapped sentence on which forgotten words stand."""
        owners = [said for said in run for _ in words_of(said.raw)]
        words = tuple(word for said in run for word in words_of(said.raw))
        held = [each for each in self.tombstones if _covers(each, run[0].moment)]
        found: list[Said] = []
        for size, sealed in (pair for each in held for pair in each.windows):
            for start, part in enumerate(windows(words, size)):
                if self.seal.of("words", *part) == sealed:
                    found += owners[start : start + size]
        return found


def recogniser(memory: Memory) -> Recogniser | None:
    """Return what knows again what *memory* has forgotten, None where that is nothing."""
    tombstones = memory.tombstones
    if not tombstones.exist:
        return None
    return Recogniser(tombstones.seal, tombstones.all(), tombstones.lifted())


def sealed_line(seal: Seal, text: str, day: date | None = None) -> str:
    """Return the hash of a line, of one that belongs to *day* where that is given."""
    words = words_of(spoken(text))
    return seal.of("line", day.isoformat() if day else "", *words) if words else ""


def sealed_terms(seal: Seal, text: str) -> frozenset[str]:
    """Return the hashes of what *text* is about, the same in English and in Chinese."""
    return frozenset(seal.of("term", term)[:8] for term in common_terms(spoken(text)))


def _covers(tombstone: Tombstone, moment: str) -> bool:
    """Say whether something of *moment* may be what was forgotten: not if it is later."""
    return not moment or moment <= tombstone.at[: len(moment)]


def _is_later(tombstone: Tombstone, fact: Fact) -> bool:
    """Say whether the owner's own words are of after the forgetting: they count anew."""
    first = fact.evidence[0] if fact.evidence else None
    return (
        first is not None
        and first.origin is Origin.OWNER
        and _said_at(fact) > in_utc(datetime.fromisoformat(tombstone.at))
    )


def _said_at(fact: Fact) -> str:
    return in_utc(fact.evidence[0].said_at) if fact.evidence else ""


def in_utc(moment: datetime) -> str:
    """Return *moment* as tombstones have it: in UTC, to the second."""
    return moment.astimezone(UTC).isoformat(timespec="seconds")


def _any_within(parts: Sequence[frozenset[str]], whole: frozenset[str]) -> bool:
    return any(part <= whole for part in parts)


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    shorter = min(len(one), len(other))
    return shorter > 0 and len(one & other) >= _SAME_MESSAGE * shorter


def _sentences(every: Sequence[Said]) -> list[list[Said]]:
    """Return the runs of lines that may be one wrapped sentence, of two lines or more."""
    runs: list[list[Said]] = []
    for said in every:
        last = runs[-1][-1] if runs else None
        if last and said.number == last.number + 1 and continues(said.raw):
            runs[-1].append(replace(said, moment=runs[-1][0].moment))
        else:
            runs.append([said])
    return [run for run in runs if len(run) > 1 and not run[0].frame]
