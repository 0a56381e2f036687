"""Answers as one JSON document, and as lines for people."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from strata.cli.printing import printable
from strata.messages import Voice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.hits import Answer, Explanation, Hit, Weighed

_CANDIDATES_SHOWN = 20
_HANZI = re.compile(r"[\u3400-\u9fff]")


def document(answer: Answer) -> dict[str, object]:
    """Return *answer* as programs read it."""
    found: dict[str, object] = {
        "mode": answer.mode,
        "results": [_row(hit) for hit in answer.hits],
        "answerable": answer.answerable,
        "closest": [_row(hit) for hit in answer.closest],
        "index": answer.index,
        "told_of": answer.told_of or None,
    }
    if answer.explanation:
        found["explanation"] = _explained(answer.explanation)
    return found


def _row(hit: Hit) -> dict[str, object]:
    shared = ("path", "start_line", "end_line", "score", "snippet", "tier")
    row: dict[str, object] = {name: getattr(hit, name) for name in shared}
    row |= {"score": round(hit.score, 4), "date": _day(hit.day)}
    if hit.superseded:
        row["superseded"] = {"on": _superseded_on(hit), "by": hit.successor or None}
    return row


def _superseded_on(hit: Hit) -> str | None:
    return None if isinstance(hit.superseded, bool) else hit.superseded.isoformat()


def _explained(explanation: Explanation) -> dict[str, object]:
    fields = asdict(explanation)
    fields["times"] = [
        {"since": _day(first), "until": _day(last)} for first, last in explanation.times
    ]
    return fields


def _day(day: object) -> str | None:
    return str(day) if day else None


def print_answer(answer: Answer, question: str) -> None:
    """Print *answer* for people, in the language of their *question*."""
    say = Voice("query", "zh" if _HANZI.search(question) else "en")
    for hit in answer.hits:
        click.echo(f"{hit.citation}  {hit.score:.2f}{_outdated(hit, say)}")
        for line in hit.snippet.splitlines():
            click.echo(f"  {printable(line)}")
        click.echo()
    if not answer.hits:
        near = [hit.citation for hit in answer.closest[:3]]
        told_of = printable(answer.told_of)
        click.echo(
            say("nothing")
            + (say("told-of", who=told_of) if told_of else "")
            + (say("closest", citation=near) if near else "")
        )
    if answer.explanation:
        click.echo("\n".join(_explained_lines(answer.explanation, say)))


def _outdated(hit: Hit, say: Voice) -> str:
    if not hit.superseded:
        return ""
    day = _superseded_on(hit)
    since = say("on", day=day) if day else ""
    by = say("by", text=printable(hit.successor)) if hit.successor else ""
    return say("superseded", since=since, by=by)


def _explained_lines(explanation: Explanation, say: Voice) -> Iterator[str]:
    terms = " ".join(f"{term}:{weight:g}" for term, weight in explanation.terms.items())
    yield say("terms", terms=printable(terms) or say("no-terms"))
    if explanation.absent:
        yield say("absent", terms=printable(" ".join(explanation.absent)))
    for first, last in explanation.times:
        yield say("time", first=first or "…", last=last or "…")
    yield say(
        "nearest",
        nearest=explanation.nearest,
        covered=explanation.covered,
        margin=explanation.margin,
    )
    for at, each in enumerate(explanation.candidates[:_CANDIDATES_SHOWN], start=1):
        yield f"{at:3} {_weighed(each, say)}"


def _weighed(each: Weighed, say: Voice) -> str:
    words = f"{each.word_score:.1f} (#{each.word_rank})" if each.word_rank else "-"
    meaning = (
        f"{each.meaning_score:.2f} (#{each.meaning_rank})" if each.meaning_rank else "-"
    )
    place = f"{each.path}#L{each.start_line}-L{each.end_line}"
    # A copy of the fate would be English.
    told = {**asdict(each), "fate": each.fate}
    return say("weighed", **told, words=words, meaning=meaning, place=place)
