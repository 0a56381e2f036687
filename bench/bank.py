"""
The bank on a month of a person's talk: whose pages it has, and whether they are right.

Usage: ``python bench/bank.py bank/dev_en.yaml … [--verbose] [--keep DIR] [--speed N]``

Each file under `bank/` is a month of invented talk with the truth beside it; its writer had
read neither code nor data. It is played through the command line as one backfill; then
``reflect`` makes the pages, and each question is asked by ``query`` and ``recall``.
``--speed N`` times a rebuild and a reflect after one conversation over N entries instead.

With a language model it is the same command, in the environment that `by_hand.py` tells of,
and with limits that wait (``STRATA_MODEL_MAX_CALLS_PER_RUN=500
STRATA_MODEL_MAX_SECONDS_PER_RUN=36000 STRATA_MODEL_MAX_TOKENS_PER_DAY=100000000``). Asked
are the conversations, those of a day together (20 to 30 questions a month), what is to be
worded again (one), and the pages (some four). Whoever answers sees the questions alone:
neither the month's file nor what ``--verbose`` names.
"""

from __future__ import annotations

import argparse
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import yaml
from evening import QUIET, Evening, Home

PROJECT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PROJECT))

from strata.bank.names import key_of  # noqa: E402 - of this bundle
from strata.notes.marks import unmarked  # noqa: E402 - the same

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

SOURCE = re.compile(r"\(src: ([^)]*)\)\s*$")
SUMMARY = ("Summary\n", "摘要\n")
CITED = re.compile(r"(\d{4}-\d\d-\d\d)#L(\d+)")


class Month(Evening):
    """The talk of a month, and the truth about whom and what it tells of."""

    def __init__(self, file: Path) -> None:
        self.told = yaml.safe_load(file.read_text(encoding="utf-8"))
        self.zone = ZoneInfo(self.told["zone"])
        self.zone_name = str(self.told["zone"])
        self.talks = sorted(
            (self._timed(each) for each in self.told["conversations"]),
            key=lambda talk: talk[1][0][0],
        )
        self.entities = self.told["entities"]
        self.names = [
            {key_of(str(n)) for n in (e["name"], *e.get("aliases", ()))}
            for e in self.entities
        ]

    def place_of(self, ident: str) -> int:
        """Return the place of the entity *ident*."""
        return next(n for n, each in enumerate(self.entities) if each["id"] == ident)

    def own_names(self, place: int) -> set[str]:
        """Return the names of an entity that nobody else has."""
        others = set().union(*(n for at, n in enumerate(self.names) if at != place))
        return self.names[place] - others


def held(groups: Sequence[Sequence[object]], line: str) -> bool:
    """Tell whether *line* holds a token of each of *groups*."""
    said = line.casefold()
    return all(any(str(t).casefold() in said for t in group) for group in groups)


