"""What Gemini, mem0, claude-mem and Obsidian leave, in miniature, as each shapes it."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime, timedelta
from html import escape
from typing import TYPE_CHECKING, Any

from builders_imports import (
    LONG_AGO,
    chatgpt_talk,
    claude_talk,
    code_session,
    write_folder,
)
from builders_transcripts import Script, Store, write_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

# Any: what JSON holds.
Json = dict[str, Any]

ACTIVITY = "Takeout/My Activity/Gemini Apps/MyActivity"
CHAT, OTHER_CHAT = "9d0b8ac907c407f0", "22836c74f2ebe4cc"


def gemini_record(
    title: str,
    answer: str | Sequence[str] = "",
    *,
    at: datetime = LONG_AGO,
    chats: Sequence[str] = (),
    product: str = "Gemini Apps",
    **fields: object,
) -> Json:
    """
    One activity as Takeout writes it in JSON; *answer* is HTML, or several answers.
    """
    answers = [answer] if isinstance(answer, str) else answer
    told = [{"html": each} for each in answers if each]
    links = [{"url": f"https://gemini.google.com/app/{each}"} for each in chats]
    return {
        "header": product,
        "title": title,
        "time": f"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03}Z",
        "products": [product],
        "activityControls": [f"{product} Activity"],
        **({"safeHtmlItem": told} if told else {}),
        **({"details": links} if links else {}),
        **fields,
    }


def gemini_cell(
    title: str,
    date: str,
    answer: str = "",
    *,
    chats: Sequence[str] = (),
    product: str = "Gemini Apps",
) -> str:
    """
    The same as a cell of the page; *title* and *answer* are HTML.
    """
    cell = "content-cell mdl-cell mdl-cell--6-col mdl-typography--body-1"
    links = "".join(
        f'<a href="https://gemini.google.com/app/{each}">Gemini</a>' for each in chats
    )
    details = f"<b>Details:</b><br>&emsp;{links}<br>" if links else ""
    return (
        '<div class="outer-cell mdl-cell mdl-cell--12-col mdl-shadow--2dp">'
        '<div class="mdl-grid"><div class="header-cell mdl-cell mdl-cell--12-col">'
        f'<p class="mdl-typography--title">{escape(product)}<br></p></div>'
        f'<div class="{cell}">{title}<br>{date}<br>{answer}</div>'
        f'<div class="{cell} mdl-typography--text-right"></div>'
        '<div class="content-cell mdl-cell mdl-cell--12-col mdl-typography--caption">'
        f"<b>Products:</b><br>&emsp;{escape(product)}<br>{details}</div></div></div>"
    )


def gemini_page(*cells: str) -> str:
    """
    The page that holds *cells*; its styles are longer than any glance at a file.
    """
    styles = ".mdl-cell{margin:8px}" * 7000
    return (
        f'<html><head><meta charset="UTF-8"><title>My Activity</title><style>{styles}'
        f'</style></head><body><div class="mdl-grid">{"".join(cells)}</div></body></html>'
    )


def mem0_memory(name: str, text: str, **fields: object) -> Json:
    """
    A memory as mem0's library returns it.
    """
    return {
        "id": name,
        "memory": text,
        "hash": "3f2b1c9e",
        "metadata": {"type": "preference"},
        "created_at": "2025-03-10T02:00:00-07:00",
        "updated_at": None,
        "user_id": "alice",
        **fields,
    }


def openmemory_memory(name: str, text: str, **fields: object) -> Json:
    """
    A memory as OpenMemory's backup has it.
    """
    return {
        "id": name,
        "user_id": "5d8e4bea",
        "app_id": None,
        "content": text,
        "metadata": {},
        "state": "active",
        "created_at": "2025-03-10T09:00:00+00:00",
        "updated_at": "2025-03-11T09:00:00+00:00",
        "archived_at": None,
        "deleted_at": None,
        "category_ids": [],
        **fields,
    }


def openmemory_backup(*memories: Json) -> Json:
    """
    The file ``memories.json`` of an OpenMemory backup.
    """
    return {
        "user": {"id": "5d8e4bea", "user_id": "alice"},
        "apps": [],
        "categories": [],
        "memories": list(memories),
        "memory_categories": [],
        "status_history": [],
        "access_controls": [],
        "export_meta": {"version": "1"},
    }


CLAUDE_MEM_SCHEMA = """
create table schema_versions (
  id integer primary key, version integer unique not null, applied_at text not null);
create table sdk_sessions (
  id integer primary key autoincrement, content_session_id text unique not null,
  memory_session_id text unique, project text not null,
  platform_source text not null default 'claude', user_prompt text,
  started_at text not null, started_at_epoch integer not null, completed_at text,
  completed_at_epoch integer, status text not null default 'active',
  worker_port integer, prompt_counter integer default 0, custom_title text);
create table observations (
  id integer primary key autoincrement, memory_session_id text not null,
  project text not null, text text, type text not null, title text, subtitle text,
  facts text, narrative text, concepts text, files_read text, files_modified text,
  prompt_number integer, discovery_tokens integer default 0, content_hash text,
  agent_type text, agent_id text, merged_into_project text, generated_by_model text,
  metadata text, created_at text not null, created_at_epoch integer not null);
create table session_summaries (
  id integer primary key autoincrement, memory_session_id text not null,
  project text not null, request text, investigated text, learned text, completed text,
  next_steps text, files_read text, files_edited text, notes text,
  prompt_number integer, discovery_tokens integer default 0, merged_into_project text,
  created_at text not null, created_at_epoch integer not null);
