"""reflect: the pages of people, things and opinions are again what the notes say."""

from __future__ import annotations

import gc
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from strata.bank.directory import directory_of
from strata.bank.names import key_of
from strata.bank.pages import bank_of, names_in
from strata.bank.statements import statements
from strata.errors import NotFound
from strata.history.descriptions import read_descriptions
from strata.history.taken_back import gone_from
from strata.jobs.banking.choosing import choices_of
from strata.jobs.banking.knowing import put_known
from strata.jobs.banking.remembering import RememberedReading
from strata.jobs.banking.two_of_a_name import ask_about
from strata.jobs.language import page_language
from strata.jobs.mentions import gather
from strata.jobs.projects.knowing import projects_of
from strata.jobs.thinking import forgotten_state, has_model
from strata.jobs.undoing.runs import alone, committed, run_id
from strata.messages import on_one_line
from strata.notes.bank import Page, render_page
from strata.notes.bank_marks import is_page, names_on, yours_in
from strata.sensitivity import rules_of
from strata.workspace.layout import BANK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import date

    from strata.bank.directory import Choices, Directory
    from strata.bank.pages import Bank
    from strata.bank.roles import Twofold
    from strata.bank.statements import Stated
    from strata.memory import Memory
    from strata.messages import Voice

REFLECT = "reflect"
_MADE_AT_ONCE = 100_000


@dataclass(frozen=True, slots=True)
class InQuestion:
    """A *name* that may be two people's, and what each is told by, with where it stands."""

    name: str
    sides: tuple[tuple[str, tuple[str, ...]], tuple[str, tuple[str, ...]]]


@dataclass(slots=True)
class ReflectReport:
    """
    Which pages are *new*, *changed* or *gone*, and which names may mean several.

    *twofold* are those of which nobody can be all that is said.
    A model was asked about so many pages as *described*, of whose sentences *refused* were
    not borne out; *proposed* are the pairs of names that it takes for one.
    """

    new: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    doubts: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    twofold: list[InQuestion] = field(default_factory=list)
    pages: int = 0
    described: int = 0
    refused: int = 0
    proposed: list[tuple[str, str]] = field(default_factory=list)

    @property
    def paths(self) -> list[str]:
        """Every page that appeared, changed or went away."""
        return sorted({*self.new, *self.changed, *self.gone})

    def go_on(self, after: ReflectReport) -> None:
        """Take in what came *after*, as if both had been done at once."""
        passing = {*self.new} & {*after.gone}
        self.new = [e for e in (*self.new, *after.new) if e not in passing]
        gone = [*self.gone, *(e for e in after.gone if e not in passing)]
        self.gone = [each for each in gone if each not in after.new]
        changed = dict.fromkeys((*self.changed, *after.changed))
        self.changed = [e for e in changed if e not in {*self.new, *self.gone}]
        self.doubts, self.pages = after.doubts, after.pages
        self.twofold = after.twofold


@dataclass(frozen=True, slots=True)
class ReadNotes:
    """What the notes state, whom that tells of, what the owner decided, and the reading."""

    stated: list[Stated]
    directory: Directory
    choices: Choices
    reading: RememberedReading


@dataclass(frozen=True, slots=True)
class Reflected:
    """The statements of the notes, who and what they tell of, and the pages of that."""

    stated: list[Stated]
    directory: Directory
    bank: Bank


def reflect(memory: Memory, *, dry_run: bool = False) -> ReflectReport:
    """
    Bring the bank up to date; what the owner wrote on a page stays.

    It is made of the notes, of the owner's decisions and of what a model said before, which
    the journal has: deleted, it comes back. A model is asked once the pages stand, while
    nobody has to wait for it.
    """
    with alone(memory):
        if dry_run:
            return bring_up(memory, dry_run=True)
        report, made = _brought_up_alone(memory)
        forgotten = forgotten_state(memory)
    if has_model(memory):
        _describe(memory, made, forgotten, report)
    return report


def told_pages(report: ReflectReport, say: Voice, most: int = 20) -> Iterator[str]:
    """Say which pages *report* made, changed and removed, at *most* so many of each."""
    for kind in ("new", "changed", "gone"):
        paths = getattr(report, kind)
        for path in paths[:most]:
            yield say(kind, path=on_one_line(path))
        if len(paths) > most:
            yield say("more", count=len(paths) - most)


def reflect_on_all(memory: Memory) -> list[str]:
    """Bring the banks of *memory* and of its scopes up to date; return what changed."""
    if not memory.settings.bank:
        return []
    changed = reflect(memory).paths
    for scope in memory.scopes.names():
        theirs = memory.within(scope)
        changed += (theirs.path_in_private(path) for path in reflect(theirs).paths)
    return changed


def bring_up_alone(memory: Memory) -> ReflectReport:
    """Make the pages what they are to be, as a change of its own."""
    report, _ = _brought_up_alone(memory)
    return report


def bring_up(memory: Memory, *, dry_run: bool = False) -> ReflectReport:
    """Make the pages what they are to be; the caller lets no other job in."""
    report, _ = _brought_up(memory, dry_run=dry_run)
    return report


def _describe(
    memory: Memory, made: Reflected, forgotten: set[str], report: ReflectReport
) -> None:
    """Let the model say what the pages tell, and put what is borne out on them."""
    from strata.jobs.banking.describing import describe  # noqa: PLC0415 - few ask a model

    told = describe(memory, made.bank, made.directory, forgotten)
    if not told.records:
        return
    with alone(memory):
        if forgotten_state(memory) != forgotten:
            # What was forgotten meanwhile may be in what the model had read.
            return
        memory.journal.append(told.records)
        report.go_on(bring_up_alone(memory))
    report.described, report.refused = told.pages, told.refused
    report.proposed = told.proposed


