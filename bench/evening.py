"""
An evening with a new user: does memory hold what was said, and nothing else?

Usage: ``python bench/evening.py EVENING.yaml [--verbose] [--keep DIR]``

An evening is some days of talk in two languages, with the truth beside it: facts that
were said, proposed and taken up, put right without naming their subject, or found out by
the agent; and what must stand nowhere: jokes, what was taken back or declined, old values.
It is played twice through the command line, as JSONL transcripts: live (a sync some
minutes after each conversation, a tidy each night, the questions weeks later) and as a
backfill of the same history in one sync. Settings come from ``STRATA_…`` variables.
``bench/evenings/README.md`` tells the format.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import yaml
from sync import iso

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

PROJECT = Path(__file__).resolve().parents[1]
# Between two turns of which none says when it was.
TURN = timedelta(seconds=40)
# A conversation is settled after it was quiet for so long.
QUIET = timedelta(minutes=6)
# Nights until the last day has become part of its week.
WEEKS_LATER = 17
ENTRY = re.compile(r"^- (?P<said>.+)$")
WEEK_LINE = re.compile(r"^(?!#)(?P<said>\S.+)$")
SHOWN = 3


@dataclass(frozen=True)
class Truth:
    """What a line must say to hold a fact; none of the words in *without* may be in it."""

    id: str
    kind: str
    says: str
    groups: tuple[tuple[str, ...], ...]
    without: tuple[str, ...] = ()
    lasts: bool = False

    def held_by(self, line: str) -> bool:
        said = line.casefold()
        return all(any(t in said for t in group) for group in self.groups) and not any(
            token in said for token in self.without
        )


def truths(rows: Iterable[Mapping[str, Any]]) -> list[Truth]:
    return [
        Truth(
            str(row.get("id", "")),
            str(row.get("kind", "")),
            str(row.get("says", "")),
            tuple(tuple(str(t).casefold() for t in group) for group in row["any"]),
            tuple(str(t).casefold() for t in row.get("not", ())),
            bool(row.get("lasts")),
        )
        for row in rows
    ]


class Evening:
    """The talk of a scenario, as transcripts, in the order in which it was."""

    def __init__(self, file: Path) -> None:
        told = yaml.safe_load(file.read_text(encoding="utf-8"))
        self.zone = ZoneInfo(told["zone"])
        self.zone_name = str(told["zone"])
        self.facts = truths(told["facts"])
        self.neutral = truths(told.get("neutral", ()))
        self.never = truths(told["never"])
        self.questions = [(str(q["q"]), set(q["facts"])) for q in told["questions"]]
        self.edits = list(told.get("edits", ()))
        self.talks = sorted(
            (self._timed(each) for each in told["conversations"]),
            key=lambda talk: talk[1][0][0],
        )

    def _timed(
        self, talk: Mapping[str, Any]
    ) -> tuple[str, list[tuple[datetime, Mapping[str, Any]]]]:
        turns: list[tuple[datetime, Mapping[str, Any]]] = []
        for turn in talk["turns"]:
            if "at" in turn:
                local = datetime.fromisoformat(str(turn["at"]))
                moment = local.replace(tzinfo=self.zone).astimezone(UTC)
            else:
                moment = turns[-1][0] + TURN
            turns.append((moment, turn))
        return str(talk["session"]), turns

    @property
    def first_night(self) -> datetime:
        """Three in the morning after the first day."""
        first = self.talks[0][1][0][0].astimezone(self.zone)
        return first.replace(hour=3, minute=0, second=0) + timedelta(days=1)


class Home:
    """A state folder and a workspace, with what Strata's command line makes of them."""

    def __init__(self, root: Path, evening: Evening) -> None:
        self.workspace = root / "workspace"
        self._state = root / "state"
        self._sessions = self._state / "agents" / "main" / "sessions"
        self._evening = evening
        self.workspace.mkdir(parents=True)
        self._sessions.mkdir(parents=True)
        (self._sessions / "sessions.json").write_text("{}", encoding="utf-8")
        self._last: dict[str, str] = {}

    def say(self, talk: tuple[str, list[tuple[datetime, Mapping[str, Any]]]]) -> None:
        """Append a conversation to the transcript of its session."""
        session, turns = talk
        name = sha256(session.encode()).hexdigest()
        ident = f"{name[:8]}-{name[8:12]}-4{name[13:16]}-8{name[17:20]}-{name[20:32]}"
        file = self._sessions / f"{ident}.jsonl"
        lines: list[dict[str, Any]] = []
        if session not in self._last:
            head = {"type": "session", "version": 3, "id": ident}
            lines.append({**head, "timestamp": iso(turns[0][0])})
        for number, (moment, turn) in enumerate(turns):
            own = f"{name[:4]}{int(moment.timestamp()):x}{number:02d}"
            entry = {"type": "message", "id": own, "timestamp": iso(moment)}
            parent = self._last.get(session)
            lines.append({**entry, "parentId": parent, "message": _message(turn, own)})
            self._last[session] = own
        with file.open("a", encoding="utf-8") as out:
            out.writelines(
                json.dumps(line, ensure_ascii=False) + "\n" for line in lines
            )
        os.utime(file, (turns[-1][0].timestamp(),) * 2)

    def strata(self, now: datetime, *words: str) -> Any:
        options = {"workspace": self.workspace, "state-dir": self._state}
        given = [f"--{name}={value}" for name, value in options.items()]
        clock = [
            "--now",
            now.isoformat(),
            "--set",
            f"timezone={self._evening.zone_name}",
        ]
        command = [sys.executable, "-m", "strata", *given, *clock, "--json", *words]
        done = subprocess.run(
            command, cwd=PROJECT, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise SystemExit(f"{' '.join(words)}: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def notes(self) -> dict[str, str]:
        """Return the daily notes, archived ones too, by their names."""
        memory = self.workspace / "memory"
        return {
            file.name: file.read_text(encoding="utf-8")
            for file in (*memory.glob("2*.md"), *memory.glob("archive/*/2*.md"))
        }

    def lines(self, pattern: str, form: re.Pattern[str]) -> list[str]:
        files = sorted(self.workspace.glob(pattern))
        texts = [file.read_text(encoding="utf-8") for file in files]
        found = (form.match(line) for text in texts for line in text.splitlines())
        return [each["said"] for each in found if each]


def _message(turn: Mapping[str, Any], own: str) -> dict[str, Any]:
    if "tool" in turn:
        failed = not turn.get("ok", True)
        called = {"toolCallId": own, "toolName": turn["tool"], "isError": failed}
        content = [{"type": "text", "text": str(turn.get("out", "ok"))}]
        return {"role": "toolResult", **called, "content": content}
    role, text = ("user", turn["u"]) if "u" in turn else ("assistant", turn["a"])
    return {"role": role, "content": [{"type": "text", "text": str(text)}]}


@dataclass
class Hand:
    """What somebody changed by hand on the page: lines that stay, facts that stay away."""

    kept: list[str]
    gone: list[Truth]


def play_live(home: Home, evening: Evening) -> tuple[dict[str, str], Hand]:
    """Play all days; return the notes before any is archived, and the hand's work."""
    night, hand = evening.first_night, Hand([], [])
    talks = list(evening.talks)
    notes: dict[str, str] = {}
    for number in range(WEEKS_LATER):
        while talks and talks[0][1][0][0] < night:
            home.say(talks[0])
            home.strata(talks.pop(0)[1][-1][0] + QUIET, "sync")
        if not talks and not notes:
            notes = home.notes()
        home.strata(night, "tidy")
        _by_hand(home, evening, number + 1, hand)
        night += timedelta(days=1)
    return notes, hand


def play_late(home: Home, evening: Evening) -> dict[str, str]:
    """Let one sync find all of it; return the notes."""
    for talk in evening.talks:
        home.say(talk)
    home.strata(evening.talks[-1][1][-1][0] + QUIET, "sync")
    return home.notes()


def _by_hand(home: Home, evening: Evening, night: int, hand: Hand) -> None:
    """Do what the scenario's owner does to the page after this night."""
    page = home.workspace / "MEMORY.md"
    for edit in evening.edits:
        if edit["night"] != night or not page.exists():
            continue
        fact = next(each for each in evening.facts if each.id == edit["fact"])
        lines = page.read_text(encoding="utf-8").splitlines(keepends=True)
        place = next((n for n, each in enumerate(lines) if fact.held_by(each)), None)
        if place is None:
            continue
        if edit["do"] == "delete":
            del lines[place]
            hand.gone.append(fact)
        else:
            lines[place] = f"- {edit['with']}\n"
            hand.kept.append(f"- {edit['with']}")
        page.write_text("".join(lines), encoding="utf-8")


class Score:
    """What the files of a played evening come to, and what is wrong with them."""

    def __init__(self, evening: Evening, home: Home, notes: Mapping[str, str]) -> None:
        self._evening = evening
        self.entries = [
            found["said"]
            for _, text in sorted(notes.items())
            for found in map(ENTRY.match, text.splitlines())
            if found
        ]
        self.page = home.lines("MEMORY.md", ENTRY)
        self.weeks = home.lines("memory/weekly/*.md", WEEK_LINE)

    def missing(self, lines: Sequence[str], *, lasting: bool = False) -> list[Truth]:
        wanted = (f for f in self._evening.facts if f.lasts or not lasting)
        return [fact for fact in wanted if not any(map(fact.held_by, lines))]

    def useless(self, lines: Sequence[str], *, lasting: bool = False) -> list[str]:
        facts = [f for f in self._evening.facts if f.lasts or not lasting]
        return [line for line in self._told(lines) if not _any_held(facts, line)]

    def _told(self, lines: Sequence[str]) -> list[str]:
        """Return the lines of which the truth knows whether they are of use."""
        facts, neutral = self._evening.facts, self._evening.neutral
        return [
            each
            for each in lines
            if _any_held(facts, each) or not _any_held(neutral, each)
        ]

    def useful_share(self, lines: Sequence[str], *, lasting: bool = False) -> str:
        told = self._told(lines)
        fine = len(told) - len(self.useless(lines, lasting=lasting))
        return f"{fine}/{len(told)} = {fine / max(1, len(told)):.2f}"

    def wrong(self) -> Iterator[tuple[str, Truth, str]]:
        """Give what must not stand, and where; an old value may stand in its own day."""
        for name, lines in (
            ("note", self.entries),
            ("week", self.weeks),
            ("page", self.page),
        ):
            for truth in self._evening.never:
                if name != "note" or truth.kind != "old":
                    yield from ((name, truth, x) for x in lines if truth.held_by(x))

    def kinds(self, missing: Sequence[Truth]) -> str:
        lost = Counter(fact.kind for fact in missing)
        every = Counter(fact.kind for fact in self._evening.facts)
        return ", ".join(f"{k} {n - lost[k]}/{n}" for k, n in sorted(every.items()))


def _any_held(truths: Iterable[Truth], line: str) -> bool:
    return any(truth.held_by(line) for truth in truths)


def answered(home: Home, evening: Evening) -> list[tuple[str, bool]]:
    """Ask each question weeks later; is a fact that answers it among the first hits?"""
    by_id = {fact.id: fact for fact in evening.facts}
    now = evening.first_night + timedelta(days=WEEKS_LATER, hours=9)
    found = []
    for question, ids in evening.questions:
        told = home.strata(now, "query", question)
        shown = [str(each["snippet"]) for each in told["results"][:SHOWN]]
        lines = [line for snippet in shown for line in snippet.splitlines()]
        held = any(by_id[i].held_by(line) for i in ids for line in lines)
        found.append((question, held))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("evening", type=Path)
    parser.add_argument("--verbose", action="store_true", help="name what is wrong")
    parser.add_argument("--keep", type=Path, help="where the homes are left")
    options = parser.parse_args()
    evening = Evening(options.evening)
    with tempfile.TemporaryDirectory() as temporary:
        root = options.keep or Path(temporary)
        live, late = Home(root / "live", evening), Home(root / "late", evening)
        notes, hand = play_live(live, evening)
        same = play_late(late, evening) == notes
        report(evening, live, notes, verbose=options.verbose)
        print(f"backfill gives the same notes: {'yes' if same else 'NO'}")
        print(f"the hand's work that stands: {standing(live, hand)}")


def standing(home: Home, hand: Hand) -> str:
    """Say how many of the hand's edits hold to the end, of how many."""
    page = home.workspace / "MEMORY.md"
    lines = page.read_text(encoding="utf-8").splitlines()
    kept = sum(line in lines for line in hand.kept)
    gone = sum(not any(map(fact.held_by, lines)) for fact in hand.gone)
    return f"{kept + gone}/{len(hand.kept) + len(hand.gone)}"


def report(
    evening: Evening, home: Home, notes: Mapping[str, str], *, verbose: bool
) -> None:
    score = Score(evening, home, notes)
    lost, unheld = score.missing(score.entries), score.missing(score.page, lasting=True)
    facts, lasting = len(evening.facts), sum(f.lasts for f in evening.facts)
    asked = answered(home, evening)
    wrong = list(score.wrong())
    print(f"facts in notes {facts - len(lost)}/{facts} ({score.kinds(lost)})")
    print(f"note lines of use {score.useful_share(score.entries)}")
    print(f"lasting facts on the page {lasting - len(unheld)}/{lasting}")
    print(f"page lines of use {score.useful_share(score.page, lasting=True)}")
    weeks = len(score.weeks) / max(1, len(score.entries))
    print(f"facts in weeks {facts - len(score.missing(score.weeks))}/{facts}", end="; ")
    print(f"{weeks:.2f} lines an entry")
    print(f"questions answered {sum(held for _, held in asked)}/{len(asked)}")
    print(f"what must not stand: {len(wrong)}")
    if not verbose:
        return
    for fact in lost:
        print(f"  no note says ({fact.id}, {fact.kind}): {fact.says}")
    for line in score.useless(score.entries):
        print(f"  of no use in a note: {line}")
    for fact in unheld:
        print(f"  not on the page ({fact.id}): {fact.says}")
    for line in score.useless(score.page, lasting=True):
        print(f"  of no use on the page: {line}")
    for where, truth, line in wrong:
        print(f"  must not stand ({truth.id}, {truth.kind}, {where}): {line}")
    for question, held in asked:
        if not held:
            print(f"  not answered: {question}")


if __name__ == "__main__":
    main()
