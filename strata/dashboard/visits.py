"""What a browser asks of a screen, and what the screen gives back."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from strata.errors import Moved, NotFound, UsageError
from strata.jobs.update import refresh
from strata.messages import Notice, Voice
from strata.templates import Exact

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from strata.memory import Memory

# No page needs a longer text in an address or a field.
MOST_LETTERS = 8000
# A path of fixed words, as a `Screen` has, and what is said or meant there.
_ADDRESS = re.compile(r"/(?:[a-z]+(?:/[a-z]+)*)?(?:[?#].*)?")


@dataclass(frozen=True, slots=True)
class Visit:
    """
    One question of the browser: the *memory* of the moment, and what it was *told*.

    *told* are the fields of the address, or of the form that was sent, each as it was
    typed, without spaces around it. *since* is when somebody looked the last time.
    *standing* is the same memory with a `StandingJournal`, which is quickly read. Where it
    is *alone*, what is forgotten is forgotten nowhere else. *at* is the path asked for.
    """

    memory: Memory
    standing: Memory
    language: str
    told: Mapping[str, str] = field(default_factory=dict)
    since: str = ""
    alone: bool = False
    at: str = "/"

    def say(self, table: str) -> Voice:
        """Return what says the sentences of *table* in the owner's language."""
        return Voice(table, self.language)

    def text(self, name: str) -> str:
        """Return the field *name*, or ""; raise `UsageError` where it is far too long."""
        found = self.told.get(name, "")
        if len(found) > MOST_LETTERS:
            raise UsageError.of("dashboard.too-long", most=MOST_LETTERS)
        return found

    def need(self, name: str) -> str:
        """Return the field *name*; raise `NotFound` where it is empty."""
        found = self.text(name)
        if not found:
            raise NotFound.of("dashboard.nothing-named")
        return found

    def number(self, name: str, otherwise: int = 0, *, digits: int = 9) -> int:
        """Return the field *name*, *otherwise* where it is no number of so few *digits*."""
        told = self.text(name)
        is_number = told.isascii() and told.isdecimal() and len(told) <= digits
        return int(told) if is_number else otherwise

    def back(self, otherwise: str) -> str:
        """Return the page of ours from which a form came, as it says, or *otherwise*."""
        # Asked for when all is done, so nothing can be wrong with it any more.
        to = self.told.get("back", "")[:MOST_LETTERS]
        return to if _ADDRESS.fullmatch(to) else otherwise

    def changed(self, paths: Sequence[str]) -> None:
        """Bring the index up to date with the memory files *paths*."""
        refresh(self.memory, list(paths), say=lambda _line: None)


@dataclass(frozen=True, slots=True)
class Page:
    """
    A page to show: the *template* in `pages`, without its ending, and its *values*.

    *screen* is the place in the navigation that it belongs to, *title* its heading.
    """

    template: str
    screen: str
    title: str
    values: Mapping[str, Any] = field(default_factory=dict)  # Any: what it shows
    status: int = 200


@dataclass(frozen=True, slots=True)
class Done:
    """Something was done: the browser goes *to* a page, which says the lines *told*."""

    to: str
    told: tuple[str, ...] = ()


Reply = Page | Done


@dataclass(frozen=True, slots=True)
class Screen:
    """
    What answers the address *path*: *show* where it is read, *act* where a form is sent.

    A *path* is of fixed words: what is meant comes in the fields.
    """

    path: str
    show: Callable[[Visit], Reply] | None = None
    act: Callable[[Visit], Reply] | None = None


def seal(*texts: str) -> str:
    """Return what tells, with a form, which version of *texts* its page showed."""
    digest = sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()
    return Exact(digest[:16])


def require_seal(visit: Visit, place: str, *texts: str) -> None:
    """Raise `Moved` where the page that sent the form showed other *texts* at *place*."""
    if visit.text("seal") != seal(*texts):
        raise Moved(Notice("dashboard.moved", place=place))
