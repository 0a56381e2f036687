"""scripts/strata runs commands from wherever it is called."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest
from small_bundle import Bundle, copied, installed_once, small_bundle

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def bundle(tmp_path: Path) -> Bundle:
    """
    A small bundle that has never been set up.
    """
    return small_bundle(tmp_path)


@pytest.fixture
def installed(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """
    One that is set up.
    """
    return copied(installed_once(tmp_path_factory), tmp_path)


@pytest.mark.usefixtures("installed")
def test_strata_runs_from_anywhere(tmp_path: Path) -> None:
    """
    The launcher follows links, keeps blanks, and ignores what the shell has set.
    """
    link = tmp_path / "bin" / "strata"
    link.parent.mkdir()
    link.symlink_to("../my bundle/scripts/strata")
    (tmp_path / "strata.py").write_text("raise SystemExit('the wrong strata')")

    done = subprocess.run(
        [link, "query", "two words"],
        cwd=tmp_path,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(tmp_path),
            "PYTHONHOME": "/",
        },
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.stdout == "ran query two words\n", done.stderr


def test_strata_without_environment_names_the_cure(bundle: Bundle) -> None:
    """
    Before scripts/install there is one line, and the exit code of a failure.
    """
    strata = bundle.root / "scripts" / "strata"

    done = subprocess.run([strata], capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert done.stderr == (
        f"strata: there is no environment yet; run {bundle.root}/scripts/install\n"
    )
