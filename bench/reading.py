"""
How fast OpenClaw's conversations are read, and with how much memory.

    python bench/reading.py [--megabytes 200] [--sessions 5000] [--sqlite-megabytes 100]

Writes made-up conversations into a temporary folder and reads them, each figure in a
process of its own. The conversations look like real ones: replies of a few hundred
characters, tool calls, tool outputs of which some are 60 KB, and a compaction now and then.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[1]
START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
MEGABYTE = 1_000_000
TALK = """
the build fails on main because pnpm and not npm is used there please look at worker seven
of shard four we decided to keep PostgreSQL 16 until March 3 部署 完成 之后 再 检查 日志
我们 决定 用 端口 8443 and the report for Ana goes out on Friday at 14:30
"""
WORDS = TALK.split()
LOG_LINE = (
    "2026-01-05T09:00:00.123Z INFO  ingest[42] req=4f3a shard=3 took=17ms queue=5\n"
)
TABLES = """
create table schema_meta (meta_key text);
create table session_nodes (session_key text primary key, current_session_id text,
  entry_json text, created_via text, spawned_by text);
create table session_windows (session_id text primary key, session_key text,
  created_at integer, updated_at integer, started_at integer,
  transcript_updated_at integer, hook_external_content_source text, chat_type text,
  session_scope text, spawned_by text);
create table transcript_events (session_id text, seq integer, event_json text,
  created_at integer, event_zstd blob, event_utf8_bytes integer,
  primary key (session_id, seq));
create table session_transcript_active_events (session_id text, active_position integer,
  event_seq integer, message_position integer, primary key (session_id, active_position));
