"""The labelled dialogues: how they are kept, read, and turned into remarks."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from strata.judges.features import Remark  # noqa: E402 - this checkout

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

DATA = ROOT / "training/statements"
_KINDS, _MARKS = frozenset("pdfctnr-"), frozenset("+~jmx^!#$")


@dataclass(frozen=True, slots=True)
class Label:
    """What a sentence is: its kind, and the marks that README.md explains."""

    kind: str
    marks: frozenset[str]

    @property
    def meant(self) -> bool:
        return not self.marks & set("jmx")

    @property
    def keep(self) -> bool:
        return self.kind != "-" and self.meant and "#" not in self.marks

    @property
    def lasts(self) -> bool:
        return "+" in self.marks and self.keep


@dataclass(frozen=True, slots=True)
class Sentence:
    """A labelled sentence in its surroundings."""

    remark: Remark
    label: Label
    person: str
    language: str
    message: int
    place: int = 0
    # From a month of somebody's talk as it comes, and not written around traps.
    ordinary: bool = False


@dataclass(slots=True)
class Dialogue:
    """One talk: *turns* are (who, [(label, text), …]); labels of the agent are empty."""

    person: str
    about: str
    language: str
    topic: str
    turns: list[tuple[str, list[tuple[str, str]]]] = field(default_factory=list)

    def text(self, place: int) -> str:
        return joined([text for _, text in self.turns[place][1]])


def joined(parts: list[str]) -> str:
    """Return sentences as one message: a blank between them, but beside ideographs."""
    whole = ""
    for part in parts:
        close = bool(whole) and (ord(whole[-1]) > 0x2E7F or ord(part[0]) > 0x2E7F)
        whole += part if not whole or close else " " + part
    return whole


def sentences(
    dialogues: Iterable[Dialogue], *, ordinary: bool = False
) -> Iterator[Sentence]:
    """Give every sentence of the owner, with a number for the message it is from."""
    number = 0
    for dialogue in dialogues:
        owners = [i for i, (who, _) in enumerate(dialogue.turns) if who == "owner"]
        for order, place in enumerate(owners):
            number += 1
            parts = dialogue.turns[place][1]
            around = {
                "before": _agent(dialogue, range(place - 1, -1, -1)),
                "reply": _agent(dialogue, range(place + 1, len(dialogue.turns))),
                "earlier": dialogue.text(owners[order - 1]) if order else "",
                "after": dialogue.text(owners[order + 1])
                if order + 1 < len(owners)
                else "",
            }
            for at, (label, text) in enumerate(parts):
                yield Sentence(
                    Remark(
                        text,
                        lead=joined([each for _, each in parts[:at]]),
                        rest=joined([each for _, each in parts[at + 1 :]]),
                        **around,
                    ),
                    _label(label, dialogue),
                    dialogue.person,
                    dialogue.language,
                    number,
                    at,
                    ordinary,
                )


def _label(written: str, dialogue: Dialogue) -> Label:
    kind, marks = written[:1], frozenset(written[1:])
    if kind not in _KINDS or not marks <= _MARKS:
        raise ValueError(
            f"{dialogue.person}, {dialogue.topic}: no label is {written!r}"
        )
    return Label(kind, marks)


def _agent(dialogue: Dialogue, places: range) -> str:
    """Return the agent's words next to a message, on the side of *places*."""
    for place in places:
        who, parts = dialogue.turns[place]
        if who == "owner":
            return ""
        return parts[0][1]
    return ""


def read(path: Path) -> Iterator[Dialogue]:
    """Read dialogues from JSON lines."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            yield Dialogue(
                record["person"],
                record["about"],
                record["language"],
                record["topic"],
                [
                    (who, [tuple(p) for p in said] if who == "owner" else [("", said)])
                    for who, said in record["talk"]
                ],
            )


def load(language: str = "*", *, test: bool = False) -> Iterator[Sentence]:
    """Give the sentences of the people to learn from, or of those to be tested on."""
    for path in sorted(DATA.glob(f"{language}/*.jsonl")):
        if path.stem.startswith("test") is test:
            yield from sentences(read(path), ordinary="month" in path.stem)
