"""What people see when they call a command the wrong way."""

from __future__ import annotations

import json

import pytest

from strata.cli import run


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["frobnicate"], "No such command 'frobnicate'; see `strata --help`"),
        (["get"], "Missing argument 'PATH[:LINE]'; see `strata get --help`"),
        (["tidy", "x"], "Got unexpected extra argument (x); see `strata tidy --help`"),
    ],
)
def test_wrong_usage_names_the_help(
    arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    A wrong call is one line that names where to read on, and exit code 2.
    """
    code = run(arguments)

    printed = capsys.readouterr()
    assert (code, printed.out) == (2, "")
    assert printed.err == f"strata: {expected}\n"


def test_wrong_usage_is_json_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    """
    A program that asked for JSON gets the error as JSON too.
    """
    run(["--json", "frobnicate"])

    assert "frobnicate" in json.loads(capsys.readouterr().out)["error"]
