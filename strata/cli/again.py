"""What no model has seen, done again: `strata sync --redo`, `--prepare`, `--commit`."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from strata.bundle import BUNDLE
from strata.cli.options import print_json, wants_json
from strata.cli.progress import progress_bar
from strata.cli.speaking import say
from strata.durations import moment_since
from strata.errors import AnswerRejected, NotAccepted, NotFound
from strata.jobs.connection.model_use import model_document
from strata.jobs.language import spoken_language
from strata.jobs.update import refresh
from strata.messages import Notice, Voice, text, worded

if TYPE_CHECKING:
    from strata.jobs.redo import RedoReport
    from strata.memory import Memory

_REDO_SINCE = "30d"
# Long enough for a gateway that was down over a weekend.
_PREPARE_SINCE = "3d"


class Again:
    """Does what was captured again; modules that few runs need are imported here."""

    def __init__(self, context: click.Context, memory: Memory) -> None:
        self._context = context
        self._memory = memory

    def redo(self, since: str | None, dry_run: bool) -> int:  # noqa: FBT001 - an option
        """Let the model do it."""
        from strata.jobs.redo import redo  # noqa: PLC0415 - see above

        with progress_bar(Notice("sync.asking")) as progress:
            report = redo(
                self._memory,
                since=moment_since(since or _REDO_SINCE, self._memory.now),
                dry_run=dry_run,
                progress=progress,
            )
        return self._show("would-redo" if dry_run else "redid", report)

    def prepare(self, since: str | None, quiet_token: str | None) -> int:
        """Print what the agent is asked, or *quiet_token* where there is nothing."""
        from strata.jobs.preparing import prepare  # noqa: PLC0415 - see above

        moment = moment_since(since or _PREPARE_SINCE, self._memory.now)
        program = shlex.quote(str(BUNDLE / "scripts" / "strata"))
        command = f"{program} sync --commit"
        question = prepare(self._memory, since=moment, command=command)
        if wants_json(self._context):
            told = (question.text, question.token, question.blocks) if question else ()
            names = ("question", "token", "blocks")
            print_json(dict(zip(names, told or (None, None, 0), strict=True)))
        elif question is None:
            click.echo(quiet_token or worded(Notice("sync.nothing-to-ask")))
        else:
            click.echo(question.text, nl=False)
        return 0

    def commit(self, answer: str) -> int:
        """Take the agent's answer from the file *answer*, or from stdin."""
        from strata.jobs.preparing import commit  # noqa: PLC0415 - see above
        from strata.model.answers import read_answer  # noqa: PLC0415 - see above
        from strata.model.extraction import HandedIn  # noqa: PLC0415 - see above

        try:
            handed_in = read_answer(self._read(answer), HandedIn, None)
        except AnswerRejected as error:
            raise NotAccepted(
                Notice("sync.wrong-form", complaints="; ".join(error.complaints))
            ) from None
        done = commit(self._memory, handed_in)
        return self._show("redid", done, nothing="nothing-to-write")

    def _read(self, answer: str) -> str:
        if answer == "-":
            return sys.stdin.read()
        try:
            return Path(answer).read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            raise NotFound(Notice("sync.no-file", answer=answer)) from None
        except (OSError, UnicodeDecodeError) as error:
            raise NotAccepted(
                Notice("sync.unreadable", answer=answer, error=error)
            ) from None

    def _show(
        self, verb: str, report: RedoReport, *, nothing: str = "nothing-again"
    ) -> int:
        refresh(self._memory, report.paths, say=say)
        if wants_json(self._context):
            print_json(_document(report) | model_document(self._memory))
        else:
            click.echo(_summary(verb, report, nothing, spoken_language(self._memory)))
        return 0


def _document(report: RedoReport) -> dict[str, object]:
    return {
        "run": report.run or None,
        "redone": [
            {
                "session": session_id,
                "date": block.day.isoformat(),
                "entries": len(block.entries),
                "path": path,
            }
            for session_id, block, path in report.redone
        ],
        "left": report.left,
        "unsupported_facts": report.unsupported_facts,
    }


def _summary(verb: str, report: RedoReport, nothing: str, language: str) -> str:
    say = Voice("sync", language)
    done = report.left if verb == "would-redo" else len(report.redone)
    blocks = Notice("count.blocks", count=done)
    parts = [say(verb, blocks=blocks) if done else say(nothing)]
    if report.unsupported_facts:
        parts.append(say("refused-unsaid", count=report.unsupported_facts))
    if report.left and verb != "would-redo":
        parts.append(say("left", count=report.left))
    if report.run:
        parts.append(say("take-back", run=report.run))
    return say("redone", parts=text(language, "words.semicolon").join(parts))
