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
    # From somebody's talk as it comes, and not written around traps.
    ordinary: bool = False
    by_agent: bool = False


@dataclass(slots=True)
class Dialogue:
    """
    One talk: *turns* are (who, [(label, text), …]).

    Where nobody has labelled what the agent said, it is one text with the label "".
    """

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
    """Give every labelled sentence, with a number for the message it is from."""
    number = 0
    for dialogue in dialogues:
        for place, (who, parts) in enumerate(dialogue.turns):
            if not parts[0][0]:
                continue
            number += 1
            around = _around(dialogue, place)
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
                    who == "agent",
                )


def _around(dialogue: Dialogue, place: int) -> dict[str, str]:
    """Return what was said around the message at *place*, as `Remark` names it."""
    who, turns = dialogue.turns[place][0], dialogue.turns
    own = [at for at, (other, _) in enumerate(turns) if other == who]
    order = own.index(place)
    return {
        "before": _others(dialogue, range(place - 1, -1, -1), who),
        "reply": _others(dialogue, range(place + 1, len(turns)), who),
        "earlier": dialogue.text(own[order - 1]) if order else "",
        "after": dialogue.text(own[order + 1]) if order + 1 < len(own) else "",
    }


def _label(written: str, dialogue: Dialogue) -> Label:
    kind, marks = written[:1], frozenset(written[1:])
    if kind not in _KINDS or not marks <= _MARKS:
        raise ValueError(
            f"{dialogue.person}, {dialogue.topic}: no label is {written!r}"
        )
    return Label(kind, marks)


def _others(dialogue: Dialogue, places: range, who: str) -> str:
    """Return the other's words next to a message of *who*, on the side of *places*."""
    for place in places:
        return "" if dialogue.turns[place][0] == who else dialogue.text(place)
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
                    (
                        who,
                        [("", said)]
                        if isinstance(said, str)
                        else list(map(tuple, said)),
                    )
                    for who, said in record["talk"]
                ],
            )


def load(language: str = "*", *, test: bool = False) -> Iterator[Sentence]:
    """Give the sentences of the owners to learn from, or of those to be tested on."""
    return (each for each in labelled(language, test=test) if not each.by_agent)


def agents(language: str = "*", *, test: bool = False) -> Iterator[Sentence]:
    """Give the sentences of their agents, where somebody has labelled them."""
    return (each for each in labelled(language, test=test) if each.by_agent)


def labelled(language: str, *, test: bool) -> Iterator[Sentence]:
    """Give all sentences that have a label."""
    for path in sorted(DATA.glob(f"{language}/*.jsonl")):
        if path.stem.startswith("test") is test:
            ordinary = any(kind in path.stem for kind in ("month", "evening"))
            yield from sentences(read(path), ordinary=ordinary)
