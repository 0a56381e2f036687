"""What the owner's decisions say of other statements that are like them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from strata.judges.features import Remark, features

if TYPE_CHECKING:
    from collections.abc import Iterable

# So alike two statements must be, by the cosine of their features, and so alike are twins.
_ALIKE = 0.25
_TWINS = 0.6
# So far (in log-odds) one decision moves a likeness, and all together at most.
_STEP = 0.8
_MOST = 2.0


@dataclass(slots=True)
class OwnerTaste:
    """
    A correction on top of the learned weights: what the owner took and refused.

    It is made anew from the journal each night, so that what is undone or forgotten there
    moves nothing any more. It is bounded: it moves a judgement, and decides none alone.
    """

    _weights: dict[int, list[tuple[int, float]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    _signs: list[int] = field(default_factory=list)

    def add(self, text: str, *, wanted: bool) -> None:
        """Learn that the owner *wanted* the statement *text* in memory, or did not."""
        for bucket, value in features(Remark(text)).items():
            self._weights[bucket].append((len(self._signs), value))
        self._signs.append(1 if wanted else -1)

    def shift(self, text: str) -> float:
        """Return by how much (in log-odds) *text* is likelier to be wanted."""
        moved = sum(self._signs[at] * near for at, near in self._near(text))
        return max(-_MOST, min(_MOST, _STEP * moved))

    def told(self, text: str) -> str:
        """Return what the owner did with statements like *text*, in words, or ""."""
        signs = [self._signs[at] for at, _ in self._near(text)]
        taken, refused = signs.count(1), signs.count(-1)
        parts = [f"you took {_statements(taken)}"] if taken else []
        parts += [f"you declined {_statements(refused)}"] if refused else []
        return " and ".join(parts)

    def _near(self, text: str) -> list[tuple[int, float]]:
        """Return which decisions are about something alike, and how much so, to 1."""
        if not self._signs:
            return []
        cosines: dict[int, float] = defaultdict(float)
        for bucket, value in features(Remark(text)).items():
            for at, weight in self._weights.get(bucket, ()):
                cosines[at] += value * weight
        near = (
            (at, (cosine - _ALIKE) / (_TWINS - _ALIKE))
            for at, cosine in cosines.items()
        )
        return sorted((at, min(1.0, each)) for at, each in near if each > 0)


def _statements(count: int) -> str:
    return "one statement like this" if count == 1 else f"{count} statements like this"


def taste_of(wanted: Iterable[str], refused: Iterable[str]) -> OwnerTaste:
    """Return what the statements that the owner *wanted* and *refused* teach."""
    taste = OwnerTaste()
    for text in wanted:
        taste.add(text, wanted=True)
    for text in refused:
        taste.add(text, wanted=False)
    return taste
