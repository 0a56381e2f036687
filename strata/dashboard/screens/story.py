"""The story of a line: from the words in a conversation to where it stands today."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from strata.dashboard.differences import Room
from strata.dashboard.places import address_of, change_of, story_of
from strata.dashboard.visits import Page, Screen
from strata.history.names import ANSWERS, HANDS
from strata.jobs.deciding.reasons import event_in, origin_in, reason_in
from strata.jobs.inspect import inspect
from strata.jobs.language import page_language
from strata.jobs.trails import said
from strata.messages import minute
from strata.notes.long_term import Section, heading_of
from strata.workspace.layout import LONG_TERM

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from strata.dashboard.visits import Reply, Visit
    from strata.jobs.inspect import Inspection
    from strata.jobs.trails import Place, Trail, Words

    Shown = dict[str, object]

_MOST = 50
_MOST_TRAILS = 12
# Of what was said for one statement so many bytes, and what stands around each message.
_MOST_BYTES, _FRAME_BYTES = 40_000, 300
_YOURS = {*ANSWERS, *HANDS, "edited", "remembered"}
_CONDITIONS = (
    *("prevents_mistake", "broadly_applicable", "self_contained", "not_duplicate"),
)


@dataclass(frozen=True, slots=True)
class Layer:
    """
    What a statement was in one layer: its *text* at a *place*, or the *words* that were
    said, and how many *more*; *told* is a remark, and *broken* what is missing.
    """

    place: str = ""
    href: str = ""
    text: str = ""
    told: str = ""
    broken: str = ""
    words: tuple[Shown, ...] = ()
    more: int = 0


def show(visit: Visit) -> Reply:
    """Tell all that is known of a line, as `strata inspect` does."""
    say = visit.say("dashboard-memory")
    found = inspect(visit.standing, visit.need("of"))
    traced = found.traced
    room = Room(_MOST_BYTES)
    trails, history = traced.trails[:_MOST_TRAILS], traced.history[-_MOST:]
    places = [place.rpartition(":") for place in found.places]
    on_page = next((int(n) for path, _, n in places if path == LONG_TERM), 0)
    visit.memory.saw(*dict.fromkeys(path for path, _, _ in places))
    values = {
        "memory": say,
        "text": traced.text,
        "id": found.id,
        "on_page": on_page,
        "figures": dict(_figures(visit, found)),
        "trails": [_trail(visit, each, room) for each in trails],
        "no_trail": visit.say("trace")("elsewhere" if traced.is_shared else "no-trail"),
        "more_trails": len(traced.trails) - len(trails),
        "history": [_event(visit, each) for each in history],
        "more_history": len(traced.history) - len(history),
        "conditions": _conditions(found.known),
        "before": _others(traced.succession.before),
        "after": _others(traced.succession.after),
        "standing": [(f"{p}:{n}", address_of(p, int(n))) for p, _, n in places][:_MOST],
        "more_standing": max(len(places) - _MOST, 0),
        "change": _change(traced.place),
    }
    return Page("story", "memory", say("story-title"), values)


def _figures(visit: Visit, found: Inspection) -> Iterator[tuple[str, object]]:
    """Yield what `strata inspect` tells of the entry in single words, by its label."""
    say = visit.say("dashboard-memory")
    if origin := found.known.get("origin"):
        yield say("origin"), origin_in(visit.language, str(origin))
    if section := found.known.get("section"):
        yield say("section"), _section(visit, str(section))
    for name in ("importance", "confidence"):
        if (value := found.known.get(name)) is not None:
            yield say(name), say(f"{name}-is", value=value)
    days = found.asked_on_days
    yield say("asked"), say("asked-on", count=days) if days else say("never-asked")
    if found.id:
        yield say("id"), found.id


def _section(visit: Visit, name: str) -> str:
    """Return what the owner calls the part of the page that the journal names."""
    if name not in {each.value for each in Section}:
        return name
    return heading_of(Section(name), page_language(visit.memory)).lstrip("# ")


def _trail(visit: Visit, trail: Trail, room: Room) -> Shown:
    """Return one source as the layers that it went through, the deepest first."""
    say, daily, weekly = visit.say("trace"), trail.daily, trail.weekly
    if daily is None:
        day = Layer(broken=say("note-gone", day=trail.source.day.isoformat()))
    elif not daily.line:
        day = Layer(broken=say("entry-gone", path=daily.path))
    else:
        day = _layer(daily)
    week = _layer(weekly) if weekly and weekly.line else None
    if weekly and not weekly.line:
        week = Layer(told=say("no-weekly", path=weekly.path))
    return {
        "day": trail.source.day.isoformat(),
        "conversation": _conversation(visit, trail, room),
        "daily": day,
        "weekly": week,
    }


def _conversation(visit: Visit, trail: Trail, room: Room) -> Layer:
    say = visit.say("trace")
    if trail.spoken:
        return Layer(told=say("said-to-strata", at=minute(trail.spoken)))
    if trail.session:
        which = trail.session
        if trail.session_key:
            which = say("channel", conversation=which, channel=trail.session_key)
        block = trail.block.partition(" ")[0] or trail.source.day.isoformat()
        told = say("conversation", conversation=which, block=block)
        worded = say("worded", model=trail.model, prompt=trail.prompt)
        words = tuple(
            _words(visit, each)
            for each in trail.words
            if room.takes(each.text, _FRAME_BYTES)
        )
        more = len(trail.words) - len(words)
        return Layer(
            told=told + (worded if trail.model else ""), words=words, more=more
        )
    if trail.by_hand:
        return Layer(told=say("by-hand"))
    return Layer(broken=say("unknown-words"))


def _words(visit: Visit, words: Words) -> Shown:
    say = visit.say("trace")
    zone = visit.memory.timezone
    when = f"{words.said_at.astimezone(zone):%Y-%m-%d %H:%M}" if words.said_at else ""
    broken = (
        ""
        if words.state == "ok"
        else say(words.state, message=words.message, hash=words.sha256[:12])
    )
    return {
        "who": origin_in(visit.language, words.origin),
        "when": when,
        "text": words.text if words.state in {"ok", "changed"} else "",
        "intact": say("ok"),
        "broken": broken,
    }


def _layer(place: Place) -> Layer:
    where = f"{place.path}:{place.line}"
    return Layer(where, address_of(place.path, place.line), said(place.text))


def _event(visit: Visit, record: Mapping[str, Any]) -> Shown:
    by = str(record.get("by") or "")
    return {
        "at": minute(str(record.get("at", ""))),
        "event": event_in(visit.language, str(record["event"])),
        "why": reason_in(visit.language, record),
        "judge": _judge(visit, record),
        "by": story_of(by) if by and by != record.get("id") else "",
        "id": by,
    }


def _judge(visit: Visit, record: Mapping[str, Any]) -> str:
    """Say who judged: a model that the record names, the local judge, or the rules."""
    say = visit.say("dashboard-memory")
    if model := record.get("model"):
        return say("judge-model", model=model)
    if record["event"] in _YOURS:
        return say("judge-you")
    return say("judge-local" if record.get("verdicts") else "judge-rules")


def _conditions(known: Mapping[str, Any]) -> dict[str, str]:
    """Return why the line was worth its place, by the condition that it had to meet."""
    told = known.get("verdicts")
    found = told if isinstance(told, dict) else {}
    return {
        name.replace("_", "-"): str(found[name])
        for name in _CONDITIONS
        if found.get(name)
    }


def _others(texts: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(text or name, story_of(name)) for name, text in texts.items()][:_MOST]


def _change(place: Place | None) -> str:
    """Return where the line that the story begins with can be changed."""
    if place is None or not place.line:
        return ""
    if place.path == LONG_TERM:
        return f"/memory#L{place.line}"
    return change_of(place.path, place.line)


SCREENS = (Screen("/story", show),)
