"""What was plainly stated and is changed later: by that it was more than a remark."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from strata.distillation.cues.kinds import Cue
from strata.distillation.meaning.relations import folded_terms
from strata.distillation.meaning.turns import TURNED
from strata.distillation.verification.turn_words import lasting_words, undated
from strata.distillation.verification.turning import turns_around

if TYPE_CHECKING:
    from strata.distillation.verification.gist import Gist
    from strata.models import Mention

# What happens changes by itself, and what is asked for is done with.
_PASSES = frozenset(
    {Cue.FINDING, Cue.RESULT, Cue.EVENT, Cue.DEADLINE, Cue.REQUEST, Cue.QUESTION}
) | {Cue.ONE_OFF, Cue.UNTIL, Cue.MOOD, Cue.FAVOUR}
_NEWS = frozenset({Cue.FINDING, Cue.EVENT, Cue.DEADLINE, Cue.QUESTION, Cue.ONE_OFF})
_MOST = 400


@dataclass(slots=True)
class Stated:
    """The plain statements of the owner so far: of no kind, and of no day."""

    _held: list[tuple[Mention, str, frozenset[str]]] = field(default_factory=list)

    def add(self, mention: Mention, gist: Gist) -> None:
        """Take in what *mention* states, if it may come to be changed."""
        passes = gist.cues & _PASSES
        if Cue.MANNER in gist.cues:
            # "Hearings are held over Webex" tells how, and not that one was.
            passes -= {Cue.RESULT}
        if gist.trap or gist.bound or gist.kind or passes:
            return
        self._held.append((mention, gist.text, folded_terms(gist.text)))
        del self._held[:-_MOST]

    def changed_by(
        self, mention: Mention, gist: Gist, around: str
    ) -> tuple[str, list[Mention]]:
        """Return the words of *mention* that last, and the statements that they change."""
        words = lasting_words(mention.text) or lasting_words(undated(mention.text))
        if gist.trap or gist.cues & _NEWS or not TURNED.search(words):
            return "", []
        terms = folded_terms(around)
        changed = [
            told
            for told, text, known in self._held
            if known & terms
            and told.label != mention.label
            and turns_around(text, words, around, holds=False)
        ]
        return words, changed
