"""Who the owner is, as OpenClaw's configuration says: its accounts on each channel."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from strata.workspace.openclaw_config import listed_at, value_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_OWNERS = ("commands", "ownerAllowFrom")
_LINKS = ("session", "identityLinks")
Whose = Literal["owner", "other", "unsure"]
# How a person's account looks on each channel, and what goes before it in an address; the
# accounts of groups look otherwise. docs/channels and `openclaw message --help` have both.
_NUMBER = r"\+[1-9]\d{4,}"
_PEOPLE = {
    "telegram": (r"[1-9]\d*", ""),
    "whatsapp": (_NUMBER, ""),
    "signal": (rf"{_NUMBER}|uuid:[\da-f-]+", ""),
    "sms": (_NUMBER, ""),
    "imessage": (rf"{_NUMBER}|[^@\s]+@[^@\s]+", ""),
    "discord": (r"\d+", "user:"),
    "slack": (r"[UW][A-Z\d]+", "user:"),
    "mattermost": (r"[a-z\d]{26}", "user:"),
    "msteams": (r"[\da-f]{8}(?:-[\da-f]{4,12}){4}", "user:"),
    "matrix": (r"@[^:\s]+:\S+", ""),
    "googlechat": (r"users/\d+", ""),
    "feishu": (r"ou_\w+", ""),
}


@dataclass(frozen=True, slots=True)
class Chat:
    """A private conversation with the owner: the channel, and the address on it."""

    channel: str
    to: str

    def __str__(self) -> str:
        return f"{self.channel}:{self.to}"


def owner_chat(
    configuration: Mapping[str, Any],  # Any: the configuration's own values
) -> Chat | None:
    """
    Return where the owner can be written to in private, None where that is not certain.

    Only who is listed in ``commands.ownerAllowFrom`` may answer, on 2026.9.6.
    """
    owners = listed_at(configuration, _OWNERS)
    channels = value_at(configuration, ("channels",))
    if "*" in owners or not isinstance(channels, dict):
        return None
    chats = (_chat(each, channels) for each in owners)
    return next((chat for chat in chats if chat), None)


def whose(
    configuration: Mapping[str, Any],  # Any: the configuration's own values
    channel: str,
    peer: str,
) -> Whose:
    """
    Say whose account *peer* on *channel* is.

    OpenClaw writes the first account that is paired into ``commands.ownerAllowFrom``.
    Without that list the one person whom the configuration lets in is the owner. Who is
    paired is let in as well, and stands elsewhere: of anybody else, nobody knows.
    """
    owners = [_plain(each) for each in listed_at(configuration, _OWNERS)]
    if owners and "*" not in owners:
        accounts = set(_accounts(configuration, channel, peer))
        return "owner" if accounts.intersection(owners) else "other"
    return "owner" if _is_alone(configuration, channel, peer) else "unsure"


def is_listed(
    configuration: Mapping[str, Any],  # Any: the configuration's own values
    channel: str,
    account: str,
) -> bool:
    """Say whether *account* is listed as an owner's; who is merely let in is not."""
    owners = {_plain(each) for each in listed_at(configuration, _OWNERS)}
    names = {_plain(account), _plain(f"{channel}:{account}")}
    return "*" not in owners and not owners.isdisjoint(names)


def _chat(account: str, channels: Mapping[str, Any]) -> Chat | None:
    channel, colon, person = account.strip().partition(":")
    channel = "telegram" if channel == "tg" else channel
    table = channels.get(channel)
    if not colon or channel not in _PEOPLE or not isinstance(table, dict):
        return None
    looks, before = _PEOPLE[channel]
    person = person.removeprefix("user:")
    if table.get("enabled") is False or not re.fullmatch(looks, person):
        return None
    return Chat(channel, before + person)


def _accounts(
    configuration: Mapping[str, Any], channel: str, peer: str
) -> Iterator[str]:
    """Yield the ways to write *peer*, and the accounts that are linked to it."""
    yield from (_plain(peer), _plain(f"{channel}:{peer}"))
    links = value_at(configuration, _LINKS)
    for name in links if isinstance(links, dict) else ():
        if str(name).lower() == peer.lower():
            yield from (_plain(each) for each in listed_at(links, (name,)))
    if not channel:
        # A conversation with a person on whatever channel.
        owners = (_plain(each) for each in listed_at(configuration, _OWNERS))
        same = f":{_plain(peer)}"
        yield from (each for each in owners if each.endswith(same))


def _is_alone(configuration: Mapping[str, Any], channel: str, peer: str) -> bool:
    """Say whether the configuration lets in *peer* and nobody else."""
    tables = value_at(configuration, ("channels",))
    tables = tables if isinstance(tables, dict) else {}
    named = [tables.get(channel)] if channel else [*tables.values()]
    found = [each for each in named if isinstance(each, dict)]
    let_in = {_plain(a) for each in found for a in listed_at(each, ("allowFrom",))}
    is_open = any(each.get("dmPolicy") == "open" for each in found)
    return (
        not is_open
        and len(let_in) == 1
        and not let_in.isdisjoint(_accounts(configuration, channel, peer))
    )


def _plain(account: str) -> str:
    """Return *account* as it is compared: ``telegram:777``, a number without its plus."""
    channel, colon, rest = account.strip().lower().partition(":")
    if not colon:
        channel, rest = "", channel
    channel = "telegram" if channel == "tg" else channel
    return f"{channel}{colon}{rest.removeprefix('user:').removeprefix('+')}"
