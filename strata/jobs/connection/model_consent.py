"""May the agent's own model be asked? Only a person who knows what it sees can say so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.errors import NotFound
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
        f"Your agent's own model, {' and '.join(models)}, can judge what is worth "
        "keeping, better than rules do.\n"
        "  it would see: what is said in private conversations and stands in your notes, "
        "without the secrets and personal numbers that are found there\n"
        "  through: OpenClaw, to wherever that model runs\n"
        "  it would cost: a call a conversation, mostly 2,000 to 8,000 tokens, and a few a "
        f"night; at most {settings.model_max_tokens_per_day:,} tokens a day "
        "(model.max_tokens_per_day)",
    )


def decide(memories: Sequence[Memory], provider: str) -> None:
    """Write into each workspace's settings that *provider* may be asked, or nobody."""
    for memory in memories:
        has_model = bool(configured_model(memory.state_folder, memory.agent))
        if provider == OPENCLAW and not (has_model or memory.settings.model_name):
            raise NotFound(
                f"OpenClaw has no model for the agent {memory.agent}; configure one "
                "(openclaw models), then repeat"
            )
    for memory in memories:
        change_setting(memory.workspace, SETTING, provider)


def _is_decided(memory: Memory) -> bool:
    return memory.settings.model_provider != NONE or is_set(memory.workspace, SETTING)
