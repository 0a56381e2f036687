"""A plugin brings a provider of its own, as docs/model.md shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from builders_memory import open_memory

from strata.cli import run
from strata.errors import SettingsError

ROOT = Path(__file__).parents[3]
NOW = "2026-11-20T12:00:00+00:00"


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """
    A bundle in whose folder of hooks the example of docs/model.md lies.
    """
    page = (ROOT / "docs" / "model.md").read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (source,) = [block for block in blocks if "def model_provider" in block]
    (tmp_path / "hooks").mkdir()
    (tmp_path / "hooks" / "shout.py").write_text(source)
    monkeypatch.setattr("strata.memory.BUNDLE", tmp_path)
    return tmp_path


def test_example_of_the_documents_answers(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    It is asked like any other, within the same limits.
    """
    (example / "workspace").mkdir()
    places = ["--workspace", str(example / "workspace"), "--state-dir", str(example)]

    code = run(["model", "test", *places, "--set", "model.provider=shout"])

    assert 0 == code
    assert capsys.readouterr().out.startswith("shout/loud answered in ")


def test_name_that_no_plugin_knows_is_an_error(example: Path) -> None:
    """
    The plugin leaves it to others, and there are none.
    """
    with pytest.raises(SettingsError, match="none called 'whisper'"):
        _ = open_memory(example, NOW, "model.provider=whisper").model


def test_plugin_may_stand_before_what_is_bundled(
    example: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    A provider that a plugin offers under a bundled name is the one that is asked.
    """
    plugin = example / "hooks" / "shout.py"
    plugin.write_text(plugin.read_text().replace('name == "shout"', "name"))
    monkeypatch.setenv("STRATA_MODEL_PROVIDER", "openclaw")

    model = open_memory(example, NOW).model

    assert model is not None
    assert "shout/loud" == model.name
