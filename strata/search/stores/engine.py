"""How Qdrant's engine is called: a little at a time, and what goes wrong as one error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from strata.search.stores.store import StoreDamaged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

T = TypeVar("T")

_AT_ONCE = 64


def guarded(action: Callable[[], Any]) -> Any:  # Any: qdrant_edge ships no types
    """Return what *action* does; raise nothing but `StoreDamaged`."""
    try:
        return action()
    # The engine raises bare exceptions, and a panic of its Rust code is none at all.
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001
        raise StoreDamaged(str(error).splitlines()[0]) from None


def few(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """Cut *items* so that an operation is no larger than a file of the log."""
    return (items[at : at + _AT_ONCE] for at in range(0, len(items), _AT_ONCE))
