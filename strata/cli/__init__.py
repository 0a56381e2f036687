"""The command line: one command a job, errors in one line, results on stdout."""

from __future__ import annotations

import errno
import json
import os
import sys
from importlib import import_module
from keyword import iskeyword
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.exceptions import NoArgsIsHelpError

from strata.bundle import BUNDLE, VERSION
from strata.cli.options import LEAVING, parted
from strata.cli.showing import printable
from strata.cli.speaking import MEANT, OPENED, WISHED, Spoken, owners_language
from strata.errors import StrataError, UsageError
from strata.messages import SPOKEN, Notice, worded
from strata.warm import COMMANDS as COMMANDS_THAT_READ
from strata.warm import unwritten
from strata.workspace.folders import CLOSED, FULL, keep_to_owner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.memory import Memory

BUG = 70
INTERRUPTED = 130
# Trouble that the machine has, and not the program.
_TROUBLE = FULL | CLOSED | {errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM}

# Command → module: a command's module is imported when the command runs, because a
# query must not pay for what a sync needs.
COMMANDS = {
    "sync": "sync",
    "tidy": "tidy",
    "import": "importing",
    "undo": "undo",
    "remember": "remember",
    "forget": "forget",
    "share": "share",
    "unshare": "share",
    "audit": "audit",
    "encryption": "encryption",
    "machines": "machines",
    "export": "export",
    "inspect": "entry",
    "edit": "entry",
    "delete": "entry",
    "review": "review",
    "digest": "digest",
    "trace": "entry",
    "query": "search",
    "why": "search",
    "recall": "bank",
    "reflect": "bank",
    "entity": "bank",
    "project": "project",
    "get": "search",
    "update": "index",
    "embed": "index",
    "status": "status",
    "dashboard": "dashboard",
    "setup": "setup",
    "doctor": "doctor",
    "model": "model",
    "install": "connect",
    "uninstall": "connect",
    "rules": "texts",
    "prompt": "texts",
    "mcp": "mcp",
    "serve": "serve",
    "event": "event",
}


class Commands(click.Group):
    """A group that loads a command when it is called."""

    context_class = Spoken

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's name
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"strata.cli.{COMMANDS[cmd_name]}")
        # A command that is called like a word of Python has a name of its own there.
        command = getattr(module, f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name)
        return _spoken(command) if isinstance(command, click.Command) else None


def _spoken(command: click.Command) -> click.Command:
    """Let *command*, and those in it, be explained in the owner's language."""
    command.context_class = Spoken
    for inner in command.commands.values() if isinstance(command, click.Group) else ():
        _spoken(inner)
    return command


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--workspace", metavar="DIR", help="The agent's workspace.")
@click.option("--state-dir", metavar="DIR", help="OpenClaw's state directory.")
@click.option("--agent", metavar="ID", default="main", help="Which agent (main).")
@click.option("--scope", metavar="SCOPE", help="private, group:ID, user:ID, agent:ID.")
@click.option("--now", metavar="ISO8601", help="Use this moment instead of the clock.")
@click.option(
    "--set", "overrides", metavar="KEY=VALUE", multiple=True, help="A setting."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.version_option(VERSION, prog_name="strata")
@click.pass_context
def commands(context: click.Context, /, **options: object) -> None:
    """
    Strata, the memory of OpenClaw agents.

    These options may stand before or after the command.
    """
    context.obj = options


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    keep_to_owner()
    given = list(sys.argv[1:] if arguments is None else arguments)
    leaving = not COMMANDS_THAT_READ.isdisjoint(parted(given)[1][:1])
    LEAVING.set(leaving)
    code = _flushed(run(given))
    if leaving:
        # Nothing is left to be written, and to take everything apart lasts 100 ms.
        os._exit(code)
    sys.exit(code)


def _flushed(code: int) -> int:
    try:
        sys.stdout.flush()
    except OSError as error:
        return unwritten(error)
    return code


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; say in one line what went wrong."""
    shared, rest = parted(arguments)
    ordered = shared + rest
    SPOKEN.set(owners_language)
    OPENED.set(None)
    MEANT.set(lambda strict: _meant(shared, strict=strict))
    WISHED.set(lambda: _wished_language(shared))
    try:
        result = commands.main(ordered, prog_name="strata", standalone_mode=False)
    except StrataError as error:
        return _fail(error.told, error.exit_code, ordered)
    except click.ClickException as error:
        return _refuse(error, ordered)
    except (KeyboardInterrupt, click.Abort):
        return _fail(Notice("usage.interrupted"), INTERRUPTED, [])
    except BrokenPipeError as error:
        return unwritten(error)
    except Exception as error:  # noqa: BLE001 - the edge: a bug gets one clear line too
        return _report(error, ordered)
    return result if isinstance(result, int) else 0


def _meant(shared: list[str], *, strict: bool) -> Memory:
    """Open the memory that the *shared* options of a line mean that was not understood."""
    from strata.memory import Memory  # noqa: PLC0415 - only after a mistake
    from strata.workspace import openclaw  # noqa: PLC0415 - the same

    told = commands.make_context("strata", [*shared], resilient_parsing=True).params
    state = openclaw.state_folder(told["state_dir"])
    here = openclaw.agent_at(state, Path.cwd()) or openclaw.first_agent(state)
    return Memory.open(
        workspace=told["workspace"],
        state_dir=told["state_dir"],
        agent=told["agent"] if "--agent" in " ".join(shared) else here,
        overrides=told["overrides"] if strict else (),
        locked=True,
    )


def _wished_language(shared: list[str]) -> str:
    """Return the language that the options *shared*, or the environment, set."""
    from strata.settings import load_settings  # noqa: PLC0415 - where nothing opens

    told = commands.make_context("strata", [*shared], resilient_parsing=True).params
    return load_settings(Path(os.devnull), overrides=told["overrides"]).language


def _refuse(error: click.ClickException, arguments: Sequence[str]) -> int:
    if isinstance(error, NoArgsIsHelpError):
        # The help is no line about a mistake, and stands as it is.
        click.echo(error.format_message(), err=True)
        return UsageError.exit_code
    from strata.cli.help import mistake  # noqa: PLC0415 - only after one

    return _fail(mistake(error, COMMANDS), UsageError.exit_code, arguments)


def _fail(message: str, exit_code: int, arguments: Sequence[str]) -> int:
    if "--json" in arguments:
        click.echo(json.dumps({"error": message}, ensure_ascii=False))
    click.echo(f"strata: {printable(worded(message))}", err=True)
    return exit_code


def _report(error: Exception, arguments: Sequence[str]) -> int:
    if isinstance(error, OSError) and error.errno in _TROUBLE:
        if not error.filename:
            return unwritten(error)
        told = f"{error.filename}: {error.strerror}"
        return _fail(told, StrataError.exit_code, arguments)
    if os.environ.get("STRATA_DEBUG"):
        raise error
    problem = f"{type(error).__name__}: {error}"
    if plugin := _failed_plugin(error):
        failed = Notice("usage.plugin-failed", plugin=plugin, problem=problem)
        return _fail(failed, StrataError.exit_code, arguments)
    return _fail(Notice("usage.bug", problem=problem), BUG, arguments)


def _failed_plugin(error: Exception) -> str:
    """Return the file and line of the plugin that raised *error*, or ""."""
    from traceback import walk_tb  # noqa: PLC0415 - only when something failed

    *_, (frame, line) = walk_tb(error.__traceback__)
    file = Path(frame.f_code.co_filename)
    return f"hooks/{file.name}:{line}" if file.parent == BUNDLE / "hooks" else ""
