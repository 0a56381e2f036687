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
_READ_AS = 3
_KINDS = ("names", "unheard", "terms", "relations", "richer", "ends")
_BROKEN = FileNotFoundError, DecryptionFailed, ValueError, TypeError, KeyError
_RELATIONS = {each.value: each for each in Relation}
# So many digits tell one text from others, and each of a pair.
_OF_TEXT, _OF_PAIR = 20, 12


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

    def relation(self, older: str, newer: str, said: str, *, decides: bool) -> Relation:
        # The same few texts stand in many pairs: a pair is told by what tells each of it.
        told = self._key(f"{newer}\x1f{said}")[:_OF_PAIR]
        key = f"{self._key(older)[:_OF_PAIR]}{told}{decides:d}"
        found = self._read(
            "relations",
            key,
            lambda: self._plain.relation(older, newer, said, decides=decides).value,
        )
        return _RELATIONS[found]

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
        if key not in used:
            known = self._known[kind]
            if key in known:
                used[key] = known[key]
            else:
                self._fresh = True
                used[key] = read()
        return used[key]

    def _key(self, text: str) -> str:
        """Return what tells *text* from others."""
        if text not in self._keys:
            found = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
            self._keys[text] = found[:_OF_TEXT]
        return self._keys[text]

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
