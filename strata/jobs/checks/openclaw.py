"""Does OpenClaw do its part: plugin on, jobs scheduled, nobody else writing memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from strata.bundle import BUNDLE
from strata.jobs.checks.findings import Finding, note, ok, problem
from strata.jobs.checks.reach import check_reach
from strata.jobs.checks.schedules import INSTALL, check_schedules, check_times_set
from strata.jobs.connection import agents_md
from strata.jobs.connection.neighbours import (
    ALLOWED,
    DENIED,
    DREAMING,
    ENABLED,
    PATHS,
    SESSION_MEMORY,
    SLOT,
    is_dreaming,
)
from strata.workspace import openclaw as openclaw_files
from strata.workspace.openclaw_config import listed_at, value_at
from strata.workspace.own_folder import OwnFolder

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from strata.memory import Memory
    from strata.workspace.own_folder import Installation

    Values = Mapping[str, Any]  # Any: OpenClaw's own values


def check_openclaw(memory: Memory, *, ask_gateway: bool) -> Iterator[Finding]:
    """Look at OpenClaw's configuration, and at its scheduler with *ask_gateway*."""
    configuration = openclaw_files.configuration(memory.state_folder)
    own = OwnFolder(memory.state_folder)
    installed = own.load()
    if installed is None:
        yield note("plugin", "Strata is not connected to OpenClaw", INSTALL)
        yield from _linked_bundle(configuration)
    else:
        yield _plugin(configuration, own, installed)
        yield _agents_md(memory)
        yield from check_reach(configuration, memory.agent)
        yield from check_times_set(memory)
        if ask_gateway:
            yield from check_schedules(memory, installed)
    yield _writers(configuration)
    yield from _session_memory(configuration)
    channels = value_at(configuration, ("channels",))
    yield from _groups(channels if isinstance(channels, dict) else {})
    yield from _heartbeat(configuration, channels)


def _plugin(configuration: Values, own: OwnFolder, installed: Installation) -> Finding:
    if value_at(configuration, ("plugins", "enabled")) is False:
        says = (
            "OpenClaw runs no plugins (plugins.enabled is false), so no event arrives"
        )
        return problem("plugin", says, "openclaw config set plugins.enabled true")
    if "strata" in listed_at(configuration, DENIED):
        says = "plugins.deny names strata, so OpenClaw does not load it"
        return problem("plugin", says, "take strata out of plugins.deny")
    allowed = value_at(configuration, ALLOWED)
    if (
        str(own.plugin) not in (value_at(configuration, PATHS) or [])
        or value_at(configuration, ENABLED) is not True
        or (isinstance(allowed, list) and "strata" not in allowed)
    ):
        return problem("plugin", "OpenClaw does not load it", INSTALL)
    if not own.plugin_is_current():
        says = "its files are those of another version of Strata"
        return problem("plugin", says, INSTALL, own.write_plugin)
    if not installed.woken:
        says = "OpenClaw has not loaded it yet: no gateway has told of its start"
        return note("plugin", says, "openclaw gateway restart")
    return ok("plugin", "loaded by OpenClaw")


def _linked_bundle(configuration: Values) -> Iterator[Finding]:
    if str(BUNDLE) in (value_at(configuration, PATHS) or []):
        yield problem(
            "plugin folder",
            "the whole bundle is linked; OpenClaw 2026.9 copies all of it at every start, "
            "which holds the gateway for half a minute",
            f"{INSTALL} links a small folder instead",
        )


def _agents_md(memory: Memory) -> Finding:
    if agents_md.is_current(memory):
        return ok("AGENTS.md", "holds the rules of recall")
    says = "does not hold the rules of recall of this version"
    return note("AGENTS.md", says, INSTALL)


def _writers(configuration: Values) -> Finding:
    if value_at(configuration, SLOT) not in {None, "memory-core"}:
        return ok("dreaming", "off, because it belongs to memory-core")
    if is_dreaming(configuration):
        # Who switched it on is asked by name before it is switched off.
        named = value_at(configuration, DREAMING) is True
        return problem(
            "dreaming",
            "OpenClaw's own job writes MEMORY.md too, and a file with two writers is left "
            "out of the prompt",
            f"{INSTALL} --change {'.'.join(DREAMING)}" if named else INSTALL,
        )
    return ok("dreaming", "off, so MEMORY.md has one writer")


def _session_memory(configuration: Values) -> Iterator[Finding]:
    hooks = value_at(configuration, ("hooks", "internal"))
    on = isinstance(hooks, dict) and hooks.get("enabled") is not False
    if on and value_at(configuration, SESSION_MEMORY) is not False:
        says = "the hook session-memory writes each conversation a second time"
        yield note(
            "session-memory", says, f"{INSTALL} --change {'.'.join(SESSION_MEMORY)}"
        )


def _groups(channels: Values) -> Iterator[Finding]:
    open_to_groups = sorted(
        name
        for name, channel in channels.items()
        if isinstance(channel, dict)
        and channel.get("enabled") is not False
        and (channel.get("groups") or channel.get("groupPolicy") == "open")
    )
    if open_to_groups:
        yield note(
            "groups",
            f"in groups of {', '.join(open_to_groups)} anybody can make the agent read "
            "your files, your private memory among them, though Strata shows a group "
            "only its own",
            "give groups an agent of their own, or deny them exec and memory tools "
            "(channels.NAME.groups.ID.tools.deny)",
        )


def _heartbeat(configuration: Values, channels: object) -> Iterator[Finding]:
    target = ("agents", "defaults", "heartbeat", "target")
    if not channels and value_at(configuration, target) != "none":
        yield note(
            "heartbeat",
            "OpenClaw has no channel and skips its heartbeats; events and scheduled jobs "
            "do the work without them",
            f"openclaw config set {'.'.join(target)} none, to have them all the same",
        )
