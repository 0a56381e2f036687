"""Time: a calendar of days, charts of what happened, and one day as it was."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from builders_dashboard import Browser, browser
from builders_memory import NIGHT, captured, open_memory

from strata.jobs.deciding.verdict_list import statements
from strata.jobs.review import review
from strata.jobs.tidy import tidy
from strata.jobs.undo import undo
from strata.workspace.audit import AuditLog
from strata.workspace.recalls import Recalls

if TYPE_CHECKING:
    from pathlib import Path

MORNING = "2026-11-21T09:00:00+00:00"
PNPM = "always use pnpm"
NOTE = """# 2026-11-20

## 14:28 session:61871d67 | 4 messages
- [decision] We keep PostgreSQL 16.
- [偏好] 周报用中文写。
- User asked: Please set it up. (src: 2026-11-20)

## Plans
Buy seeds.
"""


@pytest.fixture
def window(tmp_path: Path) -> Browser:
    """
    The dashboard on the morning after the first night.
    """
    captured(tmp_path)
    tidy(open_memory(tmp_path, NIGHT))
    return opened(tmp_path)


def opened(root: Path, *settings: str, now: str = MORNING) -> Browser:
    """
    The dashboard of the memory below *root*.
    """
    return browser(lambda: open_memory(root, now, *settings))


def noted(root: Path, path: str, text: str = NOTE) -> None:
    """
    A note *path* that says *text*.
    """
    file = open_memory(root).workspace.root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


def figures(page: str, row: str) -> list[list[str]]:
    """
    The figures of each row called *row* in the tables below the charts.
    """
    rows = re.findall(rf'<th scope="row">{row}</th>(.*)</tr>', page)
    return [re.findall(r">(\d+)</td>", each) for each in rows]


def test_an_empty_memory_has_a_calendar(tmp_path: Path) -> None:
    """
    Without a note there are days without links, and sentences instead of charts.
    """
    page = opened(tmp_path).open("/time")

    assert "Time: November 2026" in page
    assert "Nothing was noted." in page
    assert "/time/day" not in page
    assert "<svg" not in page


def test_a_day_leads_to_what_was_noted(tmp_path: Path) -> None:
    """
    The calendar has the number of its lines, the table their kinds in any language.
    """
    noted(tmp_path, "memory/2026-11-20.md")
    noted(tmp_path, "memory/weekly/2026-11-16.md", "# Week of 2026-11-16\n")

    page = opened(tmp_path).open("/time?month=2026-11")

    assert '<td class="s4"><a href="/time/day?date=2026-11-20">20 <b>4<' in page
    assert 'href="/read?path=memory/weekly/2026-11-16.md"' in page
    assert figures(page, "2026-11-20") == [["1", "0", "1", "0", "2"]]
    assert "4 lines in all; most on 2026-11-20: 4." in page


def test_a_year_is_told_by_its_weeks(tmp_path: Path) -> None:
    """
    A year has twelve months, and one row of figures for each week with a note.
    """
    noted(tmp_path, "memory/2026-01-01.md")
    noted(tmp_path, "memory/2026-01-04.md")
    noted(tmp_path, "memory/2026-11-20.md")

    page = opened(tmp_path).open("/time?year=2026")

    assert page.count("<caption>") == 12
    assert figures(page, "2026-01-01") == [["2", "0", "2", "0", "4"]]
    assert figures(page, "2026-11-16") == [["1", "0", "1", "0", "2"]]
    assert "12 lines noted" in page
    assert "12 lines in all; most in the week from 2026-01-01: 8." in page


def test_archived_days_are_days_like_others(tmp_path: Path) -> None:
    """
    A day whose note moved to the archive counts; what was said late adds to it.
    """
    noted(tmp_path, "memory/archive/2024/2024-02-29.md")
    noted(tmp_path, "memory/2024-02-29.md", "- [task] Water the beans.\n")
    window = opened(tmp_path)

    calendar = window.open("/time?month=2024-02")
    day = window.open("/time/day?date=2024-02-29")

    assert '<a href="/time/day?date=2024-02-29">29 <b>5<' in calendar
    assert "Water the beans." in day
    assert 'href="/read?path=memory/archive/2024/2024-02-29.md&amp;line=5#L5"' in day


def test_one_can_turn_to_where_something_is_and_no_further(tmp_path: Path) -> None:
    """
    There is nothing before the first note, nor behind today.
    """
    noted(tmp_path, "memory/2026-10-02.md")
    window = opened(tmp_path)

    now, first = window.open("/time"), window.open("/time?month=2026-10")

    assert 'rel="prev" href="/time?month=2026-10"' in now
    assert 'rel="next"' not in now
    assert 'rel="prev"' not in first
    assert 'rel="next" href="/time?month=2026-11"' in first


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("/time?month=2026-13", "month: 2026-13; one is written like 2026-11<"),
        ("/time?month=0001-01", "month: 0001-01; one is written like 2026-11<"),
        ("/time?year=abc", "year: abc; one is written like 2026<"),
        ("/time?year=9999", "year: 9999; one is written like 2026<"),
        ("/time/day?date=2026-02-30", "day: 2026-02-30; one is written like"),
        ("/time/day?date=20261120", "day: 20261120; one is written like"),
        ("/time/day?date=%3Cscript%3E", "day: &lt;script&gt;; one is written like"),
    ],
)
def test_a_date_that_is_none_is_said_in_one_line(
    tmp_path: Path, address: str, said: str
) -> None:
    """
    A date that no calendar has gets a page that says which one, as it was told.
    """
    page = opened(tmp_path)

    page.open(address)

    assert page.status == 400
    assert f"there is no such {said}" in page.page
    assert "<script" not in page.page


def test_a_day_has_its_lines_with_their_places(tmp_path: Path) -> None:
    """
    A line has its number, its kind and the heading above it, and leads into the note.
    """
    noted(tmp_path, "memory/2026-11-20.md")

    page = opened(tmp_path).open("/time/day?date=2026-11-20")

    assert "Friday 20 November 2026" in page
    assert "<h3>14:28 session:61871d67 | 4 messages</h3>" in page
    assert (
        '<li id="L4"><a class="number" href="/read?path=memory/2026-11-20.md&amp;line=4#L4"'
        in page
    )
    assert '<span class="tag">preference</span> 周报用中文写。' in page
    assert "User asked: Please set it up.<" in page
    assert "Buy seeds." in page


def test_a_day_of_ten_thousand_lines_is_paged_through(tmp_path: Path) -> None:
    """
    So many lines are shown as anybody reads, with the way to all others.
    """
    lines = "".join(f"- [finding] Number {number}.\n" for number in range(1, 10_001))
    noted(tmp_path, "memory/2026-11-20.md", lines)
    window = opened(tmp_path)

    first = window.open("/time/day?date=2026-11-20")
    last = window.open("/time/day?date=2026-11-20&from=9941")

    assert "10,000 lines noted" in first
    assert first.count('<li id="L') == 60
    assert 'rel="next" href="/time/day?date=2026-11-20&amp;from=61"' in first
    assert "Number 10000." in last
    assert 'rel="next"' not in last
    assert 'rel="prev" href="/time/day?date=2026-11-20&amp;from=9881"' in last


def test_a_day_of_long_lines_is_no_long_page(tmp_path: Path) -> None:
    """
    Lines of many letters are cut, and of what memory did there is a share of each kind.
    """
    noted(tmp_path, "memory/2026-11-21.md", f"- [发现] {'长' * 900}。\n" * 200)
    record = {"at": MORNING, "run": "0" * 12, "text": "长" * 400, "reason": "长" * 100}
    journal = open_memory(tmp_path).journal
    for event in ("promoted", "rejected", "waiting"):
        journal.append({**record, "event": event, "id": f"{n:012}"} for n in range(200))

    page = opened(tmp_path, "language=en").open("/time/day?date=2026-11-21")

    assert len(page.encode()) < 150_000
    assert [int(each) for each in re.findall(r"(\d+) more;", page)] == [186, 187, 187]


def test_the_night_belongs_to_the_day_before(window: Browser) -> None:
    """
    What tidy did at three is with the day whose notes it went through, with its run.
    """
    day = window.open("/time/day?date=2026-11-20")
    after = window.open("/time/day?date=2026-11-21")

    assert "<h3>Learned</h3>" in day
    assert "03:00 · promoted" in day
    assert "tidy · " in day
    assert 'href="/runs"' in day
    assert "Memory did nothing with its lines." in after


@pytest.mark.usefixtures("window")
def test_the_page_fills_and_empties(tmp_path: Path) -> None:
    """
    The chart has what came, what stands, and what the owner took out.
    """
    later = "2026-11-22T09:00:00+00:00"
    memory = open_memory(tmp_path, later)
    meant = next(each for each in statements(memory) if PNPM in each.text)
    review(memory, "decline", [meant.id])
    window = opened(tmp_path, now=later)

    page = window.open("/time?month=2026-11")
    day = window.open("/time/day?date=2026-11-22")

    assert ["2", "2", "0"] in figures(page, "2026-11-20")
    assert ["1", "0", "1"] in figures(page, "2026-11-22")
    assert "<h3>Let go</h3>" in day
    assert day.count(PNPM) == 1


def test_what_was_undone_is_told_as_undone(window: Browser, tmp_path: Path) -> None:
    """
    A run that was taken back put nothing on the page; its day says what became of it.
    """
    undo(open_memory(tmp_path, MORNING))

    page = window.open("/time?month=2026-11")
    day = window.open("/time/day?date=2026-11-20")

    assert "The journal knows of no line on the page by then." in page
    assert "<del>" in day
    assert "taken back since" in day


def test_the_night_is_that_of_the_owners_clock(tmp_path: Path) -> None:
    """
    Three in the morning in London is eleven in Shanghai, and so of the next day there.
    """
    captured(tmp_path)
    tidy(open_memory(tmp_path, NIGHT))

    window = opened(tmp_path, "timezone=Asia/Shanghai")

    assert "11:00 · promoted" in window.open("/time/day?date=2026-11-21")
    assert "Memory did nothing" in window.open("/time/day?date=2026-11-20")
    assert ["2", "2"] in figures(window.open("/time"), "2026-11-21")


def test_answers_are_counted_by_day_and_by_whom_they_reached(tmp_path: Path) -> None:
    """
    Questions come from what was recalled, looks from the audit log, by the owner's clock.
    """
    memory = open_memory(tmp_path)
    for _ in range(3):
        Recalls(memory.workspace.layout.recalls_file).add(memory.now.date(), ["ab" * 4])
    memory.watch_over("agent", "query")
    memory.saw("MEMORY.md#L1")
    memory.watch_over("cli", "query")
    memory.saw("MEMORY.md#L1")
    log = AuditLog(memory.workspace.layout.audit_folder)
    today = str(next(log.records())["at"])[:10]
    window = opened(tmp_path)

    page = window.open("/time?month=2026-11")

    assert figures(page, "2026-11-20")[-1][0] == "3"
    assert "3 questions in all found something" in page
    looks = figures(window.open(f"/time?month={today[:7]}"), today)
    assert looks[-1][1:] == ["1", "1"]


def test_figures_follow_their_files(window: Browser, tmp_path: Path) -> None:
    """
    What is kept in memory is counted anew once a note or the journal has changed.
    """
    before = window.open("/time?month=2026-11")
    noted(tmp_path, "memory/2026-11-19.md", "- [task] Water the beans.\n")
    record = {"event": "promoted", "version": 1, "at": MORNING, "run": "0" * 12}
    record |= {"id": "ab" * 6, "text": "Beans need water.", "line": "- Beans"}
    open_memory(tmp_path).journal.append([record])

    after = window.open("/time?month=2026-11")

    assert figures(before, "2026-11-19") == []
    assert ["0", "0", "0", "1", "0"] in figures(after, "2026-11-19")
    assert ["3", "1"] in figures(after, "2026-11-21")


def test_a_journal_that_was_replaced_is_read_anew(
    window: Browser, tmp_path: Path
) -> None:
    """
    Where something was forgotten, its day tells nothing of it any more.
    """
    window.open("/time/day?date=2026-11-20")
    file = open_memory(tmp_path).workspace.layout.journal_file
    rows = [each for each in file.read_text().splitlines() if PNPM not in each]
    draft = file.with_suffix(".new")
    draft.write_text("".join(f"{each}\n" for each in rows))
    draft.replace(file)

    page = window.open("/time/day?date=2026-11-20")

    assert "<h3>Learned</h3>" in page
    assert PNPM not in page.partition('id="night"')[2]
    assert ["1", "1"] in figures(window.open("/time"), "2026-11-20")


def test_a_note_that_cannot_be_read_leaves_the_calendar_whole(tmp_path: Path) -> None:
    """
    A folder with the name of a note, or a link out of memory, counts as no lines.
    """
    noted(tmp_path, "memory/2026-11-20.md")
    root = open_memory(tmp_path).workspace.root
    (root / "memory" / "2026-11-18.md").mkdir()
    (tmp_path / "elsewhere.md").write_text("- [task] Not ours.\n")
    (root / "memory" / "2026-11-19.md").symlink_to(tmp_path / "elsewhere.md")

    page = opened(tmp_path, "language=en").open("/time?month=2026-11")

    assert "4 lines noted" in page
    assert "date=2026-11-19" not in page


def test_what_was_said_is_never_markup(tmp_path: Path) -> None:
    """
    Markup in a note, its headings and the journal is shown as it was said.
    """
    bad = "<b onclick=x>\u202e</b>"
    noted(tmp_path, "memory/2026-11-20.md", f"## {bad}\n- [task] {bad} script\n")
    record = {"event": "waiting", "at": MORNING, "run": "0" * 12, "id": "ab" * 6}
    record |= {"text": f"Say {bad}", "reason": bad, "dimension": "ask"}
    open_memory(tmp_path).journal.append([json.loads(json.dumps(record))])
    window = opened(tmp_path)

    pages = [window.open(f"/time/day?date=2026-11-{day}") for day in (20, 21)]

    assert all("&lt;b onclick=x&gt;" in page for page in pages)
    assert not any("<b onclick" in page or "\u202e" in page for page in pages)


def test_it_is_told_in_the_owners_language(window: Browser, tmp_path: Path) -> None:
    """
    In Chinese the calendar, the charts and the night are in Chinese.
    """
    assert "时间" not in window.open("/time")

    chinese = opened(tmp_path, "language=zh")

    assert "时间：2026年11月" in chinese.open("/time?month=2026-11")
    assert "记下的行数，按类别" in chinese.page
    assert "11月</text>" in chinese.open("/time?year=2026")
    assert "2026年11月20日 周五" in chinese.open("/time/day?date=2026-11-20")
    assert "新记住的" in chinese.page
