"""Forget: what would go, the owner's word on it, what went, and the proof later."""

from __future__ import annotations

import gc
import multiprocessing
import re
from concurrent.futures import ProcessPoolExecutor
from shutil import copytree
from typing import TYPE_CHECKING

import pytest
from builders import tree
from builders_dashboard import Browser, browser
from builders_memory import NIGHT, captured, open_memory

from strata.jobs.forgetting.forget import forget
from strata.jobs.forgetting.target import Target, period
from strata.jobs.remember import remember
from strata.jobs.tidy import tidy

if TYPE_CHECKING:
    from pathlib import Path

MORNING = "2026-11-21T09:00:00+00:00"
SECRET = "We keep PostgreSQL 16, because the reports need ACID."
TALK = "61871d67"
# The other way round, so that no source that is read holds it.
NWOT = "miehtabmuN"
TOWN = "Hammerbek"
MOUSE = "<script>alert('Quokkaville')</script>"


@pytest.fixture
def window(tmp_path: Path) -> Browser:
    """
    The dashboard on the morning after the first night, where one asks what to forget.
    """
    captured(tmp_path)
    tidy(open_memory(tmp_path, NIGHT))
    found = browser(lambda: open_memory(tmp_path, MORNING))
    found.open("/forget")
    return found


def notes(root: Path) -> dict[str, bytes]:
    return tree(root / "workspace", without=".strata")


def confirm(window: Browser, **fields: str) -> str:
    """
    Type the number of lines that the preview shows.
    """
    lines = window.forms('name="typed"')[0]["lines"]
    return window.send('name="typed"', **({"typed": lines} | fields))


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("text", {"text": SECRET}),
        ("entity", {"entity": "PostgreSQL"}),
        ("session", {"session": TALK}),
        ("last", {"last": "7d"}),
        ("first", {"first": "2026-11-20", "end": "2026-11-20"}),
    ],
)
def test_every_kind_leaves_the_bytes_that_the_command_leaves(
    window: Browser, tmp_path: Path, name: str, fields: dict[str, str]
) -> None:
    """
    A text, a name, a conversation or a time: shown first, then gone as by `strata forget`.
    """
    twin = copytree(tmp_path, tmp_path.with_name(f"{tmp_path.name}-twin"))
    memory = open_memory(twin, MORNING)
    first, end = fields.get("first", ""), fields.get("end", "")
    since, until = period(memory.now, last=fields.get("last", ""), first=first, end=end)
    text, entity, talk = (fields.get(e, "") for e in ("text", "entity", "session"))
    before = notes(tmp_path)
    forget(memory, Target(text, entity, talk, since, until))

    window.send(f'name="{name}"', **fields)
    assert notes(tmp_path) == before
    assert "PostgreSQL 16" in window.page
    confirm(window)

    assert window.status == 200
    assert "nothing of it is left" in window.page
    assert notes(tmp_path) == notes(twin) != before


def test_nothing_goes_without_the_number_of_lines(
    window: Browser, tmp_path: Path
) -> None:
    """
    Another number than that of the lines is no word for it, and all is shown again.
    """
    before = notes(tmp_path)
    window.send('name="text"', text=SECRET)

    confirm(window, typed="99")

    assert window.status == 422
    assert "That is not the number of lines; nothing was forgotten." in window.page
    assert "PostgreSQL 16" in window.page
    assert notes(tmp_path) == before
    confirm(window)
    assert "nothing of it is left" in window.page


def test_what_came_meanwhile_is_shown_before_it_goes(
    window: Browser, tmp_path: Path
) -> None:
    """
    A preview that went stale is made anew, and nothing is forgotten until then.
    """
    window.send('name="entity"', entity="PostgreSQL")
    remember(open_memory(tmp_path, MORNING), "Our PostgreSQL runs in Frankfurt.")
    before = notes(tmp_path)

    confirm(window)

    assert window.status == 409
    assert "has changed since the page was made; nothing was forgotten" in window.page
    assert "Our PostgreSQL runs in Frankfurt." in window.page
    assert notes(tmp_path) == before
    confirm(window)
    assert b"PostgreSQL" not in b"".join(notes(tmp_path).values())


