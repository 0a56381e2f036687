"""Transcript files by name, and compressed ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders_transcripts import Script, pack, read_entries

from strata.transcripts.archives import (
    TranscriptName,
    decompress,
    open_transcript,
    parse_name,
)

if TYPE_CHECKING:
    from pathlib import Path

UUID = "93d796c1-5d8e-4bea-a432-144e431ee5ae"
MOMENT = "2026-11-20T11-14-35.228Z"


@pytest.mark.parametrize(
    ("name", "stem", "moment"),
    [
        (f"{UUID}.jsonl", UUID, ""),
        (f"{UUID}.jsonl.zst", UUID, ""),
        (f"{UUID}-topic-17.jsonl", f"{UUID}-topic-17", ""),
        (f"{UUID}.jsonl.reset.{MOMENT}", UUID, MOMENT),
        (f"{UUID}.jsonl.reset.{MOMENT}.zst", UUID, MOMENT),
        (f"{UUID}.jsonl.deleted.{MOMENT}", UUID, MOMENT),
        (f"{UUID}.jsonl.deleted.{MOMENT}.7fa92b5a33994b1a.zst", UUID, MOMENT),
        ("my.own.id.jsonl", "my.own.id", ""),
    ],
)
def test_transcript_names(name: str, stem: str, moment: str) -> None:
    """
    Live, reset, deleted and compressed transcripts belong to the session they begin with.
    """
    assert TranscriptName(stem, moment) == parse_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "sessions.json",
        "sessions.json.bak.1795173419156",
        f"{UUID}.trajectory.jsonl",
        f"{UUID}.trajectory-path.json",
        f"{UUID}.trajectory.jsonl.zst",
        f"{UUID}.checkpoint.5968e62c-c8ca-49ba-9c12-81cc1a0c3b83.jsonl",
        f"{UUID}.jsonl.lock",
        f"{UUID}.jsonl.tmp",
        f"{UUID}.jsonl.123.tmp",
        f"{UUID}.jsonl.bak.{MOMENT}",
        f"{UUID}.jsonl~",
        ".jsonl",
        "",
    ],
)
def test_other_names(name: str) -> None:
    """
    Indexes, locks, trajectories, checkpoints and backups are no conversations.
    """
    assert parse_name(name) is None


def test_compressed_transcript_reads_like_a_plain_one(tmp_path: Path) -> None:
    """
    The ending decides; several frames in a row are one file.
    """
    script = Script().user("first").user("小明")
    plain, packed = tmp_path / "a.jsonl", tmp_path / "a.jsonl.zst"
    plain.write_bytes(script.content())
    packed.write_bytes(pack(script.content()[:50]) + pack(script.content()[50:]))

    with open_transcript(plain) as one, open_transcript(packed) as other:
        assert list(read_entries(one)) == list(read_entries(other))


def test_damaged_archive_gives_what_it_still_holds(tmp_path: Path) -> None:
    """
    Damage counts as malformed lines and is not fatal.
    """
    script = Script()
    for number in range(20_000):
        script.user(f"message {number} {number * 2654435761 % 2**32}")
    frame = bytearray(pack(script.content()))
    frame[len(frame) // 2 : len(frame) // 2 + 40] = bytes(40)
    path = tmp_path / "a.jsonl.zst"
    path.write_bytes(frame)

    with open_transcript(path) as stream:
        entries = list(read_entries(stream))

    assert 0 < sum(entry.said is not None for entry in entries) < 20_000
    assert sum(entry.malformed for entry in entries) >= 1


def test_file_that_is_no_archive(tmp_path: Path) -> None:
    """
    Something else under an archive's name is one malformed line.
    """
    path = tmp_path / "a.jsonl.zst"
    path.write_bytes(b"this is not zstd")

    with open_transcript(path) as stream:
        assert [entry.malformed for entry in read_entries(stream)] == [True]


def test_damaged_row() -> None:
    """
    A row that does not decompress is a value error, whatever its size says.
    """
    assert decompress(pack(b"x" * 100), 100) == b"x" * 100
    for frame in (b"", b"no frame", pack(b"x" * 100)[:-3]):
        with pytest.raises(ValueError, match=r"."):
            decompress(frame, 100)
