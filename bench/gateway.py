"""
How long Strata holds the only thread of a real OpenClaw gateway, and how soon a note is.

Starts OpenClaw 2026.9.6 with a model on loopback, installs Strata, and lets conversations
end one by one, a hundred at once, and where Python is missing or there is no room. What
a busy machine adds is taken off, and told. Usage: bench/gateway.py [CONVERSATIONS]
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from live_openclaw import Live  # noqa: E402 - the path is set just before

if TYPE_CHECKING:
    from collections.abc import Callable

os.environ.setdefault("STRATA_LIVE_TESTS", "1")
VERSION = "2026.9.6"
AT_ONCE = 100


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
    live.wait(cache.exists, "the plugin is loaded", 60)
    _show("the listener is started", live.steps()[:1])
    delays = [0.0] * number

    def one_by_one() -> None:
        delays[:] = [_end_one(live, each) for each in range(number)]

    _held(live, "one by one", one_by_one)
    _held(live, f"{AT_ONCE} at once", lambda: _end_many(live, AT_ONCE))
    with live.without_launcher():
        _held(live, "Python missing", lambda: _end_many(live, 10))
    with live.without_room():
        _held(live, "disk full", lambda: _end_many(live, 10))
    print(f"end to note: median {median(delays):.2f} s, longest {max(delays):.2f} s")


def _held(live: Live, what: str, act: Callable[[], None]) -> None:
    before = len(live.steps())
    act()
    live.call("health")
    time.sleep(1)
    _show(what, live.steps()[before:])


def _show(what: str, steps: list[dict[str, Any]]) -> None:
    held = [step["held"] for step in steps]
    passed = [step["passed"] for step in steps]
    print(
        f"{what}: {sum(len(step['names']) for step in steps)} events in {len(steps)} "
        f"steps, held {median(held):.2f} ms in the median, {max(held):.2f} ms at most "
        f"({max(passed):.2f} ms with what other programs took)"
    )


def _end_many(live: Live, number: int) -> None:
    keys = [f"agent:main:telegram:direct:{1000 + each}" for each in range(number)]
    live.call_all("sessions.create", [{"key": key, "agentId": "main"} for key in keys])
    live.call_all("sessions.delete", [{"key": key} for key in keys])


def _end_one(live: Live, number: int) -> float:
    session = f"agent:main:telegram:direct:{number}"
    live.say(f"Locker {number}5433 is mine.", "Keep it locked.", session=session)
    live.say("/new", session=session)
    return live.wait_for_note(f"{number}5433")


if __name__ == "__main__":
    main()
