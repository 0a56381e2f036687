"""
A language model is asked: seldom, within limits, and believed only in the right form.

Whatever goes wrong, the answer is None, the reason is a note, and rules do the work.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from strata.errors import AnswerRejected, ModelBusy, ModelError, ModelTimedOut, NotAsked
from strata.model.answers import read_answer
from strata.model.breaker import PAUSE
from strata.model.ledger import OK, Call, token_sum
from strata.model.prompts import Prompt, quoted
from strata.templates import render
from strata.tokens import token_count

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from strata.model.answers import T
    from strata.model.breaker import Breaker
    from strata.model.cache import Cache
    from strata.model.ledger import Ledger
    from strata.model.provider import Completion, Provider

# A short wait that the provider asks for is kept; a longer one is the breaker's.
PATIENCE_SECONDS = 10.0
# How much of a wrong answer is shown to the model that shall mend it.
_SHOWN_CHARS = 4_000
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


class Model:
    """The language model of one run, which begins *now*."""

    def __init__(  # noqa: PLR0913 - wired in one place
        self,
        provider: Provider,
        *,
        limits: Limits,
        ledger: Ledger,
        cache: Cache,
        breaker: Breaker,
        now: datetime,
        redact: Callable[[str], str],
        say: Callable[[str], None],
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self._provider = provider
        self._limits = limits
        self._ledger = ledger
        self._cache = cache
        self._breaker = breaker
        self._now = now
        self._redact = redact
        self._say = say
        self._wait = wait
        self._begin = time.monotonic()
        self._tokens_before: int | None = None
        self._notes: list[str] = []
        self.calls = 0
        self.tokens = 0

    @property
    def name(self) -> str:
        """How records name the model: ``openai/llama3``."""
        return f"{self._provider.name}/{self._provider.model}".rstrip("/")

    @property
    def window_chars(self) -> int:
        """How many characters a prompt may have."""
        return self._limits.window_chars

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know about this run."""
        return tuple(self._notes)

    def ask(
        self,
        prompt: Prompt,
        answer: type[T],
        *,
        check: Callable[[T], None] | None = None,
    ) -> T | None:
        """
        Return the model's answer to *prompt*, or None where rules must do.

        The JSON schema of *answer* is added to the prompt. *check* raises a `ValueError`
        for what no schema can say; the model gets one chance to mend its answer.
        """
        text = _with_schema(self._redact(prompt.text), answer)
        question = (text, self._provider.name, self._provider.model)
        kept = self._recalled(question, answer, check)
        if kept is not None:
            return kept
        try:
            found = self._asked(prompt.name, text, answer, check)
        except NotAsked as error:
            self._note(f"{error}; rules did the rest")
        except ModelError as error:
            self._fail(error)
        else:
            self._breaker.succeed()
            self._cache.keep(found.model_dump_json(), *question)
            return found
        return None

    def _recalled(
        self,
        question: tuple[str, ...],
        answer: type[T],
        check: Callable[[T], None] | None,
    ) -> T | None:
        kept = self._cache.find(*question)
        try:
            return None if kept is None else read_answer(kept, answer, check)
        except AnswerRejected:
            return None

    def _asked(
        self,
        purpose: str,
        text: str,
        answer: type[T],
        check: Callable[[T], None] | None,
    ) -> T:
        try:
            return self._attempt(purpose, text, answer, check)
        except AnswerRejected as rejected:
            repair = _repair(text, rejected)
        return self._attempt(purpose, repair, answer, check)

    def _attempt(
        self,
        purpose: str,
        text: str,
        answer: type[T],
        check: Callable[[T], None] | None,
    ) -> T:
        schema = answer.model_json_schema()
        try:
            completion = self._complete(purpose, text, schema)
        except ModelBusy as busy:
            if busy.retry_after_seconds > min(PATIENCE_SECONDS, self._seconds_left()):
                raise
            self._wait(busy.retry_after_seconds)
            completion = self._complete(purpose, text, schema)
        return read_answer(completion.text, answer, check)

    def _complete(
        self, purpose: str, text: str, schema: dict[str, object]
    ) -> Completion:
        """Ask, and write down what it cost before anything else can go wrong."""
        self._allow(text)
        deadline = min(self._limits.call_seconds, self._seconds_left())
        begin = time.monotonic()
        self.calls += 1
        try:
            completion = self._provider.complete(
                text, schema=schema, deadline_seconds=deadline
            )
        except ModelError as error:
            spent = token_count(text) if error.may_have_cost else 0
            self._record(purpose, begin, (spent, error.output_tokens), error.outcome)
            raise
        spent_on_both = (completion.input_tokens, completion.output_tokens)
        self._record(purpose, begin, spent_on_both, OK, completion.model)
        return completion

    def _allow(self, text: str) -> None:
        """Raise `NotAsked` where a limit is reached or the model is left alone."""
        limits = self._limits
        if until := self._breaker.open_until:
            raise NotAsked(
                f"the model {self.name} is left alone until {until:%H:%M}, because it "
                f"{self._breaker.why}"
            )
        if self.calls >= limits.calls_per_run:
            raise NotAsked(
                f"the model was asked {self.calls} times in this run, and no more are "
                "allowed (model.max_calls_per_run)"
            )
        if self._seconds_left() <= 0:
            raise NotAsked(
                f"the model has had {limits.run_seconds:g} seconds in this run, and no "
                "more are allowed (model.max_seconds_per_run)"
            )
        if self._tokens_today() + token_count(text) + ANSWER_TOKENS > (
            limits.tokens_per_day
        ):
            raise NotAsked(
                f"the model has had {self._tokens_today()} tokens today, and no more than "
                f"{limits.tokens_per_day} are allowed (model.max_tokens_per_day)"
            )

    def _record(
        self,
        purpose: str,
        begin: float,
        spent: tuple[int, int],
        outcome: str,
        model: str = "",
    ) -> None:
        took = round((time.monotonic() - begin) * 1000)
        self._tokens_today()
        self.tokens += sum(spent)
        self._ledger.record(
            Call(
                self._now,
                purpose,
                self._provider.name,
                model or self._provider.model,
                *spent,
                took,
                outcome,
            )
        )

    def _tokens_today(self) -> int:
        if self._tokens_before is None:
            self._tokens_before = token_sum(self._ledger.on(self._now.date()))
        return self._tokens_before + self.tokens

    def _seconds_left(self) -> float:
        return self._limits.run_seconds - (time.monotonic() - self._begin)

    def _fail(self, error: ModelError) -> None:
        pause = timedelta()
        if isinstance(error, ModelBusy):
            pause = timedelta(seconds=error.retry_after_seconds)
        elif isinstance(error, ModelTimedOut):
            # A minute may be lost to a model that hangs, and not one for each question.
            pause = PAUSE
        self._breaker.fail(str(error), at_least=pause)
        self._note(f"the model {self.name} {error}; rules did the rest")

    def _note(self, line: str) -> None:
        if line not in self._notes:
            self._notes.append(line)
            self._say(line)


def _with_schema(text: str, answer: type[T]) -> str:
    schema = json.dumps(answer.model_json_schema(), ensure_ascii=False, sort_keys=True)
    return (
        f"{text.rstrip()}\n\nAnswer with one JSON object of this JSON Schema, and with "
        f"nothing else:\n{schema}\n"
    )


def _repair(text: str, rejected: AnswerRejected) -> str:
    return render(
        "prompts/repair_answer.md.j2",
        prompt=text,
        answer=quoted(rejected.text[:_SHOWN_CHARS]),
        complaints=rejected.complaints,
    )
