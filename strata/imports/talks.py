"""What an export of any tool holds: who said what when, and what a tool made of it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from strata.errors import SourceUnreadable
    from strata.imports.bundles import Bundle


@dataclass(frozen=True, slots=True)
class Utterance:
    """
    What the owner or an assistant said.

    *at* knows its time zone; where the source tells none, it is that of what was said
    before, or of the conversation.
    """

    role: Literal["user", "assistant"]
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Talk:
    """
    One conversation: the branch that leads to where it stands, without what is hidden.

    *id* is the source's own, the same in each later export of it. *project* is the
    source's project or folder, "" where it has none.
    """

    id: str
    title: str
    utterances: tuple[Utterance, ...]
    project: str = ""


@dataclass(frozen=True, slots=True)
class Derived:
    """
    A line that another tool had made or kept: never the owner's own words.

    *kind* says what it is there: ``memory``, ``note``, ``summary``, ``instructions``.
    """

    id: str
    text: str
    at: datetime | None
    kind: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """What was not read: its *name*, and *why*, a key of the table ``import-reasons``."""

    name: str
    why: str

    @classmethod
    def of(cls, name: str, error: SourceUnreadable) -> Skipped:
        """Return what says that the file *name* has the *error*, as an `import` key."""
        key = getattr(error.told, "key", "import.unreadable")
        return cls(name, key.removeprefix("import."))


Read = Talk | Derived | Skipped


@runtime_checkable
class HasAccount(Protocol):
    """A format that says whose export it is."""

    def account(self, source: Bundle) -> str:
        """Return the id of the account, "" where it is not told."""


def id_of(text: str) -> str:
    """Return an id for a *text* to which its source gives none."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


class Format(Protocol):
    """What one tool exports. *name* is what ``--from`` calls it."""

    @property
    def name(self) -> str:
        """The name, such as ``claude-code``."""

    def recognises(self, source: Bundle) -> bool:
        """Say whether *source* is such an export, by its names and first bytes."""

    def read(self, source: Bundle) -> Iterator[Read]:
        """
        Yield what *source* holds, one at a time and in the same order each time.

        What is damaged is yielded as `Skipped`, and all else goes on.
        """
