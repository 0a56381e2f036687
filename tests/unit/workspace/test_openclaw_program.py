"""What OpenClaw's command line says when it fails."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from strata.errors import OpenClawFailed
from strata.workspace.openclaw_program import OpenClaw

if TYPE_CHECKING:
    from pathlib import Path

# As 2026.9.6 prints it where its configuration names no token.
REFUSED = json.dumps(
    {
        "ok": False,
        "error": {
            "type": "cli_error",
            "message": "no credentials for cron.list\nFix: configure gateway.auth",
        },
    },
    indent=2,
)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (
            REFUSED,
            "no credentials for cron.list; Fix: configure gateway.auth",
        ),
        (
            f"starting\n{REFUSED}",
            "no credentials for cron.list; Fix: configure",
        ),
        ("one moment\nError: no such job\nbye", "Error: no such job"),
        ("one moment\nbye", "bye"),
        ('{"error": "old"}', '{"error": "old"}'),
        ("", "it ended without a word"),
    ],
)
def test_reason_is_the_one_that_it_gives(
    tmp_path: Path, said: str, reason: str
) -> None:
    """
    A failure is told by its message, also where it comes as a JSON document.
    """
    (tmp_path / "said").write_text(said, encoding="utf-8")
    program = tmp_path / "openclaw"
    program.write_text(f"#!/bin/sh\ncat '{tmp_path}/said'\nexit 1\n", encoding="utf-8")
    program.chmod(0o700)

    with pytest.raises(OpenClawFailed) as failure:
        OpenClaw(program, tmp_path).json("cron", "list")

    assert str(failure.value).startswith(f"`openclaw cron list` failed: {reason}")
