"""What is read of the memories of mem0."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from builders_import_formats import mem0_memory, openmemory_backup, openmemory_memory
from builders_imports import LONG_AGO, Json, write_folder, write_zip

from strata.imports.bundles import Bundle
from strata.imports.formats import format_named
from strata.imports.talks import Derived, HasAccount, Skipped

if TYPE_CHECKING:
    from pathlib import Path

    from strata.imports.talks import Read

TEA = Derived("one", "Likes tea", LONG_AGO, "memory")


def read(source: Path) -> list[Read]:
    with Bundle(source) as bundle:
        return list(format_named("mem0").read(bundle))


def account(source: Path) -> str:
    with Bundle(source) as bundle:
        mem0 = format_named("mem0")
        assert isinstance(mem0, HasAccount)
        return mem0.account(bundle)


def test_memories_are_read_in_each_of_their_forms(tmp_path: Path) -> None:
    """
    As a list, below ``results`` beside other keys, and as OpenMemory backs them up.
    """
    plain = mem0_memory("one", "Likes tea")
    forms: list[object] = [
        [plain],
        {"results": [plain]},
        {"count": 1, "next": None, "previous": None, "results": [plain]},
        {"results": [plain], "relations": [{"source": "alice"}]},
        openmemory_backup(openmemory_memory("one", "Likes tea")),
    ]
    for number, form in enumerate(forms):
        source = write_folder(tmp_path / str(number), {"memories.json": form})

        assert [TEA] == read(source)


def test_library_for_node_names_things_in_its_own_way(tmp_path: Path) -> None:
    """
    What has no user and another time is a memory as well.
    """
    told = {
        "id": "one",
        "memory": " Likes tea\n",
        "createdAt": "2025-03-10T09:00:00.000Z",
        "userId": "alice",
    }
    source = write_folder(tmp_path, {"a.json": {"results": [told]}})

    assert [TEA] == read(source)
    assert "alice" == account(source)


def test_time_may_be_told_in_any_way_or_not_at_all(tmp_path: Path) -> None:
    """
    A memory without one has none; that of a change is taken where that of its making lacks.
    """
    memories = [
        mem0_memory("a", "1", created_at=None, updated_at="2025-03-10T09:00:00Z"),
        mem0_memory("b", "2", created_at="yesterday"),
        mem0_memory("c", "3", created_at=1741597200),
        mem0_memory("d", "4", created_at="2025-03-10T09:00:00"),
    ]
    source = write_folder(tmp_path, {"a.json": memories})

    found = [each.at for each in read(source) if isinstance(each, Derived)]

    assert [LONG_AGO, None, datetime(2025, 3, 10, 9, tzinfo=UTC), LONG_AGO] == found


def test_memories_of_several_people_are_not_mixed(tmp_path: Path) -> None:
    """
    Nobody can say whose they are, in one file or in several, so none is read.
    """
    bob = mem0_memory("two", "Likes milk", user_id="bob")
    alice = mem0_memory("one", "Likes tea")
    together = write_folder(tmp_path / "a", {"a.json": [alice, bob]})
    apart = write_zip(tmp_path / "b.zip", {"a.json": [alice], "b.json": [bob]})

    assert [Skipped("a.json", "several-people")] == read(together)
    assert [Skipped(each, "several-people") for each in ("a.json", "b.json")] == read(
        apart
    )
    assert ("", "alice") == (account(together), account(_only(tmp_path, alice)))


def _only(folder: Path, memory: Json) -> Path:
    return write_folder(folder / "c", {"a.json": [memory, mem0_memory("3", "c")]})


def test_what_is_out_of_use_stays_so(tmp_path: Path) -> None:
    """
    What somebody deleted or put away there does not come back here.
    """
    backup = openmemory_backup(
        openmemory_memory("one", "Likes tea", state="paused"),
        openmemory_memory("two", "Likes milk", state="deleted"),
        openmemory_memory("three", "Likes gin", state="archived"),
        openmemory_memory("four", "Likes ale", deleted_at="2025-03-12T09:00:00Z"),
    )
    source = write_zip(
        tmp_path / "a.zip", {"memories.json": backup, "memories.jsonl.gz": b"\x1f\x8b"}
    )

    assert [
        TEA,
        *(Skipped(each, "out-of-use") for each in ("two", "three", "four")),
    ] == read(source)


def test_odd_and_broken_files_give_what_they_have(tmp_path: Path) -> None:
    """
    What is no memory is told, and so is where a file ends too early.
    """
    good = mem0_memory("one", "Likes tea")
    odd: list[object] = [
        good,
        5,
        None,
        {"id": "x"},
        {"memory": "no id"},
        {**good, "memory": " "},
    ]
    whole = json.dumps([good, mem0_memory("two", "Likes milk")]).encode()
    source = write_folder(
        tmp_path,
        {
            "a.json": odd,
            "b.json": whole[:-40],
            "c.json": whole.replace(b"milk", b"\xff"),
        },
    )

    found = read(source)

    assert [
        TEA,
        Skipped("a.json", "unknown-shape"),
        Skipped("a.json", "unknown-shape"),
        Skipped("x", "unknown-shape"),
        Skipped("a.json", "unknown-shape"),
        Skipped("one", "unknown-shape"),
        TEA,
        Skipped("b.json", "cut-off"),
        TEA,
        Skipped("c.json", "not-utf8"),
    ] == found
