"""Texts that an owner hands to the agent in messages of their own, for it to look at."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from strata.language.doubted import announces, asks_back, is_block
from strata.models import Origin

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from strata.models import Message


def with_texts(said: Iterable[Message]) -> Iterator[Message]:
    """
    Yield *said*; what the owner announced as a text, or asks about, is a stranger's.

    "I will paste it in two parts", or a page and then "what does it want?": the message
    between is no wish. A message is held back until the owner's next one tells.
    """
    coming = 0
    held: list[Message] = []
    for each in said:
        message = each
        if message.role == "user" and message.origin is Origin.OWNER:
            if held and asks_back(message.text):
                held[0] = replace(held[0], origin=Origin.UNTRUSTED)
            yield from held
            held = []
            if coming and not asks_back(message.text):
                message = replace(message, origin=Origin.UNTRUSTED)
            coming = coming - 1 if coming else announces(message.text)
            held = [message] if is_block(message.text) else []
            if held:
                continue
        if held:
            held.append(message)
        else:
            yield message
    yield from held