create table user_prompts (
  id integer primary key autoincrement, content_session_id text not null,
  prompt_number integer not null, prompt_text text not null,
  created_at text not null, created_at_epoch integer not null);
create table directives (
  id integer primary key autoincrement, scope text not null default 'global',
  project text, content text not null, status text not null default 'active',
  source text not null default 'manual', created_at text not null,
  created_at_epoch integer not null, updated_at_epoch integer not null);
"""
# As migration 4 made it, before sessions had the names that they have now.
CLAUDE_MEM_OLD_SCHEMA = """
create table sdk_sessions (
  id integer primary key autoincrement, claude_session_id text unique not null,
  sdk_session_id text unique, project text not null, user_prompt text,
  started_at text not null, started_at_epoch integer not null, completed_at text,
  completed_at_epoch integer, status text not null default 'active');
create table observations (
  id integer primary key autoincrement, sdk_session_id text not null,
  project text not null, text text not null, type text not null,
  created_at text not null, created_at_epoch integer not null);
"""


class ClaudeMemStore:
    """
    A database of claude-mem at *path*.
    """

    def __init__(self, path: Path, schema: str = CLAUDE_MEM_SCHEMA) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.db = sqlite3.connect(path)
        self.db.executescript(f"pragma synchronous = off; {schema}")

    def add(self, table: str, at: datetime = LONG_AGO, **columns: object) -> None:
        """
        Put a row into *table*, from *at* unless *columns* say otherwise.
        """
        begun = "started_at" if table == "sdk_sessions" else "created_at"
        row = {
            begun: at.isoformat().replace("+00:00", "Z"),
            f"{begun}_epoch": int(at.timestamp() * 1000),
            **columns,
        }
        names, marks = ", ".join(row), ", ".join("?" * len(row))
        self.db.execute(
            f"insert into {table} ({names}) values ({marks})",  # noqa: S608 - our own names
            tuple(row.values()),
        )
        self.db.commit()

    def close(self) -> Path:
        """
        Leave the file as it is when nobody has it open.
        """
        self.db.close()
        return self.path


def claude_mem(path: Path) -> Path:
    """
    A database with a session of two prompts, and what was made of it.
    """
    store = ClaudeMemStore(path)
    own: Json = {"memory_session_id": "memory-1", "project": "shop"}
    store.add("sdk_sessions", content_session_id="one", custom_title="The shop", **own)
    for number, text in enumerate(("We keep PostgreSQL 16.", "No ORM, please."), 1):
        store.add(
            "user_prompts",
            LONG_AGO + timedelta(minutes=number),
            content_session_id="one",
            prompt_number=number,
            prompt_text=text,
        )
    store.add(
        "observations",
        type="decision",
        title="Database",
        narrative="The shop stays on PostgreSQL 16.",
        facts='["PostgreSQL 16 stays", "There is no ORM"]',
        **own,
    )
    store.add("session_summaries", request="Plan", learned="Nothing new", **own)
    return store.close()


def openclaw_state(folder: Path) -> Path:
    """
    A state folder with a conversation in each era's form, and a workspace.
    """
    at = datetime(2026, 2, 1, 9, 0, tzinfo=UTC)
    old = Script(id="11111111-1111-4222-8333-444444444444", at=at).header()
    write_file(folder, old.user("I moved to Oslo.").agent("Noted."))
    new = Script(at=at + timedelta(days=60)).header()
    store = Store(folder)
    store.add(new.user("My sister is Anna.").agent("Good to know."))
    store.db.close()
    files = {
        "workspace/MEMORY.md": "# Memory\n\n- Prefers tea (src: 2026-01-15)\n",
        "workspace/USER.md": "# USER.md\n\n- **Name:** Kim\n- **Timezone:**\n",
        "workspace/memory/2026-01-15.md": "## Notes\n\n- Bought a kettle.\n",
        "workspace/AGENTS.md": "# Rules\n\n- Be kind.\n",
    }
    return write_folder(folder, files)


VAULT: Mapping[str, object] = {
    "Daily/2026-03-01.md": "# Sunday\n\n- Rowed on the [[Oslofjord|fjord]] ^b1\n",
    "People/Anna.md": "---\ncreated: 2025-12-24\ntags: [family]\n---\nMy sister.\n",
    "Forms/Daily.md": "# {{date}}\n\n- What happened\n",
    "Files/photo.png": b"\x89PNG",
    ".obsidian/app.json": {"attachmentFolderPath": "Files"},
    ".obsidian/templates.json": {"folder": "Forms"},
    ".obsidian/workspace.json": {"main": {}},
    ".trash/Old.md": "Gone.\n",
}


def samples(folder: Path) -> dict[str, Path]:
    """
    One export of each format below *folder*, by the format's name.
    """
    said = [("user", "We keep PostgreSQL 16."), ("assistant", "It stays.")]
    files: dict[str, Mapping[str, object]] = {
        "chatgpt": {"conversations.json": [chatgpt_talk("one", said)]},
        "claude": {"conversations.json": [claude_talk("one", said)]},
        "claude-code": {"p/one.jsonl": code_session("one", said)},
        "gemini": {f"{ACTIVITY}.json": [gemini_record("Prompted hi", "<p>Hi.</p>")]},
        "mem0": {"memories.json": {"results": [mem0_memory("one", "Likes tea")]}},
        "markdown": VAULT,
    }
    made = {
        name: write_folder(folder / name, content) for name, content in files.items()
    }
    claude_mem(folder / "claude-mem" / "claude-mem.db")
    openclaw_state(folder / "openclaw")
    return {
        **made,
        "claude-mem": folder / "claude-mem",
        "openclaw": folder / "openclaw",
    }
