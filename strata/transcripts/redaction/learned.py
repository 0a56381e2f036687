"""
Which words of a message open something, as learned from talk: what no rule has a name for.

Each token is judged by its shape, by the words around it and by what was said before, in
any spelling: a layer over hashed features, made by `training/opening.py`.
"""

from __future__ import annotations

import math
import re
import struct
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from strata.transcripts.redaction.entering import likeness
from strata.transcripts.redaction.spans import Secret

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

WEIGHTS = Path(__file__).with_name("learned.bin")
BITS, GATE_BITS = 17, 16
_MOST = (1 << max(BITS, GATE_BITS)) - 1
KIND = "secret:told"
# Log-odds from which on a token is taken out; beside one that is, less is enough.
SURE, BESIDE = 0.3, -0.9
# So much of what speaks for a secret in the message speaks for each of its tokens.
_OF_MESSAGE = 0.5
# A message that is less likely to hold a secret is not looked at token by token.
WORTH_A_LOOK = -2.9
# What is longer was not typed by somebody who tells a secret.
LONGEST = 1500
# So many characters at the end of the messages before are read.
READ_BEFORE = 240
_TOKEN = re.compile(r"⟦[^⟧]*⟧|[!-~]+|[\u3400-\u9fff]|[^\s!-~]")
_OPENING, _CLOSING = "([{<'\"`*:,;=", ".,;:?)]}>'\"`"
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {
    0x3002: ".",
    0x201C: '"',
    0x201D: '"',
    0x2018: "'",
    0x2019: "'",
}
_DIGIT_WORDS = frozenset(
    (
        *("zero", "oh", "one", "two", "three", "four", "five", "six", "seven", "eight"),
        *("nine", "ten", "double", "triple", "hash", "star", "pound", "dash", "dot"),
        *("underscore", "at", "capital", "upper", "lower", "caps", "cap"),
    )
)
_HANZI_DIGITS = frozenset("零〇一二三四五六七八九十百千幺两洞拐勾")
_PLACE = re.compile(
    r"(?:https?://|www\.|/|~/)\S*|\S+@\S+\.\w+|[\w-]+(?:\.[a-z]{2,6})+\S*"
)
_CODE = re.compile(r"[=(){}\[\]<>;]|::|->")
_NUMBER = re.compile(r"[+#*]?\d+(?:[-–./:,*#]\d+)*[#*%]?")
_LONG_NUMBER = 9
_NEAR, _FAR, _BEFORE = 3, 8, 30


# There are some hundred in a message, and it is made in a third of the time.
class Token(NamedTuple):
    """A word, number or sign of a text, where it stands, and of what shape it is."""

    text: str
    start: int
    end: int
    shape: str


def opening(text: str, before: Sequence[str]) -> Iterator[Secret]:
    """
    Yield what in *text* opens something, given what was said *before*.

    That is the last message of the same person and the other's, "" where there is none.
    """
    for start, end in spans_in(text, before, _layers()):
        yield Secret(start, end, KIND)


def spans_in(
    text: str, before: Sequence[str], layers: Layers
) -> Iterator[tuple[int, int]]:
    """Yield from where to where *layers* find in *text* what opens something."""
    if len(text) > LONGEST or not any(map(str.isalnum, text)):
        return
    tokens = tokens_of(text)
    context = Context(tokens, before)
    message = layers.gate.score(context.gate())
    if message < WORTH_A_LOOK:
        return
    # Most of what tells of a token is the same for all of its kind, and is added up once.
    kinds = {token.shape[0] for token in tokens if is_candidate(token)}
    shared = {kind: layers.tokens.summed(context.around(kind)) for kind in kinds}
    likely = [
        layers.tokens.score(context.own(place), shared[token.shape[0]])
        + _OF_MESSAGE * message
        if is_candidate(token)
        else -math.inf
        for place, token in enumerate(tokens)
    ]
    found: list[tuple[int, int]] = []
    for place, token in enumerate(tokens):
        beside = max(likely[max(0, place - 2) : place + 3])
        if likely[place] >= SURE or (likely[place] >= BESIDE and beside >= SURE):
            if found and not text[found[-1][1] : token.start].strip():
                found[-1] = found[-1][0], token.end
            else:
                found.append((token.start, token.end))
    yield from found


