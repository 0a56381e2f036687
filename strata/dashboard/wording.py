"""The sentences of a command, in a screen's own words where it has some."""

from __future__ import annotations

from typing import Any

from strata.messages import Voice


class Rewording(Voice):
    """
    Says the sentences of *table*, and of *command* those that it lacks.

    What a command advises is to be typed; on a page it is a button.
    """

    def __init__(self, table: str, command: str, language: str) -> None:
        super().__init__(table, language)
        self._command = Voice(command, language)

    def __call__(self, key: str, /, **values: Any) -> str:  # Any: see `Notice`
        """Return the sentence *key*."""
        own = key in self
        return super().__call__(key, **values) if own else self._command(key, **values)
