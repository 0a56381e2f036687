"""The user's own model is asked through the running gateway, else through OpenClaw."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest
from builders_memory import open_memory
from fake_gateway import FakeGateway, answer, completes, listening

from strata.model.answers import Reply
from strata.model.openclaw import MOST_ARGUMENT_BYTES
from strata.model.prompts import Prompt
from strata.workspace.openclaw import configured_model, gateway

if TYPE_CHECKING:
    from pathlib import Path

    from websockets.sync.server import ServerConnection

    from strata.model.asking import Model

GOOD = '{"colour": "green"}'
QUESTION = Prompt("pick_colour", "0123456789ab", "Which colour?")
PRIMARY = {"defaults": {"model": {"primary": "mock/mock-1"}}}


class Answer(Reply):
    colour: str


@pytest.fixture(autouse=True)
def no_openclaw(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """
    No gateway and no program but those of the test.
    """
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    for name in ("PORT", "TOKEN", "PASSWORD"):
        monkeypatch.delenv(f"OPENCLAW_GATEWAY_{name}", raising=False)


def opened(root: Path, *settings: str, **configuration: Any) -> Model:
    """
    The model of a run beside an OpenClaw with that *configuration*.
    """
    configure(root, **configuration)
    memory = open_memory(
        root, "2026-11-20T12:00:00+00:00", "model.provider=openclaw", *settings
    )
    assert memory.model is not None
    return memory.model


def configure(root: Path, **configuration: Any) -> Path:
    """
    Write OpenClaw's *configuration* and return its state directory.
    """
    (root / "state").mkdir(exist_ok=True)
    text = json.dumps({"agents": PRIMARY} | configuration)
    (root / "state" / "openclaw.json").write_text(text)
    return root / "state"


def at(server: FakeGateway) -> dict[str, Any]:
    """
    The configuration's word for where *server* listens.
    """
    return {"port": server.port, "auth": {"mode": "token", "token": "lab-token"}}


def program(root: Path, monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    """
    An `openclaw` that runs *source* as Python.
    """
    file = root / "openclaw"
    file.write_text(f"#!{sys.executable}\n{source}")
    file.chmod(0o755)
    monkeypatch.setenv("STRATA_OPENCLAW", str(file))


def test_running_gateway_is_asked(tmp_path: Path) -> None:
    """
    With the agent's own model, in a turn that leaves no conversation behind.
    """
    with listening(completes(GOOD, input=321, output=12)) as server:
        model = opened(tmp_path, gateway=at(server))

        assert Answer(colour="green") == model.ask(QUESTION, Answer)

    asked = server.requests["agent"]
    assert asked["message"].startswith("Which colour?\n")
    assert (True, "none", "main") == (
        asked["modelRun"],
        asked["promptMode"],
        asked["agentId"],
    )
    assert asked["sessionKey"].startswith("agent:main:explicit:model-run-")
    assert 0 < asked["timeout"] <= 60
    assert ["operator.read", "operator.write"] == server.requests["connect"]["scopes"]
    assert (1, 333) == (model.calls, model.tokens)
    assert "openclaw/mock/mock-1" == model.name


def test_named_model_is_asked_for(tmp_path: Path) -> None:
    """
    Only then is the right asked for that this takes.
    """
    with listening(completes(GOOD)) as server:
        model = opened(tmp_path, "model.name=other/big/one", gateway=at(server))

        assert model.ask(QUESTION, Answer)

    asked = server.requests["agent"]
    assert ("other", "big/one") == (asked["provider"], asked["model"])
    assert "operator.admin" in server.requests["connect"]["scopes"]


INFER = """
import json, sys
assert sys.argv[1:5] == ["infer", "model", "run", "--prompt"]
assert sys.argv[5].startswith("Which colour?") and sys.argv[6] == "--json"
print("a line before")
print(json.dumps({"ok": True, "outputs": [{"text": '{"colour": "green"}'}]}))
"""


def _refuse(
    _: FakeGateway, connection: ServerConnection, request: dict[str, Any]
) -> None:
    answer(connection, request, None)


def test_without_a_gateway_openclaw_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Where none runs, where it does not let us in, or does not know such a turn.
    """
    program(tmp_path, monkeypatch, INFER)
    with listening(_refuse) as server:
        wrong = {"port": server.port, "auth": {"token": "another"}}
        for number, place in enumerate((at(server), wrong, {"port": 1}, {})):
            model = opened(tmp_path, gateway=place)
            question = Prompt("pick", "0", f"Which colour? {number}")

            assert Answer(colour="green") == model.ask(question, Answer)
            assert model.tokens > 20


