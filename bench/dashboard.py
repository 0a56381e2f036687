"""
What the dashboard costs over a large memory: its start, each page, and the memory it takes.

    python bench/dashboard.py [--notes 2000] [--rules 1000] [--runs 10] [--keep DIR]

Writes a workspace of invented notes, five blocks a day, and below the latest days rules
that a night distils into MEMORY.md and the journal; indexes all of it with vectors mixed
from real ones (see `search.py`); starts the real command, and asks each page as a browser
does. CPU is that of the server's process; a start ends with the first page.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from http.cookiejar import CookieJar
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

PROJECT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(PROJECT), str(PROJECT / "tests"), str(PROJECT / "bench")]

import search  # noqa: E402 - beside this file
from builders_rules import write_rules  # noqa: E402 - lies beside the tests

from strata.dashboard.desk import PLACES  # noqa: E402 - after the path is set
from strata.embedding_models.folder import find_model  # noqa: E402 - the same
from strata.history.evidence import entry_id  # noqa: E402 - the same
from strata.jobs.tidy import tidy  # noqa: E402 - the same
from strata.memory import Memory  # noqa: E402 - the same
from strata.search.indexing.index import Index  # noqa: E402 - the same
from strata.workspace.journal import Journal  # noqa: E402 - the same

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

BLOCKS_A_DAY = 5
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Cost:
    """What a page cost: milliseconds of CPU and of wall time, and its kilobytes."""

    cpu: float
    wall: float
    size: float


@dataclass
class Window:
    """A dashboard that runs as process *pid*, and the browser that it let in."""

    pid: int
    here: str
    browser: urllib.request.OpenerDirector

    def form(self, path: str) -> str:
        """Return what a form on the page at *path* has to send with it."""
        with self.browser.open(self.here + path) as reply:
            found = re.search(r'name="form" value="([^"]+)"', reply.read().decode())
        return found[1] if found else ""

    def ask(self, path: str, fields: Mapping[str, str] | None = None) -> Cost:
        """Ask for the page at *path*, by a form where there are *fields*."""
        origin = self.here[: self.here.index("/", len("http://"))]
        sent = urlencode(fields).encode() if fields else None
        # Nothing but the window that was started here.
        asked = urllib.request.Request(self.here + path, sent, {"Origin": origin})  # noqa: S310
        before, started = self.cpu, time.perf_counter()
        with self.browser.open(asked) as reply:
            content = reply.read()
        wall = time.perf_counter() - started
        return Cost(1000 * (self.cpu - before), 1000 * wall, len(content) / 1000)

    @property
    def cpu(self) -> float:
        """The seconds of CPU that the process has used, of 10 ms each."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    @property
    def megabytes(self) -> float:
        """How much memory the process has for itself: mapped files are not counted."""
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return next(int(e.split()[1]) for e in lines if e.startswith("RssAnon")) / 1000


