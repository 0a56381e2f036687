"""Figures as bars and levels."""

from __future__ import annotations

from strata.dashboard.drawing import WIDTH, Strip, draw


def test_the_highest_bar_fills_its_strip() -> None:
    """
    Strips without a top share the highest figure: half of it is half as high.
    """
    drawing = draw([Strip("a", "A", [4, 0]), Strip("b", "B", [0, 2])], ["1", "2"])

    assert ["M17 43v-26h136v26z", "M187 86v-13h136v13z"] == [
        each.path for each in drawing.strips
    ]


def test_what_is_little_can_be_seen() -> None:
    """
    One of a thousand has a bar all the same; nothing has none.
    """
    (drawn,) = draw([Strip("a", "A", [1000, 1, 0])], ["", "", ""]).strips

    assert drawn.path.count("M") == 2
    assert "v-1.5" in drawn.path


def test_a_level_ends_with_what_is_known() -> None:
    """
    A level has a step a column, and none for days that are still to come.
    """
    level = Strip("lines", "Lines", [40, 80, None], level=True, top=80)

    (drawn,) = draw([level], ["1", "", ""]).strips

    assert drawn.path == "M0 43V30h113.3V17h113.3V43z"
    assert drawn.strip.total == 80


def test_nothing_draws_nothing() -> None:
    """
    Without figures there is no shape, and without strips no picture.
    """
    (drawn,) = draw([Strip("a", "A", [0, None])], ["", ""]).strips
    (level,) = draw([Strip("a", "A", [None, None], level=True)], ["", ""]).strips

    assert (drawn.path, level.path) == ("", "")
    assert draw([], []).strips == ()


def test_what_is_more_than_the_top_stays_in_its_strip() -> None:
    """
    A page that is over its limit fills the strip and no more.
    """
    (drawn,) = draw([Strip("a", "A", [160], level=True, top=80)], [""]).strips

    assert drawn.path == f"M0 43V17h{WIDTH}V43z"


def test_words_below_begin_with_their_columns() -> None:
    """
    Each word stands where its column begins; columns without a word have none.
    """
    ticks = draw([Strip("a", "A", [1] * 4)], ["Jan", "", "", "Feb"]).ticks

    assert [(0, "Jan"), (WIDTH * 3 / 4, "Feb")] == [
        (each.x, each.text) for each in ticks
    ]
