"""May the agent's own model be asked? Only a person who knows what it sees can say so."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from strata.errors import NotFound
from strata.jobs.connection.model_estimate import estimate
from strata.messages import Notice
from strata.workspace.openclaw import configured_model
from strata.workspace.settings_file import change_setting, is_set

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.memory import Memory

SETTING = "model.provider"
OPENCLAW, NONE = "openclaw", "none"


@dataclass(frozen=True, slots=True)
class Offer:
    """What a person is asked: which *models*, and what that means."""

    models: tuple[str, ...]
    explanation: str


def offer(memories: Sequence[Memory]) -> Offer | None:
    """Return what may be offered; None where it was decided or OpenClaw has no model."""
    open_ones = [each for each in memories if not _is_decided(each)]
    names = {configured_model(each.state_folder, each.agent) for each in open_ones}
    models = tuple(sorted(names - {""}))
    if not models:
        return None
    settings = open_ones[0].settings
    return Offer(
        models,
        Notice(
            "install.offer",
            models=reduce(_and, models),
            cost=estimate(open_ones, settings.model_max_tokens_per_day),
        ),
    )


def _and(first: str, second: str) -> str:
    return Notice("words.and", first=first, second=second)


def decide(memories: Sequence[Memory], provider: str) -> None:
    """Write into each workspace's settings that *provider* may be asked, or nobody."""
    for memory in memories:
        has_model = bool(configured_model(memory.state_folder, memory.agent))
        if provider == OPENCLAW and not (has_model or memory.settings.model_name):
            raise NotFound(Notice("install.no-model", agent=memory.agent))
    for memory in memories:
        change_setting(memory.workspace, SETTING, provider)


def _is_decided(memory: Memory) -> bool:
    return memory.settings.model_provider != NONE or is_set(memory.workspace, SETTING)
