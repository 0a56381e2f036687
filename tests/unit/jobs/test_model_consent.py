"""What was said goes to a model only after a person has agreed to that, by name."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import fake_openclaw
import pytest
from builders import Conversation
from builders_memory import open_memory

from strata.cli import run
from strata.errors import NotFound
from strata.jobs.connection.model_consent import decide, offer
from strata.workspace.settings_file import is_set

if TYPE_CHECKING:
    from pathlib import Path


PRIMARY = {"primary": "mock/mock-1"}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """
    A folder with a stand-in for an OpenClaw that has a model.
    """
    (tmp_path / "workspace").mkdir()
    state = tmp_path / "state"
    (state / "agents" / "main").mkdir(parents=True)
    defaults = {"workspace": str(tmp_path / "workspace"), "model": PRIMARY}
    (state / "openclaw.json").write_text(json.dumps({"agents": {"defaults": defaults}}))
    monkeypatch.setenv("STRATA_OPENCLAW", str(fake_openclaw.make(state)))
    return tmp_path


def install(root: Path, *arguments: str) -> int:
    """
    Run `strata install` and return its exit code.
    """
    return run(["install", "--state-dir", str(root / "state"), *arguments])


def provider(root: Path) -> str:
    """
    What the settings now say.
    """
    return open_memory(root).settings.model_provider


def test_yes_is_no_consent_to_send_text_away(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    It is shown what a model would see and cost, and how to agree; nothing is set.
    """
    assert 0 == install(root, "--yes")

    said = capsys.readouterr()
    assert "mock/mock-1, can judge what is worth keeping" in said.out
    assert "it would see: what is said in private conversations" in said.out
    assert "at most 200,000 tokens a day" in said.out
    assert "no language model is asked; to change that" in said.err
    assert not open_memory(root).workspace.layout.settings_file.exists()


def test_consent_by_name_is_written_down(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    Then it is not asked again, and can be taken back.
    """
    assert 0 == install(root, "--yes", "--model", "openclaw")
    assert "openclaw" == provider(root)
    assert "your agent's own model may be asked" in capsys.readouterr().err

    assert 0 == install(root, "--yes")
    assert "would see" not in capsys.readouterr().out

    assert 0 == install(root, "--yes", "--model", "none")
    assert "no language model is asked" in capsys.readouterr().err
    assert "none" == provider(root)
    assert offer([open_memory(root)]) is None


@pytest.mark.parametrize(("answer", "chosen"), [("y", "openclaw"), ("", "none")])
def test_person_is_asked(
    root: Path, monkeypatch: pytest.MonkeyPatch, answer: str, chosen: str
) -> None:
    """
    The answer is no unless it is yes, and either is remembered.
    """

    def reply(question: str) -> str:
        return answer if "that model" in question else "y"

    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("click.termui.visible_prompt_func", reply)

    assert 0 == install(root)

    assert chosen == provider(root)
    assert is_set(open_memory(root).workspace, "model.provider")


def test_question_stands_below_what_it_means(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    Who is asked reads what the model would see and cost right above the question, once.
    """
    above: list[str] = []

    def reply(question: str) -> str:
        if "that model" in question:
            above.append(capsys.readouterr().err.strip().splitlines()[-1])
        return "y"

    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("click.termui.visible_prompt_func", reply)

    assert 0 == install(root)
    assert 0 == install(root)

    (line,) = above
    assert line.startswith("  it would cost: ")


def test_cost_is_that_of_the_owners_own_days(root: Path) -> None:
    """
    The messages of the last two weeks say what a day would cost, those of groups do not.
    """
    talk = Conversation(root / "state")
    for number in range(140):
        talk.user(f"The gate of hall {number} opens at {number % 24} o'clock.")
    talk.save()
    group = Conversation(
        root / "state", id="72982e78-1111", key="agent:main:telegram:group:-100200300"
    )
    for number in range(500):
        group.user(f"Somebody else says {number}.")
    group.save()

    offered = offer([open_memory(root)])

    assert offered is not None
    # A talk and a night in 14 days, and 140 messages of 11 tokens.
    assert "about 800 tokens a day, for the 10 messages a day" in offered.explanation
    assert "by the prices" not in offered.explanation


def test_money_is_told_where_the_price_is_known(root: Path) -> None:
    """
    OpenClaw's configuration may say what a million tokens cost.
    """
    Conversation(root / "state").user("The gate opens at nine.").save()
    file = root / "state" / "openclaw.json"
    configured = json.loads(file.read_text())
    model = {"id": "mock-1", "cost": {"input": 1_000, "output": 11_000}}
    configured["models"] = {"providers": {"mock": {"models": [model]}}}
    file.write_text(json.dumps(configured))

    offered = offer([open_memory(root)])

    assert offered is not None
    # 300 tokens at 0.9 * 1,000 + 0.1 * 11,000 a million.
    assert "about 300 tokens a day (0.60 by the prices" in offered.explanation


def test_dry_run_shows_the_offer_and_sets_nothing(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    For a program too.
    """
    assert 0 == install(root, "--dry-run", "--json")

    offered = json.loads(capsys.readouterr().out)["model"]
    assert ["mock/mock-1"] == offered["models"]
    assert "none" == provider(root)


def test_without_a_model_nothing_is_offered(root: Path) -> None:
    """
    And consent to what is not there is refused with what to do.
    """
    (root / "state" / "openclaw.json").write_text("{}")
    memory = open_memory(root)

    assert offer([memory]) is None
    with pytest.raises(NotFound, match="configure one"):
        decide([memory], "openclaw")
