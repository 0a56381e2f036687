"""How a statement stands after its owner's word on it, in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.history.evidence import records_in
from strata.history.names import ONE_NAME, PERSONAL, SHARED
from strata.history.statements import MASKED_KINDS
from strata.jobs.deciding.reasons import reason_in
from strata.messages import on_one_line
from strata.notes.retain import DONE, parse_retained

if TYPE_CHECKING:
    from strata.history.statements import Statement
    from strata.messages import Voice

# How a question stands that was answered with yes, and what is said of yes and of no.
_ANSWERS = {
    ONE_NAME: ("merged", "names-one", "names-two"),
    SHARED: ("promoted", "is-shared", "not-shared"),
}


def told_text(each: Statement, say: Voice) -> str:
    """Return what *each* says, or what would become of it, on one line."""
    if each.wanted == "compressed":
        return say("day", day=each.record.get("day"))
    if each.wanted == ONE_NAME:
        return names_in_question(each, say)
    if each.wanted == SHARED:
        return say("share-it", text=on_one_line(each.text))
    if each.wanted == PERSONAL:
        return say("for-person") + on_one_line(each.text)
    leaves = each.kind == "waiting" and each.wanted != "promoted"
    return (say("leave") if leaves else "") + on_one_line(each.text)


def names_in_question(each: Statement, say: Voice) -> str:
    """Return which two names would be one."""
    first, second = (on_one_line(str(each.record.get(n))) for n in ("name", "other"))
    return say("one-name", first=first, second=second)


def outcome(found: Statement, say: Voice) -> str:
    """Say how a statement stands after the owner's word on it."""
    if found.wanted == PERSONAL:
        key = "read-to-person" if found.kind == "promoted" else "not-read-to-person"
        where = {name: found.record[name] for name in ("path", "scope")}
        return say(key, text=on_one_line(found.text), **where)
    told = told_text(found, say).rstrip(".。")
    if found.wanted == "compressed":
        return say("noted", text=told)
    if found.wanted in _ANSWERS:
        yes, done, undone = _ANSWERS[found.wanted]
        return say(done if found.kind == yes else undone, text=told)
    if found.kind in MASKED_KINDS:
        return say("kept" if found.kind == "allowed" else "masked", text=told)
    if found.line:
        pinned = say("and") + say("kind-pinned") if found.pinned else ""
        return say("in-page", text=told, line=found.line) + pinned
    return _out_of_page(found, told, say)


def _out_of_page(found: Statement, told: str, say: Voice) -> str:
    """Say where a statement is that is no line of MEMORY.md, or why it is none."""
    if found.kind == "rejected" and _is_done(found):
        return say("in-bank", text=told)
    why = reason_in(say.language, found.record)
    return say("not-in-page", text=told) + (say("why", why=why) if why else "")


def _is_done(found: Statement) -> bool:
    """Say whether it is what an agent retained of what it did: never a rule."""
    entries = (str(e.get("entry")) for e in records_in(found.record.get("sources")))
    told = map(parse_retained, entries)
    return any(not isinstance(each, str) and each.kind == DONE for each in told)
