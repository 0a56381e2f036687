"""A better redaction goes over all that stands, the first night after it came."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from builders_life import new_life

from strata.errors import WorkspaceUnavailable
from strata.jobs import masking
from strata.jobs.report import tidy_report

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from strata.memory import Memory

# Built here, so that no secret stands in the source.
KEY = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"


def test_what_an_older_redaction_let_in_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    The report tells of the lines once; a hand's note stays, a model's answer is masked.
    """
    life = new_life(tmp_path)
    life.talk("We decided to keep PostgreSQL 16, because the reports need ACID.")
    life.night()
    memory = life.memory()
    memory.workspace.update("memory/2026-11-02.md", lambda text: f"{text}- {KEY}\n")
    answer = memory.workspace.layout.model_cache_folder / "1.json"
    answer.parent.mkdir(parents=True)
    answer.write_text(json.dumps({"facts": [{"text": f"the key is {KEY}"}]}))
    monkeypatch.setattr(masking, "version", lambda: b"a newer one")

    first = life.night()
    told = tidy_report(life.memory(), first)
    second = life.night()

    assert first.secrets == 1
    assert "1 line holds a secret" in told
    assert KEY in life.memory().workspace.read("memory/2026-11-02.md")
    assert json.loads(answer.read_text())["facts"][0]["text"].startswith("the key is ⟦")
    assert [each["lines"] for each in life.events(masking.RESCANNED)[1:]] == [1]
    assert second.secrets == 0


def test_a_note_that_cannot_be_read_stops_no_night(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    What goes wrong waits for the next night, and tidy goes on.
    """
    life = new_life(tmp_path)
    life.talk("We decided to keep PostgreSQL 16, because the reports need ACID.")

    def fails(_memory: Memory) -> None:
        raise WorkspaceUnavailable("no")

    with monkeypatch.context() as patched:
        patched.setattr(masking, "scan", fails)
        assert life.night().secrets == 0

    assert not life.memory().workspace.layout.redaction_file.exists()
    life.night()
    assert life.memory().workspace.layout.redaction_file.exists()
