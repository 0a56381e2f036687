"""While a model thinks, memory is free: nobody waits for it, and nothing is lost."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING

import pytest
from builders import small_talk, tree
from builders_extraction import NOW, proposed, rows_in
from click.testing import CliRunner
from scripted_model import (
    PATIENCE_SECONDS,
    REFUSAL,
    Reply,
    ScriptedModel,
    Slow,
    answering,
    says,
)

from strata.cli import commands
from strata.jobs.redo import redo, redo_waiting
from strata.jobs.remember import remember
from strata.jobs.settle import catch_up, settle
from strata.jobs.sync import sync
from strata.memory import Memory
from strata.workspace.tombstones import Tombstone

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DAY = "memory/2026-11-20.md"
PNPM = ("Always use pnpm, never npm, in acme-dashboard", "preference", "use pnpm")
CACHE = ("The build is slow: the cache key contains the date", "finding", "cache key")
BASE = ("PostgreSQL 16 stays, because the reports need ACID", "decision", "16, the")
BY_MODEL = [f"[{kind}] {text}" for text, kind, _ in (BASE, PNPM, CACHE)]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "workspace").mkdir()
    small_talk(tmp_path / "state").save()
    return tmp_path


def good(prompt: str) -> Reply:
    return says({"facts": proposed(rows_in(prompt), BASE, PNPM, CACHE)})


def open_memory(root: Path, model: ScriptedModel | None = None) -> Memory:
    return Memory.open(
        workspace=str(root / "workspace"),
        state_dir=str(root / "state"),
        now=NOW,
        overrides=["timezone=UTC", *(model.settings if model else ())],
    )


def entries(root: Path) -> list[str]:
    text = (root / "workspace" / DAY).read_text(encoding="utf-8")
    return [line[2:] for line in text.splitlines() if line.startswith("- ")]


@pytest.fixture
def slow() -> Iterator[tuple[Slow, ScriptedModel]]:
    answer = Slow(good)
    with answering(answer) as model:
        yield answer, model
        answer.may_answer.set()


@pytest.mark.parametrize("job", ["sync", "redo"])
def test_memory_is_free_while_the_model_thinks(
    root: Path, slow: tuple[Slow, ScriptedModel], job: str
) -> None:
    """
    `remember` and an event of the same conversation are done before the model answers.
    """
    answer, model = slow
    if job == "redo":
        sync(open_memory(root))
    [session] = [each.id for each in open_memory(root).transcripts({}).sessions()]
    memory = open_memory(root, model)
    work = {
        "sync": lambda: sync(memory),
        "redo": lambda: redo(memory, since=memory.now),
    }
    thread = threading.Thread(target=work[job])
    thread.start()
    assert answer.asked.wait(PATIENCE_SECONDS)

    remember(open_memory(root), "The spare key hangs behind the door.")
    settle(open_memory(root, model), session)
    before = entries(root)

    assert not answer.may_answer.is_set()
    assert thread.is_alive()
    assert any("ACID" in entry for entry in before)
    answer.may_answer.set()
    thread.join(PATIENCE_SECONDS)
    redo_waiting(open_memory(root, model))
    assert [entry for entry in entries(root) if "spare key" not in entry] == BY_MODEL
    assert len(model.requests) == 1


def test_event_writes_by_rules_and_the_model_follows(root: Path) -> None:
    """
    The note stands without a call; the next catching up costs one, and no other follows.
    """
    with answering(good) as model:
        memory = open_memory(root, model)
        [session] = [each.id for each in memory.transcripts({}).sessions()]
        settle(memory, session)
        by_rules, calls = entries(root), len(model.requests)

        catch_up(open_memory(root, model))
        by_model = entries(root)
        catch_up(open_memory(root, model))

    assert calls == 0
    assert by_rules != by_model == BY_MODEL
    assert len(model.requests) == 1


def test_model_that_fails_is_not_asked_again_by_itself(root: Path) -> None:
    """
    What the rules wrote in a hurry stays; only `sync --redo` comes back to it.
    """
    with answering(lambda _prompt: Reply(REFUSAL)) as model:
        memory = open_memory(root, model)
        [session] = [each.id for each in memory.transcripts({}).sessions()]
        settle(memory, session)
        before = tree(root / "workspace" / "memory")
        catch_up(open_memory(root, model))
        calls = len(model.requests)
        catch_up(open_memory(root, model))

        assert tree(root / "workspace" / "memory") == before
        assert calls == len(model.requests) == 2  # one to mend the form

        model.answer = good
        redo(open_memory(root, model), since=memory.now)

    assert entries(root) == BY_MODEL


def test_words_said_while_the_model_thinks_are_captured_next(tmp_path: Path) -> None:
    """
    The answer counts for what the model had read; the rest is not lost.
    """
    (tmp_path / "workspace").mkdir()
    talk = small_talk(tmp_path / "state")
    talk.save()

    def answer(prompt: str) -> Reply:
        if "archive" not in prompt:
            talk.user("Remember: the archive key hangs behind the door.").agent("Ok.")
            talk.save()
            return good(prompt)
        key = ("The archive key hangs behind the door", "finding", "archive key")
        return says({"facts": proposed(rows_in(prompt), key)})

    with answering(answer) as model:
        sync(open_memory(tmp_path, model))
        assert entries(tmp_path) == BY_MODEL

        sync(open_memory(tmp_path, model))

    assert any("archive key" in entry for entry in entries(tmp_path))
    assert len(model.requests) == 2


def test_answer_to_what_was_forgotten_meanwhile_is_not_kept(root: Path) -> None:
    """
    The model had read it, so what it says may hold it.
    """
    memory = open_memory(root)

    def answer(prompt: str) -> Reply:
        memory.tombstones.prepare()
        memory.tombstones.add(Tombstone("1" * 12, NOW, "text"))
        return good(prompt)

    with answering(answer) as model:
        sync(open_memory(root, model))

    cache = memory.workspace.layout.model_cache_folder
    assert len(model.requests) == 1
    assert list(cache.glob("*.json")) == []
    assert entries(root)


def test_dry_run_asks_nobody_and_says_so(root: Path) -> None:
    """
    Nothing is written, not even a cost.
    """
    given = ["--workspace", str(root / "workspace"), "--state-dir", str(root / "state")]
    given += ["--now", NOW, "--set", "timezone=UTC"]
    with answering(good) as model:
        for setting in model.settings:
            given += ["--set", setting]
        told = CliRunner().invoke(commands, [*given, "sync", "--dry-run"])
        report = CliRunner().invoke(commands, [*given, "--json", "sync", "--dry-run"])

    assert model.requests == []
    assert "the model was not asked" in told.stdout
    assert json.loads(report.stdout)["model"]["calls"] == 0
    assert json.loads(report.stdout)["captured"]
    assert not (root / "workspace" / DAY).exists()


def test_progress_is_told_once(root: Path) -> None:
    """
    Asking and writing are one way to go: the bar does not begin anew.
    """
    told: list[tuple[int, int]] = []
    with answering(good) as model:
        sync(
            open_memory(root, model), progress=lambda done, of: told.append((done, of))
        )

    assert told == [(0, 1), (1, 1)]
