"""Settings on a page: all are explained, the safe ones changed, the others refused."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from builders_dashboard import Browser, browser
from builders_memory import open_memory

from strata.jobs.setting_list import SAFE
from strata.settings import names

if TYPE_CHECKING:
    from pathlib import Path

MORNING = "2026-11-21T09:00:00+00:00"


def window(root: Path, *settings: str) -> Browser:
    """
    The settings of the memory below *root*, as its dashboard shows them.
    """
    found = browser(lambda: open_memory(root, MORNING, *settings))
    found.open("/health/settings")
    return found


def file_of(root: Path) -> Path:
    return root / "workspace" / ".strata" / "config.toml"


def written(root: Path, text: str) -> None:
    file = file_of(root)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def test_every_setting_is_there_once(tmp_path: Path) -> None:
    """
    Each has its place; those that are safe have a form, and no other has.
    """
    found = window(tmp_path)

    assert sorted(names()) == sorted(re.findall(r'<li id="([^"]+)"', found.page))
    assert set(SAFE) == {form["name"] for form in found.forms("seal")}


def test_a_setting_is_changed_in_the_file(tmp_path: Path) -> None:
    """
    The line changes, what stands around it does not, and the page shows the new value.
    """
    written(tmp_path, "# mine\n[capture]\nquiet_minutes = 5 # a pause\ngroups = true\n")
    found = window(tmp_path)

    found.send('value="capture.quiet_minutes"', value="9")

    assert found.status == 200
    assert "capture.quiet_minutes is now 9" in found.page
    after = "# mine\n[capture]\nquiet_minutes = 9 # a pause\ngroups = true\n"
    assert after == file_of(tmp_path).read_text()
    assert "from the settings file" in found.page
    assert 'value="9"' in found.page


def test_the_language_of_the_page_follows_its_setting(tmp_path: Path) -> None:
    """
    What was chosen counts from the next page on.
    """
    found = window(tmp_path)

    found.send('value="language"', value="zh")

    assert "在这里改" in found.page
    assert 'lang="zh-CN"' in found.page


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("capture.quiet_minutes", "-2", "must be at least 0"),
        ("capture.quiet_minutes", "soon", "must be a whole number"),
        ("capture.quiet_minutes", "9" * 5000, "longer than 20 letters"),
        ("tidy.mode", "never", "tidy.mode must be auto or ask"),
        ("language", 'en"\ngit = true', "language must be auto or one of"),
    ],
)
def test_a_wrong_value_is_refused_in_one_line(
    tmp_path: Path, name: str, value: str, why: str
) -> None:
    """
    The page says what is wrong, and the file stays as it is.
    """
    written(tmp_path, "# mine\n")
    found = window(tmp_path)

    found.send(f'value="{name}"', value=value)

    assert found.status in {400, 422}
    assert why in found.page
    assert "# mine\n" == file_of(tmp_path).read_text()


@pytest.mark.parametrize(
    "name", ["audit", "git", "model.url", "model.provider", "trust.never_store"]
)
def test_what_is_changed_by_hand_cannot_be_sent(tmp_path: Path, name: str) -> None:
    """
    A form that was made up is refused with the reason.
    """
    found = window(tmp_path)
    form = found.forms('value="digest"')[0]

    found.post(form["to"], {**form, "name": name, "value": "false"})

    assert found.status in {400, 409, 422}
    assert not file_of(tmp_path).exists()


def test_a_setting_that_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    """
    Who saves what an editor has changed since is told to look again.
    """
    found = window(tmp_path)
    written(tmp_path, "[search]\nresults = 4\n")

    found.send('value="search.results"', value="7")

    assert found.status == 409
    assert "has changed since the page was made" in found.page
    assert "[search]\nresults = 4\n" == file_of(tmp_path).read_text()


def test_what_wins_over_the_file_has_no_form(tmp_path: Path) -> None:
    """
    A value of the command line is shown with what sets it.
    """
    found = window(tmp_path, "search.results=3")

    assert not found.forms('value="search.results"')
    assert "set by --set, which wins over the file" in found.page


def test_what_is_kept_out_is_not_told(tmp_path: Path) -> None:
    """
    The page says that such rules are set, and never what they hold, nor an address.
    """
    written(
        tmp_path,
        '[trust]\nnever_store = ["zanzibar"]\nmasked = ["quokka"]\n'
        '[qdrant]\nurl = "https://me:pass@db.example.org"\n',
    )

    page = window(tmp_path).page

    assert not re.search("zanzibar|quokka|pass@|example.org", page)
    assert page.count("set, not shown") == 3
