"""Of a name that may be two people's the owner is asked, once, whether it is one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from strata.history.names import PROPOSED
from strata.jobs.banking.pairs import question_of, source_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from strata.bank.roles import Twofold
    from strata.bank.statements import Stated
    from strata.memory import Memory

VERSION = 1


def ask_about(
    memory: Memory, twofold: Iterable[Twofold], stated: Sequence[Stated]
) -> None:
    """
    Let each of *twofold* wait for the owner's word, with the lines of *stated* of each.

    What waits already, or was answered, is not asked about again.
    """
    found = [_record(memory, each, stated) for each in twofold]
    # A journal is long, and mostly nobody is two.
    asked = {e.get("id") for e in memory.journal.records(PROPOSED)} if found else set()
    if new := [each for each in found if each["id"] not in asked]:
        memory.journal.append(new)


def _record(memory: Memory, two: Twofold, stated: Sequence[Stated]) -> dict[str, Any]:
    told = [stated[place] for place in (*two.told_of_one, *two.told_of_other)]
    return {
        "event": PROPOSED,
        "version": VERSION,
        "at": memory.now.isoformat(timespec="seconds"),
        **question_of(
            two.one,
            two.other,
            [(each.shown, each.source) for each in told],
            [source_of(each) for each in told],
        ),
    }
