"""The places where a plugin may join in; those of events are specified by the gateway."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import tzinfo

    from strata.model.provider import Provider
    from strata.models import Claim, Fact, Judgement, Message
    from strata.settings import Settings

hookspec = pluggy.HookspecMarker("strata")
hookimpl = pluggy.HookimplMarker("strata")


@hookspec(firstresult=True)
def drop_message(message: Message) -> bool | None:
    """
    Say True to keep *message* out of memory; None leaves the decision to others.

    The message still counts in the note's heading, so a plugin may come and go.
    """


@hookspec(firstresult=True)
def extract_facts(messages: Iterable[Message], timezone: tzinfo) -> list[Fact] | None:
    """
    Return what is worth keeping from *messages*, in the order it was said.

    They are a stretch of one conversation on one local day, redacted: read them as a
    stream. Return None to leave it to others.
    Code checks each fact against the words it cites and drops what they do not support.
    """


@hookspec(firstresult=True)
def judge_candidates(
    candidates: Sequence[Claim], memory_lines: Sequence[str]
) -> list[Judgement | None] | None:
    """
    Judge each of *candidates* for long-term memory, whose lines now are *memory_lines*.

    Answer in the same order; None for a candidate leaves that one to others, None
    instead of a list leaves them all. The law has the last word: it refuses what does
    not rest on the owner's words, and what says more than they do.
    """


@hookspec(firstresult=True)
def model_provider(name: str, settings: Settings) -> Provider | None:
    """
    Return the language model that *settings* call *name* in ``model.provider``.

    None leaves it to others. Limits, cache and the form of its answers are looked after;
    `complete` returns in time or raises a `ModelError`.
    """
