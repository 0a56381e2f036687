"""What rules captured is done again, by a model or by the agent, and nothing is lost."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from builders import Conversation, small_talk, tree
from builders_extraction import (
    NOW,
    Proposing,
    Rows,
    open_with,
    proposed,
    rows_in,
    sync_with,
)

from strata.cli import run
from strata.errors import NotAccepted, SettingsError
from strata.jobs.preparing import Question, commit, prepare
from strata.jobs.redo import RedoReport, redo
from strata.jobs.sync import sync
from strata.jobs.tidy import tidy
from strata.jobs.undo import undo
from strata.model.extraction import HandedIn

if TYPE_CHECKING:
    from pathlib import Path

DAY = "memory/2026-11-20.md"
SINCE = datetime.fromisoformat("2026-11-01T00:00:00+00:00")
PNPM = ("Always use pnpm, never npm, in acme-dashboard", "preference", "use pnpm")
CACHE = ("The build is slow: the cache key contains the date", "finding", "cache key")
BASE = ("PostgreSQL 16 stays, because the reports need ACID", "decision", "16, the")


def good(rows: Rows) -> object:
    return proposed(rows, BASE, PNPM, CACHE)


def entries(workspace: Path) -> list[str]:
    text = (workspace / DAY).read_text(encoding="utf-8")
    return [line[2:] for line in text.splitlines() if line.startswith("- ")]


def redone(
    workspace: Path, state: Path, model: Proposing, **options: Any
) -> RedoReport:
    memory = open_with(workspace, state, model, *options.pop("settings", ()))
    return redo(memory, since=SINCE, **options)


def test_model_replaces_what_rules_wrote(workspace: Path, state: Path) -> None:
    """
    The block keeps its heading, and gets the entries of the model.
    """
    small_talk(state).save()
    sync_with(workspace, state, None)
    heading = (workspace / DAY).read_text(encoding="utf-8").splitlines()[2]
    model = Proposing(good)

    report = redone(workspace, state, model)

    assert entries(workspace) == [
        f"[{kind}] {text}" for text, kind, _ in (BASE, PNPM, CACHE)
    ]
    assert (workspace / DAY).read_text(encoding="utf-8").splitlines()[2] == heading
    assert len(report.redone) == len(model.prompts) == 1


def test_night_lets_the_model_do_again_what_waits(workspace: Path, state: Path) -> None:
    """
    What was written in a hurry becomes no line: the model is asked before the page is.
    """
    small_talk(state).save()
    sync(open_with(workspace, state, Proposing(good)), hurry=True)
    model = Proposing(good)

    tidy(open_with(workspace, state, model, "tidy.mode=auto"))

    assert entries(workspace) == [
        f"[{kind}] {text}" for text, kind, _ in (BASE, PNPM, CACHE)
    ]
    assert any('"facts"' in prompt for prompt in model.prompts)


def test_redo_twice_is_once(workspace: Path, state: Path) -> None:
    """
    What a model did is not done again, and a sync finds nothing to do.
    """
    small_talk(state).save()
    sync_with(workspace, state, None)
    redone(workspace, state, Proposing(good))
    before = tree(workspace / "memory")
    model = Proposing(good)

    report = redone(workspace, state, model)
    sync_with(workspace, state, model)

    assert report.redone == []
    assert model.prompts == []
    assert tree(workspace / "memory") == before


@pytest.mark.parametrize(
    ("old", "new"),
    [("PostgreSQL 16", "PostgreSQL sixteen"), ("- [", "- added\n- ["), ("\n- ", "\n")],
)
def test_edited_block_stays(workspace: Path, state: Path, old: str, new: str) -> None:
    """
    Not a letter of what somebody has changed, added or taken out is touched.
    """
    small_talk(state).save()
    sync_with(workspace, state, None)
    note = workspace / DAY
    assert old in note.read_text()
    note.write_text(note.read_text().replace(old, new, 1))
    before = tree(workspace / "memory")
    model = Proposing(good)

    redone(workspace, state, model)

    assert tree(workspace / "memory") == before
    assert model.prompts == []


def test_what_stands_around_a_block_stays(workspace: Path, state: Path) -> None:
    """
    Only the block itself is replaced.
    """
    small_talk(state).save()
    sync_with(workspace, state, None)
    note = workspace / DAY
    note.write_text(f"hand-written\n\n{note.read_text()}\n* below\n")

    redone(workspace, state, Proposing(good))

    text = note.read_text()
    assert text.startswith("hand-written\n")
    assert text.endswith("\n* below\n")
    assert f"- [preference] {PNPM[0]}\n" in text


def test_undo_takes_it_back(workspace: Path, state: Path) -> None:
    """
    The notes are again what the rules wrote, byte for byte, and can be redone.
    """
    small_talk(state).save()
    sync_with(workspace, state, None)
    before = tree(workspace / "memory")
    report = redone(workspace, state, Proposing(good))

    undo(open_with(workspace, state, None), report.run)

    assert tree(workspace / "memory") == before
    assert len(redone(workspace, state, Proposing(good)).redone) == 1


def another(state: Path) -> Conversation:
    return Conversation(state, "71871d67-1111-4222-8333-444444444444", "agent:main:two")


def test_small_conversations_of_a_day_are_one_question(
    workspace: Path, state: Path
) -> None:
    """
    Each fact stands under its own conversation; what cites two of them, under none.
    """
    small_talk(state).save()
    other = another(state)
    other.at += timedelta(minutes=30)
    other.user("Remember: the archive key hangs behind the door.").agent("Ok.")
    other.user("It is the brass one on the left hook.").agent("Ok.").save()
    sync_with(workspace, state, None)
    brass = ("The brass one on the left hook", "finding", "brass one")

    def told(rows: Rows) -> object:
        mixed = {"text": "Use pnpm, brass one", "kind": "finding"}
        both = [1, max(row["id"] for row in rows)]
        return [*proposed(rows, PNPM, brass), {**mixed, "messages": both}]

    model = Proposing(told)

    report = redone(workspace, state, model)

    assert len(model.prompts) == 1
    assert [block.entries for _, block, _ in report.redone] == [
        (f"[{kind}] {text}",) for text, kind, _ in (PNPM, brass)
    ]


def test_cap_leaves_the_rest_for_the_next_time(workspace: Path, state: Path) -> None:
    """
    Past the cap nothing changes, and the next redo goes on there.
    """
    small_talk(state).save()
    other = another(state)
    other.at -= timedelta(days=1)
    other.user("Remember: the archive key hangs behind the door.").agent("Ok.")
    other.user("It is the brass one on the left hook.").agent("Ok.").save()
    sync_with(workspace, state, None)
    capped = ("model.max_calls_per_run=1",)
    key = ("The archive key hangs behind the door", "finding", "archive key")

    def told(rows: Rows) -> object:
        known = any("archive key" in str(row) for row in rows)
        return proposed(rows, key) if known else good(rows)

    first = redone(workspace, state, Proposing(told), settings=capped)
    second = redone(workspace, state, Proposing(told), settings=capped)

    assert (len(first.redone), first.left) == (1, 1)
    assert (len(second.redone), second.left) == (1, 0)


def test_dry_run_asks_nobody(workspace: Path, state: Path) -> None:
    """
    It says how many blocks there are, and costs nothing.
    """
    small_talk(state).save()
    sync_with(workspace, state, None)
    before = tree(workspace)
    model = Proposing(good)

    report = redone(workspace, state, model, dry_run=True)

    assert report.left == 1
    assert model.prompts == []
    assert tree(workspace, without=".strata/locks") == {
        path: text
        for path, text in before.items()
        if not path.startswith(".strata/locks")
    }


def test_redo_without_a_model_says_what_to_do(workspace: Path, state: Path) -> None:
    """
    One line names the setting and the other way.
    """
    with pytest.raises(SettingsError, match=r"model\.provider.*--prepare"):
        redo(open_with(workspace, state, None), since=SINCE)


def asked(workspace: Path, state: Path) -> Question | None:
    memory = open_with(workspace, state, None)
    return prepare(memory, since=SINCE, command="strata sync --commit")


def answer(
    question: Question, *facts: tuple[str, str, str], token: str = ""
) -> HandedIn:
    rows = rows_in(question.text)
    told = {"token": token or question.token, "facts": proposed(rows, *facts)}
    return HandedIn.model_validate_json(json.dumps(told))


def test_agent_takes_the_place_of_the_model(workspace: Path, state: Path) -> None:
    """
    What it hands in is held to the words and written as a model's answer is.
    """
    small_talk(state).save()
    sync_with(workspace, state, None)
    question = asked(workspace, state)
    assert question is not None
    lie = ("Use yarn 4 in acme-dashboard", "preference", "use pnpm")

    report = commit(
        open_with(workspace, state, None), answer(question, BASE, PNPM, CACHE, lie)
    )

    assert entries(workspace) == [
        f"[{kind}] {text}" for text, kind, _ in (BASE, PNPM, CACHE)
    ]
    assert report.unsupported_facts == 1
    assert asked(workspace, state) is None


def test_stale_answer_is_refused(workspace: Path, state: Path) -> None:
    """
    An answer to an older question, or to none, changes nothing.
    """
    small_talk(state).save()
    sync_with(workspace, state, None)
    before = tree(workspace / "memory")
    question = asked(workspace, state)
    assert question is not None
    memory = open_with(workspace, state, None)

    with pytest.raises(NotAccepted, match="sync --prepare"):
        commit(memory, answer(question, PNPM, token="0" * 16))

    assert tree(workspace / "memory") == before


def test_block_that_changed_meanwhile_is_left_alone(
    workspace: Path, state: Path
) -> None:
    """
    The answer is accepted, and writes nothing over what a person wrote.
    """
    small_talk(state).save()
    sync_with(workspace, state, None)
    question = asked(workspace, state)
    assert question is not None
    note = workspace / DAY
    note.write_text(note.read_text().replace("pnpm", "PNPM"))
    before = tree(workspace / "memory")

    report = commit(open_with(workspace, state, None), answer(question, PNPM))

    assert report.redone == []
    assert tree(workspace / "memory") == before


def test_empty_answer_says_that_all_stays(
    workspace: Path, state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    An agent that finds nothing to keep is told so in a plain sentence.
    """
    small_talk(state).save()
    sync_with(workspace, state, None)
    question = asked(workspace, state)
    assert question is not None
    handed_in = workspace.parent / "answer.json"
    handed_in.write_text(json.dumps({"token": question.token, "facts": []}))
    before = tree(workspace / "memory")
    options = ["--workspace", str(workspace), "--state-dir", str(state)]

    assert run([*options, "sync", "--commit", str(handed_in)]) == 0

    told = "sync: the answer holds nothing to write, so all stays as it was\n"
    assert capsys.readouterr().out == told
    assert tree(workspace / "memory") == before


