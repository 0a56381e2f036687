"""
What is noticed in short conversations with many different people.

    python bench/snippets.py [--split dev|held] [--verbose]

Each line of `snippets/*.jsonl` is a conversation, its facts, and patterns that no
preference or decision may show. A pattern is a list of groups, `a|b & c|d`: one entry must
hit them all, but none that begins with `!`. Tune on `dev` alone; `held` judges the rules.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import unicodedata
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from strata.models import Fact, Message

ROOT = Path(__file__).parents[1]
BESIDE_IDEOGRAPH = re.compile(r"(?<=[\u3400-\u9fff])\s+|\s+(?=[\u3400-\u9fff])")
SAME = str.maketrans("’‘“”–—", "''\"\"--", "`*")
BRACKETS = re.compile(r"[(（\[]([^)）\]]*)[)）\]]")
ISO_DATE = re.compile(r"(?<!\d)\d{4}-\d{2}(?:-\d{2})?(?!\d)")
Verdict = tuple[str, str]
FINE = {"found", "tag right", "date right", "date none"}


@dataclass(frozen=True, slots=True)
class Expected:
    """One fact: its pattern, the tags that fit, and the dates that it may carry."""

    pattern: str
    tags: frozenset[str | None]
    dates: frozenset[str]


@dataclass(frozen=True, slots=True)
class Snippet:
    """A conversation, its facts, what is no rule, and other days that it speaks of."""

    id: str
    split: str
    at: datetime
    talk: tuple[tuple[str, str], ...]
    facts: tuple[Expected, ...]
    forbidden: tuple[str, ...]
    spoken: frozenset[str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--split", choices=("dev", "held"), default="dev")
    parser.add_argument("--verbose", action="store_true", help="name what went wrong")
    options = parser.parse_args()
    for language in ("en", "zh"):
        snippets = read_snippets(ROOT / f"bench/snippets/{language}.jsonl")
        chosen = [each for each in snippets if each.split == options.split]
        _report(f"{language} {options.split}", chosen, verbose=options.verbose)


def read_snippets(path: Path) -> list[Snippet]:
    with path.open(encoding="utf-8") as lines:
        return [_snippet(json.loads(line)) for line in lines]


def _snippet(fields: dict[str, Any]) -> Snippet:
    return Snippet(
        id=fields["id"],
        split=fields["split"],
        at=datetime.fromisoformat(fields["at"]),
        talk=tuple((role, text) for role, text in fields["talk"]),
        facts=tuple(_expected(**each) for each in fields["facts"]),
        forbidden=tuple(fields["not"]),
        spoken=frozenset(fields.get("spoken", ())),
    )


def _expected(*, groups: str, tag: list[str | None], dated: str | None) -> Expected:
    return Expected(groups, frozenset(tag), frozenset((dated or "").split("|")) - {""})


def _report(title: str, snippets: Sequence[Snippet], *, verbose: bool) -> None:
    tally: Counter[str] = Counter()
    for snippet in snippets:
        verdicts = list(_judged(snippet, entries := _extracted(snippet)))
        tally.update(entries=len(entries), messages=len(snippet.talk))
        tally.update(verdict for verdict, _ in verdicts)
        if verbose:
            _explain(snippet, entries, verdicts)
    found, facts = tally["found"], tally["found"] + tally["missed"]
    print(
        f"{title:8} found {found}/{facts} ({found / facts:.0%}),"
        f" tag right {tally['tag right']}/{found},"
        f" entries per message {tally['entries'] / tally['messages']:.2f},"
        f" forbidden {tally['forbidden']}, dates {tally['date right']} right,"
        f" {tally['date wrong']} wrong, {tally['date absent']} absent,"
        f" {tally['date invented']} invented"
    )


def _extracted(snippet: Snippet) -> list[Fact]:
    sys.path.insert(0, str(ROOT))
    from strata.judges.entries import extract_facts  # noqa: PLC0415 - this checkout

    return extract_facts(_messages(snippet), timezone=snippet.at.tzinfo or UTC)


def _messages(snippet: Snippet) -> Iterator[Message]:
    from strata.models import Message, Origin  # noqa: PLC0415 - this checkout

    for number, (role, text) in enumerate(snippet.talk, start=1):
        yield Message(
            id=f"{snippet.id}-{number}",
            number=number,
            role="user" if role == "user" else "assistant",
            text=text,
            time=snippet.at.astimezone(UTC) + timedelta(minutes=number - 1),
            origin=Origin.OWNER if role == "user" else Origin.AGENT,
        )


def _judged(snippet: Snippet, entries: Sequence[Fact]) -> Iterator[Verdict]:
    for expected in snippet.facts:
        matching = [each for each in entries if hits(expected.pattern, each.text)]
        yield ("found" if matching else "missed"), expected.pattern
        if matching:
            right = any(each.tag in expected.tags for each in matching)
            yield f"tag {'right' if right else 'wrong'}", expected.pattern
            yield _dated(snippet, expected, matching), expected.pattern
    rules = [each for each in entries if each.tag in {"preference", "decision"}]
    for pattern in snippet.forbidden:
        if any(hits(pattern, each.text) for each in rules):
            yield "forbidden", pattern


def _dated(snippet: Snippet, fact: Expected, matching: Sequence[Fact]) -> str:
    if any(_dates(each.text) - _allowed(snippet, each) for each in matching):
        return "date wrong" if fact.dates else "date invented"
    if not fact.dates:
        return "date none"
    right = any(_dates(each.text) & fact.dates for each in matching)
    return "date right" if right else "date absent"


def _allowed(snippet: Snippet, entry: Fact) -> frozenset[str]:
    """Return the dates of every fact that *entry* states: it may state more than one."""
    stated = (each.dates for each in snippet.facts if hits(each.pattern, entry.text))
    return snippet.spoken.union(*stated)


def _dates(text: str) -> set[str]:
    return set(ISO_DATE.findall(" ".join(BRACKETS.findall(text))))


def _explain(snippet: Snippet, entries: list[Fact], told: list[Verdict]) -> None:
    wrong = [f"  {what}: {pattern}" for what, pattern in told if what not in FINE]
    if wrong:
        found = [f"    [{entry.tag or '-'}] {entry.text}" for entry in entries]
        print(f"{snippet.id} {snippet.at:%a %Y-%m-%d}", *wrong, *found, sep="\n")


def hits(pattern: str, entry: str) -> bool:
    """Tell whether *entry* hits every group of *pattern* and none that excuses it."""
    told, groups = plain(entry), re.split(r"\s+&\s+", pattern)
    return all(_has_one(told, each.lstrip("!")) != (each[0] == "!") for each in groups)


def plain(text: str) -> str:
    """Return *text* in lower case without width, emphasis or blanks beside ideographs."""
    folded = unicodedata.normalize("NFKC", text).translate(SAME).lower()
    return BESIDE_IDEOGRAPH.sub("", re.sub(r"\s+", " ", folded)).strip()


def _has_one(told: str, group: str) -> bool:
    return any(re.search(_alternative(each), told) for each in group.split("|"))


def _alternative(written: str) -> str:
    wanted = plain(written.rstrip("!"))
    left = r"(?<![a-z0-9])" if re.match("[a-z0-9]", wanted) else ""
    if re.search("[0-9]$", wanted):
        return left + re.escape(wanted) + "(?![0-9])"
    if re.fullmatch("[a-z]{1,3}", wanted):
        return left + wanted + "s?(?![a-z0-9])"
    return left + re.escape(wanted) + ("(?![a-z0-9])" if written[-1] == "!" else "")


if __name__ == "__main__":
    main()