class Score:
    """What the bank of a played month comes to."""

    def __init__(self, month: Month, home: Home) -> None:
        self.month, self.home = month, home
        self.now = month.talks[-1][1][-1][0] + timedelta(days=2)
        self.pages = [
            {
                "path": e["path"],
                "keys": {key_of(n) for n in e["names"]},
                "names": e["names"],
            }
            for e in home.strata(self.now, "entity", "--list")["entities"]
        ]

    def of(self, place: int) -> list[dict[str, Any]]:
        """Return the pages that an entity of the truth has."""
        own = self.month.own_names(place) or self.month.names[place]
        return [page for page in self.pages if page["keys"] & own]

    def entities(self) -> tuple[int, int, int, list[str]]:
        """Return how many are found, how many pages are somebody's, and wrong merges."""
        every = range(len(self.month.entities))
        found = sum(bool(self.of(place)) for place in every)
        good = sum(
            any(page["keys"] & names for names in self.month.names)
            for page in self.pages
        )
        wrong = [
            " + ".join(str(self.month.entities[p]["name"]) for p in places)
            for page in self.pages
            if len(
                places := [p for p in every if page["keys"] & self.month.own_names(p)]
            )
            > 1
        ]
        return found, good, len(self.pages), wrong

    def uncited(self) -> tuple[int, int]:
        """
        Return how many lines cite nothing that says so, and how many there are.

        A model's sentences above them are worded anew, and held to what they cite by
        Strata itself (`describing.py`).
        """
        bad = lines = 0
        for page in sorted((self.home.workspace / "memory/bank").rglob("*.md")):
            parts = page.read_text(encoding="utf-8").split("\n## ")
            for line in "\n".join(
                each for each in parts if not each.startswith(SUMMARY)
            ).splitlines():
                told = SOURCE.search(line)
                if line.startswith("- ") and not line.startswith("- [["):
                    lines += 1
                    bad += not (told and self._says(line, CITED.findall(told[1])))
        return bad, lines

    def _says(self, line: str, cited: Iterable[tuple[str, str]]) -> bool:
        for day, number in cited:
            for file in self.home.workspace.glob(f"memory/**/{day}.md"):
                note = file.read_text(encoding="utf-8").split("\n")
                said = re.sub(r"^- (?:\[[^\]]+\] )?", "", note[int(number) - 1])
                if said and unmarked(said) in line:
                    return True
        return False

    def values(self) -> Iterator[tuple[str, bool, bool]]:
        """Give for each reversal whether it is in the notes, and right now and then."""
        for each in self.month.told["reversals"]:
            noted = self._noted(each["old"]) and self._noted(each["new"])
            right = True
            for day, good, bad in (
                (self.now.date(), each["new"], each["old"]),
                (each["as_of_before"], each["old"], each["new"]),
                (each["as_of_after"], each["new"], each["old"]),
            ):
                right = right and self._first(each, str(day), good, bad)
            yield each["question"], noted, right

    def _noted(self, told: dict[str, Any]) -> bool:
        return any(
            held(told["any"], line)
            for text in self.home.notes().values()
            for line in text.splitlines()
        )

    def _first(
        self, each: dict[str, Any], day: str, good: dict[str, Any], bad: dict[str, Any]
    ) -> bool:
        """Tell whether the first line that holds either value holds the good one."""
        words = ["recall", each["question"], "-n", "40"]
        if str(day) < str(self.now.date()):
            words += ["--as-of", day]
        for row in self.home.strata(self.now, *words)["results"]:
            if held(good["any"], row["text"]) and not row["until"]:
                return True
            if held(good["any"], row["text"]) and str(row["until"]) > str(day):
                return True
            if held(bad["any"], row["text"]):
                return False
        return False

    def questions(self) -> Iterator[tuple[str, bool, bool, bool]]:
        """Give for each question: noted, answered first, and from a page of the bank."""
        for each in self.month.told["questions"]:
            noted = self._noted(each)
            hits = self.home.strata(self.now, "query", each["q"])["results"]
            first = bool(hits) and held(each["any"], hits[0]["snippet"])
            yield each["q"], noted, first, bool(hits) and hits[0]["tier"] == "bank"

    def brier(self) -> list[float]:
        """Return for each opinion that is held how far its confidence is off."""
        rows = []
        for each in self.month.told["opinions"]:
            found = self.home.strata(
                self.now, "recall", each["says"], "--kind", "O", "-n", "10"
            )["results"]
            line = next((r for r in found if held(each["any"], r["text"])), None)
            if line:
                holds = 0.0 if each.get("against") else 1.0
                sure = 0.0 if line["until"] else float(line["confidence"])
                rows.append((sure - holds) ** 2)
        return rows


