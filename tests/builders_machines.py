"""Two machines, each with its own disk, and a synchroniser that is no friend."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from builders import Conversation
from killing import Killed, killed_before

from strata.jobs.forgetting.forget import forget
from strata.jobs.forgetting.target import Target
from strata.jobs.machines.history import of_all
from strata.jobs.machines.joining import join, key_of
from strata.jobs.remember import remember
from strata.jobs.sync import sync
from strata.jobs.tidy import tidy
from strata.memory import Memory

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

MORNING = datetime(2026, 11, 2, 8, 0, tzinfo=UTC)
# By how many minutes two clocks may differ: most agree, some are a day apart.
APART = (0, 0, 0, 2, -2, 60, -60, 1440, -1440)
_TOKEN = re.compile(r"zq\d+[ab]")


@dataclass
class Machine:
    """
    A workspace, a state folder and a place for what is shared, below *root*.
    """

    root: Path
    name: str
    day: int = 0
    minutes: int = 0
    # By how many minutes its clock is wrong.
    ahead: int = 0
    talks: list[Conversation] = field(default_factory=list)

    @property
    def shared(self) -> Path:
        return self.root / "shared"

    @property
    def now(self) -> datetime:
        return MORNING + timedelta(days=self.day, minutes=self.minutes + self.ahead)

    def memory(self, *, locked: bool = False) -> Memory:
        (self.root / "workspace" / "memory").mkdir(parents=True, exist_ok=True)
        return Memory.open(
            workspace=str(self.root / "workspace"),
            state_dir=str(self.root / "state"),
            now=self.now.isoformat(),
            overrides=["timezone=UTC", "digest=false", "bank=false"],
            locked=locked,
        )

    def says(self, text: str, *, goes_on: bool = False) -> None:
        """
        The owner says *text* here, in a new conversation or in the one before.
        """
        self.minutes += 3
        if not (goes_on and self.talks):
            number = len(self.talks)
            name = f"{number:04x}{ord(self.name):04x}-0000-4000-8000-{number:012d}"
            key = f"agent:main:{self.name}{number}"
            self.talks.append(Conversation(self.root / "state", name, key, self.now))
            self.talks[-1].user("Hello there").agent("Hello.")
        talk = self.talks[-1]
        talk.at = self.now
        talk.user(text).agent("Noted.")
        talk.save()
        self.minutes += 3

    def notes(self) -> dict[str, str]:
        """
        Return the notes that machines share, by the name that all know.
        """
        folder = self.root / "workspace" / "memory"
        files = [*folder.glob("2*.md"), *folder.glob("archive/*/2*.md")]
        found = {each.name: each.read_text() for each in sorted(files)}
        weeks = sorted(folder.glob("weekly/*.md"))
        return found | {f"weekly/{each.name}": each.read_text() for each in weeks}

    def history(self) -> list[dict[str, object]]:
        """
        Return what the journal tells of all machines, without whose it is.
        """
        return of_all(self.memory())


@dataclass
class Carrier:
    """
    A synchroniser: it carries whole files, late, twice, in any order, or not at all.
    """

    machines: tuple[Machine, Machine]
    random: Random
    # What was put into one folder and may still come into the other, oldest first.
    under_way: list[tuple[int, str, bytes]] = field(default_factory=list)

    def look(self) -> None:
        """
        Notice what either machine has put into its folder.
        """
        for number, machine in enumerate(self.machines):
            for file in sorted(machine.shared.glob("*.json*")):
                item = (1 - number, file.name, file.read_bytes())
                if item not in self.under_way and self._is_own(file, machine):
                    self.under_way.append(item)

    def carry(self) -> None:
        """
        Deliver something of what is under way, which may be old by now.
        """
        self.look()
        if self.under_way:
            self._deliver(self.random.choice(self.under_way[-12:]))

    def settle(self) -> None:
        """
        Deliver all that is newest, whole, as every synchroniser does in the end.
        """
        self.under_way = []
        self.look()
        for goal, name, content in self.under_way:
            self._put(goal, name, content)

    def _deliver(self, item: tuple[int, str, bytes]) -> None:
        goal, name, content = item
        if self.random.random() < 0.1 and len(content) > 2:
            # Cut off on its way; it comes whole some other time.
            content = content[: self.random.randrange(1, len(content))]
        self._put(goal, name, content)

    def _put(self, goal: int, name: str, content: bytes) -> None:
        folder = self.machines[goal].shared
        folder.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)

    @staticmethod
    def _is_own(file: Path, machine: Machine) -> bool:
        ids = (machine.root / "state" / "strata" / "machines").glob("*")
        return file.stem in {"memory", *(each.read_text() for each in ids)}


@dataclass
class Lives:
    """
    Two machines of one owner, on which days pass as *random* has it.
    """

    a: Machine
    b: Machine
    carrier: Carrier
    random: Random
    said: int = 0
    gone: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)
    forgotten: set[str] = field(default_factory=set)
    edited: set[str] = field(default_factory=set)

    def step(self) -> None:
        """
        Let one thing happen on one of the machines, and the synchroniser do something.
        """
        machine = self.random.choice((self.a, self.b))
        machine.minutes = max(self.a.minutes, self.b.minutes) + 1
        acts = (
            *([self._talk] * 5),
            *([self._sync] * 4),
            self._write,
            self._edit,
            self._take_out,
            self._forget,
            self._remember,
            self._night,
        )
        self.random.choice(acts)(machine)
        for _ in range(self.random.randrange(3)):
            self.carrier.carry()

    def end(self) -> None:
        """
        Let everything arrive, and both machines look until nothing is new.
        """
        for _ in range(4):
            for machine in (self.a, self.b):
                self.carrier.settle()
                machine.minutes = max(self.a.minutes, self.b.minutes) + 1
                sync(machine.memory())
            self.carrier.settle()

    def faults(self) -> list[str]:
        """
        Return what is wrong in the end: what differs, was lost, is there twice or back.
        """
        one, other = self.a.notes(), self.b.notes()
        found = [
            f"differs: {name}\n{one.get(name)}\n---\n{other.get(name)}"
            for name in sorted(one.keys() | other.keys())
            if one.get(name) != other.get(name)
        ]
        if self.a.history() != self.b.history():
            found.append("the histories differ")
        days = [text for name, text in one.items() if not name.startswith("weekly/")]
        said = [word for text in days for word in _TOKEN.findall(text)]
        for word in sorted(self.written):
            if word not in self.gone and word not in said:
                found.append(f"lost: {word}")
            if word not in self.edited and said.count(word) > 1:
                found.append(f"twice: {word}")
        for word in sorted(self.forgotten):
            found += [f"back: {word} in {each}" for each in self._files_with(word)]
        return found

    def _files_with(self, word: str) -> list[Path]:
        places = [
            each.root / name
            for each in (self.a, self.b)
            for name in ("workspace", "shared")
        ]
        files = [
            file for place in places for file in place.rglob("*") if file.is_file()
        ]
        return [each for each in files if re.search(rf"{word}\b", _text(each))]

    def _word(self, machine: Machine) -> str:
        self.said += 1
        return f"zq{self.said}{machine.name}"

    def _talk(self, machine: Machine) -> None:
        word = self._word(machine)
        text = f"We decided that the {word} server listens on port {3000 + self.said}."
        machine.says(text, goes_on=self.random.random() < 0.5)
        self.written.add(word)
        if self.random.random() < 0.7:
            self._sync(machine)

    def _sync(self, machine: Machine) -> None:
        machine.minutes += 1
        change = self.random.choice((0, 0, 0, 1, 2, 3, 4))
        try:
            with killed_before(change):
                sync(machine.memory())
        except Killed:
            pass

    def _write(self, machine: Machine) -> None:
        """The agent writes a line of its own, below a heading of its own or at the end."""
        note = self._todays(machine)
        word = self._word(machine)
        text = note.read_text() if note.exists() else f"# {note.stem}\n"
        heading = self.random.choice(("", "## Notes\n", f"## Round {self.said}\n"))
        note.write_text(f"{text.rstrip()}\n\n{heading}- {word} was looked at\n")
        self.written.add(word)

    def _edit(self, machine: Machine) -> None:
        """A hand changes an entry."""
        note, lines = self._entries(machine)
        if lines:
            line = self.random.choice(lines)
            more = line.rstrip("\n").rstrip(".") + f", as of round {self.said}.\n"
            note.write_text(note.read_text().replace(line, more, 1))
            self.edited.update(_TOKEN.findall(line))

    def _take_out(self, machine: Machine) -> None:
        """A hand takes an entry out."""
        note, lines = self._entries(machine)
        if lines:
            line = self.random.choice(lines)
            note.write_text(note.read_text().replace(line, "", 1))
            self.gone.update(_TOKEN.findall(line))

    def _forget(self, machine: Machine) -> None:
        # Also one that this machine has not heard yet.
        words = sorted(self.written - self.gone)
        if words and self.random.random() < 0.5:
            word = self.random.choice(words)
            machine.minutes += 1
            forget(machine.memory(), Target(text=word))
            self.gone.add(word)
            self.forgotten.add(word)

    def _remember(self, machine: Machine) -> None:
        word = self._word(machine)
        machine.minutes += 1
        remember(machine.memory(), f"The {word} key lies in drawer {self.said}.")
        self.written.add(word)

    def _night(self, machine: Machine) -> None:
        self.a.day = self.b.day = machine.day + self.random.randrange(1, 4)
        sync(machine.memory())
        tidy(machine.memory())

    def _todays(self, machine: Machine) -> Path:
        folder = machine.root / "workspace" / "memory"
        folder.mkdir(parents=True, exist_ok=True)
        return folder / f"{machine.now.date().isoformat()}.md"

    def _entries(self, machine: Machine) -> tuple[Path, list[str]]:
        note = self._todays(machine)
        text = note.read_text() if note.exists() else ""
        lines = text.splitlines(keepends=True)
        return note, [each for each in lines if each.startswith("- ") and "zq" in each]


def _text(file: Path) -> str:
    return file.read_bytes().decode("utf-8", "replace")


def two_machines(root: Path, random: Random, *, apart: int = 0) -> Lives:
    """
    Two machines of one owner that share one memory, below *root*.

    The clock of the second one is *apart* minutes ahead.
    """
    a, b = (Machine(root / name, name) for name in "ab")
    b.ahead = apart
    for each in (a, b):
        (each.root / "state").mkdir(parents=True)
        each.says("Good morning")
        sync(each.memory())
    lives = Lives(a, b, Carrier((a, b), random), random)
    join(a.memory(), str(a.shared))
    lives.carrier.settle()
    join(b.memory(), str(b.shared), key_of(a.memory()))
    return lives
