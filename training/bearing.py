"""
Make the net that says what of memory bears on a message.

    python training/bearing.py [--folds N] [--data DIR] [--out FILE]

`bearing/*.json` holds invented people: what an agent's memory keeps of each, and messages,
with the entries that an answer needs. Vectors are those of the installed embedding model.
With --folds nothing is written; people are left out in turn, and it is printed how often
what is shown is needed, and how much of what is needed is shown. With --data the net that
comes with Strata is measured on other people. Needs PyTorch, which Strata does not.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402 - after the path
import torch  # noqa: E402 - the same
from torch import nn  # noqa: E402 - the same
from torch.nn import functional  # noqa: E402 - the same

from strata.embedding_models.encoder import load_encoder  # noqa: E402 - the same
from strata.embedding_models.folder import find_model  # noqa: E402 - the same
from strata.search.answering.bearing import (  # noqa: E402 - the same
    SCALE,
    WEIGHTS,
    Net,
    features,
    nearest,
    together,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from strata.embedding_models.encoder import Encoder

    Floats = NDArray[np.float32]

DATA = Path(__file__).with_name("bearing")
NETS, SIZE, HIDDEN = 5, 96, 96
ROUNDS, BATCH, RATE, DECAY, DROPPED = 14, 256, 1.5e-3, 3e-3, 0.4
FEW = 30
CUTS = (0.25, 0.3, 0.35, 0.4, 0.45, 0.5)


@dataclass
class Case:
    """A message, what was weighed for it, and which lines it needs or may have."""

    message: Floats
    lines: Floats
    table: Floats
    needed: NDArray[np.bool_]
    harmless: NDArray[np.bool_]
    missed: int


@dataclass
class Person:
    """
    One of the invented people; *language* is en, zh or mixed.

    *young* are the same messages, when memory held a few lines.
    """

    name: str
    language: str
    cases: list[Case]
    young: list[Case]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folds", type=int)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    options = parser.parse_args()
    torch.use_deterministic_algorithms(mode=True)
    folder = find_model(ROOT)
    if folder is None:
        sys.exit("there is no embedding model: strata embed")
    people = list(read(options.data or DATA, load_encoder(folder)))
    if options.data:
        with np.load(WEIGHTS) as arrays:
            net = Net(dict(arrays))
        tell(people, {each.name: net for each in people})
    elif options.folds:
        nets = {}
        for fold in range(options.folds):
            known = [p for at, p in enumerate(people) if at % options.folds != fold]
            net = Net(learned(known))
            nets |= {p.name: net for p in people[fold :: options.folds]}
        tell(people, nets)
    else:
        np.savez(options.out, **learned(people))
        print(f"{options.out.stat().st_size:,} bytes from {len(people)} people")


def read(folder: Path, encoder: Encoder) -> Iterator[Person]:
    for path in sorted(folder.glob("*.json")):
        told = json.loads(path.read_text(encoding="utf-8"))
        texts = [each["text"] for each in told["memory"]]
        places = {each["id"]: at for at, each in enumerate(told["memory"])}
        vectors = encoder.encode(texts)
        said = encoder.encode([each["say"] for each in told["messages"]])
        told_of = list(zip(told["messages"], said, strict=True))
        cases = [_case(*each, texts, places, vectors) for each in told_of]
        chooser = random.Random(path.stem)  # noqa: S311 - no secret rests on it
        young = [
            _case_when_young(*each, texts, places, vectors, chooser) for each in told_of
        ]
        yield Person(path.stem, told["language"], cases, young)


def _case_when_young(  # noqa: PLR0913, PLR0917 - as below, and who chooses
    told: dict[str, list[str]],
    message: Floats,
    texts: Sequence[str],
    places: dict[str, int],
    vectors: Floats,
    chooser: random.Random,
) -> Case:
    """Return the case of a memory that holds but a few lines yet."""
    needed = {places[each] for each in told["needs"]}
    others = chooser.sample(range(len(texts)), chooser.randint(1, FEW))
    kept = sorted(needed.union(others))
    back = {place: at for at, place in enumerate(kept)}
    left = {name: back[place] for name, place in places.items() if place in back}
    known = {**told, "maybe": [each for each in told.get("maybe", []) if each in left]}
    return _case(known, message, [texts[at] for at in kept], left, vectors[kept])


def _case(
    told: dict[str, list[str]],
    message: Floats,
    texts: Sequence[str],
    places: dict[str, int],
    vectors: Floats,
) -> Case:
    table = features(str(told["say"]), texts, vectors @ message)
    weighed = nearest(table)
    needs = {places[each] for each in told["needs"]}
    may = {places[each] for each in told.get("maybe", [])}
    return Case(
        message,
        vectors[weighed],
        table[weighed],
        np.array([place in needs for place in weighed]),
        np.array([place in may for place in weighed]),
        len(needs.difference(weighed.tolist())),
    )


class Learner(nn.Module):
    """What `strata.search.answering.bearing.Net` computes, as it is learned."""

    def __init__(self, table: torch.Tensor, size: int) -> None:
        super().__init__()
        self.message, self.line = nn.Linear(size, SIZE), nn.Linear(size, SIZE)
        self.hidden = nn.Linear(table.shape[1] + 3 * SIZE, HIDDEN)
        self.out = nn.Linear(HIDDEN, 1)
        self.drop = nn.Dropout(DROPPED)
        self.mean, self.deviation = table.mean(0), table.std(0) + 1e-6

    def forward(
        self, message: torch.Tensor, line: torch.Tensor, table: torch.Tensor
    ) -> torch.Tensor:
        asked = torch.tanh(self.message(self.drop(message) * float(SCALE)))
        said = torch.tanh(self.line(self.drop(line) * float(SCALE)))
        parts = [self.drop(each) for each in (asked * said, asked, said)]
        joined = torch.cat([(table - self.mean) / self.deviation, *parts], dim=1)
        made: torch.Tensor = self.out(self.drop(torch.relu(self.hidden(joined))))
        return made[:, 0]

    def arrays(self, number: int) -> dict[str, NDArray[np.float16]]:
        found = {"mean": self.mean, "deviation": self.deviation}
        for name in ("message", "line", "hidden", "out"):
            layer = getattr(self, name)
            found |= {name: layer.weight, f"{name}.bias": layer.bias}
        return {
            f"{name}.{number}": each.detach().numpy().astype(np.float16)
            for name, each in found.items()
        }


def learned(people: Iterable[Person]) -> dict[str, NDArray[np.float16]]:
    """Return the arrays of several nets that learned from *people*."""
    cases = [case for person in people for case in (*person.cases, *person.young)]
    # What is neither needed nor out of place teaches nothing.
    kept = [~case.harmless for case in cases]
    tensors = [
        torch.from_numpy(np.concatenate(each).astype(np.float32))
        for each in (
            [
                np.repeat(c.message[None], k.sum(), axis=0)
                for c, k in zip(cases, kept, strict=True)
            ],
            [c.lines[k] for c, k in zip(cases, kept, strict=True)],
            [c.table[k] for c, k in zip(cases, kept, strict=True)],
            [c.needed[k] for c, k in zip(cases, kept, strict=True)],
        )
    ]
    arrays: dict[str, NDArray[np.float16]] = {}
    for number in range(NETS):
        arrays |= _fitted(tensors, number).arrays(number)
    return arrays


def _fitted(tensors: Sequence[torch.Tensor], seed: int) -> Learner:
    torch.manual_seed(seed)
    *given, truth = tensors
    net = Learner(given[2], given[0].shape[1])
    optimizer = torch.optim.AdamW(net.parameters(), RATE, weight_decay=DECAY)
    steps = ROUNDS * -(-len(truth) // BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda at: 1 - at / steps)
    for _ in range(ROUNDS):
        for places in torch.randperm(len(truth)).split(BATCH):
            said = net(*(each[places] for each in given))
            loss = functional.binary_cross_entropy_with_logits(said, truth[places])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    return net.eval()


def tell(people: Sequence[Person], nets: dict[str, Net]) -> None:
    """Print for each language, and for all, what is shown at each cut."""
    chances = {
        person.name: [
            nets[person.name].chances(each.message, each.lines, each.table)
            for each in person.cases
        ]
        for person in people
    }
    for language in ("en", "zh", "mixed", ""):
        told = [p for p in people if language in {p.language, ""}]
        for cut in CUTS if told else ():
            _tell_at(language or "all", told, chances, cut)


def _tell_at(
    language: str,
    people: Sequence[Person],
    chances: dict[str, list[Floats]],
    cut: float,
) -> None:
    shown = right = lines = needed_lines = found = wanted = 0
    for person in people:
        for case, found_here in zip(person.cases, chances[person.name], strict=True):
            best = together(found_here, cut)
            hits = int(case.needed[best].sum())
            shown += bool(best)
            right += bool(hits)
            lines += sum(not case.harmless[at] for at in best)
            needed_lines += hits
            found += hits
            wanted += int(case.needed.sum()) + case.missed
    print(
        f"{language:5} cut {cut}: shown to {shown}, needed in {right / max(shown, 1):.2f} "
        f"of them, lines {needed_lines / max(lines, 1):.2f}; "
        f"of what is needed {found / max(wanted, 1):.2f} is shown"
    )


if __name__ == "__main__":
    main()
