"""Whatever an OpenAI-compatible endpoint does, a question ends in time and with a note."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest
from builders_memory import open_memory
from scripted_model import HALF, REFUSAL, Reply, fails, says, scripted

from strata.errors import SettingsError
from strata.model.answers import Reply as Form
from strata.model.opening import ledger
from strata.model.prompts import Prompt

if TYPE_CHECKING:
    from pathlib import Path

    from scripted_model import ScriptedModel

    from strata.model.asking import Model

KEY = "sk-test-0123456789"
GOOD = '{"colour": "green"}'
QUESTION = Prompt("pick_colour", "0123456789ab", "Which colour?")


class Answer(Form):
    colour: str


def opened(root: Path, server: ScriptedModel, *settings: str) -> Model:
    """
    The model of a run that asks *server*.
    """
    model = open_memory(root, "2026-11-20T12:00:00+00:00", *server.settings, *settings)
    assert model.model is not None
    return model.model


def test_answer_and_its_cost_come_from_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    The request names the model and the schema; the ledger has the server's own count.
    """
    monkeypatch.setenv("STRATA_MODEL_API_KEY", f" {KEY}\n")
    usage = {"prompt_tokens": 321, "completion_tokens": 12}
    with scripted(Reply(GOOD, usage=usage)) as server:
        model = opened(tmp_path, server)

        assert Answer(colour="green") == model.ask(QUESTION, Answer)

    (request,) = server.requests
    assert "scripted" == request["model"]
    form = request["response_format"]["json_schema"]["schema"]
    assert ["colour"] == form["required"]
    assert [f"Bearer {KEY}"] == server.keys
    assert (1, 333) == (model.calls, model.tokens)
    assert "openai/scripted" == model.name


@pytest.mark.parametrize("status", [400, 422])
def test_server_without_schemas_is_asked_without(tmp_path: Path, status: int) -> None:
    """
    Once it has refused one, no further is sent.
    """
    refusal = fails(status, message="response_format is not supported")
    with scripted(refusal, GOOD) as server:
        model = opened(tmp_path, server)

        assert model.ask(QUESTION, Answer)
        assert model.ask(Prompt("pick", "0", "Another?"), Answer)

    formats = ["response_format" in request for request in server.requests]
    assert [True, False, False] == formats
    assert 2 == model.calls


@pytest.mark.parametrize(
    ("reply", "note", "outcome"),
    [
        (fails(500), "is out of order (HTTP 500)", "unreachable"),
        (fails(503), "is out of order (HTTP 503)", "unreachable"),
        (fails(401), "wants a key; set STRATA_MODEL_API_KEY (HTTP 401)", "refused"),
        (fails(404), "look at model.name and model.url", "refused"),
        (
            fails(400, code="context_length_exceeded"),
            "lower model.window_chars (HTTP 400, context_length_exceeded)",
            "refused",
        ),
        (
            fails(307, location="http://127.0.0.2/v1"),
            "is said to be elsewhere, which is not followed",
            "refused",
        ),
        (fails(429), "wants to be asked later (HTTP 429)", "busy"),
        (fails(429, retry_after="3600"), "wants to be asked later", "busy"),
        (fails(429, retry_after="soon"), "wants to be asked later", "busy"),
        (
            fails(503, retry_after="Fri, 20 Nov 2099 12:00:00 GMT"),
            "wants to be asked later",
            "busy",
        ),
        (Reply(body=b""), "answered something that is no completion", "unreachable"),
        (Reply(body=b"<html>"), "is no completion", "unreachable"),
        (Reply(body=b'{"choices": []}'), "is no completion", "unreachable"),
        (Reply(body=b'{"choices": [3]}'), "is no completion", "unreachable"),
        (Reply(body=b"[" * 100_000), "is no completion", "unreachable"),
        (Reply(GOOD, finish="length"), "did not come to an end", "too long"),
        (Reply("x" * 1_100_000), "did not stop after 1 MB", "too long"),
        (Reply(body=b"x" * 4096, endless=True), "did not stop after 1 MB", "too long"),
    ],
)
def test_fault_is_one_call_and_one_note(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    reply: Reply,
    note: str,
    outcome: str,
) -> None:
    """
    A fault is not asked about again, a person hears of it once, and the run goes on.
    """
    with scripted(reply) as server:
        memory = open_memory(tmp_path, "2026-11-20T12:00:00+00:00", *server.settings)
        assert memory.model is not None

        assert memory.model.ask(QUESTION, Answer) is None

    assert 1 == memory.model.calls
    assert note in memory.model.notes[0]
    assert memory.model.notes[0].endswith("; the local judge did the rest")
    assert f"strata: {memory.model.notes[0]}\n" == capsys.readouterr().err
    assert [outcome] == [call.outcome for call in ledger(memory.workspace).calls()]


