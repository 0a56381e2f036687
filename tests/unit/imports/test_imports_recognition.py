"""Each format knows its own exports, and takes nobody else's for one of them."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest
from builders_import_formats import (
    ACTIVITY,
    gemini_cell,
    gemini_page,
    gemini_record,
    mem0_memory,
    openmemory_backup,
    openmemory_memory,
    samples,
)
from builders_imports import write_folder, write_zip

from strata.imports.bundles import Bundle
from strata.imports.formats import MODULES, format_named, recognised

if TYPE_CHECKING:
    from pathlib import Path

NAMES = [name for name in MODULES if name != "strata"]
# A state folder has notes among other things, so it is asked for before them.
ALSO = {("openclaw", "markdown")}


def packed(folder: Path, to: Path) -> Path:
    """
    The zip of *folder*.
    """
    return type(to)(shutil.make_archive(str(to), "zip", folder))


@pytest.mark.parametrize("form", NAMES)
@pytest.mark.parametrize("sample", NAMES)
def test_export_is_recognised_by_its_own_format_alone(
    tmp_path: Path, form: str, sample: str
) -> None:
    """
    Of all formats one takes an export for its own, in a folder as in a zip.
    """
    folder = samples(tmp_path / "made")[sample]
    expected = form == sample or (sample, form) in ALSO

    for source in (folder, packed(folder, tmp_path / "packed")):
        with Bundle(source) as bundle:
            assert expected is format_named(form).recognises(bundle)
            found = recognised(bundle)
            assert found is not None
            assert sample == found.name


def test_every_format_has_a_sample(tmp_path: Path) -> None:
    """
    Whoever adds a format shows here that it and the others keep apart.
    """
    assert set(MODULES) - {"strata"} == set(samples(tmp_path))


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("MyActivity.json", [gemini_record("Prompted hi")], "gemini"),
        ("내활동.json", [gemini_record("hi", product="Gemini 앱")], "gemini"),
        ("a.json", [gemini_record("hi", product="Geminiアプリ")], "gemini"),
        ("a.html", gemini_page(gemini_cell("hi", "", product="Bard")), "gemini"),
        ("a.json", [gemini_record("Watched Gemini", product="YouTube")], None),
        ("a.html", gemini_page(gemini_cell("Gemini", "", product="YouTube")), None),
        ("a.json", [gemini_record("hi", product="Geminids")], None),
        ("a.html", "<html>Gemini outer-cell</html>", None),
        ("a.json", [mem0_memory("one", "Likes tea")], "mem0"),
        ("memories.json", openmemory_backup(openmemory_memory("a", "b")), "mem0"),
        ("a.json", {"memories": [{"id": "a", "content": "b"}]}, None),
        ("a.json", {"results": [{"id": "a", "text": "b"}]}, None),
        ("a.json", {"results": []}, None),
        ("a.json", [], None),
        ("a.json", [[[[]]]], None),
        ("a.json", b"[" * 100_000, None),
        ("a.json", b"\xff\xfe[\x00{\x00", None),
        ("a.db", b"SQLite format 3\0", None),
        ("a.sqlite", b"", None),
        ("MEMORY.md", "- Likes tea\n", "openclaw"),
        ("USER.md", "- Likes tea\n", "openclaw"),
        ("notes.md", "- Likes tea\n", "markdown"),
        ("notes.MARKDOWN", "- Likes tea\n", "markdown"),
        ("notes.txt", "- Likes tea\n", None),
        (".hidden.md", "- Likes tea\n", None),
    ],
)
def test_single_file_is_recognised_by_what_it_holds(
    tmp_path: Path, name: str, content: object, expected: str | None
) -> None:
    """
    Names are in the account's language, so that only a note's says what it is.
    """
    write_folder(tmp_path, {name: content})

    with Bundle(tmp_path / name) as bundle:
        found = recognised(bundle)

    assert expected == (found.name if found else None)


def test_gemini_is_found_among_other_products(tmp_path: Path) -> None:
    """
    A Takeout has a file a product, and thousands of attachments beside them.
    """
    files: dict[str, object] = {
        f"Takeout/My Activity/{product}/MyActivity.json": [
            gemini_record("Visited", product=product)
        ]
        for product in ("Chrome", "Search", "YouTube")
    }
    files |= {f"Takeout/Drive/{number}.json": {} for number in range(300)}
    files[f"{ACTIVITY}.json"] = [gemini_record("Prompted hi")]

    with Bundle(write_zip(tmp_path / "takeout.zip", files)) as bundle:
        found = recognised(bundle)

    assert found is not None
    assert "gemini" == found.name


def test_nothing_is_recognised_in_nothing(tmp_path: Path) -> None:
    """
    An empty folder, an empty zip and a file of JSON that is somebody's are no export.
    """
    (tmp_path / "empty").mkdir()
    (tmp_path / "own.json").write_text(json.dumps({"a": [1, {"b": None}]}))
    for source in (
        tmp_path / "empty",
        write_zip(tmp_path / "empty.zip", {}),
        tmp_path / "own.json",
    ):
        with Bundle(source) as bundle:
            assert recognised(bundle) is None
