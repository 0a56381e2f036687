"""Where the page is full a model finds fewer words for the same lines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from builders_model import life_with, page_in, shown_in, verdicts, yes

from strata.jobs.deciding import consulting
from strata.notes.long_term import fits

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from builders_model import FakeModel, ModelLife

SAID = [
    "From now on please always use pnpm, never npm, in acme-dashboard, and be careful.",
    "Please remember: anything about the cluster goes to Ruben, ruben of anodyne example.",
    "From now on always write the commit messages in English in acme-dashboard.",
]
FULL = "# Mine\n\n" + "".join(f"- remark {n}: {'x' * 68}\n" for n in range(59))
FULL += f"- remark 59: {'x' * 24}\n"


@pytest.fixture(autouse=True)
def _asked_about_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    One candidate is worth a question here; elsewhere it waits for others.
    """
    monkeypatch.setattr(consulting, "_FEWEST", 1)


def shorter(answers: list[tuple[tuple[str, ...], str]]) -> Callable[[str], str]:
    """
    A model that finds each wording of *answers* for the lines that hold its words.
    """

    def reply(prompt: str) -> str:
        if "no room for more" not in prompt:
            english = [n for said, n in page_in(prompt).items() if "English" in said]
            return verdicts(
                prompt,
                lambda text: yes(text, ends=english if "German" in text else []),
            )
        lines = {each["id"]: each["text"] for each in shown_in(prompt)}
        found = []
        for words, text in answers:
            ids = [n for n, line in lines.items() if any(w in line for w in words)]
            if ids:
                found.append({"lines": ids, "text": text})
        return json.dumps({"shorter": found}, ensure_ascii=False)

    return reply


def crowded(
    tmp_path: Path, answers: list[tuple[tuple[str, ...], str]]
) -> tuple[ModelLife, FakeModel]:
    """
    A life whose page others have nearly filled.
    """
    life, model = life_with(tmp_path, shorter(answers))
    (tmp_path / "workspace" / "MEMORY.md").write_text(FULL)
    life.talk(*SAID)
    return life, model


def ours(life: ModelLife) -> list[str]:
    return [line for line in life.lines if not line.startswith("- remark")]


def test_full_page_says_it_in_fewer_words(tmp_path: Path) -> None:
    """
    A line gets the model's shorter wording, which costs one call and stays.
    """
    line = "Use pnpm, never npm, in acme-dashboard, and be careful."
    life, model = crowded(tmp_path, [(("pnpm",), line)])

    life.night()
    first = ours(life)
    life.night()
    model.reply = lambda _: "no idea"
    life.model = None
    life.night()

    assert any(each.startswith(f"- {line}") for each in first)
    assert fits(life.page)
    assert first == ours(life)
    assert 1 == sum("no room for more" in prompt for prompt in model.prompts)


def test_lines_become_one(tmp_path: Path) -> None:
    """
    One sentence that says all that two lines say takes their place, with their days.
    """
    both = (
        "In acme-dashboard: always use pnpm, never npm, and be careful; always write the "
        "commit messages in English in acme-dashboard."
    )
    life, _ = crowded(tmp_path, [(("pnpm", "commit"), both)])

    life.night()

    (line,) = [each for each in ours(life) if "pnpm" in each]
    assert "commit messages in English" in line
    assert 1 == sum("commit" in each for each in ours(life))


@pytest.mark.parametrize(
    "wrong",
    [
        "Use npm, never pnpm, in acme-dashboard, and be careful.",
        "Use pnpm, never npm.",
        "Use pnpm in acme-dashboard, and be careful.",
    ],
)
def test_shorter_words_that_say_otherwise_are_not_used(
    tmp_path: Path, wrong: str
) -> None:
    """
    Rules shorten the line instead.
    """
    life, _ = crowded(tmp_path, [(("pnpm",), wrong)])

    life.night()

    assert all(wrong not in each for each in ours(life))
    assert fits(life.page)


def test_dead_line_leaves_a_full_page(tmp_path: Path) -> None:
    """
    It goes like one that is worth least, and the journal says so.
    """
    life, model = crowded(tmp_path, [])
    plain = model.reply

    def reply(prompt: str) -> Any:
        if "no room for more" not in prompt:
            return plain(prompt)
        dead = [row["id"] for row in shown_in(prompt) if "Ruben" in row["text"]]
        return json.dumps({"shorter": [], "dead": dead})

    model.reply = reply

    life.night()
    first = ours(life)
    life.night()

    assert not any("Ruben" in line for line in first)
    assert first == ours(life)
    assert any("pnpm" in line for line in first)
    (record,) = life.events("evicted")
    assert "Ruben" in record["text"]
    assert "says nothing any more" in record["reason"]


def test_page_with_room_is_left_as_it_is(tmp_path: Path) -> None:
    """
    Nobody is asked for shorter words where all lines fit.
    """
    life, model = life_with(tmp_path, shorter([]))
    life.talk(*SAID)

    life.night()

    assert not any("no room for more" in prompt for prompt in model.prompts)


def test_part_that_changes_takes_the_joined_line_along(tmp_path: Path) -> None:
    """
    What replaces one of two joined statements leaves the other as it was.
    """
    both = (
        "In acme-dashboard: always use pnpm, never npm, and be careful; always write the "
        "commit messages in English in acme-dashboard."
    )
    life, _ = crowded(tmp_path, [(("pnpm", "commit"), both)])
    life.night()
    life.talk(
        "From now on always write the commit messages in German in acme-dashboard."
    )
    # Apart the two take more room than together.
    path = tmp_path / "workspace" / "MEMORY.md"
    path.write_text(life.page.replace(f"- remark 0: {'x' * 68}\n", ""))

    life.night()

    page = "\n".join(ours(life))
    assert "in German" in page
    assert "in English" not in page
    assert "pnpm" in page
