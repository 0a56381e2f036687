"""One key of the settings file changes, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders_memory import open_memory

from strata.errors import SettingsError
from strata.settings import load_settings
from strata.workspace.settings_file import change_setting, is_set

if TYPE_CHECKING:
    from pathlib import Path

    from strata.workspace.settings_file import Value


def changed(root: Path, before: str, name: str, value: Value) -> str:
    """
    The settings file that was *before*, after *name* became *value*.
    """
    memory = open_memory(root)
    file = memory.workspace.layout.settings_file
    memory.workspace.write_private(file, before.encode())
    change_setting(memory.workspace, name, value)
    return file.read_bytes().decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '[model]\nprovider = "openclaw"\n'),
        ("git = true\n", 'git = true\n\n[model]\nprovider = "openclaw"\n'),
        (
            "[model] # mine\nname = 'a/x'\n[search]\nresults = 5\n",
            (
                "[model] # mine\nprovider = \"openclaw\"\nname = 'a/x'\n"
                "[search]\nresults = 5\n"
            ),
        ),
        (
            "[model]\n# why\nprovider = 'none' # for now\n\n[search]\nresults = 5\n",
            (
                '[model]\n# why\nprovider = "openclaw" # for now\n\n'
                "[search]\nresults = 5\n"
            ),
        ),
        ("\ufeff[model]\n", '[model]\nprovider = "openclaw"\n'),
        ("# x\r\n[model]\r\n", '# x\r\n[model]\r\nprovider = "openclaw"\r\n'),
    ],
)
def test_one_key_changes(tmp_path: Path, before: str, after: str) -> None:
    """
    All else in the file stays as the user wrote it, and the file can be read.
    """
    assert after == changed(tmp_path, before, "model.provider", "openclaw")

    file = open_memory(tmp_path).workspace.layout.settings_file
    assert "openclaw" == load_settings(file, environment={}).model_provider


@pytest.mark.parametrize(
    ("before", "name", "value", "after"),
    [
        ("", "capture.quiet_minutes", 9, "[capture]\nquiet_minutes = 9\n"),
        (
            "[capture]\nquiet_minutes=5# a while\ngroups = true\n",
            "capture.quiet_minutes",
            0,
            "[capture]\nquiet_minutes=0# a while\ngroups = true\n",
        ),
        (
            "[search]\nnative = true\n",
            "search.native",
            False,
            "[search]\nnative = false\n",
        ),
        (
            "[search]\nnative = 'yes'\n",
            "search.native",
            False,
            "[search]\nnative = false\n",
        ),
    ],
)
def test_numbers_and_switches_stand_as_toml_writes_them(
    tmp_path: Path, before: str, name: str, value: Value, after: str
) -> None:
    """
    A whole number has no quotes and neither has true or false; a comment behind stays.
    """
    assert after == changed(tmp_path, before, name, value)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "digest = false\n"),
        ("digest = true  # at eight\n", "digest = false  # at eight\n"),
        ("# mine\n[model]\n", "digest = false\n\n# mine\n[model]\n"),
        (
            '# mine\nlanguage = "zh"\n\n# slow\n[search]\nresults = 5\n',
            '# mine\nlanguage = "zh"\ndigest = false\n\n# slow\n[search]\nresults = 5\n',
        ),
        ("language = 'zh'", "language = 'zh'\ndigest = false"),
        ("[x]\ndigest = true\n", "digest = false\n\n[x]\ndigest = true\n"),
    ],
)
def test_key_of_no_table_stands_above_all_tables(
    tmp_path: Path, before: str, after: str
) -> None:
    """
    It comes after the keys that stand there, and parts no table from its comment.
    """
    assert after == changed(tmp_path, before, "digest", value=False)


@pytest.mark.parametrize(
    "text",
    [
        'model.provider = "none"\n',
        'model = { name = "x" }\n',
        "[model\n",
        '[model]\n"provider" = "none"\n',
        '[model]\nprovider = """\nnone"""\n',
        '[model]\nprovider = ["none"]\n',
    ],
)
def test_file_of_another_form_is_left_alone(tmp_path: Path, text: str) -> None:
    """
    The error says what to write by hand.
    """
    with pytest.raises(SettingsError, match=r'set provider = "openclaw" in its table'):
        changed(tmp_path, text, "model.provider", "openclaw")

    file = tmp_path / "workspace" / ".strata" / "config.toml"
    assert text == file.read_text()


def test_key_of_no_table_that_is_written_otherwise_is_left_alone(
    tmp_path: Path,
) -> None:
    """
    The error says where such a key stands.
    """
    with pytest.raises(SettingsError, match="set bank = false above its tables"):
        changed(tmp_path, '"bank" = true\n', "bank", value=False)


def test_what_the_file_says_is_set(tmp_path: Path) -> None:
    """
    A key is set where it stands, in a table or in none.
    """
    changed(tmp_path, "digest = true\n", "recall.tokens", 0)

    workspace = open_memory(tmp_path).workspace
    asked = ("digest", "recall.tokens", "bank", "recall.other", "capture.groups")
    assert [True, True, False, False, False] == [is_set(workspace, n) for n in asked]