def _brought_up_alone(memory: Memory) -> tuple[ReflectReport, Reflected]:
    at = memory.now.isoformat(timespec="seconds")
    with committed(memory, run_id(REFLECT, at, 0), REFLECT):
        return _brought_up(memory)


def _brought_up(
    memory: Memory, *, dry_run: bool = False
) -> tuple[ReflectReport, Reflected]:
    today = memory.now.astimezone(memory.timezone).date()
    with _seldom_collected():
        made = reflected(memory, today, keep=not dry_run)
    report = ReflectReport(pages=len(made.bank.pages))
    report.doubts = [(each.name, each.among) for each in made.directory.doubts]
    report.twofold = [
        _in_question(each, made.stated) for each in made.directory.twofold
    ]
    _Writing(memory, made.bank, report, dry_run=dry_run).write()
    if not dry_run:
        put_known(memory, made.bank, made.directory)
        ask_about(memory, made.directory, made.stated)
    return report, made


@contextmanager
def _seldom_collected() -> Iterator[None]:
    """
    Let Python look for garbage less often meanwhile.

    Tens of thousands of statements are made and none of them is any: to go through all of
    them again and again takes a tenth of the time.
    """
    before = gc.get_threshold()
    gc.set_threshold(_MADE_AT_ONCE, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _in_question(two: Twofold, stated: Sequence[Stated]) -> InQuestion:
    sides = (two.one, two.told_of_one), (two.other, two.told_of_other)
    one, other = (
        (side, tuple(f"“{stated[n].shown}” ({stated[n].source})" for n in places))
        for side, places in sides
    )
    return InQuestion(two.name, (one, other))


def reflected(memory: Memory, today: date, *, keep: bool = True) -> Reflected:
    """Return what the bank is on *today*; *keep* what was read for the next time."""
    notes = read_notes(memory)
    stated, directory, reading = notes.stated, notes.directory, notes.reading
    masks = rules_of(memory.settings.trust_masked, setting="trust.masked")
    masked = {each.shown for each in stated if masks.holds(each.shown)}
    language = page_language(memory)
    described = read_descriptions(memory.journal)
    bank = bank_of(stated, directory, today, language, reading, masked, described)
    if keep:
        reading.keep()
    return Reflected(stated, directory, bank)


def read_notes(memory: Memory, *, everybody: bool = False) -> ReadNotes:
    """Return what the notes of *memory* tell of whom; *everybody* are also the rare."""
    reading, choices = RememberedReading(memory), choices_of(memory.journal)
    project = projects_of(memory).find
    stated = statements(gather(memory), reading, gone_from(memory.journal), project)
    found = directory_of(stated, reading.common, choices, everybody=everybody)
    return ReadNotes(stated, found, choices, reading)


class _Writing:
    """Puts the pages of *bank* in their places, with what the owner wrote on them."""

    def __init__(
        self, memory: Memory, bank: Bank, report: ReflectReport, *, dry_run: bool
    ) -> None:
        self._memory, self._bank, self._report = memory, bank, report
        self._language = page_language(memory)
        self._dry = dry_run
        self._leaving = {
            path: memory.workspace.read(path)
            for path in _standing(memory)
            if path not in bank.pages
        }
        self._carried = self._carry()

    def write(self) -> None:
        """Write what changes, then let go of what nobody speaks of any more."""
        for path, page in sorted(self._bank.pages.items()):
            is_new = not self._memory.workspace.read(path)
            rendered = partial(self._rendered, page, self._carried.get(path, []))
            if self._put(path, rendered):
                (self._report.new if is_new else self._report.changed).append(path)
        carried = {text for texts in self._carried.values() for text in texts}
        for path, text in self._leaving.items():
            yours = yours_in(text)
            if yours.strip() and yours not in carried:
                # Nothing is said of it any more; what the owner wrote stays.
                page = Page((names_on(text) or [path])[0])
                if self._put(path, partial(self._rendered, page, [])):
                    self._report.changed.append(path)
            else:
                self._leave(path, text)

    def _carry(self) -> dict[str, list[str]]:
        """Return what the owner wrote on pages whose entity has another page now."""
        by_name = names_in(self._bank)
        found: dict[str, list[str]] = {}
        for text in self._leaving.values():
            yours = yours_in(text)
            paths = [by_name.get(key_of(name)) for name in names_on(text)]
            target = next(filter(None, paths), None)
            if target and yours.strip():
                found.setdefault(target, []).append(yours)
        return found

    def _rendered(self, page: Page, carried: Sequence[str], text: str) -> str:
        """Return *page* with what the owner wrote; what others put there stays."""
        if text.strip() and not is_page(text):
            return text
        yours = yours_in(text)
        for each in carried:
            if each not in yours:
                ended = yours if yours.endswith("\n") or not yours else f"{yours}\n"
                yours = ended + each
        return render_page(page, self._language, yours)

    def _put(self, path: str, rendered: Callable[[str], str]) -> bool:
        if self._dry:
            before = self._memory.workspace.read(path)
            return rendered(before) != before
        return self._memory.workspace.update(path, rendered)

    def _leave(self, path: str, text: str) -> None:
        """Remove the page at *path*, of which nothing is said any more."""
        with suppress(NotFound):
            if self._dry or self._memory.workspace.remove(path, text=text):
                self._report.gone.append(path)


def _standing(memory: Memory) -> Iterator[str]:
    """Give every page of ours that stands in the bank."""
    root = memory.workspace.root
    for file in sorted((root / BANK).rglob("*.md")):
        path = file.relative_to(root).as_posix()
        if is_page(memory.workspace.read(path)):
            yield path
