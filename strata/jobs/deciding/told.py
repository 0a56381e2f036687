"""What the owner told Strata itself: in the journal, and in the note of that day."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from strata.history.decisions import Remembered, decisions
from strata.history.evidence import digest_of, entry_id
from strata.history.ledger import statement_id
from strata.history.names import BY_AGENT, CAPTURED
from strata.jobs.forgetting.keeping import told_anew
from strata.models import Entry, Origin, Tag
from strata.notes.daily import entry_lines, heading_above
from strata.notes.entries import render_entry
from strata.notes.headings import remembered_heading
from strata.notes.marks import folded

if TYPE_CHECKING:
    from datetime import date

    from strata.memory import Memory
    from strata.workspace.recording import Run

VERSION = 1
# Stands where other entries have the id of their conversation.
SESSION = "strata-remember"

_TAGS = {"User Preferences": Tag.PREFERENCE, "Key Decisions": Tag.DECISION}


def tell(  # noqa: PLR0913 - a decision names everything that it ties together
    memory: Memory,
    run: Run,
    *,
    text: str,
    section: str,
    importance: int | None,
    replaces: tuple[str, str] = ("", ""),
) -> None:
    """
    Journal *text* as the owner's word, then write it into the note.

    *replaces* is id and text of the statement of which it is a new wording, if any.
    """
    day = memory.now.date()
    at = memory.now.isoformat(timespec="seconds")
    entry = told_entry(text, section)
    source = {
        "day": day.isoformat(),
        "path": note_path(memory, day),
        "label": "",
        "entry": entry,
        "entry_id": entry_id(SESSION, at, entry),
    }
    record: dict[str, Any] = {
        "event": "edited" if replaces[0] else "remembered",
        "version": VERSION,
        "at": at,
        "run": run.id,
        "id": statement_id(text),
        "text": text,
        "section": section,
        "importance": importance,
        "day": day.isoformat(),
        "sources": [source],
        "origin": Origin.OWNER.value,
    }
    if replaces[0]:
        record |= {"replaces": replaces[0], "before": replaces[1]}
    told_anew(memory, text, day)
    made = own_capture(entry, text, day, source["path"], at)
    memory.journal.append([made, record])
    write_told(memory)


def let_wait(
    memory: Memory, *, text: str, section: str, importance: int | None
) -> None:
    """Journal *text*, which an agent wants remembered, for the owner to decide about."""
    record = {
        "event": "waiting",
        "version": VERSION,
        "at": memory.now.isoformat(timespec="seconds"),
        "id": statement_id(text),
        "text": text,
        "dimension": BY_AGENT,
        "reason": "an agent asked for it, and you did not say so in the conversation",
        "section": section,
        "importance": importance,
        "day": memory.now.date().isoformat(),
        "origin": Origin.AGENT.value,
    }
    memory.journal.append([record])


def own_capture(entry: str, text: str, day: date, path: str, at: str) -> dict[str, Any]:
    """Return the record that makes an entry evidence, as that of a conversation is."""
    evidence = {
        "message": at,
        "sha256": digest_of(text),
        "said_at": at,
        "origin": Origin.OWNER.value,
    }
    name = entry_id(SESSION, at, entry)
    return {
        "event": CAPTURED,
        "version": VERSION,
        "session": SESSION,
        "session_key": "",
        "label": "",
        "day": day.isoformat(),
        "path": path,
        "first": 0,
        "last": 0,
        "last_at": 0.0,
        "entries": [{"id": name, "tag": None, "evidence": [evidence]}],
    }


def write_told(memory: Memory) -> list[str]:
    """
    Write what the owner told into the notes that lack it; return those notes.

    That is also how a run that was killed between journal and note is made good.
    """
    written = []
    for each in decisions(memory.journal).remembered:
        if not each.told:
            continue
        path = note_path(memory, each.day)
        if memory.workspace.update(path, partial(_with, each)):
            written.append(path)
    return written


def told_entry(text: str, section: str) -> str:
    """Return the entry of a daily note that says *text*."""
    from strata.language.sentences import language_of  # noqa: PLC0415 - patterns

    return render_entry(Entry(text, _TAGS.get(section), language=language_of(text)))


def note_path(memory: Memory, day: date) -> str:
    """Return where the note of *day* lies, or where a new one belongs."""
    layout = memory.workspace.layout
    archived = layout.archived(day)
    there = memory.workspace.locate(archived).is_file()
    beside = memory.workspace.locate(layout.daily(day)).is_file()
    return archived if there and not beside else layout.daily(day)


def _with(told: Remembered, text: str) -> str:
    """Return the note *text* with what was told at its end, unless it says so already."""
    entry = told_entry(told.text, told.section)
    if folded(entry) in entry_lines(text):
        return text
    heading = remembered_heading(told.at[11:16])
    if not text.strip():
        return f"# {told.day.isoformat()}\n\n{heading}\n- {entry}\n"
    ended = text if text.endswith("\n") else f"{text}\n"
    if heading_above(ended, ended.count("\n") + 1)[0] == heading.strip("# "):
        return f"{ended}- {entry}\n"
    gap = "" if ended.endswith("\n\n") else "\n"
    return f"{ended}{gap}{heading}\n- {entry}\n"
