"""Options that every command shares, wherever on the line they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from strata.memory import Memory

if TYPE_CHECKING:
    from collections.abc import Sequence

WITH_VALUE = {"--workspace", "--state-dir", "--agent", "--now", "--set"}
FLAGS = {"--json"}


def global_options_first(arguments: Sequence[str]) -> list[str]:
    """Return *arguments* with the shared options before the command; ``--`` ends them."""
    shared: list[str] = []
    rest: list[str] = []
    waiting = iter(arguments)
    for argument in waiting:
        if argument == "--":
            rest += [argument, *waiting]
        elif argument in FLAGS or argument.partition("=")[0] in WITH_VALUE - {argument}:
            shared.append(argument)
        elif argument in WITH_VALUE:
            shared += [argument, *_next(waiting)]
        else:
            rest.append(argument)
    return shared + rest


def _next(arguments: object) -> list[str]:
    value = next(arguments, None)  # type: ignore[call-overload]
    return [] if value is None else [value]


def open_memory(context: click.Context) -> Memory:
    """Return the memory that the shared options name."""
    options = context.find_root().obj
    return Memory.open(
        workspace=options["workspace"],
        state_dir=options["state_dir"],
        agent=options["agent"],
        now=options["now"],
        overrides=options["overrides"],
    )


def wants_json(context: click.Context) -> bool:
    """Say whether the result is for a program."""
    return bool(context.find_root().obj["as_json"])


def print_json(document: object) -> None:
    """Print *document* on stdout, in one line."""
    import json  # noqa: PLC0415 - only programs need it

    click.echo(json.dumps(document, ensure_ascii=False))
