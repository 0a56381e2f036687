"""`strata digest`."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from strata.cli.options import memories, tell
from strata.cli.speaking import voice
from strata.errors import StrataError
from strata.jobs.connection.connecting import digest_goes_to
from strata.jobs.digest import News, digest_lines, news
from strata.workspace import openclaw as openclaw_files
from strata.workspace.digest_file import Told, keeping
from strata.workspace.own_folder import OwnFolder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from strata.memory import Memory


@click.command
@click.option(
    "--quiet-token",
    metavar="T",
    help="Tell only what was not told with it before; print T where nothing is new.",
)
@click.option(
    "--for",
    "chat",
    metavar="CHAT",
    help="Only where that is still the owner's own chat, like telegram:777.",
)
@click.pass_context
def digest(context: click.Context, quiet_token: str | None, chat: str | None) -> int:
    """Say in five lines what the last day brought and what waits, for all agents."""
    if quiet_token:
        _deliver(context, quiet_token, chat)
        return 0
    found = memories(context)
    with keeping(folder_of(found[0])) as told:
        lines = digest_lines(look(found), told)
    tell(context, {"lines": lines}, lines or [voice("digest")("nothing-new")])
    return 0


def look(memories: Sequence[Memory], told: Told | None = None) -> list[News]:
    """Return the news of each memory that can be read; of a day, or since it was *told*."""
    found = []
    for memory in memories:
        with suppress(StrataError):
            if told and not memory.settings.digest:
                continue
            since = told.until.get(str(memory.workspace.root), "") if told else ""
            found.append(news(memory, since))
    return found


def folder_of(memory: Memory) -> Path:
    """Return where it is kept what was told."""
    return OwnFolder(memory.state_folder).root


def _deliver(context: click.Context, quiet_token: str, chat: str | None) -> None:
    """
    Print what a scheduler sends to the owner, and take it for told once it is printed.

    Whoever is killed before tells it the next time. What goes wrong is for `doctor`, not
    for a chat, to which OpenClaw sends all that a command says, and that it failed.
    """
    said = ""
    try:
        found = memories(context, without=StrataError)
        with keeping(folder_of(found[0])) as told:
            fresh = look(found, told) if _may_go_to(chat, found[0]) else []
            lines = digest_lines(fresh, told)
            said = "\n".join(lines) or quiet_token
            click.echo(said)
            sys.stdout.flush()
            told.until |= {each.place: each.until for each in fresh if each.until}
    except Exception:  # noqa: BLE001 - the edge: not even a bug is for that chat
        if not said:
            click.echo(quiet_token)


def _may_go_to(chat: str | None, memory: Memory) -> bool:
    """Say whether *chat*, if one is named, gets the digest by now, and not once."""
    if chat is None:
        return memory.settings.digest
    configuration = openclaw_files.configuration(memory.state_folder)
    return chat == digest_goes_to(memory.settings, configuration)
