"""`strata model`: which language model is asked, what it costs, and whether it works."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from strata.cli.options import open_memory, tell, wants_json
from strata.cli.showing import padded
from strata.cli.speaking import voice
from strata.errors import NotFound
from strata.jobs.connection.model_trial import try_model
from strata.jobs.connection.model_use import model_cost
from strata.messages import Notice, worded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.jobs.connection.model_use import ModelCost

_COLUMN = 12


@click.group(invoke_without_command=True)
@click.pass_context
def model(context: click.Context) -> int:
    """Show which language model is asked, and what it has cost."""
    if not context.invoked_subcommand:
        cost = model_cost(open_memory(context))
        tell(context, asdict(cost), _lines(cost))
    return 0


@model.command
@click.pass_context
def test(context: click.Context) -> int:
    """Ask the model one tiny question, whatever it did before."""
    memory = open_memory(context)
    if memory.model is None:
        raise NotFound.of("model.not-set-up")
    trial = try_model(memory, memory.model)
    told = asdict(trial)
    if trial.works or wants_json(context):
        tell(context, told, [worded(Notice("model.answered", **told))])
    return 0 if trial.works else 1


def _lines(cost: ModelCost) -> Iterator[str]:
    say = voice("model")
    spent = say("of", cost=cost.today.told, limit=cost.tokens_per_day)
    rows = {
        "model": cost.name or say("none"),
        "today": spent,
        "month": worded(cost.month.told, say.language),
    }
    for label, told in rows.items():
        yield f"{padded(say(label), _COLUMN)}{told}"
    for purpose, each in cost.purposes.items():
        yield say("purpose", purpose=purpose, cost=each.told)
