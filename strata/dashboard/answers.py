"""What a search found, and why, as the pages show it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from strata.dashboard.places import address_of, address_of_cited
from strata.durations import in_order
from strata.jobs.query import query
from strata.jobs.recall import recall
from strata.jobs.remarks import (
    MOST_CANDIDATES,
    by_meaning,
    by_words,
    outdated,
    understood,
)
from strata.jobs.wishing import sought, wish
from strata.messages import Notice, worded
from strata.notes.markdown import heading, unbulleted
from strata.search.language.terms import Finder

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from strata.dashboard.visits import Visit
    from strata.hits import Explanation, Hit, Weighed
    from strata.jobs.recall import Recalled
    from strata.jobs.why import Finding

    Values = dict[str, Any]  # what a page shows

_MOST_CLOSEST, _MOST_SOURCES = 3, 3


def from_notes(visit: Visit, told: Mapping[str, Any]) -> Values:  # Any: what was typed
    """Answer as `strata query` does, with what its `--explain` tells."""
    wished = wish(visit.memory, {**told, "explain": True, "for_owner": True})
    in_order(wished.since, wished.until)
    answer = query(visit.memory, told["q"], wished)
    hits = answer.hits or answer.closest[:_MOST_CLOSEST]
    terms = answer.explanation.terms if answer.explanation else {}
    if not answer.hits:
        # The command names no more than their places.
        visit.memory.saw(*(hit.citation for hit in hits))
    return {
        "answer": answer,
        "hits": [_hit(visit, hit, terms) for hit in hits],
        "as_of": wished.as_of,
        "explained": _explained(visit, answer.explanation),
    }


def from_pages(visit: Visit, told: Mapping[str, Any]) -> Values:  # Any: what was typed
    """Answer as `strata recall` does."""
    asked = sought(visit.memory, told)
    found = recall(visit.memory, told["q"], asked)
    return {"recalled": [_recalled(each) for each in found], "as_of": asked.as_of}


def finding(visit: Visit, each: Finding) -> Values:
    """Return one reason of `strata why`, with the place that it names."""
    detail = each.detail
    place = str(detail.values.get("place", "")) if isinstance(detail, Notice) else ""
    return {
        "reason": visit.say("why-reasons")(each.reason),
        "detail": worded(detail, visit.language),
        "place": place,
        "to": address_of_cited(place) if place else "",
    }


def _hit(visit: Visit, hit: Hit, terms: Mapping[str, float]) -> Values:
    say = visit.say("dashboard-search")
    several = hit.end_line > hit.start_line
    lines = {"first": hit.start_line, "last": hit.end_line}
    return {
        "place": say("lines" if several else "line", path=hit.path, **lines),
        "to": address_of(hit.path, hit.start_line),
        "tier": hit.tier.value,
        "day": hit.day,
        "mark": outdated(hit, visit.say("query")).strip(),
        "past": bool(hit.superseded),
        "said": list(_said(hit, terms)),
    }


def _said(hit: Hit, terms: Mapping[str, float]) -> Iterator[Values]:
    """Yield each line of *hit* without its marks, and whether it has most of *terms*."""
    lines = [line for line in hit.snippet.splitlines() if line.strip()]
    finder = Finder(terms)
    held = [sum(terms[term] for term in finder.present(line)) for line in lines]
    for line, has in zip(lines, held, strict=True):
        title = heading(line)
        if title is None:
            meant = has > 0 and has == max(held)
            yield {"text": unbulleted(line), "heading": False, "meant": meant}
        elif title.title != str(hit.day):
            yield {"text": title.title, "heading": True, "meant": False}


def _explained(visit: Visit, told: Explanation | None) -> Values:
    if told is None:
        return {}
    candidates = told.candidates[:MOST_CANDIDATES]
    return {
        "understood": list(understood(told, visit.say("query"))),
        "candidates": [_weighed(visit, each) for each in candidates],
        "more": len(told.candidates) - len(candidates),
    }


def _weighed(visit: Visit, each: Weighed) -> Values:
    return {
        "place": f"{each.path}:{each.start_line}",
        "to": address_of(each.path, each.start_line),
        "words": by_words(each),
        "meaning": by_meaning(each),
        "fused": each.fused,
        "factors": (each.recency, each.time, each.order, each.tier_weight),
        "score": each.score,
        "fate": worded(each.fate, visit.language),
    }


def _recalled(each: Recalled) -> Values:
    line = each.line
    sources = line.sources[-_MOST_SOURCES:]
    return {
        "kind": line.kind,
        "text": line.text,
        "since": line.since,
        "until": line.until,
        "names": list(each.names),
        "sources": [(place, address_of_cited(place)) for place in sources],
    }