@pytest.mark.parametrize(
    "text",
    [
        "",
        HALF,
        REFUSAL,
        '{"farbe": "gruen"}',
        ('{"colour": "' + "green " * 2000 + '"}') * 2,
    ],
)
def test_answer_of_the_wrong_form_is_two_calls(tmp_path: Path, text: str) -> None:
    """
    Nothing, half an object, a refusal, other fields, far too much: asked to mend it once.
    """
    with scripted(text) as server:
        model = opened(tmp_path, server)

        assert model.ask(QUESTION, Answer) is None

    assert 2 == model.calls == len(server.requests)
    assert "wrong form" in model.notes[0]
    assert len(server.prompts[1]) < 6_000


def test_answer_that_is_no_text_can_be_asked_about(tmp_path: Path) -> None:
    """
    Half a character and a NUL are shown to the model in a form that can be sent.
    """
    half = b'{"choices": [{"message": {"content": "\\ud83d \\u0000 {\\"colour"}}]}'
    with scripted(Reply(body=half), GOOD) as server:
        model = opened(tmp_path, server)

        assert model.ask(Prompt("pick", "0", "Which \udce9 \0 colour?"), Answer)
    assert server.prompts[0].startswith("Which ?   colour?")


def test_odd_figures_and_names_are_not_written_down(tmp_path: Path) -> None:
    """
    What a server says of itself is believed as far as it can be true.
    """
    message = {"choices": [{"message": {"content": GOOD}}]}
    usage = {"prompt_tokens": 10**40, "completion_tokens": True}
    told = message | {"usage": usage, "model": "Which colour?\n" * 1000}
    with scripted(Reply(body=json.dumps(told).encode())) as server:
        memory = open_memory(tmp_path, "2026-11-20T12:00:00+00:00", *server.settings)
        assert memory.model is not None

        assert memory.model.ask(QUESTION, Answer)

    (call,) = ledger(memory.workspace).calls()
    assert "scripted" == call.model
    assert 0 < call.tokens < 200


def test_refusal_without_content_is_no_answer(tmp_path: Path) -> None:
    """
    Some servers say null where the model declines, and some send parts.
    """
    null = b'{"choices": [{"message": {"content": null}}]}'
    parts = b'{"choices": [{"message": {"content": [{"text": "{\\"colour\\": "}, '
    parts += b'{"type": "text", "text": "\\"red\\"}"}]}}]}'
    with scripted(Reply(body=null), Reply(body=parts)) as server:
        model = opened(tmp_path, server)

        assert Answer(colour="red") == model.ask(QUESTION, Answer)


@pytest.mark.parametrize(
    "reply",
    [
        Reply(GOOD, after_seconds=30),
        Reply(body=b" ", endless=True, every_seconds=0.05),
    ],
)
def test_slow_answer_ends_in_time(tmp_path: Path, reply: Reply) -> None:
    """
    One that never begins, and one that trickles for ever; both may have cost something.
    """
    with scripted(reply) as server:
        model = opened(tmp_path, server, "model.timeout_seconds=1")
        begin = time.monotonic()

        assert model.ask(QUESTION, Answer) is None

        assert time.monotonic() - begin < 5
    assert "did not answer within 1 seconds" in model.notes[0]
    assert model.tokens > 20


def test_nobody_there_is_said_at_once(tmp_path: Path) -> None:
    """
    A server that is not running costs no waiting.
    """
    with scripted(GOOD) as server:
        gone = server
    model = opened(tmp_path, gone)

    assert model.ask(QUESTION, Answer) is None
    assert "cannot be reached at 127.0.0.1:" in model.notes[0]


def test_short_retry_after_is_kept(tmp_path: Path) -> None:
    """
    Then the answer counts as if nothing had been.
    """
    with scripted(fails(429, retry_after="0"), GOOD) as server:
        model = opened(tmp_path, server)

        assert model.ask(QUESTION, Answer)
    assert (2, ()) == (model.calls, model.notes)


