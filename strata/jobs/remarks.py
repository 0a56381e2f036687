"""What is said beside what a search found: that it holds no more, and how it was ranked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.messages import on_one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.hits import Explanation, Hit, Weighed
    from strata.messages import Voice

# Of the candidates so many are told of.
MOST_CANDIDATES = 20


def outdated(hit: Hit, say: Voice) -> str:
    """Return in brackets why *hit* is not to be relied on, "" where it is."""
    if not hit.superseded:
        unsure = say("not-sure") if hit.unsure else ""
        return unsure + (say("unconfirmed") if hit.unconfirmed else "")
    day = superseded_on(hit)
    since = say("on", day=day) if day else ""
    if hit.taken_back:
        return say("taken-back", since=since)
    by = say("by", text=on_one_line(hit.successor)) if hit.successor else ""
    return say("superseded", since=since, by=by)


def superseded_on(hit: Hit) -> str | None:
    """Return the day from which on *hit* is out of date, None where nobody knows it."""
    return None if isinstance(hit.superseded, bool) else hit.superseded.isoformat()


def understood(explanation: Explanation, say: Voice) -> Iterator[str]:
    """Say what the question was taken for, and how near what was found comes to it."""
    terms = " ".join(f"{term}:{weight:g}" for term, weight in explanation.terms.items())
    yield say("terms", terms=on_one_line(terms) or say("no-terms"))
    if explanation.absent:
        yield say("absent", terms=on_one_line(" ".join(explanation.absent)))
    for first, last in explanation.times:
        yield say("time", first=first or "…", last=last or "…")
    yield say(
        "nearest",
        nearest=explanation.nearest,
        covered=explanation.covered,
        margin=explanation.margin,
    )


def by_words(each: Weighed) -> str:
    """Return the score and rank of *each* by its words, "-" where they are not found."""
    return f"{each.word_score:.1f} (#{each.word_rank})" if each.word_rank else "-"


def by_meaning(each: Weighed) -> str:
    """Return the score and rank of *each* by its meaning, "-" where it is not near."""
    ranked = each.meaning_rank
    return f"{each.meaning_score:.2f} (#{ranked})" if ranked else "-"
