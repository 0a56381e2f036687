"""Options that every command shares, wherever on the line they stand."""

from __future__ import annotations

import os
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import islice, takewhile
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from strata.bundle import BUNDLE
from strata.cli.showing import show_by
from strata.cli.speaking import OPENED, say
from strata.errors import NotFound, ScopeNotAllowed, StrataError
from strata.memory import Memory
from strata.messages import Notice
from strata.warm import ASKERS
from strata.workspace import openclaw
from strata.workspace.moved import moved_from

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


@dataclass(frozen=True, slots=True)
class Caller:
    """Another process whose command line we run: where it stands, and what we lend it."""

    folder: Path
    adopt: Callable[[Memory], Memory]


CALLER: ContextVar[Caller | None] = ContextVar("CALLER", default=None)
# Whether the process is gone right after the command, with all that it holds.
LEAVING: ContextVar[bool] = ContextVar("LEAVING", default=False)

# Commands that put right where OpenClaw looks, or name it.
_MENDING = {"doctor", "install", "setup", "uninstall"}

WITH_VALUE = {"--workspace", "--state-dir", "--agent", "--scope", "--now", "--set"}
FLAGS = {"--json"}


def parted(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the shared options among *arguments*, which ``--`` ends, and the rest."""
    shared: list[str] = []
    rest: list[str] = []
    waiting = iter(arguments)
    for argument in waiting:
        if argument == "--":
            rest += [argument, *waiting]
        elif argument in FLAGS or argument.partition("=")[0] in WITH_VALUE - {argument}:
            shared.append(argument)
        elif argument in WITH_VALUE:
            shared += [argument, *islice(waiting, 1)]
        else:
            rest.append(argument)
    return shared, rest


class TakesWords(click.Command):
    """
    A command that takes words of the user's, which may begin with a dash.

    An option that does not exist is a mistake all the same: two dashes begin no word.
    """

    ignore_unknown_options = True

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        known = {name for each in self.get_params(ctx) for name in each.opts}
        for argument in takewhile(lambda each: each != "--", args):
            name = argument.partition("=")[0]
            # What holds a space was quoted, so it is a text and not a slip.
            if name.startswith("--") and name not in known and len(name.split()) == 1:
                from difflib import get_close_matches  # noqa: PLC0415 - a mistake

                near = get_close_matches(name, known | WITH_VALUE | FLAGS)
                raise click.NoSuchOption(name, possibilities=near, ctx=ctx)
        return super().parse_args(ctx, args)


def open_memory(
    context: click.Context,
    *,
    agent: str | None = None,
    workspace: str | None = None,
    locked: bool = False,
) -> Memory:
    """
    Return the memory that the shared options name, or that of *agent*.

    Where it is encrypted and has no key this fails, unless it may be *locked*.
    """
    options = context.find_root().obj
    memory = Memory.open(
        workspace=workspace or options["workspace"],
        state_dir=options["state_dir"],
        agent=agent or _agent(context),
        now=options["now"],
        overrides=options["overrides"],
        locked=locked,
    )
    # Most ask in private; it may be another memory where a scope or an asker is named.
    if options["scope"] or any(os.environ.get(name) for name in ASKERS):
        from strata.cli.scoping import scoped  # noqa: PLC0415 - see above

        memory = scoped(context, memory, options["scope"], here())
    if OPENED.get() is None and who(context) == "cli":
        _say_moved(memory, str(context.info_name))
    OPENED.set(memory)
    show_by(memory.settings, context)
    memory.watch_over(who(context), str(context.info_name))
    memory.workspace.shows = show_on_tab
    caller = CALLER.get()
    return caller.adopt(memory) if caller else memory


def show_on_tab(memory: Memory) -> None:
    """Let OpenClaw's tab show *memory*; where that fails the next run does it."""
    from strata.jobs.tab import is_behind  # noqa: PLC0415 - only after a run

    # The run is over, and done: nothing of this may make it fail.
    with suppress(Exception):
        if is_behind(memory):
            from strata.jobs.tab_page import show  # noqa: PLC0415 - templates

            show(memory)


def _say_moved(memory: Memory, command: str) -> None:
    """Say where OpenClaw looks for a bundle that was moved, unless *command* mends it."""
    before = moved_from(memory.state_folder)
    if before and command not in _MENDING:
        moved = Notice("openclaw.moved", before=before, now=BUNDLE)
        say(Notice("openclaw.moved-mend", moved=moved, now=BUNDLE))


def who(context: click.Context) -> str:
    """Return how somebody came: gateway, mcp, agent, dashboard, schedule or cli."""
    name = str(context.info_name)
    if name in {"event", "mcp", "dashboard"}:
        return "gateway" if name == "event" else name
    if name == "serve":
        return "agent"
    if os.environ.get("OPENCLAW_SHELL"):
        # What OpenClaw's own tool sets for the commands that an agent runs.
        return "agent"
    return "schedule" if context.params.get("quiet_token") else "cli"


def by_agent() -> bool:
    """
    Say whether an agent runs this command, and not its owner.

    OpenClaw marks what its tools start; its terminal marks what the owner types there.
    """
    return os.environ.get("OPENCLAW_SHELL", "") not in {"", "tui-local"}


def _agent(context: click.Context) -> str:
    """Return the agent that was named, else the one whose workspace we stand in."""
    root = context.find_root()
    named, state = _named(root), openclaw.state_folder(root.obj["state_dir"])
    if named is not None:
        return _known(state, named)
    # An agent calls us in its own workspace, and must not be answered from another's.
    return openclaw.agent_at(state, here()) or openclaw.first_agent(state)


def _named(root: click.Context) -> str | None:
    """Return the agent that was named, by itself or as a scope."""
    kind, _, meant = str(root.obj["scope"] or "").partition(":")
    if kind == "agent":
        return meant
    said = root.get_parameter_source("agent") is ParameterSource.COMMANDLINE
    return str(root.obj["agent"]) if said else None


def _known(state: Path, agent: str) -> str:
    if not openclaw.knows_agent(state, agent):
        raise NotFound.of(
            "usage.no-agent", agent=agent, agents=list(openclaw.agents(state))
        )
    return agent


def here() -> Path:
    """Return where the caller stands."""
    caller = CALLER.get()
    return caller.folder if caller else Path.cwd()


def memories(
    context: click.Context,
    *,
    locked: bool = False,
    without: type[StrataError] = ScopeNotAllowed,
) -> list[Memory]:
    """
    Return the memory of every configured agent, or of the one that was asked for.

    An agent that has never run has no workspace yet and is left out; where none has, it
    is the one of the options that is missing, and the error says so. One that cannot be
    opened is left out where the error is one of *without*. *locked* is as in `open_memory`.
    """
    root = context.find_root()
    if _named(root) is not None or root.obj["workspace"]:
        return [open_memory(context, locked=locked)]
    state = openclaw.state_folder(root.obj["state_dir"])
    found = []
    for agent in openclaw.agents(state):
        # An agent that runs the command looks after its own memory alone.
        with suppress(without):
            if openclaw.workspace_folder(None, state, agent).is_dir():
                found.append(open_memory(context, agent=agent, locked=locked))
    return found or [open_memory(context, locked=locked)]


def wants_json(context: click.Context) -> bool:
    """Say whether the result is for a program."""
    return bool(context.find_root().obj["as_json"])


def tell(context: click.Context, document: object, lines: Iterable[str]) -> None:
    """Print *document* for a program, or *lines* for people."""
    if wants_json(context):
        print_json(document)
    else:
        click.echo("\n".join(lines))


def print_json(document: object) -> None:
    """Print *document* on stdout, in one line."""
    import json  # noqa: PLC0415 - only programs need it

    click.echo(json.dumps(document, ensure_ascii=False))
