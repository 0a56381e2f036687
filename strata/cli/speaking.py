"""Whose language a command speaks, and how it says what it was told to say."""

from __future__ import annotations

import os
from contextlib import suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING

import click

from strata.errors import StrataError
from strata.messages import FALLBACK, Voice, worded

if TYPE_CHECKING:
    from collections.abc import Callable

    from strata.memory import Memory

# Whose owner is spoken to: the memory that is open, or else the one that is meant, which
# opens as far as the command line was understood, strictly or without its settings.
OPENED: ContextVar[Memory | None] = ContextVar("OPENED", default=None)
MEANT: ContextVar[Callable[[bool], Memory] | None] = ContextVar("MEANT", default=None)
# The language that the command line or the environment sets, "auto" where neither does.
WISHED: ContextVar[Callable[[], str]] = ContextVar("WISHED", default=lambda: "auto")


def owners_language(memory: Memory | None = None) -> str:
    """
    Return the language of the owner of *memory*, or of the one that is meant.

    Where there is none, or its notes cannot be read, it is the one that is set for this
    command, else that of the machine.
    """
    from strata.jobs.language import spoken_language  # noqa: PLC0415 - few ask

    # A setting on the command line may be what is wrong.
    for strict in (True, False):
        with suppress(StrataError, OSError):
            if found := memory or OPENED.get() or _meant(strict=strict):
                return spoken_language(found)
    with suppress(StrataError):
        if (wished := WISHED.get()()) != "auto":
            return wished
    return _language_of_the_machine()


def voice(table: str, memory: Memory | None = None) -> Voice:
    """Return what says the sentences of *table* to the owner, of *memory* where given."""
    from strata.jobs.language import spoken_language  # noqa: PLC0415 - few ask

    return Voice(table, spoken_language(memory) if memory else owners_language())


class Spoken(click.Context):
    """What click knows of a command that is run; its help is in the owner's language."""

    def get_help(self) -> str:
        language = owners_language()
        if language == FALLBACK:
            return super().get_help()
        from strata.cli.help import help_text  # noqa: PLC0415 - only where it is asked

        return help_text(self, language)


def say(line: object) -> None:
    """Tell the owner *line* on stderr, a message or an error, beside the result."""
    click.echo(worded(line), err=True)


def _meant(*, strict: bool) -> Memory | None:
    open_meant = MEANT.get()
    if open_meant is None:
        return None
    memory = open_meant(strict)
    OPENED.set(memory)
    return memory


def _language_of_the_machine() -> str:
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    told = next((os.environ[name] for name in names if os.environ.get(name)), "")
    return told.partition("_")[0].partition(".")[0].lower() or FALLBACK