def is_candidate(token: Token) -> bool:
    """Say whether *token* is more than a mark, and no address, path or code."""
    return token.shape not in {"p", "u"}


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of *text* in their order; a hanzi is one by itself."""
    plain = text.translate(_FULL_WIDTH)
    found: list[Token] = []
    for match in _TOKEN.finditer(plain):
        start, end = match.span()
        while start < end - 1 and plain[start] in _OPENING:
            found.append(Token(plain[start], start, start + 1, "p"))
            start += 1
        closing: list[Token] = []
        while end > start + 1 and plain[end - 1] in _CLOSING:
            end -= 1
            closing.append(Token(plain[end], end, end + 1, "p"))
        word = plain[start:end]
        found.append(Token(word, start, end, _shape(word)))
        found += reversed(closing)
    return found


@lru_cache(maxsize=4096)
def _shape(word: str) -> str:
    """Return a letter for what *word* is made of; of a number, how many digits it has."""
    if not word.isascii():
        hanzi = "\u3400" <= word <= "\u9fff"
        return ("H" if word in _HANZI_DIGITS else "h") if hanzi else "p"
    if _NUMBER.fullmatch(word):
        digits = sum(map(str.isdigit, word))
        return "L" if digits >= _LONG_NUMBER else f"D{min(digits, 6)}"
    if not any(map(str.isalnum, word)):
        return "p"
    is_code = _PLACE.fullmatch(word) or _CODE.search(word)
    return "u" if is_code else _shape_of_word(word)


def _shape_of_word(word: str) -> str:
    signs = any(each in "!#$%^&*+=~@_|\\?" for each in word)
    if any(map(str.isdigit, word)) and any(map(str.isalpha, word)):
        return "S" if signs else "M"
    if word.lower() in _DIGIT_WORDS:
        return "n"
    if signs:
        return "s"
    if word.isupper() and len(word) > 1:
        return "U"
    if word[1:].lower() != word[1:]:
        return "K"
    return "C" if word[0].isupper() else "w"


class Context:
    """The words of a message and what was said before it, as features of its tokens."""

    def __init__(self, tokens: Sequence[Token], before: Sequence[str]) -> None:
        self._tokens = tokens
        self._kept: dict[str, list[int]] = {}
        self._names = [_name(each) for each in tokens]
        self._message = list(dict.fromkeys(_bag(tokens, self._names)))[:40]
        self._before = [
            list(dict.fromkeys(_bag(told, [_name(each) for each in told])))
            for told in (tokens_of(text[-READ_BEFORE:])[-_BEFORE:] for text in before)
        ]
        size = len([each for each in tokens if each.shape != "p"])
        self._flags = [f"n{min(size, 4)}", f"N{min(size // 6, 6)}"]
        self._flags += [f"pl{n}" for n, text in enumerate(before) if "⟦" in text]
        if any(each.text.startswith("⟦") for each in tokens):
            self._flags.append("in⟦")

    def features(self, place: int) -> list[int]:
        """Return the buckets of what speaks for or against the token at *place*."""
        return self.own(place) + self.around(self._tokens[place].shape[0])

    def own(self, place: int) -> list[int]:
        """Return those of its own shape, and of the words beside it."""
        token, names = self._tokens[place], self._names
        s = token.shape[0]
        found = [*_of_word(token.text, token.shape, names[place])]
        for step in range(-_NEAR, _NEAR + 1):
            at = place + step
            if step:
                found += _beside(step, s, names[at] if 0 <= at < len(names) else "^")
        before = "".join(each.text for each in self._tokens[max(0, place - 4) : place])[
            -12:
        ].lower()
        found += [
            _letters(s, before[at : at + 3]) for at in range(max(0, len(before) - 2))
        ]
        for low, high, side in ((-_FAR, 0, "b"), (1, _FAR + 1, "a")):
            first, last = max(0, place + low), max(0, place + high)
            found += self._each(f"{side}{s}")[first:last]
            found += self._pairs(side)[first : max(first, last - 1)]
        return found

    def _each(self, start: str) -> list[int]:
        return self._once(start, lambda: [f"{start}{name}" for name in self._names])

    def _pairs(self, side: str) -> list[int]:
        pairs = pairwise(self._names)
        return self._once(side, lambda: [f"{side}{a}_{b}" for a, b in pairs])

    def around(self, s: str) -> list[int]:
        """Return those of the whole message, for a token of the kind *s*."""

        def told() -> Iterator[str]:
            yield from (f"m{s}{name}" for name in self._message)
            for number, names in enumerate(self._before):
                yield from (f"p{number}{s}{name}" for name in names)
            yield from (f"f{s}{flag}" for flag in self._flags)

        return self._once(f"around {s}", told)

    def _once(self, key: str, names: Callable[[], Iterable[str]]) -> list[int]:
        """Return the buckets of what is the same for many tokens of a message."""
        if key not in self._kept:
            self._kept[key] = [_hashed(each) for each in names()]
        return self._kept[key]

    def gate(self) -> list[int]:
        """Return the features of what tells that the message holds a secret at all."""
        names = self._names
        found = [*_bag(self._tokens, names)]
        found += [f"{one}_{two}" for one, two in pairwise(names)]
        for number, told in enumerate(self._before):
            found += [f"{number}{name}" for name in told]
        found += [f"f{flag}" for flag in self._flags]
        found += [f"s{each}" for each in {token.shape for token in self._tokens}]
        return [_hashed(each) for each in found]


@lru_cache(maxsize=4096)
def _of_word(text: str, shape: str, name: str) -> tuple[int, ...]:
    """Return the buckets of what a word is by itself."""
    word = text.lower()
    own = [shape, f"l{min(len(word), 20)}", f"t{name}"]
    if shape[0] not in "hHD":
        own += [f"3{word[:3]}", f"4{word[-3:]}", f"v{_pattern(text)}"]
    if shape[0] in "MSsKU":
        own.append(f"k{likeness(text).name}")
    return tuple(map(_hashed, own))


@lru_cache(maxsize=8192)
def _beside(step: int, s: str, name: str) -> tuple[int, int]:
    """Return the buckets of a word that stands so many steps from one of the kind *s*."""
    return _hashed(f"{step}{s}{name}"), _hashed(f"{step}{name}")


@lru_cache(maxsize=8192)
def _letters(s: str, letters: str) -> int:
    return _hashed(f"g{s}{letters}")


def _hashed(name: str) -> int:
    return crc32(name.encode("utf-8", "replace")) & _MOST


def _name(token: Token) -> str:
    """Return what a token counts as beside another one: figures by their shape."""
    return token.shape if token.shape[0] in "DLSMu" else token.text.lower()


def _bag(tokens: Sequence[Token], names: Sequence[str]) -> Iterator[str]:
    for place, token in enumerate(tokens):
        if token.shape != "p":
            yield names[place]
        # Two hanzi are a word.
        if token.shape[0] in "hH" and place and tokens[place - 1].shape[0] in "hH":
            yield names[place - 1] + names[place]


def _pattern(word: str) -> str:
    """Return in what turns letters, digits and signs come in *word*."""
    kinds = (
        "a" if c.islower() else "A" if c.isupper() else "0" if c.isdigit() else c
        for c in word
    )
    return re.sub(r"(.)\1+", r"\1", "".join(kinds))[:10]


@dataclass(frozen=True, slots=True)
class Summed:
    """Features that many tokens share: their *places*, what these come to, how many."""

    places: set[int]
    raw: int
    count: int


@dataclass(frozen=True, slots=True)
class Layer:
    """Weights of features by their bucket, and what makes log-odds of their sum."""

    scale: float
    bias: float
    weights: memoryview

    def score(self, found: Sequence[int], beside: Summed | None = None) -> float:
        """
        Return the log-odds that what has the features *found* is what it looks for.

        Those of what is *beside* it are its own as well.
        """
        places, count = self._places(found), len(found)
        raw = 0
        if beside:
            places -= beside.places
            raw, count = beside.raw, count + beside.count
        raw += self._raw(places)
        return raw * self.scale / math.sqrt(count) + self.bias

    def summed(self, found: Sequence[int]) -> Summed:
        """Return the features *found*, which many tokens share, as one."""
        places = self._places(found)
        return Summed(places, self._raw(places), len(found))

    def _places(self, found: Sequence[int]) -> set[int]:
        mask = len(self.weights) - 1
        # Buckets have as many bits as the larger layer, so that most need no mask.
        return set(found) if mask >= _MOST else {each & mask for each in found}

    def _raw(self, places: set[int]) -> int:
        # In one call: a token has some 140 features, and a message as many tokens.
        raw: int = sum(itemgetter(*places, 0)(self.weights)) - self.weights[0]
        return raw


@dataclass(frozen=True, slots=True)
class Layers:
    """Whether a message is worth a look, and which of its tokens open something."""

    gate: Layer
    tokens: Layer


def as_bytes(gate: Layer, tokens: Layer) -> bytes:
    """Return the layers as the file of weights has them, the same bytes each time."""
    head = struct.pack("<ffff", gate.scale, gate.bias, tokens.scale, tokens.bias)
    return head + bytes(gate.weights) + bytes(tokens.weights)


@lru_cache(maxsize=1)
def _layers() -> Layers:
    data = WEIGHTS.read_bytes()
    head = struct.calcsize("<ffff")
    floats, whole = (
        struct.unpack("<ffff", data[:head]),
        memoryview(data)[head:].cast("b"),
    )
    gate = Layer(floats[0], floats[1], whole[: 1 << GATE_BITS])
    return Layers(gate, Layer(floats[2], floats[3], whole[1 << GATE_BITS :]))
