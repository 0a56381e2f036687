"""`strata serve`: the process that the plugin keeps, which answers while an agent waits."""

from __future__ import annotations

import itertools
import json
import os
import queue
import sys
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from strata.cli import native
from strata.cli.listening import code_stamp
from strata.cli.mcp_tools import Toolbox
from strata.cli.native import READS, REFUSED
from strata.cli.options import open_memory
from strata.cli.showing import Showing
from strata.errors import (
    ModelUnavailable,
    ScopeNotAllowed,
    StrataError,
    UsageError,
)
from strata.jobs.before_turn import (
    Ahead,
    Conversations,
    before_turn,
    note_answer,
)
from strata.jobs.capturing.scoping import scope_of_asker
from strata.messages import Notice, worded
from strata.workspace import openclaw
from strata.workspace.own_folder import OwnFolder
from strata.workspace.scopes import PRIVATE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from strata.memory import Memory

    Told = dict[str, Any]  # JSON, as the plugin wrote it

# What changed on the disk is taken in once nobody has asked for so long.
_IDLE_SECONDS = 1.5
# Where the system does not tell of changes, files are looked at every minute.
_TURNS_TO_LOOK = 40
# So many memories stay open; an index is 20 to 60 MB of mapped files.
_MOST_OPEN = 6
# So many lines are read when nobody asks, few at once: a question waits for 15 ms of them.
_LINES, _LINES_AT_ONCE = 32, 4
# A gateway that is gone waits for no answer.
_LAST_SECONDS = 5.0


@click.command
@click.pass_context
def serve(context: click.Context) -> int:
    """Answer the plugin: a line of JSON for each line, until the input ends."""
    # A stream of its own: what else is printed, and masked for people, is no answer.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    state = openclaw.state_folder(context.find_root().obj["state_dir"])
    desk = Desk(state, lambda agent: open_memory(context, agent=agent))
    own = OwnFolder(state)
    was_installed = own.is_installed

    def goes_on(is_asked: Callable[[], bool]) -> bool:
        desk.idle(is_asked)
        return desk.is_current and own.is_installed >= was_installed

    with own.serving(), answers:
        desk.warm()
        for line in _lines(goes_on):
            number, _, told = line.partition(" ")
            answers.write(f"{number} 0 {json.dumps(desk.answer(told))}\n")
            answers.flush()
    return 0


def _lines(goes_on: Callable[[Callable[[], bool]], bool]) -> Iterator[str]:
    """
    Yield the lines of the input; while none comes, ask again whether it *goes on*.

    That is told how to know whether a line has come meanwhile.
    """
    waiting: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def read() -> None:
        try:
            for line in os.fdopen(os.dup(0), encoding="utf-8", errors="replace"):
                waiting.put(line)
        finally:
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
            if not goes_on(lambda: not waiting.empty()) and waiting.empty():
                return
        else:
            if line is not None:
                yield line


class Desk:
    """
    Answers for every agent of *state*, each asker from the memory that is theirs.

    *open_memory* opens an agent's private memory by its id; with the settings and clock of
    the moment, for every question anew. An index stays open. All of it is one thread.
    """

    def __init__(
        self, state: Path, open_memory: Callable[[str | None], Memory]
    ) -> None:
        self._state = state
        self._open = open_memory
        self._boxes: dict[tuple[str, str], Toolbox] = {}
        self._conversations = Conversations()
        self._ahead: dict[Toolbox, Ahead] = {}
        self._turns = itertools.count()
        self._code = code_stamp()

    @property
    def is_current(self) -> bool:
        """Whether no other version of Strata was, or is being, put in our place."""
        with suppress(OSError):
            return code_stamp() == self._code
        return False

    def warm(self) -> None:
        """Open the private memories, as far as they can be."""
        for agent in openclaw.agents(self._state)[:_MOST_OPEN]:
            # One that is locked, or has never run, keeps no other from being opened.
            with suppress(Exception):
                self._toolbox(self._open(agent)).warm()

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

    def idle(self, is_asked: Callable[[], bool]) -> None:
        """
        Take in a little of what changed on the disk, until somebody *is asked* for.

        What fails is tried again.
        """
        look = next(self._turns) % _TURNS_TO_LOOK == 0
        for toolbox in [*self._boxes.values()]:
            if is_asked():
                return
            with suppress(Exception):
                toolbox.catch_up(look=look)
            if is_asked():
                return
            try:
                self._read_on(toolbox, is_asked, look=look)
            except Exception:  # noqa: BLE001 - a line that cannot be read ends its reading
                self._ahead.pop(toolbox, None)

    def _answer(self, told: Told) -> Told:
        agent = told.get("agent") or None
        if agent is None and len(openclaw.agents(self._state)) > 1:
            raise UsageError("it is not said which agent asks")
        private = self._open(agent)
        asker = told.get("asker") or {}
        session, sender = (str(asker.get(name) or "") for name in ("session", "sender"))
        scope = scope_of_asker(private, session=session, sender=sender)
        if scope != PRIVATE and scope not in private.scopes.names():
            # Nothing was captured of them, and a question makes no memory.
            unknown = {"notice": worded(Notice("query.no-memory"))}
            return unknown if told["name"] in READS else {}
        memory = private if scope == PRIVATE else private.within(scope)
        if scope != PRIVATE:
            memory.watch_over("agent", "serve")
        toolbox = self._toolbox(memory)
        lent = toolbox.adopt(memory)
        if told["name"] in READS:
            found = native.answer(lent, told)
        else:
            found = self._about_turn(lent, told, toolbox)
        shown: Told = Showing.by(lent.settings).document(found)
        return shown

    def _about_turn(self, memory: Memory, told: Told, toolbox: Toolbox) -> Told:
        """Recall before a turn, or take in its answer, which was asked from here."""
        number, text = (str(told.get(each) or "") for each in ("conversation", "text"))
        if told["name"] not in {"recall", "answered"} or not number:
            raise UsageError(f"nobody asks for {told['name']!r} here")
        whose = f"{memory.workspace.root} {number}"
        conversation = self._conversations.of(whose)
        if told["name"] == "answered":
            note_answer(memory, text, conversation)
            return {}
        # Who is reminded once is reminded again, so lines are read before they are needed.
        self._ahead.setdefault(toolbox, Ahead())
        until = float(told.get("until") or 0) / 1000 or None

        def in_time() -> bool:
            return until is None or time.time() < until

        if not in_time():
            return {}
        return {"text": before_turn(memory, text, number, conversation, in_time)}

    def _read_on(
        self, toolbox: Toolbox, is_asked: Callable[[], bool], *, look: bool
    ) -> None:
        """Embed a few lines of its memory that may bear on a message one day."""
        if ahead := self._ahead.get(toolbox):
            for _ in range(0, _LINES, _LINES_AT_ONCE):
                if is_asked():
                    return
                if not ahead.read(toolbox.current, _LINES_AT_ONCE, look=look):
                    return

    def _toolbox(self, memory: Memory) -> Toolbox:
        key = (str(memory.private.workspace.root), memory.scope)
        if key not in self._boxes:
            while len(self._boxes) >= _MOST_OPEN:
                evicted = self._boxes.pop(next(iter(self._boxes)))
                self._ahead.pop(evicted, None)
                evicted.close()
            self._boxes[key] = Toolbox(lambda: memory)
            # All memories share one model, before any of them opens one of its own.
            with suppress(ModelUnavailable):
                self._boxes[key].current.index.remembering()
        # The one that was asked last stays longest.
        self._boxes[key] = self._boxes.pop(key)
        return self._boxes[key]