def test_redirect_is_not_followed(tmp_path: Path) -> None:
    """
    What was said goes to the host that the settings name, and to no other.
    """
    with scripted(GOOD) as other:
        moved = fails(307, location=f"{other.url}/chat/completions")
        with scripted(moved) as server:
            assert opened(tmp_path, server).ask(QUESTION, Answer) is None

    assert [] == other.requests


def test_error_of_the_server_is_not_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    Servers quote keys and prompts in their messages; neither is shown nor kept.
    """
    monkeypatch.setenv("STRATA_MODEL_API_KEY", KEY)
    echo = fails(401, code="invalid_api_key", message=f"{KEY} for 'Which colour?'")
    with scripted(echo) as server:
        model = opened(tmp_path, server)
        model.ask(QUESTION, Answer)

    kept = [
        path.read_text(errors="replace")
        for path in (tmp_path / "workspace" / ".strata").rglob("*")
        if path.is_file()
    ]
    for text in (capsys.readouterr().err, *model.notes, *kept):
        assert KEY not in text
        assert "colour?" not in text
    assert "invalid_api_key" in model.notes[0]


def test_openai_key_is_for_openai_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Another host does not see it, even where it wants a key.
    """
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with scripted(GOOD) as server:
        opened(tmp_path, server).ask(QUESTION, Answer)

    assert [""] == server.keys


def test_full_address_is_taken_too(tmp_path: Path) -> None:
    """
    With the path of the call or without it.
    """
    with scripted(GOOD) as server:
        url = f"model.url={server.url}/chat/completions"

        assert opened(tmp_path, server, url).ask(QUESTION, Answer)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (["model.provider=opena"], "did you mean openai"),
        (["model.provider=other"], "known: none, openclaw, openai"),
        (["model.provider=openai"], "needs model.url"),
        (["model.url=ftp://host/v1"], "model.url must be like"),
        (["model.url=http://[::1"], "model.url is no URL"),
        (["model.url=http://host:99999/v1"], "model.url is no URL"),
        (["model.url=https://me:hidden@host/v1"], "put the key into STRATA_MODEL"),
        (["model.url=https://host/v1?key=hidden"], "model.url must be like"),
        (["model.timeout_seconds=0"], "must be at least 1"),
        (["model.provider=openclaw", "model.name=opus"], "must be like provider/model"),
    ],
)
def test_wrong_set_up_is_one_clear_line(
    tmp_path: Path, settings: list[str], message: str
) -> None:
    """
    It says what to do, and repeats no password.
    """
    with pytest.raises(SettingsError, match=message) as raised:
        _ = open_memory(tmp_path, "2026-11-20T12:00:00+00:00", *settings).model

    assert "\n" not in str(raised.value)
    assert "hidden" not in str(raised.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [("ALL_PROXY", "socks5://127.0.0.1:1"), ("HTTPS_PROXY", "ftp://127.0.0.1")],
)
def test_proxy_that_cannot_be_used_is_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    """
    Whatever the environment holds, the run goes on with rules.
    """
    monkeypatch.setenv(name, value)
    settings = "model.provider=openai", "model.url=https://h.invalid/v1", "model.name=x"
    model = open_memory(tmp_path, "2026-11-20T12:00:00+00:00", *settings).model
    assert model is not None

    assert model.ask(QUESTION, Answer) is None
    assert "a proxy or certificates that cannot be used" in model.notes[0]


def test_host_that_is_no_host_is_one_clear_line(tmp_path: Path) -> None:
    """
    Such as one with a blank in it.
    """
    settings = "model.provider=openai", "model.url=http://a b/v1", "model.name=x"
    model = open_memory(tmp_path, "2026-11-20T12:00:00+00:00", *settings).model
    assert model is not None

    assert model.ask(QUESTION, Answer) is None
    assert "look at model.url" in model.notes[0] or "cannot be" in model.notes[0]


def test_key_with_odd_characters_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    A typographic dash or a line feed in it would only fail later, and louder.
    """
    monkeypatch.setenv("STRATA_MODEL_API_KEY", "sk–123")
    with scripted(GOOD) as server, pytest.raises(SettingsError, match="no key has"):
        opened(tmp_path, server)


def test_says_is_json() -> None:
    """
    The scripted model's own helper keeps Chinese as it is.
    """
    assert '{"colour": "绿"}' == says({"colour": "绿"}).text
