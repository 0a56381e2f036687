"""Audit: who read or wrote which file and when, and whether that log is whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.dashboard.visits import Page, Screen
from strata.jobs.audit_log import local, log_of, places_of, plainly, verdict_on

if TYPE_CHECKING:
    from strata.dashboard.visits import Reply, Visit
    from strata.jobs.audit_log import Record

_ROWS = 100
_PLACES = 6
# Where more is wrong, the first tell where it began.
_PROBLEMS = 20
_LONGEST_NUMBER = 15


def show(visit: Visit) -> Reply:
    """Show a page of the log, the newest first; look through all of it if asked."""
    say = visit.say("dashboard-health")
    before = visit.number("before", digits=_LONGEST_NUMBER)
    log = log_of(visit.memory)
    records = plainly(visit.memory, log.newest(_ROWS, before=before))
    last = records[-1].get("n") if len(records) == _ROWS else 0
    verdict: list[str] = []
    whole = True
    if visit.text("verify"):
        found = log.verify(visit.text("head"))
        verdict, whole = verdict_on(found, visit.say("audit")), not found.problems
    values = {
        "health": say,
        "watched": visit.memory.settings.audit,
        "records": [_row(visit, each) for each in records],
        "before": before,
        "older": last if isinstance(last, int) else 0,
        "verdict": verdict[:_PROBLEMS],
        "more": max(len(verdict) - _PROBLEMS, 0),
        "whole": whole,
        "head": visit.text("head"),
    }
    return Page("health_audit", "health", say("audit"), values)


def _row(visit: Visit, record: Record) -> dict[str, object]:
    say, who = visit.say("dashboard-health"), str(record.get("who", ""))
    places = places_of(record)
    return {
        "at": local(str(record.get("at", "")), visit.memory.timezone),
        "who": say(f"who-{who}") if f"who-{who}" in say else who,
        "what": str(record.get("what", "")),
        "done": visit.say("audit")("wrote" if "wrote" in record else "read"),
        "wrote": "wrote" in record,
        "places": places[:_PLACES],
        "more": max(len(places) - _PLACES, 0),
    }


SCREENS = (Screen("/health/audit", show),)
