"""`strata serve`: the process that the plugin keeps, which answers while an agent waits."""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any

import click

from strata.cli.listening import Listener, code_stamp
from strata.cli.mcp_tools import Toolbox
from strata.cli.native import READS, REFUSED
from strata.cli.options import memories, open_memory
from strata.cli.showing import Showing
from strata.errors import ScopeNotAllowed, StrataError, UsageError
from strata.jobs.before_turn import (
    Conversations,
    before_turn,
    memorable,
    note_answer,
    remember_some,
)
from strata.jobs.capturing.scoping import scope_of_asker
from strata.messages import worded
from strata.workspace import openclaw
from strata.workspace.own_folder import OwnFolder
from strata.workspace.scopes import PRIVATE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from strata.memory import Memory

    Told = dict[str, Any]  # JSON, as the plugin wrote it

# What changed on the disk is taken in once nobody has asked for so long.
_IDLE_SECONDS = 1.5
# So many memories stay open; an index is 20 to 60 MB of mapped files.
_MOST_OPEN = 6
# No question waits longer for them than 50 ms.
_LINES_AT_ONCE = 16
# A gateway that is gone waits for no answer.
_LAST_SECONDS = 5.0


@click.command
@click.pass_context
def serve(context: click.Context) -> int:
    """Answer the plugin: a line of JSON for each line, until the input ends."""
    desk = Desk(lambda agent: open_memory(context, agent=agent))
    own = OwnFolder(openclaw.state_folder(context.find_root().obj["state_dir"]))
    was_installed = own.is_installed
    with ExitStack() as closing:
        closing.callback(desk.close)
        closing.enter_context(own.serving())
        with suppress(StrataError):
            desk.warm(memories(context))
        for line in _lines(lambda: desk.idle() and own.is_installed >= was_installed):
            number, _, told = line.partition(" ")
            click.echo(f"{number} 0 {json.dumps(desk.answer(told))}")
            sys.stdout.flush()
    return 0


def _lines(idle: Callable[[], bool]) -> Iterator[str]:
    """Yield the lines of the input; while none comes, be *idle* for as long as it says."""
    waiting: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def read() -> None:
        for line in sys.stdin:
            waiting.put(line)
        waiting.put(None)
        # Whatever the rest of us is at, whoever asked is gone.
        timer = threading.Timer(_LAST_SECONDS, os._exit, [0])
        timer.daemon = True
        timer.start()

    threading.Thread(target=read, daemon=True).start()
    line: str | None = ""
    while line is not None:
        try:
            line = waiting.get(timeout=_IDLE_SECONDS)
        except queue.Empty:
            if not idle():
                return
        else:
            if line is not None:
                yield line


class Desk:
    """
    Answers for every agent, each asker from the memory that is theirs.

    *open_memory* opens an agent's private memory by its id; with the settings and clock of
    the moment, for every question anew. An index stays open.
    """

    def __init__(self, open_memory: Callable[[str | None], Memory]) -> None:
        self._open = open_memory
        self._boxes: dict[tuple[str, str], Toolbox] = {}
        self._listeners: list[Listener] = []
        self._conversations = Conversations()
        self._unread: dict[Toolbox, tuple[Memory, Iterator[str]]] = {}
        self._code = code_stamp()

    def warm(self, found: list[Memory]) -> None:
        """Open the private memories *found*, and listen for command lines about them."""
        for memory in found[:_MOST_OPEN]:
            toolbox = self._toolbox(memory)
            listener = Listener(toolbox, toolbox.workspace)
            listener.start()
            self._listeners.append(listener)
            toolbox.warm()

    def answer(self, line: str) -> Told:
        """Return what the question *line* finds, else why it is "refused" or "failed"."""
        try:
            told = json.loads(line)
            return self._answer(told)
        except ScopeNotAllowed as error:
            return {REFUSED: worded(error.told)}
        except StrataError as error:
            return {"failed": worded(error.told)}
        # Whatever it is, the agent goes on without us, and the next question comes.
        except Exception as error:  # noqa: BLE001 - see above
            return {"failed": f"{type(error).__name__}: {error}"}

    def idle(self) -> bool:
        """Take in a little of what changed on the disk; false where we are out of date."""
        for toolbox in self._boxes.values():
            with suppress(StrataError):
                toolbox.catch_up()
                self._read_on(toolbox)
        for listener in self._listeners:
            listener.start()  # the folder of its socket may be new
        return code_stamp() == self._code

    def _read_on(self, toolbox: Toolbox) -> None:
        """Embed a few lines of its memory that may bear on a message one day."""
        memory, texts = self._unread.get(toolbox, (None, iter(())))
        if memory:
            with toolbox.turn(0.0):
                remember_some(memory, texts, _LINES_AT_ONCE)

    def close(self) -> None:
        """Listen no longer."""
        for listener in self._listeners:
            listener.stop()

    def _answer(self, told: Told) -> Told:
        private = self._open(told.get("agent") or None)
        asker = told.get("asker") or {}
        session, sender = (str(asker.get(name) or "") for name in ("session", "sender"))
        scope = scope_of_asker(private, session=session, sender=sender)
        memory = private if scope == PRIVATE else private.within(scope)
        toolbox = self._toolbox(memory)
        with toolbox.turn(_LAST_SECONDS):
            lent = toolbox.adopt(memory)
            if told["name"] in READS:
                found = READS[told["name"]](lent, told)
            else:
                found = self._about_turn(lent, told, toolbox)
        shown: Told = Showing.by(lent.settings).document(found)
        return shown

    def _about_turn(self, memory: Memory, told: Told, toolbox: Toolbox) -> Told:
        """Recall before a turn, or take in its answer, which was asked from here."""
        number = str(told.get("conversation") or "")
        conversation = self._conversations.of(f"{memory.scope} {number}")
        text = str(told.get("text") or "")
        if told["name"] == "answered":
            note_answer(memory, text, conversation)
            return {}
        if told["name"] != "recall":
            raise UsageError(f"nobody asks for {told['name']!r} here")
        # Who is reminded once is reminded again, so lines are read before they are needed.
        self._unread.setdefault(toolbox, (memory, memorable(memory)))
        return {"text": before_turn(memory, text, number, conversation)}

    def _toolbox(self, memory: Memory) -> Toolbox:
        key = (str(memory.private.workspace.root), memory.scope)
        if key not in self._boxes:
            while len(self._boxes) >= _MOST_OPEN:
                self._boxes.pop(next(iter(self._boxes))).close()
            self._boxes[key] = Toolbox(lambda: memory)
        # The one that was asked last stays longest.
        self._boxes[key] = self._boxes.pop(key)
        return self._boxes[key]
