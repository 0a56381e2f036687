"""`strata sync`; with `--redo`, `--prepare`, `--commit` what no model has seen, again."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from strata.bundle import BUNDLE
from strata.cli.options import open_memory, print_json, tell, wants_json
from strata.cli.progress import progress_bar
from strata.cli.speaking import say, voice
from strata.durations import moment_since
from strata.errors import AnswerRejected, NotAccepted, NotFound, UsageError
from strata.jobs.connection.model_use import model_document
from strata.jobs.redo import redo as run_redo
from strata.jobs.redo import redo_waiting
from strata.jobs.sync import sync as run_sync
from strata.jobs.thinking import has_model
from strata.jobs.update import refresh
from strata.messages import Notice, Voice, text, to_people, worded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.jobs.redo import RedoReport
    from strata.jobs.sync import SyncReport
    from strata.memory import Memory
    from strata.models import Block

_REDO_SINCE = "30d"
# Long enough for a gateway that was down over a weekend.
_PREPARE_SINCE = "3d"


@click.command
@click.option("--since", metavar="DUR|ISO", help="Look again at all since then (30d).")
@click.option("--session", metavar="ID", help="Only this conversation.")
@click.option(
    "--dry-run", is_flag=True, help="Say what would be written; write nothing."
)
@click.option(
    "--quiet-token", metavar="T", help="Print T when there was nothing to do."
)
@click.option("--redo", is_flag=True, help="Let the model redo what had none.")
@click.option("--prepare", is_flag=True, help="Print a question for the agent.")
@click.option("--commit", "answer", metavar="FILE|-", help="Take the agent's answer.")
@click.pass_context
def sync(  # noqa: PLR0913 - one option each
    context: click.Context,
    since: str | None,
    session: str | None,
    quiet_token: str | None,
    answer: str | None,
    *,
    dry_run: bool,
    redo: bool,
    prepare: bool,
) -> int:
    """Capture what was said since the last time into daily notes."""
    memory = open_memory(context)
    if redo + prepare + (answer is not None) > 1:
        raise UsageError.of("sync.three-commands")
    if redo:
        return _redo(context, memory, since or _REDO_SINCE, dry_run=dry_run)
    if answer is not None:
        return _commit(context, memory, answer)
    with progress_bar(Notice("sync.reading")) as progress:
        report = run_sync(
            memory,
            since=moment_since(since, memory.now) if since and not prepare else None,
            only=session,
            dry_run=dry_run,
            progress=progress,
        )
    if not dry_run:
        redone = redo_waiting(memory)
        refresh(memory, [*report.paths, *redone], say=to_people)
    if prepare:
        return _prepare(context, memory, since or _PREPARE_SINCE, quiet_token)
    if wants_json(context):
        print_json(_document(report) | model_document(memory))
    elif quiet_token and not report.captured and not report.problems:
        click.echo(quiet_token)
    else:
        click.echo(_line(memory, report, dry_run=dry_run))
    for problem in report.problems:
        to_people(problem)
    return 1 if report.problems else 0


def _redo(context: click.Context, memory: Memory, since: str, *, dry_run: bool) -> int:
    """Let the model do again what it has not seen."""
    with progress_bar(Notice("sync.asking")) as progress:
        moment = moment_since(since, memory.now)
        report = run_redo(memory, since=moment, dry_run=dry_run, progress=progress)
    return _show(context, memory, report, "would-redo" if dry_run else "redid")


def _prepare(
    context: click.Context, memory: Memory, since: str, quiet_token: str | None
) -> int:
    """Print what the agent is asked, or *quiet_token* where there is nothing."""
    from strata.jobs.preparing import prepare  # noqa: PLC0415 - few runs ask an agent

    program = shlex.quote(str(BUNDLE / "scripts" / "strata"))
    command = f"{program} sync --commit"
    question = prepare(memory, since=moment_since(since, memory.now), command=command)
    if wants_json(context):
        told = (question.text, question.token, question.blocks) if question else ()
        names = ("question", "token", "blocks")
        print_json(dict(zip(names, told or (None, None, 0), strict=True)))
    elif question is None:
        click.echo(quiet_token or worded(Notice("sync.nothing-to-ask")))
    else:
        click.echo(question.text, nl=False)
    return 0


def _commit(context: click.Context, memory: Memory, answer: str) -> int:
    """Take the agent's answer from the file *answer*, or from stdin."""
    from strata.jobs.preparing import commit  # noqa: PLC0415 - as above
    from strata.model.answers import read_answer  # noqa: PLC0415 - the same
    from strata.model.extraction import HandedIn  # noqa: PLC0415 - the same

    try:
        handed_in = read_answer(_read(answer), HandedIn, None)
    except AnswerRejected as error:
        complaints = "; ".join(error.complaints)
        raise NotAccepted.of("sync.wrong-form", complaints=complaints) from None
    done = commit(memory, handed_in)
    return _show(context, memory, done, "redid", nothing="nothing-to-write")


