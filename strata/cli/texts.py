"""`strata rules` and `strata prompt`: texts to give to the agent, rendered for here."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from strata.bundle import BUNDLE
from strata.cli.options import open_memory, tell
from strata.jobs.connection.agents_md import LANGUAGES
from strata.jobs.connection.agents_md import rules as rules_of
from strata.templates import render

if TYPE_CHECKING:
    from pathlib import Path

PROMPTS = {
    "memory-sync": "prompts/memory_sync.md.j2",
    "memory-tidy": "prompts/memory_tidy.md.j2",
}


@click.command
@click.option("--language", type=click.Choice(LANGUAGES), help="Of the rules.")
@click.pass_context
def rules(context: click.Context, language: str | None) -> int:
    """Print the rules of recall that belong into AGENTS.md."""
    return _print(context, rules_of(open_memory(context), _program(), language))


@click.command
@click.argument("name", type=click.Choice(list(PROMPTS)))
@click.option(
    "--quiet-token",
    metavar="T",
    default="NO_REPLY",
    show_default=True,
    help="What the agent answers where there is nothing to say.",
)
@click.pass_context
def prompt(context: click.Context, name: str, quiet_token: str) -> int:
    """Print the message of a scheduled agent turn, where commands cannot be scheduled."""
    text = render(
        PROMPTS[name], strata=shlex.quote(str(_program())), quiet_token=quiet_token
    )
    return _print(context, text)


def _print(context: click.Context, text: str) -> int:
    tell(context, {"text": text}, [text.removesuffix("\n")])
    return 0


def _program() -> Path:
    return BUNDLE / "scripts" / "strata"
