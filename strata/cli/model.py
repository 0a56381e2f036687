"""`strata model`: which language model is asked, what it costs, and whether it works."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from strata.cli.options import open_memory, print_json, wants_json
from strata.errors import NotFound
from strata.jobs.connection.model_trial import try_model
from strata.jobs.connection.model_use import model_cost

if TYPE_CHECKING:
    from strata.jobs.connection.model_use import ModelCost


@click.group(invoke_without_command=True)
@click.pass_context
def model(context: click.Context) -> int:
    """Show which language model is asked, and what it has cost."""
    if context.invoked_subcommand:
        return 0
    cost = model_cost(open_memory(context))
    if wants_json(context):
        print_json(asdict(cost))
    else:
        click.echo("\n".join(_lines(cost)))
    return 0


@model.command
@click.pass_context
def test(context: click.Context) -> int:
    """Ask the model one tiny question, whatever it did before."""
    memory = open_memory(context)
    if memory.model is None:
        raise NotFound(
            "no language model is set up; set model.provider, or run strata install"
        )
    trial = try_model(memory, memory.model)
    if wants_json(context):
        print_json(asdict(trial))
    elif trial.works:
        click.echo(
            f"{trial.name} answered in {trial.seconds:.1f} s, for {trial.tokens} tokens"
        )
    return 0 if trial.works else 1


def _lines(cost: ModelCost) -> list[str]:
    return [
        f"model       {cost.name or 'none; rules do the work'}",
        f"today       {cost.today} of {cost.tokens_per_day:,}",
        f"this month  {cost.month}",
        *(f"  {purpose}: {spent}" for purpose, spent in cost.purposes.items()),
    ]
