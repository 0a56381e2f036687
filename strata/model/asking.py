"""
A language model is asked: seldom, within limits, and believed only in the right form.

Whatever goes wrong, the answer is None, the reason is a note, and the local judge judges.
"""

from __future__ import annotations

import json
import time
from copy import copy
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from strata.errors import (
    AnswerRejected,
    ModelBusy,
    ModelError,
    ModelTimedOut,
    NotAsked,
)
from strata.json_texts import with_texts
from strata.messages import Notice
from strata.model.answers import read_answer
from strata.model.breaker import PAUSE
from strata.model.cache import Cache
from strata.model.ledger import OK
from strata.model.prompts import Prompt, quoted
from strata.model.provider import Examinable
from strata.templates import render
from strata.tokens import token_count

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from pydantic import BaseModel

    from strata.model.account import Account
    from strata.model.answers import T
    from strata.model.breaker import Breaker
    from strata.model.provider import Completion, Provider
    from strata.workspace.files import Workspace

    Check = Callable[[T], None]

# A short wait that the provider asks for is kept; a longer one is the breaker's.
PATIENCE_SECONDS = 10.0
# How much of a wrong answer is shown to the model that shall mend it.
_SHOWN_CHARS = 4_000
_EXAMINE_SECONDS = 10.0
# What a schema says of a field beside its form; the prompt tells that better.
_SAID = frozenset({"title", "description"})


