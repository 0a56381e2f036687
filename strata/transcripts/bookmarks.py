"""Where the reading of a long conversation goes on, without what was read before."""

from __future__ import annotations

import base64
import json
from array import array
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Protocol

from strata.models import Origin
from strata.transcripts.branches import BranchFinder
from strata.transcripts.filtering import Conversation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from strata.transcripts.branches import Tip
    from strata.transcripts.entries import Entry
    from strata.transcripts.private import Privacy

# A shorter one is read in no time.
LONG_BYTES = 200_000
# What is wanted and rests on what was said just before; a stretch, and some more.
_MESSAGES_AFTER = 200
_MESSAGES_BETWEEN = 50
# So many messages before one tell what becomes of it: a secret may begin in them.
MESSAGES_BEFORE = 20
ROLES = {"user": ord("u"), "assistant": ord("a")}


@dataclass(frozen=True, slots=True)
class Bookmark:
    """
    How the reading stood before the entry at *place* of a source, *number* messages on.

    *check* is what the source says of all that lies before. *times* holds the moments of
    the messages as text, *tree* where their branch ended.
    """

    place: int
    check: str
    number: int
    by_machine: bool
    recalled: bool
    off: bool
    tree: Tip
    times: str = ""
    roles: str = ""
    resets: tuple[int, ...] = ()
    malformed: int = 0


class Bookmarks(Protocol):
    """Keeps bookmarks, which may be lost at any time, by session id."""

    def find(self, session_id: str) -> Bookmark | None:
        """Return the bookmark in a conversation, if there is one."""

    def keep(self, session_id: str, mark: Bookmark) -> None:
        """Keep *mark* in place of an earlier one."""


class Resumable(Protocol):
    """A source that can be read from any of its places on."""

    def is_long(self, least_bytes: int) -> bool:
        """Say whether it can have a bookmark, and has so many bytes that it is worth it."""

    def check(self, place: int) -> str:
        """Return what changes when anything before *place* does, "" where none knows."""

    def placed(self, place: int) -> Iterator[tuple[int, Entry]]:
        """Yield each entry from *place* on with its own place."""


@dataclass(slots=True)
class Following:
    """Follows a conversation entry by entry, from its beginning or from a bookmark on."""

    conversation: Conversation
    privacy: Privacy
    finder: BranchFinder = field(default_factory=BranchFinder)
    times: array[float] = field(default_factory=lambda: array("d"))
    roles: bytearray = field(default_factory=bytearray)
    resets: set[int] = field(default_factory=set)
    malformed: int = 0
    _rests: list[Bookmark] = field(default_factory=list)

    @classmethod
    def since(cls, mark: Bookmark | None, *, shared: bool) -> Following:
        """Begin where *mark* is, or at the beginning."""
        from strata.transcripts.private import Privacy  # noqa: PLC0415 - patterns

        if mark is None:
            return cls(Conversation(shared), Privacy())
        conversation = Conversation(shared, mark.number, mark.by_machine, mark.recalled)
        times = array("d", base64.b64decode(mark.times))
        finder = BranchFinder.after(mark.tree)
        following = cls(conversation, Privacy(mark.off), finder, times)
        following.roles = bytearray(mark.roles.encode())
        following.resets = set(mark.resets)
        following.malformed = mark.malformed
        return following

    def take(self, place: int, entry: Entry) -> None:
        """Take the entry at *place*."""
        said = entry.said
        if said is not None and said.role == "user":
            self._rest(place)
        self.finder.add(entry)
        if entry.side:
            return
        self.malformed += entry.malformed
        if said is None:
            self.resets |= {len(self.times)} if entry.type == "reset" else set()
            return
        for message in self.conversation.take(entry, said):
            by_owner = message.origin is Origin.OWNER
            self.privacy.heard(message.text, by_owner=by_owner)
            if message.role != "tool":
                self.times.append(said.time)
                self.roles.append(ROLES[message.role])

    def bookmark(self, check: Callable[[int], str]) -> Bookmark | None:
        """Return the last place from which the end can be read again, if there is one."""
        latest = len(self.times) - _MESSAGES_AFTER
        rests = [each for each in self._rests if each.number <= latest]
        if not rests:
            return None
        mark = rests[-1]
        told = {
            "check": check(mark.place),
            "times": base64.b64encode(self.times[: mark.number].tobytes()).decode(),
            "roles": self.roles[: mark.number].decode(),
            "resets": tuple(each for each in self.resets if each <= mark.number),
        }
        return Bookmark(**{**asdict(mark), **told}) if told["check"] else None

    def _rest(self, place: int) -> None:
        """Remember how it stands before a prompt; none of the agent's tools may run."""
        last = self._rests[-1].number if self._rests else 0
        if len(self.times) - last >= _MESSAGES_BETWEEN and self.conversation.is_idle:
            rest = Bookmark(
                place,
                "",
                len(self.times),
                self.conversation.by_machine,
                self.conversation.recalled,
                self.privacy.off,
                self.finder.end,
                malformed=self.malformed,
            )
            self._rests.append(rest)


def packed(mark: Bookmark) -> bytes:
    """Return *mark* as bytes."""
    return json.dumps(asdict(mark)).encode()


def unpacked(stored: bytes) -> Bookmark | None:
    """Return the bookmark that `packed` made, None where another version did."""
    try:
        told = json.loads(stored)
        tree, resets = tuple(told.pop("tree")), tuple(told.pop("resets"))
        return Bookmark(**told, tree=tree, resets=resets)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
