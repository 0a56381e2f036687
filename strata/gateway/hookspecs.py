"""What a plugin may do when something happens: one hook for each event."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.hookspecs import hookspec

if TYPE_CHECKING:
    from strata.events import GatewayEvent
    from strata.memory import Memory


@hookspec
def session_end(event: GatewayEvent, memory: Memory) -> None:
    """
    A conversation has ended, or a window of it has.

    The same end may be reported by several events, before or after the transcript says so.
    """


@hookspec
def before_reset(event: GatewayEvent, memory: Memory) -> None:
    """
    A conversation is about to be reset, softly too, which no `session_end` follows.

    The transcript may or may not have been closed when the event is handled.
    """


@hookspec
def before_compaction(event: GatewayEvent, memory: Memory) -> None:
    """
    OpenClaw is about to summarise the running conversation.

    The transcript stays on disk and the conversation goes on: expect it again.
    """


@hookspec
def quiet(event: GatewayEvent, memory: Memory) -> str | None:
    """
    Nothing was said in a running conversation for ``capture.quiet_minutes``.

    Return after how many minutes that is to be told, 0 for never; the conversation goes on.
    """


@hookspec
def gateway_start(event: GatewayEvent, memory: Memory) -> None:
    """
    The gateway is up, or has taken in a new configuration; expect it repeatedly.

    A good moment for what happened while it was down.
    """


@hookspec
def heartbeat(event: GatewayEvent, memory: Memory) -> str | None:
    """
    OpenClaw's regular pulse: a good moment to look after things.

    Return a line only where a person must act: the agent passes it on.
    """


@hookspec
def cron(event: GatewayEvent, memory: Memory) -> str | None:
    """
    The scheduled job *event.job* is due.

    Return what is to stand in the job's log, or None where nothing was done.
    """