OF_MANY = """
import json, sys
assert sys.argv[6:8] == ["--agent", "main"], sys.argv
print(json.dumps({"ok": True, "outputs": [{"text": '{"colour": "green"}'}]}))
"""
OLDER = """
import json, sys
if "--agent" in sys.argv:
    sys.exit("error: unknown option '--agent'")
assert sys.argv[6:8] == ["--model", "mock/mock-1"], sys.argv
print(json.dumps({"ok": True, "outputs": [{"text": '{"colour": "green"}'}]}))
"""


@pytest.mark.parametrize("source", [OF_MANY, OLDER])
def test_one_of_many_agents_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    """
    As far as the version of OpenClaw knows how.
    """
    program(tmp_path, monkeypatch, source)
    many = PRIMARY | {"list": [{"id": "main"}, {"id": "other"}]}

    assert opened(tmp_path, agents=many).ask(QUESTION, Answer)


def _drop(
    _: FakeGateway, connection: ServerConnection, request: dict[str, Any]
) -> None:
    answer(connection, request, {"status": "accepted"})
    connection.close()


def _hang(
    fake: FakeGateway, connection: ServerConnection, request: dict[str, Any]
) -> None:
    answer(connection, request, {"status": "accepted"})
    fake.closing.wait(30)


def test_gateway_is_told_to_stop(tmp_path: Path) -> None:
    """
    A turn that nobody waits for is aborted, so that it is not paid for any longer.
    """

    def turn(
        fake: FakeGateway, connection: ServerConnection, request: dict[str, Any]
    ) -> None:
        answer(connection, request, {"status": "accepted"})
        abort = json.loads(connection.recv(timeout=10))
        fake.requests[abort["method"]] = abort["params"]
        answer(connection, abort, {"ok": True})

    with listening(turn) as server:
        opened(tmp_path, "model.timeout_seconds=1", gateway=at(server)).ask(
            QUESTION, Answer
        )

    asked, aborted = server.requests["agent"], server.requests["chat.abort"]
    assert asked["idempotencyKey"] == aborted["runId"]
    assert asked["sessionKey"] == aborted["sessionKey"]


def _fail(
    _: FakeGateway, connection: ServerConnection, request: dict[str, Any]
) -> None:
    answer(connection, request, {"status": "accepted"})
    answer(connection, request, {"status": "error", "summary": "key sk-1 for Which?"})


def _flood(
    _: FakeGateway, connection: ServerConnection, request: dict[str, Any]
) -> None:
    answer(connection, request, {"status": "ok", "filler": "x" * 5_000_000})


@pytest.mark.parametrize(
    ("turn", "note"),
    [
        (_drop, "was lost together with OpenClaw's gateway"),
        (_hang, "did not answer in time"),
        (_fail, "failed in OpenClaw; see `openclaw doctor`"),
        (_flood, "did not stop and was cut off"),
    ],
)
def test_question_that_was_taken_is_not_asked_again(
    tmp_path: Path, turn: Any, note: str
) -> None:
    """
    Whatever became of it in the gateway, it may have cost something; it ends in time.
    """
    with listening(turn) as server:
        model = opened(tmp_path, "model.timeout_seconds=1", gateway=at(server))
        begin = time.monotonic()

        assert model.ask(QUESTION, Answer) is None

        assert time.monotonic() - begin < 5
    assert 1 == model.calls
    assert note in model.notes[0]
    assert "sk-1" not in model.notes[0]


