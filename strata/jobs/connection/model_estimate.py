"""What a language model would cost a day, by what the owner has said of late."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from strata.errors import OpenClawNotFound, TranscriptUnreadable, UnsupportedStore
from strata.jobs.capturing.scoping import Scoping
from strata.messages import Notice
from strata.tokens import token_count
from strata.workspace.openclaw import configuration, configured_model
from strata.workspace.openclaw_config import value_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from strata.memory import Memory

DAYS = 14
# Measured with bench/judgement.py, 24 days of short messages: 126,000 tokens for 435 of
# them, questions and nights together, nine tenths of it what the model reads. What a
# message has beyond those comes once a question, beside its fixed text.
_PER_MESSAGE = 270
_PER_TOKEN = 1.6
_READ = 0.9
_SAMPLED = 10


@dataclass(frozen=True, slots=True)
class Usage:
    """How much was said a day of late, in *messages* and *tokens*."""

    messages: float
    tokens: float

    @property
    def asked(self) -> int:
        """The tokens a day that a model would read and write, rounded: it is a guess."""
        guess = self.messages * _PER_MESSAGE + self.tokens * _PER_TOKEN
        return max(100, int(round(guess, -3 if guess > 1_000 else -2)))  # noqa: PLR2004


def estimate(memories: Sequence[Memory], limit: int) -> Notice:
    """Say what asking would cost a day, of at most *limit* tokens."""
    found = [usage(each) for each in memories]
    said = Usage(sum(u.messages for u in found), sum(u.tokens for u in found))
    if not said.messages:
        return Notice("install.cost-unknown", limit=limit)
    tokens = min(said.asked, limit)
    prices = {_price(each) for each in memories}
    price = prices.pop() if len(prices) == 1 else None
    money = Notice("install.money", amount=tokens * price / 1e6) if price else ""
    return Notice(
        "install.cost",
        messages=max(1, round(said.messages)),
        days=DAYS,
        tokens=tokens,
        money=money,
        limit=limit,
    )


def usage(memory: Memory) -> Usage:
    """Return what was said a day in the conversations of the last two weeks."""
    messages, sampled, tokens = 0, 0, 0
    with suppress(OpenClawNotFound, UnsupportedStore):
        for count, texts in _lately(memory):
            messages += count
            sampled += len(texts)
            tokens += sum(map(token_count, texts))
    each = tokens / sampled if sampled else 0
    return Usage(messages / DAYS, messages * each / DAYS)


def _lately(memory: Memory) -> Iterator[tuple[int, list[str]]]:
    """Give of each conversation how much was said of late, and some of the messages."""
    transcripts, scoping = memory.transcripts(), Scoping(memory, {})
    since = memory.now - timedelta(days=DAYS)
    for session in transcripts.sessions():
        if session.updated_at < since or not scoping.scope_of(session)[0]:
            continue
        with suppress(TranscriptUnreadable):
            times = transcripts.outline(session).times
            first = sum(1 for each in times if each < since.timestamp())
            chosen = range(first + 1, len(times) + 1, _SAMPLED)
            read = transcripts.read(session, wanted=chosen.__contains__)
            texts = [each.text for each in read if each.role != "tool"]
            yield len(times) - first, texts


def _price(memory: Memory) -> float | None:
    """Return what a million tokens cost, where OpenClaw's configuration says it."""
    provider, _, name = configured_model(memory.state_folder, memory.agent).partition(
        "/"
    )
    path = ("models", "providers", provider, "models")
    for model in value_at(configuration(memory.state_folder), path) or ():
        if isinstance(model, dict) and model.get("id") == name:
            cost = model.get("cost") or {}
            with suppress(TypeError, KeyError, ValueError):
                return _READ * float(cost["input"]) + (1 - _READ) * float(
                    cost["output"]
                )
    return None
