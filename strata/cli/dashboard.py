"""`strata dashboard`: a window on memory in the browser of this machine."""

from __future__ import annotations

import webbrowser
from threading import Thread
from typing import TYPE_CHECKING

import click

from strata.cli.mcp_tools import Toolbox
from strata.cli.options import by_agent, open_memory, tell, wants_json
from strata.cli.showing import Showing
from strata.cli.speaking import say, voice
from strata.errors import NotAccepted
from strata.messages import Notice
from strata.workspace.scopes import PRIVATE

if TYPE_CHECKING:
    from collections.abc import Callable

    from strata.memory import Memory


@click.command
@click.option(
    "--port", metavar="N", type=click.IntRange(0, 65535), default=0, help="This port."
)
@click.option("--no-open", is_flag=True, help="Open no browser; print the address.")
@click.pass_context
def dashboard(context: click.Context, port: int, *, no_open: bool) -> int:
    """
    Show memory in your browser: what is new, what waits, search, people, time.

    It answers this machine alone, and ends when nobody has looked for half an hour.
    """
    # Whoever has the address may decide as the owner does.
    if by_agent():
        raise NotAccepted.of("dashboard.only-the-owner")
    open_window(context, lambda: open_memory(context), port=port, browse=not no_open)
    return 0


def open_window(
    context: click.Context,
    open_memory: Callable[[], Memory],
    *,
    port: int = 0,
    browse: bool = True,
) -> None:
    """Serve the pages of the memory until nobody looks; *browse* opens them, too."""
    from strata.dashboard.desk import Desk  # noqa: PLC0415 - a server, for this alone
    from strata.dashboard.serving import serve  # noqa: PLC0415 - the same

    box = Toolbox(open_memory)
    # Who names the private memory means no other, as with `strata forget`.
    alone = context.find_root().obj["scope"] == PRIVATE
    desk = Desk(lambda: box.adopt(open_memory()), Showing.by, alone=alone)

    words = voice("dashboard", box.current)

    def ready(address: str) -> None:
        tell(context, {"address": address}, [address])
        if browse:
            # Some browsers return only once they are closed.
            Thread(target=show, args=(address,), daemon=True).start()
        elif not wants_json(context):
            say(words("open-it"))

    def show(address: str) -> None:
        # Straight from here: from a file or another page it would come without its cookie.
        opened = webbrowser.open(address)
        if not wants_json(context):
            say(words("opened" if opened else "open-it"))

    try:
        serve(desk, port=port, ready=ready)
    finally:
        box.close()
    say(Notice("dashboard.ended"))
