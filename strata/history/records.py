"""Where the records of the journal are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator


class Records(Protocol):
    """The journal on the disk, or a history that has read it."""

    def records(self, *events: str) -> Iterator[dict[str, Any]]:
        """Yield the records of *events* from the oldest on."""
        ...
