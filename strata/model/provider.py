"""What Strata asks of a language model, whoever provides it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from strata.tokens import token_count

if TYPE_CHECKING:
    from collections.abc import Mapping


# More than any window holds: a count beyond it is none.
_MOST_TOKENS = 100_000_000


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model wrote; tokens are estimated where the provider does not count."""

    text: str
    input_tokens: int
    output_tokens: int
    model: str


class Provider(Protocol):
    """
    One way to reach a model.

    *model* is the model's name as far as it is known before it is asked, else "": an
    answer that is kept counts for that model only.
    """

    @property
    def name(self) -> str:
        """How settings and records call the provider."""
        ...

    @property
    def model(self) -> str:
        """Which model answers."""
        ...

    def complete(
        self, prompt: str, *, schema: Mapping[str, object], deadline_seconds: float
    ) -> Completion:
        """
        Return what the model answers to *prompt*, or raise a `ModelError` in time.

        The prompt says in words that the answer is a JSON object of *schema*; a provider
        that can enforce it does. Its form is checked by the caller.
        """
        ...


@runtime_checkable
class Examinable(Protocol):
    """A provider that can tell whether it would answer."""

    def examine(self, *, deadline_seconds: float) -> str:
        """Return how the model is reached, asking it nothing, or raise a `ModelError`."""
        ...


def counted(told: object, text: str) -> int:
    """Return the tokens of *text* as a provider *told* them, else estimate them."""
    if isinstance(told, int) and not isinstance(told, bool) and 0 < told < _MOST_TOKENS:
        return told
    return token_count(text)
