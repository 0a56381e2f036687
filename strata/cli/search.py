"""`strata query` and `strata get`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from strata.cli.options import open_memory, print_json, wants_json
from strata.errors import UsageError

if TYPE_CHECKING:
    from strata.models import Answer, Hit

TIERS = ["long-term", "weekly", "daily", "bank", "other"]


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("text", nargs=-1, required=True, type=click.UNPROCESSED)
@click.option("-n", "results", metavar="K", type=click.IntRange(1, 100))
@click.option("--since", metavar="WHEN", help="Only notes from then on.")
@click.option("--until", metavar="WHEN", help="Only notes up to then.")
@click.option("--tier", type=click.Choice(TIERS), help="Only this kind of note.")
@click.pass_context
def query(  # noqa: PLR0913, PLR0917 - one parameter an option
    context: click.Context,
    text: tuple[str, ...],
    results: int | None,
    since: str | None,
    until: str | None,
    tier: str | None,
) -> int:
    """Find what was said, decided or done; each hit names its file and lines."""
    from strata.durations import moment_since, moment_until  # noqa: PLC0415
    from strata.jobs.query import query as run_query  # noqa: PLC0415
    from strata.models import Tier  # noqa: PLC0415

    memory = open_memory(context)
    question = " ".join(text).strip()
    if not question:
        raise UsageError("what are you looking for? `strata query TEXT`")
    answer = run_query(
        memory,
        question,
        limit=results or memory.settings.search_results,
        since=moment_since(since, memory.now) if since else None,
        until=moment_until(until, memory.now) if until else None,
        tier=Tier(tier) if tier else None,
    )
    if wants_json(context):
        print_json(_document(answer))
    else:
        _print(answer)
    return 0


@click.command
@click.argument("path", metavar="PATH[:LINE]")
@click.option("-l", "lines", metavar="N", type=click.IntRange(1, 10_000))
@click.pass_context
def get(context: click.Context, path: str, lines: int | None) -> int:
    """Print lines of a memory file, as a citation names them."""
    from strata.search.citations import get as read_lines  # noqa: PLC0415

    memory = open_memory(context)
    passage = read_lines(memory.workspace.root, path, lines)
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


def _document(answer: Answer) -> dict[str, object]:
    return {
        "mode": answer.mode,
        "results": [_row(hit) for hit in answer.hits],
        "answerable": answer.answerable,
        "closest": [_row(hit) for hit in answer.closest],
    }


def _row(hit: Hit) -> dict[str, object]:
    return {
        "path": hit.path,
        "start_line": hit.start_line,
        "end_line": hit.end_line,
        "score": round(hit.score, 4),
        "snippet": hit.snippet,
        "tier": hit.tier.value,
        "date": hit.day.isoformat() if hit.day else None,
    }


def _print(answer: Answer) -> None:
    for hit in answer.hits:
        click.echo(f"{_citation(hit)}  {hit.score:.2f}")
        for line in hit.snippet.splitlines():
            click.echo(f"  {_printable(line)}")
        click.echo()
    if not answer.hits:
        near = ", ".join(_citation(hit) for hit in answer.closest[:3])
        click.echo("nothing found" + (f"; closest: {near}" if near else ""))


def _citation(hit: Hit) -> str:
    return f"{hit.path}#L{hit.start_line}-L{hit.end_line}"


def _printable(line: str) -> str:
    """Return *line* without characters that a terminal would obey."""
    return "".join(letter if letter.isprintable() else " " for letter in line)
