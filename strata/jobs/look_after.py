"""look after: what a heartbeat does, without any model, and seldom with a word."""

from __future__ import annotations

from contextlib import suppress
from functools import reduce
from typing import TYPE_CHECKING

from strata.errors import DecryptionFailed
from strata.jobs.doctor import complaints, examine, mend
from strata.jobs.settle import catch_up
from strata.messages import Notice
from strata.workspace import stored

if TYPE_CHECKING:
    from strata.memory import Memory

_TOLD = "health.txt"


def look_after(memory: Memory) -> str | None:
    """
    Settle what is new, mend what can be mended, and say what a person must do.

    The same is said once a day: a heartbeat comes every half hour.
    """
    catch_up(memory)
    mend(examine(memory, ask_gateway=False))
    found = complaints(examine(memory, ask_gateway=False))
    if not found or _was_told(memory, found):
        return None
    return Notice("doctor.attention", found=reduce(_both, found))


def _both(first: str, second: str) -> str:
    return Notice("words.both", first=first, second=second)


def _was_told(memory: Memory, found: list[str]) -> bool:
    file = memory.workspace.layout.private / "cache" / _TOLD
    # Figures change all the time; what is wrong does not.
    names = ",".join(line.split(":")[0] for line in found)
    key = f"{memory.now.date()} {names}".encode()
    told = False
    with suppress(FileNotFoundError, DecryptionFailed):
        told = stored.read(file) == key
    if not told:
        memory.workspace.write_private(file, key)
    return told
