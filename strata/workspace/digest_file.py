"""What the owner was told each morning, so that nothing is told twice or lost."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from strata.workspace.folders import clear_errors, make_private_folder
from strata.workspace.locks import exclusive
from strata.workspace.replacing import draft, swap

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

_NAME = "digest.json"
_PATIENCE_SECONDS = 10.0
_GONE = ("", "")


@dataclass(slots=True)
class Told:
    """
    Until when each workspace's news was told, and the numbers of what waits for a word.

    A number is a place in *numbers*, counted from one: a workspace, and a statement's id.
    """

    until: dict[str, str] = field(default_factory=dict)
    numbers: list[tuple[str, str]] = field(default_factory=list)

    def number_all(
        self, waiting: list[tuple[str, str]], places: Collection[str]
    ) -> None:
        """
        Give each of *waiting* in *places* a number, which it keeps for as long as it waits.

        Once none waits that has one, they begin anew. Of what waits no more nothing is
        kept: it may have been forgotten. What waits elsewhere keeps its number.
        """
        kept = {*waiting, *(each for each in self.numbers if each[0] not in places)}
        self.numbers = [each if each in kept else _GONE for each in self.numbers]
        if not any(each != _GONE for each in self.numbers):
            self.numbers = []
        self.numbers += [each for each in waiting if each not in self.numbers]

    def number(self, place: str, name: str) -> int:
        """Return the number of what waits in *place* by the id *name*."""
        return self.numbers.index((place, name)) + 1


@contextmanager
def keeping(folder: Path) -> Iterator[Told]:
    """Give what was told, kept in *folder*, and keep it as the body leaves it."""
    file = folder / _NAME
    with exclusive(
        folder / "digest.lock", timeout_seconds=_PATIENCE_SECONDS, doing="telling"
    ):
        told = _read(file)
        before = asdict(told)
        yield told
        if asdict(told) != before:
            content = json.dumps(asdict(told)).encode()
            make_private_folder(folder)
            with clear_errors(file):
                swap(draft(folder, content, mode=0o600, prefix=f".{_NAME}."), file)


def _read(file: Path) -> Told:
    try:
        stored = json.loads(file.read_bytes())
        numbers = [(str(where), str(name)) for where, name in stored["numbers"]]
        until = {str(where): str(at) for where, at in stored["until"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        # Lost or damaged: the news of the last day is told, and numbers begin anew.
        return Told()
    return Told(until, numbers)
