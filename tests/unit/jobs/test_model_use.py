"""A person sees which model is asked, what it costs, and what keeps it from answering."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from builders_memory import open_memory
from fake_gateway import completes, listening
from scripted_model import Reply, answering, fails, scripted

from strata.cli import run
from strata.jobs.checks.findings import Level
from strata.jobs.checks.model import check_model
from strata.jobs.connection.model_use import Cost, model_cost, model_document
from strata.model.answers import Reply as Form
from strata.model.prompts import Prompt
from strata.workspace.openclaw_program import OpenClaw

if TYPE_CHECKING:
    from pathlib import Path

    from strata.jobs.checks.findings import Finding
    from strata.memory import Memory

NOW = "2026-11-20T12:00:00+00:00"
BEFORE = "2026-11-19T12:00:00+00:00"
LAST_MONTH = "2026-10-31T12:00:00+00:00"


class Answer(Form):
    colour: str


def ask(memory: Memory, purpose: str, question: str = "Which colour?") -> None:
    """
    Ask something that counts as *purpose*.
    """
    assert memory.model is not None
    memory.model.ask(Prompt(purpose, "0", question), Answer)


def findings(memory: Memory, *, asking: bool = True) -> list[Finding]:
    return list(check_model(memory, ask=asking))


def test_cost_is_added_up_by_day_month_and_purpose(tmp_path: Path) -> None:
    """
    Of this month, in the owner's time zone; what the cache answers costs nothing.
    """
    usage = {"prompt_tokens": 100, "completion_tokens": 20}
    with scripted(Reply('{"colour": "green"}', usage=usage)) as server:
        for number, now in enumerate((LAST_MONTH, BEFORE, NOW, NOW)):
            question = f"Which colour? {min(number, 2)}"
            ask(open_memory(tmp_path, now, *server.settings), "extract", question)
        ask(open_memory(tmp_path, NOW, *server.settings), "verify", "And now?")

        cost = model_cost(open_memory(tmp_path, NOW, *server.settings))

    assert "openai/scripted" == cost.name
    assert Cost(2, 240) == cost.today
    assert Cost(3, 360) == cost.month
    assert {"extract": Cost(2, 240), "verify": Cost(1, 120)} == cost.purposes
    today = {"extract": Cost(1, 120), "verify": Cost(1, 120)}
    assert today == cost.purposes_today


def test_report_of_a_run_tells_what_was_asked(tmp_path: Path) -> None:
    """
    Only where a model is set up, and without opening it where nothing was due.
    """
    assert {} == model_document(open_memory(tmp_path, NOW))
    with scripted(fails(500)) as server:
        memory = open_memory(tmp_path, NOW, *server.settings)
        idle = model_document(memory)
        assert memory.model_if_open is None

        ask(memory, "extract")

    assert {"name": "openai/scripted", "calls": 0, "tokens": 0, "notes": []} == idle[
        "model"
    ]
    used = model_document(memory)["model"]
    assert (1, 0) == (used["calls"], used["tokens"])
    assert "is out of order (HTTP 500)" in used["notes"][0]


def cli(
    root: Path, capsys: pytest.CaptureFixture[str], *arguments: str
) -> tuple[int, str, str]:
    """
    The exit code and both outputs of `strata` with *arguments*.
    """
    (root / "workspace").mkdir(exist_ok=True)
    places = [
        "--workspace",
        str(root / "workspace"),
        "--state-dir",
        str(root / "state"),
    ]
    code = run([*arguments, *places, "--now", NOW, "--set", "timezone=UTC"])
    said = capsys.readouterr()
    return code, said.out, said.err


def chosen(settings: tuple[str, ...]) -> list[str]:
    """
    The options that choose *settings*.
    """
    return [word for setting in settings for word in ("--set", setting)]


def test_trial_asks_once_and_says_what_it_took(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    A model that works answers a tiny question, also after failures and each time anew.
    """
    usage = {"prompt_tokens": 50, "completion_tokens": 5}
    with scripted(Reply('{"sum": 42}', usage=usage)) as server:
        for _ in range(2):
            code, out, err = cli(
                tmp_path, capsys, "model", "test", *chosen(server.settings)
            )

            assert (0, "") == (code, err)
            assert out.startswith("openai/scripted answered in ")
            assert out.endswith(" s, for 55 tokens\n")
            file = tmp_path / "workspace" / ".strata" / "cache" / "model"
            for answer in file.glob("*.json"):
                answer.unlink()

    assert 2 == len(server.requests)


def test_trial_that_fails_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    In one line, and with an exit code that a script sees; so for a wrong sum.
    """
    for reply, why in ((fails(401), "wants a key"), ('{"sum": 41}', "wrong form")):
        with scripted(reply) as server:
            settings = chosen(server.settings)

            code, out, err = cli(tmp_path, capsys, "model", "test", *settings)

        assert (1, "") == (code, out)
        assert why in err
        assert 1 == err.count("\n")


def test_trial_without_a_model_says_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    Nothing is set up unless somebody does so.
    """
    code, _, err = cli(tmp_path, capsys, "model", "test")

    assert 1 == code
    assert "set model.provider, or run strata install" in err


