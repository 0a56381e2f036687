"""What a real OpenClaw reads to another person: their USER.md, once the owner says so."""

from __future__ import annotations

import json
import sqlite3
import uuid
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from live_openclaw import ROOT, Live

if TYPE_CHECKING:
    from collections.abc import Iterator

VERSION = "2026.9.6"
# Nobody of whom the configuration says that they are the owner.
SENDER = "9000"
THEIRS = f"agent:main:telegram:direct:{SENDER}"
PERSON = f"user:telegram:{SENDER}"
PROFILE = "person-of-the-test"
FILE = f"users/{PROFILE}/USER.md"
WISH = "Always answer me in German, never in English."
OWNERS_WISH = "Always answer me in Polish, never in Latin."

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (ROOT / ".venv").exists(), reason="run scripts/install, Strata needs it"
    ),
]


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """
    The owner and another person have talked, and the night has passed.
    """
    openclaw = Live(tmp_path_factory.mktemp("people"), VERSION)
    try:
        openclaw.start()
        openclaw.say(OWNERS_WISH, "Thank you, bye.")
        openclaw.say(WISH, "Thank you, bye.", session=THEIRS)
        openclaw.stop()
        _sign_in(openclaw)
        openclaw.start()
        assert openclaw.strata("sync").returncode == 0
        assert openclaw.strata("tidy").returncode == 0
        yield openclaw
    finally:
        openclaw.close()


def _sign_in(openclaw: Live) -> None:
    """
    Let the gateway know the person, as their first sign-in through a proxy would.
    """
    file = openclaw.state / "state" / "openclaw.sqlite"
    with closing(sqlite3.connect(file)) as database, database:
        database.execute(
            "insert into user_profiles (id, display_name, created_at, updated_at)"
            " values (?, 'Berta', 1, 1)",
            (PROFILE,),
        )


def prompt(openclaw: Live, session: str) -> str:
    """
    What the model is told before it answers in *session*.
    """
    before = len(openclaw.model.requests)
    openclaw.call(
        "chat.send",
        sessionKey=session,
        message="What is for lunch?",
        idempotencyKey=str(uuid.uuid4()),
    )
    openclaw.wait(lambda: len(openclaw.model.requests) > before, "an answer")
    return openclaw.model.requests[before].system_prompt


def proposed(openclaw: Live) -> list[dict[str, str]]:
    """
    What waits for the owner's word on that person's page.
    """
    told = openclaw.strata("--scope", PERSON, "review", "--kind", "waiting", "--json")
    entries: list[dict[str, str]] = json.loads(told.stdout)["entries"]
    return entries


def test_it_is_read_to_them_once_the_owner_says_so(live: Live) -> None:
    """
    Proposed once the account is linked and the chat is theirs, read once it is accepted,
    gone with undo; to nobody else at any time.
    """
    why = live.strata("--scope", PERSON, "review").stdout
    assert "users.linkChannelIdentity" in why
    assert proposed(live) == []
    account = {"channelId": "telegram", "accountId": "default", "senderId": SENDER}
    live.call("users.linkChannelIdentity", profileId=PROFILE, identity=account)
    assert "no conversation" in live.strata("--scope", PERSON, "review").stdout
    # The gateway's method of that name takes it from people who have signed in alone.
    given = {"ownerType": "human", "ownerId": PROFILE, "sessionKey": THEIRS}
    assigned = {"action": "assign_owner", **given}
    live.use("tool_call", "agent:main:main", id="sessions", args=assigned)

    (waiting,) = proposed(live)
    before = prompt(live, THEIRS)
    told = live.strata("--scope", PERSON, "review", "accept", waiting["id"])
    theirs, owners = prompt(live, THEIRS), prompt(live, "agent:main:main")
    undone = live.strata("--scope", PERSON, "undo")
    after = prompt(live, THEIRS)

    assert waiting["text"] == WISH
    assert told.returncode == undone.returncode == 0, told.stderr + undone.stderr
    assert WISH in theirs
    assert FILE in theirs
    assert WISH not in before + owners + after
