"""Conversations become transcripts, and Strata runs over them for some nights."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpus import Case, Turn

ROOT = Path(__file__).parents[2]
FIRST_DAY = datetime(2026, 11, 20, 8, 0, tzinfo=UTC)
NIGHTS = (1, 2, 9)
_ROLES = {"U": "user", "A": "assistant", "C": "assistant", "T": "toolResult"}


@dataclass
class World:
    """A state folder with a workspace, and all that Strata printed about it."""

    root: Path
    settings: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    printed: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    """What a language model was sent, where one is used."""

    @property
    def workspace(self) -> Path:
        return self.root / "workspace"

    @property
    def state(self) -> Path:
        return self.root / "state"

    def write(self, cases: Sequence[Case]) -> None:
        """Write a transcript for each of *cases*, one conversation each."""
        folder = self.state / "agents" / "main" / "sessions"
        folder.mkdir(parents=True)
        self.workspace.mkdir()
        listed = {}
        for at, case in enumerate(cases):
            name = session_id(case)
            (folder / f"{name}.jsonl").write_text(
                "\n".join(_lines(name, case.turns, at)) + "\n", encoding="utf-8"
            )
            key = f"agent:main:{at}"
            listed[key] = {"sessionId": name, "chatType": "direct"}
        (folder / "sessions.json").write_text(json.dumps(listed))

    def strata(self, *arguments: str, at: datetime) -> str:
        """Run one command at that moment; keep and return what it printed."""
        flags = [part for setting in self.settings for part in ("--set", setting)]
        command = [sys.executable, "-m", "strata", "--workspace", str(self.workspace)]
        command += ["--state-dir", str(self.state), "--now", at.isoformat(), *flags]
        done = subprocess.run(
            [*command, *arguments],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "HOME": str(self.root), **self.environment},
        )
        if done.returncode not in {0, 1}:
            raise SystemExit(f"strata {arguments} failed: {done.stderr}")
        self.printed += [done.stdout, done.stderr]
        return done.stdout

    def live(self) -> None:
        """Sync on the first evening, then tidy some nights and refresh the index."""
        self.strata("sync", "--since", "60d", at=FIRST_DAY + timedelta(hours=12))
        for night in NIGHTS:
            self.strata("tidy", at=FIRST_DAY + timedelta(days=night, hours=-5))
        self.strata("update", at=FIRST_DAY + timedelta(days=NIGHTS[-1]))
        for arguments in (("status",), ("review", "-n", "500"), ("review", "--json")):
            self.strata(*arguments, at=FIRST_DAY + timedelta(days=NIGHTS[-1]))


def session_id(case: Case) -> str:
    """Return the id of the conversation that plays *case*."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, case.name))


def _lines(name: str, turns: Sequence[Turn], at: int) -> list[str]:
    moment = FIRST_DAY + timedelta(minutes=at)
    lines = [
        _dump({"type": "session", "version": 3, "id": name, "timestamp": _iso(moment)})
    ]
    last = None
    for step, (who, text) in enumerate(turns):
        moment += timedelta(seconds=5)
        entry = {"id": f"{step:08x}", "parentId": last, "timestamp": _iso(moment)}
        lines.append(
            _dump({"type": "message", **entry, "message": _message(who, text)})
        )
        last = entry["id"]
    return lines


def _message(who: str, text: str) -> dict[str, object]:
    message: dict[str, object] = {"role": _ROLES[who]}
    content: list[dict[str, object]] = [{"type": "text", "text": text}]
    if who == "C":
        arguments = {"command": text}
        content = [
            {"type": "toolCall", "id": "c1", "name": "exec", "arguments": arguments}
        ]
    if who == "T":
        message |= {"toolName": "exec", "toolCallId": "c1", "isError": False}
    return {**message, "content": content}


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _iso(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")