def _read(answer: str) -> str:
    if answer == "-":
        return sys.stdin.read()
    try:
        return Path(answer).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise NotFound.of("sync.no-file", answer=answer) from None
    except (OSError, UnicodeDecodeError) as error:
        told = Notice("sync.unreadable", answer=answer, error=error)
        raise NotAccepted(told) from None


def _show(
    context: click.Context,
    memory: Memory,
    report: RedoReport,
    verb: str,
    nothing: str = "nothing-again",
) -> int:
    refresh(memory, report.paths, say=say)
    words = voice("sync", memory)
    document = {
        "run": report.run or None,
        "redone": [_row(*each) for each in report.redone],
        "left": report.left,
        "unsupported_facts": report.unsupported_facts,
    }
    line = _redone(verb, report, nothing, words)
    tell(context, document | model_document(memory), [line])
    return 0


def _document(report: SyncReport) -> dict[str, object]:
    return {
        "captured": [
            _row(*each) | {"messages": each[1].messages} for each in report.captured
        ],
        "skipped": [
            {"session": session_id, "reason": reason}
            for session_id, reason in report.skipped
        ],
        "malformed_lines": report.malformed_lines,
        "unsupported_facts": report.unsupported_facts,
    }


def _row(session: str, block: Block, path: str) -> dict[str, object]:
    return {
        "session": session,
        "date": block.day.isoformat(),
        "entries": len(block.entries),
        "path": path,
    }


def _line(memory: Memory, report: SyncReport, *, dry_run: bool) -> str:
    say = voice("sync", memory)
    summary = _summary(report, say, dry_run=dry_run)
    asked = _asked(memory, say, dry_run=dry_run)
    return text(say.language, "words.semicolon").join([*summary, *asked])


def _summary(report: SyncReport, say: Voice, *, dry_run: bool) -> Iterator[str]:
    sessions = len({session_id for session_id, _, _ in report.captured})
    entries = sum(len(block.entries) for _, block, _ in report.captured)
    yield say(
        "would-capture" if dry_run else "captured",
        conversations=Notice("count.conversations", count=sessions),
        entries=Notice("count.entries", count=entries),
    )
    if report.paths:
        yield say("in", paths=_listed(report.paths))
    yield say("skipped", count=len(report.skipped))
    if number := report.malformed_lines:
        yield say("malformed", lines=Notice("count.lines", count=number))
    if number := report.unsupported_facts:
        yield say("refused", facts=Notice("count.facts", count=number))


def _asked(memory: Memory, say: Voice, *, dry_run: bool) -> Iterator[str]:
    if dry_run:
        if has_model(memory):
            yield say("not-asked")
        return
    model = memory.model_if_open
    if model is not None and model.calls:
        times = Notice("count.times", count=model.calls)
        yield say("asked", times=times, tokens=model.tokens)


def _listed(paths: list[str]) -> list[str] | Notice:
    longest = 3
    if len(paths) <= longest:
        return paths
    notes = Notice("count.notes", count=len(paths))
    return Notice("sync.from-to", notes=notes, first=paths[0], last=paths[-1])


def _redone(verb: str, report: RedoReport, nothing: str, say: Voice) -> str:
    done = report.left if verb == "would-redo" else len(report.redone)
    blocks = Notice("count.blocks", count=done)
    parts = [say(verb, blocks=blocks) if done else say(nothing)]
    if report.unsupported_facts:
        parts.append(say("refused-unsaid", count=report.unsupported_facts))
    if report.left and verb != "would-redo":
        parts.append(say("left", count=report.left))
    if report.run:
        parts.append(say("take-back", run=report.run))
    return say("redone", parts=text(say.language, "words.semicolon").join(parts))