def play(file: Path, root: Path, *, verbose: bool) -> None:
    month = Month(file)
    home = Home(root / file.stem, month)
    for talk in month.talks:
        home.say(talk)
    end = month.talks[-1][1][-1][0]
    home.strata(end + QUIET, "sync")
    # A model is asked about the last conversation once it is surely over.
    home.strata(end + timedelta(days=1), "sync")
    told = home.strata(end + timedelta(days=2), "reflect")
    score = Score(month, home)
    found, good, pages, wrong = score.entities()
    recall, precision = found / len(month.entities), good / max(pages, 1)
    both = 2 * recall * precision / max(recall + precision, 1e-9)
    bad, lines = score.uncited()
    values = list(score.values())
    asked = list(score.questions())
    brier = score.brier()
    noted = [row for row in values if row[1]]
    known = [row for row in asked if row[1]]
    print(f"{file.stem}")
    print(f"  entities: found {found} of {len(month.entities)}, pages {pages} of which")
    print(f"    {good} are theirs: F1 {both:.2f}; wrong merges {len(wrong)} {wrong}")
    print(f"  lines without a source that says so: {bad} of {lines}")
    print(
        f"  values now and as of two days right: {sum(r[2] for r in values)} of"
        f" {len(values)}, of those in the notes {sum(r[2] for r in noted)} of {len(noted)}"
    )
    print(
        f"  questions: first hit holds the answer {sum(r[2] for r in asked)} of"
        f" {len(asked)}, of those in the notes {sum(r[2] for r in known)} of {len(known)};"
        f" from a page {sum(r[3] for r in asked)}"
    )
    print(
        f"  asked whether a name is two people's: {len(told['twofold'])}; named for"
        f" MEMORY.md: {len(told['for_memory'])}"
    )
    if brier:
        print(
            f"  opinions found {len(brier)}, Brier score {statistics.mean(brier):.2f}"
        )
    if verbose:
        for place, each in enumerate(month.entities):
            if not score.of(place):
                print(f"    no page: {each['name']} {each.get('aliases')}")
        theirs = [p for p in score.pages if not any(p["keys"] & n for n in month.names)]
        for page in theirs:
            print(f"    nobody's: {page['names']}")
        for question, was_noted, right in values:
            print(
                f"    value {'right' if right else 'wrong'} (noted {was_noted}): {question}"
            )
        for question, was_noted, first, page_first in asked:
            if not first:
                print(
                    f"    not first (noted {was_noted}, page {page_first}): {question}"
                )


def speed(count: int) -> None:
    """Time a rebuild and an incremental reflect over *count* entries of all months."""
    entries = []
    for file in sorted((PROJECT / "bench/bank").glob("*.yaml")):
        for talk in yaml.safe_load(file.read_text(encoding="utf-8"))["conversations"]:
            entries += [str(t["u"]).strip() for t in talk["turns"] if "u" in t]
    with tempfile.TemporaryDirectory() as temporary:
        workspace = Path(temporary) / "workspace"
        (workspace / "memory").mkdir(parents=True)
        days = max(count // 14, 1)
        first = date(2024, 11, 1)
        for day in range(days):
            told = first + timedelta(days=day)
            lines = [
                f"- [finding] {entries[(day * 14 + n) % len(entries)]} ({day % 97})"
                for n in range(14)
            ]
            text = f"# {told}\n\n## 10:00 session:{day:08x} | 20 messages\n"
            note = workspace / "memory" / f"{told}.md"
            note.write_text(text + "\n".join(lines) + "\n", encoding="utf-8")
        now = (first + timedelta(days=days)).isoformat() + "T09:00:00"

        def timed() -> tuple[float, float]:
            before, began = (
                resource.getrusage(resource.RUSAGE_CHILDREN),
                time.monotonic(),
            )
            command = [
                *(sys.executable, "-m", "strata", "--workspace", str(workspace)),
                *("--state-dir", temporary, "--now", now, "reflect"),
            ]
            subprocess.run(command, cwd=PROJECT, check=True, capture_output=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            return cpu, time.monotonic() - began

        print(f"{days * 14} entries, {days} days")
        print("first: {:.1f} s of CPU ({:.1f} s)".format(*timed()))
        shutil.rmtree(workspace / "memory/bank")
        print("bank deleted, readings kept: {:.2f} s ({:.2f} s)".format(*timed()))
        note = workspace / "memory" / f"{first + timedelta(days=days)}.md"
        note.write_text(
            f"# {first + timedelta(days=days)}\n\n## 08:00 session:ffffffff | 9 messages\n"
            + "".join(f"- [finding] {each} today\n" for each in entries[:6]),
            encoding="utf-8",
        )
        print("after one conversation: {:.2f} s ({:.2f} s)".format(*timed()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="*")
    parser.add_argument("--verbose", action="store_true", help="name what is wrong")
    parser.add_argument("--keep", type=Path, help="where the homes are left")
    parser.add_argument("--speed", type=int, default=0)
    options = parser.parse_args()
    if options.speed:
        speed(options.speed)
        return
    with tempfile.TemporaryDirectory() as temporary:
        for file in options.files:
            play(file, options.keep or Path(temporary), verbose=options.verbose)


if __name__ == "__main__":
    main()
