"""The owner's chat is one with a person, and only where OpenClaw says whose."""

from __future__ import annotations

import pytest

from strata.workspace.owners import owner_chat

ON = {"enabled": True}


@pytest.mark.parametrize(
    ("account", "chat"),
    [
        ("telegram:777", "telegram:777"),
        ("tg:777", "telegram:777"),
        ("whatsapp:+15551234567", "whatsapp:+15551234567"),
        ("signal:uuid:0f3c-1a", "signal:uuid:0f3c-1a"),
        ("imessage:me@example.org", "imessage:me@example.org"),
        ("discord:123456789012345678", "discord:user:123456789012345678"),
        ("discord:user:123456789012345678", "discord:user:123456789012345678"),
        ("slack:U12345678", "slack:user:U12345678"),
        ("matrix:@me:example.org", "matrix:@me:example.org"),
        ("feishu:ou_1a2b", "feishu:ou_1a2b"),
    ],
)
def test_person_has_a_chat(account: str, chat: str) -> None:
    """
    Each channel's account of a person becomes an address as that channel wants it.
    """
    channel = chat.partition(":")[0]
    configuration = {
        "commands": {"ownerAllowFrom": [account]},
        "channels": {channel: ON},
    }

    assert str(owner_chat(configuration)) == chat


@pytest.mark.parametrize(
    "account",
    [
        "telegram:-100123",
        "telegram:@lab_group",
        "whatsapp:120363@g.us",
        "signal:group:abc=",
        "slack:C12345678",
        "slack:channel:C12345678",
        "discord:channel:123",
        "matrix:!room:example.org",
        "feishu:oc_1a2b",
        "imessage:chat_id:7",
        "googlechat:spaces/7",
        "webchat:me",
        "777",
        "",
    ],
)
def test_group_or_unclear_account_has_none(account: str) -> None:
    """
    What is a group's, of an unknown channel or of none in particular gets nothing.
    """
    channel = account.partition(":")[0]
    configuration = {
        "commands": {"ownerAllowFrom": [account]},
        "channels": {channel: ON},
    }

    assert owner_chat(configuration) is None


def test_chat_is_the_first_that_can_be_used() -> None:
    """
    A channel that is off, or not there, is passed over; anybody as owner is nobody.
    """
    channels = {"telegram": {"enabled": False}, "slack": ON, "discord": ON}
    owners = ["telegram:777", "signal:+15551234567", "slack:U1", "discord:2"]
    commands = {"ownerAllowFrom": owners}

    chat = owner_chat({"commands": commands, "channels": channels})
    commands["ownerAllowFrom"] = ["*", *owners]

    assert str(chat) == "slack:user:U1"
    assert owner_chat({"commands": commands, "channels": channels}) is None
    assert owner_chat({"channels": channels}) is None
