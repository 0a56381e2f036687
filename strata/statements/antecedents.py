"""What was said a little earlier in a conversation, for short sentences to be about."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from strata.language.sentences import language_of
from strata.language.similarity import terms_of
from strata.language.vocabulary import content_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from strata.models import Evidence, Message
    from strata.statements.exchanges import Exchange

# So many statements back something may be meant; people do not reach further in few words.
_MOST = 40

Position = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Stated:
    """
    A statement of the stretch as it stands by now, and the words that justify it.

    *position* is that of the entry that it may have become, *message* counts the owner's
    messages; *worth* is how likely it is worth an entry, *topic* what it is
    about.
    """

    text: str
    position: Position
    evidence: tuple[Evidence, ...]
    by_owner: bool
    worth: float = 0.0
    retracted: float = 0.0
    topic: str = ""

    @property
    def message(self) -> int:
        """The number of the owner's message in which, or after which, it was said."""
        return self.position[0]


@dataclass(slots=True)
class Talk:
    """
    The last statements of a stretch, of owner and agent, the newest last.

    Of the messages *declined* what the agent offered was refused: nothing is about it.
    """

    declined: set[str] = field(default_factory=set)
    _stated: list[Stated] = field(default_factory=list)
    _unread: list[Iterable[Stated]] = field(default_factory=list)

    @property
    def stated(self) -> list[Stated]:
        """What was said, the oldest first."""
        if self._unread:
            self._read()
        return self._stated

    def add(self, stated: Iterable[Stated]) -> None:
        """
        Take in what was said next.

        It is read when somebody asks what was said, as few messages do.
        """
        self._unread.append(stated)
        if len(self._unread) > _MOST:
            self._read()

    def drop(self, gone: Iterable[Position]) -> None:
        """Forget the statements at the places *gone*: they hold no longer."""
        if left := set(gone):
            self._stated = [each for each in self.stated if each.position not in left]

    def heard(self, exchange: Exchange) -> list[Message]:
        """Return what was said before *exchange*, but for what was declined."""
        return [each for each in exchange.talk if each.id not in self.declined]

    def latest(self) -> Iterator[Stated]:
        """Give what was said, the newest first."""
        return reversed(self.stated)

    def _read(self) -> None:
        # From the newest on: of what is too far back not even the sentences are told apart.
        found: list[Stated] = []
        for each in (*reversed(self._unread), self._stated):
            found += [*each][::-1]
            if len(found) >= _MOST:
                break
        self._stated, self._unread = found[:_MOST][::-1], []

    def named_by(self, words: str) -> list[Stated]:
        """Return the statements, newest first, that share most of a word with *words*."""
        said = _telling(words)
        shared = [(len(said & _telling(each.text)), each) for each in self.latest()]
        most = max((count for count, _ in shared), default=0)
        # Two hanzi of a longer word are a word of their own.
        least = 2 if language_of(words) == "zh" else 1
        return [each for count, each in shared if count == most >= least]


def _telling(text: str) -> frozenset[str]:
    return frozenset(term for term in terms_of(text) if content_words(term) > 0)
