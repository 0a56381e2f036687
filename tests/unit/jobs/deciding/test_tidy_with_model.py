"""A night with a model behind a real endpoint: what it costs, and when it fails."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from builders import Conversation
from builders_extraction import proposed, rows_in
from builders_life import FIRST, Life, new_life
from builders_model import careful, life_with, shown_in
from click.testing import CliRunner
from scripted_model import (
    HALF,
    PATIENCE_SECONDS,
    REFUSAL,
    Reply,
    Slow,
    answering,
    fails,
)

from strata.cli import commands
from strata.hookspecs import hookimpl
from strata.jobs.forgetting.forget import forget
from strata.jobs.forgetting.target import Target
from strata.jobs.settle import settle
from strata.jobs.sync import sync
from strata.jobs.tidy import tidy
from strata.memory import Memory
from strata.models import Judgement, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from scripted_model import ScriptedModel

    from strata.models import Claim

GREY = "We picked the blue logo this time."
RULE = "From now on always use pnpm, never npm, in acme-dashboard."


def reply(prompt: str) -> str:
    """
    A careful judge, who leaves the weeks as they are.
    """
    if "long-term memory: one page" in prompt:
        return careful(["blue logo", "pnpm"])(prompt)
    return json.dumps({"lines": [], "left_out": []})


def night(life: Life, model: ScriptedModel) -> dict[str, Any]:
    """
    What ``strata --json tidy`` prints in the night of that day.
    """
    memory = life.memory(hours=17)
    where = ["--workspace", str(life.root / "workspace")]
    where += ["--state-dir", str(life.root / "state"), "--now", memory.now.isoformat()]
    where += [f"--set={each}" for each in ("timezone=UTC", *model.settings)]
    done = CliRunner().invoke(commands, [*where, "--json", "tidy"])
    life.day += 1
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert isinstance(told, dict)
    return told


def test_night_tells_what_the_model_did(tmp_path: Path) -> None:
    """
    Calls, tokens and candidates stand in the JSON; the next night asks nothing.
    """
    life = new_life(tmp_path)
    life.talk(GREY, RULE)

    with answering(reply) as model:
        first, second = night(life, model), night(life, model)

    assert (1, 2, 0) == tuple(
        first["model"][key] for key in ("calls", "judged", "left_to_rules")
    )
    assert first["model"]["tokens"] > 0
    assert {"openai/scripted", None} >= {
        each.get("model") for each in first["promoted"]
    }
    assert 2 == len(life.lines)
    assert (0, 0) == (second["model"]["calls"], second["model"]["judged"])


def test_choice_is_asked_about_in_the_words_of_the_note(tmp_path: Path) -> None:
    """
    What the model proposed by day goes to the night's question as it was worded.
    """
    noted = "Valkey 8 is the only cache, as the licence changed."
    life = new_life(tmp_path)
    said = "So we decided: Valkey 8 is the only cache, as the licence changed."
    life.talk(said, sync_now=False)

    def answer(prompt: str) -> str:
        if "long-term memory: one page" in prompt:
            return careful(["Valkey"])(prompt)
        facts = proposed(rows_in(prompt), (noted, "decision", "only cache"))
        return json.dumps({"facts": facts})

    with answering(answer) as model:
        memory = Memory.open(
            workspace=str(tmp_path / "workspace"),
            state_dir=str(tmp_path / "state"),
            now=life.memory(hours=2).now.isoformat(),
            overrides=model.settings,
        )
        sync(memory)
        night(life, model)

    (line,) = life.lines
    assert line.startswith(f"- {noted}")
    assert any([noted] == each.get("said") for each in shown_in(model.prompts[-1]))


@contextmanager
def night_that_thinks(life: Life) -> Iterator[Slow]:
    """
    Tidy in a thread; the body runs while the model thinks, and then it may answer.
    """
    answer = Slow(reply)
    with answering(answer) as model:
        thread = threading.Thread(target=night, args=(life, model))
        thread.start()
        assert answer.asked.wait(PATIENCE_SECONDS)
        try:
            yield answer
            assert thread.is_alive()
        finally:
            answer.may_answer.set()
            thread.join(PATIENCE_SECONDS)
        assert len(model.requests) == 1


def test_no_event_waits_for_a_night_that_thinks(tmp_path: Path) -> None:
    """
    A conversation that ends meanwhile is settled at once, and the answer still counts.
    """
    life = new_life(tmp_path)
    life.talk(GREY, RULE)
    told = Conversation(
        tmp_path / "state",
        "feedbeef-0000-4000-8000-000000000000",
        "agent:main:late",
        FIRST + timedelta(hours=12),
    )
    told.user("We decided to host in Frankfurt, because the data must stay here.")
    told.agent("Noted.").user("Thanks, bye").agent("Bye.").save()

    with night_that_thinks(life) as answer:
        settled = settle(life.memory(hours=16), told.id)
        assert not answer.may_answer.is_set()

    assert len(settled.captured) == 1
    assert any("blue logo" in line for line in life.lines)
    assert any("pnpm" in line for line in life.lines)


def test_answer_about_what_has_changed_is_not_used(tmp_path: Path) -> None:
    """
    What the owner takes out of the note meanwhile gets no line, and no record either.
    """
    life = new_life(tmp_path)
    life.talk(GREY, RULE)
    (note,) = (tmp_path / "workspace" / "memory").glob("*.md")

    with night_that_thinks(life):
        lines = note.read_text().splitlines(keepends=True)
        note.write_text("".join(line for line in lines if "logo" not in line))

    assert not any("logo" in line for line in life.lines)
    judged = " ".join(str(each) for each in life.events("judged"))
    assert "pnpm" in judged
    assert "logo" not in judged


def test_answer_is_dropped_where_something_was_forgotten_meanwhile(
    tmp_path: Path,
) -> None:
    """
    The model had read it, so no word of its answer is kept.
    """
    life = new_life(tmp_path)
    life.talk(GREY, RULE)

    with night_that_thinks(life):
        forget(life.memory(hours=16), Target("pnpm"))

    assert life.events("judged") == []
    assert life.lines == []


@pytest.mark.parametrize(
    "fault",
    [
        lambda _: fails(500),
        lambda _: fails(429, retry_after="600"),
        lambda _: "",
        lambda _: HALF,
        lambda _: REFUSAL,
        lambda _: Reply(body=b"<html>", status=502),
        lambda prompt: f"{reply(prompt)}\n{reply(prompt)}",
        lambda _: '{"verdicts": []}',
        lambda prompt: reply(prompt).replace('"why": ""', '"why": "fine"'),
    ],
    ids=["500", "429", "empty", "half", "refusal", "html", "twice", "none", "types"],
)
def test_whatever_fails_the_rules_do_the_night(
    tmp_path: Path, fault: Callable[[str], str | Reply]
) -> None:
    """
    The exit code is 0, the notes say why, and what the rules keep is there.
    """
    life, other = new_life(tmp_path / "with"), new_life(tmp_path / "without")
    for each in (life, other):
        each.talk(GREY, RULE)

    with answering(fault) as model:
        told = night(life, model)
    other.night()

    assert other.lines == life.lines
    assert 2 == told["model"]["left_to_rules"]
    assert told["model"]["notes"]
    assert told["model"]["calls"] <= 2


def test_prose_around_the_answer_does_no_harm(tmp_path: Path) -> None:
    """
    One JSON object is found in whatever stands around it.
    """
    life = new_life(tmp_path)
    life.talk(GREY)

    with answering(lambda prompt: f"Sure!\n```json\n{reply(prompt)}\n```\nDone.") as it:
        told = night(life, it)

    assert 1 == told["model"]["judged"]
    assert "blue logo" in life.lines[0]


def test_no_secret_reaches_the_model(tmp_path: Path) -> None:
    """
    What was redacted when it was read is not shown, and neither are orders to machines.
    """
    life = new_life(tmp_path)
    life.talk(GREY, "From now on the password of the wiki is tulip-Harbour.19, always.")

    with answering(reply) as model:
        night(life, model)

    assert shown_in(model.prompts[0])
    assert not any("tulip-Harbour" in prompt for prompt in model.prompts)


class Stern:
    """
    A plugin that judges everything itself.
    """

    @hookimpl
    def judge_candidates(self, candidates: Sequence[Claim]) -> list[Judgement]:
        no = Verdict(holds=False, reason="I keep nothing, whatever it says")
        return [
            Judgement(each.text, "Key Decisions", 5, 0.5, no, no, no)
            for each in candidates
        ]


def test_plugin_comes_before_the_model(tmp_path: Path) -> None:
    """
    What somebody else's code judges is neither asked nor judged again.
    """
    life, model = life_with(tmp_path, careful(["blue logo"]))
    life.talk(GREY)
    memory = life.memory(hours=17)
    memory.plugins.register(Stern())

    tidy(memory)

    assert life.lines == []
    assert model.prompts == []
