"""What is kept in its parsed form is what parsing gives, whatever became of the file."""

from __future__ import annotations

import marshal
import os
import stat
import sys
from typing import TYPE_CHECKING

import pytest

from strata.bundle import VERSION
from strata.parsed import Forms

if TYPE_CHECKING:
    from pathlib import Path

PARSED: list[str] = []


def words(text: str) -> list[str]:
    """
    Parse, and note that it was done.
    """
    PARSED.append(text)
    return text.split()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """
    A file that holds the form of one text.
    """
    PARSED.clear()
    forms = Forms(tmp_path / "forms.pyc")
    assert forms.of("use pnpm", words) == ["use", "pnpm"]
    forms.keep()
    assert PARSED == ["use pnpm"]
    return tmp_path / "forms.pyc"


def test_form_is_parsed_once(file: Path) -> None:
    """
    The next process takes what was kept, and adds what is new to it.
    """
    forms = Forms(file)
    assert forms.of("use pnpm", words) == ["use", "pnpm"]
    assert forms.of("never npm", words) == ["never", "npm"]
    forms.keep()

    assert Forms(file).of("never npm", words) == ["never", "npm"]
    assert Forms(file).of("use pnpm", words) == ["use", "pnpm"]
    assert PARSED == ["use pnpm", "never npm"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"garbage",
        marshal.dumps(7),
        marshal.dumps(("another Python", {})),
        marshal.dumps((f"{VERSION} {sys.version}", 7)),
        marshal.dumps((f"{VERSION} {sys.version}", {b"x": 7})),
    ],
)
def test_file_that_is_of_no_use_is_parsed_anew(file: Path, content: bytes) -> None:
    """
    A torn file, or one of another Python, is no error.
    """
    file.write_bytes(content)

    forms = Forms(file)
    assert forms.of("use pnpm", words) == ["use", "pnpm"]
    forms.keep()

    assert Forms(file).of("use pnpm", words) == ["use", "pnpm"]
    assert PARSED == ["use pnpm", "use pnpm"]


def test_form_of_another_strata_is_parsed_anew(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    What parses may have changed since.
    """
    monkeypatch.setattr("strata.parsed._MADE_BY", f"0.0.1 {sys.version}")

    assert Forms(file).of("use pnpm", words) == ["use", "pnpm"]
    assert PARSED == ["use pnpm", "use pnpm"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_nobody_else_reads_the_file(file: Path) -> None:
    """
    It is loaded as it stands.
    """
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_torn_form_is_parsed_anew(file: Path) -> None:
    """
    Each form stands by itself.
    """
    version, forms = marshal.loads(file.read_bytes())  # noqa: S302 - our own
    file.write_bytes(marshal.dumps((version, dict.fromkeys(forms, b"torn"))))

    assert Forms(file).of("use pnpm", words) == ["use", "pnpm"]


def test_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    """
    Where Python could keep no code, no forms are kept.
    """
    forms = Forms(tmp_path / "none" / "forms.pyc")

    assert forms.of("use pnpm", words) == ["use", "pnpm"]
    forms.keep()
    assert not (tmp_path / "none").exists()
