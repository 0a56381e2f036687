"""`strata encryption`: memory that only your key can read."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from strata.cli.options import open_memory, tell
from strata.cli.progress import progress_bar
from strata.cli.speaking import voice
from strata.errors import ScopeNotAllowed, UsageError
from strata.jobs.checks.encryption import refuse_locked
from strata.jobs.encryption import ON_DISK, look, switch_off, switch_on
from strata.jobs.encryption import change_key as run_change_key
from strata.messages import Notice, on_one_line, to_people, worded
from strata.workspace.vault import UserKey, checked, key_in, random_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.jobs.encryption import Encryption
    from strata.memory import Memory

NEW_KEY_VARIABLE = "STRATA_NEW_KEY"


@click.group
def encryption() -> None:
    """Encrypt what Strata keeps, and the notes that you choose, with a key of yours."""


@encryption.command
@click.pass_context
def on(context: click.Context) -> int:
    """Encrypt `.strata`, and the notes of `encryption.notes`; repeat it after a crash."""
    memory = _owners(context)
    with progress_bar(Notice("encryption.encrypting")) as progress:
        found = switch_on(memory, progress)
    code = _show(context, found)
    to_people(Notice("encryption.honest"))
    return code


@encryption.command
@click.pass_context
def off(context: click.Context) -> int:
    """Decrypt everything, byte for byte as it was."""
    memory = _owners(context)
    with progress_bar(Notice("encryption.decrypting")) as progress:
        found = switch_off(memory, progress)
    return _show(context, found)


@encryption.command
@click.pass_context
def status(context: click.Context) -> int:
    """Say what is encrypted, what should be, and what is damaged."""
    memory = _owners(context)
    refuse_locked(memory)
    return _show(context, look(memory))


@encryption.command("change-key")
@click.option("--new-key-file", metavar="FILE", help="The file that holds the new key.")
@click.pass_context
def change_key(context: click.Context, new_key_file: str | None) -> int:
    """Lock memory with another key, of a file, of STRATA_NEW_KEY, or typed in."""
    memory = _owners(context)
    run_change_key(memory, checked(_new_key(new_key_file)))
    to_people(Notice("encryption.in-force"))
    return 0


@encryption.command("new-key")
def new_key() -> int:
    """Print a random key, to be kept where only you can read it."""
    click.echo(random_key())
    return 0


def _owners(context: click.Context) -> Memory:
    memory = open_memory(context, locked=True)
    if memory.parent:
        raise ScopeNotAllowed.of("encryption.private")
    return memory


def _new_key(file: str | None) -> UserKey:
    if file:
        return key_in(Path(file), "--new-key-file")
    if text := os.environ.get(NEW_KEY_VARIABLE, "").strip():
        return UserKey(text, NEW_KEY_VARIABLE)
    if not sys.stdin.isatty():
        raise UsageError.of("encryption.new-key", variable=NEW_KEY_VARIABLE)
    asked = worded(Notice("encryption.ask-key"))
    told = click.prompt(asked, hide_input=True, confirmation_prompt=True, err=True)
    return UserKey(str(told).strip(), "the terminal")


def _show(context: click.Context, found: Encryption) -> int:
    tell(context, asdict(found), _lines(found))
    return 1 if found.damaged or found.state == "unfinished" else 0


def _lines(found: Encryption) -> Iterator[str]:
    say = voice("encryption")
    if found.state == "off" and not found.damaged:
        yield say("off")
        return
    state = say(f"state-{found.state}")
    yield say("state", state=state, encrypted=found.encrypted)
    on_disk = found.index == ON_DISK
    yield say("index", index=say("on-the-disk") if on_disk else found.index)
    for path in found.plain:
        yield say("plain", path=on_one_line(path))
    for where in found.damaged:
        yield say("damaged", where=on_one_line(where))