def test_committing_twice_is_once(workspace: Path, state: Path) -> None:
    """
    A turn that is repeated finds its work done.
    """
    small_talk(state).save()
    sync_with(workspace, state, None)
    question = asked(workspace, state)
    assert question is not None
    commit(open_with(workspace, state, None), answer(question, BASE, PNPM, CACHE))
    before = tree(workspace / "memory")

    again = commit(
        open_with(workspace, state, None), answer(question, BASE, PNPM, CACHE)
    )

    assert again.redone == []
    assert again.unsupported_facts == 0
    assert tree(workspace / "memory") == before


def test_question_has_a_bounded_size(workspace: Path, state: Path) -> None:
    """
    What does not fit is asked about after the first is answered.
    """
    for number in range(12):
        talk = Conversation(state, id=f"{number:08d}-1111-4222-8333-444444444444")
        talk.key = f"agent:main:chat{number}"
        for shelf in range(20):
            talk.user(f"Remember: shelf {number}-{shelf} holds maps. " + "x y z " * 20)
            talk.agent("Noted.")
        talk.save()
    sync_with(workspace, state, None)

    question = asked(workspace, state)

    assert question is not None
    assert 1 <= question.blocks < 12
    assert len(question.text) < 36_000
    assert NOW not in question.text


def test_block_is_asked_about_once(workspace: Path, state: Path) -> None:
    """
    An agent that finds nothing to keep is not asked again, and the block stays.
    """
    small_talk(state).save()
    sync_with(workspace, state, None)
    before = tree(workspace / "memory")
    question = asked(workspace, state)
    assert question is not None

    commit(open_with(workspace, state, None), answer(question))

    assert asked(workspace, state) is None
    assert tree(workspace / "memory") == before


