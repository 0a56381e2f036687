"""Which entries are messages that people see, and what they say."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from strata.models import Message, Origin, Role
from strata.patterns import pattern
from strata.transcripts.commands import spoken_words
from strata.transcripts.envelopes import unwrap_assistant, unwrap_user
from strata.transcripts.recall import looked_at, recalls, tool_name
from strata.transcripts.sources import identity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from strata.transcripts.entries import Entry, Said, ToolCall

_MACHINE_PROVENANCE = frozenset({"internal_system", "inter_session"})
_ORDINARY_PROVENANCE = frozenset({"", "external_user"})
_INJECTED_MODELS = frozenset({"gateway-injected", "delivery-mirror"})
# Prompts that OpenClaw writes in the person's name. Where it says so by a provenance that
# is better evidence, but before 2026.7.2 it did not.
_MACHINE_PROMPT = pattern(
    r"A new session was started via /new or /reset"
    r"|Continue the OpenClaw runtime event\."
    r"|Pre-compaction memory flush"
    r"|\[Subagent (?:Context|Task)\]"
    r"|\[cron:"
    r"|\[OpenClaw (?:heartbeat poll|exec completion|cron wake|session event|room event)\]"
    r"|\[(?:Inter-session message|System Message|Internal task completion event)\]"
    r"|OpenClaw runtime context \(internal\)"
    r"|Read HEARTBEAT\.md if it exists"
    r"|Follow the heartbeat monitor scratch context"
    r"|Run the following periodic tasks \(only those due"
    r"|An async command you ran earlier has completed"
    r"|A scheduled reminder has been triggered"
    r"|Store durable memories only in memory/"
)
_BARE_EVENT = pattern(r"\s*(?:System(?: \(untrusted\))?: |\[OpenClaw session )")
_SILENT = pattern(
    r"(?:^|[\n.!?。！？…]\s*)[*_`\"']*"
    r"(?:NO_REPLY|HEARTBEAT_OK|ANNOUNCE_SKIP|REPLY_SKIP)[*_`\"'.!\s]*$",
    re.IGNORECASE,
)
_SILENT_TAIL_CHARS = 200
_FAILED_REPLY = "[assistant turn failed before producing content]"


@dataclass(slots=True)
class Conversation:
    """
    Turns the entries of one session into its visible messages, in order, not yet redacted.

    A turn begins with a prompt. If a machine wrote it, what the agent answers is no part
    of the conversation either, until a person speaks. In a *shared* conversation a prompt
    is the owner's only if OpenClaw says so; else it is unless OpenClaw denies it.
    """

    shared: bool = False
    number: int = 0
    by_machine: bool = False
    recalled: bool = False
    _running: dict[str, tuple[ToolCall, Entry]] = field(default_factory=dict)

    @property
    def is_idle(self) -> bool:
        """Whether no tool that the agent called is still to give something."""
        return not self._running

    def messages(self, entries: Iterable[Entry]) -> Iterator[Message]:
        """Yield the visible messages of *entries*."""
        for entry in entries:
            if entry.said is not None:
                yield from self.take(entry, entry.said)

    def take(self, entry: Entry, said: Said) -> Iterator[Message]:
        """Yield what becomes visible with one entry: a message, a tool, or nothing."""
        if said.role == "user":
            yield from self._prompt(entry, said)
        elif said.role == "assistant":
            yield from self._reply(entry, said)
        elif self.number and not self.by_machine:
            yield self._tool_result(entry, said)

    def _prompt(self, entry: Entry, said: Said) -> Iterator[Message]:
        yield from self._unanswered()
        words = "" if said.provenance in _MACHINE_PROVENANCE else unwrap_user(said.text)
        self.recalled = False
        spoken = spoken_words(words)
        self.by_machine = _is_machine(said, words) or bool(words and not spoken)
        if spoken and not self.by_machine:
            yield self._message(entry, said, "user", spoken)

    def _reply(self, entry: Entry, said: Said) -> Iterator[Message]:
        if self.by_machine or said.source[1] in _INJECTED_MODELS:
            return
        words = unwrap_assistant(said.text)
        if words and words != _FAILED_REPLY and not _is_silent(words):
            yield self._message(entry, said, "assistant", words)
        for position, call in enumerate(said.calls):
            self._running[call.id or f"{entry.id}:{position}"] = (call, entry)
            self.recalled = self.recalled or recalls(call)

    def _message(self, entry: Entry, said: Said, role: Role, words: str) -> Message:
        self.number += 1
        return Message(
            id=identity(entry),
            number=self.number,
            role=role,
            text=words,
            time=datetime.fromtimestamp(said.time, UTC),
            origin=self._origin(said),
            recalled=self.recalled,
        )

    def _origin(self, said: Said) -> Origin:
        if said.role == "assistant":
            return Origin.AGENT
        if said.provenance not in _ORDINARY_PROVENANCE:
            return Origin.SYSTEM
        by_owner = said.owner is True or (said.owner is not False and not self.shared)
        return Origin.OWNER if by_owner else Origin.UNTRUSTED

    def _tool_result(self, entry: Entry, said: Said) -> Message:
        call, _ = self._running.pop(said.call_id, (None, entry))
        name = tool_name(call) if call else said.tool
        ran = self._tool(entry, name or said.tool, said.time, failed=said.failed)
        if call and recalls(call):
            return replace(ran, recalled=True)
        return replace(ran, output=said.output, source=looked_at(call) if call else "")

    def _unanswered(self) -> Iterator[Message]:
        for call, entry in self._running.values():
            if self.number and entry.said:
                yield self._tool(entry, tool_name(call), entry.said.time, failed=False)
        self._running.clear()

    def _tool(self, entry: Entry, name: str, time: float, *, failed: bool) -> Message:
        return Message(
            id=identity(entry),
            number=self.number,
            role="tool",
            text="",
            time=datetime.fromtimestamp(time, UTC),
            origin=Origin.UNTRUSTED,
            tool=name,
            failed=failed,
        )


def _is_machine(said: Said, words: str) -> bool:
    if said.provenance in _MACHINE_PROVENANCE or _MACHINE_PROMPT.match(words):
        return True
    return not words and _BARE_EVENT.match(said.text) is not None


def _is_silent(words: str) -> bool:
    # The x keeps the end of a long reply from looking like all of it.
    if len(words) > _SILENT_TAIL_CHARS:
        words = "x" + words[-_SILENT_TAIL_CHARS:]
    return _SILENT.search(words) is not None
