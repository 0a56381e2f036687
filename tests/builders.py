"""Small conversations on disk, as OpenClaw writes them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

SHARED = Path(__file__).parents[2] / "shared"
START = datetime(2026, 11, 20, 10, 0, tzinfo=UTC)


@dataclass
class Conversation:
    """
    A JSONL transcript below *state*, listed under *key* in the session index.

    It began in *folder*, where that is given.
    """

    state: Path
    id: str = "61871d67-1111-4222-8333-444444444444"
    key: str = "agent:main:main"
    at: datetime = START
    lines: list[str] = field(default_factory=list)
    last: str | None = None
    folder: str = ""

    def user(
        self, text: str, *, after: timedelta = timedelta(minutes=1)
    ) -> Conversation:
        """
        The owner says *text*.
        """
        return self.message("user", text, after=after)

    def agent(
        self, text: str, *, after: timedelta = timedelta(minutes=1)
    ) -> Conversation:
        """
        The agent answers *text*.
        """
        return self.message("assistant", text, after=after)

    def tool(self, name: str, output: str, **arguments: str) -> Conversation:
        """
        A tool that the agent called gives *output*; with *arguments* the call is there.
        """
        if arguments:
            call = {
                "type": "toolCall",
                "id": "c1",
                "name": name,
                "arguments": arguments,
            }
            self._entry({"role": "assistant", "content": [call]}, timedelta(seconds=5))
        content = [{"type": "text", "text": output}]
        result: dict[str, object] = {"role": "toolResult", "toolName": name}
        result["content"] = content
        if arguments:
            result["toolCallId"] = "c1"
        return self._entry({**result, "isError": False}, timedelta(seconds=5))

    def message(self, role: str, text: str, *, after: timedelta) -> Conversation:
        """
        *role* says *text*, *after* the last entry.
        """
        content = [{"type": "text", "text": text}]
        return self._entry({"role": role, "content": content}, after)

    def reset(self) -> Conversation:
        """
        Somebody says /new, after which OpenClaw 2026.9 keeps the conversation.
        """
        entry = {"type": "reset", "id": f"r{len(self.lines):07d}", "reason": "new"}
        entry |= {"parentId": self.last or "", "timestamp": _iso(self.at)}
        self.lines.append(json.dumps(entry))
        self.last = entry["id"]
        return self

    def rewind(self, messages: int) -> Conversation:
        """
        Go back to before the last *messages* entries; what follows is another branch.
        """
        entry = json.loads(self.lines[-messages - 1])
        self.last = entry["id"]
        return self

    def save(self) -> Path:
        """
        Write the transcript and the index of sessions.
        """
        folder = self.state / "agents" / "main" / "sessions"
        folder.mkdir(parents=True, exist_ok=True)
        index = folder / "sessions.json"
        listed = json.loads(index.read_text()) if index.exists() else {}
        listed[self.key] = {"sessionId": self.id, "chatType": "direct"}
        index.write_text(json.dumps(listed))
        header = {"type": "session", "version": 3, "id": self.id}
        header["timestamp"] = _iso(START)
        header |= {"cwd": self.folder} if self.folder else {}
        path = folder / f"{self.id}.jsonl"
        path.write_text("\n".join([json.dumps(header), *self.lines]) + "\n")
        return path

    def _entry(self, message: dict[str, object], after: timedelta) -> Conversation:
        self.at += after
        own = f"{self.id[:4]}{len(self.lines):04d}"
        entry = {
            "type": "message",
            "id": own,
            "parentId": self.last,
            "timestamp": _iso(self.at),
            "message": message,
        }
        self.lines.append(json.dumps(entry, ensure_ascii=False))
        self.last = own
        return self


def small_talk(state: Path) -> Conversation:
    """
    A conversation with a decision, a preference and a finding, not yet saved.
    """
    return (
        Conversation(state)
        .user(
            "Let's decide the database. We keep PostgreSQL 16, the reports need ACID."
        )
        .agent("PostgreSQL 16 stays.")
        .user("From now on always use pnpm, never npm, in acme-dashboard.")
        .agent("pnpm it is.")
        .user("I found out why the build is slow: the cache key contains the date.")
        .agent("Then I take the date out of the key.")
    )


def tree(root: Path, *, without: str = "") -> dict[str, bytes]:
    """
    Every file below *root* with its bytes, but for those whose path starts *without*.
    """
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
        and not (without and str(path.relative_to(root)).startswith(without))
    }


def _iso(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")
