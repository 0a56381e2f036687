"""
How long Strata holds the only thread of a real OpenClaw gateway, and how soon a note is.

Starts OpenClaw 2026.9.6 with a model on loopback, installs Strata, and lets conversations
end one by one and twenty at once. Usage: bench/gateway.py [CONVERSATIONS]
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from live_openclaw import Live  # noqa: E402 - the path is set just before

os.environ.setdefault("STRATA_LIVE_TESTS", "1")
VERSION = "2026.9.6"


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    with tempfile.TemporaryDirectory(prefix="strata-gateway-") as folder:
        live = Live(Path(folder) / "live", VERSION)
        try:
            _measure(live, number)
        finally:
            live.close()


def _measure(live: Live, number: int) -> None:
    live.start()
    live.say("hello")
    live.strata("install", "--yes").check_returncode()
    cache = live.workspace / ".strata" / "cache" / "sync.json"
    live.wait(cache.exists, "the plugin is loaded")
    delays = [_end_one(live, each) for each in range(number)]
    keys = [f"agent:main:telegram:direct:{1000 + each}" for each in range(20)]
    live.call_all("sessions.create", [{"key": key, "agentId": "main"} for key in keys])
    live.call_all("sessions.delete", [{"key": key} for key in keys])
    records = [json.loads(line) for line in live.probe.read_text().splitlines()]
    for what in ("start", "write"):
        held = [record["held"] for record in records if record["what"] == what]
        print(
            f"{what}: {len(held)} times, median {statistics.median(held):.2f} ms, "
            f"longest {max(held):.2f} ms"
        )
    print(
        f"end of a conversation to its note: median {statistics.median(delays):.2f} s, "
        f"longest {max(delays):.2f} s"
    )


def _end_one(live: Live, number: int) -> float:
    session = f"agent:main:telegram:direct:{number}"
    live.say(f"Locker {number}5433 is mine.", "Keep it locked.", session=session)
    live.say("/new", session=session)
    return live.wait_for_note(f"{number}5433")


if __name__ == "__main__":
    main()
