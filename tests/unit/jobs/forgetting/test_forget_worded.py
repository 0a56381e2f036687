"""What is forgotten is gone in a model's words too."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from builders_model import life_with, shown_in, verdicts, yes

from strata.jobs.forgetting.forget import forget
from strata.jobs.forgetting.target import Target

if TYPE_CHECKING:
    from pathlib import Path

DUCK = "We decided: DuckDB, because ClickHouse would need a server, honestly."
PNPM = "From now on always use pnpm, never npm, in acme-dashboard."
TIGHT = "DuckDB, because ClickHouse would need a server."


def reply(prompt: str) -> str:
    """
    A model that has shorter words for one thing, wherever it is asked.
    """
    if "summary of a week" in prompt:
        lines = [
            {
                "entries": [each["id"]],
                "tag": each["tag"] or "task",
                "text": TIGHT if "DuckDB" in each["text"] else each["text"],
            }
            for each in shown_in(prompt)
        ]
        return json.dumps({"lines": lines}, ensure_ascii=False)
    return verdicts(
        prompt, lambda text: yes(text, line=TIGHT if "DuckDB" in text else "")
    )


@pytest.mark.parametrize("said", ["DuckDB", DUCK])
def test_nothing_is_left_of_what_is_forgotten(tmp_path: Path, said: str) -> None:
    """
    Neither in its week and its line nor in the journal and the kept answers.
    """
    life, _ = life_with(tmp_path, reply)
    life.talk(DUCK, PNPM)
    life.day = 9
    life.night()
    week = life.memory().workspace.read("memory/weekly/2026-11-02.md")
    assert TIGHT in week
    assert TIGHT in life.page

    forget(life.memory(hours=1), Target(text=said))
    life.night()

    held = [
        file
        for file in (tmp_path / "workspace").rglob("*")
        if file.is_file() and b"DuckDB" in file.read_bytes()
    ]
    assert held == []
    assert "pnpm" in life.page
