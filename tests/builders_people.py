"""An owner and another person who talk to an agent, and what OpenClaw knows of them."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, suppress
from hashlib import sha256
from typing import TYPE_CHECKING

from builders_scopes import LATER, OTHER, open_agent, populate
from builders_transcripts import Script

from strata.jobs.sync import sync
from strata.jobs.tidy import tidy, tidy_scopes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from strata.memory import Memory

PERSON = f"user:whatsapp:{OTHER}"
PROFILE = "p_8f2c"
FILE = f"users/{PROFILE}/USER.md"
OWNERS, THEIRS = "agent:main:main", f"agent:main:whatsapp:direct:{OTHER}"
GROUP = "agent:main:telegram:group:-100123"
# As OpenClaw 2026.9.6 makes them (dist/user-profiles-internal).
_TABLES = """
create table user_profiles (
  id text not null primary key, display_name text, primary_github_account_id integer,
  avatar blob, avatar_mime text, avatar_sha256 text, merged_into text, role text,
  created_at integer not null, updated_at integer not null) strict;
create table user_profile_identities (
  provider text not null, subject text not null, profile_id text not null,
  canonical_login text, created_at integer not null,
  primary key (provider, subject)) strict;
create table plugin_state_entries (
  plugin_id text, namespace text, entry_key text, value_json text);
"""


def told(root: Path, said: Mapping[str, Sequence[str]]) -> Path:
    """
    Let everybody say what is theirs, by the keys of the conversations, and a night pass.
    """
    talks = {}
    for number, (key, texts) in enumerate(said.items()):
        script = Script(id=f"{number}2871d67-1111-4222-8333-444444444444").header()
        for text in texts:
            script.user(text).agent("Noted.")
        talks[key] = script.user("Thanks, bye").agent("Bye.")
    populate(root, era="sqlite", talks=talks)
    sync(open_agent(root))
    night(root)
    return root


def night(root: Path, now: str = LATER) -> None:
    """
    Tidy the memories of all.
    """
    memory = open_agent(root, "main", now)
    tidy(memory)
    tidy_scopes(memory)


def person(root: Path, now: str = LATER) -> Memory:
    """
    The memory of the person beside the owner.
    """
    private = open_agent(root, "main", now)
    return private.within(private.scopes.find(PERSON))


def sign_in(root: Path, *accounts: tuple[str, str], profile: str = PROFILE) -> None:
    """
    Let OpenClaw know a person by a *profile*, to whom *accounts* of chats are linked.
    """
    file = root / "state" / "state" / "openclaw.sqlite"
    is_new = not file.exists()
    file.parent.mkdir(exist_ok=True)
    with closing(_database(root)) as database, database:
        if is_new:
            database.executescript(_TABLES)
        database.execute(
            "insert into user_profiles (id, created_at, updated_at) values (?, 0, 0)",
            (profile,),
        )
    link(root, profile, *accounts)


def unlink(root: Path, profile: str = PROFILE) -> None:
    """
    Take the accounts away from *profile*.
    """
    with closing(_database(root)) as database, database:
        database.execute(
            "delete from user_profile_identities where profile_id = ?", (profile,)
        )


def link(
    root: Path, profile: str, *accounts: tuple[str, str], account: str = "default"
) -> None:
    """
    Let *accounts* of chats, of the agent's own *account* there, be those of *profile*.
    """
    with closing(_database(root)) as database, database:
        for channel, sender in accounts:
            subject = json.dumps([channel, account, sender])
            database.execute(
                "insert into user_profile_identities values (?, ?, ?, null, 0)",
                ("channel.identity", subject, profile),
            )


def merge(root: Path, profile: str, into: str) -> None:
    """
    Let *profile* be merged into another.
    """
    with closing(_database(root)) as database, database:
        database.execute(
            "update user_profiles set merged_into = ? where id = ?", (into, profile)
        )


def distrust(root: Path, path: str) -> None:
    """
    Let OpenClaw take *path* for a file that nobody it trusts has written.
    """
    workspace = (root / "workspace").resolve().as_posix()
    key = ":".join(sha256(each.encode()).hexdigest() for each in (workspace, path))
    told = {"originClass": "untrusted", "fileHash": "0" * 64}
    with closing(_database(root)) as database, database:
        database.execute(
            "insert into plugin_state_entries values (?, ?, ?, ?)",
            (
                "core:memory-artifact-provenance",
                "workspace-files",
                key,
                json.dumps(told),
            ),
        )


def configure(root: Path, **defaults: object) -> None:
    """
    Set what holds for all agents in OpenClaw's configuration.
    """
    file = root / "state" / "openclaw.json"
    configured = json.loads(file.read_text())
    configured["agents"]["defaults"] = defaults
    file.write_text(json.dumps(configured))


def _database(root: Path) -> sqlite3.Connection:
    return sqlite3.connect(root / "state" / "state" / "openclaw.sqlite")


def assign(root: Path, key: str, profile: str = PROFILE) -> None:
    """
    Let the conversation *key* be that of *profile*, as `sessions.assignOwner` does.
    """
    chosen(root, key, {}, kind="human", owner=profile)


def chosen(
    root: Path, key: str, creator: dict[str, str], *, kind: str = "", owner: str = ""
) -> None:
    """
    Let OpenClaw know by whom the conversation *key* was begun, and whose it is.
    """
    file = root / "state" / "agents" / "main" / "agent" / "openclaw-agent.sqlite"
    entry = {"createdActor": creator} if creator else {}
    with closing(sqlite3.connect(file)) as database, database:
        for name in ("owner_actor_type", "owner_actor_id"):
            with suppress(sqlite3.OperationalError):
                database.execute(f"alter table session_nodes add column {name} text")
        database.execute(
            "update session_nodes set entry_json = ?, owner_actor_type = ?,"
            " owner_actor_id = ? where session_key = ?",
            (json.dumps(entry), kind or None, owner or None, key),
        )


def rename(root: Path, key: str, new: str) -> None:
    """
    Let the conversation *key* be the one that OpenClaw calls *new*.
    """
    file = root / "state" / "agents" / "main" / "agent" / "openclaw-agent.sqlite"
    with closing(sqlite3.connect(file)) as database, database:
        database.execute(
            "update session_nodes set session_key = ? where session_key = ?", (new, key)
        )
