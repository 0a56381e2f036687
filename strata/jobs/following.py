"""The bank follows what becomes of memory, where there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.workspace.layout import BANK

if TYPE_CHECKING:
    from strata.memory import Memory


def follow(memory: Memory) -> list[str]:
    """
    Let the bank follow a change of memory; return the pages that changed.

    The caller lets no other job in.
    """
    if not (memory.workspace.root / BANK).is_dir():
        return []
    # What names are read by takes longer to load than most changes to make.
    from strata.jobs.reflect import bring_up_alone  # noqa: PLC0415 - see above

    with memory.workspace.unrecorded():
        return bring_up_alone(memory).paths
