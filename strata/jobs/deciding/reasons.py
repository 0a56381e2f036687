"""Why something is in memory or not, in the owner's language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from strata.messages import FALLBACK, Voice

if TYPE_CHECKING:
    from collections.abc import Mapping


def reason_in(language: str, record: Mapping[str, Any], *, short: bool = False) -> str:
    """
    Return why *record* is as it is; *short* leaves out what it is compared with.

    English reasons come with the record, and name what it is about.
    """
    dimension = str(record.get("dimension", ""))
    english = language == FALLBACK
    if english and not short:
        return str(record.get("reason", ""))
    say = Voice("verdicts-short" if english else "verdicts", language)
    keys = (f"{record.get('event')} {dimension}", dimension)
    named = (re.sub(r"[ _]", "-", key) for key in keys)
    found = next((key for key in named if key in say), None)
    return say(found) if found else str(record.get("reason", ""))


def event_in(language: str, event: str) -> str:
    """Return what *event* of the journal is called."""
    say = Voice("journal", language)
    return say(event) if event in say else event


def origin_in(language: str, origin: str) -> str:
    """Return whom *origin* names, as the owner would say."""
    say = Voice("trace", language)
    return say(origin) if origin in say else origin


def skip_in(language: str, reason: str) -> str:
    """Return the *reason* for which a conversation was left out."""
    say = Voice("reasons", language)
    number, _, noun = reason.partition(" ")
    if number.isdecimal() and noun.startswith("user message"):
        return say("user-messages", count=int(number))
    key = re.sub(r"\W+", "-", reason).lower()
    return say(key) if key in say else reason