@pytest.mark.parametrize(
    ("source", "note"),
    [
        (
            (
                'print(\'{"ok": false, "error": "No text output: 429 for Which colour"}\')'
                "\nraise SystemExit(1)"
            ),
            "failed in OpenClaw (HTTP 429); try `openclaw infer model run",
        ),
        ("print('nothing')", "failed in OpenClaw; try"),
        ("import time\ntime.sleep(30)", "did not answer within 2 seconds"),
        (
            (
                "import subprocess, sys\n"
                "subprocess.run([sys.executable, '-c', 'import time; time.sleep(30)'])"
            ),
            "did not answer within 2 seconds",
        ),
    ],
)
def test_program_that_fails_is_one_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, note: str
) -> None:
    """
    It ends in time, together with what it started, and nothing it said is repeated.
    """
    program(tmp_path, monkeypatch, source)
    model = opened(tmp_path, "model.timeout_seconds=2")
    begin = time.monotonic()

    assert model.ask(QUESTION, Answer) is None

    assert time.monotonic() - begin < 10
    assert note in model.notes[0]
    assert "Which" not in model.notes[0]


def test_nothing_usable_is_said_at_once(tmp_path: Path) -> None:
    """
    No model in OpenClaw, or no OpenClaw: nothing is started and nobody waits.
    """
    without = opened(tmp_path, agents={})
    assert without.ask(QUESTION, Answer) is None
    assert "OpenClaw has none configured" in without.notes[0]

    missing = opened(tmp_path)
    assert missing.ask(QUESTION, Answer) is None
    assert "there is no `openclaw` on the PATH" in missing.notes[0]


def test_prompt_that_no_argument_holds_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Bytes count there, not characters.
    """
    program(tmp_path, monkeypatch, INFER)
    model = opened(tmp_path)

    long = Prompt("pick", "0", "色" * (MOST_ARGUMENT_BYTES // 3))

    assert model.ask(long, Answer) is None
    assert "while OpenClaw's gateway does not run" in model.notes[0]


@pytest.mark.parametrize(
    ("agents", "model"),
    [
        ({}, ""),
        ({"defaults": {"model": "a/b"}}, "a/b"),
        (PRIMARY, "mock/mock-1"),
        (PRIMARY | {"list": [{"id": "main", "model": "own/one"}]}, "own/one"),
        (PRIMARY | {"entries": {"main": {"model": {"primary": "own/2"}}}}, "own/2"),
        (PRIMARY | {"entries": {"main": {"model": {"fallbacks": []}}}}, "mock/mock-1"),
        ({"defaults": {"model": ["a/b"]}}, ""),
    ],
)
def test_model_of_an_agent(tmp_path: Path, agents: Any, model: str) -> None:
    """
    Its own, else that of all, in either form.
    """
    assert model == configured_model(configure(tmp_path, agents=agents), "main")


@pytest.mark.parametrize(
    ("table", "url", "auth"),
    [
        ({"auth": {"mode": "none"}}, "ws://127.0.0.1:18789", {}),
        ({"port": 5, "auth": {"token": "t"}}, "ws://127.0.0.1:5", {"token": "t"}),
        ({"auth": {"token": "${LAB_TOKEN}"}}, "ws://127.0.0.1:18789", {"token": "x"}),
        ({"auth": {"password": "p"}}, "ws://127.0.0.1:18789", {"password": "p"}),
    ],
)
def test_address_of_the_gateway(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: Any, url: str, auth: Any
) -> None:
    """
    As the configuration says, with what it takes from the environment.
    """
    monkeypatch.setenv("LAB_TOKEN", "x")

    found = gateway(configure(tmp_path, gateway=table))

    assert found is not None
    assert (url, auth) == (found.url, found.auth)


@pytest.mark.parametrize(
    "table",
    [
        {},
        {"mode": "remote", "auth": {"token": "t"}},
        {"tls": {"enabled": True}, "auth": {"token": "t"}},
        {"auth": {"token": {"source": "env", "id": "TOKEN"}}},
        {"auth": {"token": "${NOT_SET}"}},
        {"auth": {"mode": "trusted-proxy"}},
        {"port": "soon", "auth": {"token": "t"}},
    ],
)
def test_gateway_that_cannot_be_asked_directly(tmp_path: Path, table: Any) -> None:
    """
    Elsewhere, encrypted, or with a secret that is kept where only OpenClaw can look.
    """
    assert gateway(configure(tmp_path, gateway=table)) is None
