"""`strata forget`."""

from __future__ import annotations

import sys
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING

import click

from strata.cli.forget_told import plan_document, plan_lines, receipt_lines
from strata.cli.options import TakesWords, open_memory, tell, wants_json
from strata.cli.progress import progress_bar
from strata.cli.speaking import say, voice
from strata.durations import in_order, moment_since, moment_until
from strata.errors import NotAccepted
from strata.jobs.forgetting.forget import forget as run_forget
from strata.jobs.forgetting.forget import plan as plan_forgetting
from strata.jobs.forgetting.target import Target
from strata.messages import Notice
from strata.workspace.scopes import PRIVATE

if TYPE_CHECKING:
    from strata.jobs.forgetting.forget import Plan
    from strata.messages import Voice


@click.command(cls=TakesWords)
@click.argument("text", nargs=-1)
@click.option("--session", metavar="ID", default="", help="All of one conversation.")
@click.option("--entity", metavar="NAME", default="", help="All that names this.")
@click.option("--last", metavar="7d", help="All that was said since then.")
@click.option("--between", metavar="A B", nargs=2, help="All from day A to day B.")
@click.option("--dry-run", is_flag=True, help="Show what would go; change nothing.")
@click.option("--yes", is_flag=True, help="Do it without asking.")
@click.option("--git", is_flag=True, help="Rewrite the git history of memory too.")
@click.pass_context
def forget(  # noqa: PLR0913 - one parameter an option
    context: click.Context,
    text: tuple[str, ...],
    *,
    session: str,
    entity: str,
    last: str | None,
    between: tuple[str, str] | None,
    dry_run: bool,
    yes: bool,
    git: bool,
) -> int:
    """
    Take something out of memory for good, with all that rests on it, and prove it.

    That is your own memory and those of all groups and other people; `--scope` names one.
    """
    memory = open_memory(context)
    everywhere = context.find_root().obj["scope"] != PRIVATE
    since, until = _period(memory.now, last, between)
    target = Target(" ".join(text).strip(), entity.strip(), session, since, until)
    words = voice("forget", memory)
    if not yes:
        with progress_bar(Notice("forget.reading")) as progress:
            planned = plan_forgetting(
                memory, target, everywhere=everywhere, progress=progress
            )
        lines = plan_lines(planned, words, dry_run=dry_run)
        tell(context, plan_document(planned), lines)
        if dry_run or not _agreed(context, planned, words):
            return 0 if dry_run else 1
    elif dry_run:
        raise NotAccepted(Notice("forget.dry-or-yes"))
    with progress_bar(Notice("forget.reading")) as progress:
        receipt = run_forget(
            memory,
            target,
            git=git,
            everywhere=everywhere,
            seen=not yes,
            progress=progress,
        )
    tell(context, receipt.document(), receipt_lines(receipt, words))
    return 0 if receipt.proof.holds else 1


def _period(
    now: datetime, last: str | None, between: tuple[str, str] | None
) -> tuple[datetime | None, datetime | None]:
    if last:
        since = moment_since(last, now)
        hours = last.strip().endswith(("h", "m"))
        return since if hours else _midnight(since), _midnight(now, days=1)
    if between:
        first, end = moment_since(between[0], now), moment_until(between[1], now)
        in_order(first, end)
        timed = end.time() != time()
        return first, end if timed else _midnight(end, days=1)
    return None, None


def _midnight(moment: datetime, *, days: int = 0) -> datetime:
    midnight = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight + timedelta(days=days)


def _agreed(context: click.Context, planned: Plan, words: Voice) -> bool:
    """Ask; where nobody can answer, the answer is no."""
    if wants_json(context) or not sys.stdin.isatty():
        if not planned.objection:
            click.echo(words("yes"), err=True)
        elif wants_json(context):
            say(planned.objection)
        return False
    if click.confirm(words("ask")):
        return True
    click.echo(words("kept"))
    return False
