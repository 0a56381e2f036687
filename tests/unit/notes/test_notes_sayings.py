"""What the lines of a file say, and what is told of them at a glance."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from strata.notes.sayings import may_say, words_of

UNSEEN = "".join(
    chr(number)
    for number in range(sys.maxunicode + 1)
    if unicodedata.category(chr(number)) == "Cf"
)


@pytest.mark.parametrize(
    "line",
    [
        "- Use PNPM, never npm.",
        "- Ｕｓｅ ｐｎｐｍ, never npm.",
        *(f"- Use pn{sign}pm, never npm." for sign in UNSEEN[:3]),
        "- STRASSE 我们，决定 ﬁne",
    ],
)
def test_glance_passes_over_nothing(line: str) -> None:
    """
    Where a line consists of the words, in whatever spelling, the note is looked through.
    """
    assert may_say(f"# 2026-11-20\n\n{line}\n", words_of(line))


def test_glance_knows_every_sign_that_nobody_sees() -> None:
    """
    No format character of Unicode hides a word.
    """
    assert all(may_say(f"- pn{sign}pm", ("pnpm",)) for sign in UNSEEN)


def test_glance_saves_a_look() -> None:
    """
    A note in which a word is missing can not say them all.
    """
    assert not may_say("- Use npm 我们", ("use", "pnpm"))
