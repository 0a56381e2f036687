"""Settings: what each means and where it comes from; the safe ones are changed here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.dashboard.visits import Done, Page, Screen, require_seal, seal
from strata.errors import UsageError
from strata.jobs.setting_list import change, settings_of
from strata.messages import worded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from strata.dashboard.visits import Reply, Visit
    from strata.jobs.setting_list import Setting

_PLACE = "/health/settings"
# No value that is changed here is longer.
_MOST_LETTERS = 20
# What these hold says where memory goes, or holds the very words that are to be nowhere.
_NOT_SHOWN = {
    *("model.url", "qdrant.url", "encryption.key_file"),
    *("trust.never_store", "trust.never_secret", "trust.masked"),
}


def show(visit: Visit) -> Reply:
    """Show every setting; those that are changed by hand say why."""
    say = visit.say("dashboard-health")
    rows = [_row(visit, each) for each in settings_of(visit.memory, visit.language)]
    values = {
        "health": say,
        "changed_here": [row for row in rows if not row["why_not"]],
        "by_hand": _by_reason(row for row in rows if row["why_not"]),
    }
    return Page("health_settings", "health", say("settings"), values)


def save(visit: Visit) -> Reply:
    """Change one setting in the file, as somebody would by hand."""
    name, text = visit.need("name"), visit.need("value")
    if len(text) > _MOST_LETTERS:
        raise UsageError.of("dashboard.too-long", most=_MOST_LETTERS)
    known = settings_of(visit.memory, visit.language)
    if before := next((each for each in known if each.name == name), None):
        require_seal(visit, name, *_state(before))
    value = change(visit.memory, name, text)
    told = visit.say("dashboard-health")("saved", name=name, value=_written(value))
    return Done(f"{_PLACE}#{name}", (told,))


def _by_reason(rows: Iterable[dict[str, object]]) -> dict[str, list[dict[str, object]]]:
    found: dict[str, list[dict[str, object]]] = {}
    for row in rows:
        found.setdefault(str(row["why_not"]), []).append(row)
    return found


def _row(visit: Visit, each: Setting) -> dict[str, object]:
    say = visit.say("dashboard-health")
    source = say("held", where=each.held) if each.held else say(f"from-{each.source}")
    return {
        "name": each.name,
        "means": each.means,
        "value": _shown(visit, each),
        "default": _written(each.default) or say("none"),
        "is_default": each.value == each.default,
        "source": source,
        "held": bool(each.held),
        "why_not": worded(each.why_not, visit.language),
        "is_number": isinstance(each.default, int) and not each.choices,
        "least": each.least,
        "choices": [(told, _choice(visit, each, told)) for told in each.choices],
        "own": _written(each.value),
        "seal": seal(*_state(each)),
    }


def _shown(visit: Visit, each: Setting) -> str:
    say = visit.say("dashboard-health")
    if each.value and each.name in _NOT_SHOWN:
        return say("not-shown")
    return _choice(visit, each, _written(each.value)) or say("none")


def _choice(visit: Visit, each: Setting, told: str) -> str:
    if isinstance(each.default, bool):
        return visit.say("dashboard-health")("on" if told == "true" else "off")
    return told


def _written(value: object) -> str:
    """Return *value* as the settings file has it, a list by its parts."""
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def _state(each: Setting) -> tuple[str, ...]:
    return each.name, str(each.value), str(each.source)


SCREENS = (Screen(_PLACE, show, save),)
