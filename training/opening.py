"""
Make the weights that tell which words of a message open something.

    python training/opening.py [--out FILE] [--folds 3]

Reads `secrets/*.yaml`, talks with secrets and with what only looks like one, in the form
of `bench/trust/talks.py`; those of `authorship/*.yaml` and the talk of `statements`, in
which hardly anything is one; and what the tests of the rules have as harmless.
Writes `strata/transcripts/redaction/learned.bin`. With ``--folds`` it prints first of how
many talks, in files that were not learned from, every secret would be told (by the rules
or by these weights), and in how many harmless ones a word would be. Needs scikit-learn
and PyYAML.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import yaml
from dialogues import DATA as TALK
from dialogues import ROOT, read
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

sys.path.insert(0, str(ROOT / "bench/trust"))

from filling import filler

from strata.transcripts.redaction import find_secrets
from strata.transcripts.redaction.learned import (
    BITS,
    GATE_BITS,
    LONGEST,
    WEIGHTS,
    Context,
    Layer,
    Layers,
    as_bytes,
    is_candidate,
    spans_in,
    tokens_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

DATA, OTHERS = ROOT / "training/secrets", ROOT / "training/authorship"
# Talks that were played when nobody had read them, and are learned from since.
PLAYED = ROOT / "bench/trust/talks"
HARMLESS = ROOT / "tests/data/redaction/harmless.jsonl"
# How little the layers are held back.
STRENGTH, GATE_STRENGTH = 100.0, 30.0
# Written for something else.
_OTHERWISE = {"attacks", "wishes"}
# Of ordinary messages one in so many is learned from.
_ONE_IN = 6

Span = tuple[int, int]


@dataclass
class Heard:
    """A message after what was said *before*, with the *wanted* places of its secrets."""

    text: str
    before: list[str]
    wanted: list[Span]
    tokens: list[list[int]] = field(default_factory=list)
    secret: list[bool] = field(default_factory=list)
    gate: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        tokens = tokens_of(self.text)
        context = Context(tokens, self.before)
        self.gate = context.gate()
        for place, token in enumerate(tokens):
            if is_candidate(token):
                self.tokens.append(context.features(place))
                self.secret.append(
                    any(a < token.end and token.start < b for a, b in self.wanted)
                )


@dataclass
class Talk:
    """
    What was said in one talk of a *file*, of a *kind*; a harmless one has no secret.

    One of wishes or attacks has none but what the rules find.
    """

    file: str
    kind: str
    harmless: bool
    heard: list[Heard]


def talks(file: Path) -> Iterator[Talk]:
    told = yaml.safe_load(file.read_text(encoding="utf-8"))
    for part in ("secrets", "harmless", "attacks", "wishes"):
        for row in told.get(part) or ():
            seed = f"{file.stem} {row['id']}"
            fill = filler(seed)
            forms = [fill(form) for form in row["forms"]] if part == "secrets" else []
            said = {"u": "", "a": ""}
            heard = []
            for turn in row["turns"]:
                if "tool" in turn:
                    continue
                who, other = ("u", "a") if "u" in turn else ("a", "u")
                text = fill(str(turn[who]))
                if len(text) <= LONGEST:
                    before = [said[who], said[other]]
                    wanted = _spans(text, forms)
                    if part in _OTHERWISE:
                        wanted = [(each.start, each.end) for each in find_secrets(text)]
                    heard.append(Heard(text, before, wanted))
                said[who] = text
            kind = row["kind"] if part == "secrets" else part
            yield Talk(file.stem, kind, part != "secrets", heard)


def _spans(text: str, forms: Sequence[str]) -> list[Span]:
    return [m.span() for form in forms for m in re.finditer(re.escape(form), text)]


def ordinary() -> Iterator[Heard]:
    """Give messages of talk, in which a sentence marked as secret tells one."""
    numbers = random.Random(0)  # noqa: S311 - a sample
    for path in sorted(TALK.glob("*/*.jsonl")):
        if path.stem[:4] == "test":
            continue
        for dialogue in read(path):
            said = {"owner": "", "agent": ""}
            for place, (who, sentences) in enumerate(dialogue.turns):
                text = dialogue.text(place)
                other = "agent" if who == "owner" else "owner"
                before = [said[who], said[other]]
                said[who] = text
                marked = [part for label, part in sentences if "$" in label]
                if len(text) > LONGEST or not (
                    marked or numbers.randrange(_ONE_IN) == 0
                ):
                    continue
                wanted = [(each.start, each.end) for each in find_secrets(text)]
                for sentence in marked:
                    at = text.find(sentence)
                    wanted += [
                        (at + token.start, at + token.end)
                        for token in tokens_of(sentence)
                        if token.shape[0] in "DLMSsKH" and at >= 0
                    ]
                heard = Heard(text, before, wanted)
                if marked:
                    # Which of its words it is nobody has said.
                    keep = [n for n, secret in enumerate(heard.secret) if secret]
                    heard.tokens = [heard.tokens[n] for n in keep]
                    heard.secret = [True] * len(keep)
                yield heard


def lookalikes() -> Iterator[Heard]:
    """Give what the tests of the rules have as harmless, alone and one after the other."""
    before = ""
    for line in HARMLESS.read_text(encoding="utf-8").splitlines():
        text = json.loads(line)["text"]
        if len(text) <= LONGEST:
            yield Heard(text, ["", ""], [])
            yield Heard(text, ["", before], [])
        before = text


def fit(heard: Sequence[Heard]) -> Layers:
    gate = [each.gate for each in heard]
    holds = [bool(each.wanted) for each in heard]
    tokens = [each for one in heard for each in one.tokens]
    secret = [each for one in heard for each in one.secret]
    return Layers(
        _layer(gate, holds, GATE_BITS, GATE_STRENGTH),
        _layer(tokens, secret, BITS, STRENGTH),
    )


def _layer(
    rows: Sequence[Sequence[int]], truth: Sequence[bool], bits: int, c: float
) -> Layer:
    columns: list[int] = []
    values: list[float] = []
    ends = [0]
    for row in rows:
        found = {each & ((1 << bits) - 1) for each in row}
        columns += found
        values += [1 / np.sqrt(len(row))] * len(found)
        ends.append(len(columns))
    matrix = csr_matrix((values, columns, ends), shape=(len(rows), 1 << bits))
    model = LogisticRegression(C=c, solver="liblinear", random_state=0)
    weights = model.fit(matrix, np.array(truth)).coef_[0]
    scale = float(np.abs(weights).max() / 127)
    rounded = np.round(weights / scale).astype(np.int8)
    return Layer(
        scale, float(model.intercept_[0]), memoryview(rounded.tobytes()).cast("b")
    )


def check(layers: Layers, held: Sequence[Talk], counts: Counter[str]) -> None:
    """Count the talks that are told wholly, and the harmless ones that lose a word."""
    for talk in held:
        left = lost = False
        for heard in talk.heard:
            found = list(spans_in(heard.text, heard.before, layers))
            ruled = [(each.start, each.end) for each in find_secrets(heard.text)]
            lost = lost or not set(found) <= set(ruled)
            found += ruled
            left = left or any(
                not any(start < b and a < end for a, b in found)
                for start, end in heard.wanted
            )
        counts[f"of {talk.kind}"] += 1
        counts[talk.kind] += lost if talk.harmless else not left


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--folds", type=int, default=0)
    options = parser.parse_args()
    common = [*ordinary(), *lookalikes()]
    folders = (DATA, OTHERS, PLAYED)
    files = sorted(file for folder in folders for file in folder.glob("*.yaml"))
    told = [talk for file in files for talk in talks(file)]
    counts: Counter[str] = Counter()
    for fold in range(options.folds):
        stems = {file.stem for file in files[fold :: options.folds]}
        known = [h for talk in told if talk.file not in stems for h in talk.heard]
        check(fit([*common, *known]), [t for t in told if t.file in stems], counts)
    for name in sorted(each for each in counts if f"of {each}" in counts):
        print(f"{name}: {counts[name]} of {counts[f'of {name}']}")
    layers = fit([*common, *(heard for talk in told for heard in talk.heard)])
    options.out.write_bytes(as_bytes(layers.gate, layers.tokens))
    print(
        f"{len(common)} messages, {len(told)} talks, {options.out.stat().st_size:,} bytes"
    )


if __name__ == "__main__":
    main()
