"""The difference of two texts is what was added and taken away, and little else."""

from __future__ import annotations

from strata.dashboard.differences import Difference, Room, difference

ENOUGH = 50_000


def test_lines_stand_with_their_surroundings() -> None:
    """
    Two lines around each change, and the number of the line where it begins.
    """
    before = "".join(f"{number}\n" for number in range(1, 20))
    after = before.replace("9\n", "nine\n", 1)

    found = difference(before.encode(), after.encode(), Room(ENOUGH))

    expected = [
        *(("place", "7"), ("same", "7"), ("same", "8")),
        *(("gone", "9"), ("came", "nine"), ("same", "10"), ("same", "11")),
    ]
    assert found == Difference(expected)


def test_a_repeated_line_is_added_once() -> None:
    """
    What ends one text and begins the other is not counted twice.
    """
    found = difference(b"a\na\n", b"a\na\na\n", Room(ENOUGH))

    assert [line for line in found.lines if line[0] in {"gone", "came"}] == [
        ("came", "a")
    ]


def test_a_file_that_comes_or_goes_is_new_or_gone_as_a_whole() -> None:
    """
    None stands for no file.
    """
    came = difference(None, b"one\ntwo\n", Room(ENOUGH)).lines
    gone = difference(b"one", None, Room(ENOUGH)).lines

    assert came == [("place", "1"), ("came", "one"), ("came", "two")]
    assert gone == [("place", "1"), ("gone", "one")]


def test_there_is_room_for_so_much() -> None:
    """
    Of a long line as much as a page shows of it counts; bytes are not shown.
    """
    long = difference(None, b"x" * 5000, Room(1000))
    many = difference(None, b"line\n" * 5000, Room(1000))

    assert not long.is_cut
    assert many.is_cut
    assert len(many.lines) < 50
    assert not difference(b"a\0", b"b", Room(ENOUGH)).is_text
