"""The bank, and what is read to another person, follow what becomes of memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.workspace.layout import BANK

if TYPE_CHECKING:
    from strata.memory import Memory


def follow(memory: Memory) -> list[str]:
    """
    Let what is made of memory follow a change of it; return the pages that changed.

    The caller lets no other job in.
    """
    if memory.parent:
        from strata.jobs.personal import bring_up  # noqa: PLC0415 - few have any

        bring_up(memory)
    if not (memory.workspace.root / BANK).is_dir():
        return []
    # What names are read by takes longer to load than most changes to make.
    from strata.jobs.reflect import bring_up_alone  # noqa: PLC0415 - see above

    with memory.workspace.unrecorded():
        return bring_up_alone(memory).paths
