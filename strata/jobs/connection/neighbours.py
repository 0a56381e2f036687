"""What Strata would change in OpenClaw's configuration, and why: nothing beyond need."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from strata.messages import Notice
from strata.workspace.openclaw_config import Change, value_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from strata.memory import Memory
    from strata.workspace.openclaw_config import Values

PATHS = ("plugins", "load", "paths")
ENABLED = ("plugins", "entries", "strata", "enabled")
CONVERSATION = ("plugins", "entries", "strata", "hooks", "allowConversationAccess")
ALLOWED = ("plugins", "allow")
DENIED = ("plugins", "deny")
DREAMING = ("plugins", "entries", "memory-core", "config", "dreaming", "enabled")
SLOT = ("plugins", "slots", "memory")
FLUSH = ("agents", "defaults", "compaction", "memoryFlush")
SESSION_MEMORY = ("hooks", "internal", "entries", "session-memory", "enabled")
SERVER = ("mcp", "servers", "strata")
TOKENIZER = ("memory", "search", "store", "fts", "tokenizer")

# Until 2026.7 the flush before a summary could be told what to do.
_FLUSH_PROMPTS = ("2026.6", "2026.7")


def wanted_changes(
    configuration: Values, *, plugin: Path, bundle: Path, version: str, language: str
) -> list[Change]:
    """Return what is to be changed, in the order in which it is shown."""
    proposed = [
        *_plugin(configuration, plugin, bundle),
        *_before_the_turn(configuration),
        *_dreaming(configuration),
        *_session_memory(configuration),
        *_flush(configuration, version),
        *_search(configuration, version, language),
    ]
    return [change for change in proposed if change.before != change.value]


def is_dreaming(configuration: Values) -> bool:
    """Say whether OpenClaw's own job rewrites memory at night; it does unless told."""
    return value_at(configuration, DREAMING) is not False


def _plugin(configuration: Values, plugin: Path, bundle: Path) -> Iterator[Change]:
    before = value_at(configuration, PATHS)
    paths = [each for each in before or [] if each != str(bundle)]
    yield Change(
        PATHS,
        paths if str(plugin) in paths else [*paths, str(plugin)],
        Notice("install.finds-plugin"),
        before,
    )
    before = value_at(configuration, ENABLED)
    yield Change(ENABLED, True, Notice("install.plugin-on"), before)  # noqa: FBT003
    allowed = value_at(configuration, ALLOWED)
    if isinstance(allowed, list) and "strata" not in allowed:
        why = Notice("install.plugin-list")
        yield Change(ALLOWED, [*allowed, "strata"], why, allowed)


def _before_the_turn(configuration: Values) -> Iterator[Change]:
    before = value_at(configuration, CONVERSATION)
    # A plugin that reads every message is for its owner to want.
    yield Change(CONVERSATION, True, Notice("install.recall"), before, asked=True)  # noqa: FBT003


def _dreaming(configuration: Values) -> Iterator[Change]:
    before = value_at(configuration, DREAMING)
    why = Notice("install.dreaming")
    yield Change(DREAMING, False, why, before, asked=before is True)  # noqa: FBT003


def _session_memory(configuration: Values) -> Iterator[Change]:
    hooks = value_at(configuration, ("hooks", "internal"))
    # Without any settings of internal hooks OpenClaw runs none of them.
    if not isinstance(hooks, dict) or hooks.get("enabled") is False:
        return
    before = value_at(configuration, SESSION_MEMORY)
    why = Notice("install.session-memory")
    yield Change(SESSION_MEMORY, False, why, before, asked=before is True)  # noqa: FBT003


def _flush(configuration: Values, version: str) -> Iterator[Change]:
    if not version.startswith(_FLUSH_PROMPTS):
        return
    from strata.templates import render  # noqa: PLC0415 - rare

    why = Notice("install.flush")
    for key in ("prompt", "systemPrompt"):
        path = (*FLUSH, key)
        before = value_at(configuration, path)
        text = render(f"prompts/memory_flush_{key.lower()}.md.j2").strip()
        ours = isinstance(before, str) and "memory/YYYY-MM-DD.md" in before
        yield Change(
            path, before if ours else text, why, before, asked=before is not None
        )


def _search(configuration: Values, version: str, language: str) -> Iterator[Change]:
    if language != "zh" or version < "2026.9":
        return
    before = value_at(configuration, TOKENIZER)
    why = Notice("install.tokenizer")
    yield Change(TOKENIZER, "trigram", why, before, asked=before is not None)


def wanted_server(
    configuration: Values, memories: Sequence[Memory], launcher: Path
) -> Iterator[Change]:
    """
    Offer the server for MCP, where its extra is installed and there is one agent.

    OpenClaw tells a server nothing of who asks, so that with two agents each would read
    the other's memory. The plugin adds the conversation to each call, and without it none
    is answered.
    """
    if find_spec("mcp") is None or len(memories) != 1:
        return
    given = ["--agent", memories[0].agent, "mcp", "--by-conversation"]
    value = {"command": str(launcher), "args": given}
    before = value_at(configuration, SERVER)
    if before != value:
        yield Change(SERVER, value, Notice("install.server"), before, asked=True)
