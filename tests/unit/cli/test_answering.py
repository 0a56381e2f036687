"""`/strata` in a chat: the owner decides there, and nobody else is answered."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from builders_memory import NIGHT, captured, open_memory, page

from strata.cli import run
from strata.jobs.tidy import tidy

if TYPE_CHECKING:
    from pathlib import Path

IN_PRIVATE = {
    "name": "command",
    "agent": "main",
    "key": "agent:main:main",
    "channel": "telegram",
    "from": "telegram:777",
    "sender": "777",
}
IN_GROUP = {
    "key": "agent:main:telegram:group:-100123",
    "from": "telegram:group:-100123",
}
AT_THE_GATEWAY = {
    "channel": "webchat",
    "from": "gateway-client",
    "sender": "gateway-client",
    "scopes": ["operator.read", "operator.admin"],
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """
    Where two lines wait for the owner, who is paired on Telegram.
    """
    captured(tmp_path)
    tidy(open_memory(tmp_path, NIGHT, "tidy.mode=ask"))
    configuration = {
        "commands": {"ownerAllowFrom": ["telegram:777"]},
        "channels": {"telegram": {"enabled": True, "allowFrom": ["777", "888"]}},
    }
    (tmp_path / "state" / "openclaw.json").write_text(json.dumps(configuration))
    return tmp_path


def ask(
    root: Path, capsys: pytest.CaptureFixture[str], words: str, **asked: Any
) -> list[str]:
    """
    The lines that come back to the chat, as the plugin gets them: one line of JSON.
    """
    places = ["--workspace", f"{root}/workspace", "--state-dir", f"{root}/state"]
    given = IN_PRIVATE | {"words": words} | asked
    now = ["--now", "2026-11-21T08:00:00+00:00", "--set", "timezone=UTC"]
    capsys.readouterr()

    code = run([*places, *now, "event", "--batch", json.dumps([given])])

    said, _, rest = capsys.readouterr().out.partition("\n")
    assert (code, said[:2], rest) == (0, "0 ", "")
    text = json.loads(said[2:])
    assert isinstance(text, str)
    return text.split("\n")


def waiting(root: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [line for line in ask(root, capsys, "review") if line[:1].isdigit()]


def test_waiting_lines_are_accepted_and_declined_by_number(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    A number is what the list said it is, and stays that when another was decided.
    """
    first, second = waiting(root, capsys)
    assert (first[:3], second[:3]) == ("1? ", "2? ")

    accepted = ask(root, capsys, "accept 1")
    declined = ask(root, capsys, "decline 2")

    assert "line " in accepted[0]
    assert first[3:] in page(open_memory(root))
    assert second[3:] not in page(open_memory(root))
    assert declined[0].startswith(second[3:].rstrip("."))
    assert ask(root, capsys, "review") == ["nothing waits for your word"]


