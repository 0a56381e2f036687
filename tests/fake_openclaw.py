"""A stand-in for OpenClaw's command line: what `install` needs of it, and its files."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

PROGRAM = """#!/bin/sh
exec {python} {file} {state} "$@"
"""


def make(state: Path, *, version: str = "2026.9.6") -> Path:
    """
    Put a program `openclaw` beside *state* and return it.
    """
    program = state.parent / "bin" / "openclaw"
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(
        PROGRAM.format(python=sys.executable, file=__file__, state=state)
    )
    program.chmod(0o755)
    (state / "fake.json").write_text(json.dumps({"version": version, "jobs": []}))
    return program


def remember(state: Path, **values: Any) -> None:
    """
    Change what the stand-in is like: its `jobs`, whether its `gateway` runs.
    """
    file = state / "fake.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | values))


def recall(state: Path) -> dict[str, Any]:
    """
    Return what the stand-in holds.
    """
    found: dict[str, Any] = json.loads((state / "fake.json").read_text())
    return found


def main(state: Path, arguments: list[str]) -> int:
    fake = recall(state)
    if arguments == ["--version"]:
        print(f"OpenClaw {fake['version']} (fake)")
    elif arguments[:2] == ["config", "patch"] and fake.get("broken"):
        print("error: it cannot be written", file=sys.stderr)
        return 1
    elif arguments[:2] == ["config", "patch"]:
        _patch(state / "openclaw.json", json.load(sys.stdin))
    elif arguments == ["cron", "add", "--help"]:
        print("" if fake.get("old") else "--command-argv <json>")
    elif fake.get("gateway") == "off":
        print("gateway connect failed: ECONNREFUSED 127.0.0.1:18789", file=sys.stderr)
        return 1
    elif arguments[:2] == ["cron", "list"]:
        print("a line that is no JSON\n" + json.dumps({"jobs": fake["jobs"]}))
    elif arguments[:2] == ["cron", "add"] and fake.get("refuses", "-") in arguments:
        print("error: no such channel", file=sys.stderr)
        return 1
    elif arguments[:2] == ["cron", "add"]:
        _add(state, fake, arguments[2:])
    elif arguments[:2] == ["cron", "rm"]:
        left = [job for job in fake["jobs"] if job["id"] != arguments[2]]
        remember(state, jobs=left)
    else:
        print(f"error: unknown command {arguments}", file=sys.stderr)
        return 1
    return 0


def _add(state: Path, fake: dict[str, Any], arguments: list[str]) -> None:
    flags = {"--exact", "--no-deliver", "--light-context", "--announce"}
    words = [each for each in arguments if each not in flags]
    options = dict(zip(words[::2], words[1::2], strict=True))
    key = options["--declaration-key"]
    job = {
        "id": f"id-of-{key}",
        "name": options["--name"],
        "declarationKey": key,
        "schedule": {"expr": options["--cron"], "tz": options.get("--tz")},
        "delivery": {
            "mode": "announce" if "--announce" in arguments else "none",
            "channel": options.get("--channel", "last"),
            "to": options.get("--to"),
        },
        "payload": {
            "argv": json.loads(options.get("--command-argv", "null")),
            "message": options.get("--message"),
        },
    }
    others = [each for each in fake["jobs"] if each["declarationKey"] != key]
    remember(state, jobs=[*others, job], added=fake.get("added", 0) + 1)


def _patch(file: Path, patch: dict[str, Any]) -> None:
    configuration = json.loads(file.read_text())
    _merge(configuration, patch)
    configuration["meta"] = {"lastTouchedVersion": "fake"}
    file.write_text(json.dumps(configuration, indent=2))


def _merge(table: dict[str, Any], patch: dict[str, Any]) -> None:
    for key, value in patch.items():
        if value is None:
            table.pop(key, None)
        elif isinstance(value, dict):
            _merge(table.setdefault(key, {}), value)
        else:
            table[key] = value


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
