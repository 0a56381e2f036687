"""Settings are explained, and the safe ones changed, as their file is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders_memory import NOON, open_memory

from strata.errors import SettingsError, UsageError
from strata.jobs.setting_list import SAFE, change, settings_of
from strata.messages import worded
from strata.settings import Source, names

if TYPE_CHECKING:
    from pathlib import Path

    from strata.jobs.setting_list import Setting
    from strata.memory import Memory


def setting(memory: Memory, name: str) -> Setting:
    return next(each for each in settings_of(memory, "en") if each.name == name)


def file_of(root: Path) -> Path:
    return root / "workspace" / ".strata" / "config.toml"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_setting_is_explained(tmp_path: Path, language: str) -> None:
    """
    Each has a meaning without links, and those that are not safe a reason.
    """
    found = settings_of(open_memory(tmp_path), language)

    assert [each.name for each in found] == names()
    assert not [each.name for each in found if "](" in each.means or not each.means]
    assert {each.name for each in found if not each.why_not} == SAFE


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("capture.quiet_minutes", "0", "quiet_minutes = 0"),
        ("digest", "false", "digest = false"),
        ("tidy.mode", "ask", 'mode = "ask"'),
        ("language", "zh", 'language = "zh"'),
    ],
)
def test_a_safe_setting_is_changed(
    tmp_path: Path, name: str, text: str, line: str
) -> None:
    """
    The file says the value as TOML writes it, and who reads it next finds it there.
    """
    change(open_memory(tmp_path), name, text)

    assert line in file_of(tmp_path).read_text().splitlines()
    found = setting(open_memory(tmp_path), name)
    assert (text.title() if text == "false" else text) == str(found.value)
    assert Source.FILE == found.source


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("capture.quiet_minutes", "-1", "must be at least 0"),
        ("search.results", "many", "must be a whole number"),
        ("digest", "perhaps", "must be true or false"),
        ("language", "tlh", "language must be auto or one of"),
        ("tidy.mode", "never", "tidy.mode must be auto or ask"),
        ("no.such", "1", "there is no setting 'no.such'"),
        ("audit", "false", "is changed by hand alone"),
        ("model.url", "https://example.org/v1", "is changed by hand alone"),
        ("timezone", "UTC", "is changed by hand alone"),
    ],
)
def test_what_is_wrong_or_not_safe_is_refused(
    tmp_path: Path, name: str, text: str, why: str
) -> None:
    """
    One line says why, and nothing is written.
    """
    with pytest.raises((SettingsError, UsageError), match=why):
        change(open_memory(tmp_path), name, text)

    assert not file_of(tmp_path).exists()


def test_what_wins_over_the_file_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Where the command line or the environment sets a value, the file is not changed.
    """
    monkeypatch.setenv("STRATA_BANK", "false")
    memory = open_memory(tmp_path, NOON, "search.results=3")

    for name, text in (("bank", "true"), ("search.results", "4")):
        with pytest.raises(UsageError, match="which wins over the settings file"):
            change(memory, name, text)

    assert "STRATA_BANK" == setting(memory, "bank").held
    assert "--set" == setting(memory, "search.results").held
    assert not file_of(tmp_path).exists()


def test_a_refusal_is_said_in_the_owners_language(tmp_path: Path) -> None:
    """
    What the command says in English a Chinese page says in Chinese.
    """
    with pytest.raises(SettingsError) as refused:
        change(open_memory(tmp_path), "search.results", "十个")

    assert worded(refused.value, "zh") == "search.results 必须是整数，不能是 '十个'"
