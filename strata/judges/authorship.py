"""Whether a message of the owner is the owner's own meant word, as learned from talk."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from strata.judges.features import OF_LENGTH, Remark, bucket, features, words_of
from strata.judges.local import LocalJudge, read_weights
from strata.models import Origin
from strata.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from strata.models import Message

WEIGHTS = Path(__file__).with_name("authorship.npz")
# From here on it is somebody else's word, or not meant; before that, it may be.
FOREIGN, DOUBTED = 0.4, 0.15
_WEIGHT = 0.2
_LONGEST = 700
# Pasted texts are long, and so is what people tell at length: that says nothing.
_LENGTH_PLACES = frozenset(bucket("f" + flag) for flag in OF_LENGTH)
_MARKS = pattern(
    r"[【】《》「」“”‘’\"]|https?://|@|\d{7,}|[a-z]\.[a-z]{2,}/?|:|：|\?|？|!|！|—|↑|↓|>"
)
_FIRST = pattern(r"\b(?:i|i'm|im|i've|ive|my|me|we|our|us)\b|[我咱俺]")
_SECOND = pattern(r"\b(?:you|your|u|ur)\b|[你您]")


def with_authors(said: Iterable[Message]) -> Iterator[Message]:
    """
    Yield *said*; a message of the owner that is not the owner's own word is a stranger's.

    One that may be none is doubted. What is said after it tells as well, so a message is
    held back until the next one.
    """
    held: list[Message] = []
    earlier = ""
    before = ""
    for message in said:
        if message.role != "user" or message.origin is not Origin.OWNER:
            if held:
                held.append(message)
            else:
                before = message.text if message.role == "assistant" else before
                yield message
            continue
        if held:
            yield from _settled(held, earlier, before, message.text)
            replies = [each.text for each in held if each.role == "assistant"]
            earlier, before = held[0].text, replies[-1] if replies else ""
        held = [message]
    if held:
        yield from _settled(held, earlier, before, "")


def _settled(
    held: list[Message], earlier: str, before: str, after: str
) -> Iterator[Message]:
    """Yield *held*, of which the first is the owner's, as its author allows."""
    reply = next((each.text for each in held if each.role == "assistant"), "")
    told = Remark(
        held[0].text, before=before, reply=reply, earlier=earlier, after=after
    )
    likely = foreign(told)
    if likely >= DOUBTED:
        origin = Origin.UNTRUSTED if likely >= FOREIGN else held[0].origin
        held[0] = replace(held[0], origin=origin, doubted=True)
    yield from held


def foreign(remark: Remark) -> float:
    """
    Return how likely the words of *remark*, a whole message, are not the owner's own.

    They were pasted, announced as another's or dictated, report what another wants, or
    are a joke, a supposition or taken back at once.
    """
    found = _layer().scores(authorship_features(remark))
    return float(1.0 / (1.0 + np.exp(-np.clip(found[0], -30, 30))))


def authorship_features(remark: Remark) -> dict[int, float]:
    """Return by what it is known: the words, those around them, and their form."""
    text = remark.text[:_LONGEST]
    own = Remark(
        text,
        before=remark.before,
        reply=remark.reply,
        earlier=remark.earlier,
        after=remark.after,
    )
    names = {f"w{name}": _WEIGHT for name in _form(own)}
    names |= {
        f"we{each}": _WEIGHT / 2 for each in words_of(remark.earlier[-120:])[-20:]
    }
    names |= {f"wa{each}": _WEIGHT / 2 for each in words_of(remark.after[:120])[:20]}
    found = dict(features(own))
    for place in _LENGTH_PLACES:
        found.pop(place, None)
    return found | {bucket(name): value for name, value in names.items()}


def _form(remark: Remark) -> Iterator[str]:
    text, lower = remark.text, remark.text.lower()
    lines = [line for line in text.split("\n") if line.strip()]
    yield f"lines{min(len(lines), 4)}"
    for mark in set(_MARKS.findall(lower)):
        yield f"mark{mark[:1]}"
    yield f"first{bool(_FIRST.search(lower))}second{bool(_SECOND.search(lower))}"
    yield f"upper{text[:1].isupper()}{text.rstrip()[-1:] in '.。'}"
    for name, line in (
        ("head", lines[0] if lines else ""),
        ("tail", lines[-1] if lines else ""),
    ):
        words = words_of(line)[:14] if name == "head" else words_of(line)[-14:]
        if len(lines) > 1:
            yield from (f"{name}{word}" for word in words)
            yield f"{name}asks{line.rstrip().endswith(('?', chr(0xFF1F)))}"
    opens = remark.earlier.rstrip().endswith((":", "："))
    yield f"before{bool(remark.earlier)}{opens}{bool(remark.before)}"


@lru_cache(maxsize=1)
def _layer() -> LocalJudge:
    return LocalJudge(read_weights(WEIGHTS))
