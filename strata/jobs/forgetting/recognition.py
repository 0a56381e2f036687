"""The tombstone of what was forgotten, and whether a line, a fact or a record says it."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from strata.jobs.forgetting.target import TEXTS_KEPT, common_terms
from strata.models import Origin
from strata.notes.bank_reading import told_on_page
from strata.notes.entries import one_line, topicless, topics_in, worded
from strata.notes.marks import source_days, spoken
from strata.notes.sayings import Said, continues, sayings, windows, words_of
from strata.workspace.tombstones import Lifted, Tombstone

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from datetime import date

    from strata.memory import Memory
    from strata.models import Fact
    from strata.workspace.tombstones import Seal

    Runs = Iterable[tuple[int, str]]

# A statement about fewer things than this is known by its words alone.
_FEWEST_TERMS = 4
# Another wording of the same message shares at least this part of what it is about.
_SAME_MESSAGE = 0.5
# When a line was said does not matter.
WHENEVER = "9999-12-30T00:00:00+00:00"
PLACEHOLDER = "⟦forgotten⟧"
# A page of the bank alone names the line of a note.
_OF_A_LINE = "#L"
_ID = re.compile("[0-9a-f]{12}")
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
        self.tombstones = tombstones
        self._seal = seal
        self._lifted = lifted
        self._renamed = {k: v for each in tombstones for k, v in each.renamed.items()}
        # Records tell the same again and again: as a text, as its source, in each run.
        self.forgets_text = lru_cache(TEXTS_KEPT)(self._forgets_text)
        self.entry_left = lru_cache(TEXTS_KEPT)(self._entry_left)

    def forgets(self, said: Said) -> bool:
        """Say whether the line *said* must not stand where it stands."""
        held = self._of(said.moment)
        known = self._says(held, said.text, said.day, raw=said.raw, frame=said.frame)
        return (known or self._is_of_days(held, said)) and not self._is_lifted(said)

    def lines(self, path: str, text: str) -> list[Said]:
        """Return the lines of the file *path* that must not stand in its *text*."""
        every = list(sayings(path, text))
        found = {said.number: said for said in every if self.forgets(said)}
        for run in _sentences(every):
            found |= {said.number: said for said in self._spanning(run)}
        return [found[number] for number in sorted(found)]

    def _forgets_text(self, text: str) -> bool:
        """Say whether a stray *text*, of a record say, is or quotes what was forgotten."""
        if not text.strip():
            return False
        quoted = (run for each in self.tombstones for run in each.parts)
        return self.forgets(Said(0, text, None, "")) or self._spells(quoted, text)

    def left_of(self, said: Said) -> str:
        """Return the line *said*, which must not stand, without its topic, or ""."""
        return self._left(said, self.forgets)

    def masked(self, text: str) -> str:
        """Return what may stand of a stray *text*: all but its topic, or a placeholder."""
        if not self.forgets_text(text):
            return text
        said = Said(0, text, None, "")
        return self._left(said, lambda e: self.forgets_text(e.raw)) or PLACEHOLDER

    def _entry_left(self, day: date, text: str) -> str:
        """Return what may stand of the entry *text* of the note of *day*, or ""."""
        said = Said(0, text, day, day.isoformat())
        return self.left_of(said) if self.forgets(said) else text

    def forgets_name(self, path: str) -> bool:
        """Say whether the file *path* is named after what was forgotten."""
        return PLACEHOLDER in self.unnamed(path)

    def unnamed(self, path: str) -> str:
        """Return *path* without a name, of a folder or the file, that was forgotten."""
        *folders, name = path.split("/")
        stem, dot, ending = name.partition(".")
        runs = _windows(self.tombstones)
        parts = (
            PLACEHOLDER if part not in _OURS and self._spells(runs, part) else part
            for part in (*folders, stem)
        )
        return "/".join(parts) + dot + ending

    def forgets_fact(self, session: str, fact: Fact, day: date) -> bool:
        """Say whether *fact*, which a conversation offers again, must not be kept."""
        if fact.evidence and self.forgets_moment(session, _said_at(fact)):
            return True
        held = [each for each in self.tombstones if not _is_later(each, fact)]
        if self._says(held, one_line(worded(fact.entry)), day):
            return True
        own = {self._seal.of("message", session, e.message_id) for e in fact.evidence}
        terms = sealed_terms(self._seal, worded(fact.entry))
        about = (part for each in held if own & each.messages for part in each.terms)
        return any(_alike(part, terms) for part in about)

    def is_said_anew(self, fact: Fact, day: date) -> bool:
        """Say whether *fact* is what was forgotten, and the owner has said it since."""
        earlier = [each for each in self.tombstones if _is_later(each, fact)]
        return self._says(earlier, one_line(worded(fact.entry)), day)

    def forgets_sentence(self, text: str, said_at: str, *, by_owner: bool) -> bool:
        """Say whether a sentence of *said_at*, in UTC, must not be read again."""
        tombstones = self.tombstones
        if by_owner:
            tombstones = [each for each in tombstones if said_at <= _made(each)]
        return self._says(tombstones, text)

    def up_to(self, said_at: str) -> Recogniser:
        """Return what knows of them those made after *said_at*, in UTC: all but few."""
        held = [each for each in self.tombstones if said_at <= _made(each)]
        if len(held) == len(self.tombstones):
            return self
        return Recogniser(self._seal, held, self._lifted)

    def unheard(self, heard: Collection[str]) -> Recogniser:
        """
        Return what knows again what was told by who had *heard* of these, by their ids.

        Without having heard of a forgetting nobody says anything anew.
        """
        held = [
            each if each.id in heard else replace(each, at=WHENEVER)
            for each in self.tombstones
        ]
        return (
            self
            if held == [*self.tombstones]
            else Recogniser(self._seal, held, self._lifted)
        )

    def spells(self, text: str) -> bool:
        """Say whether forgotten words, or a whole statement, stand in *text* in a row."""
        quoted = (run for each in self.tombstones for run in each.parts)
        runs = [*_windows(self.tombstones), *quoted]
        return self._is_line(self.tombstones, text) or self._spells(runs, text)

    def terms_behind(
        self, session: str, message: str
    ) -> dict[str, tuple[frozenset[str], ...]]:
        """Return what forgotten lines were about that rest on *message*, by tombstone."""
        own = self._seal.of("message", session, message)
        return {e.id: e.terms for e in self.tombstones if own in e.messages}

    def is_about(self, terms: Iterable[frozenset[str]], text: str) -> bool:
        """Say whether *text* is another wording of what has any of *terms*."""
        own = sealed_terms(self._seal, text)
        return any(_alike(part, own) for part in terms)

    def forgets_moment(self, session: str, moment: str) -> bool:
        """Say whether all that was said in *session* at *moment*, in UTC, was forgotten."""
        sealed = self._seal.of("session", session)
        return any(
            moment <= each.sessions.get(sealed, "") or each.since <= moment < each.until
            for each in self.tombstones
            if each.sessions or each.since
        )

    def knows(self, *parts: str) -> bool:
        """Say whether an id or a key, whose hash is that of *parts*, was forgotten."""
        sealed = self._seal.of(*parts)
        return any(sealed in each.ids for each in self.tombstones)

    def renamed(self, name: str) -> str:
        """Return the id of what is left, where *name* is that of what lost its topic."""
        if not self._renamed or not _ID.fullmatch(name):
            return name
        return self._renamed.get(self._seal.of(name), name)

    def lifting(self, text: str, day: date) -> Lifted:
        """Return what lets *text* stand from *day* on."""
        line, terms = sealed_line(self._seal, text), sealed_terms(self._seal, text)
        return Lifted(day.isoformat(), line, terms)

    def _of(self, moment: str) -> list[Tombstone]:
        """Return those that may stand for something of *moment*: none if it is later."""
        size = len(moment)
        return [e for e in self.tombstones if moment <= max(e.at[:size], e.last[:size])]

    def _says(
        self,
        held: Sequence[Tombstone],
        text: str,
        day: date | None = None,
        *,
        raw: str = "",
        frame: bool = False,
    ) -> bool:
        """Say whether any of *held* stands for *text*; for a *frame* only as a whole."""
        if not held:
            return False
        if self._is_line(held, text, day):
            return True
        if frame:
            return False
        if any(self._is_line(held, topic, day) for topic in topics_in(text)):
            return True
        return self._spells(_windows(held), raw or text) or self._means(held, text)

    def _is_line(
        self, held: Sequence[Tombstone], text: str, day: date | None = None
    ) -> bool:
        line = sealed_line(self._seal, text)
        scoped = sealed_line(self._seal, text, day) if day else None
        return any(line in each.lines or scoped in each.day_lines for each in held)

    def _is_of_days(self, held: Sequence[Tombstone], said: Said) -> bool:
        """
        Say whether *said*, of a page of the bank, has words forgotten on a day it names.

        Such a page is made of the notes again; a line of MEMORY.md may rest on more.
        """
        days = source_days(said.raw) if _OF_A_LINE in said.raw and not said.day else ()
        return any(
            self._is_line(held, text, day)
            for text in (told_on_page(said.text) if days else ())
            for day in days
        )

    def _left(self, said: Said, forgets: Callable[[Said], bool]) -> str:
        """Return *said* without its topic, where nothing else of it was forgotten."""
        bare = replace(said, raw=topicless(said.raw))
        if bare == said or not bare.text or not forgets(said) or forgets(bare):
            return ""
        as_a_whole = self._is_line(self._of(said.moment), said.text, said.day)
        return "" if as_a_whole else bare.raw

    def _spells(self, runs: Runs, raw: str) -> bool:
        wanted = set(runs)
        words, of = words_of(raw) if wanted else (), self._seal.of
        return any(
            (size, of("words", *each)) in wanted
            for size in {size for size, _ in wanted if size <= len(words)}
            for each in windows(words, size)
        )

    def _means(self, held: Sequence[Tombstone], text: str) -> bool:
        stated = (part for each in held if each.kind == "text" for part in each.terms)
        wanted = [part for part in stated if len(part) >= _FEWEST_TERMS]
        terms = sealed_terms(self._seal, text) if wanted else frozenset()
        return any(part <= terms for part in wanted)

    def _is_lifted(self, said: Said) -> bool:
        terms = sealed_terms(self._seal, said.text) if self._lifted else frozenset()
        return any(
            said.moment[:10] >= each.day
            and (
                each.line == sealed_line(self._seal, said.text)
                or _alike(each.terms, terms)
            )
            for each in self._lifted
        )

    def _spanning(self, run: Sequence[Said]) -> list[Said]:
        """Return the lines of a wrapped sentence on which forgotten words stand."""
        pairs = [(word, said) for said in run for word in words_of(said.raw)]
        words = tuple(word for word, _ in pairs)
        found: list[Said] = []
        for size, sealed in _windows(self._of(run[0].moment)):
            for start, part in enumerate(windows(words, size)):
                if self._seal.of("words", *part) == sealed:
                    found += [said for _, said in pairs[start : start + size]]
        return found


def recogniser(memory: Memory) -> Recogniser | None:
    """Return what knows again what *memory* has forgotten, None where that is nothing."""
    tombstones = memory.tombstones
    if not tombstones.exist:
        return None
    return Recogniser(tombstones.seal, tombstones.all(), tombstones.lifted())


def inherit(memory: Memory) -> None:
    """
    Take over what the owner has forgotten everywhere, where *memory* is a scope.

    A run that was killed had written it into the owner's memory first; and a scope may be
    made after something was forgotten.
    """
    if memory.parent is None or not memory.parent.tombstones.exist:
        return
    known = {each.id for each in memory.tombstones.all()}
    for tombstone in memory.parent.tombstones.all():
        if tombstone.everywhere and tombstone.id not in known:
            memory.tombstones.add(tombstone.within(memory.scope))


def sealed_line(seal: Seal, text: str, day: date | None = None) -> str:
    """Return the hash of a line, of one that belongs to *day* where that is given."""
    words = words_of(spoken(text))
    return seal.of("line", day.isoformat() if day else "", *words) if words else ""


def sealed_terms(seal: Seal, text: str) -> frozenset[str]:
    """Return the hashes of what *text* is about, the same in English and in Chinese."""
    return frozenset(seal.of("term", term)[:8] for term in common_terms(spoken(text)))


def in_utc(moment: datetime) -> str:
    """Return *moment* as tombstones have it: in UTC, to the second."""
    return moment.astimezone(UTC).isoformat(timespec="seconds")


def _windows(tombstones: Iterable[Tombstone]) -> list[tuple[int, str]]:
    return [run for each in tombstones for run in each.windows]


def _is_later(tombstone: Tombstone, fact: Fact) -> bool:
    """Say whether the owner's own words are of after the forgetting: they count anew."""
    by_owner = bool(fact.evidence) and fact.evidence[0].origin is Origin.OWNER
    return by_owner and _said_at(fact) > _made(tombstone)


def _made(tombstone: Tombstone) -> str:
    """Return up to when it was not known here, in UTC."""
    moments = filter(None, (tombstone.at, tombstone.heard))
    return max(in_utc(datetime.fromisoformat(each)) for each in moments)


def _said_at(fact: Fact) -> str:
    return in_utc(fact.evidence[0].said_at)


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
