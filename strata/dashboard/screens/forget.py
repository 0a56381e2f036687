"""Forget: what would go, and what went; its words are in no address and in no line said."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

from strata.dashboard.visits import Page, Screen
from strata.dashboard.wording import Rewording
from strata.errors import NotFound, OpenClawNotFound, UnsupportedStore
from strata.jobs.forgetting.forget import forget, plan
from strata.jobs.forgetting.planning import PlanChanged
from strata.jobs.forgetting.proving import kept_receipt, kept_receipts, prove_again
from strata.jobs.forgetting.target import Target, period
from strata.jobs.forgetting.telling import (
    by_scope,
    proof_lines,
    receipt_lines,
    rows_of,
    unsure_lines,
)
from strata.jobs.machines.together import tell_others
from strata.messages import Notice, minute, on_one_line, worded
from strata.models import SessionKind
from strata.templates import Exact

if TYPE_CHECKING:
    from datetime import tzinfo

    from strata.dashboard.visits import Reply, Visit
    from strata.jobs.forgetting.planning import Plan
    from strata.jobs.forgetting.receipt import Receipt
    from strata.jobs.forgetting.telling import Row
    from strata.models import Session

# What one page shows of long lists.
_MOST_ROWS = 150
_MOST_TALKS = 50
_MOST_RECEIPTS = 100
_FEW_RECEIPTS = 5
LAST = ("1h", "4h", "1d", "7d", "30d")
_OWN = {SessionKind.MAIN, SessionKind.DIRECT}
_GIVEN = ("text", "entity", "session", "start", "last", "first", "since")


def show(visit: Visit) -> Reply:
    """Ask what shall be forgotten, as `strata forget` does."""
    say = _words(visit)
    kept = kept_receipts(visit.memory)
    values = {
        "forget": say,
        "last": LAST,
        "today": visit.memory.now.date().isoformat(),
        "talks": _talks(visit),
        "receipts": _receipt_rows(kept[:_FEW_RECEIPTS], say),
        "more": len(kept) > _FEW_RECEIPTS,
    }
    return Page("forget", "forget", say("title"), values)


def preview(visit: Visit) -> Reply:
    """Show every place that would change; nothing is written."""
    return _preview(visit, _target(visit))


def carry_out(visit: Visit) -> Reply:
    """Forget what the owner has seen and confirmed; else show what would go once more."""
    target, seen = _target(visit), visit.need("seal")
    typed = unicodedata.normalize("NFKC", visit.text("typed"))
    if typed != visit.need("lines"):
        return _preview(visit, target, Notice("dashboard-forget.not-typed"), 422)
    try:
        receipt = forget(
            visit.memory,
            target,
            git=bool(visit.text("git")),
            everywhere=_everywhere(visit),
            seen=seen,
        )
    except PlanChanged:
        return _preview(visit, target, Notice("dashboard-forget.changed"), 409)
    tell_others(visit.memory.private)
    return _receipt(visit, receipt, _words(visit)("done"))


def proofs(visit: Visit) -> Reply:
    """Show the receipts that are kept, or the one of them that is named."""
    say = _words(visit)
    if name := visit.text("id"):
        return _receipt(visit, kept_receipt(visit.memory, name), say("receipt"))
    kept = kept_receipts(visit.memory)
    values = {
        "forget": say,
        "receipts": _receipt_rows(kept[:_MOST_RECEIPTS], say),
        "rest": len(kept[_MOST_RECEIPTS:]),
    }
    return Page("receipts", "forget", say("receipts"), values)


def prove(visit: Visit) -> Reply:
    """Look for what was forgotten once more, and show the receipt with what is found."""
    say, name = _words(visit), visit.need("id")
    proof = prove_again(visit.memory, name)
    again = {
        "holds": proof.holds,
        "lines": proof_lines(proof, say),
        "at": visit.memory.now.isoformat(" ", "minutes")[:16],
    }
    receipt = kept_receipt(visit.memory, name)
    return _receipt(visit, receipt, say("receipt"), again)


def _words(visit: Visit) -> Rewording:
    return Rewording("dashboard-forget", "forget", visit.language)


def _everywhere(visit: Visit) -> bool:
    return visit.text("only") != "own" and not visit.alone


def _target(visit: Visit) -> Target:
    """Return what the form means; a time as the preview has understood it."""
    if not any(visit.text(name) for name in _GIVEN):
        raise NotFound.of("dashboard.nothing-named")
    if visit.text("since"):
        since: datetime | None = _moment(visit.text("since"))
        until: datetime | None = _moment(visit.text("until"))
    else:
        first = visit.text("first")
        end = visit.text("end") or first
        last = visit.text("last")
        since, until = period(visit.memory.now, last=last, first=first, end=end)
    talk = visit.text("start") or visit.text("session")
    return Target(visit.text("text"), visit.text("entity"), talk, since, until)


def _moment(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise NotFound.of("dashboard.nothing-named") from None


def _fields(target: Target) -> dict[str, Exact]:
    """Return what a form has to send so that *target* is meant again."""
    if target.since and target.until:
        times = {"since": target.since, "until": target.until}
        return {name: Exact(each.isoformat()) for name, each in times.items()}
    return {target.kind: Exact(getattr(target, target.kind))}


def _preview(
    visit: Visit, target: Target, why: Notice | None = None, status: int = 200
) -> Reply:
    say, everywhere = _words(visit), _everywhere(visit)
    planned = plan(visit.memory, target, everywhere=everywhere)
    rows = rows_of(planned)
    values = {
        "forget": say,
        "why": worded(why, visit.language) if why else "",
        "means": _means(target, say),
        "fields": _fields(target) | ({} if everywhere else {"only": Exact("own")}),
        "others": bool(visit.memory.parent is None and visit.memory.scopes.names()),
        "everywhere": everywhere,
        "count": sum(planned.counts.values()),
        "seal": Exact(planned.fingerprint),
        "groups": _groups(rows[:_MOST_ROWS], say),
        "rest": len(rows[_MOST_ROWS:]),
        "beside": _beside(planned, say),
        "warnings": _warnings(planned, say),
        "empty": planned.is_empty,
        "versions": sum(each.versions for each in planned.all),
    }
    return Page("forget_preview", "forget", say("preview"), values, status)


def _means(target: Target, say: Rewording) -> str:
    if target.since and target.until:
        since, until = (
            each.isoformat(" ", "minutes")[:16] for each in (target.since, target.until)
        )
        return say("means-period", since=since, until=until)
    return say(f"means-{target.kind}", what=getattr(target, target.kind))


def _groups(rows: list[Row], say: Rewording) -> list[dict[str, object]]:
    """Return *rows* by the file that they would leave, or of which they are copies."""
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        found[row.path].append(row)
    return [
        {
            "path": path,
            "count": sum(each.count for each in its),
            "rows": [_row(each, say) for each in its],
        }
        for path, its in found.items()
    ]


def _row(row: Row, say: Rewording) -> dict[str, object]:
    copies = say("copies", count=row.count) if row.copied else ""
    return {"number": row.number, "text": on_one_line(row.text), "copies": copies}


def _beside(planned: Plan, say: Rewording) -> list[str]:
    """Return what would go beside the lines that are shown."""
    told = [each.strip() for each in by_scope(planned.counts, say)]
    if any(each.lines for each in planned.others):
        told.append(say("name-a-scope"))
    records = sum(each.records for each in planned.all)
    told += [say("records", count=records).strip()] if records else []
    talks = sum(each.talks for each in planned.all)
    return told + ([say("talks", count=talks).strip()] if talks else [])


def _warnings(planned: Plan, say: Rewording) -> list[str]:
    """Return what goes too, and what stays, though nobody would expect it."""
    told = []
    if planned.objection:
        notice = planned.objection.told
        told.append(say("part-of-words", **getattr(notice, "values", {})))
    told += [each.strip() for each in unsure_lines(planned, say)]
    versions = sum(each.versions for each in planned.all)
    told += [say("versions", count=versions).strip()] if versions else []
    for each in planned.transcripts[:_FEW_RECEIPTS]:
        told.append(say("transcript", session=each.session[:8], count=each.messages))
    rest = len(planned.transcripts[_FEW_RECEIPTS:])
    return told + ([say("more-talks", count=rest)] if rest else [])


def _receipt(
    visit: Visit,
    receipt: Receipt,
    title: str,
    again: dict[str, object] | None = None,
) -> Reply:
    say = _words(visit)
    values = {
        "forget": say,
        "lines": [each.strip() for each in receipt_lines(receipt, say)],
        "holds": receipt.proof.holds,
        "id": receipt.id,
        "at": minute(receipt.at),
        "again": again,
    }
    return Page("receipt", "forget", title, values)


def _receipt_rows(kept: list[Receipt], say: Rewording) -> list[dict[str, object]]:
    return [
        {
            "id": each.id,
            "at": minute(each.at),
            "kind": say(f"kind-{each.kind}"),
            "count": sum(each.lines.values()),
            "holds": each.proof.holds,
        }
        for each in kept
    ]


def _talks(visit: Visit) -> list[dict[str, str]]:
    """Return the last conversations, to choose from."""
    if visit.memory.parent:
        return []
    found = []
    with suppress(OpenClawNotFound, UnsupportedStore):
        found = visit.memory.transcripts().sessions()
    own = [each for each in reversed(found) if each.kind in _OWN]
    return [
        {"id": each.id, "name": _name(each, visit.memory.timezone)}
        for each in own[:_MOST_TALKS]
    ]


def _name(session: Session, zone: tzinfo) -> str:
    """Return what a conversation is known by: its first moment, and where it was."""
    when = session.started_at.astimezone(zone).isoformat(" ", "minutes")[:16]
    return f"{when} · {session.key.split(':', 2)[-1]}" if session.key else when


SCREENS = (
    Screen("/forget", show),
    # Who comes back to such an address without its form chooses anew.
    Screen("/forget/preview", show, preview),
    Screen("/forget/do", show, carry_out),
    Screen("/forget/proof", proofs, prove),
)
