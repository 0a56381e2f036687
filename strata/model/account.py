"""What a run has asked of a model and spent, and whether it may go on."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.errors import NotAsked
from strata.messages import Notice
from strata.model.ledger import Call, token_sum
from strata.tokens import token_count

if TYPE_CHECKING:
    from datetime import datetime

    from strata.model.ledger import Ledger

# What a call may add to the day's tokens by its answer, as far as that is known before.
ANSWER_TOKENS = 4_000


@dataclass(frozen=True, slots=True)
class Limits:
    """How much may be asked, in a run and in a day, and for how long."""

    calls_per_run: int
    tokens_per_day: int
    call_seconds: float
    run_seconds: float
    window_chars: int


class Account:
    """The account of the run that begins *now*; *ledger* has those of all runs."""

    def __init__(self, limits: Limits, ledger: Ledger, *, now: datetime) -> None:
        self.limits = limits
        self.calls = 0
        self.tokens = 0
        self._ledger = ledger
        self._now = now
        self._begin = time.monotonic()
        self._tokens_before: int | None = None

    @property
    def seconds_left(self) -> float:
        """How long this run may still wait for answers."""
        return self.limits.run_seconds - (time.monotonic() - self._begin)

    @property
    def tokens_today(self) -> int:
        """What all runs of today have spent."""
        if self._tokens_before is None:
            today = token_sum(self._ledger.on(self._now.date()))
            self._tokens_before = today - self.tokens
        return self._tokens_before + self.tokens

    def allow(self, text: str) -> None:
        """Raise `NotAsked` where a limit keeps *text* from being asked."""
        limits = self.limits
        if self.calls >= limits.calls_per_run:
            raise NotAsked(Notice("model.calls-spent", calls=self.calls))
        if self.seconds_left <= 0:
            raise NotAsked(Notice("model.seconds-spent", seconds=limits.run_seconds))
        after = self.tokens_today + token_count(text) + ANSWER_TOKENS
        if after > limits.tokens_per_day:
            raise NotAsked(
                Notice(
                    "model.tokens-spent",
                    tokens=self.tokens_today,
                    most=limits.tokens_per_day,
                )
            )

    def charge(  # noqa: PLR0913 - the fields of a record
        self,
        *,
        purpose: str,
        provider: str,
        model: str,
        tokens: tuple[int, int],
        seconds: float,
        outcome: str,
    ) -> None:
        """Write down one call, with its tokens in and out."""
        self.calls += 1
        self._ledger.record(
            Call(
                at=self._now,
                purpose=purpose,
                provider=provider,
                model=model,
                input_tokens=tokens[0],
                output_tokens=tokens[1],
                milliseconds=round(seconds * 1000),
                outcome=outcome,
            )
        )
        self.tokens += sum(tokens)
