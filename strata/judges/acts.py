"""What a short message of the owner does with what was said before it, as learned."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from strata.judges.features import Remark, bucket, features, last_question
from strata.judges.local import LocalJudge, read_weights
from strata.language.statement import read
from strata.language.vocabulary import content_words
from strata.patterns import pattern
from strata.statements.offers import asks_for_fact, offers_one_of, proposes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

WEIGHTS = Path(__file__).with_name("acts.npz")
# It takes up what was offered, or declines it, or puts a value right, or takes words back.
ACTS = ("takes", "declines", "corrects", "retracts")
# The agent's words are an offer.
OFFERS = "offers"
# From here on it does: an act is likelier than not, among as many that do nothing.
DOES = 0.45
# What is longer speaks for itself.
LONGEST = 160
_FIRST_CLAUSE = pattern(r"[.!?,;:、。，；！？：]|\s[-–—]\s")
_WORD = pattern(r"[a-z']+|[\u3400-\u9fff]")
_WEIGHT, _OPENING = 0.3, 0.5
_MOST_WORDS, _STEP = 5, 25


@dataclass(frozen=True, slots=True)
class Act:
    """How likely a message takes up, declines, puts right or takes back what was said."""

    takes: float = 0.0
    declines: float = 0.0
    corrects: float = 0.0
    retracts: float = 0.0

    @property
    def likeliest(self) -> str:
        """What it does, "" where that is nothing of these."""
        name = max(ACTS, key=lambda each: float(getattr(self, each)))
        return name if getattr(self, name) >= DOES else ""


def acts_of(remarks: Sequence[Remark]) -> list[Act]:
    """Return what each sentence of one message does; of a long one, nothing."""
    if not remarks or len(remarks[0].text) + len(remarks[0].rest) > LONGEST:
        return [Act()] * len(remarks)
    return [Act(*_likely(each)[: len(ACTS)]) for each in remarks]


def offered(words: str) -> float:
    """Return how likely the agent's *words*, which ask nothing, offer something."""
    return _likely(Remark(words[-LONGEST:]))[-1]


def _likely(remark: Remark) -> list[float]:
    scores = _layer().scores(act_features(remark))
    sure = 1.0 / (1.0 + np.exp(-np.clip(scores, -30, 30)))
    return [round(float(each), 3) for each in sure]


def together(acts: Sequence[Act]) -> Act:
    """Return what sentences that are one statement do: what one of them does."""
    return Act(*(max(getattr(each, name) for each in acts) for name in ACTS))


def act_features(remark: Remark) -> dict[int, float]:
    """Return by what an act is known: the words, and how they fit what was said before."""
    names = {f"s{name}": _WEIGHT for name in _fitting(remark)}
    words = _WORD.findall(_FIRST_CLAUSE.split(remark.text.lower(), maxsplit=1)[0])
    names["s1" + " ".join(words[:6])] = _OPENING
    own = {bucket(name): value for name, value in names.items()}
    return {**features(remark), **own}


def _fitting(remark: Remark) -> Iterator[str]:
    own = read(remark.text)
    lower, before = remark.text.lower(), remark.before[-300:].lower()
    count = min(content_words(lower), _MOST_WORDS)
    first = content_words(_FIRST_CLAUSE.split(lower.strip(), maxsplit=1)[0])
    asked = before.rstrip().endswith(("?", "\uff1f"))
    yield f"words{count}"
    yield f"first{min(first, _MOST_WORDS - 1)}"
    yield f"asked{asked}{asks_for_fact(last_question(before))}"
    yield f"proposed{proposes(before)}{asked}"
    yield f"oneof{offers_one_of(before)}"
    yield f"length{min(len(remark.before) // _STEP, _MOST_WORDS)}"
    yield f"value{bool(own.named)}{min(count, 3)}{asked}"
    yield f"denies{min(own.denials, 2)}"
    yield f"changes{own.meaning.change}{own.meaning.contrast}"
    yield f"asks{lower.rstrip().endswith(('?', chr(0xFF1F)))}"
    for name, text in (("b", remark.before[-300:]), ("e", remark.earlier[-160:])):
        other = read(text)
        there = {sort: other.named.get(sort, frozenset()) for sort in own.named}
        clash = any(there[sort] and own.named[sort] - there[sort] for sort in there)
        same = any(own.named[sort] & there[sort] for sort in there)
        shared = len(own.words & other.words)
        yield f"{name}clash{clash}{same}"
        yield f"{name}shares{min(2, shared)}"
        yield f"{name}both{clash}{bool(shared)}"


@lru_cache(maxsize=1)
def _layer() -> LocalJudge:
    return LocalJudge(read_weights(WEIGHTS))
