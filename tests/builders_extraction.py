"""A model that proposes facts as a test says, and conversations that it reads."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from strata.jobs.sync import SyncReport, sync
from strata.memory import Memory
from strata.model.opening import open_model
from strata.model.provider import Completion
from strata.transcripts.redaction import redact

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

NOW = "2026-11-20T12:00:00+00:00"
Rows = list[dict[str, Any]]


@dataclass
class Proposing:
    """
    A provider that answers with what *answer* makes of the rows of a conversation.

    What is no text is sent as JSON, under "facts". What it is to word again it words as
    *again* says, by the line that was refused.
    """

    answer: Callable[[Rows], object]
    name: str = "scripted"
    model: str = "one"
    prompts: list[str] = field(default_factory=list)
    repairs: list[str] = field(default_factory=list)
    again: Mapping[str, str] = field(default_factory=dict)

    def complete(
        self, prompt: str, *, schema: Mapping[str, object], deadline_seconds: float
    ) -> Completion:
        assert schema
        assert deadline_seconds > 0
        if "could not be taken" in prompt:
            self.repairs.append(prompt)
            lines = prompt.split("\n")
            rows = [json.loads(line) for line in lines if line.startswith('{"id"')]
            told = [
                {"id": row["id"], "line": self.again.get(row["line"], "")}
                for row in rows
            ]
            return Completion(json.dumps({"lines": told}), 100, 10, "one")
        self.prompts.append(prompt)
        said = self.answer(rows_in(prompt))
        text = said if isinstance(said, str) else json.dumps({"facts": said})
        return Completion(text, 100, 10, "one")


def rows_in(prompt: str) -> Rows:
    """
    The messages that stand in *prompt*.
    """
    lines = (line for line in prompt.split("\n") if line.startswith('{"id"'))
    return [row for line in lines if "says" in (row := json.loads(line))]


def proposed(rows: Rows, *facts: tuple[str, str, str]) -> list[dict[str, object]]:
    """
    Facts given as text, kind, and some words of the message that they cite.
    """
    return [
        {"text": text, "kind": kind, "messages": _citing(rows, words)}
        for text, kind, words in facts
        if _citing(rows, words)
    ]


def _citing(rows: Rows, words: str) -> list[int]:
    return [row["id"] for row in rows if words in row["says"]]


def open_with(
    workspace: Path,
    state: Path,
    provider: Proposing | None,
    *settings: str,
    now: str = NOW,
) -> Memory:
    """
    A memory whose model is *provider*.
    """
    memory = Memory.open(
        workspace=str(workspace),
        state_dir=str(state),
        now=now,
        overrides=["timezone=UTC", *settings],
    )
    if provider:
        memory.__dict__["model"] = open_model(
            provider,
            memory.workspace,
            memory.settings,
            now=memory.now,
            redact=redact,
            say=lambda _line: None,
        )
    return memory


def sync_with(
    workspace: Path, state: Path, provider: Proposing | None, *settings: str
) -> SyncReport:
    """
    A sync with *provider* as the model.
    """
    return sync(open_with(workspace, state, provider, *settings))
