"""A citation gives the lines that it names, and nothing outside memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders_search import write_notes

from strata.errors import NotFound, PathNotAllowed, UsageError
from strata.search.answering.citations import Passage, get
from strata.search.indexing.scanning import scan

if TYPE_CHECKING:
    from pathlib import Path

NOTE = "memory/2026-11-20.md"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """
    A workspace with one note of four lines.
    """
    return write_notes(tmp_path / "workspace", {NOTE: "one\r\ntwo\n\nfour\n"})


@pytest.mark.parametrize(
    ("citation", "lines", "expected"),
    [
        (NOTE, None, (1, 4, "one\ntwo\n\nfour")),
        (NOTE, 2, (1, 2, "one\ntwo")),
        (f"{NOTE}:2", 1, (2, 2, "two")),
        (f"{NOTE}:2", None, (2, 4, "two\n\nfour")),
        (f"{NOTE}:2", 99, (2, 4, "two\n\nfour")),
        (f"{NOTE}:2-3", None, (2, 3, "two\n")),
        (f"{NOTE}#L1-L2", None, (1, 2, "one\ntwo")),
        (f"{NOTE}#L4", None, (4, 4, "four")),
        (f"./{NOTE}:1", 1, (1, 1, "one")),
    ],
)
def test_citation_names_lines(
    citation: str, lines: int | None, expected: tuple[int, int, str], workspace: Path
) -> None:
    """
    Every way to cite gives those lines and their numbers.
    """
    assert get(workspace, citation, lines) == Passage(NOTE, *expected)


@pytest.mark.parametrize(
    "path",
    [
        "../secret.md",
        "memory/../../secret.md",
        "memory/../AGENTS.md",
        "memory/./2026-11-20.md/../../../x",
        "/etc/passwd",
        "AGENTS.md",
        ".strata/config.toml",
        "memory/.git/config",
        "memory\\..\\secret",
        "C:/secret.md",
        "memory/a\0b.md",
        "~/x.md",
        "",
        " ",
    ],
)
def test_other_paths_are_refused(path: str, workspace: Path) -> None:
    """
    What is no memory file is refused before it is touched.
    """
    write_notes(workspace.parent, {"secret.md": "secret"})
    write_notes(workspace, {"AGENTS.md": "rules"})

    with pytest.raises(PathNotAllowed, match="memory"):
        get(workspace, path)


def test_link_out_is_refused(workspace: Path) -> None:
    """
    A link below memory is followed where a search follows it: not out of the workspace,
    to what is hidden in it or into a group's memory.
    """
    write_notes(workspace.parent, {"secret.md": "secret"})
    write_notes(
        workspace, {".strata/x.md": "own", "scopes/group-1/memory/a.md": "theirs"}
    )
    write_notes(workspace, {"projects/boat.md": "Marigold"})
    (workspace / "memory/out.md").symlink_to(workspace.parent / "secret.md")
    (workspace / "memory/aside.md").symlink_to(workspace / ".strata/x.md")
    (workspace / "memory/group").symlink_to(workspace / "scopes/group-1/memory")
    (workspace / "memory/projects").symlink_to(workspace / "projects")

    for path in ("memory/out.md", "memory/aside.md", "memory/group/a.md"):
        with pytest.raises(PathNotAllowed, match="leads out"):
            get(workspace, path)
        assert path not in scan(workspace)
    assert get(workspace, "memory/projects/boat.md").text == "Marigold"
    assert "memory/projects/boat.md" in scan(workspace)


def test_missing_file_suggests_another(workspace: Path) -> None:
    """
    A name that is nearly right is answered with the right one.
    """
    with pytest.raises(NotFound, match=f"did you mean {NOTE}"):
        get(workspace, "memory/2026-11-02.md")


def test_archived_note_is_found_by_its_old_citation(workspace: Path) -> None:
    """
    What was cited before the archive took it is named where it stands now.
    """
    archived = f"memory/archive/2026/{NOTE.rpartition('/')[2]}"
    (workspace / archived).parent.mkdir(parents=True)
    (workspace / NOTE).rename(workspace / archived)
    (workspace / NOTE.replace("20.md", "21.md")).write_text("# 2026-11-21\n")

    with pytest.raises(NotFound, match=f"did you mean {archived}\\?$"):
        get(workspace, f"{NOTE}:3")


def test_lines_are_named_in_order(workspace: Path) -> None:
    """
    Lines named from the later to the earlier are a mistake that is told.
    """
    with pytest.raises(UsageError, match="line 2 comes before line 4"):
        get(workspace, f"{NOTE}:4-2")


def test_folder_is_no_file(workspace: Path) -> None:
    """
    A folder cannot be read.
    """
    with pytest.raises(NotFound):
        get(workspace, "memory")


def test_missing_line_is_told(workspace: Path) -> None:
    """
    Beyond the last line there is nothing, and the error says how many there are.
    """
    with pytest.raises(NotFound, match="4 lines"):
        get(workspace, f"{NOTE}:5")


@pytest.mark.parametrize(("citation", "lines"), [(f"{NOTE}:0", None), (NOTE, 0)])
def test_lines_count_from_one(
    citation: str, lines: int | None, workspace: Path
) -> None:
    """
    There is no line 0, and no fewer than one line.
    """
    with pytest.raises(UsageError):
        get(workspace, citation, lines)


def test_empty_file_is_empty(workspace: Path) -> None:
    """
    A file without lines gives no text and no error.
    """
    write_notes(workspace, {"memory/empty.md": ""})

    assert get(workspace, "memory/empty.md").text == ""
