"""The page of somebody or something, and the owner's word on its names."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest
from builders_bank import (
    BETHANY,
    CRAIG,
    bank_files,
    write_below,
    write_note,
    write_week,
)
from builders_dashboard import Browser, browser, page_of
from builders_described import RUTH, VET, VET_LINES, described, line, says
from builders_memory import open_memory

from strata.history.entities import name_decisions
from strata.jobs.entity import decide
from strata.jobs.reflect import reflect
from strata.jobs.undo import known_runs, undo
from strata.notes.bank_reading import parse_page

if TYPE_CHECKING:
    from pathlib import Path

LATER = "2026-11-20T13:00:00+00:00"
CRAIGS_PAGE = page_of(CRAIG)
BETHANYS_PAGE = page_of(BETHANY)

# From the folder of the bank to a page of a group's.
ABROAD = "../../.strata/scopes/group-x/memory/bank/people/ana.md"


@pytest.fixture
def window(tmp_path: Path) -> Browser:
    """
    The dashboard of a week of notes of which there are pages.
    """
    write_week(tmp_path / "workspace")
    reflect(open_memory(tmp_path))
    return browser(lambda: open_memory(tmp_path, LATER))


def test_page_has_parts_weights_and_places(window: Browser) -> None:
    """
    Each line leads to the line of the note that says so.
    """
    window.open(BETHANYS_PAGE)

    assert "Bethany Tulley lives in Faro now, no longer in Porto." in window.page
    assert (
        window.links()["2026-11-05#L4"] == "/read?path=memory/2026-11-05.md&line=4#L4"
    )
    assert "1 day for, 0 against, last 2026-11-02, confidence 0.67 ·" in window.page
    assert window.links()["Craig Mather"] == CRAIGS_PAGE
    headings = re.findall(r"<h2[^>]*>([^<]*)</h2>", window.page)
    assert headings == ["Now", "Opinions", "Timeline", "Related", "Yours", "Names"]


def test_place_in_an_archived_note_leads_there(window: Browser, tmp_path: Path) -> None:
    """
    As a note that moved says the same on the same line.
    """
    folder = tmp_path / "workspace" / "memory"
    (folder / "archive" / "2026").mkdir(parents=True)
    note = folder / "2026-11-05.md"
    note.rename(folder / "archive" / "2026" / note.name)

    window.open(BETHANYS_PAGE)

    to = window.links()["2026-11-05#L4"]
    assert to == "/read?path=memory/archive/2026/2026-11-05.md&line=4#L4"


def test_what_the_owner_wrote_is_shown_as_text(window: Browser, tmp_path: Path) -> None:
    """
    With each of its spaces and lines, and never as markup.
    """
    said = "\n  She <b>hates</b> &amp; phones\n\n[x](javascript:alert(1))\n"
    write_below(open_memory(tmp_path), BETHANY, said)

    window.open(BETHANYS_PAGE)

    shown = re.search(r"<pre[^>]*>\n(.*?)</pre>", window.page, re.DOTALL)
    assert shown
    assert unescape(shown[1]) == said
    assert "<b>" not in window.page


@pytest.mark.parametrize("page", ["opinions.md", "world.md"])
def test_page_of_nobody_has_no_names_to_decide(window: Browser, page: str) -> None:
    """
    It is read as any other.
    """
    window.open(page_of(f"memory/bank/{page}"))

    assert window.status == 200
    assert "#L" in window.page
    assert window.forms("/people/decide") == []


@pytest.mark.parametrize(
    "path",
    [
        "people/nobody.md",
        "../2026-11-05.md",
        "../../MEMORY.md",
        "/etc/passwd",
        "",
        ABROAD,
    ],
)
@pytest.mark.parametrize("field", ["path", "page"])
def test_what_is_no_page_of_the_bank_is_not_shown(
    window: Browser, tmp_path: Path, path: str, field: str
) -> None:
    """
    Not even where it is a file of memory, or a page of another scope.
    """
    root = tmp_path / "workspace"
    abroad = root / "memory" / "bank" / ABROAD
    abroad.parent.mkdir(parents=True)
    abroad.write_bytes((root / BETHANY).read_bytes())

    window.open(f"/people/page?{urlencode({field: path})}")
    plain = window.status, "Porto" in window.page
    window.open(page_of(f"memory/bank/{path}"))

    assert plain == (404, False)
    assert (window.status, "Porto" in window.page) == (404, False)


def test_no_address_tells_whose_page_it_is(tmp_path: Path) -> None:
    """
    A masked name stands in no link between the pages.
    """
    write_week(tmp_path / "workspace")
    reflect(open_memory(tmp_path))
    masks = "trust.masked=Bethany Tulley"
    window = browser(lambda: open_memory(tmp_path, LATER, masks))

    people = window.open("/people")
    page = window.open(BETHANYS_PAGE)

    assert window.status == 200
    assert "B•••" in page
    assert "bethany-tulley" not in people + page


def test_long_page_is_shown_in_pieces(window: Browser, tmp_path: Path) -> None:
    """
    Small enough for a phone, with links to the lines before and behind.
    """
    said = [f"[finding] Craig Mather has the key of room {n}." for n in range(60)]
    write_note(tmp_path / "workspace", 8, said)
    reflect(open_memory(tmp_path))
    text = open_memory(tmp_path).workspace.read(CRAIG)
    most = max(len(lines) for _, lines in parse_page(text).parts.values())
    assert most > 40

    first = window.open(CRAIGS_PAGE)
    second = window.open(window.links()["Further lines"])

    assert len(first.encode()) < 150_000
    assert first.count("<li>\n<p>") >= 40
    assert 0 < second.count("<li>\n<p>") <= 40
    assert window.links()["Lines before"] == CRAIGS_PAGE


def test_merge_does_what_the_command_does(window: Browser, tmp_path: Path) -> None:
    """
    Two pages become one, which is shown then; undo makes two of it again.
    """
    root = tmp_path / "workspace"
    before = bank_files(root)
    window.open(BETHANYS_PAGE)
    assert "<option>Craig Mather</option>" in window.page

    window.send('value="merge"', other="Craig Mather")

    assert window.status == 200
    assert "Bethany Tulley and Craig Mather are one now" in window.page
    assert "take it back under Undo" in window.page
    assert "tack room" in window.page
    assert len(bank_files(root)) == len(before) - 1
    undo(open_memory(tmp_path, LATER))
    assert bank_files(root) == before


def test_other_name_is_kept_apart(window: Browser, tmp_path: Path) -> None:
    """
    A short form that means somebody else leads to the page no more.
    """
    lines = ["[finding] Bethany has a boat.", "[finding] Bethany is tall."]
    write_note(tmp_path / "workspace", 8, lines)
    reflect(open_memory(tmp_path))
    window.open(BETHANYS_PAGE)
    assert "boat" in window.page

    window.send('value="split"', name="Bethany")

    assert "Bethany and Bethany Tulley are kept apart" in window.page
    assert "boat" not in open_memory(tmp_path).workspace.read(BETHANY)


def test_rename_leads_to_the_new_page(window: Browser) -> None:
    """
    Which has the old name among its others.
    """
    window.open(CRAIGS_PAGE)

    window.send('value="rename"', other="The <groom>")

    assert "Craig Mather is called The &lt;groom&gt; now" in window.page
    assert "<h1>The &lt;groom&gt;</h1>" in window.page
    assert "also Craig Mather" in window.page


def test_decision_that_changes_no_page_says_so(window: Browser, tmp_path: Path) -> None:
    """
    It counts all the same.
    """
    memory = open_memory(tmp_path)
    window.open(CRAIGS_PAGE)

    window.send('value="rename"', other="Craig Mather")

    assert "No page changes by that so far." in window.page
    assert [action for action, _, _ in name_decisions(memory.journal)] == ["rename"]


@pytest.mark.parametrize(
    ("other", "status"),
    [("tack", 404), ("Quentin", 404), ("", 404), ("craig mather", 400)],
)
def test_merge_with_nobody_changes_nothing(
    window: Browser, tmp_path: Path, other: str, status: int
) -> None:
    """
    The page says why.
    """
    before = bank_files(tmp_path / "workspace")
    window.open(CRAIGS_PAGE)

    window.send('value="merge"', other=other)

    assert window.status == status
    assert bank_files(tmp_path / "workspace") == before
    assert name_decisions(open_memory(tmp_path).journal) == []


def test_page_that_changed_meanwhile_is_not_decided(
    window: Browser, tmp_path: Path
) -> None:
    """
    Who merges what another tab renamed is told to look again.
    """
    window.open(CRAIGS_PAGE)
    write_note(tmp_path / "workspace", 9, ["[finding] Craig Mather has a boat."])
    reflect(open_memory(tmp_path))

    window.send('value="merge"', other="Bethany Tulley")

    assert window.status == 409
    assert {BETHANY, CRAIG} <= set(bank_files(tmp_path / "workspace"))


def test_what_was_said_is_never_markup(window: Browser, tmp_path: Path) -> None:
    """
    Nor do letters that turn text round do so.
    """
    said = "[finding] Craig Mather likes <b onclick=x>bold</b> tea."
    write_note(tmp_path / "workspace", 8, [said])
    reflect(open_memory(tmp_path))
    write_below(open_memory(tmp_path), CRAIG, "left \u202eright")

    window.open(CRAIGS_PAGE)

    assert "<b onclick" not in window.page
    assert "&lt;b onclick=x&gt;" in window.page
    assert "\u202e" not in window.page


def test_decision_that_changes_no_page_is_taken_back(
    window: Browser, tmp_path: Path
) -> None:
    """
    As `strata undo` does: there is no file to bring back, and a button all the same.
    """
    memory = open_memory(tmp_path)
    decide(memory, "split", "Bethany Tulley", "Craig Mather")
    (known,) = known_runs(memory)
    window.open(f"/runs/run?id={known.run.id}")

    window.send('name="seal"')

    assert (window.status, window.at) == (200, "/runs/run")
    assert name_decisions(memory.journal) == []
    assert known_runs(memory)[1].undone


def test_decision_is_taken_back_after_its_page_changed(
    window: Browser, tmp_path: Path
) -> None:
    """
    Nothing is in the way: the pages are made of the notes again.
    """
    memory = open_memory(tmp_path)
    decide(memory, "merge", "Bethany Tulley", "Craig Mather")
    (known,) = known_runs(memory)
    write_note(tmp_path / "workspace", 9, ["[finding] Craig Mather has a boat."])
    reflect(open_memory(tmp_path, LATER))
    window.open(f"/runs/run?id={known.run.id}")
    assert 'name="force"' not in window.page
    assert "was changed since" not in window.page

    window.send('name="seal"')

    assert window.status == 200
    assert {BETHANY, CRAIG} <= set(bank_files(tmp_path / "workspace"))
    assert "boat" in memory.workspace.read(CRAIG)


def test_page_shows_what_a_model_made_of_it_and_who_may_be_one(tmp_path: Path) -> None:
    """
    The summary leads to the lines that it cites; two names wait for a word, and get it.
    """
    told = {"Ruth Calloway": {"summary": [line(VET, *VET_LINES)]}}
    pair = [{"names": ["Zhang Wei", "张伟"], "lines": ["on the bill"]}]
    memory, _ = described(tmp_path, says(told, pair))
    reflect(memory)
    window = browser(lambda: open_memory(tmp_path, LATER))

    window.open(page_of(RUTH))

    assert VET in window.page
    assert "/read?path=memory/2026-11-02.md&line=4#L4" in window.links().values()
    window.open("/")
    assert "Zhang Wei and 张伟 are one" in window.page
    window.send("/review", action="decline")
    assert name_decisions(memory.journal) == [("split", "Zhang Wei", "张伟")]
