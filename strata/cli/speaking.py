"""Whose language a command speaks, and how it says what it was told to say."""

from __future__ import annotations

import os
from contextlib import suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING

import click

from strata.errors import StrataError
from strata.messages import FALLBACK, worded

if TYPE_CHECKING:
    from strata.memory import Memory

# Whose owner is spoken to.
OPENED: ContextVar[Memory | None] = ContextVar("OPENED", default=None)


def owners_language(memory: Memory | None = None) -> str:
    """
    Return the language of the owner of *memory*, or of the one that is open.

    Where there is none, or its notes cannot be read, it is that of the machine.
    """
    memory = memory or OPENED.get()
    if memory:
        from strata.jobs.language import spoken_language  # noqa: PLC0415 - few ask

        with suppress(StrataError):
            return spoken_language(memory)
    return _language_of_the_machine()


def say(line: object) -> None:
    """Tell the owner *line* on stderr, a message or an error, beside the result."""
    click.echo(worded(line), err=True)


def say_as_strata(line: object) -> None:
    """Say *line*, and who says it."""
    click.echo(f"strata: {worded(line)}", err=True)


def _language_of_the_machine() -> str:
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    told = next((os.environ[name] for name in names if os.environ.get(name)), "")
    return told.partition("_")[0].partition(".")[0].lower() or FALLBACK
