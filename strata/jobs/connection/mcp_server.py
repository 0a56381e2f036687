"""The MCP server in OpenClaw's configuration, for those who ask for it."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from strata.messages import Notice
from strata.workspace.openclaw_config import Change, value_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from strata.memory import Memory

SERVER = ("mcp", "servers", "strata")


def wanted_server(
    configuration: Mapping[str, Any],  # Any: the configuration's own values
    memories: Sequence[Memory],
    launcher: Path,
) -> Iterator[Change]:
    """
    Offer the server, where its extra is installed and there is one agent.

    OpenClaw tells a server nothing of who asks, so that with two agents each would read
    the other's memory; and for the same reason it is never more than an offer.
    """
    if find_spec("mcp") is None or len(memories) != 1:
        return
    value = {"command": str(launcher), "args": ["--agent", memories[0].agent, "mcp"]}
    before = value_at(configuration, SERVER)
    if before != value:
        yield Change(SERVER, value, Notice("install.server"), before, asked=True)
