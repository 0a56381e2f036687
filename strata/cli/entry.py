"""`strata inspect`, `strata edit` and `strata delete`: one entry of memory."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from strata.cli.options import TakesWords, by_agent, open_memory, tell
from strata.cli.printing import printable
from strata.cli.speaking import say, voice
from strata.cli.trace import shown_trace, trace_document, whose
from strata.jobs.capturing.vouching import refuse_unvouched
from strata.jobs.change_entry import delete as run_delete
from strata.jobs.change_entry import edit as run_edit
from strata.jobs.inspect import inspect as run_inspect
from strata.jobs.update import refresh

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.jobs.change_entry import Changed
    from strata.jobs.inspect import Inspection
    from strata.memory import Memory
    from strata.messages import Voice


@click.command(cls=TakesWords)
@click.argument("what", metavar="ID|PATH:LINE|TEXT", nargs=-1, required=True)
@click.pass_context
def inspect(context: click.Context, what: tuple[str, ...]) -> int:
    """Show all that is known of one entry: words, origin, evidence, verdicts, use."""
    memory = open_memory(context)
    found = run_inspect(memory, " ".join(what))
    tell(context, _document(found), _lines(found, memory))
    return 0


@click.command(cls=TakesWords)
@click.argument("what", metavar="ID|PATH:LINE")
@click.argument("text", nargs=-1, required=True)
@click.pass_context
def edit(context: click.Context, what: str, text: tuple[str, ...]) -> int:
    """Reword one entry, as your own word; `strata undo` takes it back."""
    memory = open_memory(context)
    wording = " ".join(text)
    if by_agent():
        refuse_unvouched(memory, wording)
    return _told(context, memory, run_edit(memory, what, wording))


@click.command(cls=TakesWords)
@click.argument("what", metavar="ID|PATH:LINE|TEXT", nargs=-1, required=True)
@click.pass_context
def delete(context: click.Context, what: tuple[str, ...]) -> int:
    """Take one entry out of its file; copies and the journal keep it, see `forget`."""
    memory = open_memory(context)
    return _told(context, memory, run_delete(memory, " ".join(what)))


def _told(context: click.Context, memory: Memory, done: Changed) -> int:
    refresh(memory, list(done.paths), say=say)
    tell(context, asdict(done), _done(done, voice("inspect", memory)))
    return 0


def _done(done: Changed, words: Voice) -> Iterator[str]:
    place = f"{done.place.path}:{done.place.line}"
    yield words(done.event, place=place, text=printable(done.text or done.place.text))
    for path in done.also:
        yield words("also", path=path)
    yield words("undo")
    if done.event == "deleted":
        yield words("forget")


def _document(found: Inspection) -> dict[str, object]:
    return {
        **trace_document(found.traced),
        "id": found.id or None,
        "known": found.known,
        "places": found.places,
        "asked_on_days": found.asked_on_days,
    }


def _lines(found: Inspection, memory: Memory) -> Iterator[str]:
    words = voice("inspect", memory)
    yield from shown_trace(found.traced, memory)
    if found.id:
        yield words("id", id=found.id)
    for name in ("origin", "section", "importance", "confidence"):
        value = found.known.get(name)
        if value is not None:
            value = whose(str(value), words.language) if name == "origin" else value
            yield words(name, value=value)
    yield words("asked", count=found.asked_on_days)
    yield words("places", places=found.places) if found.places else words("nowhere")
