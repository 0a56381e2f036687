"""What a model proposes for the notes of one conversation."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from strata.bank.subjects import grounded
from strata.jobs.capturing.extraction import Found
from strata.judges.entries import fact_of, find_candidates
from strata.language.material import Windows
from strata.language.similarity import distinct
from strata.language.vocabulary import content_words
from strata.models import Origin, Subject, Tag
from strata.statements.grounding.paraphrases import paraphrases
from strata.statements.grounding.proposals import Proposal, Refused, ground

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Sequence

    from strata.jobs.capturing.extraction import Extraction
    from strata.judges.candidates import Candidate
    from strata.language.material import Line
    from strata.model.extraction import ProposedFact
    from strata.models import Fact, Message, Proposer, Session
    from strata.notes.stretches import Stretch

    # None where nobody answers: rules must do.
    Ask = Callable[[Sequence[Line]], Sequence[ProposedFact] | None]

# A "thanks, bye" at the end of a conversation is worth no call.
_FEWEST_WORDS = 3
# Of an answer so much must have been said; else it is not worth picking from.
_LEAST_TRUE = 0.5
_TAGS: dict[str, Tag] = {tag.value: tag for tag in Tag}


class Proposing:
    """
    Asks for the facts of one conversation, in as few questions as its length allows.

    *ask* is given one window of the conversation at a time, of *most_chars* at most, and
    tells what *proposer* would keep of it. What that leaves unanswered, or answers with
    what mostly was not said, the local judge finds.
    """

    def __init__(
        self, extraction: Extraction, ask: Ask, proposer: Proposer, *, most_chars: int
    ) -> None:
        self._extraction = extraction
        self._ask = ask
        self._proposer = proposer
        self._timezone = extraction.memory.timezone
        self._windows = Windows(most_chars)
        self._proposed: list[tuple[int, Fact]] = []
        self._unanswered: list[tuple[Message, Message]] = []
        self._slight: list[tuple[Message, Message]] = []
        # What the owner said of which a model's wording could not be taken.
        self._lost: set[str] = set()

    def found(self, session: Session, stretches: Sequence[Stretch]) -> list[Found]:
        """Return the facts of *stretches*, each of which is asked about by itself."""
        by_rules: list[tuple[Stretch, list[Candidate]]] = []
        spans = [(each.first, each.last) for each in stretches]
        for place, messages in self._extraction.read(session, spans):
            by_rules.append((stretches[place], find_candidates(self._tapped(messages))))
            self._propose(self._windows.rest())
        return [self._merged(*each) for each in by_rules]

    def _tapped(self, messages: Iterable[Message]) -> Iterator[Message]:
        """Let rules and windows read the same stream."""
        for message in messages:
            self._propose(self._windows.add(message))
            yield message

    def _propose(self, window: Sequence[Line]) -> None:
        if not window:
            return
        span = (window[0].message, window[-1].message)
        if not is_worth_asking(window):
            self._slight.append(span)
            return
        answer = self._ask(window)
        facts = None if answer is None else self._grounded(window, answer)
        if facts is None:
            self._unanswered.append(span)
        else:
            self._proposed += facts

    def _grounded(
        self, window: Sequence[Line], answer: Sequence[ProposedFact]
    ) -> list[tuple[int, Fact]] | None:
        """Return the facts that were said, by message; None where most of them were not."""
        lines = {line.id: line for line in window}
        numbers = {line.message.id: line.message.number for line in window}
        kept: list[tuple[int, Fact]] = []
        for each in answer:
            fact = ground(proposal(each), lines, timezone=self._timezone)
            if isinstance(fact, Refused):
                self._extraction.refused += 1
                cited = (lines[number] for number in each.messages if number in lines)
                self._lost |= {line.message.id for line in cited if line.by_owner}
            else:
                number = numbers[fact.evidence[0].message_id]
                fact = replace(
                    fact,
                    proposer=self._proposer,
                    terms=self._terms(each, fact),
                    of=self._of(each, fact, window),
                )
                kept.append((number, fact))
        return kept if len(kept) >= _LEAST_TRUE * len(answer) else None

    def _terms(self, proposed: ProposedFact, fact: Fact) -> tuple[str, ...]:
        """Return what of *proposed* says *fact* in other words, and tells no secret."""
        masked = self._extraction.memory.masked
        open_ones = [each for each in proposed.terms if masked(each) == each]
        return paraphrases(open_ones, [each.quote for each in fact.evidence])

    def _of(
        self, proposed: ProposedFact, fact: Fact, window: Sequence[Line]
    ) -> tuple[Subject, ...]:
        """Return whom *proposed* tells of, as far as *window* names them in the open."""
        masked = self._extraction.memory.masked
        given = [
            Subject(each.name, each.type, each.also)
            for each in proposed.of
            if all(masked(name) == name for name in (each.name, *each.also))
        ]
        said = [e.quote for e in fact.evidence if e.origin is Origin.OWNER]
        return grounded(given, said, [line.text for line in window])

    def _merged(self, stretch: Stretch, candidates: Sequence[Candidate]) -> Found:
        proposed = [
            fact
            for number, fact in self._proposed
            if stretch.first <= number <= stretch.last
        ]
        known = {evidence.message_id for each in proposed for evidence in each.evidence}
        told = (fact_of(each, self._timezone) for each in candidates)
        added = self._extraction.supported(
            [
                fact
                for fact in told
                if self._is_unanswered(fact) or self._stands_in(fact, known)
            ]
        )
        answered = not any(
            first.number <= stretch.last and last.number >= stretch.first
            for first, last in self._unanswered
        )
        facts = tuple(distinct((*proposed, *added)))
        return Found(stretch, facts, answered)

    def _stands_in(self, fact: Fact, known: Container[str]) -> bool:
        """Say whether *fact* holds the words of what could not be taken otherwise."""
        said = fact.evidence[0].message_id
        return fact.tag is not None and said in self._lost and said not in known

    def _is_unanswered(self, fact: Fact) -> bool:
        said_at = fact.evidence[0].said_at
        spans = (*self._unanswered, *self._slight)
        return any(first.time <= said_at <= last.time for first, last in spans)


def proposal(proposed: ProposedFact) -> Proposal:
    """Return *proposed* as what the words that it cites must bear out."""
    return Proposal(
        proposed.text,
        _TAGS.get(proposed.kind),
        proposed.kind == "request",
        proposed.messages,
    )


def is_worth_asking(window: Sequence[Line]) -> bool:
    """Say whether the owner said more in *window* than a few words of courtesy."""
    words = sum(content_words(line.text.lower()) for line in window if line.by_owner)
    return words >= _FEWEST_WORDS
