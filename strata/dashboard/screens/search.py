"""Search: as `strata query` and `strata recall`, with what else may be asked, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from strata.dashboard.visits import Page, Screen
from strata.errors import NotFound, UsageError
from strata.hits import Tier
from strata.messages import worded

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from strata.dashboard.visits import Reply, Visit

    Values = dict[str, Any]  # what a page shows

_FIELDS = ("q", "since", "until", "as_of", "tier", "limit", "also", "who", "kind")
_TIERS, _KINDS = tuple(each.value for each in Tier), ("W", "O", "E", "B")
# More hits than the last are more than a page may hold.
_LIMITS = ("20", "30")
_CHOICES = {"tier": _TIERS, "kind": _KINDS, "limit": _LIMITS}
# What the pages of people and things cannot be asked for.
_NOT_OF_PAGES = ("until", "tier", "also")
_MOST_NAMES = 200


def show(visit: Visit) -> Reply:
    """Show the form, and what answers it."""
    say = visit.say("dashboard-search")
    asked = {name: visit.text(name) for name in _FIELDS}
    values: Values = {
        "words": say,
        "asked": asked,
        "opened": any(asked[name] for name in _FIELDS[1:]),
        "tiers": {each: say(f"tier-{each}") for each in _TIERS},
        "limits": _LIMITS,
        "usual": _usual(visit),
        "kinds": {each: say(f"kind-{each}") for each in _KINDS},
        "names": _names(visit),
    }
    answer, status = _tried(visit, lambda: _answered(visit, asked))
    return Page("search", "search", say("title"), values | answer, status)


def show_why(visit: Visit) -> Reply:
    """Ask for a text; what was said of it comes by a form, and is in no address."""
    say = visit.say("dashboard-search")
    return Page(
        "why", "search", say("why-title"), {"words": say, "text": "", "expected": ""}
    )


def tell_why(visit: Visit) -> Reply:
    """Say what became of a text, or why a question does not find what it should."""
    say = visit.say("dashboard-search")
    text, expected = visit.text("text"), visit.text("expected")
    values: Values = {"words": say, "text": text, "expected": expected}
    found, status = _tried(visit, lambda: _reasons(visit, text, expected))
    return Page("why", "search", say("why-title"), values | found, status)


def _tried(visit: Visit, answer: Callable[[], Values]) -> tuple[Values, int]:
    """Return what *answer* gives, or what is wrong with the form, which stays as it is."""
    try:
        return answer(), 200
    except UsageError as error:
        return {"failed": worded(error, visit.language)}, 400
    except NotFound as error:
        return {"failed": worded(error, visit.language)}, 200


def _usual(visit: Visit) -> int:
    return min(visit.memory.settings.search_results, int(_LIMITS[-1]))


def _names(visit: Visit) -> list[str] | None:
    """Return names that have a page, None where there are no pages to ask."""
    if not visit.memory.workspace.layout.bank_file.exists():
        return None
    from strata.jobs.banking.knowing import known_entities  # noqa: PLC0415 - few have any

    return [each.names[0] for each in known_entities(visit.memory)[:_MOST_NAMES]]


def _answered(visit: Visit, asked: Mapping[str, str]) -> Values:
    """Return what answers *asked*; nothing where nothing was asked."""
    if not any(asked.values()):
        return {}
    for name, choices in _CHOICES.items():
        if asked[name] and asked[name] not in choices:
            raise UsageError.of("dashboard-search.no-choice", text=asked[name])
    if not asked["q"] and not asked["who"]:
        raise UsageError.of("dashboard-search.need-words")
    # The first page is another one, and starts without what searches.
    from strata.dashboard.answers import from_notes, from_pages  # noqa: PLC0415

    told: Values = {
        **asked,
        "also": asked["also"].splitlines(),
        "entity": asked["who"],
        "limit": int(asked["limit"]) if asked["limit"] else None,
    }
    if asked["who"] or asked["kind"]:
        ignored = any(asked[name] for name in _NOT_OF_PAGES)
        return {"ignored": ignored, **from_pages(visit, told)}
    return from_notes(visit, told | {"limit": told["limit"] or _usual(visit)})


def _reasons(visit: Visit, text: str, expected: str) -> Values:
    if not text and not expected:
        return {}
    if not text:
        raise UsageError.of("dashboard-search.need-text")
    from strata.dashboard.answers import finding  # noqa: PLC0415 - as above
    from strata.jobs.why import why  # noqa: PLC0415 - the same

    found = why(visit.standing, text, expected, language=visit.language)
    return {"found": [finding(visit, each) for each in found]}


SCREENS = (Screen("/search", show), Screen("/why", show_why, tell_why))
