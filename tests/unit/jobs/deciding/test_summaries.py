"""A model words the weeks, and nothing is lost, changed or added."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from builders_model import life_with, shown_in
from killing import Killed, killed_before

from strata.errors import ModelTimedOut
from strata.history.ledger import statement_id
from strata.jobs.mentions import gather
from strata.jobs.tidy import tidy
from strata.models import Origin

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from builders_model import FakeModel, ModelLife

    from strata.memory import Memory

DUCK = "We decided: DuckDB, because ClickHouse would need a server, honestly."
PNPM = "From now on always use pnpm, never npm, in acme-dashboard."
CAUSE = "Turns out the cause is the cache: 14 GB in 3 minutes on node hx-7."
WEEK = "memory/weekly/2026-11-02.md"


def summary(**answers: Any) -> Callable[[str], str]:
    """
    A model that gives each entry the line that *answers* has for a word of it.

    None leaves the entry out; what has no answer stays as it is. It has no opinions.
    """

    def reply(prompt: str) -> str:
        if "summary of a week" not in prompt:
            return json.dumps({"verdicts": []})
        lines, left_out = [], []
        for each in shown_in(prompt):
            word = next((w for w in answers if w in each["text"]), "")
            if word and answers[word] is None:
                left_out.append(each["id"])
                continue
            lines.append(
                {
                    "entries": [each["id"]],
                    "tag": each["tag"] or "task",
                    "text": answers.get(word, each["text"]),
                }
            )
        return json.dumps({"lines": lines, "left_out": left_out}, ensure_ascii=False)

    return reply


def old(tmp_path: Path, reply: Callable[[str], Any]) -> tuple[ModelLife, FakeModel]:
    """
    A life in which what was said is nine days old.
    """
    life, model = life_with(tmp_path, reply)
    life.talk(DUCK, PNPM, CAUSE)
    life.day = 9
    return life, model


def decline(memory: Memory, word: str) -> None:
    """
    The owner declines what is noted with *word* in it.
    """
    (told,) = (each for each in gather(memory) if word in each.text)
    record = {"event": "declined", "id": statement_id(told.text), "text": told.text}
    memory.journal.append([record])


def week(life: ModelLife) -> list[str]:
    text = life.memory().workspace.read(WEEK)
    return [line for line in text.splitlines() if line.startswith("[")]


def test_week_is_worded_by_the_model(tmp_path: Path) -> None:
    """
    A tighter line that keeps everything stands in the week, with its day.
    """
    tight = "DuckDB, because ClickHouse would need a server."
    life, _ = old(tmp_path, summary(DuckDB=tight))

    life.night()

    assert f"[decision] {tight} (src: 2026-11-02)" in week(life)
    assert any("14 GB in 3 minutes on node hx-7" in line for line in week(life))
    record, *_ = life.events("summarised")
    assert "scripted/one" == record["model"]
    assert record["prompt"].startswith("summarise_week@")


@pytest.mark.parametrize(
    ("word", "wrong"),
    [
        ("14 GB", "The cause is the cache: 41 GB in 3 minutes on node hx-7."),
        ("14 GB", "The cause is the cache: 14 GB in 3 minutes on node hx-1."),
        ("14 GB", "The cause is the cache."),
        ("14 GB", "The cause is not the cache: 14 GB in 3 minutes on node hx-7."),
        ("14 GB", "原因是缓存:14 GB in 3 minutes on node hx-7."),
        ("DuckDB", "DuckDB."),
        ("DuckDB", "ClickHouse, because DuckDB would need a server."),
        ("pnpm", "Use npm, never pnpm, in acme-dashboard."),
        ("pnpm", "Use pnpm in acme-dashboard. Ruben approved it."),
    ],
)
def test_line_that_says_otherwise_is_worded_by_the_rules(
    tmp_path: Path, word: str, wrong: str
) -> None:
    """
    The entry itself stands there, as it would without a model.
    """
    life, _ = old(tmp_path / "with", summary(**{word: wrong}))
    life.night()
    other, _ = old(tmp_path / "without", summary())
    other.model = None
    other.night()

    assert week(other) == week(life)


def test_line_that_says_otherwise_is_worded_once_more(tmp_path: Path) -> None:
    """
    The model hears what was wrong, and what it says then stands in the week.
    """
    wrong, good = "DuckDB.", "DuckDB, because ClickHouse would need a server."
    told = summary(DuckDB=wrong)

    def mending(prompt: str) -> Any:
        if "could not be taken" not in prompt:
            return told(prompt)
        (row,) = shown_in(prompt)
        assert wrong == row["line"]
        assert row["reason"]
        return json.dumps({"lines": [{"id": row["id"], "line": good}]})

    life, _ = old(tmp_path, mending)

    life.night()

    assert f"[decision] {good} (src: 2026-11-02)" in week(life)


def test_anything_may_be_left_out(tmp_path: Path) -> None:
    """
    A wrongly tagged decision is not frozen in the week; its note keeps it.
    """
    life, _ = old(tmp_path, summary(DuckDB=None))

    life.night()

    assert week(life)
    assert not any("DuckDB" in line for line in week(life))
    assert "DuckDB" in life.memory().workspace.read("memory/archive/2026/2026-11-02.md")


def test_line_may_rest_on_several_days(tmp_path: Path) -> None:
    """
    A week is one question; what is about one thing stands once, with all its days.
    """
    life, model = life_with(tmp_path, lambda _: json.dumps({"verdicts": []}))
    life.talk("Turns out the cause is the cache: 14 GB on node hx-7.")
    life.day = 2
    life.talk("Turns out the cache also fills node hx-9: 3 GB there.")
    life.day = 9
    merged = (
        "The cause is the cache: 14 GB on node hx-7; the cache also fills hx-9: 3 GB."
    )

    def reply(prompt: str) -> str:
        if "summary of a week" not in prompt:
            return json.dumps({"verdicts": []})
        rows = [row["id"] for row in shown_in(prompt) if "cache" in row["text"]]
        rest = [row["id"] for row in shown_in(prompt) if row["id"] not in rows]
        line = {"entries": rows, "tag": "finding", "text": merged}
        return json.dumps({"lines": [line], "left_out": rest})

    model.reply = reply
    life.night()
    first = week(life)
    life.day += 9
    life.night()

    days = "2026-11-02, 2026-11-04"
    assert [f"[finding] {merged} (src: {days})"] == first == week(life)
    assert 1 == sum("summary of a week" in each for each in model.prompts)


def test_nothing_declined_is_in_a_week(tmp_path: Path) -> None:
    """
    The model is told what the owner declined, and code holds it to that.
    """
    life, model = old(tmp_path, summary())
    decline(life.memory(), "pnpm")

    life.night()

    (prompt,) = (each for each in model.prompts if "summary of a week" in each)
    gone = [row["text"] for row in shown_in(prompt) if row.get("gone") == "declined"]
    assert 1 == len(gone)
    assert "pnpm" in gone[0]
    assert not any("pnpm" in line for line in week(life))


def test_week_costs_one_call_and_is_not_paid_for_again(tmp_path: Path) -> None:
    """
    A second night asks nothing, and adds nothing.
    """
    life, model = old(
        tmp_path, summary(DuckDB="DuckDB, because ClickHouse would need a server.")
    )
    life.night()
    asked = [p for p in model.prompts if "summary of a week" in p]
    first = week(life)

    life.night()

    assert 1 == len(asked)
    assert asked == [p for p in model.prompts if "summary of a week" in p]
    assert first == week(life)


def test_killed_before_the_week_and_then_without_a_model(tmp_path: Path) -> None:
    """
    What the model said is in the journal, so the week is the same.
    """
    tight = "DuckDB, because ClickHouse would need a server."
    life, _ = old(tmp_path, summary(DuckDB=tight))
    with killed_before(7), pytest.raises(Killed):
        tidy(life.memory(hours=17))
    assert life.memory().workspace.read(WEEK) == ""

    life.model = None
    life.night()

    assert 1 == sum("DuckDB" in line for line in week(life))
    assert f"[decision] {tight} (src: 2026-11-02)" in week(life)


def test_model_that_is_down_leaves_the_week_to_the_rules(tmp_path: Path) -> None:
    """
    A week is written all the same, and stays as it was written.
    """
    life, model = old(tmp_path, lambda _: ModelTimedOut("did not answer in time"))
    life.night()
    first = week(life)

    model.reply = summary(DuckDB="DuckDB, because ClickHouse would need a server.")
    life.night()

    assert 3 == len(first)
    assert first == week(life)


def test_words_of_the_week_are_evidence_when_the_day_is_gone(tmp_path: Path) -> None:
    """
    A line in the model's words still rests on what the owner said.
    """
    line = "Always use pnpm, never npm, in acme-dashboard."
    life, _ = old(tmp_path, summary(pnpm=line))
    life.night()
    before = [each for each in life.lines if "pnpm" in each]
    workspace = life.memory().workspace
    (workspace.root / "memory/archive/2026/2026-11-02.md").unlink()

    life.night()

    mentions = [m for m in gather(life.memory()) if "pnpm" in m.text]
    assert [Origin.OWNER] == [mention.origin for mention in mentions]
    assert 1 == len(before)
    assert 1 == len([each for each in life.lines if "pnpm" in each])
