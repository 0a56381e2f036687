"""What the owner's statements are about, where that was said before them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from strata.judges.acts import acts_of, together
from strata.judges.candidates import about, worthless
from strata.judges.correcting import SURELY, corrected
from strata.judges.features import Remark
from strata.judges.protocol import KEEPS
from strata.judges.retracting import taken_back
from strata.judges.taking import goes_with, is_asked_to_choose, taken_up
from strata.judges.topics import STANDS, topic_of
from strata.language.vocabulary import content_words
from strata.statements.corrections import is_short

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from strata.judges.acts import Act
    from strata.judges.candidates import Candidate
    from strata.models import Estimate
    from strata.statements.antecedents import Position, Talk
    from strata.statements.exchanges import Exchange

_SURE = 0.5
# So much a sentence hangs on others, or so little it is worth, where it takes them back.
_LOOSE, _TAKES_BACK = 0.3, 0.75
# Sentences of a message of so few characters answer together.
_FEW_CHARS = 70
# So surely words put right what was said, whatever that was.
_PUTS_RIGHT = 0.4


@dataclass(frozen=True, slots=True)
class Resolving:
    """Resolves what one message states by what was said before it, and by its *act*."""

    exchange: Exchange
    talk: Talk

    def resolved(
        self, candidates: Sequence[Candidate], acts: Sequence[Act]
    ) -> Iterator[Candidate]:
        """Give *candidates*, the statements of the message, as what they are about."""
        if up := self._taken_up(candidates, acts):
            yield up
        for place, (candidate, act) in enumerate(zip(candidates, acts, strict=True)):
            if up is None or (place and not goes_with(candidate)):
                yield self._resolved(candidate, act)

    def _taken_up(
        self, candidates: Sequence[Candidate], acts: Sequence[Act]
    ) -> Candidate | None:
        """Return what the message takes up of the agent's offer, as one statement."""
        if not candidates:
            return None
        # A short message does something as a whole, a longer one by its beginning.
        few = sum(len(each.text) for each in candidates) <= _FEW_CHARS
        does = self._does(candidates[0], together(acts) if few else acts[0])
        if does == "takes" or (not does and is_asked_to_choose(self.exchange)):
            return taken_up(self.exchange, self.talk, candidates, acts[0], does=does)
        return None

    def _does(self, candidate: Candidate, act: Act) -> str:
        """Return what *candidate* does with what was said before, "" for nothing."""
        own = candidate.estimate
        loose = own.leans >= _LOOSE or own.keep < KEEPS
        # What puts right may take back as well, and is not lost with it.
        sure = act.retracts >= max(_SURE, act.corrects)
        if loose and sure and is_short(candidate.text) and self._is_back(own, act):
            return "retracts"
        return "" if act.likeliest == "retracts" else act.likeliest

    def _is_back(self, own: Estimate, act: Act) -> bool:
        """Say whether words are taken back, by themselves and by what was said last."""
        last = next((each for each in self.talk.latest() if each.by_owner), None)
        back = act.retracts + (own.retracts + (last.retracted if last else 0.0)) / 2
        return back >= max(_TAKES_BACK, act.takes, act.declines, act.corrects)

    def _resolved(self, candidate: Candidate, act: Act) -> Candidate:
        first, does = candidate.position[1] == 0, self._does(candidate, act)
        if does == "retracts" and (left := taken_back(self.talk, candidate)):
            return left
        if does == "declines" and first:
            if self.exchange.before:
                self.talk.declined.add(self.exchange.before.id)
            if candidate.estimate.keep < KEEPS:
                return replace(candidate, estimate=worthless(candidate.estimate))
        right = corrected(self.exchange, self.talk, candidate, act)
        if right and self._puts_right(candidate, right.undoes):
            return right
        return self._leaning(candidate) if first else candidate

    def _puts_right(self, candidate: Candidate, undoes: Sequence[Position]) -> bool:
        """
        Say whether the words of *candidate*, by themselves, put right what was said.

        What was said before makes many words look as if they did. Where they would undo
        what the owner said that is surely worth a note, that is not enough.
        """
        if not any(
            each.position in undoes and each.by_owner and each.worth >= SURELY
            for each in self.talk.stated
        ):
            return True
        [act] = acts_of([Remark(candidate.text)])
        return max(act.corrects, act.retracts) >= _PUTS_RIGHT

    def _leaning(self, candidate: Candidate) -> Candidate:
        """Return *candidate* with the words on which it leans, if it does."""
        own, words = candidate.estimate, candidate.text.lower()
        if own.leans < STANDS:
            return candidate
        estimate = replace(own, leans=min(own.leans, 0.3))
        candidate = replace(candidate, estimate=estimate)
        topic = topic_of(
            self.talk.heard(self.exchange), candidate.text, leans=own.leans
        )
        if topic and own.retracts < _SURE:
            return about(candidate, topic)
        if topic or content_words(words) > 1:
            # What it takes back must not stand beside it.
            return candidate
        # A yes to nothing that was offered says nothing.
        return replace(candidate, estimate=worthless(estimate))