def test_who_forgets_in_another_tab_meanwhile_has_nothing_left_to_do(
    window: Browser, tmp_path: Path
) -> None:
    """
    The second tab is told that memory does not say it any more.
    """
    window.send('name="text"', text=SECRET)
    forget(open_memory(tmp_path, MORNING), Target(text=SECRET))

    confirm(window)

    assert window.status == 409
    assert "nothing in memory says that" in window.page


def test_the_words_are_in_no_address_and_in_no_answer_later(
    window: Browser, tmp_path: Path
) -> None:
    """
    The receipt is told without them, and no file has them, the audit log neither.
    """
    remember(open_memory(tmp_path, MORNING), f"The office goes to {TOWN}, by the port.")

    window.send('name="entity"', entity=TOWN)
    preview_at = window.at
    confirm(window)

    assert (preview_at, window.at) == ("/forget/preview", "/forget/do")
    assert TOWN not in window.page
    assert not [p for p, c in tree(tmp_path).items() if TOWN.encode() in c]


def test_a_process_that_goes_on_has_the_words_no_more(tmp_path: Path) -> None:
    """
    Neither a cache nor anything else in a process of its own holds what was forgotten.
    """
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as other:
        left = other.submit(_left_after_forgetting, tmp_path).result()

    assert left == []


def _left_after_forgetting(root: Path) -> list[str]:
    """
    The kinds of things of this process that hold what was forgotten in it.
    """
    captured(root)
    tidy(open_memory(root, NIGHT))
    window = browser(lambda: open_memory(root, MORNING))
    word = "".join(reversed(NWOT))
    remember(open_memory(root, MORNING), f"The office goes to {word}, by the port.")
    window.open("/")
    window.open("/forget")
    window.send('name="entity"', entity=word)
    confirm(window)
    window.open("/forget/proof")
    gc.collect()
    return [type(each).__name__ for each in gc.get_objects() if _holds(each, word)]


def _holds(thing: object, word: str) -> bool:
    """
    Say whether *thing* is a container of the process with a text that has *word* in it.
    """
    if type(thing).__name__ in {"frame", "function", "cell"}:
        return False
    found = (each for each in gc.get_referents(thing) if type(each) in {str, bytes})
    return any((word if isinstance(e, str) else word.encode()) in e for e in found)


def test_what_is_forgotten_is_never_markup(window: Browser, tmp_path: Path) -> None:
    """
    Markup that somebody remembered, or types here, is a text like any other.
    """
    memory = open_memory(tmp_path, MORNING)
    memory.workspace.update("MEMORY.md", lambda text: f"{text}- Say {MOUSE} aloud.\n")

    window.send('name="text"', text=f"Say {MOUSE} aloud.")

    assert "<script" not in window.page
    assert window.page.count("&lt;script&gt;alert") >= 3
    confirm(window)
    assert "Quokkaville" not in memory.workspace.read("MEMORY.md")


def test_what_is_masked_on_pages_can_be_forgotten(
    window: Browser, tmp_path: Path
) -> None:
    """
    A page masks what the settings say, but sends back what was typed, and its own tokens.
    """
    masked = "trust.masked=PostgreSQL,/[0-9]/"
    window = browser(lambda: open_memory(tmp_path, MORNING, masked))
    window.open("/forget")

    window.send('name="entity"', entity="PostgreSQL")
    assert "All that names P•••" in window.page
    window.post("/forget/do", shown_by(window) | {"typed": shown_by(window)["lines"]})

    assert window.status == 200
    assert "PostgreSQL" not in open_memory(tmp_path).workspace.read("MEMORY.md")


def shown_by(window: Browser) -> dict[str, str]:
    return window.forms('name="typed"')[0]


