"""Where OpenClaw keeps its state and an agent's workspace, as its configuration says."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from strata.errors import OpenClawNotFound

if TYPE_CHECKING:
    from collections.abc import Iterator

# Whatever a file of settings holds.
Json = Any

_PORT = 18789
# With it people spread the settings over several files, so deep as OpenClaw allows.
_INCLUDE, _DEEPEST = "$include", 10
_VARIABLE = re.compile(r"(?<!\$)\$\{([A-Z_][A-Z0-9_]*)\}")


def state_folder(given: str | None) -> Path:
    """Return the state directory: *given*, else OPENCLAW_STATE_DIR, else the default."""
    chosen = given or os.environ.get("OPENCLAW_STATE_DIR") or "~/.openclaw"
    return Path(chosen).expanduser().absolute()


def configuration_file(state: Path) -> Path:
    """Return where OpenClaw's settings lie."""
    return Path(os.environ.get("OPENCLAW_CONFIG_PATH") or state / "openclaw.json")


def configuration(state: Path) -> dict[str, Any]:
    """Return OpenClaw's settings as a dictionary, empty where there is no file."""
    path = configuration_file(state)
    parsed = _included(_read(path), path)
    if not isinstance(parsed, dict):
        raise OpenClawNotFound.of("openclaw.no-table", path=path)
    return parsed


def workspace_folder(given: str | None, state: Path, agent: str) -> Path:
    """
    Return the workspace of *agent*: *given*, else as configured, else the default.

    Only one agent has the shared workspace; each other's is a folder of its own.
    """
    if given:
        return Path(given).expanduser().absolute()
    return _workspace(configuration(state), state, agent)


def _workspace(configured: Json, state: Path, agent: str) -> Path:
    if own := _agent_entries(configured).get(agent, {}).get("workspace"):
        return _folder(own)
    is_owner = agent == _owner(configured)
    if shared := _table(_table(configured, "agents"), "defaults").get("workspace"):
        return _folder(shared) if is_owner else _folder(shared) / agent
    return _shared_default(state) if is_owner else state / f"workspace-{agent}"


def agents(state: Path) -> list[str]:
    """Return the id of every configured agent; one that is not configured is main."""
    return _agents(configuration(state))


def _agents(configured: Json) -> list[str]:
    return list(_agent_entries(configured)) or ["main"]


def is_configured(state: Path, agent: str) -> bool:
    """Say whether OpenClaw's configuration is there and has *agent*."""
    return configuration_file(state).exists() and agent in agents(state)


def knows_agent(state: Path, agent: str) -> bool:
    """Say whether OpenClaw has *agent*, in its configuration or by what it has said."""
    return agent in agents(state) or (state / "agents" / agent).is_dir()


def first_agent(state: Path) -> str:
    """Return the agent that is meant where none is named: main, where there is one."""
    configured = agents(state)
    owner = _owner(configuration(state))
    return "main" if "main" in configured else owner or configured[0]


def agent_at(state: Path, folder: Path) -> str | None:
    """Return the agent in whose workspace *folder* lies, None where it is nobody's."""
    # Links followed, as the system does for whoever asks where he stands.
    places = {place: agent for agent, place in _workspaces(state)}
    here = folder.resolve()
    # One agent's workspace may lie within another's: the nearest counts.
    return next((places[at] for at in (here, *here.parents) if at in places), None)


def agents_of(state: Path, workspace: Path) -> list[str]:
    """Return the configured agents that work in *workspace*, none where it is nobody's."""
    here = workspace.resolve()
    return [agent for agent, place in _workspaces(state) if place == here]


def _workspaces(state: Path) -> Iterator[tuple[str, Path]]:
    configured = configuration(state)
    for agent in _agents(configured):
        yield agent, _workspace(configured, state, agent).resolve()


def user_timezone(state: Path) -> str:
    """Return the time zone that OpenClaw was told, or ""."""
    defaults = _table(_table(configuration(state), "agents"), "defaults")
    return str(defaults.get("userTimezone") or "")


def configured_model(state: Path, agent: str) -> str:
    """Return which model *agent* uses, like ``anthropic/claude-sonnet``, or ""."""
    configured = configuration(state)
    defaults = _table(_table(configured, "agents"), "defaults")
    for holder in (_agent_entries(configured).get(agent, {}), defaults):
        chosen = holder.get("model")
        named = chosen.get("primary") if isinstance(chosen, dict) else chosen
        if isinstance(named, str) and named:
            return named
    return ""


@dataclass(frozen=True, slots=True)
class Gateway:
    """Where OpenClaw's gateway listens on this machine, and what it wants to see."""

    url: str
    auth: dict[str, str]


