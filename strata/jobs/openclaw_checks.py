"""Does OpenClaw do its part: plugin on, jobs scheduled, nobody else writing memory."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from strata.bundle import BUNDLE
from strata.errors import OpenClawFailed, StrataError
from strata.jobs import agents_md
from strata.jobs.connecting import REGISTERED, reschedule
from strata.jobs.findings import Finding, note, ok, problem
from strata.jobs.neighbours import (
    ALLOWED,
    DENIED,
    ENABLED,
    PATHS,
    SESSION_MEMORY,
    SLOT,
    is_dreaming,
)
from strata.jobs.schedules import is_ours, jobs
from strata.workspace import openclaw as openclaw_files
from strata.workspace.openclaw_config import value_at
from strata.workspace.openclaw_program import OpenClaw
from strata.workspace.own_folder import OwnFolder

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from strata.memory import Memory
    from strata.workspace.own_folder import Installation

    Values = Mapping[str, Any]  # Any: OpenClaw's own values

INSTALL = "strata install"
LATE_MS = 2 * 3600 * 1000


def check_openclaw(memory: Memory, *, ask_gateway: bool) -> Iterator[Finding]:
    """Look at OpenClaw's configuration, and at its scheduler with *ask_gateway*."""
    configuration = openclaw_files.configuration(memory.state_folder)
    own = OwnFolder(memory.state_folder)
    installed = own.load()
    if installed is None:
        yield note("plugin", "Strata is not connected to OpenClaw", INSTALL)
        yield from _linked_bundle(configuration)
    else:
        yield _plugin(configuration, own)
        yield _agents_md(memory)
        yield from _reach(configuration, memory.agent)
        if ask_gateway:
            yield from _schedules(memory, installed)
    yield _writers(configuration)
    yield from _session_memory(configuration)
    yield from _slot(configuration)
    yield from _groups(configuration)


def _plugin(configuration: Values, own: OwnFolder) -> Finding:
    if value_at(configuration, ("plugins", "enabled")) is False:
        says = (
            "OpenClaw runs no plugins (plugins.enabled is false), so no event arrives"
        )
        return problem("plugin", says, "openclaw config set plugins.enabled true")
    if "strata" in _listed(configuration, DENIED):
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
    return ok("plugin", "loaded by OpenClaw")


def _listed(configuration: Values, path: tuple[str, ...]) -> list[str]:
    found = value_at(configuration, path)
    return [str(each) for each in found] if isinstance(found, list) else []


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


def _reach(configuration: Values, agent: str) -> Iterator[Finding]:
    """Say what keeps *agent* from asking its memory."""
    tools = ("tools", "deny")
    for path in (tools, ("agents", "entries", agent, *tools)):
        denied = {"exec", "group:runtime", "*"} & set(_listed(configuration, path))
        if denied:
            name = ".".join(path)
            says = f"{name} holds {min(denied)}, so the agent cannot run strata"
            yield note("tools", says, f"take it out of {name}, or give it strata mcp")
    own = ("agents", "entries", agent, "skills")
    shared = ("agents", "defaults", "skills")
    chosen = shared if value_at(configuration, own) is None else own
    listed = value_at(configuration, chosen)
    if isinstance(listed, list) and "strata" not in listed:
        name = ".".join(chosen)
        says = f"{name} does not name strata, so the agent is not shown it"
        yield note("skill", says, f"add strata to {name}")


def _schedules(memory: Memory, installed: Installation) -> Iterator[Finding]:
    openclaw = OpenClaw(Path(installed.program), memory.state_folder)
    try:
        ours = [job for job in jobs(openclaw) if is_ours(job)]
    except OpenClawFailed as error:
        if error.no_gateway:
            yield note(
                "schedules", "the gateway does not run", "openclaw gateway start"
            )
        else:
            yield problem("schedules", str(error), "openclaw doctor")
        return
    except StrataError as error:
        yield problem("schedules", str(error), INSTALL)
        return
    expected = 2
    if len(ours) < expected or installed.schedules != REGISTERED:
        yield problem(
            "schedules",
            f"{len(ours)} of {expected} jobs are registered",
            INSTALL,
            lambda: reschedule(memory),
        )
    for job in ours:
        yield _job(job, int(memory.now.timestamp() * 1000))


def _job(job: Values, now_ms: int) -> Finding:
    name, state = str(job.get("name")), job.get("state") or {}
    if job.get("enabled") is False:
        says = "is switched off"
        return note(name, says, f"openclaw cron enable {job.get('id')}")
    if state.get("lastStatus") == "error" or state.get("lastRunStatus") == "error":
        reason = state.get("lastError") or "see openclaw cron runs"
        return problem(
            name, f"failed last time: {reason}", f"openclaw cron runs {name}"
        )
    if (state.get("nextRunAtMs") or now_ms) < now_ms - LATE_MS:
        return problem(name, "was due hours ago and did not run", "openclaw doctor")
    return ok(name, "scheduled")


def _writers(configuration: Values) -> Finding:
    if value_at(configuration, SLOT) != "none" and is_dreaming(configuration):
        return problem(
            "dreaming",
            "OpenClaw's own job writes MEMORY.md too, and a file with two writers is left "
            "out of the prompt",
            f"{INSTALL}, or openclaw config set "
            "plugins.entries.memory-core.config.dreaming.enabled false",
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


def _slot(configuration: Values) -> Iterator[Finding]:
    slot = value_at(configuration, SLOT)
    if slot not in {None, "none", "memory-core"}:
        yield problem(
            "memory slot",
            f"belongs to {slot}; unless that plugin classifies files, OpenClaw leaves "
            "MEMORY.md and USER.md out of the prompt",
            "openclaw config set plugins.slots.memory memory-core",
        )


def _groups(configuration: Values) -> Iterator[Finding]:
    channels = value_at(configuration, ("channels",))
    open_to_groups = sorted(
        name
        for name, channel in (channels if isinstance(channels, dict) else {}).items()
        if isinstance(channel, dict)
        and channel.get("enabled") is not False
        and (channel.get("groups") or channel.get("groupPolicy") == "open")
    )
    if open_to_groups:
        yield note(
            "groups",
            f"in groups of {', '.join(open_to_groups)} anybody can make the agent search "
            "your private memory",
            "give groups an agent of their own, or deny them exec and memory tools "
            "(channels.NAME.groups.ID.tools.deny)",
        )
