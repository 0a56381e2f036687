"""Of a name that may be two people's the owner is asked, once, whether it is one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from strata.bank.names import key_of
from strata.history.entities import answered_by, standing_decisions
from strata.history.names import PROPOSED
from strata.jobs.banking.pairs import asked_questions, question_of, source_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from strata.bank.directory import Directory
    from strata.bank.roles import Twofold
    from strata.bank.statements import Stated
    from strata.memory import Memory

    # Any: it is what JSON holds.
    Record = dict[str, Any]

VERSION = 1
_NAMES = "name", "other"


def ask_about(memory: Memory, directory: Directory, stated: Sequence[Stated]) -> None:
    """
    Let each name of *directory* that may be two wait, with the lines of *stated* of each.

    What waits already, or was answered, is not asked about again; only where other words
    tell the two apart by now, it is asked in those. What nobody would ask any more ends.
    """
    found = {each.id: _record(memory, each, stated) for each in directory.twofold}
    asked = asked_questions(memory)
    new = [
        each
        for name, each in found.items()
        if any(each[n] != asked.get(name, {}).get(n) for n in _NAMES)
    ]
    if records := [*new, *_ended(memory, directory, asked, found)]:
        memory.journal.append(records)


def _ended(
    memory: Memory,
    directory: Directory,
    asked: Mapping[str, Record],
    found: Mapping[str, Record],
) -> Iterator[Record]:
    """Give the end of each question that waits and does not arise any more."""
    open_ones = asked.keys() - found.keys()
    if open_ones:
        open_ones -= answered_by(standing_decisions(memory.journal))
    called = {key_of(each): each for each in directory.rare}
    called |= {
        key_of(name): each.key
        for each in directory.entities
        for name in (each.name, *each.forms)
    }
    for name in sorted(open_ones):
        pair = [str(asked[name].get(each)) for each in _NAMES]
        means = [called.get(key_of(each)) for each in pair]
        # A model asks about two that there are, and that are not one by now.
        if "model" not in asked[name] or None in means or means[0] == means[1]:
            yield (
                _told(memory)
                | {"id": name, "ended": True}
                | dict(zip(_NAMES, pair, strict=True))
            )


def _record(memory: Memory, two: Twofold, stated: Sequence[Stated]) -> Record:
    told = [stated[place] for place in (*two.told_of_one, *two.told_of_other)]
    return _told(memory) | question_of(
        two.one,
        two.other,
        [(each.shown, each.source) for each in told],
        [source_of(each) for each in told],
        two.id,
    )


def _told(memory: Memory) -> Record:
    at = memory.now.isoformat(timespec="seconds")
    return {"event": PROPOSED, "version": VERSION, "at": at}
