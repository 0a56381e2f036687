"""What a language model did in this run, and what it has cost this month."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from strata.messages import Notice
from strata.workspace.openclaw import configured_model

if TYPE_CHECKING:
    from strata.memory import Memory
    from strata.model.ledger import Call


@dataclass(frozen=True, slots=True)
class Cost:
    """Calls, and tokens in both directions."""

    calls: int = 0
    tokens: int = 0

    @property
    def told(self) -> Notice:
        """The cost in words."""
        calls = Notice("model.calls", count=self.calls)
        return Notice("model.cost", calls=calls, tokens=self.tokens)


@dataclass(frozen=True, slots=True)
class ModelCost:
    """
    What asking *name* ("" for nobody) has cost, and what for.

    *purposes* are those of the month, *purposes_today* those of today.
    """

    name: str
    today: Cost
    tokens_per_day: int
    month: Cost
    purposes: dict[str, Cost]
    purposes_today: dict[str, Cost]


def model_name(memory: Memory) -> str:
    """Return which model the settings mean, like ``openai/llama3``, or ""."""
    settings = memory.settings
    if settings.model_provider == "none":
        return ""
    named = settings.model_name
    if settings.model_provider == "openclaw" and not named:
        named = configured_model(memory.state_folder, memory.agent)
    return f"{settings.model_provider}/{named}".rstrip("/")


def model_document(memory: Memory, **done: int) -> dict[str, Any]:
    """
    Return under "model" what this run asked, and what was *done*.

    Nothing where the settings name none.
    """
    if memory.settings.model_provider == "none":
        return {}
    # Where nothing was due nobody opened the model, and reporting need not.
    model = memory.model_if_open
    used = {
        "name": model.name if model else model_name(memory),
        "calls": model.calls if model else 0,
        "tokens": model.tokens if model else 0,
        "notes": list(model.notes) if model else [],
        **done,
    }
    return {"model": used}


def model_cost(memory: Memory) -> ModelCost:
    """Add up what the ledger holds of this month."""
    calls = _calls_of_the_month(memory)
    today = [call for call in calls if call.at.date() == memory.now.date()]
    return ModelCost(
        name=model_name(memory),
        today=_cost(today),
        tokens_per_day=memory.settings.model_max_tokens_per_day,
        month=_cost(calls),
        purposes=_by_purpose(calls),
        purposes_today=_by_purpose(today),
    )


def _by_purpose(calls: list[Call]) -> dict[str, Cost]:
    purposes: dict[str, list[Call]] = defaultdict(list)
    for call in calls:
        purposes[call.purpose].append(call)
    return {purpose: _cost(found) for purpose, found in sorted(purposes.items())}


def _calls_of_the_month(memory: Memory) -> list[Call]:
    file = memory.workspace.layout.model_ledger_file
    if not file.exists():
        return []
    from strata.model.ledger import Ledger  # noqa: PLC0415 - few ask a model
    from strata.workspace.journal import Journal  # noqa: PLC0415 - the same

    return Ledger(Journal(file)).in_month(memory.now.date())


def _cost(calls: list[Call]) -> Cost:
    return Cost(len(calls), sum(call.tokens for call in calls))
