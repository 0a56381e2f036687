"""
What of a model's words about pages of the bank is taken, and whether any of it is wrong.

Usage: ``python bench/describing.py [--keep DIR] [--verbose]``

`bank/said/` have sentences about the pages of `bank/dev_*.yaml`: some that the lines
bear out, as a careful model would write them, and some that they do not, put together of
their own words. The month is played once into DIR, and left there.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from datetime import timedelta
from pathlib import Path

import yaml
from bank import PROJECT, Month
from evening import QUIET, Home

from strata.bank.borne_out import Witness
from strata.bank.describing import shown_lines, words_in
from strata.jobs.reflect import reflected
from strata.memory import Memory


def played(month: Month, root: Path) -> Memory:
    """Return the memory below *root* in which *month* was said; play it if need be."""
    end = month.talks[-1][1][-1][0]
    if not root.is_dir():
        home = Home(root, month)
        for talk in month.talks:
            home.say(talk)
        home.strata(end + QUIET, "sync")
        home.strata(end + timedelta(days=2), "reflect")
    return Memory.open(
        workspace=str(root / "workspace"),
        state_dir=str(root / "state"),
        now=(end + timedelta(days=2)).isoformat(),
        overrides=[f"timezone={month.zone_name}"],
    )


def score(language: str, root: Path, *, verbose: bool) -> None:
    month = Month(PROJECT / f"bench/bank/dev_{language}.yaml")
    memory = played(month, root / language)
    bank = reflected(memory, memory.now.date(), keep=False).bank
    pages = {e.name: (e, shown_lines(e, found)) for e, found in bank.known.values()}
    told = (PROJECT / f"bench/bank/said/{language}.yaml").read_text(encoding="utf-8")
    taken, every = Counter[bool](), Counter[bool]()
    for row in yaml.safe_load(told):
        if row["page"] not in pages:
            print(f"  no page: {row['page']}")
            continue
        entity, shown = pages[row["page"]]
        cited = [h for w in row["lines"] for h in shown if w in words_in(h)]
        witness = Witness(entity, list(dict.fromkeys(cited)), memory.timezone)
        why = witness.refusal(row["text"], label=row["part"] == "label")
        every[row["holds"]] += 1
        taken[row["holds"]] += not why
        if verbose and bool(why) is row["holds"]:
            print(f"  {row['text']}: {why or 'taken'}")
    print(
        f"{language}: taken {taken[True]} of {every[True]} that hold,"
        f" {taken[False]} of {every[False]} that do not"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--verbose", action="store_true", help="name what is wrong")
    parser.add_argument("--keep", type=Path, help="where the homes are left")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        for language in ("en", "zh"):
            root = options.keep or Path(temporary)
            score(language, root, verbose=options.verbose)


if __name__ == "__main__":
    main()
