"""What the notes say, statement by statement, and whom and what each of them names."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from strata.bank.coined import coined_words, with_coined
from strata.bank.names import key_of
from strata.bank.reading import COMMON
from strata.bank.subjects import named_by
from strata.history.evidence import digest_of
from strata.judges.naming import Named
from strata.language.cues import cue
from strata.models import Entry, Frame, Origin, Tag
from strata.notes.entries import one_line, parse_entry, worded
from strata.notes.retain import shown_retained

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import date

    from strata.bank.coined import Spans
    from strata.bank.reading import Reading
    from strata.models import Mention, Retained, Subject


class Kind(StrEnum):
    """What a statement is: of the world, what the agent did, what the owner wants."""

    WORLD = "W"
    EXPERIENCE = "B"
    OPINION = "O"
    EVENT = "E"


@dataclass(frozen=True, slots=True)
class Stated:
    """
    One statement of a note: line *number* of *path*, said on *day* at *time*.

    *text* is what it says, *shown* the same with who speaks and what it is about. *label*
    is its conversation, *names* whom and what *shown* names between *start* and *end*.
    *sure* is how sure whoever wrote it down is that it was said so, from 0 to 1.
    *entry* is how the note has it, and *entry_id* how the journal knows that, "" where it
    does not. *of* is whom and what a model said that it tells of.
    """

    text: str
    shown: str
    kind: Kind
    tag: Tag | None
    day: date
    time: str
    path: str
    number: int
    label: str
    start: int = 0
    end: int = 0
    names: tuple[Named, ...] = ()
    sure: float = 1.0
    entry: str = ""
    entry_id: str = ""
    retained: bool = False
    of: tuple[Subject, ...] = ()

    @property
    def moment(self) -> tuple[str, str, str, int]:
        """Its place among all: day and time, then where it stands."""
        return self.day.isoformat(), self.time, self.path, self.number

    @property
    def talk(self) -> str:
        """The conversation that it is of, or the day's own notes."""
        return f"{self.day.isoformat()} {self.label}"

    @property
    def key(self) -> str:
        """What stands for its words in the journal."""
        return digest_of(self.shown)[:_KEY_DIGITS]

    @property
    def source(self) -> str:
        """Where it stands: the note by its day, a week by its Monday, and the line."""
        name = self.path.rpartition("/")[2].removesuffix(".md")
        week = "weekly/" if self.path.startswith("memory/weekly/") else ""
        return f"{week}{name}#L{self.number}"


# A tag says by itself that it is a name, but not of what sort.
_TAGGED, _UNKNOWN, _PROJECT = 0.99, "thing", "project"
_KEY_DIGITS = 16
_PERSON = "person"
# He, she and it.
_REFERS = cue("naming.refers")
# What others wrote or said bears nothing out, whoever it is about.
_STRANGERS = {Origin.UNTRUSTED, Origin.SYSTEM}
_FOREIGN = {Frame.READ, Frame.HEARD}


def statements(
    mentions: Iterable[Mention],
    reading: Reading,
    gone: Callable[[str], str] = lambda _text: "",
    project: Callable[[str], object] = lambda _name: None,
) -> list[Stated]:
    """
    Return what *mentions* state, in the order in which it was said.

    *reading* tells whom and what they name, *gone* why a statement does not count any
    more, "" where it does, and *project* of which project a name is, if of any.
    """
    found = [(each, _entry(each)) for each in mentions if each.number]
    kept = [(each, entry) for each, entry in found if _counts(each, entry, gone)]
    texts = [entry.text for _, entry in kept]
    topics = [entry.topic for _, entry in kept]
    unheard = reading.unheard(texts)
    coined = coined_words(texts, [mention.day for mention, _ in kept], unheard)

    def named(said: Sequence[str], rare: Sequence[Spans]) -> list[tuple[Named, ...]]:
        read = zip(said, reading.named(said), rare, strict=True)
        return [with_coined(text, names, spans, coined) for text, names, spans in read]

    def is_role(name: str) -> bool:
        return reading.common(name) >= COMMON

    told, abouts = named(texts, unheard), named(topics, reading.unheard(topics))
    told = [
        named_by(mention.of, entry.text, is_role) if mention.of else names
        for (mention, entry), names in zip(kept, told, strict=True)
    ]
    stated = [
        _stated(mention, entry, names, about, is_role)
        for (mention, entry), names, about in zip(kept, told, abouts, strict=True)
    ]
    stated = [
        _of_project(each, topic) if topic and project(topic) else each
        for each, topic in zip(stated, topics, strict=True)
    ]
    return sorted(stated, key=lambda each: each.moment)


