"""Memory: the page, any file with its lines, and the story of each of them."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import TYPE_CHECKING

import pytest
from builders_dashboard import Browser, browser
from builders_memory import NIGHT, captured, open_memory, page, statements_of

from strata.jobs.deciding.verdict_list import statements
from strata.jobs.tidy import tidy
from strata.workspace.audit import AuditLog

if TYPE_CHECKING:
    from pathlib import Path

    from strata.memory import Memory

MORNING = "2026-11-21T09:00:00+00:00"
DAY = "memory/2026-11-20.md"
PNPM = "use pnpm"


def opened(root: Path) -> Memory:
    """
    The memory on the morning after.
    """
    return open_memory(root, MORNING)


@pytest.fixture
def window(tmp_path: Path) -> Browser:
    """
    The dashboard on the morning after the first night.
    """
    captured(tmp_path)
    tidy(open_memory(tmp_path, NIGHT))
    return browser(lambda: opened(tmp_path))


def line_of(root: Path, path: str, word: str) -> int:
    """
    The number of the first line of *path* that holds *word*.
    """
    lines = open_memory(root).workspace.read(path).split("\n")
    return next(number for number, line in enumerate(lines, 1) if word in line)


def put(root: Path, path: str, text: str) -> None:
    """
    Somebody else writes *text* into the memory file *path*.
    """
    open_memory(root).workspace.update(path, lambda _: text)


def test_page_is_as_the_agent_sees_it(window: Browser, tmp_path: Path) -> None:
    """
    Each line of MEMORY.md stands on the page below its number, and so does what is used.
    """
    text = page(open_memory(tmp_path))

    shown = window.open("/memory")

    assert window.status == 200
    assert f'id="L{text.count(chr(10))}"' in shown
    assert "## User Preferences" in shown
    assert f"{text.count(chr(10))} of 80" in shown
    assert f"{len(text.encode())} of 5120" in shown


def test_own_lines_can_be_pinned(window: Browser, tmp_path: Path) -> None:
    """
    A pinned line is pinned for the command too, and its page says so.
    """
    window.open("/memory")

    window.send(PNPM, "action", action="pin")

    assert window.at == "/memory"
    assert [e.pinned for e in statements(open_memory(tmp_path)) if PNPM in e.text] == [
        True
    ]
    assert 'value="unpin"' in window.page


def test_own_lines_can_be_reworded(window: Browser, tmp_path: Path) -> None:
    """
    What the owner says otherwise stands in MEMORY.md.
    """
    window.open("/memory")

    window.send(PNPM, action="edit", text="Use pnpm 11 in acme-dashboard.")

    assert window.status == 200
    assert "Use pnpm 11 in acme-dashboard." in statements_of(open_memory(tmp_path))


def test_lines_of_a_hand_are_told_apart(window: Browser, tmp_path: Path) -> None:
    """
    A line that Strata did not write has no buttons, and a way to change it.
    """
    put(tmp_path, "MEMORY.md", page(open_memory(tmp_path)) + "\n- My cat is Mo.\n")
    number = line_of(tmp_path, "MEMORY.md", "My cat")

    shown = window.open("/memory")

    assert shown.count("by hand</span>") == 1
    assert f"/read?path=MEMORY.md&amp;change={number}#L{number}" in shown
    assert not window.forms("My cat")


def test_no_page_yet(tmp_path: Path) -> None:
    """
    Before the first night the page says that it is empty.
    """
    captured(tmp_path)

    shown = browser(lambda: opened(tmp_path)).open("/memory")

    assert "The page is empty so far" in shown


def test_day_is_read_line_by_line(window: Browser, tmp_path: Path) -> None:
    """
    Each entry of a day has a number to point at, its story, and a way to change it.
    """
    number = line_of(tmp_path, DAY, PNPM)

    shown = window.open(f"/read?path={DAY}#L{number}")

    assert f'<li id="L{number}">' in shown
    assert f'href="/story?of={DAY}:{number}"' in shown
    assert f"/read?path={DAY}&amp;change={number}#L{number}" in shown
    assert not window.forms()


def test_days_lead_to_those_beside_them(window: Browser, tmp_path: Path) -> None:
    """
    A day leads to the one before it, the one after it, and its week.
    """
    put(tmp_path, "memory/2026-11-18.md", "# 2026-11-18\n\n- Earlier.\n")
    put(tmp_path, "memory/2026-11-21.md", "# 2026-11-21\n\n- Later.\n")
    put(tmp_path, "memory/weekly/2026-11-16.md", "# Week of 2026-11-16\n")

    shown = window.open(f"/read?path={DAY}")

    assert 'href="/read?path=memory/2026-11-18.md" rel="prev"' in shown
    assert 'href="/read?path=memory/2026-11-21.md" rel="next"' in shown
    assert 'href="/read?path=memory/weekly/2026-11-16.md"' in shown


def test_page_of_the_bank_leads_to_its_sources(window: Browser, tmp_path: Path) -> None:
    """
    What Strata put together has the stories of its sources; the owner's words can change.
    """
    archived = "memory/archive/2026/2026-11-10.md"
    put(tmp_path, archived, "# 2026-11-10\n\n- Ann works in Graz.\n")
    told = ["- Ann uses pnpm. (src: 2026-11-20#L4)"]
    told += ["- Ann works in Graz. (src: 2026-11-10#L3)", "- [[graz]]"]
    front = ["---", "made_by: strata", 'name: "Ann"', "---", "# Ann", *told]
    yours = ["## Yours", "<!-- strata:yours -->", "- She is my sister."]
    put(tmp_path, "memory/bank/people/ann.md", "\n".join([*front, *yours]) + "\n")

    shown = window.open("/read?path=memory/bank/people/ann.md")

    stories = re.findall(r'href="/story\?of=([^"]*)"', shown)
    changes = re.findall(r"&amp;change=(\d+)", shown)
    own = len(front) + len(yours)
    ours = f"memory/bank/people/ann.md:{own}"
    assert [f"{DAY}:4", f"{archived}:3", ours] == stories
    assert [str(own)] == changes
    assert "Ann works in Graz." in window.open(f"/story?of={archived}:3")


def test_reading_is_witnessed(window: Browser, tmp_path: Path) -> None:
    """
    What was read stands in the audit log, with its lines, as for the command.
    """
    window.open(f"/read?path={DAY}")

    log = AuditLog(open_memory(tmp_path).workspace.layout.audit_folder)
    read = [each for each in log.records() if "read" in each]
    lines = open_memory(tmp_path).workspace.read(DAY).count("\n")
    assert ("dashboard", "read", [f"{DAY}#L1-L{lines}"]) == (
        read[-1]["who"],
        read[-1]["what"],
        read[-1]["read"],
    )


def test_entry_of_a_day_is_reworded(window: Browser, tmp_path: Path) -> None:
    """
    An entry says what the owner says, in its place, and the page says what was done.
    """
    number = line_of(tmp_path, DAY, PNPM)
    window.open(f"/read?path={DAY}&change={number}")

    window.send("/edit", text="Use pnpm 11 in acme-dashboard.")

    assert window.status == 200
    assert f"{DAY}:{number} says now: Use pnpm 11" in window.page
    assert number == line_of(tmp_path, DAY, "Use pnpm 11 in acme-dashboard.")


def test_entry_of_a_day_is_deleted(window: Browser, tmp_path: Path) -> None:
    """
    A deleted entry leaves its file alone, and is told to be no forgotten one.
    """
    number = line_of(tmp_path, DAY, PNPM)
    window.open(f"/read?path={DAY}&change={number}")

    window.send("/delete")

    assert f"taken out of {DAY}:{number}" in window.page
    assert "Deleted is not forgotten" in window.page
    assert PNPM not in open_memory(tmp_path).workspace.read(DAY)


def test_unfit_wording_changes_nothing(window: Browser, tmp_path: Path) -> None:
    """
    What memory does not take is refused as by the command, and the file stays.
    """
    before = open_memory(tmp_path).workspace.read(DAY)
    window.open(f"/read?path={DAY}&change={line_of(tmp_path, DAY, PNPM)}")

    window.send("/edit", text="It.")

    assert window.status == 422
    assert before == open_memory(tmp_path).workspace.read(DAY)


@pytest.mark.parametrize("to", ["/edit", "/delete"])
def test_moved_line_is_not_changed(window: Browser, tmp_path: Path, to: str) -> None:
    """
    Where another line stands there by now, or none, nothing is changed.
    """
    before = open_memory(tmp_path).workspace.read(DAY)
    window.open(f"/read?path={DAY}&change={line_of(tmp_path, DAY, PNPM)}")
    form = window.forms(to)[0]
    for text in (f"- Something new.\n{before}", "# 2026-11-20\n"):
        put(tmp_path, DAY, text)

        window.post(to, {**form, "text": "Use pnpm 11 in acme-dashboard."})

        assert window.status == 409
        assert "has changed since the page was made" in window.page
        assert text == open_memory(tmp_path).workspace.read(DAY)


def test_long_day_is_read_in_parts(window: Browser, tmp_path: Path) -> None:
    """
    Of 10,000 lines a page shows those around the one that is meant, and leads to others.
    """
    lines = [f"- Entry {number} of a long day." for number in range(1, 10_001)]
    put(tmp_path, DAY, "\n".join(lines) + "\n")

    first = window.open(f"/read?path={DAY}")
    meant = window.open(f"/read?path={DAY}&line=7000")

    assert max(len(first.encode()), len(meant.encode())) < 150_000
    assert ">- Entry 1 of a long day.<" in first
    assert "Lines after" in first
    assert 'id="L7000"' in meant
    assert "Lines before" in meant


def test_endless_line_is_cut_with_its_rest_told(
    window: Browser, tmp_path: Path
) -> None:
    """
    Of a line without end only so much is shown as a page can hold.
    """
    put(tmp_path, DAY, f"- {'word ' * 100_000}\n")

    shown = window.open(f"/read?path={DAY}")

    assert len(shown.encode()) < 150_000
    assert "… (+498" in shown
    assert len(window.open(f"/story?of={DAY}:1").encode()) < 150_000
    assert window.status == 200


@pytest.mark.parametrize(
    "path",
    [
        "../outside.md",
        "memory/../../outside.md",
        "/etc/passwd",
        "memory/.hidden.md",
        "README.md",
        ".strata/journal.jsonl",
        "memory/\x00.md",
        "memory/link.md",
    ],
)
def test_what_is_no_memory_is_not_shown(
    window: Browser, tmp_path: Path, path: str
) -> None:
    """
    A path that leads out, a file that is no memory, and a link to one show nothing.
    """
    secret = "nobody may read this"
    root = open_memory(tmp_path).workspace.root
    for file in (root.parent / "outside.md", root / "README.md"):
        file.write_text(secret)
    (root / "memory/.hidden.md").write_text(secret)
    (root / "memory/link.md").symlink_to(root.parent / "outside.md")

    window.client.get("/memory")
    for address in ("/read", "/story"):
        name = {"/read": "path", "/story": "of"}[address]
        reply = window.client.get(address, params={name: path})

        assert reply.status_code in {400, 404, 422}
        assert secret not in reply.text
        assert "root:" not in reply.text


def test_unknown_names_get_a_page_that_says_so(window: Browser) -> None:
    """
    A day without a note, an id that nothing has, a line that is not there: not found.
    """
    for address in (
        "/read?path=memory/2020-01-01.md",
        "/read",
        "/story",
        "/story?of=ffffffffffff",
        "/story?of=MEMORY.md:999",
        f"/story?of={DAY}:1",
    ):
        window.open(address)

        assert (address, 404) == (address, window.status)
        assert 'class="failed"' in window.page


def test_story_leads_from_the_words_to_the_page(
    window: Browser, tmp_path: Path
) -> None:
    """
    The words stand first, then the day, then the page, each with its place.
    """
    number = line_of(tmp_path, "MEMORY.md", PNPM)

    shown = unescape(window.open(f"/story?of=MEMORY.md:{number}"))

    said = shown.index("From now on always use pnpm")
    day = shown.index(f"{DAY}:{line_of(tmp_path, DAY, PNPM)}", said)
    assert said < day < shown.index(f"MEMORY.md:{number}", day)
    assert "you · <time>2026-11-20 10:01</time>" in shown
    assert "✓ unchanged" in shown
    assert "judge on this machine" in shown
    assert "not found for a question yet" in shown


def test_story_tells_of_changed_words(window: Browser, tmp_path: Path) -> None:
    """
    Words that are no longer what they were are shown as such.
    """
    for file in (tmp_path / "state").rglob("*.jsonl"):
        file.write_text(file.read_text().replace("always use pnpm", "never use pnpm"))

    shown = window.open(f"/story?of=MEMORY.md:{line_of(tmp_path, 'MEMORY.md', PNPM)}")

    assert "the words do not match the hash" in shown
    assert "✓ unchanged" not in shown


def test_story_of_many_words_is_no_great_page(window: Browser, tmp_path: Path) -> None:
    """
    What rests on hundreds of messages shows as many as a page holds, and tells the rest.
    """
    journal = open_memory(tmp_path).journal.path
    records = [json.loads(line) for line in journal.read_text("utf-8").splitlines()]
    for record in records:
        for entry in record.get("entries", ()):
            entry["evidence"] *= 900
    journal.write_text("".join(f"{json.dumps(each)}\n" for each in records), "utf-8")

    shown = window.open(f"/story?of=MEMORY.md:{line_of(tmp_path, 'MEMORY.md', PNPM)}")

    cited = shown.count("✓ unchanged")
    assert 20 < cited < 900
    assert f"{900 - cited} more messages" in shown
    assert len(shown.encode()) < 150_000


def test_story_of_a_new_wording_knows_the_old_one(
    window: Browser, tmp_path: Path
) -> None:
    """
    From either wording its story leads to the other.
    """
    old = next(e for e in statements(open_memory(tmp_path)) if PNPM in e.text)
    window.open("/memory")
    window.send(PNPM, action="edit", text="Use pnpm 11 in acme-dashboard.")
    new = next(e for e in statements(open_memory(tmp_path)) if "pnpm 11" in e.text)

    from_new = window.open(f"/story?of={new.id}")
    from_old = window.open(f"/story?of={old.id}")

    assert f'href="/story?of={old.id}"' in from_new
    assert f'href="/story?of={new.id}"' in from_old
    assert "Not in MEMORY.md." in from_old


def test_story_names_the_model_that_judged(window: Browser, tmp_path: Path) -> None:
    """
    A verdict that a language model gave says which.
    """
    meant = next(e for e in statements(open_memory(tmp_path)) if PNPM in e.text)
    judged = {**meant.record, "event": "merged", "model": "tiny-7b", "prompt": "p" * 12}
    open_memory(tmp_path).journal.append([judged])

    shown = window.open(f"/story?of={meant.id}")

    assert "model tiny-7b" in shown


def test_what_was_written_is_never_markup(window: Browser, tmp_path: Path) -> None:
    """
    Markup, links that would run, and letters that turn text round stay mere text.
    """
    nasty = "- <script>alert(1)</script> [x](javascript:alert(2)) \u202elive\u200b pnpm"
    nasty += ' <a href="/evil">'
    put(tmp_path, "memory/2026-11-19.md", f"# 2026-11-19\n\n{nasty}\n")
    put(tmp_path, "MEMORY.md", f"{page(open_memory(tmp_path))}{nasty}\n")
    last = page(open_memory(tmp_path)).count("\n")

    for address in (
        "/read?path=memory/2026-11-19.md&change=3",
        "/story?of=memory/2026-11-19.md:3",
        "/memory",
        f"/story?of=MEMORY.md:{last}",
    ):
        shown = window.open(address)

        assert window.status == 200
        assert "<script" not in shown
        assert 'href="javascript:' not in shown
        assert "&lt;script&gt;alert(1)" in shown
        assert "&lt;a href=&#34;/evil&#34;&gt;" in shown
        assert "\u202e" not in shown


def test_all_of_it_is_said_in_chinese(tmp_path: Path) -> None:
    """
    The three pages speak the owner's language.
    """
    captured(tmp_path)
    tidy(open_memory(tmp_path, NIGHT))
    number = line_of(tmp_path, "MEMORY.md", PNPM)
    chinese = browser(lambda: open_memory(tmp_path, MORNING, "language=zh"))

    for address, words in (
        ("/memory", "智能体每次对话开始时都会读它"),
        (f"/read?path={DAY}", "修改"),
        (f"/story?of=MEMORY.md:{number}", "从原话到这一页"),
        (f"/story?of=MEMORY.md:{number}", "用户偏好"),
    ):
        assert words in chinese.open(address)