def main() -> None:
    """Print what a start and each page cost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=2000)
    parser.add_argument("--rules", type=int, default=480)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--keep", type=Path, help="a workspace to make or to use again")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        workspace = options.keep or Path(name)
        if not (workspace / "MEMORY.md").exists():
            _write(workspace, options.notes, options.rules)
        _starts(workspace, options.runs)
        _pages(workspace, options.runs)


def _write(workspace: Path, notes: int, rules: int) -> None:
    last = write_rules(workspace, count=rules)
    randomly = random.Random(search.SEED)  # noqa: S311 - invented notes are no secret
    journal = Journal(workspace / ".strata" / "journal.jsonl")
    for number in range(1, notes + 1):
        day = last - timedelta(days=number)
        file = workspace / "memory" / f"{day}.md"
        if not file.exists():
            blocks = [search._block(randomly, hour) for hour in range(BLOCKS_A_DAY)]  # noqa: SLF001 - one of two halves
            file.write_text(f"# {day}\n\n" + "\n".join(blocks), encoding="utf-8")
            journal.append(_captured(day, block) for block in blocks)
    memory = Memory.open(
        workspace=str(workspace), state_dir=str(workspace), now=f"{last}T23:00:00+00:00"
    )
    tidy(memory, compress=False, archive=False)
    model = find_model(PROJECT)
    if model is None:
        sys.exit("no embedding model; run `strata embed` first")
    index = Index(workspace / ".strata" / "index", workspace, model)
    index.__dict__["encoder"] = search.MixingEncoder(model)
    index.update()
    index.embed()


def _captured(day: date, block: str) -> dict[str, object]:
    """Return what the journal has of a *block*, as capture writes it."""
    head, *lines = block.splitlines()
    label = head.partition("session:")[2][:8]
    session = f"{label}-0000-4000-8000-000000000000"
    evidence = {"message": label, "sha256": "0" * 64, "origin": "user"}
    entries = [
        {"id": entry_id(session, f"m{n}", line), "tag": "", "evidence": [evidence]}
        for n, line in enumerate(lines)
    ]
    told = {"session": session, "label": label, "day": day.isoformat()}
    return {
        "event": "captured",
        "at": f"{day}T12:00:00+00:00",
        **told,
        "entries": entries,
    }


def _starts(workspace: Path, runs: int) -> None:
    costs = []
    for _ in range(runs):
        with _window(workspace) as window:
            costs.append(window.cpu)
    print(f"start to first page: {1000 * statistics.median(costs):4.0f} ms of CPU")


def _pages(workspace: Path, runs: int) -> None:
    notes = sorted((workspace / "memory").glob("????-??-??.md"))
    latest, oldest = notes[-1].stem, notes[0].stem
    question = quote(search.ENGLISH)
    paths = [
        *PLACES.values(),
        *(f"/read?path=memory/{day}.md" for day in (latest, oldest)),
        *(f"/time?month={day[:7]}" for day in (latest, oldest)),
        f"/time?year={latest[:4]}",
        f"/time/day?date={latest}",
        *("/story?of=MEMORY.md:12", f"/search?q={question}"),
        *("/health/settings", "/health/audit", "/nowhere"),
    ]
    with _window(workspace) as window:
        print(f"{window.megabytes:.0f} MB after the first page")
        for path in paths:
            _page(window, path, runs)
        for path, text in {"/why": search.ENGLISH, "/forget": "the gate"}.items():
            fields = {"form": window.form(path), "text": text}
            to = {"/why": path, "/forget": "/forget/preview"}[path]
            _page(window, to, min(runs, 2), fields)
        print(f"{window.megabytes:.0f} MB after all pages")


def _page(
    window: Window, path: str, runs: int, fields: Mapping[str, str] | None = None
) -> None:
    try:
        first = window.ask(path, fields)
    except urllib.error.HTTPError as error:
        print(f"{path:40} {error.code}")
        return
    costs = [window.ask(path, fields) for _ in range(runs)]
    cpu = statistics.mean(each.cpu for each in costs)
    wall = statistics.median(each.wall for each in costs)
    print(
        f"{path[:40]:40} CPU {cpu:4.0f} ms, wall {wall:4.0f} ms (first {first.wall:4.0f}), "
        f"{first.size:4.0f} KB, {window.megabytes:.0f} MB"
    )


@contextmanager
def _window(workspace: Path) -> Iterator[Window]:
    """Start the command, and give it once the first page is there."""
    command = [
        *(sys.executable, "-m", "strata", "--workspace", str(workspace)),
        *("--state-dir", str(workspace), "dashboard", "--no-open"),
    ]
    with subprocess.Popen(
        command,
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        address = process.stdout.readline().strip() if process.stdout else ""
        cookies = urllib.request.HTTPCookieProcessor(CookieJar())
        browser = urllib.request.build_opener(cookies)
        with browser.open(address) as reply:
            reply.read()
            here = reply.url.rstrip("/")
        try:
            yield Window(process.pid, here, browser)
        finally:
            process.send_signal(signal.SIGINT)


if __name__ == "__main__":
    main()
