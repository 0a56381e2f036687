"""`strata rules` and `strata prompt`: texts to give to the agent, rendered for here."""

from __future__ import annotations

import click

from strata.bundle import BUNDLE
from strata.cli.options import open_memory
from strata.templates import render

LANGUAGES = ["en", "zh"]
PROMPTS = {"memory-sync": "prompts/memory_sync.md.j2"}


@click.command
@click.option("--language", type=click.Choice(LANGUAGES), help="Of the rules (en).")
@click.pass_context
def rules(context: click.Context, language: str | None) -> int:
    """Print the rules of recall that belong into AGENTS.md."""
    configured = open_memory(context).settings.language
    chosen = language or (configured if configured in LANGUAGES else "en")
    snippet = f"agents_md_snippets/recall.{chosen}.md.j2"
    click.echo(render(snippet, strata=_program()), nl=False)
    return 0


@click.command
@click.argument("name", type=click.Choice(list(PROMPTS)))
@click.option("--quiet-token", metavar="T", default="NO_REPLY", show_default=True)
def prompt(name: str, quiet_token: str) -> int:
    """Print the message of a scheduled agent turn, where commands cannot be scheduled."""
    text = render(PROMPTS[name], strata=_program(), quiet_token=quiet_token)
    click.echo(text, nl=False)
    return 0


def _program() -> str:
    return str(BUNDLE / "scripts" / "strata")
