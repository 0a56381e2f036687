"""What the tests of tidy with a model have in common."""

from __future__ import annotations

import pytest

from strata.jobs.deciding import consulting


@pytest.fixture(autouse=True)
def _asked_about_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    One candidate is worth a question here; elsewhere it waits for others.
    """
    monkeypatch.setattr(consulting, "_FEWEST", 1)
