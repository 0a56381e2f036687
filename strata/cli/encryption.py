"""`strata encryption`: memory that only your key can read."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from strata.cli.options import open_memory, print_json, wants_json
from strata.cli.printing import printable
from strata.cli.progress import progress_bar
from strata.errors import ScopeNotAllowed, UsageError
from strata.jobs.checks.encryption import refuse_locked
from strata.jobs.encryption import change_key as run_change_key
from strata.jobs.encryption import look, switch_off, switch_on
from strata.workspace.vault import UserKey, checked, key_in, random_key

if TYPE_CHECKING:
    from strata.jobs.encryption import Encryption
    from strata.memory import Memory

NEW_KEY_VARIABLE = "STRATA_NEW_KEY"
_HONEST = (
    "What was plain until now may still be in backups, in git's history and in blocks "
    "that the disk has not used again"
)


@click.group
def encryption() -> None:
    """Encrypt what Strata keeps, and the notes that you choose, with a key of yours."""


@encryption.command
@click.pass_context
def on(context: click.Context) -> int:
    """Encrypt `.strata`, and the notes of `encryption.notes`; repeat it after a crash."""
    memory = _owners(context)
    with progress_bar("encrypting") as progress:
        found = switch_on(memory, progress)
    code = _show(context, found)
    click.echo(f"strata: {_HONEST}.", err=True)
    return code


@encryption.command
@click.pass_context
def off(context: click.Context) -> int:
    """Decrypt everything, byte for byte as it was."""
    memory = _owners(context)
    with progress_bar("decrypting") as progress:
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
    click.echo("strata: the new key is in force, the old one opens nothing", err=True)
    return 0


@encryption.command("new-key")
def new_key() -> int:
    """Print a random key, to be kept where only you can read it."""
    click.echo(random_key())
    return 0


def _owners(context: click.Context) -> Memory:
    memory = open_memory(context, locked=True)
    if memory.parent:
        raise ScopeNotAllowed(
            "`strata encryption` is for the owner's private memory, and encrypts all scopes"
        )
    return memory


def _new_key(file: str | None) -> UserKey:
    if file:
        return key_in(Path(file), "--new-key-file")
    if text := os.environ.get(NEW_KEY_VARIABLE, "").strip():
        return UserKey(text, NEW_KEY_VARIABLE)
    if not sys.stdin.isatty():
        raise UsageError(
            f"name the new key: --new-key-file FILE, or {NEW_KEY_VARIABLE}"
        )
    told = click.prompt("New key", hide_input=True, confirmation_prompt=True, err=True)
    return UserKey(str(told).strip(), "the terminal")


def _show(context: click.Context, found: Encryption) -> int:
    if wants_json(context):
        print_json(asdict(found))
    else:
        click.echo("\n".join(_lines(found)))
    return 1 if found.damaged or found.state == "unfinished" else 0


def _lines(found: Encryption) -> list[str]:
    if found.state == "off" and not found.damaged:
        return ["encryption: off"]
    lines = [
        f"encryption: {found.state}, {found.encrypted} files encrypted",
        f"index: {found.index}",
    ]
    lines += [f"  not encrypted: {printable(path)}" for path in found.plain]
    lines += [f"  cannot be decrypted: {printable(where)}" for where in found.damaged]
    return lines
