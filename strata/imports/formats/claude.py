"""What Claude.ai exports: conversations, projects and memories, as lists in JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from strata.errors import SourceUnreadable
from strata.imports.json_streams import block_texts, conversation_files, values
from strata.imports.moments import in_order, moment
from strata.imports.talks import Derived, Skipped, Talk, Utterance, id_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from strata.imports.bundles import Bundle
    from strata.imports.json_streams import Json
    from strata.imports.talks import Read

_ROLES: dict[str, Literal["user", "assistant"]] = {
    "human": "user",
    "user": "user",
    "assistant": "assistant",
}


class Claude:
    """Claude.ai's own export."""

    name = "claude"

    def recognises(self, source: Bundle) -> bool:
        """Say whether it has conversations, or memories, as Claude.ai has them."""
        talks = any(
            b'"chat_messages"' in source.head(each)
            for each in conversation_files(source)
        )
        return talks or any(
            b'"conversations_memory"' in source.head(each) for each in _memories(source)
        )

    def account(self, source: Bundle) -> str:
        """Return the id of whose export it is, "" where it does not say."""
        for name in source.names("users.json"):
            for told in values(source, name):
                return str(told.get("uuid") or "") if isinstance(told, dict) else ""
        return ""

    def read(self, source: Bundle) -> Iterator[Read]:
        """Yield what projects and memories hold, then the conversations."""
        projects: dict[str, str] = {}
        for name in _projects(source):
            try:
                for told in _each(source, name):
                    yield from _project(told, projects)
            except SourceUnreadable as error:
                yield Skipped.of(name, error)
        for name in _memories(source):
            try:
                for told in _each(source, name):
                    yield from _memory(told)
            except SourceUnreadable as error:
                yield Skipped.of(name, error)
        for name in conversation_files(source):
            try:
                for told in values(source, name):
                    yield _conversation(told, projects, name)
            except SourceUnreadable as error:
                yield Skipped.of(name, error)


def _projects(source: Bundle) -> list[str]:
    """Return the files of projects: one list of all, or a file each in a folder."""
    folder = [each for each in source.names("*.json") if "projects" in each.split("/")]
    return [*source.names("projects.json"), *folder]


def _memories(source: Bundle) -> list[str]:
    folder = [each for each in source.names("*.json") if "memories" in each.split("/")]
    return [*source.names("memories.json"), *folder]


def _each(source: Bundle, name: str) -> Iterator[dict[str, Json]]:
    """Yield the objects of a file that is one, or a list of them."""
    for told in values(source, name, ""):
        for each in told if isinstance(told, list) else [told]:
            if isinstance(each, dict):
                yield each


def _project(told: dict[str, Json], names: dict[str, str]) -> Iterator[Read]:
    project = str(told.get("uuid") or "")
    names[project] = str(told.get("name") or "")
    at = moment(told.get("updated_at")) or moment(told.get("created_at"))
    for key in ("description", "prompt_template"):
        text = told.get(key)
        if isinstance(text, str) and text.strip():
            yield Derived(f"{project}:{key}", text.strip(), at, "instructions")
    for document in told.get("docs") or ():
        if isinstance(document, dict):
            name = str(document.get("filename") or document.get("uuid") or project)
            yield Skipped(name, "project-document")


def _memory(told: dict[str, Json]) -> Iterator[Derived]:
    about = told.get("project_memories")
    texts = [told.get("conversations_memory")]
    texts += about.values() if isinstance(about, dict) else []
    for text in texts:
        for line in text.splitlines() if isinstance(text, str) else ():
            said = line.strip(" \t-*")
            # A line in bold, or with a number sign, is the title of what follows.
            if said and not line.strip().startswith(("#", "**")):
                yield Derived(id_of(said), said, None, "memory")


def _conversation(told: Json, projects: Mapping[str, str], file: str) -> Read:
    told = told if isinstance(told, dict) else {}
    name, messages = str(told.get("uuid") or ""), told.get("chat_messages")
    if not name or not isinstance(messages, list):
        return Skipped(name or file, "unknown-shape")
    listed = [each for each in messages if isinstance(each, dict)]
    branch = _branch(listed, told.get("current_leaf_message_uuid"))
    begun = moment(told.get("created_at"))
    dated = ((each.get("created_at"), each) for each in branch)
    said = tuple(
        Utterance(_ROLES[message["sender"]], text, at)
        for at, message in in_order(dated, begun)
        if message.get("sender") in _ROLES and (text := _text(message))
    )
    if not said:
        return Skipped(name, "empty")
    return Talk(name, str(told.get("name") or ""), said, _project_of(told, projects))


def _branch(messages: list[dict[str, Json]], leaf: Json) -> list[dict[str, Json]]:
    """
    Return the messages on the way to *leaf*, or to the last one.

    Where none has a parent among them, as in older exports, all follow each other.
    """
    by_id = {each.get("uuid"): each for each in messages}
    if not any(each.get("parent_message_uuid") in by_id for each in messages):
        return messages
    at = by_id.get(leaf) or messages[-1]
    found: list[dict[str, Json]] = []
    while at and len(found) < len(messages):
        found.append(at)
        at = by_id.get(at.get("parent_message_uuid"), {})
    return found[::-1]


def _text(message: dict[str, Json]) -> str:
    blocks = message.get("content")
    texts = block_texts(blocks)
    # Older exports have the words beside the blocks alone.
    whole = message.get("text") if not blocks else ""
    return "\n\n".join(texts or ([whole] if isinstance(whole, str) else [])).strip()


def _project_of(told: dict[str, Json], projects: Mapping[str, str]) -> str:
    named = told.get("project")
    if isinstance(named, dict):
        return str(named.get("name") or projects.get(str(named.get("uuid")), ""))
    return projects.get(str(told.get("project_uuid")), "")


FORMAT = Claude()
