"""Hundreds of rules of one owner, captured on many days, beside an almost full page."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import date, timedelta
from itertools import product
from typing import TYPE_CHECKING, Any

from strata.history.evidence import entry_id
from strata.models import Estimate

if TYPE_CHECKING:
    from pathlib import Path

FIRST_DAY = date(2026, 9, 1)
# As a judge finds a rule that is meant for good.
LASTING = Estimate("preference", 0.99, 0.9, 0.01, 0.99, 0.05, 0.01, 0.01, 0.0)
_VERBS = """
    sort label print store weigh scan wrap rinse stack polish sharpen paint measure lock
    photograph number fold iron water feed count copy insure catalogue inspect
"""
_NOUNS = """
    violins kettles bicycles lanterns maps carpets barrels tents cameras chairs mirrors
    clocks candles saddles teapots helmets ladders anchors drums quilts
"""


def write_rules(root: Path, *, count: int = 500, a_day: int = 10) -> date:
    """
    Write *count* different rules into daily notes and the journal; return the last day.
    """
    (root / "memory").mkdir(parents=True)
    (root / ".strata").mkdir()
    pairs = [
        f"Always {verb} the {noun}."
        for verb, noun in product(_VERBS.split(), _NOUNS.split())
    ]
    records = []
    for place in range(0, count, a_day):
        day = FIRST_DAY + timedelta(days=place // a_day)
        # Neighbours differ in the noun, so that a day's rules are about many things.
        said = pairs[place : min(place + a_day, count)]
        records.append(_write_day(root, day, said))
    journal = "".join(f"{json.dumps(record)}\n" for record in records)
    (root / ".strata" / "journal.jsonl").write_text(journal)
    return day


def human_page(lines: int = 60) -> str:
    """
    A MEMORY.md in which people wrote so much that little room is left.
    """
    return "# Mine\n\n" + "".join(
        f"- remark {number}: {'x' * 40}\n" for number in range(lines)
    )


def _write_day(root: Path, day: date, said: list[str]) -> dict[str, Any]:
    session = f"{day:%Y%m%d}-0000-4000-8000-000000000000"
    entries = [f"[preference] {text}" for text in said]
    (root / "memory" / f"{day}.md").write_text(
        f"# {day}\n\n## 10:00 session:{session[:8]} | {2 * len(said)} messages\n"
        + "".join(f"- {entry}\n" for entry in entries)
    )
    return {
        "event": "captured",
        "session": session,
        "label": session[:8],
        "day": day.isoformat(),
        "entries": [
            {
                "id": entry_id(session, f"m{number}", entry),
                "tag": "preference",
                "judged": asdict(LASTING),
                "evidence": [
                    {
                        "message": f"m{number}",
                        "sha256": "",
                        "said_at": f"{day}T10:00:{number:02d}+00:00",
                        "origin": "owner",
                    }
                ],
            }
            for number, entry in enumerate(entries)
        ],
    }