def test_cost_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """
    By `model` in full and by `status` in a line, for people and for programs.
    """
    usage = {"prompt_tokens": 1200, "completion_tokens": 34}
    with scripted(Reply('{"colour": "green"}', usage=usage)) as server:
        ask(open_memory(tmp_path, NOW, *server.settings), "extract_facts")
        settings = chosen(server.settings)

        lines = cli(tmp_path, capsys, "model", *settings)[1].splitlines()
        shown = cli(tmp_path, capsys, "status", *settings)[1]
        document = json.loads(cli(tmp_path, capsys, "status", "--json", *settings)[1])

    assert [
        "model       openai/scripted",
        "today       1 call, 1,234 tokens of 200,000",
        "this month  1 call, 1,234 tokens",
        "  extract_facts: 1 call, 1,234 tokens",
    ] == lines
    assert "asked          openai/scripted; today 1 call, 1,234 tokens of 200" in shown
    assert {"calls": 1, "tokens": 1234} == document["language_model"]["month"]
    without = cli(tmp_path, capsys, "status")[1]
    assert "asked          nobody now; today 1 call" in without


def test_doctor_without_a_model_has_nothing_to_say(tmp_path: Path) -> None:
    """
    Rules do the work, and that is well.
    """
    (finding,) = findings(open_memory(tmp_path, NOW))

    assert (Level.OK, "none is asked; the local judge does the work") == (
        finding.level,
        finding.says,
    )


def test_doctor_sees_a_model_that_answers(tmp_path: Path) -> None:
    """
    Without asking it anything, and where there is no list of models too.
    """
    with answering(lambda _: "") as server:
        (finding,) = findings(open_memory(tmp_path, NOW, *server.settings))

        assert Level.OK is finding.level
        assert f"answers at {server.url[7:-3]}" in finding.says
    assert [] == server.requests


def test_doctor_sees_a_model_that_is_gone(tmp_path: Path) -> None:
    """
    It is a problem, but not one that a heartbeat looks for.
    """
    with scripted("") as server:
        settings = server.settings

    (finding,) = findings(open_memory(tmp_path, NOW, *settings))

    assert Level.PROBLEM is finding.level
    assert "cannot be reached at 127.0.0.1" in finding.says
    assert [] == findings(open_memory(tmp_path, NOW, *settings), asking=False)


def test_doctor_closes_the_breaker(tmp_path: Path) -> None:
    """
    A model that is left alone is named with the reason, and asked again when told to.
    """
    with scripted(fails(500)) as server:
        memory = open_memory(tmp_path, NOW, *server.settings)
        for question in "abc":
            ask(memory, "extract", question)

        (finding,) = findings(memory)
        assert finding.fix is not None
        finding.fix()

        assert "is left alone until 12:10, because it is out of order" in finding.says
        assert Level.OK is findings(memory)[0].level


def test_doctor_sees_that_the_day_is_used_up(tmp_path: Path) -> None:
    """
    The cap is named, with what there is to do.
    """
    usage = {"prompt_tokens": 9_000, "completion_tokens": 1_000}
    with scripted(Reply('{"colour": "green"}', usage=usage)) as server:
        settings = (*server.settings, "model.max_tokens_per_day=12000")
        ask(open_memory(tmp_path, NOW, *settings), "extract")

        finding = findings(open_memory(tmp_path, NOW, *settings))[1]

    assert "model.max_tokens_per_day" == finding.name
    assert "has had 10000 tokens today" in finding.says


@pytest.mark.parametrize(
    ("url", "is_told"),
    [
        ("http://api.example.com/v1", True),
        ("http://8.8.8.8/v1", True),
        ("https://api.example.com/v1", False),
        ("http://192.168.1.5:1234/v1", False),
        ("http://workstation:1234/v1", False),
        ("http://box.local/v1", False),
    ],
)
def test_doctor_tells_of_an_open_way(tmp_path: Path, url: str, is_told: bool) -> None:  # noqa: FBT001 - a row
    """
    What was said should not cross the internet for everybody to read.
    """
    settings = "model.provider=openai", f"model.url={url}", "model.name=x"

    names = [
        each.name
        for each in findings(open_memory(tmp_path, NOW, *settings), asking=False)
    ]

    assert is_told == ("model.url" in names)


def test_doctor_says_how_openclaw_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Through its gateway, by starting it, or not at all.
    """
    monkeypatch.setenv("PATH", str(tmp_path))

    def look(**gateway: Any) -> Finding:
        configured = {"agents": {"defaults": {"model": "mock/1"}}, "gateway": gateway}
        (tmp_path / "state").mkdir(exist_ok=True)
        (tmp_path / "state" / "openclaw.json").write_text(json.dumps(configured))
        return findings(open_memory(tmp_path, NOW, "model.provider=openclaw"))[0]

    with listening(completes("")) as server:
        asked = look(port=server.port, auth={"token": "lab-token"})
        assert "openclaw/mock/1, through the running gateway" == asked.says
        assert "agent" not in server.requests

        missing = look(port=server.port, auth={"token": "another"})
        assert Level.PROBLEM is missing.level
        assert "there is no `openclaw` on the PATH" in missing.says

        found = OpenClaw(tmp_path / "openclaw", tmp_path / "state")
        found.program.write_text("")
        monkeypatch.setenv("STRATA_OPENCLAW", str(found.program))
        started = look(port=server.port, auth={"token": "another"})
    assert (
        f"by starting {found.program}, for the gateway: it does not let" in started.says
    )
