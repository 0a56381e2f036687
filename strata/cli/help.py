"""What click itself says, `--help` and mistakes, in other languages than English."""

from __future__ import annotations

from difflib import get_close_matches
from inspect import cleandoc
from typing import TYPE_CHECKING

import click
from click.exceptions import NoSuchCommand

from strata.messages import Notice, Voice

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ABOUT = "about"
_INDENT = "  "
_TOO_MANY = "Got unexpected extra argument"


def help_text(context: click.Context, language: str) -> str:
    """Return the help of the command of *context*; what *language* lacks is English."""
    say, formatter = Voice("help", language), context.make_formatter()
    command = context.command
    pieces = " ".join(command.collect_usage_pieces(context))
    formatter.write_usage(context.command_path, pieces, say("usage"))
    formatter.write_paragraph()
    for line in _about(context.command_path, command, language).splitlines():
        formatter.write(f"{_INDENT}{line}".rstrip() + "\n")
    with formatter.section(say("options")):
        formatter.write_dl(list(_options(context, say)))
    if isinstance(command, click.Group):
        with formatter.section(say("commands")):
            formatter.write_dl(list(_commands(context, command, language)))
    return formatter.getvalue().rstrip("\n")


def key_of(option: click.Parameter) -> str:
    """Return the name by which the help of *option* is known: its longest."""
    return max(option.opts, key=len)


def table_of_path(path: str) -> str:
    """Return the table of what is run by *path*, such as ``strata audit log``."""
    return ".".join(["help", *path.split()[1:]])


def _about(path: str, command: click.Command, language: str) -> str:
    words = Voice(table_of_path(path), language)
    return words(ABOUT) if ABOUT in words else cleandoc(command.help or "")


def _options(context: click.Context, say: Voice) -> Iterator[tuple[str, str]]:
    own = Voice(table_of_path(context.command_path), say.language)
    for option in context.command.get_params(context):
        record = option.get_help_record(context)
        if record is None or not isinstance(option, click.Option):
            continue
        key = key_of(option)
        named = next((words for words in (own, say) if key in words), None)
        told = named(key) if named else (option.help or "")
        extra = option.get_help_extra(context)
        marks = [
            say("default", value=extra["default"]) if "default" in extra else "",
            extra.get("range", ""),
            say("required") if "required" in extra else "",
        ]
        marked = "; ".join(mark for mark in marks if mark)
        yield record[0], f"{told}  [{marked}]".strip() if marked else told


def _commands(
    context: click.Context, group: click.Group, language: str
) -> Iterator[tuple[str, str]]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is not None:
            about = _about(f"{context.command_path} {name}", command, language)
            yield name, about.partition("\n")[0]


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
