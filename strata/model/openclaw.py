"""The user's own model, through OpenClaw: its running gateway, else its command line."""

from __future__ import annotations

import math
import re
import time
from typing import TYPE_CHECKING, Any

from strata.errors import (
    ModelRefused,
    ModelTimedOut,
    ModelUnreachable,
    OpenClawFailed,
    OpenClawNotFound,
)
from strata.messages import Notice
from strata.model.gateway import NoGateway, ask_gateway, knock
from strata.model.provider import Completion, counted
from strata.workspace.openclaw import agents, configured_model, gateway

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from strata.workspace.openclaw import Gateway
    from strata.workspace.openclaw_program import OpenClaw

# Linux takes no longer argument, and OpenClaw takes the prompt in no other way.
MOST_ARGUMENT_BYTES = 128 * 1024 - 1
_STATUS = re.compile(r"\b([45]\d\d)\b")


class OpenClawModel:
    """
    The model of *agent*, or *model* (``provider/model``) where one is named.

    *program* finds OpenClaw's command line, which is only needed without a gateway.
    """

    name = "openclaw"

    def __init__(
        self, state: Path, agent: str, model: str, program: Callable[[], OpenClaw]
    ) -> None:
        self.model = model or configured_model(state, agent)
        self._named = model
        self._state = state
        self._agent = agent
        self._program = program

    def complete(
        self,
        prompt: str,
        *,
        schema: Mapping[str, object],  # noqa: ARG002 - OpenClaw takes none
        deadline_seconds: float,
    ) -> Completion:
        """Ask the gateway; where it does not take the question, start OpenClaw."""
        if not self.model:
            raise ModelRefused(Notice("model.none-configured"))
        end = time.monotonic() + deadline_seconds
        try:
            text, usage = self._through_gateway(prompt, deadline_seconds)
        except NoGateway:
            text = self._through_program(prompt, end - time.monotonic())
            usage = {}
        return Completion(
            text,
            counted(usage.get("input"), prompt),
            counted(usage.get("output"), text),
            self.model,
        )

    def examine(self, *, deadline_seconds: float) -> str:
        """Knock at the gateway; where nobody opens, look for the program."""
        if not self.model:
            raise ModelRefused(Notice("model.none-configured"))
        try:
            knock(self._gateway(), deadline_seconds=deadline_seconds)
        except NoGateway as error:
            return f"by starting {self._found().program}, for the gateway: {error}"
        return "through the running gateway"

    def _found(self) -> OpenClaw:
        try:
            return self._program()
        except OpenClawNotFound as error:
            raise ModelRefused(Notice("model.cannot-ask", error=error)) from None

    def _through_gateway(
        self, prompt: str, deadline_seconds: float
    ) -> tuple[str, dict[str, object]]:
        result = ask_gateway(
            self._gateway(),
            agent=self._agent,
            prompt=prompt,
            model=self._named,
            deadline_seconds=deadline_seconds,
        )
        return _text_of(result.get("payloads")), _usage_of(result.get("meta"))

    def _gateway(self) -> Gateway:
        found = gateway(self._state)
        if found is None:
            raise NoGateway(Notice("gateway.unknown"))
        return found

    def _through_program(self, prompt: str, seconds: float) -> str:
        size = len(prompt.encode())
        if size > MOST_ARGUMENT_BYTES:
            raise ModelRefused(Notice("model.prompt-too-big", size=size))
        program = self._found()
        try:
            answer = self._infer(program, prompt, max(seconds, 0.1))
        except OpenClawFailed as error:
            raise _failure(error, seconds) from None
        return _text_of(answer.get("outputs") if isinstance(answer, dict) else None)

    def _infer(self, program: OpenClaw, prompt: str, seconds: float) -> Any:
        run = ("infer", "model", "run", "--prompt", prompt)
        try:
            return program.json(*run, *self._who(), timeout_seconds=seconds)
        except OpenClawFailed as error:
            if "unknown option" not in str(error):
                raise
        # 2026.7.1 knows no agent here, and takes the default one's keys.
        return program.json(*run, "--model", self.model, timeout_seconds=seconds)

    def _who(self) -> list[str]:
        named = ["--model", self._named] if self._named else []
        if len(agents(self._state)) > 1:
            return ["--agent", self._agent, *named]
        return named


def _failure(error: OpenClawFailed, seconds: float) -> Exception:
    if error.timed_out:
        # What was left of the time that was given, and nobody knows that in hundredths.
        return ModelTimedOut(Notice("model.late", seconds=math.ceil(seconds)))
    # The message itself may repeat what was asked.
    status = _STATUS.search(str(error))
    said = f" (HTTP {status[1]})" if status else ""
    return ModelUnreachable(Notice("model.failed-openclaw", status=said))


def _text_of(parts: Any) -> str:  # Any: OpenClaw's own JSON
    listed = parts if isinstance(parts, list) else []
    return "\n".join(
        str(part["text"])
        for part in listed
        if isinstance(part, dict) and part.get("text")
    )


def _usage_of(meta: Any) -> dict[str, object]:  # Any: OpenClaw's own JSON
    agent = meta.get("agentMeta") if isinstance(meta, dict) else None
    usage = agent.get("usage") if isinstance(agent, dict) else None
    return usage if isinstance(usage, dict) else {}
