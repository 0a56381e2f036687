"""What ChatGPT exports: `conversations.json`, or many of them, in a zip or a folder."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from strata.errors import SourceUnreadable
from strata.imports.json_streams import conversation_files, values
from strata.imports.moments import in_order, moment
from strata.imports.talks import Derived, Skipped, Talk, Utterance, id_of
from strata.models import UNNAMED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from strata.imports.bundles import Bundle
    from strata.imports.json_streams import Json
    from strata.imports.talks import Read

_ROLES: dict[str, Literal["user", "assistant"]] = {
    "user": "user",
    "assistant": "assistant",
}
_SPOKEN = frozenset({"text", "multimodal_text"})
# What ChatGPT was to keep in mind goes to this tool of its own.
_MEMORY = "bio"
_ALL = {None, "", "all"}
# Citations stand between signs that no font has.
_CITATION = re.compile("\ue200[^\ue201]*\ue201")
_NUMBERED = re.compile(
    r"^\s*\d+\.\s*(?:\[(\d{4}-\d\d-\d\d)\]\.?)?\s*(\S.*)$", re.MULTILINE
)


class ChatGPT:
    """ChatGPT's own export."""

    name = "chatgpt"

    def recognises(self, source: Bundle) -> bool:
        """Say whether a file of conversations holds trees of messages."""
        return any(
            b'"mapping"' in source.head(name) for name in conversation_files(source)[:1]
        )

    def account(self, source: Bundle) -> str:
        """Return the id of whose export it is, "" where it does not say."""
        for name in source.names("user.json"):
            for told in values(source, name, ""):
                return str(told.get("id") or "") if isinstance(told, dict) else ""
        return ""

    def read(self, source: Bundle) -> Iterator[Read]:
        """Yield the conversations, and what ChatGPT kept in mind."""
        for name in conversation_files(source):
            try:
                for told in values(source, name):
                    yield from _conversation(told, name)
            except SourceUnreadable as error:
                yield Skipped.of(name, error)


def _conversation(told: Json, file: str) -> Iterator[Read]:
    told = told if isinstance(told, dict) else {}
    name = str(told.get("conversation_id") or told.get("id") or "")
    nodes = told.get("mapping")
    if not name or not isinstance(nodes, dict):
        yield Skipped(name or file, "unknown-shape")
        return
    if told.get("is_do_not_remember") is True:
        yield Skipped(name, "off-the-record")
        return
    begun = moment(told.get("create_time"))
    branch = [each for each in _branch(nodes, told.get("current_node")) if each]
    yield from _kept(branch, begun)
    said = tuple(_said(branch, begun))
    if not said:
        yield Skipped(name, "empty")
        return
    project = str(told.get("gizmo_id") or told.get("conversation_template_id") or "")
    yield Talk(
        name,
        str(told.get("title") or ""),
        said,
        project if project.startswith(UNNAMED) else "",
    )


def _branch(nodes: dict[str, Json], current: Json) -> list[dict[str, Json]]:
    """Return the messages on the way to *current*, or to the latest, in order."""
    named = isinstance(current, str) and current in nodes
    at = current if named else _latest(nodes)
    found, seen = [], set()
    while isinstance(at, str) and at not in seen:
        seen.add(at)
        node = nodes.get(at)
        node = node if isinstance(node, dict) else {}
        message = node.get("message")
        if isinstance(message, dict):
            found.append(message)
        at = node.get("parent")
    return found[::-1]


def _latest(nodes: dict[str, Json]) -> str | None:
    times = {
        name: time
        for name, node in nodes.items()
        if isinstance(node, dict)
        and isinstance(node.get("message"), dict)
        and isinstance(time := node["message"].get("create_time"), int | float)
    }
    return max(times, key=lambda name: times[name], default=None)


def _said(branch: list[dict[str, Json]], begun: datetime | None) -> Iterator[Utterance]:
    visible = ((each.get("create_time"), each) for each in branch if _is_visible(each))
    for at, message in in_order(visible, begun):
        role = _ROLES[message["author"]["role"]]
        if text := _text(message["content"]):
            yield Utterance(role, text, at)


def _is_visible(message: dict[str, Json]) -> bool:
    content = _table(message, "content")
    hidden = _table(message, "metadata").get("is_visually_hidden_from_conversation")
    return (
        _table(message, "author").get("role") in _ROLES
        and content.get("content_type") in _SPOKEN
        and message.get("recipient") in _ALL
        and not hidden
    )


def _text(content: dict[str, Json]) -> str:
    parts = content.get("parts")
    texts = (_part(each) for each in parts) if isinstance(parts, list) else ()
    return _CITATION.sub("", "\n".join(filter(None, texts))).strip()


def _part(part: Json) -> str:
    # What was spoken aloud is a part of its own, with its words; a picture has none.
    told = part.get("text") if isinstance(part, dict) else part
    return told if isinstance(told, str) else ""


def _kept(branch: list[dict[str, Json]], begun: datetime | None) -> Iterator[Derived]:
    """Yield what ChatGPT itself kept in mind: its memories, and its instructions."""
    for message in branch:
        content, at = _table(message, "content"), moment(message.get("create_time"))
        kind = content.get("content_type")
        if kind == "user_editable_context":
            for part in ("user_profile", "user_instructions"):
                yield from _derived(content.get(part), at or begun, "instructions")
        elif kind == "model_editable_context":
            for day, text in _NUMBERED.findall(
                str(content.get("model_set_context") or "")
            ):
                yield from _derived(text, moment(day) or at or begun, "memory")
        elif message.get("recipient") == _MEMORY:
            yield from _derived(_text(content), at or begun, "memory")


def _derived(text: Json, at: datetime | None, kind: str) -> Iterator[Derived]:
    if isinstance(text, str) and text.strip():
        yield Derived(id_of(text), text.strip(), at, kind)


def _table(told: dict[str, Json], key: str) -> dict[str, Json]:
    found = told.get(key)
    return found if isinstance(found, dict) else {}


FORMAT = ChatGPT()
