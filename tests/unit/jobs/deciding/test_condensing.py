"""Without a model a week holds what one would look for later, and nothing is rewritten."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders_life import Life

from strata.history.ledger import statement_id
from strata.jobs.mentions import gather
from strata.jobs.query import Wish, query
from strata.jobs.update import update

if TYPE_CHECKING:
    from pathlib import Path

WEEK = "memory/weekly/2026-11-02.md"
TALK = (
    "From now on always use pnpm, never npm, in acme-dashboard.",
    "Turns out the cause is the cache: 14 GB in 3 minutes on node hx-7.",
    "The back door of the office sticks in the rain.",
    "We decided: DuckDB, because ClickHouse would need a server.",
    "My landlady is Mrs Zhou, and she reads only Chinese.",
    "Bought a new kettle, it is green.",
    "The release 1.4 goes out in December.",
    "Saw a heron by the canal.",
)


@pytest.fixture
def life(tmp_path: Path) -> Life:
    (tmp_path / "workspace" / "memory").mkdir(parents=True)
    (tmp_path / "state").mkdir()
    return Life(tmp_path)


def week(life: Life) -> list[str]:
    text = life.memory().workspace.read(WEEK)
    return [line for line in text.splitlines() if "(src: " in line]


def test_week_holds_six_lines_for_ten_entries(life: Life) -> None:
    """
    What is likeliest looked for is in it; the rest is found in its archived day.
    """
    life.talk(*TALK)
    life.day = 9
    entries = len(gather(life.memory()))

    life.night()

    assert 0 < len(week(life)) <= 0.6 * entries
    for wanted in ("pnpm", "14 GB", "Mrs Zhou"):
        assert any(wanted in line for line in week(life))
    assert not any("heron" in line for line in week(life))
    update(life.memory())
    (hit, *_) = query(life.memory(), "heron canal", Wish()).hits
    assert "memory/archive/2026/2026-11-02.md" == hit.path


def test_what_is_said_again_stands_once_with_its_days(life: Life) -> None:
    """
    A whole week is made at once, and the next nights change nothing.
    """
    life.talk(TALK[0])
    life.day = 2
    life.talk("Always use pnpm in acme-dashboard, never npm.", "Fed the cat.")
    life.day = 9

    life.night()
    first = week(life)
    life.night()
    life.night()

    (line,) = (each for each in first if "pnpm" in each)
    assert line.endswith("(src: 2026-11-02, 2026-11-04)")
    assert first == week(life)


def test_declined_is_in_no_week(life: Life) -> None:
    """
    What the owner declined before the week was made stays out of it.
    """
    life.talk(*TALK)
    memory = life.memory()
    (told,) = (each for each in gather(memory) if "pnpm" in each.text)
    record = {"event": "declined", "id": statement_id(told.text), "text": told.text}
    memory.journal.append([record])
    life.day = 9

    life.night()

    assert week(life)
    assert not any("pnpm" in line for line in week(life))


def test_what_comes_late_follows_and_nothing_is_said_again(life: Life) -> None:
    """
    A day's section exists once: what stands there stays, and the late words follow it.
    """
    life.talk(*TALK)
    life.day = 9
    life.night()
    first = week(life)
    archived = "memory/archive/2026/2026-11-02.md"
    late = (
        "\n## 15:00 session:71871d67 | 3 messages\n"
        "- [preference] From now on always use pnpm, never npm, in acme-dashboard!\n"
        "- [finding] The cache key held the date, that is why it never expired.\n"
    )
    life.memory().workspace.update(archived, lambda text: text + late)

    life.night()

    assert first == week(life)[:-1]
    assert "The cache key held the date" in week(life)[-1]
