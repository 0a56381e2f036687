"""Answers the browser: opens the memory of the moment, asks a screen, writes its page."""

from __future__ import annotations

import secrets
from pathlib import Path
from traceback import walk_tb
from typing import TYPE_CHECKING, Any, Protocol

from anyio import CapacityLimiter, to_thread
from starlette.responses import RedirectResponse, Response

from strata.bundle import VERSION
from strata.dashboard.looks import begin_look
from strata.dashboard.places import seen_from, with_links_from
from strata.dashboard.visits import Done, Page, Visit
from strata.errors import Busy, Moved, NotFound, StrataError, UsageError
from strata.history.standing_journal import StandingJournal
from strata.jobs.checks.encryption import refuse_locked
from strata.jobs.language import spoken_language
from strata.messages import FALLBACK, SPOKEN, Notice, Voice, html_language, worded
from strata.templates import Exact, Pages
from strata.workspace.scopes import PRIVATE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starlette.requests import Request

    from strata.dashboard.visits import Reply
    from strata.memory import Memory
    from strata.settings import Settings

# The navigation, in this order: the name of a screen, and where it is.
PLACES = {
    "today": "/",
    "memory": "/memory",
    "search": "/search",
    "people": "/people",
    "time": "/time",
    "forget": "/forget",
    "runs": "/runs",
    "health": "/health",
}
# Who reads and writes, in the audit log; the address says what for.
_WHO = "dashboard"
_STATUS = {NotFound: 404, UsageError: 400, Moved: 409, Busy: 503}
# Sentences that wait for the page on which they are said.
_MOST_WAITING = 50


class Shows(Protocol):
    """How texts may be shown, by the settings of their memory."""

    def shown(self, text: str) -> str:
        """Return *text* as it may be shown."""


class Desk:
    """
    Answers one question after the other, each from the memory as it is by then.

    *open_memory* opens it; *showing* tells by its settings how its texts may be shown.
    Where it is to be *alone*, what is forgotten is forgotten nowhere else. All of it
    happens on one thread, as if commands were typed one after the other.
    """

    def __init__(
        self,
        open_memory: Callable[[], Memory],
        showing: Callable[[Settings], Shows],
        *,
        alone: bool = False,
    ) -> None:
        self._open = open_memory
        self._showing = showing
        self._alone = alone
        self._shows: Shows | None = None
        self._pages = Pages("strata/dashboard/pages", self._shown)
        self._one_at_a_time = CapacityLimiter(1)
        self._waiting: dict[str, tuple[str, ...]] = {}
        self._language = FALLBACK
        self._since: str | None = None
        self._journal: StandingJournal | None = None
        self.form = ""

    async def answer(self, request: Request, ask: Callable[[Visit], Reply]) -> Response:
        """Return what the screen *ask* replies to *request*."""
        told, at = request.scope["strata.told"], request.scope["path"]
        return await to_thread.run_sync(
            self._answer, ask, told, at, limiter=self._one_at_a_time
        )

    def refused(self, status: int, why: str) -> Response:
        """Return a page that says *why* nothing is shown, and shows nothing else."""
        say = Voice("dashboard", self._language)
        return self._bare(status, say("refused"), worded(Notice(why), self._language))

    def _answer(
        self, ask: Callable[[Visit], Reply], told: Mapping[str, str], at: str
    ) -> Response:
        try:
            return self._asked(ask, told, at)
        except Exception as bug:  # noqa: BLE001 - the edge: one page fails, not the window
            problem = f"{type(bug).__name__} ({_where(bug)})"
            say = Voice("dashboard", self._language)
            return self._bare(500, say("not-done"), say("bug", problem=problem))

    def _asked(
        self, ask: Callable[[Visit], Reply], told: Mapping[str, str], at: str
    ) -> Response:
        try:
            memory = self._open()
            refuse_locked(memory)
            for each in (memory, memory.private):
                each.watch_over(_WHO, _what(at))
            self._shows = self._showing(memory.settings)
            self._language = spoken_language(memory)
            if self._since is None:
                self._since = begin_look(memory)
        except StrataError as error:
            # Of a memory that is locked, or gone, nothing is shown, not even its frame.
            title = Voice("dashboard", self._language)("closed")
            return self._bare(503, title, worded(error, self._language))
        SPOKEN.set(lambda: self._language)
        visit = Visit(
            memory,
            self._standing(memory),
            self._language,
            told,
            self._since,
            self._alone,
            at,
        )
        try:
            return self._written(ask(visit), visit)
        except StrataError as error:
            known = (n for kind, n in _STATUS.items() if isinstance(error, kind))
            status = next(known, 422)
            values = {"why": worded(error, self._language)}
            title = visit.say("dashboard")("not-done")
            return self._written(Page("failed", "", title, values, status), visit)

    def _standing(self, memory: Memory) -> Memory:
        if self._journal is None or self._journal.path != memory.journal.path:
            self._journal = StandingJournal(memory.journal.path)
        # Also for pages that do not ask it: what was forgotten must not stay in it.
        self._journal.catch_up()
        return memory.with_journal(self._journal)

    def _written(self, reply: Reply, visit: Visit) -> Response:
        if isinstance(reply, Done):
            return RedirectResponse(seen_from(visit.at, self._with_told(reply)), 303)
        told = self._waiting.pop(visit.told.get("told", ""), ())
        content = self._pages.render(
            reply.template, **self._frame(reply, visit), told=told, **reply.values
        )
        shown = with_links_from(visit.at, content)
        return Response(shown, reply.status, media_type="text/html")

    def _with_told(self, reply: Done) -> str:
        """Return the address of the next page, with a name for what it is to say."""
        if not reply.told:
            return reply.to
        name = secrets.token_hex(4)
        self._waiting[name] = reply.told
        for old in list(self._waiting)[:-_MOST_WAITING]:
            del self._waiting[old]
        path, hash_sign, part = reply.to.partition("#")
        joined = "&" if "?" in path else "?"
        return f"{path}{joined}told={name}{hash_sign}{part}"

    def _frame(self, page: Page, visit: Visit) -> dict[str, Any]:  # Any: see `Page`
        scope = visit.memory.scope
        return {
            "title": page.title,
            "screen": page.screen,
            "places": PLACES,
            "say": visit.say("dashboard"),
            "language": html_language(visit.language),
            "form": Exact(self.form),
            "agent": visit.memory.agent,
            "scope": "" if scope == PRIVATE else scope,
            "version": VERSION,
        }

    def _bare(self, status: int, title: str, why: str) -> Response:
        content = self._pages.render(
            "bare",
            title=title,
            why=why,
            language=html_language(self._language),
        )
        return Response(content, status, media_type="text/html")

    def _shown(self, text: str) -> str:
        return self._shows.shown(text) if self._shows else text


def _what(path: str) -> str:
    """Return the screen or act at *path*, by the name that the audit log has for it."""
    return path.strip("/") or "today"


def _where(bug: Exception) -> str:
    """Return the file and line that raised *bug*; what it says may be what was said."""
    *_, (frame, line) = walk_tb(bug.__traceback__)
    return f"{Path(frame.f_code.co_filename).name}:{line}"
