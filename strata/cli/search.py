"""`strata query`, `strata why` and `strata get`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from strata.cli.options import (
    LEAVING,
    TakesWords,
    open_memory,
    print_json,
    tell,
    wants_json,
)
from strata.cli.speaking import voice
from strata.errors import UsageError
from strata.messages import Notice, Voice

if TYPE_CHECKING:
    from collections.abc import Mapping

    from strata.hits import Answer
    from strata.jobs.query import Wish
    from strata.memory import Memory

# With --exit-code, so that a script can tell them apart; else what was found exits with 0.
NOTHING_FOUND, INDEX_BEHIND, INDEX_DOWN = 3, 4, 5
TIERS = ["long-term", "weekly", "daily", "bank", "other"]


@click.command(cls=TakesWords)
@click.argument("text", nargs=-1, required=True, type=click.UNPROCESSED)
@click.option(
    "-n",
    "limit",
    metavar="K",
    type=click.IntRange(1, 100),
    help="At most so many hits.",
)
@click.option("--since", metavar="WHEN", help="Only notes from then on.")
@click.option("--until", metavar="WHEN", help="Only notes up to then.")
@click.option("--tier", type=click.Choice(TIERS), help="Only this kind of note.")
@click.option("--as-of", metavar="WHEN", help="Answer with what was known then.")
@click.option(
    "--budget", metavar="TOKENS", type=click.IntRange(50, 100_000), help="No more text."
)
@click.option("--explain", is_flag=True, help="Say how each candidate was ranked.")
@click.option("--exit-code", is_flag=True, help="3 nothing, 4 index behind, 5 down.")
@click.pass_context
def query(
    context: click.Context, /, text: tuple[str, ...], **options: Any
) -> int:  # Any: click's own values
    """
    Find what was said, decided or done; each hit names its file and lines.

    "A phrase" in quotes comes first where it stands, and a -word is left out.
    """
    from strata.cli.answers import document, print_answer  # noqa: PLC0415
    from strata.durations import in_order  # noqa: PLC0415
    from strata.jobs.query import query as run_query  # noqa: PLC0415

    memory = open_memory(context)
    if LEAVING.get():
        # To close it takes 75 ms, and the end of this process does as well.
        memory.index.keep_open(watch=False)
    question = " ".join(text).strip()
    if not question:
        raise UsageError(Notice("query.what"))
    try:
        wished = wish(memory, options)
        in_order(wished.since, wished.until)
        answer = run_query(memory, question, wished)
    finally:
        if LEAVING.get():
            memory.index.shelf.stop_listening()
    if wants_json(context):
        print_json(document(answer))
    else:
        print_answer(answer, question)
    return _exit_code(answer) if options["exit_code"] else 0


@click.command
@click.argument("text", nargs=-1, required=True)
@click.option("--expect", metavar="TEXT", required=True, help="What should be found.")
@click.pass_context
def why(context: click.Context, text: tuple[str, ...], expect: str) -> int:
    """Say why a question does not find the text that it should."""
    from strata.jobs.why import why as run_why  # noqa: PLC0415

    findings = run_why(open_memory(context), " ".join(text).strip(), expect.strip())
    say = voice("why")
    reasons = Voice("why-reasons", say.language)
    lines = (
        say("finding", reason=reasons(each.reason), detail=each.detail)
        for each in findings
    )
    tell(context, {"reasons": [asdict(each) for each in findings]}, lines)
    return 0


@click.command
@click.argument("path", metavar="PATH[:LINE]")
@click.option(
    "-l", "lines", metavar="N", type=click.IntRange(1, 10_000), help="How many lines."
)
@click.pass_context
def get(context: click.Context, path: str, lines: int | None) -> int:
    """Print lines of a memory file, as a citation names them."""
    passage = read(open_memory(context), path, lines)
    tell(context, passage, [passage["text"]])
    return 0


def read(memory: Memory, path: str, lines: int | None) -> dict[str, Any]:
    """Return the passage that *path* names, as programs read it."""
    from strata.search.answering.citations import get as read_lines  # noqa: PLC0415

    passage = read_lines(memory.workspace.root, path, lines)
    memory.saw(f"{passage.path}#L{passage.start_line}-L{passage.end_line}")
    return asdict(passage)


# Any: values of click, or of JSON.
def wish(memory: Memory, told: Mapping[str, Any]) -> Wish:
    """Return what the options of `query`, or arguments of that name, ask for."""
    from strata.durations import moment_since, moment_until  # noqa: PLC0415
    from strata.hits import Tier  # noqa: PLC0415
    from strata.jobs.query import Wish  # noqa: PLC0415

    since, until, then = (told.get(name) for name in ("since", "until", "as_of"))
    return Wish(
        limit=told.get("limit"),
        since=moment_since(since, memory.now) if since else None,
        until=moment_until(until, memory.now) if until else None,
        tier=Tier(told["tier"]) if told.get("tier") else None,
        as_of=moment_until(then, memory.now).date() if then else None,
        budget=told.get("budget"),
        explain=told.get("explain", False),
    )


def _exit_code(answer: Answer) -> int:
    if answer.index == "down":
        return INDEX_DOWN
    if answer.answerable:
        return 0
    return INDEX_BEHIND if answer.index == "behind" else NOTHING_FOUND
