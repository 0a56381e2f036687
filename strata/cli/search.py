"""`strata query`, `strata why` and `strata get`, for people and programs."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from strata.cli.options import (
    LEAVING,
    TakesWords,
    here,
    open_memory,
    print_json,
    tell,
    wants_json,
)
from strata.cli.speaking import voice
from strata.errors import UsageError
from strata.jobs.remarks import (
    MOST_CANDIDATES,
    by_meaning,
    by_words,
    outdated,
    superseded_on,
    understood,
)
from strata.messages import FALLBACK, Voice, on_one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.hits import Answer, Explanation, Hit, Weighed
    from strata.memory import Memory

# With --exit-code, so that a script can tell them apart; else what was found exits with 0.
NOTHING_FOUND, INDEX_BEHIND, INDEX_DOWN = 3, 4, 5
TIERS = ["long-term", "weekly", "daily", "bank", "other"]
_HANZI = re.compile(r"[\u3400-\u9fff]")


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
@click.option("--project", metavar="NAME|here", help="Prefer what is about it.")
@click.option("--as-of", metavar="WHEN", help="Answer with what was known then.")
@click.option(
    "--budget", metavar="TOKENS", type=click.IntRange(50, 100_000), help="No more text."
)
@click.option(
    "--also",
    metavar="TEXT",
    multiple=True,
    help="The same in other words, or another language.",
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
    from strata.durations import in_order  # noqa: PLC0415
    from strata.jobs.query import query as run_query  # noqa: PLC0415
    from strata.jobs.wishing import wish  # noqa: PLC0415

    memory = open_memory(context)
    if LEAVING.get():
        # To close it takes 75 ms, and the end of this process does as well.
        memory.index.keep_open(watch=False)
    question = " ".join(text).strip()
    if not question:
        raise UsageError.of("query.what")
    try:
        wished = wish(memory, options, here())
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
@click.option("--expect", metavar="TEXT", default="", help="What TEXT should find.")
@click.pass_context
def why(context: click.Context, text: tuple[str, ...], expect: str) -> int:
    """
    Say what became of a text: where memory has it, or why it has not.

    With --expect, why the question TEXT does not find what it should.
    """
    from strata.jobs.why import why as run_why  # noqa: PLC0415

    memory = open_memory(context)
    say = voice("why", memory)
    language = FALLBACK if wants_json(context) else say.language
    text_of = " ".join(text).strip()
    findings = run_why(memory, text_of, expect.strip(), language=language)
    reasons = Voice("why-reasons", say.language)
    lines = (
        on_one_line(say("finding", reason=reasons(each.reason), detail=each.detail))
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
    from strata.jobs.query import take_in_shared  # noqa: PLC0415
    from strata.search.answering.citations import get as read_lines  # noqa: PLC0415

    take_in_shared(memory)
    passage = read_lines(memory.workspace.root, path, lines)
    memory.saw(f"{passage.path}#L{passage.start_line}-L{passage.end_line}")
    return asdict(passage)


def _exit_code(answer: Answer) -> int:
    if answer.index == "down":
        return INDEX_DOWN
    if answer.answerable:
        return 0
    return INDEX_BEHIND if answer.index == "behind" else NOTHING_FOUND


def document(answer: Answer) -> dict[str, object]:
    """Return *answer* as programs read it."""
    found: dict[str, object] = {
        "mode": answer.mode,
        "results": [row(hit) for hit in answer.hits],
        "answerable": answer.answerable,
        "closest": [row(hit) for hit in answer.closest],
        "index": answer.index,
        "told_of": answer.told_of or None,
    }
    if answer.explanation:
        found["explanation"] = _explained(answer.explanation)
    return found


def row(hit: Hit) -> dict[str, Any]:
    """Return *hit* as programs read it."""
    shared = ("path", "start_line", "end_line", "score", "snippet", "tier")
    found: dict[str, Any] = {name: getattr(hit, name) for name in shared}
    found |= {"score": round(hit.score, 4), "date": _day(hit.day)}
    if hit.superseded:
        found["superseded"] = {"on": superseded_on(hit), "by": hit.successor or None}
    if hit.taken_back:
        found["taken_back"] = True
    if hit.unconfirmed:
        found["unconfirmed"] = True
    if hit.unsure:
        found["unsure"] = True
    if hit.projects:
        found["projects"] = list(hit.projects)
    return found


def _explained(explanation: Explanation) -> dict[str, object]:
    fields = asdict(explanation)
    fields["times"] = [
        {"since": _day(first), "until": _day(last)} for first, last in explanation.times
    ]
    return fields


def _day(day: object) -> str | None:
    return str(day) if day else None


def print_answer(answer: Answer, question: str) -> None:
    """Print *answer* for people, in the language of their *question*."""
    say = Voice("query", "zh" if _HANZI.search(question) else "en")
    for hit in answer.hits:
        about = "".join(f"  {on_one_line(each)}" for each in hit.projects)
        click.echo(f"{hit.citation}  {hit.score:.2f}{about}{outdated(hit, say)}")
        for line in hit.snippet.splitlines():
            click.echo(f"  {on_one_line(line)}")
        click.echo()
    if not answer.hits:
        near = [hit.citation for hit in answer.closest[:3]]
        told_of = on_one_line(answer.told_of)
        click.echo(
            say("nothing")
            + (say("told-of", who=told_of) if told_of else "")
            + (say("closest", citation=near) if near else "")
        )
    if answer.explanation:
        click.echo("\n".join(_explained_lines(answer.explanation, say)))


def _explained_lines(explanation: Explanation, say: Voice) -> Iterator[str]:
    yield from understood(explanation, say)
    for at, each in enumerate(explanation.candidates[:MOST_CANDIDATES], start=1):
        yield f"{at:3} {_weighed(each, say)}"


def _weighed(each: Weighed, say: Voice) -> str:
    place = f"{each.path}#L{each.start_line}-L{each.end_line}"
    # A copy of the fate would be English.
    told = {**asdict(each), "fate": each.fate, "place": place}
    return say("weighed", **told, words=by_words(each), meaning=by_meaning(each))