def _entry(mention: Mention) -> Entry:
    """Return what *mention* says, unable to forge the structure of a page."""
    if mention.retained:
        return Entry(mention.text, mention.tag)
    entry = parse_entry(mention.entry)
    return replace(entry, text=one_line(entry.text), topic=one_line(entry.topic))


def _counts(mention: Mention, entry: Entry, gone: Callable[[str], str]) -> bool:
    if mention.origin in _STRANGERS or entry.frame in _FOREIGN or not entry.text:
        return False
    return not any(map(gone, {mention.text, entry.text}))


def _stated(
    mention: Mention,
    entry: Entry,
    names: tuple[Named, ...],
    about: tuple[Named, ...],
    is_role: Callable[[str], bool],
) -> Stated:
    if mention.retained:
        return _retained(mention, mention.retained, names)
    shown = worded(entry)
    start, end, placed = _told_of(entry, shown, names, about, is_role)
    return Stated(
        text=entry.text,
        shown=shown,
        kind=_kind(mention, entry),
        tag=entry.tag,
        day=mention.day,
        time=mention.time,
        path=mention.path,
        number=mention.number,
        label=mention.label,
        start=start,
        end=end,
        names=placed,
        entry=mention.entry,
        entry_id=mention.entry_id,
        of=mention.of,
    )


def _told_of(
    entry: Entry,
    shown: str,
    names: tuple[Named, ...],
    about: tuple[Named, ...],
    is_role: Callable[[str], bool],
) -> tuple[int, int, tuple[Named, ...]]:
    """Return from where to where *shown* says of whom *entry* tells, and whom it names."""
    own = max(shown.find(entry.text), 0)
    named = any(each.sort == _PERSON and not is_role(each.text) for each in names)
    refers = not names or (not named and _REFERS.search(entry.text) is not None)
    if not entry.topic or not refers:
        return own, own + len(entry.text), _moved(names, own)
    # Her husband drives a tram: of him, and of whom that is about.
    topic = max(shown.rfind(entry.topic), 0)
    return 0, len(shown), (*_moved(names, own), *_moved(about, topic))


def _moved(names: Iterable[Named], shift: int) -> tuple[Named, ...]:
    return tuple(
        replace(each, start=each.start + shift, end=each.end + shift) for each in names
    )


def _of_project(stated: Stated, topic: str) -> Stated:
    """Return what is about a project by its *topic*, and may name others as well."""
    start, at = max(stated.shown.find(stated.text), 0), stated.shown.rfind(topic)
    own = Named(at, at + len(topic), topic, _PROJECT, _TAGGED)
    others = (each for each in stated.names if each.end <= at)
    end = len(stated.shown)
    return replace(stated, start=start, end=end, names=(*others, own))


def _retained(mention: Mention, retained: Retained, found: tuple[Named, ...]) -> Stated:
    """Return what an agent retained; those it is tagged with it tells of."""
    shown = shown_retained(retained)
    shift = len(shown) - len(retained.text)
    sorts = {key_of(each.text): each.sort for each in found}
    tagged, at = [], 0
    for name in retained.names:
        at = shown.find(name, at)
        sort = sorts.get(key_of(name), _UNKNOWN)
        tagged.append(Named(at, at + len(name), name, sort, _TAGGED))
        at += len(name)
    # Of names that stand before the text, the tags tell.
    before = len(mention.text) - len(retained.text)
    own = [each for each in found if each.start >= before]
    moved = (
        replace(e, start=e.start - before + shift, end=e.end - before + shift)
        for e in own
    )
    return Stated(
        text=mention.text,
        shown=shown,
        kind=Kind(retained.kind),
        tag=mention.tag,
        day=mention.day,
        time=mention.time,
        path=mention.path,
        number=mention.number,
        label=mention.label,
        end=len(shown),
        names=(*tagged, *moved),
        sure=retained.sure,
        entry=mention.entry,
        entry_id=mention.entry_id,
        retained=True,
    )


def _kind(mention: Mention, entry: Entry) -> Kind:
    if entry.frame is Frame.FOUND or mention.origin is Origin.AGENT:
        return Kind.EXPERIENCE
    if entry.tag is Tag.PREFERENCE:
        return Kind.OPINION
    if entry.tag in {Tag.FINDING, Tag.DECISION}:
        return Kind.WORLD
    return Kind.EVENT
