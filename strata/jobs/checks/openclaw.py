"""Does OpenClaw do its part: plugin on, jobs scheduled, nobody else writing memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.bundle import BUNDLE
from strata.jobs.checks.findings import Finding, note, ok, problem
from strata.jobs.checks.reach import check_reach
from strata.jobs.checks.schedules import (
    INSTALL,
    check_digest,
    check_schedules,
    check_times_set,
)
from strata.jobs.connection import agents_md
from strata.jobs.connection.neighbours import (
    ALLOWED,
    DENIED,
    DREAMING,
    ENABLED,
    PATHS,
    SESSION_MEMORY,
    is_dreaming,
)
from strata.jobs.connection.slot import DREAMING as DREAMING_BESIDE_US
from strata.jobs.connection.slot import (
    OPENCLAWS,
    PLUGIN,
    is_loadable,
    owner_of_slot,
)
from strata.messages import Notice
from strata.workspace import openclaw as openclaw_files
from strata.workspace.moved import moved_from
from strata.workspace.openclaw_config import listed_at, value_at
from strata.workspace.own_folder import OwnFolder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.memory import Memory
    from strata.workspace.openclaw_config import Values


def check_openclaw(memory: Memory, *, ask_gateway: bool) -> Iterator[Finding]:
    """Look at OpenClaw's configuration, and at its scheduler with *ask_gateway*."""
    configuration = openclaw_files.configuration(memory.state_folder)
    own = OwnFolder(memory.state_folder)
    installed = own.load()
    if installed is None:
        yield note("plugin", Notice("doctor.not-connected"), INSTALL)
        yield from _linked_bundle(configuration)
        if not (configuration or (memory.state_folder / "agents").is_dir()):
            # What OpenClaw does unless it is told otherwise, none does here.
            return
    else:
        yield _plugin(configuration, own)
        yield from _native(configuration, own)
        yield _agents_md(memory)
        yield from check_reach(configuration, memory.agent)
        yield from check_times_set(memory)
        yield from check_digest(memory, configuration)
        if ask_gateway:
            yield from check_schedules(memory, installed, configuration)
    yield _writers(configuration)
    yield from _session_memory(configuration)
    channels = value_at(configuration, ("channels",))
    yield from _groups(channels if isinstance(channels, dict) else {})
    yield from _heartbeat(configuration, channels)


def _plugin(configuration: Values, own: OwnFolder) -> Finding:
    if value_at(configuration, ("plugins", "enabled")) is False:
        says = Notice("doctor.no-plugins")
        return problem("plugin", says, "openclaw config set plugins.enabled true")
    if "strata" in listed_at(configuration, DENIED):
        return problem("plugin", Notice("doctor.denied"))
    allowed = value_at(configuration, ALLOWED)
    if (
        str(own.plugin) not in (value_at(configuration, PATHS) or [])
        or value_at(configuration, ENABLED) is not True
        or (isinstance(allowed, list) and "strata" not in allowed)
    ):
        return problem("plugin", Notice("doctor.not-loaded"), INSTALL)
    return _files(own)


def _files(own: OwnFolder) -> Finding:
    if before := moved_from(own.root.parent):
        says = Notice("openclaw.moved", before=before, now=BUNDLE)
        return problem("plugin", says, "strata doctor --fix", own.write_plugin)
    if not own.plugin_is_current():
        says = Notice("doctor.other-version")
        return problem("plugin", says, INSTALL, own.write_plugin)
    if not own.is_woken:
        says = Notice("doctor.not-loaded-yet")
        return note("plugin", says, "openclaw gateway restart")
    return ok("plugin", Notice("doctor.loaded"))


def _native(configuration: Values, own: OwnFolder) -> Iterator[Finding]:
    """Say who answers the agent's own memory tools."""
    owner = owner_of_slot(configuration)
    if owner == PLUGIN:
        yield _slot(configuration, own)
    elif own.slot.is_dir():
        fix = f"{INSTALL} --slot, {INSTALL} --no-slot"
        yield note("memory slot", Notice("doctor.slot-lost", owner=owner), fix)
    if owner not in {PLUGIN, OPENCLAWS}:
        yield note("memory_search", Notice("doctor.other-slot", slot=owner))
    elif (lost := own.lost_its_server()) is not None:
        instead = "slot-server-lost" if owner == PLUGIN else "server-lost"
        says = Notice(f"doctor.{instead if lost else 'server-runs'}")
        yield (note if lost else ok)("memory_search", says)


def _slot(configuration: Values, own: OwnFolder) -> Finding:
    if PLUGIN in listed_at(configuration, DENIED):
        return problem("memory slot", Notice("doctor.slot-denied"))
    if not is_loadable(configuration, own):
        says = Notice("doctor.slot-not-loaded")
        return problem("memory slot", says, f"{INSTALL} --slot")
    if not own.slot_is_woken:
        says = Notice("doctor.not-loaded-yet")
        return note("memory slot", says, "openclaw gateway restart")
    return ok("memory slot", Notice("doctor.slot-ours"))


def _linked_bundle(configuration: Values) -> Iterator[Finding]:
    if str(BUNDLE) in (value_at(configuration, PATHS) or []):
        yield problem("plugin folder", Notice("doctor.bundle-linked"))


def _agents_md(memory: Memory) -> Finding:
    if agents_md.is_current(memory):
        return ok("AGENTS.md", Notice("doctor.rules-there"))
    says = Notice("doctor.rules-missing")
    return note("AGENTS.md", says, INSTALL)


def _writers(configuration: Values) -> Finding:
    if (owner := owner_of_slot(configuration)) == PLUGIN:
        if value_at(configuration, DREAMING_BESIDE_US) is not False:
            says = Notice("doctor.two-writers")
            return problem("dreaming", says, f"{INSTALL} --slot")
        return ok("dreaming", Notice("doctor.one-writer"))
    if owner != OPENCLAWS:
        return ok("dreaming", Notice("doctor.dreaming-elsewhere"))
    if is_dreaming(configuration):
        # Who switched it on is asked by name before it is switched off.
        named = value_at(configuration, DREAMING) is True
        return problem(
            "dreaming",
            Notice("doctor.two-writers"),
            f"{INSTALL} --change {'.'.join(DREAMING)}" if named else INSTALL,
        )
    return ok("dreaming", Notice("doctor.one-writer"))


def _session_memory(configuration: Values) -> Iterator[Finding]:
    hooks = value_at(configuration, ("hooks", "internal"))
    on = isinstance(hooks, dict) and hooks.get("enabled") is not False
    if on and value_at(configuration, SESSION_MEMORY) is not False:
        says = Notice("doctor.session-memory")
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
        yield note("groups", Notice("doctor.open-groups", groups=open_to_groups))


def _heartbeat(configuration: Values, channels: object) -> Iterator[Finding]:
    target = ("agents", "defaults", "heartbeat", "target")
    if not channels and value_at(configuration, target) != "none":
        yield note("heartbeat", Notice("doctor.no-heartbeat"))