def gateway(state: Path) -> Gateway | None:
    """Return this machine's gateway, None where its address or its secret is unknown."""
    table = _table(configuration(state), "gateway")
    is_elsewhere = table.get("mode") == "remote" or _table(table, "tls").get("enabled")
    told = os.environ.get("OPENCLAW_GATEWAY_PORT") or table.get("port") or _PORT
    if is_elsewhere or not str(told).isdecimal():
        return None
    auth = _gateway_auth(_table(table, "auth"))
    return None if auth is None else Gateway(f"ws://127.0.0.1:{told}", auth)


def _gateway_auth(table: dict[str, Any]) -> dict[str, str] | None:
    mode = table.get("mode") or ("password" if "password" in table else "token")
    if mode == "none":
        return {}
    if mode not in {"token", "password"}:
        return None
    secret = table.get(mode)
    if isinstance(secret, str):
        filled = _VARIABLE.sub(lambda name: os.environ.get(name[1], ""), secret)
    else:
        # Kept elsewhere: a file, a keychain, a command.
        filled = ""
    found = filled or os.environ.get(f"OPENCLAW_GATEWAY_{mode.upper()}", "")
    return {mode: found} if found else None


def _agent_entries(configured: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return each agent's own settings: a list in 2026.7, a table in 2026.9."""
    agents = _table(configured, "agents")
    listed = agents.get("list")
    pairs = [
        (entry.get("id"), entry)
        for entry in (listed if isinstance(listed, list) else [])
        if isinstance(entry, dict)
    ]
    pairs += list(_table(agents, "entries").items())
    return {
        str(name): entry if isinstance(entry, dict) else {}
        for name, entry in pairs
        if name
    }


def _owner(configured: dict[str, Any]) -> str | None:
    """Return the agent that has the shared workspace, None where nobody does."""
    entries = _agent_entries(configured)
    if len(entries) < 2:  # noqa: PLR2004 - one alone needs no mark
        return next(iter(entries), "main")
    table = _table(configured, "agents")
    if table.get("ownership") == "explicit":
        return None
    marked = [name for name, entry in entries.items() if entry.get("default") is True]
    # In 2026.7's list the first is the default; 2026.9's table has no order.
    return next(iter(marked or ([] if "entries" in table else entries)), None)


def _shared_default(state: Path) -> Path:
    # 2026.9 puts it below the state directory, 2026.7 always below the home directory.
    below_state = state / "workspace"
    return (
        below_state if below_state.is_dir() else Path.home() / ".openclaw" / "workspace"
    )


def _read(path: Path) -> Json:
    try:
        return _parse(path.read_text(encoding="utf-8-sig"), path)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except UnicodeDecodeError:
        raise OpenClawNotFound.of("openclaw.no-utf8", path=path) from None
    except OSError as error:
        raise OpenClawNotFound.of(
            "openclaw.unreadable", path=path, strerror=error.strerror
        ) from None


def _included(value: Json, file: Path, depth: int = 0) -> Json:
    """
    Return *value*, which stands in *file*, with the files that it includes in their place.

    Several are merged, the later over the earlier, and what stands beside over them all.
    """
    if isinstance(value, list):
        return [_included(each, file, depth) for each in value]
    if not isinstance(value, dict):
        return value
    own = {
        key: _included(each, file, depth)
        for key, each in value.items()
        if key != _INCLUDE
    }
    if _INCLUDE not in value:
        return own
    if depth == _DEEPEST:
        raise OpenClawNotFound.of(
            "openclaw.includes-itself", file=file, directive=_INCLUDE
        )
    named = value[_INCLUDE]
    merged: Json = {}
    for name in named if isinstance(named, list) else [named]:
        path = file.parent / str(name)
        merged = _merged(merged, _included(_read(path), path, depth + 1))
    return _merged(merged, own) if own else merged


def _merged(below: Json, above: Json) -> Json:
    if isinstance(below, dict) and isinstance(above, dict):
        both = {key: _merged(below[key], above[key]) for key in below.keys() & above}
        return {**below, **above, **both}
    if isinstance(below, list) and isinstance(above, list):
        return below + above
    return above


def _folder(told: object) -> Path:
    """Return the folder that the configuration names, its variables filled in."""
    path = _VARIABLE.sub(_value, str(told))
    return Path(path).expanduser().absolute()


def _value(variable: re.Match[str]) -> str:
    value = os.environ.get(variable[1])
    if not value:
        raise OpenClawNotFound.of("openclaw.variable", variable=variable[0])
    return value


def _parse(text: str, path: Path) -> Json:
    try:
        return json.loads(text)
    except ValueError:
        import json5  # noqa: PLC0415 - slow, and most files are plain JSON

        try:
            return json5.loads(text)
        except ValueError as error:
            raise OpenClawNotFound.of(
                "openclaw.no-json5", path=path, error=error
            ) from None


def _table(parent: dict[str, Any], name: str) -> dict[str, Any]:
    child = parent.get(name)
    return child if isinstance(child, dict) else {}
