"""`strata trace`, `inspect`, `edit` and `delete`: one entry of memory."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from strata.cli.options import TakesWords, by_agent, open_memory, tell
from strata.cli.speaking import say, voice
from strata.jobs.capturing.vouching import refuse_unvouched
from strata.jobs.deciding.reasons import event_in, origin_in, reason_in
from strata.jobs.inspect import inspect as run_inspect
from strata.jobs.trace import trace as run_trace
from strata.jobs.trails import said
from strata.jobs.update import refresh
from strata.messages import minute, on_one_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import tzinfo

    from strata.jobs.change_entry import Changed
    from strata.jobs.inspect import Inspection
    from strata.jobs.trace import Trace
    from strata.jobs.trails import Place, Trail, Words
    from strata.memory import Memory
    from strata.messages import Voice

_HASH_DIGITS = 12
_MOST_WORDS = 300


@click.command(cls=TakesWords)
@click.argument("what", metavar="LINE|TEXT|ID", nargs=-1, required=True)
@click.pass_context
def trace(context: click.Context, what: tuple[str, ...]) -> int:
    """Walk from a line of memory back to the words that justify it."""
    memory = open_memory(context)
    found = run_trace(memory, " ".join(what))
    tell(context, trace_document(found), shown_trace(found, memory))
    return 0


def shown_trace(found: Trace, memory: Memory) -> list[str]:
    """Return *found* as a tree of lines for people."""
    say, place = voice("trace", memory), found.place
    lines = [f"{place.path}:{place.line}" if place else say("nowhere")]
    lines[0] += f"  {found.text}"
    lines += [f"│  {_event(record, say.language)}" for record in found.history]
    if not found.trails:
        return [*lines, f"└─ {say('elsewhere' if found.is_shared else 'no-trail')}"]
    for trail in found.trails:
        steps = list(_steps(trail, place, say))
        # What the tree begins with is no step of it.
        if steps and place and trail.daily == place:
            steps = [step for step in steps if step != _place(place)]
        words = [_words(each, say, memory.timezone) for each in trail.words]
        lines += _branch(_nested(steps, words), last=trail is found.trails[-1])
    return lines


def _steps(trail: Trail, start: Place | None, say: Voice) -> Iterator[str]:
    """Yield where *trail* leads, from its week down to the conversation."""
    weekly, daily = trail.weekly, trail.daily
    if weekly and weekly != start:
        yield _place(weekly) if weekly.line else say("no-weekly", path=weekly.path)
    if daily is None:
        yield say("note-gone", day=trail.source.day.isoformat())
    else:
        yield _place(daily) if daily.line else say("entry-gone", path=daily.path)
    if trail.spoken:
        yield say("said-to-strata", at=minute(trail.spoken))
    elif trail.session:
        name = trail.block.partition(" ")[0] or trail.source.day.isoformat()
        which = trail.session
        # OpenClaw forgets the key of a conversation that another one replaced.
        if trail.session_key:
            which = say("channel", conversation=which, channel=trail.session_key)
        worded = say("worded", model=trail.model, prompt=trail.prompt)
        conversation = say("conversation", conversation=which, block=name)
        yield conversation + (worded if trail.model else "")
    elif trail.by_hand:
        yield say("by-hand")
    elif "unknown-words" in trail.broken:
        yield say("unknown-words")


def _nested(steps: list[str], words: list[str]) -> list[str]:
    """Return *steps*, each deeper than the one before, and *words* below the last."""
    lines = [
        line if not depth else f"{'   ' * (depth - 1)}└─ {line}"
        for depth, line in enumerate(steps)
    ]
    indent = "   " * max(len(steps) - 1, 0)
    return lines + [f"{indent}└─ {each}" for each in words]


def _words(words: Words, say: Voice, timezone: tzinfo) -> str:
    who = origin_in(say.language, words.origin)
    when = words.said_at.astimezone(timezone) if words.said_at else None
    speaker = f"{who}, {when:%Y-%m-%d %H:%M}" if when else who
    quoted = f"“{_one_line(words.text)}”"
    if words.state == "ok":
        return f"{speaker}: {quoted}  ✓ {say('ok')}"
    digest = words.sha256[:_HASH_DIGITS]
    told = say(words.state, message=words.message, hash=digest)
    return f"{speaker}: {told}{quoted if words.state == 'changed' else ''}"


def _branch(lines: list[str], *, last: bool) -> list[str]:
    first, rest = ("└─ ", "   ") if last else ("├─ ", "│  ")
    return [f"{first if not n else rest}{line}" for n, line in enumerate(lines)]


def _place(place: Place) -> str:
    return f"{place.path}:{place.line}  {_one_line(said(place.text))}"


def _event(record: dict[str, Any], language: str) -> str:
    parts = [minute(str(record.get("at", ""))), event_in(language, record["event"])]
    by = record.get("by")
    if by and by != record.get("id"):
        parts.append(f"→ {by}")
    if reason := reason_in(language, record):
        parts.append(f"({reason})")
    return " ".join(part for part in parts if part)


def _one_line(text: str) -> str:
    """Return *text* on one line, without characters that a terminal would obey."""
    line = " ".join(on_one_line(text).split())
    return line if len(line) <= _MOST_WORDS else f"{line[: _MOST_WORDS - 1]}…"


def trace_document(found: Trace) -> dict[str, object]:
    """Return *found* for a program."""
    return {
        "text": found.text,
        "place": _place_document(found.place),
        "intact": found.is_intact,
        "history": found.history,
        "sources": [_trail_document(trail) for trail in found.trails],
    }


def _trail_document(trail: Trail) -> dict[str, object]:
    return {
        "date": trail.source.day.isoformat(),
        "entry": trail.source.entry,
        "weekly": _place_document(trail.weekly),
        "daily": _place_document(trail.daily),
        "session": trail.session or None,
        "session_key": trail.session_key or None,
        "told_at": trail.spoken or None,
        "by_hand": trail.by_hand,
        "model": trail.model or None,
        "prompt": trail.prompt or None,
        "words": [
            {
                **asdict(each),
                "said_at": each.said_at.isoformat() if each.said_at else None,
            }
            for each in trail.words
        ],
        "broken": trail.broken,
    }


def _place_document(place: Place | None) -> dict[str, object] | None:
    if place is None:
        return None
    return {"path": place.path, "line": place.line or None, "text": place.text or None}


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
    from strata.jobs.change_entry import edit as run  # noqa: PLC0415 - judges

    memory = open_memory(context)
    wording = " ".join(text)
    if by_agent():
        refuse_unvouched(memory, wording)
    return _told(context, memory, run(memory, what, wording))


@click.command(cls=TakesWords)
@click.argument("what", metavar="ID|PATH:LINE|TEXT", nargs=-1, required=True)
@click.pass_context
def delete(context: click.Context, what: tuple[str, ...]) -> int:
    """Take one entry out of its file; copies and the journal keep it, see `forget`."""
    from strata.jobs.change_entry import delete as run  # noqa: PLC0415 - judges

    memory = open_memory(context)
    return _told(context, memory, run(memory, " ".join(what)))


def _told(context: click.Context, memory: Memory, done: Changed) -> int:
    refresh(memory, list(done.paths), say=say)
    tell(context, asdict(done), _done(done, voice("inspect", memory)))
    return 0


def _done(done: Changed, words: Voice) -> Iterator[str]:
    from strata.jobs.change_entry import outcome_lines  # noqa: PLC0415 - judges

    yield from outcome_lines(done, words)
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
            value = origin_in(words.language, str(value)) if name == "origin" else value
            yield words(name, value=value)
    yield words("asked", count=found.asked_on_days)
    place = found.traced.place
    places = found.places or ([f"{place.path}:{place.line}"] if place else [])
    yield words("places", places=places) if places else words("nowhere")
