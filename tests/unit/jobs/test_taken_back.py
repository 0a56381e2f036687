"""A question is never answered with what was declined as if it held."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders_life import Life

from strata.history.ledger import statement_id
from strata.jobs.deciding.verdict_list import statements
from strata.jobs.query import Wish, query
from strata.jobs.review import review
from strata.jobs.update import update

if TYPE_CHECKING:
    from pathlib import Path

    from strata.hits import Hit

RULE = "From now on always use pnpm, never npm, in acme-dashboard."


@pytest.fixture
def life(tmp_path: Path) -> Life:
    (tmp_path / "workspace" / "memory").mkdir(parents=True)
    (tmp_path / "state").mkdir()
    life = Life(tmp_path)
    life.talk(RULE, "The kettle in the kitchen is green.")
    life.night()
    return life


def asked(life: Life) -> list[Hit]:
    update(life.memory())
    hits = query(life.memory(), "pnpm in acme-dashboard", Wish()).hits
    return [hit for hit in hits if "pnpm" in hit.snippet]


def test_declined_is_told_as_taken_back_wherever_it_stands(life: Life) -> None:
    """
    Its note still has it, and says so; what is accepted again holds again.
    """
    assert asked(life)
    assert not any(hit.taken_back for hit in asked(life))
    (line,) = (each for each in statements(life.memory()) if "pnpm" in each.text)

    review(life.memory(), "decline", [line.id])

    assert asked(life)
    assert all(hit.taken_back for hit in asked(life))

    review(life.memory(), "accept", [line.id])

    assert asked(life)
    assert not any(hit.taken_back for hit in asked(life))


@pytest.mark.parametrize("why", ["joke", "taken back"])
def test_what_a_model_found_to_be_none_is_told_as_taken_back(
    life: Life, why: str
) -> None:
    """
    In whatever words an entry has it.
    """
    (line,) = (each for each in statements(life.memory()) if "pnpm" in each.text)
    entries = [str(each["entry"]) for each in line.record["sources"]]
    opinion = {
        "event": "judged",
        "version": 2,
        "at": "2026-11-03T03:00:00+00:00",
        "id": "another wording",
        "wordings": [statement_id(each) for each in entries],
        "sources": [{"entry": each} for each in entries],
        "model": "scripted/one",
        "prompt": "judge@1",
        "trusted": True,
        "why": why,
    }
    life.memory().journal.append([opinion])

    assert asked(life)
    assert all(hit.taken_back for hit in asked(life))
