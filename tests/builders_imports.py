"""Exports of other tools in miniature, in the shapes that those publish."""

from __future__ import annotations

import json
import zipfile
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

# Any: what JSON holds.
Json = dict[str, Any]
Said = tuple[str, str]

LONG_AGO = datetime(2025, 3, 10, 9, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def chatgpt_talk(
    name: str,
    said: Sequence[Said],
    *,
    title: str = "A talk",
    at: datetime = LONG_AGO,
    **fields: object,
) -> Json:
    """
    A conversation as ChatGPT exports it: a tree of which *said* is the only branch.
    """
    nodes: dict[str, Json] = {
        "root": {"id": "root", "message": None, "parent": None, "children": []}
    }
    last = "root"
    for number, (role, text) in enumerate(said):
        message = chatgpt_message(role, text, at + number * MINUTE)
        last = grow(nodes, f"{name}-{number}", last, message)
    begun = at.timestamp()
    return {
        "title": title,
        "create_time": begun,
        "update_time": begun + 60 * len(said),
        "mapping": nodes,
        "moderation_results": [],
        "current_node": last,
        "conversation_id": name,
        "id": name,
        **fields,
    }


def chatgpt_message(
    role: str, text: str, at: datetime, *, hidden: bool = False, **fields: object
) -> Json:
    """
    A message as it lies in the tree.
    """
    metadata = {"is_visually_hidden_from_conversation": True} if hidden else {}
    return {
        "id": f"{at.timestamp()}-{role}",
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": at.timestamp(),
        "update_time": None,
        "content": {"content_type": "text", "parts": [text]},
        "status": "finished_successfully",
        "end_turn": None,
        "weight": 1.0,
        "metadata": metadata,
        "recipient": "all",
        "channel": None,
        **fields,
    }


def grow(nodes: dict[str, Json], name: str, parent: str, message: Json) -> str:
    """
    Hang *message* under *parent* as the node *name*, and return that.
    """
    nodes[name] = {"id": name, "message": message, "parent": parent, "children": []}
    nodes[parent]["children"].append(name)
    return name


def claude_talk(
    name: str,
    said: Sequence[Said],
    *,
    title: str = "A talk",
    at: datetime = LONG_AGO,
    **fields: object,
) -> Json:
    """
    A conversation as Claude.ai exports it.
    """
    messages = []
    parent = "00000000-0000-4000-8000-000000000000"
    for number, (role, text) in enumerate(said):
        moment = (at + number * MINUTE).isoformat().replace("+00:00", "Z")
        own = f"{name}-{number}"
        messages.append(
            {
                "uuid": own,
                "text": text,
                "content": [
                    {"type": "thinking", "thinking": "Nobody sees this."},
                    {"type": "text", "text": text, "citations": []},
                ],
                "sender": "human" if role == "user" else "assistant",
                "created_at": moment,
                "updated_at": moment,
                "attachments": [],
                "files": [],
                "parent_message_uuid": parent,
            }
        )
        parent = own
    begun = at.isoformat().replace("+00:00", "Z")
    return {
        "uuid": name,
        "name": title,
        "summary": "What somebody made of it.",
        "created_at": begun,
        "updated_at": begun,
        "account": {"uuid": "account-1"},
        "chat_messages": messages,
        **fields,
    }


def code_session(
    name: str, said: Sequence[Said], *, at: datetime = LONG_AGO, cwd: str = "/home/a/b"
) -> list[Json]:
    """
    The lines of a session of Claude Code.
    """
    lines: list[Json] = [{"type": "mode", "mode": "default", "sessionId": name}]
    parent = None
    for number, (role, text) in enumerate(said):
        own = f"{name}-{number}"
        content: object = text
        if role == "assistant":
            content = [{"type": "text", "text": text}]
        moment = (at + number * MINUTE).isoformat().replace("+00:00", "Z")
        lines.append(
            {
                "parentUuid": parent,
                "isSidechain": False,
                "cwd": cwd,
                "sessionId": name,
                "version": "2.1.0",
                "type": role,
                "message": {"role": role, "content": content},
                "uuid": own,
                "timestamp": moment,
            }
        )
        parent = own
    return lines


def write_folder(folder: Path, files: Mapping[str, object]) -> Path:
    """
    Write *files* below *folder*: text as it is, lists of `code_session` as lines.
    """
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_bytes(name, content))
    return folder


def write_zip(path: Path, files: Mapping[str, object]) -> Path:
    """
    Write *files* into the zip *path*.
    """
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(name, _bytes(name, content))
    return path


def _bytes(name: str, content: object) -> bytes:
    if isinstance(content, bytes):
        return content
    if isinstance(content, str):
        return content.encode()
    if name.endswith(".jsonl") and isinstance(content, list):
        return "".join(json.dumps(each) + "\n" for each in content).encode()
    return json.dumps(content, ensure_ascii=False).encode()
