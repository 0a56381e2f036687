"""`strata forget`: what would go, what went, and the proof."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from strata.cli.options import TakesWords, open_memory, tell, wants_json
from strata.cli.progress import progress_bar
from strata.cli.speaking import say, voice
from strata.errors import NotAccepted
from strata.jobs.forgetting.forget import forget as run_forget
from strata.jobs.forgetting.forget import plan as plan_forgetting
from strata.jobs.forgetting.target import Target, period
from strata.jobs.forgetting.telling import (
    by_scope,
    receipt_lines,
    rows_of,
    unsure_lines,
)
from strata.jobs.machines.together import tell_others
from strata.messages import Notice, on_one_line, worded
from strata.workspace.scopes import PRIVATE

if TYPE_CHECKING:
    from strata.jobs.forgetting.planning import Plan
    from strata.jobs.forgetting.telling import Row
    from strata.messages import Voice

_ROWS = 40


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
    first, end = between or ("", "")
    since, until = period(memory.now, last=last or "", first=first, end=end)
    target = Target(" ".join(text).strip(), entity.strip(), session, since, until)
    words = voice("forget", memory)
    seen = ""
    if not yes:
        with progress_bar(Notice("forget.reading")) as progress:
            planned = plan_forgetting(
                memory, target, everywhere=everywhere, progress=progress
            )
        seen = planned.fingerprint
        lines = plan_lines(planned, words, dry_run=dry_run)
        tell(context, plan_document(planned), lines)
        if dry_run or not _agreed(context, planned, words):
            return 0 if dry_run else 1
    elif dry_run:
        raise NotAccepted.of("forget.dry-or-yes")
    with progress_bar(Notice("forget.reading")) as progress:
        receipt = run_forget(
            memory,
            target,
            git=git,
            everywhere=everywhere,
            seen=seen,
            progress=progress,
        )
    # The next sync would tell the other machines, and this one may be off by then.
    tell_others(memory.private)
    tell(context, receipt.document(), receipt_lines(receipt, words))
    return 0 if receipt.proof.holds else 1


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


def plan_lines(planned: Plan, say: Voice, *, dry_run: bool) -> list[str]:
    """Return what *planned* would do, for people."""
    if planned.is_empty:
        nothing = [say("nothing"), *([] if dry_run else [say("unlearned")])]
        return nothing + unsure_lines(planned, say)
    rows = [_row(each, say) for each in rows_of(planned)]
    told = [say("would"), *rows[:_ROWS]]
    told += [say("rest", count=len(rows) - _ROWS)] if len(rows) > _ROWS else []
    # What a group says is shown to whoever names the group, and nowhere else.
    told += by_scope(planned.counts, say)
    told += [say("name-a-scope")] if any(each.lines for each in planned.others) else []
    records = sum(each.records for each in planned.all)
    told += [say("records", count=records)] if records else []
    talks = sum(each.talks for each in planned.all)
    told += [say("talks", count=talks)] if talks else []
    versions = sum(each.versions for each in planned.all)
    told += [say("versions", count=versions)] if versions else []
    told += unsure_lines(planned, say)
    objection = planned.objection
    return told + ([worded(objection, say.language)] if objection else [])


def _row(row: Row, say: Voice) -> str:
    copies = f"{say('copies', count=row.count)} " if row.copied else ""
    return f"  {row.path}:{row.number} {copies}{on_one_line(row.text)}"


def plan_document(planned: Plan) -> dict[str, object]:
    """Return what *planned* would do, for programs."""
    return {
        "dry_run": True,
        "kind": planned.target.kind,
        "lines": [
            {
                "path": document.path,
                "line": said.number,
                "text": said.raw,
                "place": document.place,
            }
            for document, lines in planned.lines
            for said in lines
        ],
        "unsure": [
            {"path": each.path, "line": each.number, "text": each.shown}
            for each in planned.chosen.unsure
        ],
        "other_words": planned.other_words,
        "scopes": planned.counts,
        "journal_records": sum(each.records for each in planned.all),
        "talks": sum(each.talks for each in planned.all),
        "git_versions": sum(each.versions for each in planned.all),
        "transcripts": [asdict(each) for each in planned.transcripts],
    }
