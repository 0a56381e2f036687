"""A bar ends at its end, and leaves the line to what follows."""

from __future__ import annotations

import io
import re
from types import SimpleNamespace

import pytest

from strata.cli.progress import progress_bar


class Terminal(io.StringIO):
    """
    What takes a bar, as the screen of a person does.
    """

    def isatty(self) -> bool:
        return True


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    terminal = Terminal()
    # What captures the output changes sys.stderr itself.
    monkeypatch.setattr("strata.cli.progress.sys", SimpleNamespace(stderr=terminal))
    return terminal


def percentages(screen: Terminal) -> list[int]:
    return [int(each) for each in re.findall(r"(\d+)%", screen.getvalue())]


@pytest.mark.parametrize(
    "told",
    [
        [(97, 100)],
        [(1, 2), (2, 2), (1, 4), (3, 4)],
        [(5, 10), (12, 30)],
        [(0, 3)],
    ],
)
def test_bar_ends_at_its_end(screen: Terminal, told: list[tuple[int, int]]) -> None:
    """
    Whatever was told last, what was done to its end is shown as that, on a line of its own.
    """
    with progress_bar("reading") as progress:
        for done, of in told:
            progress(done, of)

    assert percentages(screen)[-1] == 100
    assert screen.getvalue().endswith("\n")


def test_what_fails_stays_where_it_was(screen: Terminal) -> None:
    """
    Half of the work is not shown as whole, and the error has a line of its own.
    """

    def fail() -> None:
        with progress_bar("reading") as progress:
            progress(1, 2)
            raise OSError("full")

    with pytest.raises(OSError, match="full"):
        fail()

    assert percentages(screen)[-1] == 50
    assert screen.getvalue().endswith("\n")


def test_empty_work_shows_nothing(screen: Terminal) -> None:
    """
    Where there is nothing to do, there is no bar.
    """
    with progress_bar("reading") as progress:
        progress(0, 0)

    assert screen.getvalue() == ""
