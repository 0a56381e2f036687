"""Can the agent ask its memory: the skill shown to it, and commands that it may run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from strata.jobs.checks.findings import Finding, note
from strata.messages import Notice
from strata.workspace.openclaw_config import listed_at, value_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.workspace.openclaw_config import Values

_DEFAULTS = ("agents", "defaults")
# What stands for the tool that runs commands, in lists of tools.
_EXEC = {"exec", "group:runtime", "*"}
_PROFILES_WITHOUT_EXEC = {"minimal", "messaging"}


def check_reach(configuration: Values, agent: str) -> Iterator[Finding]:
    """Say what keeps *agent* from asking its memory."""
    own = ("agents", "entries", agent)
    for path in (("tools",), (*own, "tools")):
        yield from _tools(configuration, path)
    yield from _approvals(configuration, own)
    yield from _sandbox(configuration, own)
    yield from _skill(configuration, own)


def _tools(configuration: Values, path: tuple[str, ...]) -> Iterator[Finding]:
    name = ".".join(path)
    allowed, denied = _policy(configuration, path)
    if denied:
        says = Notice("doctor.tools-deny", name=name, denied=min(denied))
        yield note("tools", says)
    if allowed and not _EXEC & allowed:
        says = Notice("doctor.tools-allow", name=name)
        yield note("tools", says)
    profile = value_at(configuration, (*path, "profile"))
    more = set(listed_at(configuration, (*path, "alsoAllow"))) | allowed
    if profile in _PROFILES_WITHOUT_EXEC and not _EXEC & more:
        says = Notice("doctor.tools-profile", name=name, profile=profile)
        yield note("tools", says)


def _policy(configuration: Values, path: tuple[str, ...]) -> tuple[set[str], set[str]]:
    """Return which tools are allowed, and what of those that run commands is denied."""
    denied = listed_at(configuration, (*path, "deny"))
    return set(listed_at(configuration, (*path, "allow"))), _EXEC & set(denied)


def _approvals(configuration: Values, own: tuple[str, ...]) -> Iterator[Finding]:
    """OpenClaw calls a scheduled turn a success although its command was denied."""
    security = _of_either(configuration, own, ("tools", "exec", "security"))
    if security in {"deny", "allowlist"}:
        yield note("exec", Notice("doctor.exec-security", security=security))


def _sandbox(configuration: Values, own: tuple[str, ...]) -> Iterator[Finding]:
    mode = _of_either(configuration, own, ("sandbox", "mode"), _DEFAULTS)
    if mode not in {"all", "non-main"}:
        return
    whose = Notice("doctor.every" if mode == "all" else "doctor.every-but-main")
    binds = _of_either(configuration, own, ("sandbox", "docker", "binds"), _DEFAULTS)
    if not any("strata" in str(each) for each in binds or ()):
        yield note("sandbox", Notice("doctor.sandbox", whose=whose))
    for path in (("tools",), (*own, "tools")):
        policy = (*path, "sandbox", "tools")
        allowed, denied = _policy(configuration, policy)
        if denied or (allowed and not _EXEC & allowed):
            name = ".".join(policy)
            says = Notice("doctor.sandbox-tools", name=name, whose=whose)
            yield note("sandbox tools", says)


def _skill(configuration: Values, own: tuple[str, ...]) -> Iterator[Finding]:
    mine, shared = (*own, "skills"), (*_DEFAULTS, "skills")
    chosen = shared if value_at(configuration, mine) is None else mine
    listed = value_at(configuration, chosen)
    if isinstance(listed, list) and "strata" not in listed:
        yield note("skill", Notice("doctor.skill-missing", name=".".join(chosen)))


def _of_either(
    configuration: Values,
    own: tuple[str, ...],
    path: tuple[str, ...],
    shared: tuple[str, ...] = (),
) -> Any:  # Any: OpenClaw's own values
    """Return what holds for the agent: its *own* value, else the one of all."""
    found = value_at(configuration, (*own, *path))
    return value_at(configuration, (*shared, *path)) if found is None else found
