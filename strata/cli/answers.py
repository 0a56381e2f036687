"""Answers as one JSON document, and as lines for people."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from strata.cli.printing import listed, printable

if TYPE_CHECKING:
    from strata.hits import Answer, Hit
    from strata.models import Language
    from strata.search.answering.explaining import Explanation, Weighed

_CANDIDATES_SHOWN = 20
_HANZI = re.compile(r"[\u3400-\u9fff]")
_TEXTS: dict[Language, dict[str, str]] = {
    "en": {
        "nothing": "nothing found",
        "told_of": "; the notes tell it of {0}",
        "closest": "; closest: {0}",
        "superseded": "  (superseded{0}{1})",
        "on": " on {0}",
        "by": " by: {0}",
    },
    "zh": {
        "nothing": "没有找到",
        "told_of": "；笔记里说的是 {0}",
        "closest": "；最接近的是：{0}",
        "superseded": "（已被取代{0}{1}）",
        "on": "，{0}",
        "by": "，现在是：{0}",
    },
}


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
    row: dict[str, object] = {
        "path": hit.path,
        "start_line": hit.start_line,
        "end_line": hit.end_line,
        "score": round(hit.score, 4),
        "snippet": hit.snippet,
        "tier": hit.tier.value,
        "date": hit.day.isoformat() if hit.day else None,
    }
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
    language: Language = "zh" if _HANZI.search(question) else "en"
    texts = _TEXTS[language]
    for hit in answer.hits:
        click.echo(f"{_citation(hit)}  {hit.score:.2f}{_outdated(hit, texts)}")
        for line in hit.snippet.splitlines():
            click.echo(f"  {printable(line)}")
        click.echo()
    if not answer.hits:
        near = listed((_citation(hit) for hit in answer.closest[:3]), language)
        told_of = printable(answer.told_of)
        click.echo(
            texts["nothing"]
            + (texts["told_of"].format(told_of) if told_of else "")
            + (texts["closest"].format(near) if near else "")
        )
    if answer.explanation:
        _print_explanation(answer.explanation)


def _outdated(hit: Hit, texts: dict[str, str]) -> str:
    if not hit.superseded:
        return ""
    day = _superseded_on(hit)
    since = texts["on"].format(day) if day else ""
    by = texts["by"].format(printable(hit.successor)) if hit.successor else ""
    return texts["superseded"].format(since, by)


def _print_explanation(explanation: Explanation) -> None:
    terms = " ".join(f"{term}:{weight:g}" for term, weight in explanation.terms.items())
    click.echo(f"terms: {printable(terms) or 'none'}")
    if explanation.absent:
        click.echo(f"in no note: {printable(' '.join(explanation.absent))}")
    for first, last in explanation.times:
        click.echo(f"time: {first or '…'} to {last or '…'}")
    click.echo(
        f"nearest {explanation.nearest:.2f}, covered {explanation.covered:.2f}, "
        f"margin {explanation.margin:+.2f}"
    )
    for at, each in enumerate(explanation.candidates[:_CANDIDATES_SHOWN], start=1):
        click.echo(f"{at:3} {_weighed(each)}")


def _weighed(each: Weighed) -> str:
    words = f"{each.word_score:.1f} (#{each.word_rank})" if each.word_rank else "-"
    meaning = (
        f"{each.meaning_score:.2f} (#{each.meaning_rank})" if each.meaning_rank else "-"
    )
    return (
        f"{each.score:.3f} = {each.fused:.3f} x recency {each.recency:.2f} "
        f"x time {each.time:.2f} x order {each.order:.2f} x tier {each.tier_weight:.2f}; "
        f"words {words}, meaning {meaning}; "
        f"{each.path}#L{each.start_line}-L{each.end_line}: {each.fate}"
    )


def _citation(hit: Hit) -> str:
    return f"{hit.path}#L{hit.start_line}-L{hit.end_line}"
