"""Whose memory a conversation belongs to; nobody's where that is not sure."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from strata.errors import OpenClawNotFound, ScopeNotAllowed
from strata.messages import Notice
from strata.models import SessionKind
from strata.transcripts.classification import PRIVATE as PRIVATE_KINDS
from strata.transcripts.classification import kind_of_key
from strata.workspace.openclaw import agents_of, configuration
from strata.workspace.owners import whose
from strata.workspace.scopes import PRIVATE, scope_of_key

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from strata.memory import Memory
    from strata.models import Session
    from strata.workspace.scopes import Scope

# How the keys of conversations begin that the owner has outside every channel.
_OWNERS = {"main", "global", "dashboard", "explicit"}
# What OpenClaw runs for the owner, without anybody who speaks.
_BY_ITSELF = {
    *(SessionKind.CRON, SessionKind.HEARTBEAT, SessionKind.HOOK),
    *(SessionKind.INTERNAL, SessionKind.PROBE),
}
# What works for the conversation before it in a key.
_HELPERS = {"subagent", "active-memory"}
NOT_SURE = "not sure whose; see commands.ownerAllowFrom"
NO_NAME = "a group without a name"


@dataclass(frozen=True)
class Scoping:
    """Tells the scope of each conversation of *memory*; *known* are those seen before."""

    memory: Memory
    known: Mapping[str, str]

    def scope_of(self, session: Session) -> tuple[str, str]:
        """Return the name of the scope of *session*, or "" and why it has none."""
        if session.home:
            return session.home, ""
        if session.kind in PRIVATE_KINDS:
            return self._of_person(session)
        if session.kind is SessionKind.GROUP and self.memory.settings.capture_groups:
            return self._of_group(session)
        return "", session.kind.value

    def _of_group(self, session: Session) -> tuple[str, str]:
        scope = scope_of_key(session.key)
        if scope and scope.kind == "group":
            return self.memory.scopes.name(scope), ""
        # OpenClaw forgets the keys of conversations that were reset or left.
        known = self.known.get(session.id, "")
        return (known, "") if known.startswith("group:") else ("", NO_NAME)

    def _of_person(self, session: Session) -> tuple[str, str]:
        scope = scope_of_key(session.key)
        if scope is None or scope.kind != "user":
            known = "" if session.key else self.known.get(session.id, "")
            return known or PRIVATE, ""
        found = whose(self._configuration, scope.channel, scope.id)
        if found == "unsure":
            return "", NOT_SURE
        return PRIVATE if found == "owner" else self.memory.scopes.name(scope), ""

    @cached_property
    def _configuration(self) -> dict[str, Any]:  # Any: OpenClaw's own values
        return configuration(self.memory.state_folder)


def scope_of_asker(
    memory: Memory, *, session: str = "", chat: str = "", sender: str = ""
) -> str:
    """
    Return the scope in which *sender* asks from *chat*, in the conversation *session*.

    That is its key, and all is as OpenClaw says it: no chat and no sender where the
    operator speaks from outside, no session where the plugin is not loaded. Raise
    `ScopeNotAllowed` where that may be anybody who has no memory of their own here, and
    where it is another agent's conversation.
    """
    _refuse_another_agent(memory, session)
    where = _parts(session)
    scheduled = _is_scheduled(where)
    named = None if scheduled else _named(where)
    if named and named.kind == "group":
        return memory.scopes.name(named)
    if chat or sender:
        return _scope_in_chat(memory, chat, sender)
    if named:
        configured = configuration(memory.state_folder)
        found = whose(configured, named.channel, named.id)
        if found == "other":
            return memory.scopes.name(named)
        if found == "owner":
            return PRIVATE
    elif scheduled or _is_owners(where) or (_is_anybodys(where) and _is_alone(memory)):
        return PRIVATE
    raise ScopeNotAllowed(Notice("scope.not-sure" if session else "scope.no-session"))


def _refuse_another_agent(memory: Memory, session: str) -> None:
    """Raise `ScopeNotAllowed` where *session* is of none of those who work in *memory*."""
    kind, _, rest = session.partition(":")
    asking = rest.partition(":")[0]
    if kind.lower() != "agent" or not asking:
        return
    owners = agents_of(memory.state_folder, memory.private.workspace.root)
    if owners and asking.lower() not in map(str.lower, owners):
        raise ScopeNotAllowed.of("scope.agent-asks", own=asking)


def _parts(session: str) -> list[str]:
    """Return the parts of the key *session* that say where it is: no agent, no suffix."""
    parts = session.split(":")
    where = parts[2:] if parts[0].lower() == "agent" else [*filter(None, parts)]
    # A helper, or a heartbeat, of a conversation that the key names.
    for helper in _HELPERS.intersection(where[1:]):
        where = where[: where.index(helper, 1)]
    while len(where) > 1 and where[-1] == "heartbeat":
        where.pop()
    return where


def _named(where: Sequence[str]) -> Scope | None:
    return scope_of_key(":".join(["agent", "-", *where]))


def _is_scheduled(where: Sequence[str]) -> bool:
    kind = kind_of_key(":".join(["agent", "-", *where]))
    return bool(where) and where[0] != "acp" and kind in _BY_ITSELF


def _is_owners(where: Sequence[str]) -> bool:
    """Say whether only the owner begins conversations of this kind."""
    # One in a channel says which, with whom or where: two parts and more.
    return len(where) == 1 or (bool(where) and where[0] in _OWNERS)


def _is_anybodys(where: Sequence[str]) -> bool:
    """Say whether this may work for any conversation: a helper, or it is not said."""
    if not where or where[0] == "subagent":
        return True
    # A conversation of a channel may be bound to one of these as well.
    return where[0] == "acp" and where[1:2] != ["binding"]


def _says_nobody(where: Sequence[str]) -> bool:
    return _is_scheduled(where) or _is_owners(where) or _is_anybodys(where)


def _is_alone(memory: Memory) -> bool:
    """Say whether the agent has no conversation with anybody but the owner."""
    configured = configuration(memory.state_folder)
    for each in _conversations(memory):
        # Nobody talks to the agent in what another tool had kept.
        if each.home:
            continue
        where = _parts(each.key)
        named = None if _is_scheduled(where) else _named(where)
        if named and named.kind == "user":
            if whose(configured, named.channel, named.id) != "owner":
                return False
        elif named or each.kind is SessionKind.GROUP or not _says_nobody(where):
            return False
    return True


def _scope_in_chat(memory: Memory, chat: str, sender: str) -> str:
    # It does not say on which channel, nor what kind of chat it is: its own conversations
    # do. What a schedule runs for a chat has no sender.
    keys = (scope_of_key(each.key) for each in _conversations(memory))
    scopes, sender = {each for each in keys if each}, sender or chat
    groups = {each for each in scopes if each.kind == "group" and _is(each.id, chat)}
    if len(groups) == 1:
        return memory.scopes.name(groups.pop())
    configured = configuration(memory.state_folder)
    people = {each for each in scopes if each.kind == "user" and _is(each.id, sender)}
    found = {whose(configured, each.channel, each.id) for each in people}
    found = found or {whose(configured, "", sender)}
    if not groups and found == {"owner"}:
        return PRIVATE
    if not groups and found == {"other"} and len(people) == 1:
        return memory.scopes.name(people.pop())
    raise ScopeNotAllowed(Notice("scope.not-sure"))


def _conversations(memory: Memory) -> list[Session]:
    with suppress(OpenClawNotFound):
        return memory.transcripts().sessions()
    return []


def _is(known: str, told: str) -> bool:
    """Say whether *told*, such as ``telegram:-100123``, is the id *known*."""
    return bool(told) and f":{known}:".lower() in f":{told}:".lower()
