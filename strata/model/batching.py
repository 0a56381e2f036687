"""Much is asked in batches: as many things at a time as a prompt has room for."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

T = TypeVar("T")


def batches(
    things: Iterable[T], *, most: int, room: int, chars: Callable[[T], int]
) -> Iterator[list[T]]:
    """
    Yield *things* in their order, *most* at a time and *room* characters together.

    What has no room by itself is alone. The same things come in the same batches, so
    that a run that was killed asks again what it has paid for.
    """
    batch: list[T] = []
    taken = 0
    for thing in things:
        size = chars(thing)
        if batch and (len(batch) == most or taken + size > room):
            yield batch
            batch, taken = [], 0
        batch.append(thing)
        taken += size
    if batch:
        yield batch
