"""Figures as small bars and levels, one strip below the other; the template writes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# As wide as a phone, so that letters there have their size; larger screens enlarge it.
WIDTH = 340
_STRIP, _TEXT, _TICKS = 26, 17, 16
_LEAST = 1.5


@dataclass(frozen=True, slots=True)
class Strip:
    """
    A row of *figures*, one a column, None where there is none yet.

    Its *name* is for style sheets and programs, its *label* for people. With a *level*
    the figures are how much there is, not how much was added; *top* is what fills it.
    One *beside* others counts the same as they do in another way.
    """

    name: str
    label: str
    figures: Sequence[int | None]
    level: bool = False
    top: int = 0
    beside: bool = False

    @property
    def total(self) -> int:
        """All of its figures, or the last one of a level."""
        known = self.known
        return known[-1] if self.level and known else sum(known)

    @property
    def most(self) -> int:
        """The highest of its figures."""
        return max(self.known, default=0)

    @property
    def known(self) -> list[int]:
        """The figures that there are."""
        return [each for each in self.figures if each is not None]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A strip as it is drawn: its label at *text*, its ground at *ground*, its *path*."""

    strip: Strip
    text: int
    ground: int
    path: str


@dataclass(frozen=True, slots=True)
class Tick:
    """The word *text*, which begins at *x*, where its column does."""

    x: float
    text: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """All strips, the *ticks* below them at *foot*, in a box of *width* and *height*."""

    strips: tuple[Drawn, ...]
    ticks: tuple[Tick, ...]
    foot: int
    height: int
    width: int = WIDTH


def draw(strips: Sequence[Strip], ticks: Sequence[str]) -> Drawing:
    """
    Return *strips* below each other; *ticks* has a word, or "", for each column.

    Those without a top of their own share one, so that they can be compared.
    """
    shared = max((each.most for each in strips if not each.top), default=0)
    drawn = tuple(
        _drawn(each, number, each.top or shared) for number, each in enumerate(strips)
    )
    foot = len(strips) * (_STRIP + _TEXT) + _TICKS - 4
    step = _step(len(ticks))
    words = tuple(
        Tick(round(place * step, 1), text) for place, text in enumerate(ticks) if text
    )
    return Drawing(drawn, words, foot, foot + 6)


def _drawn(strip: Strip, number: int, top: int) -> Drawn:
    above = number * (_STRIP + _TEXT)
    ground = above + _TEXT + _STRIP
    heights = [_height(each, top) for each in strip.figures]
    path = _level(heights, ground) if strip.level else _bars(heights, ground)
    return Drawn(strip, above + _TEXT - 5, ground, path)


def _height(figure: int | None, top: int) -> float | None:
    """Return how high *figure* is where *top* fills the strip; little can be seen too."""
    if figure is None or figure <= 0 or not top:
        return None if figure is None else 0.0
    return round(max(min(figure / top, 1) * _STRIP, _LEAST), 1)


def _bars(heights: Sequence[float | None], ground: int) -> str:
    step = _step(len(heights))
    wide = _number(step * 0.8)
    bars = []
    for place, high in enumerate(heights):
        if high:
            left, up = _number((place + 0.1) * step), _number(high)
            bars.append(f"M{left} {ground}v-{up}h{wide}v{up}z")
    return "".join(bars)


def _level(heights: Sequence[float | None], ground: int) -> str:
    """Return one shape with a step a column, up to the first that is not known."""
    known = heights[: heights.index(None)] if None in heights else heights
    if not any(known):
        return ""
    step = _step(len(heights))
    steps = (f"V{_number(ground - (high or 0))}h{_number(step)}" for high in known)
    return f"M0 {ground}{''.join(steps)}V{ground}z"


def _step(columns: int) -> float:
    return WIDTH / max(columns, 1)


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
