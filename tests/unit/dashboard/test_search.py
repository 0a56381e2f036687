"""Search: what is found, how it is marked and explained, and what cannot be asked."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest
from builders_bank import write_week
from builders_dashboard import Browser, browser
from builders_memory import open_memory
from builders_search import NOTES, write_notes

from strata.embedding_models.folder import find_model
from strata.jobs.reflect import reflect
from strata.jobs.update import get_glosses

if TYPE_CHECKING:
    from strata.memory import Memory

ROOT = Path(__file__).parents[3]
NOW = "2026-11-20T20:00:00+00:00"
PNPM = "Use pnpm, never npm, in acme-dashboard. (src: 2026-11-20)"
BACKUP = "User asked for a backup every night at 02:30."
TRICKY = "memory/2026-11-12.md"
LONG = "x" * 8001
GROUP = "group:gardeners-0123456789abcdef0123"


needs_model = pytest.mark.skipif(
    find_model(ROOT) is None, reason="no model: run scripts/install first"
)


def opened(root: Path, *settings: str) -> Memory:
    """
    The memory in *root*, searched by keywords.
    """
    return open_memory(root, NOW, "embedding.model=none", *settings)


@pytest.fixture
def window(tmp_path: Path) -> Browser:
    """
    The window on a memory with the usual notes.
    """
    write_notes(tmp_path / "workspace", NOTES)
    return browser(lambda: opened(tmp_path))


@pytest.fixture
def people(tmp_path: Path) -> Browser:
    """
    The window on the week of notes with its pages.
    """
    write_week(tmp_path / "workspace")
    reflect(opened(tmp_path))
    return browser(lambda: opened(tmp_path))


def search(window: Browser, text: str = "", **filters: str) -> str:
    """
    The page that answers *text*.
    """
    return unescape(window.open(f"/search?{urlencode({'q': text, **filters})}"))


def why(window: Browser, text: str, expected: str = "") -> str:
    """
    The page that says why.
    """
    window.open("/why")
    return unescape(window.send('action="/why"', text=text, expected=expected))


def found(window: Browser) -> list[str]:
    """
    Where the hits of the page stand, best first.
    """
    hits = window.page.partition('class="hits"')[2].partition("</ol>")[0]
    return [unescape(each) for each in re.findall(r'href="/read\?path=([^"]*)"', hits)]


def test_hit_has_its_words_its_place_its_kind_and_its_day(window: Browser) -> None:
    """
    The words without their marks, a link to the first of the lines, what note, which day.
    """
    page = search(window, "backup at night")

    assert found(window)[0] == "memory/2026-11-19.md&line=1#L1"
    assert "memory/2026-11-19.md, lines 1–5" in page
    assert 'daily notes · <time datetime="2026-11-19">' in page
    assert f"<mark>{BACKUP}</mark>" in page
    assert 'class="heading">10:12 session:0a1b2c3d' in page


def test_nothing_is_asked_and_nothing_is_answered(window: Browser) -> None:
    """
    The form alone, with its filters folded away.
    """
    page = search(window)

    assert window.status == 200
    assert "<details>" in page
    assert 'id="found"' not in page


@needs_model
@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Which food makes her ill?", "allergic to peanuts"),
        ("Where do we row?", "rowing club meets on Thursdays"),
        ("几点开家长会", "家长会改到了星期三晚上七点"),
    ],
)
def test_question_in_other_words_finds_what_means_it(
    tmp_path: Path, question: str, said: str
) -> None:
    """
    By the embedding model of the installation, in English and in Chinese.
    """
    note = (
        "# 2026-11-02\n\n## 10:12 session:0a1b2c3d | 6 messages\n"
        "- The user is allergic to peanuts, and carries a pen for it.\n\n"
        "## 18:40 session:9f8e7d6c | 4 messages\n"
        "- The rowing club meets on Thursdays in the boat house.\n\n"
        "## 19:40 session:1f8e7d6c | 4 messages\n"
        "- 孩子的家长会改到了星期三晚上七点。\n"
    )
    write_notes(tmp_path / "workspace", {"memory/2026-11-02.md": note})
    memory = open_memory(tmp_path, NOW)
    get_glosses(memory.model_folder)
    memory.index.update(embed=True)

    window = browser(lambda: open_memory(tmp_path, NOW))
    page = search(window, question)

    assert said in page.partition('class="hits"')[2].partition("</li>\n</ul>")[0]


def test_what_is_superseded_is_marked_as_the_command_marks_it(
    window: Browser, tmp_path: Path
) -> None:
    """
    With the day and what took its place.
    """
    change = {"event": "superseded", "id": "a", "text": BACKUP, "by": "b", "run": "r"}
    heir = {"event": "promoted", "id": "b", "text": "Back up at noon.", "run": "r"}
    moment = {"at": "2026-11-20T03:00:00+00:00"}
    opened(tmp_path).journal.append([heir | moment, change | moment])

    page = search(window, "backup every night")

    assert "(superseded on 2026-11-20 by: Back up at noon.)" in page
    assert 'class="tier-daily past"' in page


def test_day_before_a_change_answers_with_what_was_known(window: Browser) -> None:
    """
    MEMORY.md is of today; the day before, only the notes up to then.
    """
    search(window, "pnpm in acme-dashboard", as_of="2026-11-20")
    today = found(window)
    page = search(window, "pnpm in acme-dashboard", as_of="2026-11-19")
    before = found(window)

    assert today[0].startswith("MEMORY.md&line=")
    assert not [each for each in before if not each.startswith("memory/2026-11-19")]
    assert "As it was known on 2026-11-19." in page


def test_as_of_a_day_somebody_lives_where_they_lived_then(people: Browser) -> None:
    """
    Asked of the pages, before and after the move.
    """
    before = search(people, "Where?", who="Bethany Tulley", as_of="2026-11-04")
    after = search(people, "Where?", who="Bethany Tulley", as_of="2026-11-05")

    assert "lives in Faro" not in before
    assert "lives in Porto." in before
    assert "lives in Faro" in after


@pytest.mark.parametrize(
    ("filters", "place"),
    [
        ({"tier": "long-term"}, "MEMORY.md"),
        ({"since": "yesterday", "until": "2026-11-19"}, "memory/2026-11-19.md"),
        ({"since": "最近三天", "tier": "daily"}, "memory/2026-11-"),
    ],
)
def test_filters_narrow_the_search_and_stay_in_sight(
    window: Browser, filters: dict[str, str], place: str
) -> None:
    """
    Each hit is of what was asked for, and "More" is open.
    """
    page = search(window, "database 数据库", **filters)

    assert found(window)
    assert all(each.startswith(place) for each in found(window))
    assert "<details open>" in page


def test_other_wordings_find_as_well(window: Browser) -> None:
    """
    One a line, as `--also`.
    """
    search(window, "zzzz", also="yyyy\nbackup every night")

    assert found(window)[0].startswith("memory/2026-11-19.md")


@pytest.mark.parametrize(
    ("filters", "said"),
    [
        ({"since": "blurgsday"}, "'blurgsday' is no time"),
        ({"until": "the day of <b>"}, "'the day of <b>' is no time"),
        ({"as_of": "2026-13-45"}, "'2026-13-45' is no time"),
        ({"since": "2026-11-20", "until": "2026-11-19"}, "before it begins"),
        ({"tier": "secret"}, "there is no choice 'secret'"),
        ({"limit": "-1"}, "there is no choice '-1'"),
        ({"kind": "X"}, "there is no choice 'X'"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_line(
    window: Browser, filters: dict[str, str], said: str
) -> None:
    """
    The form stays as it was typed, and nothing is answered.
    """
    page = search(window, "database", **filters)

    assert window.status == 400
    (line,) = re.findall(r'role="alert">(.*)</p>', page)
    assert said in line
    assert 'value="database"' in page
    assert 'id="found"' not in page


def test_filter_alone_is_no_question(window: Browser) -> None:
    """
    Whoever fills in a time alone is asked for words.
    """
    page = search(window, since="yesterday")

    assert window.status == 400
    assert "write what you are looking for" in page


@pytest.mark.parametrize(
    "question",
    [
        'NEAR(a b) OR "c AND * - ^ : {x} +y',
        '"" - -- \'); DROP TABLE chunks; --',
        "-pnpm -npm",
        "\x01\u202e\u200b\ud7ff",
        "😀" * 300,
        "(" * 2000,
        "<script>alert(1)</script>",
        "](javascript:alert(1))",
    ],
)
def test_hostile_question_is_words_to_look_for(window: Browser, question: str) -> None:
    """
    Nothing of it is an order, and nothing of it is markup.
    """
    search(window, question)
    answered = window.status, "<script" in window.page
    search(window, "database", also=question)
    as_well = window.status, "<script" in window.page
    why(window, question, question)

    assert [answered, as_well] == [(200, False)] * 2
    assert (window.status, "<script" in window.page) == (200, False)


@pytest.mark.parametrize("field", ["q", "since", "also", "who"])
def test_what_is_far_too_long_is_refused(window: Browser, field: str) -> None:
    """
    With how long it may be.
    """
    page = window.open(f"/search?{urlencode({field: LONG})}")

    assert window.status == 400
    assert "longer than 8000 letters" in page
    assert LONG not in page


def test_markup_in_a_note_is_shown_as_it_was_said(tmp_path: Path) -> None:
    """
    In the words of a hit, and in the name of its file.
    """
    said = '- The <img src=x onerror="boom()"> walrus sings \u202enever.\n'
    notes = {TRICKY: f"# 2026-11-12\n\n{said}", "memory/a <b> #1&x=é.md": said}
    write_notes(tmp_path / "workspace", notes)
    window = browser(lambda: opened(tmp_path))

    search(window, "walrus")

    assert "<img src=x" not in window.page
    assert "&lt;img src=x" in window.page
    assert "\u202e" not in window.page
    assert "memory/a%20%3Cb%3E%20%231%26x%3D%C3%A9.md&line=1#L1" in found(window)


def test_nothing_good_enough_shows_what_is_closest(window: Browser) -> None:
    """
    And says that it is no answer.
    """
    page = search(window, "which error has the orthodontist of the ferret's dentist")

    assert "Nothing fits the question well enough" in page
    assert "Closest to it:" in page
    assert 1 <= len(found(window)) <= 3


def test_index_that_is_down_is_told(tmp_path: Path) -> None:
    """
    The files are searched, and the page says what to do.
    """
    write_notes(tmp_path / "workspace", NOTES)
    index = opened(tmp_path).workspace.layout.index_folder
    index.parent.mkdir(parents=True)
    index.write_text("a file where a folder should be")
    window = browser(lambda: opened(tmp_path))

    page = search(window, "backup every night")

    assert found(window)[0].startswith("memory/2026-11-19.md")
    assert "The index cannot be opened" in page
    assert "strata doctor" in page


@needs_model
def test_index_that_is_behind_is_told(tmp_path: Path) -> None:
    """
    Where more notes wait for their vectors than a question embeds on its way.
    """
    notes = {
        f"memory/2026-11-{day:02}.md": f"- The gate of bay {day} was opened.\n"
        for day in range(1, 13)
    }
    write_notes(tmp_path / "workspace", notes)
    memory = open_memory(tmp_path, NOW)
    memory.index.update(["memory/2026-11-01.md"], embed=True)
    memory.index.update()
    window = browser(lambda: open_memory(tmp_path, NOW))

    page = search(window, "when was the door of bay 3 opened")

    assert found(window)
    assert "The index is behind" in page


def test_why_this_tells_terms_ranks_scores_and_fate(window: Browser) -> None:
    """
    Beside the answer, folded, as `--explain`.
    """
    page = search(window, "database for the walrus")
    table = page.partition('class="ranks"')[2].partition("</table>")[0]

    assert "in no note: walrus" in page
    assert "terms: " in page
    assert "shown" in table
    assert re.search(r"\d\.\d \(#1\)", table)
    assert '<details class="why">' in page


def test_person_asks_the_pages(people: Browser) -> None:
    """
    What is known of somebody, each statement with where it was said; the rest is told.
    """
    page = search(people, who="bethany tulley", tier="daily")

    assert "4 statements" in page
    assert "Bethany Tulley lives in Porto." in page
    assert "2026-11-02 to 2026-11-05" in page
    assert "memory/2026-11-05.md&line=4#L4" in found(people)
    assert "do not count here" in page
    assert '<option value="Craig Mather">' in page


def test_kind_asks_the_pages(people: Browser) -> None:
    """
    Of a kind with words; a kind alone is no question.
    """
    page = search(people, "Bethany Tulley", kind="O")
    alone = search(people, kind="O")

    assert "likes Bethany Tulley's tea" in page
    assert "lives in" not in page.partition('class="hits"')[2]
    assert "write what you are looking for" in alone


def test_question_about_somebody_shows_the_page_first_and_why(people: Browser) -> None:
    """
    As the command without `--explain`, with the reasons all the same.
    """
    page = search(people, "Where does Bethany Tulley live?")

    assert found(people)[0].startswith("memory/bank/people/bethany-tulley.md")
    assert 'class="ranks"' in page


def test_nobody_of_a_name_is_told_with_who_is_near(people: Browser) -> None:
    """
    An answer, and no mistake.
    """
    page = search(people, who="Craig Miller")

    assert people.status == 200
    assert "Craig Mather" in page.partition('role="alert"')[2]


def test_where_there_are_no_pages_they_are_not_offered(tmp_path: Path) -> None:
    """
    A group's scope has its own notes, and neither pages nor hits of another memory.
    """
    write_week(tmp_path / "workspace")
    reflect(opened(tmp_path))
    group = opened(tmp_path).within(GROUP)
    write_notes(group.workspace.root, {TRICKY: "# 2026-11-12\n\n- The walrus sings.\n"})
    window = browser(lambda: opened(tmp_path).within(GROUP))

    page = search(window, "walrus of Bethany Tulley")

    assert 'name="who"' not in page
    assert 'name="kind"' not in page
    assert f"Memory of {GROUP}" in page
    assert found(window) == [f"{TRICKY}&line=1#L1"]


def test_why_says_why_a_question_does_not_find_it(window: Browser) -> None:
    """
    From the form below an answer, which knows the question.
    """
    search(window, "blood type of the ferret")
    missing = "What should have been found?"
    page = unescape(window.send(missing, expected="backup every night"))

    assert window.at == "/why"
    assert "outranked" in page
    assert 'href="/read?path=memory/2026-11-19.md&line=' in page


def test_why_says_what_became_of_a_text(window: Browser) -> None:
    """
    Where memory has it, with a link, or that nobody said it; in words or by its line.
    """
    noted = why(window, BACKUP)
    line = why(window, "MEMORY.md:4")
    blank = why(window, "MEMORY.md:2")
    never = why(window, "The ferret has blood type A.")

    assert 'href="/read?path=memory/2026-11-19.md&line=5#L5"' in noted
    assert "remembered" in line
    assert "nothing stands on MEMORY.md:2" in blank
    assert "never said" in never


def test_what_why_is_asked_stands_in_no_address(window: Browser) -> None:
    """
    It is sent by a form, and an address that has it all the same is told nothing.
    """
    window.open("/why")
    by_form = window.page
    search(window, "blood type of the ferret")
    below = window.page
    window.open(f"/why?{urlencode({'text': BACKUP})}")

    assert '<form method="post" action="/why">' in by_form
    assert '<form method="post" action="/why">' in below
    assert window.status == 200
    assert BACKUP not in window.page


def test_why_of_nothing_asks_for_something(window: Browser) -> None:
    """
    An empty form is a form; an expectation without a question is none.
    """
    empty = why(window, "")
    status = window.status
    half = why(window, "", "pnpm")

    assert status == 200
    assert 'role="alert"' not in empty
    assert window.status == 400
    assert "write the text or the question first" in half


def test_what_is_masked_is_masked_here(tmp_path: Path) -> None:
    """
    In hits and reasons, as wherever it is shown.
    """
    write_notes(tmp_path / "workspace", NOTES)
    window = browser(lambda: opened(tmp_path, "trust.masked=backup"))

    search(window, "asked every night")
    page = window.page
    why(window, BACKUP)

    assert "every night at 02:30" in page
    assert "backup" not in page
    assert "every night at 02:30" in window.page
    assert "backup" not in window.page


def test_no_question_is_kept(window: Browser, tmp_path: Path) -> None:
    """
    Neither in memory nor beside it.
    """
    search(window, "which gazebo has a backup at night")
    search(window, "gazebo", also="a gazebo", since="gazebo")
    why(window, "gazebo", "another gazebo")

    files = [each for each in tmp_path.rglob("*") if each.is_file()]
    assert not [each for each in files if b"gazebo" in each.read_bytes()]


def test_page_speaks_chinese(tmp_path: Path) -> None:
    """
    Where the owner does: labels, marks, reasons and mistakes.
    """
    write_notes(tmp_path / "workspace", NOTES)
    window = browser(lambda: opened(tmp_path, "language=zh"))

    page = search(window, "数据库迁移推迟到什么时候")
    mistake = search(window, "数据库", since="哪天")

    assert "<mark>[决策] 数据库迁移推迟到三月，先修复支付接口。</mark>" in page
    assert "memory/2026-11-20.md 第 1–" in page
    assert "为什么是这些" in page
    assert "不是时间" in mistake
