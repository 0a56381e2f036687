"""
What short sentences are about: proposals taken up or declined, corrections, retractions.

    python bench/short.py [--verbose] [FILE.yaml ...]

Each exchange says which words one line of its note must hold at the end, and which must
not meet in any line. Without arguments the exchanges under ``short/`` are played. Those
were looked at while the rules grew: figures of others count, and print as totals alone.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from strata.models import Message

ROOT = Path(__file__).parents[1]
SAID = datetime(2026, 11, 18, 15, tzinfo=UTC)
Groups = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Short:
    """An exchange, what a line must hold in the end, and what none may."""

    id: str
    kind: str
    turns: tuple[tuple[str, str], ...]
    holds: Groups
    gone: Groups


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--verbose", action="store_true", help="show what went wrong")
    options = parser.parse_args()
    for path in options.files or sorted((ROOT / "bench/short").glob("*.yaml")):
        report(path, verbose=options.verbose)


def report(path: Path, *, verbose: bool) -> None:
    tally: Counter[str] = Counter()
    began = time.process_time()
    for short in shorts_in(path):
        lines = lines_of(short)
        missed = bool(short.holds) and not meets(short.holds, lines)
        stays = bool(short.gone) and meets(short.gone, lines)
        tally.update([f"{short.kind} of", "of"], lines=len(lines))
        tally.update(missed=missed, stays=stays)
        tally.update({f"{short.kind} right": not (missed or stays)})
        tally.update(right=not (missed or stays))
        if verbose and (missed or stays):
            explain(short, lines, missed=missed, stays=stays)
    spent = time.process_time() - began
    kinds = [name.removesuffix(" of") for name in tally if name.endswith(" of")]
    told = (f"{each} {tally[each + ' right']}/{tally[each + ' of']}" for each in kinds)
    print(
        f"{path.stem}: {tally['right']}/{tally['of']}  {'  '.join(told)}  missed"
        f" {tally['missed']}  stays {tally['stays']}  lines {tally['lines']} "
        f" {spent:.1f} s CPU"
    )


def shorts_in(path: Path) -> Iterator[Short]:
    for each in yaml.safe_load(path.read_text(encoding="utf-8")):
        yield Short(
            str(each["id"]),
            each["kind"],
            tuple(
                (who, str(text)) for turn in each["turns"] for who, text in turn.items()
            ),
            _groups(each["holds"]),
            _groups(each["gone"]),
        )


def lines_of(short: Short) -> list[str]:
    """Return the entries of the note, as a capture without a model would write them."""
    sys.path.insert(0, str(ROOT))
    from strata.judges.entries import extract_facts  # noqa: PLC0415 - this checkout
    from strata.notes.entries import render_entry  # noqa: PLC0415 - this checkout
    from strata.statements.grounding.proposals import unsupported  # noqa: PLC0415 - this checkout

    return [
        render_entry(fact.entry)
        for fact in extract_facts(_messages(short), timezone=UTC)
        if not unsupported(fact, UTC)
    ]


def _messages(short: Short) -> Iterator[Message]:
    from strata.models import Message, Origin  # noqa: PLC0415 - this checkout

    for number, (who, text) in enumerate(short.turns, start=1):
        yield Message(
            id=f"{short.id}-{number}",
            number=number,
            role="user" if who == "u" else "assistant",
            text=text,
            time=SAID + timedelta(minutes=number),
            origin=Origin.OWNER if who == "u" else Origin.AGENT,
        )


def meets(groups: Groups, lines: Sequence[str]) -> bool:
    """Say whether one of *lines* has a token of every group."""
    return any(
        all(any(token in line.casefold() for token in group) for group in groups)
        for line in lines
    )


def explain(short: Short, lines: Sequence[str], *, missed: bool, stays: bool) -> None:
    wrong = " ".join(["missed"] * missed + ["stays"] * stays)
    print(f"  {short.id} {short.kind} {wrong}: holds {short.holds} gone {short.gone}")
    for who, text in short.turns:
        print(f"    {who}: {text}")
    for line in lines:
        print(f"    - {line}")


def _groups(written: Any) -> Groups:  # a file of somebody else's
    return tuple(tuple(str(token).casefold() for token in group) for group in written)


if __name__ == "__main__":
    main()
