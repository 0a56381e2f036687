"""`--help` in other languages than English, which stands in the code beside each option."""

from __future__ import annotations

from inspect import cleandoc
from typing import TYPE_CHECKING

import click

from strata.messages import Voice

if TYPE_CHECKING:
    from collections.abc import Iterator

ABOUT = "about"
_INDENT = "  "


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
