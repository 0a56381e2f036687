"""`strata mcp`: the tools over stdio, for as long as the agent's host wants them."""

from __future__ import annotations

import itertools
import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from strata.bundle import VERSION
from strata.cli.mcp_tools import TOOLS, Toolbox
from strata.cli.options import open_memory
from strata.errors import NotInstalled, StrataError
from strata.search.indexing.scanning import scan

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

    from strata.cli.listening import Listener

# A file that is being written changes again; wait until it rests.
DEBOUNCE_SECONDS = 1.5
# A folder that another machine writes to may change without the system telling.
_TURNS_TO_LOOK_ANYWAY = 40


@click.command
@click.option(
    "--by-conversation",
    is_flag=True,
    help="Answer only what says for which conversation it asks, as the plugin does.",
)
@click.pass_context
def mcp(context: click.Context, *, by_conversation: bool) -> int:
    """Serve the tools that search, read, remember and look, over stdio."""
    try:
        import anyio  # noqa: PLC0415 - an extra
        import mcp.server.lowlevel  # noqa: F401, PLC0415 - 0.5 s, and an extra
    except ImportError:
        raise NotInstalled.of("usage.mcp-extra") from None
    from strata.cli.listening import Listener  # noqa: PLC0415 - sockets, only here

    toolbox = Toolbox(lambda: open_memory(context), must_say=by_conversation)
    listener = Listener(toolbox, toolbox.workspace)
    try:
        anyio.run(_serve, toolbox, listener)
    finally:
        listener.stop()
    return 0


def server_of(toolbox: Toolbox) -> Server[Any]:  # Any: the server keeps no state
    """Return the MCP server of *toolbox*."""
    import mcp_types as types  # noqa: PLC0415 - comes with the extra
    from anyio import to_thread  # noqa: PLC0415 - the same
    from mcp.server.lowlevel import Server  # noqa: PLC0415 - the same

    # Any: the library's context, which is not used.
    async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
        tools = [
            types.Tool(
                name=tool.name,
                description=tool.description,
                input_schema=tool.schema,
                # A host may ask its user before each call of a tool that may write.
                annotations=types.ToolAnnotations(
                    read_only_hint=not tool.writes,
                    destructive_hint=False,
                    open_world_hint=False,
                ),
            )
            for tool in TOOLS
        ]
        return types.ListToolsResult(tools=tools)

    async def call_tool(_context: Any, params: Any) -> types.CallToolResult:
        try:
            found = await to_thread.run_sync(
                toolbox.call, params.name, params.arguments or {}
            )
        except StrataError as error:
            text = types.TextContent(type="text", text=str(error))
            return types.CallToolResult(content=[text], is_error=True)
        told = json.dumps(found, ensure_ascii=False)
        text = types.TextContent(type="text", text=told)
        return types.CallToolResult(content=[text], structured_content=found)

    return Server(
        "strata", version=VERSION, on_list_tools=list_tools, on_call_tool=call_tool
    )


async def _serve(toolbox: Toolbox, listener: Listener) -> None:
    import anyio  # noqa: PLC0415 - comes with the extra
    from mcp.server.stdio import stdio_server  # noqa: PLC0415 - the same

    server = server_of(toolbox)
    async with stdio_server() as (read, write), anyio.create_task_group() as tasks:
        tasks.start_soon(_keep_fresh, toolbox, listener)
        await server.run(read, write, server.create_initialization_options())
        tasks.cancel_scope.cancel()


async def _keep_fresh(toolbox: Toolbox, listener: Listener) -> None:
    """
    Index what changes on the disk once it has rested, so that no question waits.

    One process of a workspace listens for command lines; the next one does when it ends.
    """
    import anyio  # noqa: PLC0415 - comes with the extra
    from anyio import to_thread  # noqa: PLC0415 - the same

    root = toolbox.workspace
    await to_thread.run_sync(toolbox.warm)
    seen = indexed = None
    for turn in itertools.count():
        listener.start()
        overdue = turn % _TURNS_TO_LOOK_ANYWAY == 0
        if overdue or not await to_thread.run_sync(toolbox.is_quiet):
            found = await to_thread.run_sync(scan, root)
            if found == seen and (found != indexed or toolbox.watches):
                # A full disk or a busy index is told by the next question, and tried
                # again.
                with suppress(StrataError):
                    await to_thread.run_sync(toolbox.refresh)
                    indexed = found
            seen = found
        await anyio.sleep(DEBOUNCE_SECONDS)
