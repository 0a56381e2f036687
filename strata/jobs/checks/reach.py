"""Can the agent ask its memory: the skill shown to it, and commands that it may run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from strata.jobs.checks.findings import Finding, note
from strata.workspace.openclaw_config import listed_at, value_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Values = Mapping[str, Any]  # Any: OpenClaw's own values

_DEFAULTS = ("agents", "defaults")
_SERVER = "or give it strata mcp"
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
    denied = _EXEC & set(listed_at(configuration, (*path, "deny")))
    if denied:
        says = f"{name}.deny holds {min(denied)}, so the agent cannot run strata"
        yield note("tools", says, f"take it out of {name}.deny, {_SERVER}")
    allowed = set(listed_at(configuration, (*path, "allow")))
    if allowed and not _EXEC & allowed:
        says = f"{name}.allow does not hold exec, so the agent cannot run strata"
        yield note("tools", says, f"add exec to {name}.allow, {_SERVER}")
    profile = value_at(configuration, (*path, "profile"))
    more = set(listed_at(configuration, (*path, "alsoAllow"))) | allowed
    if profile in _PROFILES_WITHOUT_EXEC and not _EXEC & more:
        says = f"{name}.profile is {profile}, so the agent cannot run strata"
        yield note("tools", says, f"add exec to {name}.alsoAllow, {_SERVER}")


def _approvals(configuration: Values, own: tuple[str, ...]) -> Iterator[Finding]:
    """OpenClaw calls a scheduled turn a success although its command was denied."""
    path = ("tools", "exec", "security")
    security = _of_either(configuration, own, path)
    if security in {"deny", "allowlist"}:
        yield note(
            "exec",
            f"tools.exec.security is {security}, so the agent's questions to its memory "
            "are refused unless you approve each",
            f"allow scripts/strata once and for all (openclaw approvals), {_SERVER}",
        )


def _sandbox(configuration: Values, own: tuple[str, ...]) -> Iterator[Finding]:
    mode = _of_either(configuration, own, ("sandbox", "mode"), _DEFAULTS)
    if mode not in {"all", "non-main"}:
        return
    whose = "every" if mode == "all" else "every but the main"
    binds = _of_either(configuration, own, ("sandbox", "docker", "binds"), _DEFAULTS)
    if not any("strata" in str(each) for each in binds or ()):
        yield note(
            "sandbox",
            f"{whose} conversation runs its commands in a sandbox, where there is no "
            "strata",
            f"mount the bundle and the workspace there (sandbox.docker.binds), {_SERVER}",
        )
    for path in (("tools",), (*own, "tools")):
        policy = (*path, "sandbox", "tools")
        allowed = set(listed_at(configuration, (*policy, "allow")))
        denied = _EXEC & set(listed_at(configuration, (*policy, "deny")))
        if denied or (allowed and not _EXEC & allowed):
            name = ".".join(policy)
            says = f"{name} leaves out exec, so {whose} conversation cannot run strata"
            yield note("sandbox tools", says, f"allow exec in {name}, {_SERVER}")


def _skill(configuration: Values, own: tuple[str, ...]) -> Iterator[Finding]:
    mine, shared = (*own, "skills"), (*_DEFAULTS, "skills")
    chosen = shared if value_at(configuration, mine) is None else mine
    listed = value_at(configuration, chosen)
    if isinstance(listed, list) and "strata" not in listed:
        name = ".".join(chosen)
        says = f"{name} does not name strata, so the agent is not shown it"
        yield note("skill", says, f"add strata to {name}")


def _of_either(
    configuration: Values,
    own: tuple[str, ...],
    path: tuple[str, ...],
    shared: tuple[str, ...] = (),
) -> Any:  # Any: OpenClaw's own values
    """Return what holds for the agent: its *own* value, else the one of all."""
    found = value_at(configuration, (*own, *path))
    return value_at(configuration, (*shared, *path)) if found is None else found
