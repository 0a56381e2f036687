"""`strata forget`: what would go, what went, and the proof."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import asdict
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING

import click

from strata.cli.options import TakesWords, open_memory, tell, wants_json
from strata.cli.progress import progress_bar
from strata.cli.speaking import say, voice
from strata.durations import in_order, moment_since, moment_until
from strata.errors import NotAccepted
from strata.jobs.forgetting.forget import forget as run_forget
from strata.jobs.forgetting.forget import plan as plan_forgetting
from strata.jobs.forgetting.target import Target
from strata.messages import Notice, on_one_line, worded
from strata.workspace.scopes import PRIVATE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from strata.jobs.forgetting.forget import Plan
    from strata.jobs.forgetting.receipt import Receipt
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
        raise NotAccepted.of("forget.dry-or-yes")
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


def plan_lines(planned: Plan, say: Voice, *, dry_run: bool) -> list[str]:
    """Return what *planned* would do, for people."""
    if planned.is_empty:
        return [say("nothing"), *([] if dry_run else [say("unlearned")])]
    rows = _plan_rows(planned, say)
    told = [say("would"), *rows[:_ROWS]]
    told += [say("rest", count=len(rows) - _ROWS)] if len(rows) > _ROWS else []
    # What a group says is shown to whoever names the group, and nowhere else.
    told += _by_scope(planned.counts, say)
    told += [say("name-a-scope")] if any(each.lines for each in planned.others) else []
    records = sum(each.records for each in planned.all)
    told += [say("records", count=records)] if records else []
    versions = sum(each.versions for each in planned.all)
    told += [say("versions", count=versions)] if versions else []
    objection = planned.objection
    return told + ([worded(objection, say.language)] if objection else [])


def _by_scope(counts: Mapping[str, int], say: Voice) -> list[str]:
    """Say how many lines are in which memory, where others than the owner's have any."""
    if not any(count for scope, count in counts.items() if scope != PRIVATE):
        return []
    names = {PRIVATE: say("private")}
    return [
        say("in-memory", count=count, memory=names.get(scope, scope))
        for scope, count in counts.items()
        if count
    ]


def _plan_rows(planned: Plan, say: Voice) -> list[str]:
    """Return a row for each line that would go; copies that say the same share one."""
    times = Counter(
        (document.path, said.number, document.place != "note", said.raw.strip())
        for document, lines in planned.lines
        for said in lines
    )
    return [
        f"  {path}:{number} {say('copies', count=count) + ' ' if copied else ''}"
        f"{on_one_line(said)}"
        for (path, number, copied, said), count in times.items()
    ]


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
        "other_words": planned.other_words,
        "scopes": planned.counts,
        "journal_records": sum(each.records for each in planned.all),
        "git_versions": sum(each.versions for each in planned.all),
        "transcripts": [asdict(each) for each in planned.transcripts],
    }


def receipt_lines(receipt: Receipt, say: Voice) -> list[str]:
    """Return what *receipt* says, for people."""
    proof = receipt.proof
    lines, more = sum(receipt.lines.values()), sum(receipt.more.values())
    gone = "gone" if lines or more else "none-gone"
    counts = {
        "lines": Notice("count.said-lines", count=lines),
        "files": Notice("count.files", count=len(receipt.lines)),
        "more": Notice("count.other-places", count=more),
    }
    told = [say(gone, **counts, receipt=receipt.id)]
    told += _by_scope(receipt.scopes, say)
    if proof.holds:
        checks = [say(f"check-{check}") for check in proof.checks]
        read_again = Notice("count.files", count=proof.files)
        told.append(say("proof", files=read_again, checks=checks))
    told += [say("titled", path=path) for path in proof.named]
    told += [say("left", place=place) for place in proof.left]
    told += [say("unread", path=path) for path in proof.unread]
    told += [say("elsewhere", path=path) for path in proof.elsewhere]
    told += [
        say("near", text=near, cosine=cosine) for near, cosine in proof.neighbours[:1]
    ]
    if receipt.rewritten:
        done = receipt.rewritten
        told.append(say("git", **asdict(done)))
        told += [say("remote", remote=remote) for remote in done.remotes]
    elif receipt.history:
        told.append(say("history", count=receipt.history))
    for each in receipt.transcripts:
        told.append(say("transcript", session=each.session[:8], count=each.messages))
        told += [say("whole-session", key=each.key)] if each.key else []
    return told
