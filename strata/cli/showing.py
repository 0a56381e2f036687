"""What reaches a screen: no controls that a terminal obeys, and masked what is to be."""

from __future__ import annotations

import sys
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from strata.sensitivity import Rules, rules_of

if TYPE_CHECKING:
    from typing import TextIO

    import click

    from strata.settings import Settings

_MARK = "\ufffd"
# An escape begins a command to the terminal, some marks turn letters round or part them
# unseen, and half a sign, as in the name of a file that is no UTF-8, cannot be written at
# all. The joiners U+200C and U+200D stay: scripts and emoji need them.
_CONTROLS = dict.fromkeys(
    (*range(9), *range(11, 32), *range(0x7F, 0xA0), *range(0x202A, 0x202F)), _MARK
) | dict.fromkeys(
    (
        *(0x061C, 0x200B, 0x200E, 0x200F, 0xFEFF),
        *range(0x2066, 0x206A),
        *range(0xD800, 0xE000),
    ),
    _MARK,
)
# Nobody sees these within a word: marks, joiners, the places where it may be parted.
_UNSEEN = str.maketrans("", "", f"{_MARK}\u200c\u200d\u00ad\u2060")


@dataclass(frozen=True, slots=True)
class Showing:
    """How texts may be shown: *masks* leave a letter, *removals* leave nothing."""

    masks: Rules
    removals: Rules

    @classmethod
    def by(cls, settings: Settings) -> Showing:
        """Return what *settings* ask for."""
        return cls(
            rules_of(settings.trust_masked, setting="trust.masked"),
            rules_of(settings.trust_never_store, setting="trust.never_store"),
        )

    def shown(self, text: str) -> str:
        """Return *text* as it may be shown."""
        found = self._ruled(printable(text))
        whole = found.translate(_UNSEEN)
        # What nobody sees within a word would keep it from being masked.
        hides = whole != found and any(
            rules.holds(whole) for rules in (self.removals, self.masks)
        )
        return self._ruled(whole) if hides else found

    def _ruled(self, text: str) -> str:
        return self.masks.masked(self.removals.removed(text))

    def document(self, value: Any) -> Any:  # Any: JSON of any shape
        """Return *value* with its texts as they may be shown."""
        if isinstance(value, str):
            return self.shown(value)
        if isinstance(value, dict):
            return {key: self.document(each) for key, each in value.items()}
        return (
            [self.document(each) for each in value]
            if isinstance(value, list)
            else value
        )


class Shown:
    """A stream for people and programs; whatever else is asked of it, *stream* does."""

    def __init__(self, stream: TextIO, showing: Showing) -> None:
        self._stream = stream
        self._showing = showing

    def write(self, text: str) -> int:
        """Write *text* as it may be shown."""
        self._stream.write(self._showing.shown(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:  # Any: whatever a stream has
        return getattr(self._stream, name)


def printable(text: str) -> str:
    """Return *text* with a mark for each character that a terminal would obey."""
    # A file may begin with the mark of its encoding. A carriage return alone would write
    # over the line.
    text = text.removeprefix("\ufeff")
    return text.replace("\r\n", "\n").translate(_CONTROLS)


def padded(text: str, width: int) -> str:
    """Pad *text* to *width* columns; an ideograph takes two."""
    wide = sum(1 for letter in text if unicodedata.east_asian_width(letter) in "WF")
    return text + " " * max(width - len(text) - wide, 1)


def show_by(settings: Settings, context: click.Context) -> None:
    """Let what the command prints follow *settings*, until it ends."""
    if isinstance(sys.stdout, Shown):
        return
    before = sys.stdout
    sys.stdout = Shown(before, Showing.by(settings))
    context.find_root().call_on_close(lambda: setattr(sys, "stdout", before))
