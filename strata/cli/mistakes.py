"""What is wrong with a command line, as a sentence: click tells it in English alone."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

import click
from click.exceptions import NoSuchCommand

from strata.messages import Notice

if TYPE_CHECKING:
    from collections.abc import Iterable

_TOO_MANY = "Got unexpected extra argument"


def mistake(error: click.ClickException, commands: Iterable[str]) -> Notice:
    """Return what *error* complains of, and where to read on; *commands* are known."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    path = context.command_path if context else "strata"
    return Notice("usage.see", mistake=_told(error, commands), command=path)


def _told(error: click.ClickException, commands: Iterable[str]) -> str:
    if isinstance(error, NoSuchCommand):
        near = get_close_matches(error.command_name, commands, n=1)
        return _unknown("command", error.command_name, near)
    if isinstance(error, click.NoSuchOption):
        return _unknown("option", error.option_name, error.possibilities or [])
    if isinstance(error, click.BadOptionUsage):
        # Whether a value was too few or one too many is told by click's words alone.
        takes_none = "does not take" in error.message
        key = "usage.no-value" if takes_none else "usage.needs-value"
        return Notice(key, option=error.option_name)
    if isinstance(error, click.BadParameter) and error.param is not None:
        return _of_parameter(error, error.param)
    text = " ".join(error.format_message().split()).rstrip(".")
    if text.startswith(_TOO_MANY):
        extra = text.partition("(")[2].removesuffix(")")
        return Notice("usage.too-many", count=len(extra.split()), extra=extra)
    return text


def _unknown(kind: str, name: str, near: Iterable[str]) -> Notice:
    meant = list(near)
    if meant:
        return Notice(f"usage.no-{kind}-but", name=name, near=meant)
    return Notice(f"usage.no-{kind}", name=name)


def _of_parameter(error: click.BadParameter, parameter: click.Parameter) -> Notice:
    name = parameter.get_error_hint(error.ctx)
    kind, choices = parameter.type, _choices(parameter)
    if isinstance(error, click.MissingParameter):
        missing = f"usage.missing-{parameter.param_type_name}"
        told = Notice(missing, name=name)
        return (
            Notice("usage.choose", mistake=told, choices=choices) if choices else told
        )
    if choices:
        quoted = [f"'{choice}'" for choice in choices]
        # Click has the value in its own words alone.
        value = error.message.partition(" is not ")[0]
        return Notice("usage.no-choice", name=name, value=value, choices=quoted)
    if isinstance(kind, click.IntRange):
        if kind.max is None:
            return Notice("usage.at-least", name=name, least=kind.min)
        return Notice("usage.between", name=name, least=kind.min, most=kind.max)
    return Notice("usage.no-such-value", name=name, problem=error.message.rstrip("."))


def _choices(parameter: click.Parameter) -> list[str]:
    kind = parameter.type
    return list(map(str, kind.choices)) if isinstance(kind, click.Choice) else []
