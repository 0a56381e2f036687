"""What the user told OpenClaw to keep out of memory stays out of Strata's too."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from builders import small_talk

from strata.jobs.sync import sync
from strata.memory import Memory

if TYPE_CHECKING:
    from pathlib import Path

DIRECT = "agent:main:telegram:direct:777"
MAIN = "agent:main:main"


@pytest.mark.parametrize(
    ("policy", "key", "captured"),
    [
        ({}, DIRECT, True),
        ({"chatTypes": ["direct"]}, DIRECT, False),
        ({"chatTypes": ["direct"]}, MAIN, True),
        ({"chatTypes": ["group", "channel"]}, DIRECT, True),
        ({"channels": ["telegram"]}, DIRECT, False),
        ({"channels": ["Telegram"]}, DIRECT, False),
        ({"channels": ["whatsapp"]}, DIRECT, True),
        ({"channels": ["telegram"]}, MAIN, True),
    ],
)
def test_policy_decides(
    tmp_path: Path, policy: dict[str, list[str]], key: str, *, captured: bool
) -> None:
    """
    Excluded kinds of chats and channels are skipped with the reason, others are captured.
    """
    state = tmp_path / "state"
    conversation = small_talk(state)
    conversation.key = key
    conversation.save()
    config = {"memoryPolicy": {"excludeSessions": policy}}
    plugins = {"entries": {"memory-core": {"config": config}}}
    commands = {"ownerAllowFrom": ["telegram:777"]}
    configuration = {"plugins": plugins, "commands": commands}
    (state / "openclaw.json").write_text(json.dumps(configuration))
    (tmp_path / "workspace").mkdir()
    memory = Memory.open(
        workspace=str(tmp_path / "workspace"),
        state_dir=str(state),
        overrides=["timezone=UTC"],
    )

    report = sync(memory)

    assert bool(report.captured) is captured
    reasons = [] if captured else [(conversation.id, "excluded by memoryPolicy")]
    assert report.skipped == reasons
