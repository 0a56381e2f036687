"""The digest in a real OpenClaw of both eras: it reaches its owner, who answers there."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest
from fake_telegram import FakeTelegram
from live_openclaw import ROOT, Live
from openclaw_packages import VERSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

OWNER, FRIEND, GROUP = 777, 888, -100123
JOB = "memory-digest"
LINE = "Always use pnpm, never npm, in acme-dashboard."
WITHIN_SECONDS = 10.0
HELD_MS = 50.0
# What a silent job gets, to be wrong about its silence.
QUIET_SECONDS = 5.0

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (ROOT / ".venv").exists(), reason="run scripts/install, the plugin needs it"
    ),
]


class Chat:
    """
    A running OpenClaw with Telegram, which its owner and a friend may use.
    """

    def __init__(self, live: Live, telegram: FakeTelegram) -> None:
        self.live, self.telegram = live, telegram

    def run_digest(self) -> dict[str, Any]:
        """
        Let the scheduler run the job, and return how it went.
        """
        (job,) = self.jobs()
        before = job["state"].get("lastRunAtMs", 0)
        self.live.call("cron.run", id=job["id"], mode="force")

        def is_done() -> bool:
            (now,) = self.jobs()
            return bool(now["state"].get("lastRunAtMs", 0) > before)

        self.live.wait(is_done, "the job has run")
        (done,) = self.jobs()
        state: dict[str, Any] = done["state"]
        return state

    def jobs(self) -> list[dict[str, Any]]:
        """
        What sends the digest.
        """
        listed = self.live.call("cron.list", includeDisabled=True)["jobs"]
        return [job for job in listed if job["name"] == JOB]

    def ask(self, text: str, *, sender: int = OWNER, chat: int | None = None) -> str:
        """
        Say *text* and return what the bot answers in the same chat.
        """
        where = sender if chat is None else chat
        before = len(self.telegram.to(where))
        begin = time.monotonic()
        self.telegram.say(text, sender=sender, chat=chat)
        self.live.wait(
            lambda: len(self.telegram.to(where)) > before, f"{text} answered"
        )
        assert time.monotonic() - begin < WITHIN_SECONDS
        return self.telegram.to(where)[-1]


def asked(live: Live) -> list[str]:
    """
    What the model was asked, but for OpenClaw's own heartbeats, which come when they come.
    """
    told = [json.dumps(request.body["messages"]) for request in live.model.requests]
    return [each for each in told if "heartbeat monitor" not in each]


@pytest.fixture(scope="module", params=VERSIONS)
def chat(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Chat]:
    """
    Strata is installed, an agent's wish waits for a word, and no model was asked.
    """
    telegram = FakeTelegram()
    live = Live(
        tmp_path_factory.mktemp("live"),
        request.param,
        channels={"telegram": telegram.configuration(OWNER, FRIEND)},
        commands={"ownerAllowFrom": [f"telegram:{OWNER}"]},
    )
    try:
        live.start()
        installed = live.strata("install", "--yes")
        assert installed.returncode == 0, installed.stderr
        assert f"telegram:{OWNER}" in installed.stdout
        if "restart" in installed.stderr:
            live.stop()
            live.start()
        woken = live.state / "strata" / "woken"
        live.wait(woken.exists, "the plugin is loaded", 180)
        live.settle()
        live.environment["OPENCLAW_SHELL"] = "exec"
        wished = live.strata("remember", LINE)
        del live.environment["OPENCLAW_SHELL"]
        assert "waits for the owner's word" in wished.stdout
        yield Chat(live, telegram)
        assert asked(live) == []
    finally:
        live.close()
        telegram.close()


def test_news_reaches_the_owner_alone(chat: Chat) -> None:
    """
    At most five lines come to the owner's own chat, and to nobody else.
    """
    state = chat.run_digest()

    chat.live.wait(lambda: bool(chat.telegram.sent), "a digest")
    ((where, text),) = chat.telegram.sent
    lines = text.split("\n")
    assert where == OWNER
    assert len(lines) == 3
    assert f"1? {LINE}" in lines[1]
    assert "/strata accept 1" in lines[2]
    assert state["lastDeliveryStatus"] == "delivered"
    assert asked(chat.live) == []


def test_day_without_news_is_silent(chat: Chat) -> None:
    """
    What was told is told once: the second morning nothing is sent, and nothing failed.
    """
    before = len(chat.telegram.sent)

    state = chat.run_digest()

    time.sleep(QUIET_SECONDS)
    assert len(chat.telegram.sent) == before
    assert state["lastStatus"] == "ok"
    assert not state.get("lastDeliveryError")


def test_nobody_else_is_answered_and_no_group(chat: Chat) -> None:
    """
    A friend of the house hears nothing of memory, nor does a group, where the owner asks.
    """
    refused = [
        chat.ask("/strata review", sender=FRIEND),
        chat.ask("/strata accept 1", sender=FRIEND, chat=GROUP),
        chat.ask("/strata review", sender=OWNER, chat=GROUP),
    ]

    assert not any("pnpm" in text for text in refused)
    assert "private chat" in refused[-1]
    assert "pnpm" not in _page(chat)


def test_owner_accepts_without_a_terminal(chat: Chat) -> None:
    """
    The line that waits is listed, accepted and taken back, each within seconds.
    """
    listed = chat.ask("/strata review")
    waits = LINE in _page(chat)
    accepted = chat.ask("/strata accept 1")
    stands = LINE in _page(chat)
    undone = chat.ask("/strata undo")

    assert f"1? {LINE}" in listed
    assert not waits
    assert "line" in accepted
    assert stands
    assert "MEMORY.md" in undone
    assert LINE not in _page(chat)


def test_web_chat_is_answered(chat: Chat) -> None:
    """
    Who has no channel asks in OpenClaw's own chat, which has the gateway's rights.
    """
    key = "agent:main:web"
    chat.live.call(
        "chat.send", sessionKey=key, message="/strata digest", idempotencyKey="w1"
    )

    def said() -> str:
        history = chat.live.call("chat.history", sessionKey=key, limit=10)
        return str(history["messages"])

    chat.live.wait(lambda: "pnpm" in said(), "an answer in the web chat")


def test_gateway_is_not_held(chat: Chat) -> None:
    """
    Python does the work beside the gateway, whose only thread hands over one line.
    """
    steps = [each for each in chat.live.steps() if "command" in each["names"]]

    assert steps
    assert max(each["held"] for each in steps) < HELD_MS


def test_uninstall_takes_the_job_out(chat: Chat) -> None:
    """
    Nothing is sent any more.
    """
    gone = chat.live.strata("uninstall", "--yes")

    assert gone.returncode == 0, gone.stderr
    assert chat.jobs() == []


def _page(chat: Chat) -> str:
    page = chat.live.workspace / "MEMORY.md"
    return page.read_text(encoding="utf-8") if page.exists() else ""