create unique index active_seq on session_transcript_active_events (session_id, event_seq);
pragma user_version = 23;
"""


def main() -> None:
    options = _options()
    if options.measure:
        print(json.dumps(MEASURES[options.measure](options.state)))
        return
    with tempfile.TemporaryDirectory(prefix="strata-reading-") as folder:
        for name, make, measures in _plan(options):
            state = Path(folder, name)
            megabytes = make(state)
            print(f"{name}: {megabytes:.0f} MB")
            for measure in measures:
                _report(measure, _in_new_process(measure, state), megabytes)


def _plan(
    options: argparse.Namespace,
) -> list[tuple[str, Callable[[Path], float], tuple[str, ...]]]:
    return [
        (
            "one conversation, JSON lines",
            lambda state: write_jsonl(state, options.megabytes * MEGABYTE),
            ("outline", "read", "read-and-redact"),
        ),
        (
            "one conversation, SQLite",
            lambda state: write_sqlite(state, options.sqlite_megabytes * MEGABYTE),
            ("outline", "read"),
        ),
        (
            f"{options.sessions} old conversations",
            lambda state: write_many(state, options.sessions),
            ("sessions", "sessions-known"),
        ),
    ]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--sqlite-megabytes", type=int, default=100)
    parser.add_argument("--sessions", type=int, default=5000)
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    parser.add_argument("--state", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def _in_new_process(measure: str, state: Path) -> dict[str, float]:
    command = [sys.executable, __file__, "--measure", measure, "--state", str(state)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def _report(measure: str, figures: dict[str, float], megabytes: float) -> None:
    cpu, wall = figures["cpu"], figures["wall"]
    speed = "" if measure.startswith("sessions") else f"{megabytes / cpu:7.0f} MB/s CPU"
    print(
        f"  {measure:16} {cpu:6.2f} s CPU {wall:6.2f} s wall {speed}"
        f"{figures['peak_mb']:7.0f} MB peak, {figures['count']:.0f} items"
    )


def _measured(work: Callable[[], int]) -> dict[str, float]:
    cpu, wall = time.process_time(), time.perf_counter()
    count = work()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"cpu": cpu, "wall": wall, "peak_mb": peak, "count": count}


def measure_sessions(state: Path) -> dict[str, float]:
    return _measured(lambda: len(_transcripts(state).sessions()))


def measure_known_sessions(state: Path) -> dict[str, float]:
    known = {each.id: each.kind for each in _transcripts(state).sessions()}
    return _measured(lambda: len(_transcripts(state, known_kinds=known).sessions()))


def measure_outline(state: Path) -> dict[str, float]:
    transcripts = _transcripts(state)
    (session,) = transcripts.sessions()
    return _measured(lambda: len(transcripts.outline(session).times))


def measure_read(state: Path) -> dict[str, float]:
    """After an outline, of the last twenty messages: what a sync does."""
    transcripts = _transcripts(state)
    (session,) = transcripts.sessions()
    last = len(transcripts.outline(session).times) - 20
    read = transcripts.read
    return _measured(lambda: sum(1 for _ in read(session, wanted=lambda n: n > last)))


def measure_redacted(state: Path) -> dict[str, float]:
    """Of every message, as the first sync does."""
    transcripts = _transcripts(state)
    (session,) = transcripts.sessions()
    return _measured(lambda: sum(1 for _ in transcripts.read(session)))


MEASURES: dict[str, Callable[[Path], dict[str, float]]] = {
    "sessions": measure_sessions,
    "sessions-known": measure_known_sessions,
    "outline": measure_outline,
    "read": measure_read,
    "read-and-redact": measure_redacted,
}


def _transcripts(state: Path, **options: Any) -> Any:
    sys.path.insert(0, str(ROOT))
    from strata.transcripts.openclaw import Transcripts  # noqa: PLC0415 - from this checkout

    return Transcripts(state, **options)


def write_jsonl(state: Path, size: int) -> float:
    """Write one conversation of about *size* bytes; return its megabytes."""
    path = state / "agents/main/sessions/0b1e5c1a-0000-4000-8000-000000000001.jsonl"
    path.parent.mkdir(parents=True)
    written = 0
    with path.open("w", encoding="utf-8") as file:
        for line in _lines(path.stem):
            written += file.write(line + "\n")
            if written >= size:
                break
    return path.stat().st_size / MEGABYTE


def write_many(state: Path, count: int) -> float:
    """Write *count* small conversations of which the index lists the newest."""
    folder = state / "agents/main/sessions"
    folder.mkdir(parents=True)
    for number in range(count):
        session_id = f"{number:08x}-0000-4000-8000-000000000001"
        lines = [line for line, _ in zip(_lines(session_id), range(14), strict=False)]
        ending = "" if number % 3 else ".reset.2026-01-05T09-00-00.000Z"
        path = folder / f"{session_id}.jsonl{ending}"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    entry = {"sessionId": session_id, "chatType": "direct", "skills": "x" * 500_000}
    index = json.dumps({"agent:main:main": entry})
    (folder / "sessions.json").write_text(index, encoding="utf-8")
    return sum(path.stat().st_size for path in folder.iterdir()) / MEGABYTE


def write_sqlite(state: Path, size: int) -> float:
    """Write one conversation of about *size* bytes into a store; return its megabytes."""
    path = state / "agents/main/agent/openclaw-agent.sqlite"
    path.parent.mkdir(parents=True)
    session_id = "0b1e5c1a-0000-4000-8000-000000000001"
    written = 0
    store = sqlite3.connect(path)
    store.executescript(TABLES)
    moment = int(START.timestamp() * 1000)
    window = (session_id, "agent:main:main", moment, moment, "shared-main")
    store.execute(
        "insert into session_windows (session_id, session_key, created_at, updated_at,"
        " session_scope) values (?, ?, ?, ?, ?)",
        window,
    )
    for seq, line in enumerate(_lines(session_id)):
        row = (session_id, seq, line, moment)
        store.execute(
            "insert into transcript_events (session_id, seq, event_json, created_at)"
            " values (?, ?, ?, ?)",
            row,
        )
        store.execute(
            "insert into session_transcript_active_events values (?, ?, ?, null)",
            (session_id, seq, seq),
        )
        written += len(line.encode())
        if written >= size:
            break
    store.commit()
    store.close()
    return written / MEGABYTE


def _lines(session_id: str) -> Iterator[str]:
    """Write the lines of a conversation that never ends."""
    dice = random.Random(session_id)  # noqa: S311 - made-up words need no secrecy
    clock = START
    parent = None
    yield _json({"type": "session", "version": 3, "id": session_id, **_at(clock)})
    number = 0
    while True:
        for body in _turn(dice, number):
            number += 1
            clock += timedelta(seconds=dice.randrange(1, 40))
            entry_id = f"{number:08x}"
            place = {"id": entry_id, "parentId": parent, **_at(clock)}
            yield _json({"type": "message", **place, **body})
            parent = entry_id


def _turn(dice: random.Random, number: int) -> Iterator[dict[str, Any]]:
    yield _said("user", f"[Mon 2026-01-05 09:00 UTC] {_prose(dice, 20)}")
    for step in range(dice.randrange(3)):
        call = f"call_{number}_{step}"
        arguments = {"command": _prose(dice, 8)}
        part = {"type": "toolCall", "id": call, "name": "exec", "arguments": arguments}
        yield _said("assistant", [part], stopReason="toolUse", usage={"input": 9000})
        size = 60_000 if dice.randrange(12) == 0 else dice.randrange(200, 3000)
        output = (LOG_LINE * (size // len(LOG_LINE) + 1))[:size]
        yield _said(
            "toolResult",
            [{"type": "text", "text": output}],
            toolCallId=call,
            toolName="exec",
            isError=False,
            details={"exitCode": 0, "aggregated": output[:500]},
        )
    thinking = {"type": "thinking", "thinking": _prose(dice, 60)}
    text = {"type": "text", "text": _prose(dice, 90)}
    yield _said("assistant", [thinking, text], stopReason="stop", usage={"input": 9000})


def _said(role: str, content: object, **more: object) -> dict[str, Any]:
    return {"message": {"role": role, "content": content, **more}}


def _prose(dice: random.Random, words: int) -> str:
    return " ".join(dice.choices(WORDS, k=words))


def _at(clock: datetime) -> dict[str, str]:
    return {
        "timestamp": clock.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    }


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    main()
