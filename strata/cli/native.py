"""What OpenClaw's own memory tools ask, answered in the form of their contract."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from strata.cli.search import row
from strata.errors import NotFound, PathNotAllowed
from strata.jobs.query import Wish, project_of, query, take_in_shared
from strata.messages import Notice, worded
from strata.search.answering.citations import get, names_a_line
from strata.workspace.scopes import PRIVATE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from strata.hits import Answer, Hit
    from strata.memory import Memory

    Told = dict[str, Any]  # JSON, as the plugin wrote it and as it goes back

# Whoever asks may not see it; and what OpenClaw itself is to answer.
REFUSED, ELSEWHERE = "refused", "elsewhere"
_MOST_HITS, _MOST_UNSURE = 50, 3
_STEP = 0.0001
# What an agent must know of a hit beside its words.
_TOLD = ("date", "superseded", "taken_back", "unconfirmed", "unsure", "projects")
# What its own tool reads where nothing is said.
_LINES, _CHARACTERS = 120, 12_000
_WORDINGS = re.compile(r"\s*[|\n]\s*")


def search(memory: Memory, told: Told) -> Told:
    """
    Answer ``memory_search``; its query may hold several wordings, a bar between them.

    Rows come in the order of the answer, and so do their scores.
    """
    first, *others = wordings(str(told.get("query") or ""))
    limit = min(_whole(told, "limit"), _MOST_HITS) or None
    asker = told.get("asker") or {}
    project = project_of(memory, str(asker.get("session") or ""))
    wish = Wish(limit=limit, also=tuple(others), project=project)
    found = query(memory, first, wish)
    # Whoever reads them can judge what is closest better than a threshold can.
    unsure = {} if found.answerable else {"unsure": True}
    hits = found.hits or found.closest[:_MOST_UNSURE]
    rows = [_row(hit) | unsure for hit in hits]
    if not found.answerable:
        memory.saw(*(hit.citation for hit in hits))
    # OpenClaw sorts them again, equals by their paths.
    best = 1.0
    for each in rows:
        best = each["score"] = round(min(best, each["score"]), 4)
        best -= _STEP
    notice = "" if found.answerable else _nothing(found)
    return {"results": rows, "notice": notice}


def _whole(told: Told, name: str) -> int:
    """Return a number that a model wrote, 0 where it is none to go by."""
    try:
        return max(int(told.get(name) or 0), 0)
    except (TypeError, ValueError, OverflowError):
        return 0


def _row(hit: Hit) -> Told:
    known = row(hit)
    told = {name: known[name] for name in _TOLD if known.get(name)}
    return {
        "corpus": "memory",
        "kind": "memory",
        "path": hit.path,
        "startLine": hit.start_line,
        "endLine": hit.end_line,
        "score": known["score"],
        "snippet": hit.snippet,
        "citation": hit.citation,
        **told,
    }


def _nothing(found: Answer) -> str:
    who = worded(Notice("query.told-of", who=found.told_of)) if found.told_of else ""
    said = "query.unsure" if found.closest else "query.nothing"
    return f"{worded(Notice(said))}{who}"


def wordings(text: str) -> list[str]:
    """Return the wordings that *text* holds, "" where it is empty."""
    found = [each for each in _WORDINGS.split(text.strip()) if each]
    return list(dict.fromkeys(found)) or [""]


def read(memory: Memory, told: Told) -> Told:
    """Answer ``memory_get``: lines of a file from *from* on, and where they go on."""
    path, first, lines = (
        str(told.get("path") or ""),
        _whole(told, "from"),
        _whole(told, "lines"),
    )
    take_in_shared(memory)
    try:
        named = f"{path}:{first}" if first and not names_a_line(path) else path
        passage = get(memory.workspace.root, named, lines or None)
    except PathNotAllowed:
        # Such as USER.md, or a folder that OpenClaw's own settings add.
        if memory.scope == PRIVATE:
            return {ELSEWHERE: True}
        raise
    except NotFound as error:
        return {"notice": worded(error.told)}
    memory.saw(f"{passage.path}#L{passage.start_line}-L{passage.end_line}")
    shown = passage.text.split("\n")[: lines or _LINES]
    while len(shown) > 1 and sum(map(len, shown)) > _CHARACTERS:
        shown.pop()
    end = passage.start_line + len(shown) - 1
    found: Told = {
        "path": passage.path,
        "text": "\n".join(shown),
        "from": passage.start_line,
        "lines": len(shown),
    }
    return found | ({"nextFrom": end + 1} if end < passage.end_line else {})


READS: Mapping[str, Callable[[Memory, Told], Told]] = {"search": search, "get": read}


def answer(memory: Memory, told: Told) -> Told:
    """
    Answer one of `READS`, unless the settings give the tools back to OpenClaw.

    In the memory slot there are no others.
    """
    if not memory.settings.search_native and not told.get("slot"):
        return {ELSEWHERE: True}
    return READS[told["name"]](memory, told)
