"""What is decided in the browser, by keyboard alone, is what the commands decide."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from builders_bank import write_note
from builders_chromium import chromium, complaints, reach
from builders_encryption import contents
from builders_window import ORDER, WAITS, lived, options, window

from strata.cli import run
from strata.dashboard.site import screens_at

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Page

PNPM = "From now on always use pnpm, never npm, in acme-dashboard."
POSTGRES = "We keep PostgreSQL 16, because the reports need ACID."
PEANUTS = "Maria Lopez is allergic to peanuts."
pytestmark = pytest.mark.slow


@dataclass
class Hands:
    """
    Hands at a keyboard before a *page* of the memory below *root*, and a *copy* of that.
    """

    page: Page
    here: str
    root: Path
    copy: Path
    complaints: list[str]

    def open(self, address: str) -> None:
        """
        Open the page at *address*; the copy is the memory as it is by then.
        """
        shutil.rmtree(self.copy, ignore_errors=True)
        shutil.copytree(self.root, self.copy)
        self.page.goto(f"{self.here}{address}")

    def press(self, name: str, key: str = "Enter") -> None:
        """
        Go to what is called *name* by Tab, and press *key* there, which leads to a page.
        """
        reach(self.page, name)
        with self.page.expect_navigation():
            self.page.keyboard.press(key)

    def id_of(self, text: str) -> str:
        """
        The id of the statement on the page that says *text*.
        """
        item = self.page.locator("li.statement", has_text=text).first
        return item.locator("input[name=id]").first.get_attribute("value") or ""

    def told(self) -> str:
        """
        What the page says has been done, once it is there.
        """
        return self.page.locator(".told").inner_text()


@pytest.fixture(scope="module")
def at_work(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hands]:
    """
    One browser and one dashboard; each test decides about something else.
    """
    folder = tmp_path_factory.mktemp("keyboard")
    root = folder / "root"
    root.mkdir()
    with chromium() as (browser, _axe):
        lived(root, "en")
        with window(root) as opened:
            context = browser.new_context()
            page = context.new_page()
            page.goto(opened.address)
            here = page.url.removesuffix("/")
            found = complaints(context, here)
            yield Hands(page, here, root, folder / "copy", found)


@pytest.fixture
def hands(at_work: Hands) -> Iterator[Hands]:
    """
    The same, without complaints of the browser in the end.
    """
    yield at_work
    assert at_work.complaints == []


def files(root: Path) -> dict[str, str]:
    """
    What each file below *root* holds; the ids of runs, which are chance, by their order.
    """
    journal = (root / "workspace" / ".strata" / "journal.jsonl").read_text("utf-8")
    runs = dict.fromkeys(re.findall(r'"run": ?"([0-9a-f]{12})"', journal))
    names = {run: f"run {number}" for number, run in enumerate(runs)}

    def plain(text: str) -> str:
        for run_id, name in names.items():
            text = text.replace(run_id, name)
        # A night that was cut off knows its page by the number of the file.
        return re.sub(r'"over":\d+', "", text.replace(str(root), ""))

    return {
        plain(path): plain(content.decode("utf-8", "surrogateescape"))
        for path, content in contents(root / "workspace").items()
    }


def by_command(hands: Hands, *words: str) -> dict[str, str]:
    """
    The files of the copy after the command *words*.
    """
    assert run([*options(hands.copy), *words]) == 0
    return files(hands.copy)


def test_skip_link_leads_to_the_page(hands: Hands) -> None:
    """
    The first Tab offers to skip the navigation, and Enter does so.
    """
    hands.open("/")

    hands.page.keyboard.press("Tab")
    link = hands.page.locator(".skip")
    shown = link.is_visible() and link.bounding_box()
    hands.page.keyboard.press("Enter")

    assert shown
    assert shown["y"] >= 0
    assert hands.page.evaluate("document.activeElement.id") == "main"


def test_accept_is_the_command(hands: Hands) -> None:
    """
    What waits is accepted as by `strata review accept`.
    """
    hands.open("/")
    meant = hands.id_of(WAITS["en"])

    hands.press(f"Accept: {WAITS['en']}")

    assert "line 11 of MEMORY.md" in hands.told()
    assert by_command(hands, "review", "accept", meant) == files(hands.root)


def test_decline_is_the_command(hands: Hands) -> None:
    """
    A line is declined as by `strata review decline`.
    """
    hands.open("/")
    meant = hands.id_of(POSTGRES)

    hands.press(f"Decline: {POSTGRES}", "Space")

    assert "not in MEMORY.md" in hands.told()
    assert by_command(hands, "review", "decline", meant) == files(hands.root)


def test_pin_is_the_command(hands: Hands) -> None:
    """
    A line is pinned, and then no longer, as by `strata review pin` and `unpin`.
    """
    hands.open("/")
    meant = hands.id_of(PNPM)

    hands.press(f"Pin: {PNPM}")

    assert by_command(hands, "review", "pin", meant) == files(hands.root)
    hands.open("/")

    hands.press(f"Unpin: {PNPM}")

    assert by_command(hands, "review", "unpin", meant) == files(hands.root)


def test_reword_is_the_command(hands: Hands) -> None:
    """
    A line gets a new wording as by `strata review edit`.
    """
    hands.open("/")
    meant = hands.id_of(PEANUTS)
    wording = "Maria Lopez must not eat peanuts."

    reach(hands.page, f"Reword: {PEANUTS}")
    hands.page.keyboard.press("Enter")
    reach(hands.page, "TEXTAREA")
    hands.page.keyboard.press("ControlOrMeta+a")
    hands.page.keyboard.type(wording)
    hands.press("Save")

    assert "line 14 of MEMORY.md" in hands.told()
    assert by_command(hands, "review", "edit", meant, wording) == files(hands.root)


def test_strangers_order_is_declined_as_by_the_command(hands: Hands) -> None:
    """
    What was quarantined is done with as by `strata review decline`.
    """
    hands.open("/")
    meant = hands.id_of(ORDER["en"])

    hands.press(f"Decline: {ORDER['en']}")

    assert hands.told()
    assert by_command(hands, "review", "decline", meant) == files(hands.root)


def test_merge_is_the_command(hands: Hands) -> None:
    """
    Two names of one person become one as by `strata entity merge`, chosen from a list.
    """
    write_note(hands.root / "workspace", 1, ["[finding] Marita Lopes sails."])
    later = hands.root / "workspace" / "memory" / "2026-11-02.md"
    with later.open("a") as note:
        note.write("- [finding] Marita Lopes lives in Lisbon.\n")
    assert run([*options(hands.root), "reflect"]) == 0
    hands.open("/people")

    hands.press("Maria Lopez")
    reach(hands.page, "SELECT")
    hands.page.keyboard.type("Marita")
    hands.press("Make one")

    assert "Maria Lopez and Marita Lopes are one now" in hands.told()
    merged = by_command(hands, "entity", "merge", "Maria Lopez", "Marita Lopes")
    assert merged == files(hands.root)
    assert not any("marita" in path for path in merged)


@pytest.mark.skipif(not screens_at("/runs"), reason="there is no such screen yet")
def test_undo_is_the_command(hands: Hands) -> None:
    """
    The newest run is taken back as by `strata undo --run`, after a look at it.
    """
    hands.open("/")
    hands.press(f"Pin: {PNPM}")
    hands.open("/runs")
    newest = hands.page.locator("main li a").first
    meant = (newest.get_attribute("href") or "").rpartition("=")[2]

    hands.press(newest.inner_text())
    hands.press("Undo this run")

    assert meant in hands.told()
    assert by_command(hands, "undo", "--run", meant) == files(hands.root)


@pytest.mark.skipif(not screens_at("/forget"), reason="there is no such screen yet")
def test_forget_is_the_command(hands: Hands) -> None:
    """
    What is named goes as by `strata forget`, once the number of its lines was typed.
    """
    hands.open("/forget")

    reach(hands.page, "TEXTAREA")
    hands.page.keyboard.type(PNPM)
    hands.press("Show what would go: Something that was said")
    number = re.search(
        r"type the number of lines: (\d+)", hands.page.inner_text("main")
    )
    assert number
    # The first field to type in comes after what would go.
    while hands.page.evaluate("document.activeElement.name") != "typed":
        hands.page.keyboard.press("Tab")
    hands.page.keyboard.type(number[1])
    hands.press("Forget for good")

    assert "Forgotten" in hands.page.inner_text("h1")
    assert PNPM not in hands.page.inner_text("main")
    assert notes(by_command(hands, "forget", PNPM, "--yes")) == notes(files(hands.root))


def notes(found: dict[str, str]) -> dict[str, str]:
    """
    Those of *found* that are memory; keys and receipts are chance.
    """
    return {path: text for path, text in found.items() if ".strata" not in path}
