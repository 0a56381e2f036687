"""A conversation as exchanges: what the owner says, and what it gives rise to."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from strata.models import Origin

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from strata.models import Message

# An agent may answer in hundreds of steps; the first and the last ones tell it.
_MOST_REPLIES = 6
# So many messages back people mean something that they do not name.
_BACK = 6


@dataclass(frozen=True, slots=True)
class Reply:
    """What the agent said, and whether it had used a tool just before."""

    message: Message
    after_tool: bool


@dataclass(frozen=True, slots=True)
class Exchange:
    """
    One message of the owner with its surroundings.

    *before* is what the agent had said last, *replies* what it answered, *after* the
    owner's next message, *earlier* the one before, *talk* all that was said just before,
    oldest first. *said* is None where a stretch begins with the agent's words.
    """

    position: int
    said: Message | None
    before: Message | None = None
    replies: tuple[Reply, ...] = ()
    after: Message | None = None
    earlier: Message | None = None
    talk: tuple[Message, ...] = ()


def exchanges(messages: Iterable[Message]) -> Iterator[Exchange]:
    """Give the exchanges of *messages*, holding no more than one at a time."""
    current, used_tool = Exchange(0, None), False
    talk: deque[Message] = deque(maxlen=_BACK)
    for message in messages:
        if message.role == "tool":
            used_tool = True
        elif message.recalled or not message.text.strip():
            continue
        elif message.role == "assistant":
            current = _answered(current, Reply(message, used_tool))
            talk.append(message)
            used_tool = False
        elif message.origin is Origin.OWNER:
            yield replace(current, after=message)
            current, used_tool = _next(current, message, tuple(talk)), False
            talk.append(message)
    yield current


def _answered(exchange: Exchange, reply: Reply) -> Exchange:
    replies = exchange.replies
    if len(replies) == _MOST_REPLIES:
        replies = replies[: _MOST_REPLIES - 1]
    return replace(exchange, replies=(*replies, reply))


def _next(exchange: Exchange, message: Message, talk: tuple[Message, ...]) -> Exchange:
    before = exchange.replies[-1].message if exchange.replies else None
    return Exchange(
        exchange.position + 1, message, before, earlier=exchange.said, talk=talk
    )
