"""The facts of a conversation, as plugins and rules find them; code decides."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING

from strata.jobs.capturing.changed import Changed
from strata.jobs.capturing.hearing import Hearing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from strata.jobs.forgetting.recognition import Recogniser
    from strata.memory import Memory
    from strata.models import Fact, Message, Session
    from strata.notes.stretches import Stretch
    from strata.transcripts.openclaw import Transcripts

    Spans = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Found:
    """
    The facts of one stretch of a conversation.

    A model has *answered* what it would keep of all of it; else rules had to do.
    """

    stretch: Stretch
    facts: tuple[Fact, ...]
    answered: bool = False


class Extraction:
    """Finds facts, one conversation after the other; *refused* counts what words deny."""

    def __init__(self, memory: Memory, transcripts: Transcripts) -> None:
        self.memory = memory
        self.refused = 0
        self.hearing = Hearing(memory)
        self.forgotten = _recogniser(memory)
        self.transcripts = transcripts

    def by_rules(
        self, session: Session, stretches: Sequence[Stretch]
    ) -> Iterator[Found]:
        """Give what plugins, else the rules, find; the conversation is read as a stream."""
        spans = [(stretch.first, stretch.last) for stretch in stretches]
        for place, messages in self.read(session, spans):
            facts = self.memory.plugins.hook.extract_facts(
                messages=messages, timezone=self.memory.timezone
            )
            yield Found(stretches[place], self.supported(facts or ()))

    def by_plugins(
        self, session: Session, stretches: Sequence[Stretch]
    ) -> Iterator[Found]:
        """Give what plugins find that are not the bundled rules, where there are any."""
        plugins = self.memory.plugins
        bundled = plugins.get_plugin("local judge")
        others = plugins.subset_hook_caller("extract_facts", [bundled])
        if not others.get_hookimpls():
            return
        for stretch in stretches:
            for _, messages in self.read(session, [(stretch.first, stretch.last)]):
                facts = others(messages=messages, timezone=self.memory.timezone)
                if facts is not None:
                    yield Found(stretch, self.supported(facts))

    def read(
        self, session: Session, spans: Spans
    ) -> Iterator[tuple[int, Iterator[Message]]]:
        """Give for each of *spans*, as its place, the messages that nobody keeps out."""
        from strata.language.quarantine import gives_orders  # noqa: PLC0415 - patterns

        place_of = _places(spans)
        messages = self.transcripts.read(
            session,
            wanted=lambda number: place_of(number) >= 0,
            overheard=gives_orders,
            first=spans[0][0] if spans else 1,
        )
        for place, said in groupby(messages, key=lambda each: place_of(each.number)):
            yield place, self.hearing.messages(session, self._remembered(session, said))

    def _remembered(
        self, session: Session, messages: Iterable[Message]
    ) -> Iterable[Message]:
        """Keep what was forgotten from rules and models alike."""
        if self.forgotten is None:
            return messages
        from strata.jobs.forgetting.keeping import unforgotten  # noqa: PLC0415 - few forget

        return unforgotten(self.forgotten, session.id, messages)

    def admitted(self, session: Session, found: Found) -> Found:
        """
        Return *found* without what was forgotten, each fact as its origin allows.

        What a hand has made of such an entry is what it says.
        """
        facts = self._changed.settled(session, found.facts)
        if self.forgotten is not None:
            from strata.jobs.forgetting.keeping import (  # noqa: PLC0415 - few forget
                without_forgotten,
            )

            facts = without_forgotten(self.memory, self.forgotten, session.id, facts)
        return replace(found, facts=tuple(map(self.hearing.settled, facts)))

    @cached_property
    def _changed(self) -> Changed:
        return Changed(self.memory)

    def supported(self, facts: Sequence[Fact]) -> tuple[Fact, ...]:
        """Keep the facts that the words they cite support; count the others."""
        from strata.statements.grounding.proposals import unsupported  # noqa: PLC0415 - patterns

        timezone = self.memory.timezone
        kept = tuple(fact for fact in facts if not unsupported(fact, timezone))
        self.refused += len(facts) - len(kept)
        return kept


def _recogniser(memory: Memory) -> Recogniser | None:
    if not memory.tombstones.exist:
        return None
    from strata.jobs.forgetting.recognition import recogniser  # noqa: PLC0415 - few forget

    return recogniser(memory)


def _places(spans: Spans) -> Callable[[int], int]:
    """Return what tells the place of the span in which a number lies, or -1."""
    lasts = [last for _, last in spans]

    def place_of(number: int) -> int:
        place = bisect_left(lasts, number)
        inside = place < len(lasts) and spans[place][0] <= number
        return place if inside else -1

    return place_of
