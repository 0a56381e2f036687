"""`strata status`: what is there, on one screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from strata.cli.options import open_memory, print_json, wants_json
from strata.jobs.checks.encryption import refuse_locked
from strata.jobs.status import status as take_status

if TYPE_CHECKING:
    from strata.jobs.status import Status


@click.command
@click.pass_context
def status(context: click.Context) -> int:
    """Show what Strata holds, when it last ran, and what it skipped and why."""
    memory = open_memory(context, locked=True)
    refuse_locked(memory)
    found = take_status(memory)
    if wants_json(context):
        print_json(found.document())
    else:
        click.echo("\n".join(_lines(found)))
    return 0


def _lines(found: Status) -> list[str]:
    skipped = ", ".join(
        f"{number} {reason}" for reason, number in sorted(found.reasons.items())
    )
    return [
        f"workspace      {found.workspace}",
        *([f"scope          {found.scope}"] if found.scope != "private" else []),
        *([f"scopes         {', '.join(found.scopes)}"] if found.scopes else []),
        f"transcripts    {found.state}",
        f"time zone      {found.timezone}",
        f"daily notes    {found.notes} ({found.blocks} blocks, {found.entries} entries)",
        f"last sync      {found.last_sync or 'never; run `strata sync`'}",
        f"conversations  {sum(found.reasons.values())}"
        + (f": {skipped}" if skipped else ""),
        *_to_review(found),
        f"index          {found.index}",
        f"model          {found.model}",
        f"asked          {_asked(found)}",
        f"events         {found.events}",
        f"OpenClaw       {found.openclaw}",
    ]


def _to_review(found: Status) -> list[str]:
    told = [
        f"waiting for your word: {found.waiting}" if found.waiting else "",
        f"orders by others, set apart: {found.set_apart}" if found.set_apart else "",
    ]
    told = [each for each in told if each]
    return [f"review         {'; '.join(told)}; see `strata review`"] if told else []


def _asked(found: Status) -> str:
    cost = found.language_model
    if not (cost.name or cost.month.calls):
        return "no language model; rules do the work"
    spent = f"today {cost.today} of {cost.tokens_per_day:,}; this month {cost.month}"
    return f"{cost.name or 'nobody now'}; {spent}"
