"""The page of OpenClaw's tab: what is new in memory, what waits, and the last runs."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from strata.jobs.digest import in_question, news
from strata.jobs.language import spoken_language
from strata.jobs.report import brief, shown_by
from strata.jobs.tab import put_on_tab
from strata.messages import Voice, html_language, minute, on_one_line
from strata.notes.long_term import MOST_BYTES, MOST_LINES, bare_lines, size_of
from strata.templates import Pages
from strata.workspace.layout import LONG_TERM, vault_root
from strata.workspace.own_folder import OwnFolder
from strata.workspace.recording import recorded_runs

if TYPE_CHECKING:
    from strata.memory import Memory

_LATELY = timedelta(days=7)
# A glance; the dashboard has the rest.
_MOST = 15
_MOST_RUNS = 6


def show(memory: Memory) -> None:
    """Put what the tab shows of *memory* on its page; of an encrypted one, that it is."""
    spoken = _spoken(memory)
    encrypted = vault_root(memory.workspace.layout.private) is not None
    own = OwnFolder(memory.state_folder)
    installed = own.load()
    shown = shown_by(memory.settings)
    pages = Pages("strata", lambda text: on_one_line(shown(text)))
    part = pages.render(
        "jobs/pages/part",
        **spoken,
        **({} if encrypted else _remembered(memory, spoken["say"])),
        agent=memory.agent,
        encrypted=encrypted,
        # Where no shell finds it by its name, it is named by its place.
        command="strata" if installed and installed.link else str(own.launcher),
        written=minute(memory.now.isoformat()),
    )
    put_on_tab(memory, part, pages.render("jobs/pages/tab", **spoken))


def _remembered(memory: Memory, say: Voice) -> dict[str, Any]:  # Any: what it shows
    found = news(memory, (memory.now - _LATELY).isoformat())
    shown = shown_by(memory.settings)
    page = memory.workspace.read(LONG_TERM)
    runs = recorded_runs(memory.workspace.layout.undo_folder)
    return {
        "lines": len(bare_lines(page)),
        "most_lines": MOST_LINES,
        "bytes": size_of(page),
        "most_bytes": MOST_BYTES,
        "waiting": [
            in_question(each, say.language, lambda text: brief(shown(text)))
            for each in found.waiting[:_MOST]
        ],
        "more_waiting": max(len(found.waiting) - _MOST, 0),
        "groups": [
            (name, items[:_MOST], max(len(items) - _MOST, 0))
            for name, items in found.groups.items()
        ],
        "runs": [(minute(run.at), run.kind) for run in runs[: -_MOST_RUNS - 1 : -1]],
    }


def _spoken(memory: Memory) -> dict[str, Any]:  # Any: words, and what says them
    language = spoken_language(memory)
    return {"say": Voice("tab", language), "language": html_language(language)}
