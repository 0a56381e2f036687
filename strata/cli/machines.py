"""`strata machines`: one memory on several machines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from strata.cli.options import open_memory, tell
from strata.cli.speaking import voice
from strata.errors import ScopeNotAllowed
from strata.jobs.machines.joining import join as run_join
from strata.jobs.machines.joining import key_of, known_machines
from strata.jobs.machines.joining import leave as run_leave
from strata.jobs.update import refresh
from strata.messages import minute, to_people

if TYPE_CHECKING:
    from strata.memory import Memory


@click.group
def machines() -> None:
    """Share this memory with your other machines, through a folder of yours."""


@machines.command
@click.argument("folder")
@click.option(
    "--key", metavar="KEY", default="", help="What the first machine printed."
)
@click.pass_context
def join(context: click.Context, folder: str, key: str) -> int:
    """Share memory through FOLDER, which a synchroniser of yours carries."""
    memory = _owners(context)
    words = voice("machines", memory)
    done = run_join(memory, folder, key)
    refresh(memory, done.paths, say=to_people)
    joined = open_memory(context)
    document = {"machine": _own(joined), "notes": done.paths}
    lines = [words("joined-as", machine=_own(joined), count=len(done.paths))]
    if not key:
        lines.append(words("on-the-next", folder=folder, key=key_of(joined)))
    tell(context, document, lines)
    return 0


@machines.command
@click.pass_context
def status(context: click.Context) -> int:
    """Say which machines share this memory, and when each was last heard of."""
    memory = _owners(context)
    words = voice("machines", memory)
    found = known_machines(memory)
    rows = [
        {
            "machine": each.id,
            "own": each.is_own,
            "records": each.records,
            "last": each.last.isoformat() if each.last else None,
        }
        for each in found
    ]
    lines = []
    for each in found:
        last = each.last.astimezone(memory.timezone).isoformat() if each.last else ""
        when = minute(last) if last else words("never")
        lines.append(
            words("own" if each.is_own else "another", machine=each.id, at=when)
        )
    tell(context, {"machines": rows}, lines)
    return 0


@machines.command
@click.pass_context
def key(context: click.Context) -> int:
    """Print the key that another machine needs to join; it is a secret."""
    memory = _owners(context)
    found = key_of(memory)
    tell(context, {"key": found}, [found])
    return 0


@machines.command
@click.pass_context
def leave(context: click.Context) -> int:
    """Share no longer; what the others brought stays here."""
    memory = _owners(context)
    folder = memory.settings.machines_folder
    run_leave(memory)
    tell(context, {"left": folder}, [voice("machines", memory)("left", folder=folder)])
    return 0


def _owners(context: click.Context) -> Memory:
    memory = open_memory(context)
    if memory.parent:
        raise ScopeNotAllowed.of("machines.private")
    return memory


def _own(memory: Memory) -> str:
    return memory.machines.own if memory.machines else ""
