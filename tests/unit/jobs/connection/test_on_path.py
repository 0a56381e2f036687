"""A shell finds `strata` where its owner agreed, and nothing of others is touched."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import forking
import pytest
from test_connecting import state, strata

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

__all__ = ["state"]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """
    A home whose ~/.local/bin a shell looks into.
    """
    (tmp_path / "home" / ".local" / "bin").mkdir(parents=True)
    return tmp_path / "home"


def at(
    home: Path, state: Path, *arguments: str, searched: bool = True
) -> subprocess.CompletedProcess[str]:
    path = f"{home}/.local/bin:/usr/bin:/bin" if searched else "/usr/bin:/bin"
    return strata(state, *arguments, HOME=str(home), PATH=path)


def test_link_runs_the_command_and_goes_with_it(state: Path, home: Path) -> None:
    """
    By consent there is a link to the launcher, once; uninstall takes it away.
    """
    place = home / ".local" / "bin" / "strata"

    done = at(home, state, "install", "--yes", "--link")
    again = at(home, state, "install", "--yes", "--link")

    launcher = state / "strata" / "plugin" / "scripts" / "strata"
    assert place.readlink() == launcher
    assert "your shell finds `strata` now" in done.stderr
    assert "alias" not in again.stderr
    away = at(home, state, "uninstall", "--yes")
    assert f"the link {place} is gone" in away.stdout
    assert not os.path.lexists(place)


def test_without_consent_the_alias_is_told(state: Path, home: Path) -> None:
    """
    To agree to all else links nothing.
    """
    done = at(home, state, "install", "--yes")

    assert f"alias strata={state}/strata/plugin/scripts/strata" in done.stderr
    assert not list((home / ".local" / "bin").iterdir())


def test_folder_that_no_shell_searches_gets_no_link(state: Path, home: Path) -> None:
    """
    Where the link would not be found, the alias is told.
    """
    done = at(home, state, "install", "--yes", "--link", searched=False)

    assert "alias strata=" in done.stderr
    assert not list((home / ".local" / "bin").iterdir())


def test_foreign_file_stays(state: Path, home: Path) -> None:
    """
    What is called strata and is not ours is neither replaced nor removed.
    """
    place = home / ".local" / "bin" / "strata"
    place.write_text("#!/bin/sh\necho mine\n")
    place.chmod(0o755)

    done = at(home, state, "install", "--yes", "--link")
    away = at(home, state, "uninstall", "--yes")

    assert (done.returncode, away.returncode) == (0, 0)
    assert "alias strata=" in done.stderr
    assert place.read_text() == "#!/bin/sh\necho mine\n"


def test_link_that_somebody_replaced_stays(state: Path, home: Path) -> None:
    """
    Where the link is another's by now, uninstall leaves it.
    """
    place = home / ".local" / "bin" / "strata"
    at(home, state, "install", "--yes", "--link")
    place.unlink()
    place.symlink_to("/usr/bin/true")

    away = at(home, state, "uninstall", "--yes")

    assert "the link" not in away.stdout
    assert str(place.readlink()) == "/usr/bin/true"


def test_uninstall_says_what_remains(state: Path, home: Path) -> None:
    """
    It tells where memory stays, how to read it, and how to remove all of it.
    """
    at(home, state, "install", "--yes")

    told = at(home, state, "uninstall", "--yes").stdout

    workspace = state.parent / "workspace"
    assert (
        f"Your memory stays in {workspace}: MEMORY.md and the notes in memory/" in told
    )
    assert f"rm -r {workspace}/.strata" in told
    assert f"The program stays in {forking.ROOT}" in told
