"""`strata remember`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from strata.cli.options import TakesWords, by_agent, open_memory, tell
from strata.cli.speaking import say, voice
from strata.jobs.remember import SECTIONS, remember_for_agent
from strata.jobs.remember import remember as run_remember
from strata.jobs.update import refresh
from strata.workspace.layout import LONG_TERM

if TYPE_CHECKING:
    from strata.jobs.remember import RememberReport
    from strata.memory import Memory


@click.command(cls=TakesWords)
@click.argument("text", nargs=-1, required=True, type=click.UNPROCESSED)
@click.option(
    "--section",
    type=click.Choice(SECTIONS, case_sensitive=False),
    help="Where it stands.",
)
@click.option(
    "--importance",
    metavar="1-10",
    type=click.IntRange(1, 10),
    help="How much it matters.",
)
@click.pass_context
def remember(
    context: click.Context,
    text: tuple[str, ...],
    section: str | None,
    importance: int | None,
) -> int:
    """Put your own words into MEMORY.md at once, and into today's note."""
    memory = open_memory(context)
    keep = remember_for_agent if by_agent() else run_remember
    report = keep(memory, " ".join(text), section=section or "", importance=importance)
    refresh(memory, report.paths, say=say)
    tell(context, remembered(report), [outcome(report, memory)])
    return 1 if report.waits else 0


def outcome(report: RememberReport, memory: Memory) -> str:
    """Say in one line what became of a statement, or in more where something left."""
    done = "new" if report.line else "full"
    kind = "known" if report.known else "waits" if report.waits else done
    text = report.standing if report.known else report.text
    say = voice("remember", memory)
    told = say(kind, path=LONG_TERM, line=report.line, note=report.note, text=text)
    gone = [say("replaced", text=text) for text in report.replaced]
    gone += [say("left", path=LONG_TERM, text=text) for text in report.evicted]
    return "\n".join([told, *gone])


def remembered(report: RememberReport) -> dict[str, object]:
    """Return *report* for a program."""
    return {
        "id": report.id,
        "text": report.text,
        "section": report.section,
        "line": report.line or None,
        "note": report.note or None,
        "known": report.known,
        "waits": report.waits or not report.line,
        "gone": report.gone,
    }
