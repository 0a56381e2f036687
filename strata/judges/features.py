"""What a sentence is judged by: its words, its letters, and what was said around it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING
from zlib import crc32

from strata.patterns import pattern

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Mapping, Sequence

BITS = 17
BUCKETS = 1 << BITS

# Names, places and figures count by their shape: what matters is that there is one.
_PLACE = pattern(
    r"https?://\S+|(?:~|\.{0,2})?/[\w.\-/]{2,}|\b[\w-]+(?:\.[\w-]+)+(?::\d+)?\b"
    r"|\b\w+(?:_\w+)+\b|\b[a-z]+\d[\w-]*\b"
)
_NAME = pattern(r"(?<=[a-z,;:'’\u3400-\u9fff] )[A-Z][\w'’-]+")
_FIGURE = pattern(r"\d+(?:[.,:/-]\d+)*")
_TOKEN = pattern(r"[a-z]+(?:['’][a-z]+)?|\d+|[\u3400-\u9fff]|⟦[^⟧]*⟧|[^\w\s]")
_SPACE = pattern(r"\s+")
_OWN_NAMES = frozenset(
    {"I", "I'm", "I'd", "I'll", "I've", "I’m", "I’d", "I’ll", "I’ve"}
)
_QUESTION = ("?", "？")
_LATIN = pattern(r"[a-z]")
_HANZI = pattern(r"[\u3400-\u9fff]")
_OPTIONS = pattern(r"\bor\b|还是|或者|要么")

# How much each group of features weighs beside the sentence's own words.
_BEFORE, _AFTER, _MESSAGE, _REPLY, _EARLIER, _ANSWERED = 0.35, 0.3, 0.25, 0.5, 0.1, 0.7
_FLAG = 0.15
# How long a sentence is, in steps of three words; where it answers, in fewer.
_LENGTHS, _ANSWER_LENGTHS = 9, 5
# The flags that tell of length: whoever learns without it leaves them out.
OF_LENGTH = (
    *(f"length{n}" for n in range(_LENGTHS + 1)),
    *(f"asked{a}length{n}" for a in (False, True) for n in range(_ANSWER_LENGTHS + 1)),
)
# So many words of what is around a sentence are looked at.
_AROUND = 16
# So few words say nothing without the question that they answer.
_SHORT = 6


@dataclass(frozen=True, slots=True)
class Remark:
    """
    One sentence of the owner, and what was said around it.

    *lead* and *rest* are the other words of the same message, *before* the agent's
    message before it, *reply* the one after it, *earlier* and *after* the owner's
    messages before and after. Each is "" where nothing was said.
    """

    text: str
    lead: str = ""
    rest: str = ""
    before: str = ""
    reply: str = ""
    earlier: str = ""
    after: str = ""


# What a sentence is, what it does and whose it is are asked one after the other.
@lru_cache(maxsize=64)
def features(remark: Remark) -> Mapping[int, float]:
    """Return the weight of each feature of *remark*, by the bucket in which it lies."""
    return {bucket(name): value for name, value in named_features(remark).items()}


def bucket(name: str) -> int:
    """Return where the weights of the feature *name* stand."""
    return crc32(name.encode("utf-8", "surrogatepass")) & (BUCKETS - 1)


def named_features(remark: Remark) -> dict[str, float]:
    """Return the weight of each feature of *remark*, by its name."""
    text, tokens = _folded(remark.text), words_of(remark.text)
    found = _normalised(_own(text, tokens), 1.0)
    asked = last_question(remark.before)
    _around(found, "b", words_of(remark.before[-300:])[-_AROUND:], _BEFORE)
    _around(found, "a", words_of(remark.after[:160])[:_AROUND], _AFTER)
    _around(found, "r", words_of(remark.reply[:160])[:_AROUND], _REPLY)
    _around(found, "l", words_of(remark.lead[-160:])[-_AROUND:], _MESSAGE)
    _around(found, "m", words_of(remark.rest[:160])[:_AROUND], _MESSAGE)
    _around(found, "e", words_of(remark.earlier[-160:])[-_AROUND:], _EARLIER)
    if len(tokens) <= _SHORT and asked:
        # A short answer means what it answers.
        words = words_of(asked)[-24:]
        found.update(_normalised(dict.fromkeys(_grams("q", words), 1.0), _ANSWERED))
    for flag in flags_of(remark):
        found["f" + flag] = _FLAG
    return found


def flags_of(remark: Remark) -> Iterable[str]:
    """Give what *remark* is at a glance: how long, whether it asks or answers."""
    tokens, before = words_of(remark.text), words_of(remark.before[-300:])
    asked = last_question(remark.before)
    length = min(_LENGTHS, len(tokens) // 3)
    yield f"length{length}"
    yield f"asks{remark.text.rstrip().endswith(_QUESTION)}"
    yield f"figure{bool(_FIGURE.search(remark.text))}"
    yield f"first{not remark.lead}"
    yield f"last{not remark.rest}"
    yield f"opens{not remark.before and not remark.earlier}"
    yield f"closes{not remark.after}"
    yield f"asked{bool(asked)}length{min(_ANSWER_LENGTHS, length)}"
    yield f"options{bool(asked and _OPTIONS.search(asked.lower()))}{length == 0}"
    yield f"echo{min(3, len(set(tokens) & set(before)))}{bool(asked)}"
    yield f"goeson{bool(remark.after)}{len(remark.after) < 40}"  # noqa: PLR2004


# Layer and net both read what was said around a sentence, and so do its neighbours.
@lru_cache(maxsize=256)
def words_of(text: str) -> tuple[str, ...]:
    """Return the words and marks of *text*; figures, names and places by their shape."""
    return tuple(_TOKEN.findall(_folded(text)))


def _own(text: str, tokens: Sequence[str]) -> dict[str, float]:
    counts: dict[str, float] = {}
    # Chinese words are short, and Latin ones told apart by their endings.
    shortest, longest = (1, 4) if len(_HANZI.findall(text)) > 2 else (2, 5)  # noqa: PLR2004
    padded = f" {text} "
    for size in range(shortest, longest + 1):
        for start in range(len(padded) - size + 1):
            name = "c" + padded[start : start + size]
            counts[name] = counts.get(name, 0.0) + 1.0
    for name in _grams("w", tokens):
        counts[name] = counts.get(name, 0.0) + 1.0
    for one, two in zip(tokens, tokens[2:], strict=False):
        counts[f"k{one}_{two}"] = 1.0
    counts.update(dict.fromkeys((f"0{token}" for token in tokens[:2]), 1.0))
    if tokens:
        counts["9" + tokens[-1]] = 1.0
        counts["8" + "_".join(tokens[:3])] = 1.0
    return counts


def _grams(prefix: str, tokens: Sequence[str]) -> Iterable[str]:
    for place, token in enumerate(tokens):
        yield prefix + token
        if place + 1 < len(tokens):
            yield f"{prefix}{token}_{tokens[place + 1]}"
        if place + 2 < len(tokens):
            yield f"{prefix}{token}_{tokens[place + 1]}_{tokens[place + 2]}"


def _around(
    found: dict[str, float], prefix: str, tokens: Sequence[str], weight: float
) -> None:
    names = [prefix + token for token in tokens]
    names += [f"{prefix}{one}_{two}" for one, two in pairwise(tokens)]
    if tokens:
        names.append(f"{prefix}^{tokens[0]}")
        names.append(f"{prefix}${tokens[-1]}")
    found.update(_normalised(dict.fromkeys(names, 1.0), weight))


def last_question(text: str) -> str:
    """Return the question with which *text* ends, or ""."""
    bare = text.rstrip(" )）”」\n😊🙂")
    if not bare.endswith(_QUESTION):
        return ""
    start = max(
        bare.rfind(mark, 0, -1) for mark in (". ", "。", "! ", "！", "\n", "? ", "？")
    )
    return bare[start + 1 :].strip()[-200:]


def _folded(text: str) -> str:
    text = _PLACE.sub(" xplace ", text)
    text = _NAME.sub(_with_mark, text)
    text = _FIGURE.sub(" 0 ", text.lower().replace("’", "'"))
    return _SPACE.sub(" ", text).strip()


def _with_mark(name: re.Match[str]) -> str:
    return name[0] if name[0] in _OWN_NAMES else f"xname {name[0]}"


def _normalised(counts: Mapping[str, float], weight: float) -> dict[str, float]:
    damped = {name: 1 + math.log(count) for name, count in counts.items()}
    length = math.sqrt(sum(value * value for value in damped.values())) or 1.0
    return {name: weight * value / length for name, value in damped.items()}
