"""What a language model would cost a day, by what the owner has said of late."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from strata.errors import OpenClawNotFound, TranscriptUnreadable, UnsupportedStore
from strata.jobs.capturing.scoping import Scoping
from strata.messages import Notice
from strata.tokens import token_count
from strata.workspace.openclaw import configuration, configured_model
from strata.workspace.openclaw_config import value_at

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from strata.memory import Memory
    from strata.models import Session
    from strata.transcripts.openclaw import Transcripts

DAYS = 14
# Measured with bench/judgement.py (24 days, 44 conversations, 435 short messages: 58,000
# tokens for questions about talk, 68,000 for nights, nine tenths of it read), and with its
# --tokens: what a question and a night take beside what was said, and what a message adds
# to a night. What was said itself is read once, with whose and when it was. The pages of
# the bank that changed in a night add 1,100 (28 and 27 nights of bench/bank/dev_*).
_PER_CONVERSATION = 1_300
_PER_DAY = 3_300
_PER_MESSAGE = 30
_PER_TOKEN = 1.6
_READ = 0.9
_SAMPLED = 10


@dataclass(slots=True)
class Usage:
    """What was said in `DAYS`: on which *days*, in how many *talks* of a day, how much."""

    days: set[date] = field(default_factory=set)
    talks: int = 0
    messages: int = 0
    tokens: float = 0

    @property
    def asked(self) -> int:
        """The tokens a day that a model would read and write, rounded: it is a guess."""
        fixed = self.talks * _PER_CONVERSATION + len(self.days) * _PER_DAY
        said = self.messages * _PER_MESSAGE + self.tokens * _PER_TOKEN
        guess = (fixed + said) / DAYS
        return int(max(100, round(guess, -3 if guess > 1_000 else -2)))  # noqa: PLR2004


def estimate(memories: Sequence[Memory], limit: int) -> Notice:
    """Say what asking would cost a day, of at most *limit* tokens."""
    found = [usage(each) for each in memories]
    messages = sum(each.messages for each in found)
    if not messages:
        return Notice("install.cost-unknown", limit=limit)
    tokens = min(sum(each.asked for each in found), limit)
    prices = {_price(each) for each in memories}
    price = prices.pop() if len(prices) == 1 else None
    amount = max(0.01, tokens * (price or 0) / 1e6)
    money = Notice("install.money", amount=amount) if price else ""
    return Notice(
        "install.cost",
        messages=max(1, round(messages / DAYS)),
        days=DAYS,
        tokens=tokens,
        money=money,
        limit=limit,
    )


def usage(memory: Memory) -> Usage:
    """Return what was said in the conversations of the last two weeks."""
    said = Usage()
    with suppress(OpenClawNotFound, UnsupportedStore):
        transcripts, scoping = memory.transcripts(), Scoping(memory, {})
        since = memory.now - timedelta(days=DAYS)
        for session in transcripts.sessions():
            if session.updated_at >= since and scoping.scope_of(session)[0]:
                with suppress(TranscriptUnreadable):
                    _count(said, transcripts, session, since)
    return said


def _count(
    said: Usage, transcripts: Transcripts, session: Session, since: datetime
) -> None:
    """Add what was said in *session* since then; of its words a tenth are looked at."""
    times = transcripts.outline(session).times
    first = sum(1 for each in times if each < since.timestamp())
    days = {datetime.fromtimestamp(each, UTC).date() for each in times[first:]}
    chosen = range(first + 1, len(times) + 1, _SAMPLED)
    read = transcripts.read(session, wanted=chosen.__contains__)
    texts = [each.text for each in read if each.role != "tool"]
    said.days |= days
    said.talks += len(days)
    said.messages += len(times) - first
    if texts:
        each = sum(map(token_count, texts)) / len(texts)
        said.tokens += each * (len(times) - first)


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
