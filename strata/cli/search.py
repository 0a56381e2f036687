"""`strata query`, `strata why` and `strata get`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from strata.cli.options import LEAVING, TakesWords, open_memory, print_json, wants_json
from strata.cli.speaking import owners_language
from strata.errors import UsageError
from strata.messages import Notice, Voice

if TYPE_CHECKING:
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
    "results",
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
    from strata.jobs.query import query as run_query  # noqa: PLC0415

    memory = open_memory(context)
    if LEAVING.get():
        # To close it takes 75 ms, and the end of this process does as well.
        memory.index.keep_open(watch=False)
    question = " ".join(text).strip()
    if not question:
        raise UsageError(Notice("query.what"))
    try:
        answer = run_query(memory, question, _wish(memory, options))
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
    if wants_json(context):
        print_json({"reasons": [asdict(each) for each in findings]})
    else:
        say = Voice("why", owners_language())
        reasons = Voice("why-reasons", say.language)
        for each in findings:
            told = say("finding", reason=reasons(each.reason), detail=each.detail)
            click.echo(told)
    return 0


@click.command
@click.argument("path", metavar="PATH[:LINE]")
@click.option(
    "-l", "lines", metavar="N", type=click.IntRange(1, 10_000), help="How many lines."
)
@click.pass_context
def get(context: click.Context, path: str, lines: int | None) -> int:
    """Print lines of a memory file, as a citation names them."""
    from strata.search.answering.citations import get as read_lines  # noqa: PLC0415

    memory = open_memory(context)
    passage = read_lines(memory.workspace.root, path, lines)
    memory.saw(f"{passage.path}#L{passage.start_line}-L{passage.end_line}")
    if wants_json(context):
        print_json(
            {
                "path": passage.path,
                "start_line": passage.start_line,
                "end_line": passage.end_line,
                "text": passage.text,
            }
        )
    else:
        click.echo(passage.text)
    return 0


def _wish(memory: Memory, options: dict[str, Any]) -> Wish:  # Any: click's own values
    from strata.durations import in_order, moment_since, moment_until  # noqa: PLC0415
    from strata.hits import Tier  # noqa: PLC0415
    from strata.jobs.query import Wish  # noqa: PLC0415

    first, last, then = options["since"], options["until"], options["as_of"]
    since = moment_since(first, memory.now) if first else None
    until = moment_until(last, memory.now) if last else None
    in_order(since, until)
    return Wish(
        limit=options["results"],
        since=since,
        until=until,
        tier=Tier(options["tier"]) if options["tier"] else None,
        as_of=moment_until(then, memory.now).date() if then else None,
        budget=options["budget"],
        explain=options["explain"],
    )


def _exit_code(answer: Answer) -> int:
    if answer.index == "down":
        return INDEX_DOWN
    if answer.answerable:
        return 0
    return INDEX_BEHIND if answer.index == "behind" else NOTHING_FOUND