def test_several_at_once_or_all(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """
    A person types numbers as they come, or all; what was decided has no number any more.
    """
    both = waiting(root, capsys)

    taken = ask(root, capsys, "ACCEPT #2, 1.")

    assert len(taken) == 2
    assert all(each[3:] in page(open_memory(root)) for each in both)
    for words in ("accept 1", "decline 7", "accept x", "accept ²"):
        assert "nothing that waits has the number" in ask(root, capsys, words)[0]
    assert ask(root, capsys, "decline all") == ["nothing waits for your word"]


def test_chinese_commas_part_numbers(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    Chinese parts the members of a list by a comma of its own.
    """
    waiting(root, capsys)

    assert len(ask(root, capsys, "decline 1、2")) == 2


@pytest.mark.parametrize("broken", ["no = 'such key'\n", "encrypted"])
def test_agents_answer_beside_one_that_cannot(
    root: Path, capsys: pytest.CaptureFixture[str], broken: str
) -> None:
    """
    Who has no key or a wrong setting keeps no other from its answer and its digest.
    """
    captured(root / "work")
    tidy(open_memory(root / "work", NIGHT))
    private = root / "workspace" / ".strata"
    if broken == "encrypted":
        (private / "encryption.json").write_text("{}")
    else:
        (private / "config.toml").write_text(broken)
    folders = {"main": root / "workspace", "work": root / "work" / "workspace"}
    entries = {agent: {"workspace": str(each)} for agent, each in folders.items()}
    file = root / "state" / "openclaw.json"
    agents = {"agents": {"entries": entries}}
    file.write_text(json.dumps(json.loads(file.read_text()) | agents))
    now = ["--now", "2026-11-21T08:00:00+00:00", "--set", "timezone=UTC"]
    shared = ["--state-dir", f"{root}/state", *now]
    said = {}
    for words in ("digest", "undo", "undo work"):
        asked = json.dumps([IN_PRIVATE | {"words": words}])
        capsys.readouterr()
        assert run([*shared, "event", "--batch", asked]) == 0
        said[words] = capsys.readouterr().out

    assert "2 lines learned" in said["digest"]
    assert "there is no agent" in said["undo"] or "main" in said["undo"]
    assert "undid" not in said["undo"]
    assert "undid" in said["undo work"]


def test_all_that_waits_is_declined(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    One word is enough where all is wrong, without asking for the list before.
    """
    assert len(ask(root, capsys, "decline all")) == 2

    assert waiting(root, capsys) == []


def test_last_change_is_taken_back(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    An accepted line leaves again, and the answer says which run that was.
    """
    (first, _) = waiting(root, capsys)
    ask(root, capsys, "accept 1")

    said = ask(root, capsys, "undo")

    assert "review" in said[0]
    assert not any("strata undo" in line for line in said)
    assert first[3:] not in page(open_memory(root))


def test_help_and_digest(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """
    Without words it lists what waits; what nobody knows is answered with what is known.
    """
    assert ask(root, capsys, "") == ask(root, capsys, "review")
    assert "/strata accept 1 takes it" in ask(root, capsys, "please")[0]
    assert "2 wait for your word" in ask(root, capsys, "digest")[0]
    assert "/strata accept 1, several" in ask(root, capsys, "accept")[0]


def test_owner_is_answered_in_their_language(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    Lists, outcomes and mistakes are Chinese for a Chinese owner.
    """
    settings = root / "workspace" / ".strata" / "config.toml"
    settings.write_text("language = 'zh'\n")

    assert "列出待定的" in ask(root, capsys, "review")[-1]
    assert "MEMORY.md 第" in ask(root, capsys, "accept 1")[0]
    assert "待定的里没有编号 9" in ask(root, capsys, "accept 9")[0]
    assert ask(root, capsys, "review", **IN_GROUP) == ["这个只在私聊里回答"]


@pytest.mark.parametrize(
    "asked",
    [
        IN_GROUP,
        {"key": "agent:main:main", "from": "discord:channel:5"},
        {"key": "agent:main:slack:channel:c5", "from": "slack:U1"},
        AT_THE_GATEWAY | {"key": "agent:main:telegram:group:-100123"},
        {"key": ""},
    ],
)
def test_group_is_told_nothing(
    root: Path, capsys: pytest.CaptureFixture[str], asked: dict[str, Any]
) -> None:
    """
    Where others read along the owner gets no answer either.
    """
    said = ask(root, capsys, "review", **asked)

    assert said == ["that is only answered in a private chat"]


def test_somebody_else_is_told_nothing(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    Whom the owner lets talk to the agent has no say in its memory.
    """
    other = {"from": "telegram:888", "sender": "888"}

    said = ask(root, capsys, "accept 1", **other)

    assert said[0].startswith("that is only answered to the owner of this memory")


def test_trouble_is_the_owners_business(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    Nobody else is told what is wrong, or where.
    """
    (root / "workspace" / ".strata" / "config.toml").write_text("no = 'such key'\n")

    assert "config.toml" in ask(root, capsys, "review")[0]
    assert ask(root, capsys, "review", **IN_GROUP)[0].startswith("that is only")
    assert ask(root, capsys, "review", sender="888")[0].startswith("that is only")


@pytest.mark.parametrize("owners", [[], ["*"], ["telegram:777"]])
def test_who_is_merely_let_in_is_no_owner(
    root: Path, capsys: pytest.CaptureFixture[str], owners: list[str]
) -> None:
    """
    The one account of a list may be a friend's, and others may be paired.
    """
    file = root / "state" / "openclaw.json"
    channels = {"telegram": {"enabled": True, "allowFrom": ["888"]}}
    configuration = {"commands": {"ownerAllowFrom": owners}, "channels": channels}
    file.write_text(json.dumps(configuration))

    said = ask(root, capsys, "review", sender="888")

    assert said[0].startswith("that is only answered to the owner")


def test_owner_at_the_gateway_is_answered(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    In the web chat there is no account; the gateway's own rights say who it is.
    """
    without = AT_THE_GATEWAY | {"scopes": ["operator.read"]}

    assert "pnpm" in "".join(ask(root, capsys, "review", **AT_THE_GATEWAY))
    assert "pnpm" not in "".join(ask(root, capsys, "review", **without))
