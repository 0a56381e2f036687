"""
How much of MEMORY.md is words, and how many lines of ordinary length does it hold?

Usage: ``python bench/page.py [--out FOLDER] [SCENARIO.yaml | MEMORY.md …]``

Plays the planted replay scenarios without a model, or those that are named, and measures
the page that 24 days end in; a page that is named is measured as it is. *Words* are all
bytes but those of sources and comments. A line of *ordinary* length is as long as the
median line of that page; a hundred of them are then fitted into an empty page.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from strata.history.outcomes import Admitted
from strata.jobs.deciding.budget import Standing, fit, wanted_lines
from strata.models import Claim, Judgement, Mention, Origin, Tag, Verdict
from strata.notes.long_term import Section, bare_lines, compose, size_of
from strata.notes.marks import unmarked

if TYPE_CHECKING:
    from strata.models import Language

PROJECT = Path(__file__).resolve().parents[1]
PLANTED = PROJECT.parent / "shared" / "bench" / "planted"
TODAY = date(2026, 11, 20)
MANY = 100
_SECTIONS = tuple(Section)


def main() -> None:
    """Print a line for each page: as it is, and filled with lines of ordinary length."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--out", help="keep the workspaces in this folder")
    options = parser.parse_args()
    for path in options.files or sorted((PLANTED / "scenarios").glob("*.yaml")):
        name = path.stem if path.suffix == ".yaml" else str(path)
        text = path.read_text() if path.suffix == ".md" else _played(path, options.out)
        print(f"{name}: {measured(text)}", flush=True)


def measured(text: str) -> str:
    """Return how much of the page *text* is words, and how many such lines would fit."""
    said = [unmarked(line) for line in bare_lines(text) if line.startswith("- ")]
    ordinary = round(statistics.median(size_of(each) - len("- ") for each in said))
    chinese = sum(not each.isascii() for each in said) * 2 > len(said)
    full, count = filled(ordinary, chinese=chinese)
    return (
        f"{len(said)} lines in {size_of(text):,} bytes, {share(text):.0%} words; median "
        f"line {ordinary} bytes; of {MANY} such lines {count} fit, {share(full):.0%} words"
    )


def share(text: str) -> float:
    """Return which part of the bytes of *text* somebody reads."""
    words = "\n".join(unmarked(line) for line in bare_lines(text))
    return size_of(words + "\n") / size_of(text)


def filled(size: int, *, chinese: bool) -> tuple[str, int]:
    """Return a page of as many lines of *size* bytes as it takes, and their number."""
    letter = "字" if chinese else "x"
    language: Language = "zh" if chinese else "en"
    texts = [
        letter * ((size - 4) // size_of(letter)) + f" {number:03}"
        for number in range(MANY)
    ]
    admitted = [
        _admitted(text, _SECTIONS[n % len(_SECTIONS)]) for n, text in enumerate(texts)
    ]
    kept, _ = fit("", (), admitted, Standing((), {}, TODAY, (), language))
    return compose("", (), wanted_lines(kept), (), language), len(kept)


def _admitted(text: str, section: str) -> Admitted:
    said = Mention(text, Tag.PREFERENCE, TODAY, "", "", "", text, "", Origin.OWNER)
    holds = Verdict(holds=True, reason="")
    judged = Judgement(text, section, 7, 0.9, holds, holds, holds)
    return Admitted(Claim(text, (said,)), judged, text)


def _played(path: Path, out: str | None) -> str:
    sys.path[:0] = [str(PROJECT / "bench")]
    from judgement import play  # noqa: PLC0415 - needs what lies beside the checkout

    folder = Path(out or tempfile.mkdtemp()) / path.stem
    play(path, (), folder)
    return (folder / "box" / "workspace" / "MEMORY.md").read_text()


if __name__ == "__main__":
    main()
