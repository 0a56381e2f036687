"""The morning digest: what a night brought and what waits, in at most five lines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from strata.history.names import ONE_NAME, SHARED
from strata.history.projection import History
from strata.history.statements import MASKED_KINDS
from strata.jobs.deciding.reasons import reason_in
from strata.jobs.language import spoken_language, written_language
from strata.jobs.report import Item, brief, date_in, grouped, shares, shown_by
from strata.messages import Voice
from strata.workspace.layout import LONG_TERM

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from strata.history.statements import Statement
    from strata.memory import Memory
    from strata.workspace.digest_file import Told

MOST_LINES = 5
# Where nothing was told yet, and where somebody asks by hand.
_A_DAY = timedelta(days=1)
_NEVER = datetime.min.replace(tzinfo=UTC)
# What a message app, or OpenClaw on the way to it, takes for more than a word: markup,
# a mention, a link, a file to attach.
_MARKS = str.maketrans({"@": "＠", "<": "‹", ">": "›", "`": "'", "*": "∗", "|": "¦"})
_MARKED = re.compile(
    r"\[(?=\[)|\](?=\()|:(?=//)|_(?=_)|~(?=~)|media(?=:)", re.IGNORECASE
)
_GROUPS = ("learned", "changed", "gone")


@dataclass(frozen=True, slots=True)
class News:
    """
    What is new in *memory*, by `learned`, `changed`, `gone`, and all that waits.

    *fresh* is what waits since the last time. *until* is when the latest of it came.
    """

    memory: Memory
    groups: Mapping[str, Sequence[Item]]
    waiting: Sequence[Statement]
    fresh: Sequence[Statement]
    until: str

    def __bool__(self) -> bool:
        return bool(self.fresh or self.groups)

    @property
    def place(self) -> str:
        """Whose news it is, for `Told`."""
        return str(self.memory.workspace.root)


def news(memory: Memory, since: str = "") -> News:
    """
    Look for what changed after *since*, or within the last day, and still holds.

    What the owner decided is no news to the owner.
    """
    history = History(memory.journal, worded=False)
    known = [
        each
        for each in history.statements(memory.workspace.read(LONG_TERM))
        if each.kind not in MASKED_KINDS
    ]
    after = _moment(since) or memory.now - _A_DAY
    fresh = [each for each in known if _came(each) > after]
    own = {
        each.id for each in history.decisions.remembered
    } | history.decisions.accepted
    records: dict[str, list[dict[str, Any]]] = {}
    for each in sorted(fresh, key=_importance, reverse=True):
        if each.id not in own and (each.line or each.kind != "promoted"):
            records.setdefault(str(each.record["event"]), []).append(each.record)
    groups = grouped(memory, records, written_language(memory))
    return News(
        memory,
        {name: groups[name] for name in _GROUPS if name in groups},
        [each for each in reversed(known) if each.kind == "waiting"],
        [each for each in reversed(fresh) if each.kind == "waiting"],
        str(max(fresh, key=_came).record["at"]) if fresh else since,
    )


def digest_lines(found: Sequence[News], told: Told) -> list[str]:
    """Return the lines that tell what is new, none where nothing is."""
    _number_all(found, told)
    with_news = [each for each in found if each]
    if not with_news:
        return []
    first = found[0].memory
    say = Voice("digest", spoken_language(first))
    several = len(found) > 1
    counts = [
        _named(each, _counted(each, say), say, several=several) for each in with_news
    ]
    date = date_in(say.language, first.now.date())
    heading = say("heading", date=date, counts=say("between-agents").join(counts))
    queues = [
        [_named(each, line, say, several=several) for line in lines]
        for name in ("waiting", *_GROUPS)
        for each in with_news
        if (lines := list(_lines(name, each, told, say)))
    ]
    fair = shares([len(queue) for queue in queues], MOST_LINES - 2)
    items = [
        line
        for queue, share in zip(queues, fair, strict=True)
        for line in queue[:share]
    ]
    return [heading, *items, _answer(with_news, told, say, several=several)]


def waiting_lines(found: Sequence[News], told: Told) -> list[str]:
    """Return a line for all that waits, with the number to call it by."""
    _number_all(found, told)
    say = Voice("digest", spoken_language(found[0].memory))
    return [
        _named(each, line, say, several=len(found) > 1)
        for each in found
        for line in _waiting(each, each.waiting, told, say)
    ]


def in_question(
    statement: Statement, language: str, shown: Callable[[str], str]
) -> tuple[str, str]:
    """Return what the owner is asked about *statement*, its words as *shown*, and why."""
    say = Voice("digest", language)
    text = shown(statement.text)
    if statement.wanted == "compressed":
        text = say("day", day=statement.record.get("day"))
    elif statement.wanted == ONE_NAME:
        names = (shown(str(statement.record.get(each))) for each in ("name", "other"))
        text = say("one-name", **dict(zip(("first", "second"), names, strict=True)))
    elif statement.wanted == SHARED:
        text = say("share-it", text=text)
    elif statement.wanted != "promoted":
        text = say("leave", text=text)
    asked = statement.record.get("dimension") == "ask"
    return text, "" if asked else shown(
        reason_in(language, statement.record, short=True)
    )


def plain(memory: Memory, text: str) -> str:
    """Return *text* as mere words, of which no message app makes more than that."""
    return harmless(brief(shown_by(memory.settings)(text)))


def harmless(line: str) -> str:
    """Return *line* without what a message app takes for more than a word."""
    line = "".join(each if each.isprintable() else " " for each in line)
    return _MARKED.sub(r"\g<0> ", line).translate(_MARKS)


def _number_all(found: Sequence[News], told: Told) -> None:
    waiting = [(each.place, one.id) for each in found for one in each.waiting]
    told.number_all(waiting, [each.place for each in found])


def _moment(told: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(told)
    except ValueError:
        return None
    return found if found.tzinfo else None


def _came(statement: Statement) -> datetime:
    return _moment(str(statement.record.get("at", ""))) or _NEVER


def _importance(statement: Statement) -> int:
    told = statement.record.get("importance")
    return told if isinstance(told, int) else 0


def _named(found: News, line: str, say: Voice, *, several: bool) -> str:
    """Say whose *line* is, where there are several agents."""
    # An agent may be called what a message app, or OpenClaw, takes for more.
    agent = found.memory.agent
    return harmless(say("of-agent", agent=agent, line=line)) if several else line


def _counted(found: News, say: Voice) -> str:
    counts = {name: len(found.groups.get(name, ())) for name in _GROUPS}
    counts["waiting"] = len(found.waiting)
    parts = [say(f"{name}-count", count=n) for name, n in counts.items() if n]
    return say("between-counts").join(parts)


def _lines(name: str, found: News, told: Told, say: Voice) -> Iterator[str]:
    if name == "waiting":
        yield from _waiting(found, found.fresh, told, say)
        return
    for item in found.groups.get(name, ()):
        texts = {"text": item.text, "by": item.by, "why": item.why}
        yield say(name, **{key: plain(found.memory, t) for key, t in texts.items()})


def _waiting(
    found: News, waiting: Sequence[Statement], told: Told, say: Voice
) -> Iterator[str]:
    for each in waiting:
        text, why = in_question(each, say.language, partial(plain, found.memory))
        yield say(
            "waiting-because" if why else "waiting",
            number=told.number(found.place, each.id),
            text=text,
            why=why,
        )


def _answer(with_news: Sequence[News], told: Told, say: Voice, *, several: bool) -> str:
    """Say how to answer without a terminal: about the first that is shown, or any."""
    for each in with_news:
        if each.fresh:
            number = told.number(each.place, each.fresh[0].id)
            return say("how-to-answer", number=number)
    if any(each.waiting for each in with_news):
        return say("how-to-see")
    agent = f" {with_news[0].memory.agent}" if several else ""
    return say("how-to-undo", agent=agent)