class Model:
    """The language model of one run."""

    def __init__(  # noqa: PLR0913 - wired in one place
        self,
        provider: Provider,
        *,
        account: Account,
        cache: Cache,
        breaker: Breaker,
        redact: Callable[[str], str],
        say: Callable[[str], None],
    ) -> None:
        self._provider = provider
        self._account = account
        self._cache = cache
        self._breaker = breaker
        self._redact = redact
        self._say = say
        self._notes: list[str] = []

    def keeping(self, workspace: Workspace) -> Model:
        """Return the same model, whose answers are kept in *workspace*."""
        other = copy(self)
        folder = workspace.layout.model_cache_folder
        other._cache = Cache(folder, workspace.write_private)  # noqa: SLF001 - our own
        return other

    @property
    def name(self) -> str:
        """How records name the model: ``openai/llama3``."""
        return f"{self._provider.name}/{self._provider.model}".rstrip("/")

    @property
    def window_chars(self) -> int:
        """How many characters a prompt may have."""
        return self._account.limits.window_chars

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know about this run."""
        return tuple(self._notes)

    @property
    def calls(self) -> int:
        """How often the model was asked in this run."""
        return self._account.calls

    @property
    def tokens(self) -> int:
        """What this run has spent, in both directions."""
        return self._account.tokens

    @property
    def left_alone_until(self) -> datetime | None:
        """When the model may be asked again after failures, None for now."""
        return self._breaker.open_until

    @property
    def last_failure(self) -> str:
        """What went wrong the last time; it continues "the model …"."""
        return self._breaker.why

    def reopen(self) -> None:
        """Forget earlier failures, so that the model is asked again at once."""
        self._breaker.close()

    def allow(self) -> None:
        """Raise `NotAsked` where a limit keeps even a short question from being asked."""
        self._account.allow("")

    def examine(self) -> str:
        """Return how the model is reached, without asking it; raise a `ModelError`."""
        if not isinstance(self._provider, Examinable):
            return "whose provider does not tell how it is reached"
        return self._provider.examine(deadline_seconds=_EXAMINE_SECONDS)

    def ask(
        self, prompt: Prompt, answer: type[T], *, check: Check[T] | None = None
    ) -> T | None:
        """
        Return the model's answer to *prompt*, or None where rules must do.

        The JSON schema of *answer* is added to the prompt. *check* raises a `ValueError`
        for what no schema can say; the model gets one chance to mend its answer.
        """
        kept = self.recall(prompt, answer, check=check)
        if kept is not None:
            return kept
        question = self._question(prompt, answer)
        try:
            found = self._asked(prompt.name, question[0], answer, check)
        except NotAsked as error:
            self._note(Notice("model.rules-did-rest", error=error))
        except ModelError as error:
            self._fail(error)
        else:
            self._breaker.succeed()
            self._keep(found, question)
            return found
        return None

    def recall(
        self, prompt: Prompt, answer: type[T], *, check: Check[T] | None = None
    ) -> T | None:
        """Return what *prompt* was answered before, or None; nobody is asked."""
        kept = self._cache.find(*self._question(prompt, answer))
        try:
            return None if kept is None else read_answer(kept, answer, check)
        except AnswerRejected:
            return None

    def keep(self, prompt: Prompt, answer: BaseModel) -> None:
        """Keep *answer* as what *prompt* was answered, for `recall` to find."""
        self._keep(answer, self._question(prompt, type(answer)))

    def _keep(self, answer: BaseModel, question: tuple[str, str, str]) -> None:
        """Keep *answer* without what no file shall hold: a model may have made it up."""
        masked = with_texts(answer.model_dump(mode="json"), self._redact)
        self._cache.keep(json.dumps(masked, ensure_ascii=False), *question)

    def _question(
        self, prompt: Prompt, answer: type[BaseModel]
    ) -> tuple[str, str, str]:
        text = _with_schema(_sendable(self._redact(prompt.text)), answer)
        return text, self._provider.name, self._provider.model

    def _asked(
        self, purpose: str, text: str, answer: type[T], check: Check[T] | None
    ) -> T:
        schema = answer.model_json_schema()
        try:
            said = self._patiently(purpose, text, schema)
            return read_answer(said.text, answer, check)
        except AnswerRejected as rejected:
            repair = _repair(text, rejected)
        said = self._patiently(purpose, repair, schema)
        return read_answer(said.text, answer, check)

    def _patiently(
        self, purpose: str, text: str, schema: dict[str, object]
    ) -> Completion:
        """Ask, and once more where the model wants to be asked in a moment."""
        try:
            return self._complete(purpose, text, schema)
        except ModelBusy as busy:
            patience = min(PATIENCE_SECONDS, self._account.seconds_left)
            if busy.retry_after_seconds > patience:
                raise
            time.sleep(busy.retry_after_seconds)
        return self._complete(purpose, text, schema)

    def _complete(
        self, purpose: str, text: str, schema: dict[str, object]
    ) -> Completion:
        """Ask, and write down what it cost before anything else can go wrong."""
        self._allow(text)
        begin = time.monotonic()
        limit = min(self._account.limits.call_seconds, self._account.seconds_left)
        try:
            said = self._provider.complete(text, schema=schema, deadline_seconds=limit)
        except ModelError as error:
            asked = token_count(text) if error.may_have_cost else 0
            tokens = (asked, error.output_tokens)
            self._charge(purpose, begin, tokens, self._provider.model, error.outcome)
            raise
        tokens = (said.input_tokens, said.output_tokens)
        self._charge(purpose, begin, tokens, said.model, OK)
        return said

    def _allow(self, text: str) -> None:
        if until := self._breaker.open_until:
            raise NotAsked(
                Notice(
                    "model.left-alone",
                    name=self.name,
                    until=until,
                    why=self._breaker.why,
                )
            )
        self._account.allow(text)

    def _charge(
        self,
        purpose: str,
        begin: float,
        tokens: tuple[int, int],
        model: str,
        outcome: str,
    ) -> None:
        self._account.charge(
            purpose=purpose,
            provider=self._provider.name,
            model=model,
            tokens=tokens,
            seconds=time.monotonic() - begin,
            outcome=outcome,
        )

    def _fail(self, error: ModelError) -> None:
        pause = timedelta()
        if isinstance(error, ModelBusy):
            pause = timedelta(seconds=error.retry_after_seconds)
        elif isinstance(error, ModelTimedOut):
            # A minute may be lost to a model that hangs, and not one for each question.
            pause = PAUSE
        self._breaker.fail(str(error), at_least=pause)
        self._note(Notice("model.rules-did", name=self.name, error=error))

    def _note(self, line: str) -> None:
        if line not in self._notes:
            self._notes.append(line)
            self._say(line)


def _with_schema(text: str, answer: type[BaseModel]) -> str:
    form = _bare(answer.model_json_schema())
    schema = json.dumps(form, ensure_ascii=False, sort_keys=True)
    return (
        f"{text.rstrip()}\n\nAnswer with one JSON object of this JSON Schema, and with "
        f"nothing else:\n{schema}\n"
    )


def _bare(form: Any) -> Any:  # Any: it is JSON
    """Return a JSON schema without what only says again what a field is called."""
    if isinstance(form, list):
        return [_bare(each) for each in form]
    if not isinstance(form, dict):
        return form
    said = {k: v for k, v in form.items() if not (k in _SAID and isinstance(v, str))}
    return {name: _bare(value) for name, value in said.items()}


def _sendable(text: str) -> str:
    """Return *text* without what no request or command line can carry."""
    return text.encode("utf-8", "replace").decode().replace("\0", " ")


def _repair(text: str, rejected: AnswerRejected) -> str:
    return render(
        "prompts/repair_answer.md.j2",
        prompt=text,
        answer=quoted(_sendable(rejected.text[:_SHOWN_CHARS])),
        complaints=rejected.complaints,
    )
