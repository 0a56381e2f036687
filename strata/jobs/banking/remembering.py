"""What texts were read as before is read again from a file, not from the words."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Any

import orjson

from strata.bank.reading import PlainReading
from strata.bundle import VERSION
from strata.embedding_models.glossing import FILE_NAME, opened
from strata.errors import DecryptionFailed
from strata.judges.naming import Named, tagger
from strata.statements.relations import Relation
from strata.workspace import stored

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from strata.memory import Memory

# Raise it when the same words are read otherwise; a new tagger tells so by itself.
_READ_AS = 6
_KINDS = ("names", "unheard", "terms", "relations", "richer", "ends")
_BROKEN = FileNotFoundError, DecryptionFailed, ValueError, TypeError, KeyError
_RELATIONS = {each.value: each for each in Relation}
_USUAL = Relation.DIFFERENT
# So many digits tell one text from others.
_OF_TEXT = 20


class RememberedReading:
    """
    Reads as `PlainReading`, and keeps what it read for as long as it is asked for.

    The file may be deleted at any time: the same words are read as the same.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._file = memory.workspace.layout.readings_file
        folder = memory.model_folder
        glossary = opened(folder / FILE_NAME) if folder else None
        self._plain = PlainReading(glossary.words if glossary else None)
        made = [VERSION, _READ_AS, tagger().fingerprint]
        self._made = [*made, glossary.fingerprint if glossary else ""]
        self._used: dict[str, dict[str, Any]] = {kind: {} for kind in _KINDS}
        self._keys: dict[str, str] = {}
        self._pairs: dict[tuple[str, str], Relation] = {}
        self._fresh = False

    def named(self, texts: Sequence[str]) -> list[tuple[Named, ...]]:
        return [self._named(text) for text in texts]

    def _named(self, text: str) -> tuple[Named, ...]:
        rows = self._read("names", self._key(text), lambda: self._names(text))
        return tuple(
            Named(a, b, text[a:b], sort, chance) for a, b, sort, chance in rows
        )

    def unheard(self, texts: Sequence[str]) -> list[tuple[tuple[int, int], ...]]:
        return [self._unheard(text) for text in texts]

    def _unheard(self, text: str) -> tuple[tuple[int, int], ...]:
        rows = self._read(
            "unheard", self._key(text), lambda: self._plain.unheard([text])[0]
        )
        return tuple((start, end) for start, end in rows)

    def common(self, word: str) -> int:
        return self._plain.common(word)

    def terms(self, text: str) -> frozenset[str]:
        key = self._key(text)
        return frozenset(
            self._read("terms", key, lambda: sorted(self._plain.terms(text)))
        )

    def relations(self, older: Sequence[str], newer: str) -> list[Relation]:
        if not older:
            return []
        # Of ten thousand statements each is compared with twenty: a row for each is
        # looked up twenty times as fast, and anew only where one of the twenty changed.
        key = _digest("".join(map(self._key, [newer, *older])))

        def compared() -> list[list[Any]]:
            pairs = [self._pair(each, newer) for each in older]
            return [[n, e.value] for n, e in enumerate(pairs) if e is not _USUAL]

        found = [_USUAL] * len(older)
        for place, each in self._read("relations", key, compared):
            found[place] = _RELATIONS[each]
        return found

    def _pair(self, older: str, newer: str) -> Relation:
        """Return what one is to the other, who may be of several pages together."""
        key = older, newer
        if (found := self._pairs.get(key)) is None:
            found = self._pairs[key] = self._plain.relation(older, newer)
        return found

    def richer(self, first: str, second: str) -> str:
        key = self._key(first) + self._key(second)
        is_first = self._read(
            "richer", key, lambda: self._plain.richer(first, second) == first
        )
        return first if is_first else second

    def until(self, text: str, said: date) -> date | None:
        def told() -> str:
            found = self._plain.until(text, said)
            return found.isoformat() if found else ""

        found = self._read("ends", self._key(f"{said}\x1f{text}"), told)
        return date.fromisoformat(found) if found else None

    def keep(self) -> None:
        """Write down what was read; what nobody asked for any more is dropped."""
        if not self._fresh and self._used == self._known:
            return
        told = {"made": self._made, **self._used}
        self._memory.workspace.write_private(self._file, orjson.dumps(told))

    # Any: what a reading is, as JSON has it.
    def _read(self, kind: str, key: str, read: Callable[[], Any]) -> Any:
        used = self._used[kind]
        if (found := used.get(key)) is None:
            if (found := self._known[kind].get(key)) is None:
                self._fresh = True
                found = read()
            used[key] = found
        return found

    def _key(self, text: str) -> str:
        """Return what tells *text* from others."""
        if (key := self._keys.get(text)) is None:
            self._keys[text] = key = _digest(text)
        return key

    def _names(self, text: str) -> list[list[Any]]:
        (found,) = self._plain.named([text])
        return [[n.start, n.end, n.sort, n.chance] for n in found]

    @cached_property
    def _known(self) -> dict[str, dict[str, Any]]:
        with suppress(*_BROKEN):
            told = orjson.loads(stored.read(self._file))
            if told["made"] == self._made:
                return {kind: told[kind] for kind in _KINDS}
        return {kind: {} for kind in _KINDS}


def _digest(text: str) -> str:
    found = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return found[:_OF_TEXT]
