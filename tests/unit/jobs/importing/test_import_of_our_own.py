"""What is in memory already does not come back as another tool's."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest
from builders import Conversation, tree
from builders_import_formats import openclaw_state
from builders_imports import LONG_AGO, MINUTE, chatgpt_talk, write_zip
from builders_memory import captured, open_memory

from strata.errors import UsageError
from strata.jobs.importing.importing import import_from

if TYPE_CHECKING:
    from pathlib import Path

SAID = [
    ("user", "We keep PostgreSQL 16, because the reports need ACID."),
    ("assistant", "PostgreSQL 16 stays."),
    ("user", "From now on always use pnpm, never npm, in acme-dashboard."),
]


def test_our_own_conversations_are_known_in_a_copy(tmp_path: Path) -> None:
    """
    Of a copy of our own state only what is in no conversation of ours comes in.
    """
    memory = captured(tmp_path)
    before = tree(memory.workspace.root / "memory")
    copy = tmp_path / "backup" / "state"
    shutil.copytree(tmp_path / "state", copy)
    other = Conversation(copy, "another", at=LONG_AGO)
    for role, text in SAID:
        other.message(role, text, after=MINUTE)
    other.save()

    report = import_from(memory, copy)

    assert 1 == report.fresh
    assert 1 == len(report.left_out["here-already"])
    notes = tree(memory.workspace.root / "memory")
    assert before.items() <= notes.items()


@pytest.mark.parametrize(
    "place", ["workspace", "workspace/memory", "", "state/workspace"]
)
def test_own_memory_is_refused(tmp_path: Path, place: str) -> None:
    """
    Neither our workspace nor what is in it or around it is imported, nor OpenClaw's.
    """
    memory = captured(tmp_path)
    theirs = tmp_path / "state" / "workspace"
    theirs.mkdir()
    (theirs / "MEMORY.md").write_text("- The office closes at seven.\n")
    before = tree(tmp_path)

    for dry_run in (True, False):
        with pytest.raises(UsageError, match="in memory already"):
            import_from(memory, tmp_path / place, dry_run=dry_run)

    assert before == tree(tmp_path)


def test_another_machines_state_is_none_of_ours(tmp_path: Path) -> None:
    """
    A state folder from elsewhere, with a workspace in it, comes in beside our own.
    """
    memory = open_memory(tmp_path)
    (tmp_path / "state").mkdir()

    report = import_from(memory, openclaw_state(tmp_path / "other"))

    assert report.fresh
    assert "here-already" not in report.left_out


def test_what_a_killed_import_unpacked_goes_with_the_next(tmp_path: Path) -> None:
    """
    The raw words of an import that was killed do not lie about until they are old.
    """
    memory = open_memory(tmp_path)
    (tmp_path / "state").mkdir()
    raw = memory.workspace.layout.private / "drafts" / "import-0a1b2c" / "x"
    raw.mkdir(parents=True)
    (raw / "store.sqlite").write_text("raw words")
    listed = json.dumps([chatgpt_talk("one", SAID)])

    import_from(memory, write_zip(tmp_path / "a.zip", {"conversations.json": listed}))

    assert [] == [*(memory.workspace.layout.private / "drafts").iterdir()]
