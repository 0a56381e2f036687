"""What is forgotten leaves files by their names and places too, wherever they lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from builders import tree
from builders_memory import open_memory

from strata.jobs.audit_scan import fix
from strata.jobs.forgetting.forget import forget, plan
from strata.jobs.forgetting.target import Target
from strata.jobs.query import Wish, query
from strata.jobs.undo import known_runs
from strata.jobs.update import update

if TYPE_CHECKING:
    from pathlib import Path

    from strata.memory import Memory

PAGE = "memory/bank/entities/Rosalind.md"
COPY = "- Rosalind leads the lab in Leeds.\n"


def lived(root: Path, more: str = "") -> Memory:
    """
    A page about somebody from which a run has taken a line that stood there twice.
    """
    memory = open_memory(root)
    memory.workspace.update(PAGE, lambda _: f"# Rosalind\n\n{COPY}{COPY}{more}")
    fix(memory)
    return memory


def test_page_that_is_gone_leaves_no_name_behind(tmp_path: Path) -> None:
    """
    Neither the logs of undo nor the receipt name the file.
    """
    memory = lived(tmp_path)

    receipt = forget(memory, Target(entity="Rosalind"))

    assert receipt.proof.holds
    assert receipt.lines == {PAGE: 2}
    assert not [
        path for path, content in tree(tmp_path).items() if b"osalind" in content
    ]
    assert [each.files for each in known_runs(memory)] == [0]


def test_page_that_stays_is_to_be_renamed(tmp_path: Path) -> None:
    """
    That is said until it is done; files that are named after nothing are left alone.
    """
    memory = lived(tmp_path, "- The lab opens at nine in the morning.\n")

    named = forget(memory, Target(entity="Rosalind")).proof
    memory.workspace.move(PAGE, "memory/bank/entities/lab.md")
    renamed = forget(memory, Target(entity="Rosalind")).proof

    assert named.named == [PAGE]
    assert not named.holds
    assert renamed.holds


def test_folders_of_memory_are_named_after_nothing(tmp_path: Path) -> None:
    """
    Forgetting a bank, or a memory, asks for no folder of ours to be renamed.
    """
    memory = open_memory(tmp_path)
    memory.workspace.update("memory/bank/world.md", lambda _: "- The bank is shut.\n")
    memory.workspace.update("MEMORY.md", lambda _: "- We need memory for the bank.\n")

    target = Target(entity="bank")
    receipt = forget(memory, target, seen=plan(memory, target).fingerprint)

    assert receipt.proof.named == []
    assert receipt.lines == {"memory/bank/world.md": 1, "MEMORY.md": 1}


def test_notes_of_a_linked_folder_are_forgotten_too(tmp_path: Path) -> None:
    """
    What a search finds through a link within the workspace is gone from there.
    """
    memory = open_memory(tmp_path)
    root = memory.workspace.root
    memory.workspace.update("projects/a.md", lambda _: f"# Labs\n\n{COPY}- Stays.\n")
    memory.workspace.update("memory/b.md", lambda _: f"# Labs\n\n{COPY}")
    (root / "memory" / "projects").symlink_to("../projects")
    (root / "memory" / "again").symlink_to("../memory")
    update(memory)

    receipt = forget(memory, Target(COPY.strip("- \n")))
    update(memory)

    assert receipt.proof.holds
    assert receipt.proof.elsewhere == []
    assert (root / "projects" / "a.md").read_text() == "# Labs\n\n- Stays.\n"
    assert not query(memory, "Who leads the lab in Leeds?", Wish()).hits
