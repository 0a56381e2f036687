"""The cues by which a text is read stand in one file a language."""

from __future__ import annotations

import re
from pathlib import Path

from strata.language import cues

PACKAGE = Path(cues.__file__).parents[2]
NAMED = re.compile(
    r"(?:cues?|source|words|listed|entries)[,(]\s*\(?[\"'](\w+\.\w+)[\"']"
)


def written() -> set[str]:
    return {
        f"{table}.{key}"
        for each in cues._tables()
        for table, entries in each.items()
        for key in entries
    }


def named() -> set[str]:
    texts = [path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")]
    return {name for text in texts for name in NAMED.findall(text)}


def referred() -> set[str]:
    return {
        f"{table}.{name}"
        for each in cues._tables()
        for table, entries in each.items()
        for entry in entries.values()
        for name in re.findall(r"\{\{(\w+)\}\}", "".join(entry))
    }


def test_every_cue_of_the_files_is_used() -> None:
    """
    A cue that no reader asks for, and no other cue refers to, is not kept.
    """
    assert set() == written() - named() - referred()


def test_every_cue_that_is_asked_for_is_written() -> None:
    """
    A reader asks for no cue that the files do not have.
    """
    assert set() == named() - written()


def test_a_cue_finds_what_any_language_says() -> None:
    """
    One pattern has the words of all languages.
    """
    final = cues.cue("turns.final")

    assert final.search("that's settled then")
    assert final.search("就这么办")


def test_a_reference_stands_for_another_entry() -> None:
    """
    What several cues share is written once, and the calendar's names are known.
    """
    assert "{{" not in cues.source("endings.tail_en")
    assert "january" in cues.source("endings.tail_en").lower()