def test_what_memory_relies_on_stays(workspace: Path, state: Path) -> None:
    """
    An entry behind a line of MEMORY.md is kept, and not said twice.
    """
    small_talk(state).save()
    sync_with(workspace, state, None)
    relied = next(entry for entry in entries(workspace) if "pnpm" in entry)
    memory = open_with(workspace, state, None)
    [record] = memory.journal.records("captured")
    place = entries(workspace).index(relied)
    source = {"entry_id": record["entries"][place]["id"], "day": "2026-11-20"}
    memory.journal.append([{"event": "promoted", "id": "a" * 12, "sources": [source]}])

    redone(workspace, state, Proposing(good))

    texts = entries(workspace)
    assert relied in texts
    assert sum("pnpm" in text for text in texts) == 1
    assert any(CACHE[0] in text for text in texts)


def test_fact_that_cites_no_message_of_the_question_is_counted(
    workspace: Path, state: Path
) -> None:
    """
    It is refused like any other that nobody said.
    """
    small_talk(state).save()
    sync_with(workspace, state, None)
    question = asked(workspace, state)
    assert question is not None
    told = answer(question, BASE, PNPM, CACHE)
    stray = told.facts[0].model_copy(update={"messages": (99,)})

    report = commit(
        open_with(workspace, state, None),
        told.model_copy(update={"facts": (*told.facts, stray)}),
    )

    assert report.unsupported_facts == 1
    assert len(report.redone) == 1
