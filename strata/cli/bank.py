"""`strata reflect`, `strata recall` and `strata entity`: people, things and opinions."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from strata.cli.options import TakesWords, open_memory, tell
from strata.cli.showing import padded
from strata.cli.speaking import say as tell_person
from strata.cli.speaking import voice
from strata.errors import UsageError
from strata.messages import on_one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from strata.jobs.proposing import Proposal
    from strata.jobs.recall import Recalled
    from strata.jobs.reflect import ReflectReport
    from strata.messages import Voice

KINDS = ["W", "B", "O", "E"]
_MOST_PROPOSED = 3


@click.command
@click.option("--dry-run", is_flag=True, help="Say what would change; write nothing.")
@click.pass_context
def reflect(context: click.Context, *, dry_run: bool) -> int:
    """Bring the pages of people, things and opinions up to date."""
    from strata.jobs.connection.model_use import model_document  # noqa: PLC0415
    from strata.jobs.proposing import proposals  # noqa: PLC0415
    from strata.jobs.reflect import reflect as run_reflect  # noqa: PLC0415
    from strata.jobs.retain import retain  # noqa: PLC0415
    from strata.jobs.update import refresh  # noqa: PLC0415

    memory = open_memory(context)
    memory = retain(memory, dry_run=dry_run)
    report = run_reflect(memory, dry_run=dry_run)
    proposed = proposals(memory)
    if not dry_run:
        refresh(memory, report.paths, say=tell_person)
    document = {
        "pages": report.pages,
        "new": report.new,
        "changed": report.changed,
        "gone": report.gone,
        "doubts": [
            {"name": name, "among": list(among)} for name, among in report.doubts
        ],
        "twofold": [
            {
                "name": each.name,
                "sides": [{"as": by, "lines": list(told)} for by, told in each.sides],
            }
            for each in report.twofold
        ],
        "for_memory": [asdict(each) for each in proposed],
        "proposed": [list(each) for each in report.proposed],
        **model_document(memory, pages=report.described, refused=report.refused),
    }
    say = voice("bank", memory)
    tell(context, document, [*_reflected(report, say), *_proposed(proposed, say)])
    return 0


def _reflected(report: ReflectReport, say: Voice) -> Iterator[str]:
    from strata.jobs.reflect import told_pages  # noqa: PLC0415

    if not report.paths:
        yield say("nothing-new", count=report.pages)
    yield from told_pages(report, say)
    if report.described:
        yield say("described", count=report.described, refused=report.refused)
    for pair in report.proposed:
        first, second = map(on_one_line, pair)
        yield say("proposed", first=first, second=second)
    for name, among in report.doubts:
        yield say("doubt", name=on_one_line(name), among=list(map(on_one_line, among)))
    for each in report.twofold:
        (first, here), (second, there) = each.sides
        told = {"name": each.name, "first": first, "second": second}
        told |= {"here": here[-1], "there": there[-1]}
        yield say("twofold", **{key: on_one_line(text) for key, text in told.items()})


def _proposed(proposed: Sequence[Proposal], say: Voice) -> Iterator[str]:
    for each in proposed[:_MOST_PROPOSED]:
        text, where = on_one_line(each.text), each.sources[-1]
        yield say("for-memory", days=each.days, text=text, where=where)
    if len(proposed) > _MOST_PROPOSED:
        yield say("more", count=len(proposed) - _MOST_PROPOSED)


@click.command(cls=TakesWords)
@click.argument("text", nargs=-1, type=click.UNPROCESSED)
@click.option("--entity", metavar="NAME", default="", help="Only what tells of NAME.")
@click.option("--kind", type=click.Choice(KINDS), help="World, agent, opinion, event.")
@click.option("--since", metavar="WHEN", help="Only what was said from then on.")
@click.option("--as-of", metavar="WHEN", help="What held then.")
@click.option(
    "--budget", metavar="TOKENS", type=click.IntRange(50, 100_000), help="No more text."
)
@click.option(
    "-n", "limit", metavar="K", type=click.IntRange(1, 200), help="At most so many."
)
@click.pass_context
def recall(
    context: click.Context, /, text: tuple[str, ...], **options: Any
) -> int:  # Any: click's own values
    """
    Find what is known of people, things and opinions, each with where it was said.

    Without words, all that is known of the entity.
    """
    from strata.jobs.recall import recall as run_recall  # noqa: PLC0415
    from strata.jobs.wishing import sought  # noqa: PLC0415

    memory = open_memory(context)
    question = " ".join(text).strip()
    if not question and not options["entity"]:
        raise UsageError.of("bank.what")
    found = run_recall(memory, question, sought(memory, options))
    tell(
        context,
        recalled_document(found),
        _recalled(found, voice("bank", memory)),
    )
    return 0


def _recalled(found: list[Recalled], say: Voice) -> Iterator[str]:
    if not found:
        yield say("nothing")
    for each in found:
        line = each.line
        until = say("until", day=line.until) if line.until else ""
        who = f"  {', '.join(map(on_one_line, each.names))}" if each.names else ""
        yield f"{line.kind} {line.since}{until}{who}"
        yield f"  {on_one_line(line.text)}"
        yield f"  {', '.join(line.sources[-3:])}"


def recalled_document(found: Iterable[Recalled]) -> dict[str, object]:
    """Return what is *found* as programs read it."""
    return {"results": [_row(each) for each in found]}


def _row(each: Recalled) -> dict[str, object]:
    line = each.line
    return {
        "kind": line.kind,
        "text": line.text,
        "since": line.since,
        "last": line.last,
        "until": line.until or None,
        "confidence": line.confidence,
        "entities": list(each.names),
        "sources": list(line.sources),
        "pages": list(line.entities),
        "score": round(each.score, 4),
    }


@click.command
@click.argument("words", metavar="[NAME|merge|split|rename] [NAME…]", nargs=-1)
@click.option("--list", "every", is_flag=True, help="All names that have a page.")
@click.pass_context
def entity(context: click.Context, words: tuple[str, ...], *, every: bool) -> int:
    """
    Show the page of somebody or something, or say which names are one.

    `merge A B` makes two names one, `split A B` keeps them apart, `rename A B` calls A
    by the name B. `strata undo` takes it back.
    """
    from strata.jobs.entity import ACTIONS, decide  # noqa: PLC0415
    from strata.jobs.update import refresh  # noqa: PLC0415

    memory = open_memory(context)
    if every:
        return _listed(context)
    if not words:
        raise UsageError.of("bank.whom")
    if words[0] not in ACTIONS:
        return _page(context, " ".join(words))
    if len(words) != 3:  # noqa: PLR2004 - the action and two names
        raise UsageError.of("bank.two-names", action=words[0])
    report = decide(memory, *words)
    refresh(memory, report.paths, say=tell_person)
    say = voice("bank", memory)
    document = {"action": words[0], "names": list(words[1:]), "changed": report.paths}
    lines = [say(f"done-{words[0]}", first=words[1], second=words[2])]
    tell(context, document, [*lines, *_reflected(report, say)])
    return 0


def _page(context: click.Context, name: str) -> int:
    from strata.jobs.banking.asking import sought_entities  # noqa: PLC0415
    from strata.jobs.banking.knowing import known_entities  # noqa: PLC0415

    memory = open_memory(context)
    found = sought_entities(known_entities(memory), name)
    pages = [(each.path, memory.workspace.read(each.path)) for each in found]
    memory.saw(*(path for path, _ in pages))
    document = {"pages": [{"path": path, "text": text} for path, text in pages]}
    tell(context, document, (f"{path}\n{text}" for path, text in pages))
    return 0


def _listed(context: click.Context) -> int:
    from strata.jobs.banking.knowing import known_entities  # noqa: PLC0415

    memory = open_memory(context)
    rows = sorted(known_entities(memory), key=lambda each: each.path)
    say = voice("bank", memory)
    lines = [
        padded(each.names[0], 24)
        + padded(say(f"sort-{each.sort}"), 14)
        + on_one_line(", ".join(each.names[1:]))
        for each in rows
    ]
    document = {
        "entities": [
            {"path": e.path, "type": e.sort, "names": list(e.names)} for e in rows
        ]
    }
    tell(context, document, lines or [say("no-pages")])
    return 0
