"""Files, folders and zips, of which nothing leads anywhere else."""

from __future__ import annotations

import json
import os
import zipfile
from typing import TYPE_CHECKING

import pytest
from builders_imports import write_folder, write_zip

from strata.errors import SourceUnreadable
from strata.imports import json_streams
from strata.imports.bundles import Bundle
from strata.imports.json_streams import values

if TYPE_CHECKING:
    from pathlib import Path

FILES = {"b/two.json": [2], "one.json": [1]}


def test_a_file_a_folder_and_a_zip_are_read_alike(tmp_path: Path) -> None:
    """
    Names are relative, in order, and have the same bytes wherever they lie.
    """
    folder = write_folder(tmp_path / "folder", FILES)
    packed = write_zip(tmp_path / "packed.zip", FILES)
    for source in (folder, packed):
        with Bundle(source) as bundle:
            assert ["b/two.json", "one.json"] == bundle.names()
            assert ["b/two.json"] == bundle.names("tw*")
            assert [2] == list(values(bundle, "b/two.json"))
            assert b"[2]" == bundle.path("b/two.json").read_bytes()
            assert 3 == bundle.size("b/two.json")
    with Bundle(folder / "one.json") as bundle:
        assert ["one.json"] == bundle.names()


def test_what_is_unpacked_goes_again(tmp_path: Path) -> None:
    """
    A file of a zip that has to lie on the disk lies where it may, as long as it is used.
    """
    scratch = tmp_path / "scratch"
    scratch.mkdir()

    with Bundle(write_zip(tmp_path / "a.zip", FILES), scratch) as bundle:
        path = bundle.path("one.json")
        assert path.is_relative_to(scratch)

    assert [] == list(scratch.iterdir())


@pytest.mark.parametrize(
    "name", ["../up.json", "/root.json", "a/../../up.json", "C:\\x.json", "..\\up.json"]
)
def test_names_that_lead_out_are_refused(tmp_path: Path, name: str) -> None:
    """
    A member of a zip that would be written elsewhere is named, and never opened.
    """
    packed = write_zip(tmp_path / "a.zip", {name: [1], **FILES})

    with Bundle(packed) as bundle:
        assert ["b/two.json", "one.json"] == bundle.names()
        assert [name] == bundle.refused


def test_links_of_a_folder_are_not_followed(tmp_path: Path) -> None:
    """
    A link in an export leads nowhere.
    """
    folder = write_folder(tmp_path / "a", FILES)
    (tmp_path / "secret.json").write_text("[]")
    (folder / "link.json").symlink_to(tmp_path / "secret.json")

    with Bundle(folder) as bundle:
        assert ["b/two.json", "one.json"] == bundle.names()


def test_bombs_truncated_and_locked_zips_get_one_line(tmp_path: Path) -> None:
    """
    What would fill the disk, or is not whole, is refused before anything is read.
    """
    bomb = tmp_path / "bomb.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("conversations.json", bytes(100 * 1024 * 1024))
    short = write_zip(tmp_path / "short.zip", FILES)
    short.write_bytes(short.read_bytes()[:-40])
    locked = write_zip(tmp_path / "locked.zip", FILES)
    content = bytearray(locked.read_bytes())
    content[content.rindex(b"PK\x01\x02") + 8] |= 1
    locked.write_bytes(content)

    for source, says in (
        (bomb, "would grow"),
        (short, "not whole"),
        (locked, "locked"),
    ):
        with pytest.raises(SourceUnreadable, match=says):
            Bundle(source)
    with pytest.raises(SourceUnreadable, match="nothing at"):
        Bundle(tmp_path / "none.zip")


def test_a_damaged_member_gets_one_line(tmp_path: Path) -> None:
    """
    A byte that was changed on the way is found out while the member is read.
    """
    packed = tmp_path / "a.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as opened:
        opened.writestr("one.json", "[1, 2, 3]")
    packed.write_bytes(packed.read_bytes().replace(b"[1, 2, 3]", b"[1, 2, 4]"))

    with Bundle(packed) as bundle, pytest.raises(SourceUnreadable, match="not whole"):
        list(values(bundle, "one.json"))


def test_marks_of_utf8_are_no_part_of_json(tmp_path: Path) -> None:
    """
    An editor's mark before everything does no harm.
    """
    folder = write_folder(tmp_path, {"one.json": b"\xef\xbb\xbf[1]", "two.json": b"[1"})

    with Bundle(folder) as bundle:
        assert [1] == list(values(bundle, "one.json"))
        with pytest.raises(SourceUnreadable, match="ends in the middle"):
            list(values(bundle, "two.json"))


def test_json_that_nests_without_end_is_read_up_to_there(tmp_path: Path) -> None:
    """
    Each level takes longer than the one before, so there is an end to them.
    """
    deep = b'[{"a": 1}, ' + b"[" * 3_000_000
    folder = write_folder(tmp_path, {"one.json": deep})

    with Bundle(folder) as bundle:
        found = values(bundle, "one.json")
        assert {"a": 1} == next(found)
        with pytest.raises(SourceUnreadable, match="nested deeper"):
            next(found)


def test_brackets_in_what_was_said_do_no_harm(tmp_path: Path) -> None:
    """
    Who pastes code that was cut off leaves brackets open, in one talk after the other.
    """
    said = [{"text": "if (a[0] == {[{ " * 100}] * 3000
    folder = write_folder(tmp_path, {"one.json": said})

    with Bundle(folder) as bundle:
        assert 3000 == sum(1 for _ in values(bundle, "one.json"))


@pytest.mark.parametrize("packed", [True, False])
def test_value_that_is_too_large_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, packed: bool
) -> None:
    """
    A conversation has to fit into memory; those before and behind are read either way.
    """
    monkeypatch.setattr(json_streams, "_LARGEST_VALUE", 3_000_000)
    small = [{"said": [number, "}] \\", '"a,', "b" * 100_000]} for number in range(50)]
    large = {"a": "[]" * 2_000_000}
    files = {"one.json": [*small, large, *small, large, "odd", 1.5, {}, large]}
    source = (
        write_zip(tmp_path / "a.zip", files)
        if packed
        else write_folder(tmp_path / "a", files)
    )

    read: list[object] = []
    with (
        Bundle(source) as bundle,
        pytest.raises(SourceUnreadable, match="more than 3 MB"),
    ):
        read.extend(values(bundle, "one.json"))

    assert [*small, *small, "odd", 1.5, {}] == read


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_pipe_is_no_export(tmp_path: Path) -> None:
    """
    What may never end is not waited for.
    """
    os.mkfifo(tmp_path / "a.json")

    with pytest.raises(SourceUnreadable, match="nothing at"):
        Bundle(tmp_path / "a.json")


def test_what_breaks_behind_a_large_value_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    What is left out hides neither that the file is cut off, nor that it is no JSON.
    """
    monkeypatch.setattr(json_streams, "_LARGEST_VALUE", 200_000)
    begun = json.dumps([1, "a" * 400_000, 2]).removesuffix("]").encode()
    files = {"cut.json": begun, "odd.json": begun + b", nothing]"}
    folder = write_folder(tmp_path, files)

    with Bundle(folder) as bundle:
        for name, says in (("cut.json", "ends in the middle"), ("odd.json", "no JSON")):
            read: list[int] = []
            with pytest.raises(SourceUnreadable, match=says):
                read.extend(values(bundle, name))
            assert 1 == read[0]
