"""JSON that is nested too deep to be a record counts as damaged, and stops nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders_memory import captured

from strata.jobs.audit_scan import cleaned
from strata.jobs.forgetting.forget import forget
from strata.jobs.forgetting.scrubbing import parsed
from strata.jobs.forgetting.target import Target

if TYPE_CHECKING:
    from pathlib import Path

# What Python reads and cannot go through, and what it cannot even read.
DEPTHS = (400, 100_000)


def nested(depth: int, word: str) -> bytes:
    return b'{"a":' * depth + f'"{word}"'.encode() + b"}" * depth + b"\n"


@pytest.mark.parametrize("depth", DEPTHS)
def test_no_record_is_read_from_it(depth: int) -> None:
    """
    It is treated as any line that a crash has torn.
    """
    line = nested(depth, "kiln")

    assert parsed(line) is None
    assert cleaned(line, str.upper) == line.upper()


@pytest.mark.parametrize("depth", DEPTHS)
def test_what_is_forgotten_leaves_it_too(tmp_path: Path, depth: int) -> None:
    """
    In the journal a line that says it goes as a whole, and another one stays.
    """
    memory = captured(tmp_path)
    journal = memory.workspace.layout.journal_file
    journal.write_bytes(
        journal.read_bytes() + nested(depth, "PostgreSQL") + nested(depth, "kiln")
    )

    receipt = forget(memory, Target(entity="PostgreSQL"))

    assert receipt.proof.holds
    assert b"PostgreSQL" not in journal.read_bytes()
    assert nested(depth, "kiln") in journal.read_bytes()