def test_a_short_name_is_warned_of(window: Browser, tmp_path: Path) -> None:
    """
    The words that go too because they hold it are named before anything goes.
    """
    memory = open_memory(tmp_path, MORNING)
    memory.workspace.update("MEMORY.md", lambda text: f"{text}- Ask Al, et al. too.\n")

    window.send('name="entity"', entity="Al")

    assert "is also in 1 other word (al)" in window.page


def test_what_nobody_said_can_be_forgotten_all_the_same(window: Browser) -> None:
    """
    Then nothing goes, and what was said of it until now is not learned later.
    """
    window.send('name="text"', text="We moved to the moon last year.")
    assert "nothing in memory says that" in window.page

    confirm(window)

    assert "it is forgotten all the same, and not learned later" in window.page


def test_a_receipt_is_proved_later(window: Browser, tmp_path: Path) -> None:
    """
    Its page is told from what is kept; a copy that came back is found by hashes alone.
    """
    window.send('name="text"', text=SECRET)
    confirm(window)
    window.open("/forget")
    name = window.page.split("/forget/proof?id=")[1].split('"')[0]
    window.open(f"/forget/proof?id={name}")
    assert "nothing of it is left" in window.page

    window.send('value="' + name)
    assert "Still gone" in window.page
    note = tmp_path / "workspace" / "memory" / "2026-11-20.md"
    note.write_text(note.read_text() + f"- {SECRET}\n")
    window.send('value="' + name)

    assert "Found again" in window.page
    assert "it is in memory/2026-11-20.md:" in window.page
    assert "PostgreSQL" not in window.page


def test_conversations_are_there_to_choose_from(window: Browser) -> None:
    """
    By when they began and where; whoever knows how an id begins can write that.
    """
    assert f'<option value="{TALK}' in window.page
    assert re.search(r">\d{4}-\d\d-\d\d \d\d:\d\d · [^<]+</option>", window.page)

    window.send('name="start"', start=TALK)

    assert "PostgreSQL 16" in window.page


def test_other_memories_are_counted_and_left_alone_on_request(
    window: Browser, tmp_path: Path
) -> None:
    """
    Of what a group says the preview tells how much, not what; a button keeps to one's own.
    """
    group = open_memory(tmp_path, MORNING).within("group:telegram-0123456789abcdef0123")
    line = "- Our PostgreSQL is down.\n"
    group.workspace.update("memory/2026-11-20.md", lambda _: f"# 2026-11-20\n\n{line}")

    window.open("/forget")
    window.send('name="entity"', entity="PostgreSQL")
    assert "1 line in group:telegram-0123456789abcdef0123" in window.page
    assert "is down" not in window.page
    window.send('value="own"', "Only my own memory")
    assert "group:telegram-0123456789abcdef0123" not in window.page
    confirm(window)

    assert line in group.workspace.read("memory/2026-11-20.md")
    assert "PostgreSQL" not in open_memory(tmp_path).workspace.read("MEMORY.md")


@pytest.mark.usefixtures("window")
def test_memory_that_was_named_is_the_only_one_that_forgets(tmp_path: Path) -> None:
    """
    Who opened the private memory by its name forgets in no other, as with the command.
    """
    group = open_memory(tmp_path, MORNING).within("group:telegram-0123456789abcdef0123")
    line = "## 10:00 session:61871d67 | 2 messages\n- We keep PostgreSQL 16.\n"
    group.workspace.update("memory/2026-11-20.md", lambda _: f"# 2026-11-20\n\n{line}")
    named = browser(lambda: open_memory(tmp_path, MORNING), alone=True)
    named.open("/forget")

    named.send('name="entity"', entity="PostgreSQL")
    shown = named.page
    confirm(named)

    assert "group:telegram" not in shown
    assert line in group.workspace.read("memory/2026-11-20.md")
    assert SECRET not in open_memory(tmp_path, MORNING).workspace.read("MEMORY.md")


def test_nothing_chosen_is_nothing_forgotten(window: Browser) -> None:
    """
    An empty form, or a receipt that is not there, is answered with what to do.
    """
    assert "nothing was named" in window.send('name="text"', text=" ")
    assert window.status == 404
    assert "there is no receipt" in window.open("/forget/proof?id=0")
