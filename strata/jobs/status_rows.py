"""What `status` found, in rows of a label and what stands beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.jobs.deciding.reasons import skip_in
from strata.jobs.status import CAPTURED, UNSETTLED
from strata.messages import Notice, Voice, worded
from strata.notes.long_term import MOST_BYTES, MOST_LINES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.jobs.status import Status

# Of a hundred in unusual words so many pass, by the last first look (`bench/README.md`).
_SECRETS, _OTHERS = 17, 13


def rows_of(found: Status, say: Voice) -> Iterator[tuple[str, str]]:
    """Give each row's label, by its name in the table of *say*, and what it says."""
    notes = {"notes": found.notes, "blocks": found.blocks, "entries": found.entries}
    is_counted = found.entries is not None
    yield "workspace", found.workspace
    if found.scope != "private":
        yield "scope", found.scope
    if found.scopes:
        yield "scopes", worded(found.scopes, say.language)
    yield "transcripts", found.state
    yield "time-zone", found.timezone
    yield "daily-notes", say("notes", **notes) if is_counted else str(found.notes)
    yield "page", _page(found, say)
    yield "last-sync", found.last_sync or say("never")
    if is_counted:
        yield "conversations", _conversations(found, say)
    if found.cut_off:
        yield (
            "import",
            worded(Notice("status.cut-off", run=found.cut_off), say.language),
        )
    if found.waiting or found.set_apart:
        yield "review", _to_review(found, say)
    yield "kept-out", say("expected", secrets=_SECRETS, others=_OTHERS)
    yield "index", found.index
    yield "model", found.model
    yield "asked", _asked(found, say)
    yield "events", found.events
    yield "openclaw", found.openclaw


def _page(found: Status, say: Voice) -> str:
    lines = {"lines": found.page_lines, "most_lines": MOST_LINES}
    size = {"bytes": found.page_bytes, "most_bytes": MOST_BYTES}
    told = say("page-filled", **lines, **size)
    return told + say("page-evicted", count=found.evicted) if found.evicted else told


def _conversations(found: Status, say: Voice) -> str:
    total = sum(found.reasons.values())
    counts = sorted((_reason(each, say), n) for each, n in found.reasons.items())
    reasons = [say("reason", count=number, reason=told) for told, number in counts]
    return say("reasons", sum=total, reasons=reasons) if reasons else str(total)


def _reason(reason: str, say: Voice) -> str:
    if reason in {CAPTURED, UNSETTLED}:
        return say("up-to-date" if reason == CAPTURED else "unsettled")
    return say("left-out", reason=skip_in(say.language, reason))


def _to_review(found: Status, say: Voice) -> str:
    counts = {"waiting": found.waiting, "set-apart": found.set_apart}
    parts = [say(name, count=count) for name, count in counts.items() if count]
    semicolon = Voice("words", say.language)("semicolon")
    return say("to-review", parts=semicolon.join(parts))


def _asked(found: Status, say: Voice) -> str:
    cost = found.language_model
    if not (cost.name or cost.month.calls):
        return say("no-model")
    return say(
        "spent",
        name=cost.name or say("nobody"),
        today=cost.today.told,
        limit=cost.tokens_per_day,
        month=cost.month.told,
    )
