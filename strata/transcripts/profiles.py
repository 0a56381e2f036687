"""
People whom OpenClaw's gateway knows by a profile of their own, and what is read to them.

Since 2026.9.6 ``users/<profile>/USER.md`` goes into the conversations that are assigned to
that person, or that the person began while signed in (docs/concepts/user-model.md). Who
merely writes in a chat selects no file: an administrator has to say whose account that is,
with ``users.linkChannelIdentity``. Read here, never written.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from strata.transcripts.places import AgentFolder
from strata.transcripts.sqlite_file import SqliteFile

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

# The one profile of all who come without a name: the owner's.
_SHARED = "gateway-owner"
# OpenClaw reads no file of another id.
_ID = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9_-]{0,127}")
_TABLES = {"user_profiles", "user_profile_identities"}
_LINKS = """
    select subject, profile_id from user_profile_identities
     where provider = 'channel.identity'"""
_COLUMNS = "select name from pragma_table_info('session_nodes')"
_CHOSEN = """
    select session_key, owner_actor_type, owner_actor_id,
           iif(json_valid(entry_json), json_extract(entry_json, '$.createdActor'), null)
      from session_nodes"""
# So often one profile was merged into another, at most.
_MERGES = 16


@dataclass(frozen=True, slots=True)
class Account:
    """Who writes in a chat: *sender* on *channel*."""

    channel: str
    sender: str


class Profiles:
    """What the gateway of the state directory *state* knows of people."""

    def __init__(self, state: Path) -> None:
        self._state = state
        self._path = state / "state" / "openclaw.sqlite"

    @cached_property
    def are_known(self) -> bool:
        """Whether this OpenClaw keeps profiles at all."""
        if not self._path.exists():
            return False
        names = self._file.rows("select name from sqlite_master where type = 'table'")
        return {_text(name) for (name,) in names} >= _TABLES

    def linked(self) -> Iterator[tuple[Account, str]]:
        """Yield each account of a chat with the profile of the person that has it."""
        for subject, profile in self._file.rows(_LINKS) if self.are_known else ():
            account, whose = _account(_text(subject)), self._surviving(_text(profile))
            if account and whose != _SHARED and is_profile(whose):
                yield account, whose

    def read_in(self, profile: str, agent: str) -> set[str]:
        """Return the keys of *agent*'s conversations that show the file of *profile*."""
        store = SqliteFile(AgentFolder(self._state, agent).database)
        if not store.path.exists():
            return set()
        columns = {_text(name) for (name,) in store.rows(_COLUMNS)}
        rows = store.rows(_CHOSEN) if "owner_actor_id" in columns else []
        chosen = {_text(key): _chosen(*map(_text, told)) for key, *told in rows}
        return {key for key, e in chosen.items() if e and self._surviving(e) == profile}

    def _surviving(self, profile: str) -> str:
        """Return the profile into which *profile* was merged, if it was."""
        for _ in range(_MERGES):
            into = self._merged.get(profile)
            if not into:
                break
            profile = into
        return profile

    @cached_property
    def _merged(self) -> Mapping[str, str]:
        rows = self._file.rows("select id, merged_into from user_profiles")
        return {_text(one): _text(into) for one, into in rows if into}

    @cached_property
    def _file(self) -> SqliteFile:
        return SqliteFile(self._path)


def is_profile(name: str) -> bool:
    """Say whether *name* is the id of a profile whose file OpenClaw would read."""
    return bool(_ID.fullmatch(name))


def _account(subject: str) -> Account | None:
    try:
        channel, _, sender = json.loads(subject)
    except ValueError:
        return None
    return Account(str(channel), str(sender))


def _chosen(kind: str, owner: str, creator: str) -> str:
    """
    Return the profile whose file a conversation shows, or "".

    That is of its *owner* where this is a person by its *kind*, else of its *creator*.
    """
    if kind == "human":
        return owner
    try:
        told = json.loads(creator or "{}")
        signed_in = told.get("type") == "human" and told.get("source") == "profile"
        return str(told.get("id") or "") if signed_in else ""
    except (ValueError, AttributeError):
        return ""


# SQLite hands out text as bytes.
def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""
