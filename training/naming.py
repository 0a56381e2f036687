"""
Learn who and what a statement names; write the weights that Strata ships.

Usage: ``python training/naming.py [--folds N] [--show N]``

`naming/{en,zh}.jsonl` has sentences of the talk under `statements/` and lines of
`bearing/`, each with whom and what it names. A chain (conditional random field) over words
and hanzi is fitted by stochastic gradient descent, with nothing but numpy, the same bytes
each time. ``--folds`` leaves people out in turn and prints precision, recall and F1 of the
names, exactly bounded, with their sort and without.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.embedding_models.glossing import Glossary

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

import numpy as np  # noqa: E402 - after the path

from strata.embedding_models.folder import find_model  # noqa: E402 - after the path
from strata.embedding_models.glossing import FILE_NAME, opened  # noqa: E402 - the same
from strata.judges.naming import (  # noqa: E402 - after the path
    BITS,
    TAGS,
    WEIGHTS,
    Tagger,
    Words,
    features,
    hashed,
    level_of,
    log_summed,
)
from strata.language.splitting import HANZI, tokens_of  # noqa: E402 - the same

BUCKETS = 1 << BITS
EPOCHS = 10
BATCH = 24
RATE = 0.2
DECAY = 1e-5
DROP = 0.25
SWAP, SWAP_EACH = 0.8, 0.8
# Tokens of a sentence that are learned from.
LONGEST = 80
# Groups of English words, narrow and wide.
NARROW, WIDE = 250, 40
DETERMINERS = frozenset(
    [
        "my",
        "our",
        "the",
        "his",
        "her",
        "their",
        "your",
        "a",
        "an",
        "this",
        "that",
        "我",
        "他",
        "她",
        "咱",
        "俺",
        "个",
        "位",
        "那",
        "这",
        "们",
    ]
)
# What is surer than that counts as told in the figures.
TOLD = 0.5


def rows() -> list[dict[str, Any]]:
    """Return the labelled sentences, in the order in which they stand."""
    found = []
    for language in ("en", "zh"):
        path = HERE / "naming" / f"{language}.jsonl"
        with path.open(encoding="utf-8") as file:
            found += [{**json.loads(line), "language": language} for line in file]
    return found


def tags_of(row: dict[str, Any]) -> list[int]:
    """Return the tag of each token of *row*."""
    tokens, tags = tokens_of(row["text"]), []
    spans = list(places(row))
    for token in tokens:
        inside = next((s for s in spans if s[0] <= token.start < s[1]), None)
        if inside is None:
            tags.append(0)
        else:
            first = not any(inside[0] <= t.start < token.start for t in tokens)
            tags.append(TAGS.index(f"{'B' if first else 'I'}-{inside[2]}"))
    return tags


def places(row: dict[str, Any]) -> list[tuple[int, int, str]]:
    """Return where the names of *row* stand: whole words, each behind the one before."""
    found, start = [], 0
    for said, sort in row["spans"]:
        word = re.escape(said)
        before = r"(?<![A-Za-z0-9])" if said[0].isascii() else ""
        after = r"(?![A-Za-z0-9])" if said[-1].isascii() else ""
        at = re.compile(before + word + after).search(row["text"], start)
        if at:
            found.append((*at.span(), sort))
            start = at.end()
    return found


def common(people_words: dict[str, set[str]]) -> dict[int, int]:
    """Return how common each word is that more than one of the people uses."""
    counts = Counter(word for words in people_words.values() for word in words)
    levels = {hashed(word): level_of(count) for word, count in counts.items()}
    return {word: level for word, level in sorted(levels.items()) if level}


def remarks() -> Iterator[tuple[str, str, str]]:
    """Give all that stands under `statements/`: whose talk, who speaks, and a sentence."""
    for path in sorted((HERE / "statements").glob("*/*.jsonl")):
        with path.open(encoding="utf-8") as file:
            for line in file:
                talk = json.loads(line)
                person = talk["person"].split("/")[0]
                for who, said in talk["talk"]:
                    parts = [said] if isinstance(said, str) else [t for _, t in said]
                    yield from ((person, who, part) for part in parts)


def vocabulary() -> dict[str, set[str]]:
    """Return the words and pairs of hanzi that each person's talk has."""
    used: dict[str, set[str]] = defaultdict(set)
    for person, _, part in remarks():
        words = [t.text.lower() for t in tokens_of(part)]
        used[person].update(words)
        used[person].update(
            one + two
            for one, two in pairwise(words)
            if HANZI.match(one) and HANZI.match(two)
        )
    return used


def cut(run: str) -> list[tuple[str, str]]:
    """Cut *run*, all hanzi, into words of the dictionary, each with its English."""
    found = glossary()
    return found.words(run) if found else [(each, "") for each in run]


@cache
def glossary() -> Glossary | None:
    folder = find_model(HERE.parent, "all-MiniLM-L6-v2")
    return opened(folder / FILE_NAME) if folder else None


def groups_of_words() -> dict[int, tuple[int, int]]:
    """
    Return which English words are like each other, by the model's table of words.

    Clusters (k-means) of the words' vectors, of which the largest components are left.
    """
    import onnx  # noqa: PLC0415 - only the fitting needs it
    from onnx import numpy_helper  # noqa: PLC0415 - the same

    folder = find_model(HERE.parent, "all-MiniLM-L6-v2")
    if folder is None:
        sys.exit("the embedding model is missing; run scripts/install")
    vocabulary_ = json.loads((folder / "tokenizer.json").read_text())["model"]["vocab"]
    graph = onnx.load(folder / "model.onnx").graph
    table = max(
        (
            numpy_helper.to_array(each)
            for each in graph.initializer
            if len(each.dims) == 2 and each.dims[0] == len(vocabulary_)
        ),
        key=lambda array: array.size,
    ).astype(np.float32)
    words = [w for w in vocabulary_ if re.fullmatch(r"[a-z][a-z'’-]+", w)]
    vectors = table[[vocabulary_[w] for w in words]]
    vectors -= vectors.mean(axis=0)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9
    found = [clusters(vectors, count) for count in (NARROW, WIDE)]
    return {
        hashed(word): (int(found[0][n]) + 1, int(found[1][n]) + 1)
        for n, word in enumerate(words)
    }


def clusters(vectors: Any, count: int) -> Any:
    """Return for each of *vectors* which of *count* groups it is in."""
    random = np.random.default_rng(3)
    centres = vectors[random.choice(len(vectors), count, replace=False)]
    for _ in range(20):
        nearest = (vectors @ centres.T).argmax(axis=1)
        sums = np.zeros_like(centres)
        np.add.at(sums, nearest, vectors)
        centres = sums / (np.linalg.norm(sums, axis=1, keepdims=True) + 1e-9)
    return nearest


def plain_words(arrays: dict[str, Any]) -> dict[int, int]:
    """
    Return how many use each word as no name: as the tagger reads it, or behind a "my".

    So a sister is told from an Ana, who is nobody's word.
    """
    read = Tagger(arrays)
    used: dict[str, set[str]] = defaultdict(set)
    for person, who, part in remarks():
        if who == "owner":
            used[person] |= set(_plainly(part, read))
    return common(used)


def _plainly(text: str, read: Tagger) -> Iterator[str]:
    named = [n for n in read.named(text, cut) if n.chance >= TOLD]
    tokens = tokens_of(text)
    free = []
    for place, token in enumerate(tokens):
        inside = [n for n in named if n.start <= token.start < n.end]
        first = place and any(n.start == token.start for n in inside)
        mine = first and tokens[place - 1].text.lower() in DETERMINERS
        free.append(not inside or bool(mine))
        if inside and place and not first:
            # The rest of what stands behind a "my".
            free[-1] = free[-2]
    for place, token in enumerate(tokens):
        if free[place]:
            yield token.text.lower()
            if place and free[place - 1] and HANZI.match(token.text):
                yield tokens[place - 1].text + token.text


def learn(
    learned: list[dict[str, Any]],
    levels: dict[int, int],
    groups: dict[int, tuple[int, int]],
    seed: int = 1,
) -> dict[str, Any]:
    """Fit the chain to *learned* and return its arrays."""
    random = np.random.default_rng(seed)
    words = Words(groups, cut)
    pool = named_pool(learned)
    size = len(TAGS)
    # One row more, which stays zero: for what is dropped.
    weights = np.zeros((BUCKETS + 1, size), np.float32)
    squares = np.full((BUCKETS + 1, size), 1e-2, np.float32)
    steps = np.zeros((size + 1, size), np.float32)
    step_squares = np.full_like(steps, 1e-2)
    mean_weights, mean_steps = np.zeros_like(weights), np.zeros_like(steps)
    taken = 0
    for epoch in range(EPOCHS):
        cases = prepared([swapped(row, pool, random) for row in learned], levels, words)
        for seen, tags in batches(cases, random):
            kept = np.where(random.random(seen.shape) < DROP, BUCKETS, seen)
            scores = weights[kept].sum(axis=2)
            nodes, pairs = expected(scores, steps)
            wrong = nodes
            rows_, cols = np.indices(tags.shape)
            wrong[rows_, cols, tags] -= 1
            flat, grads = (
                kept.ravel(),
                np.repeat(wrong.reshape(-1, size), kept.shape[2], axis=0),
            )
            used, where = np.unique(flat, return_inverse=True)
            summed = np.stack(
                [np.bincount(where, grads[:, n], len(used)) for n in range(size)],
                axis=1,
            ).astype(np.float32)
            summed += DECAY * len(tags) * weights[used]
            squares[used] += summed**2
            weights[used] -= RATE * summed / np.sqrt(squares[used])
            weights[BUCKETS] = 0
            change = np.zeros_like(steps)
            change[0] = wrong[:, 0].sum(axis=0)
            change[1:] = pairs
            np.add.at(change, (tags[:, :-1].ravel() + 1, tags[:, 1:].ravel()), -1)
            step_squares += change**2
            steps -= RATE * change / np.sqrt(step_squares)
        if epoch >= EPOCHS // 2:
            mean_weights += weights
            mean_steps += steps
            taken += 1
        print(f"  epoch {epoch + 1}", file=sys.stderr, flush=True)
    mean_weights = mean_weights[:BUCKETS] / taken
    scale = float(np.abs(mean_weights).max()) / 127
    return {
        "weights": np.round(mean_weights / scale).astype(np.int8),
        "scale": np.array(scale, np.float32),
        "steps": (mean_steps / taken).astype(np.float32),
        "words": np.array(list(levels), np.uint32),
        "levels": np.array(list(levels.values()), np.uint8),
        "known": np.array(list(groups), np.uint32),
        "groups": np.array(list(groups.values()), np.uint8),
        "plain": np.array([], np.uint32),
        "plain_levels": np.array([], np.uint8),
    }


def named_pool(learned: list[dict[str, Any]]) -> dict[tuple[str, str, str], list[str]]:
    """Return what is named in *learned*, by language, sort and how it is written."""
    pool: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for row in learned:
        for said, sort in row["spans"]:
            pool[row["language"], sort, kind_of(said)].append(said)
    return pool


def kind_of(said: str) -> str:
    """Return how a name is written: with capitals, without, or in hanzi of some number."""
    if HANZI.search(said):
        return f"hanzi {min(len(said), 4)}"
    return "capital" if said != said.lower() else "lower"


def swapped(row: dict[str, Any], pool: Any, random: Any) -> dict[str, Any]:
    """Return *row* with other people's names in it, so that no name is learned by heart."""
    spans = places(row)
    if not spans or random.random() > SWAP:
        return row
    text, shift, told = row["text"], 0, []
    for start, end, sort in spans:
        said = text[start + shift : end + shift]
        others = pool[row["language"], sort, kind_of(said)]
        if random.random() < SWAP_EACH and others:
            said = others[random.integers(len(others))]
        text = text[: start + shift] + said + text[end + shift :]
        shift += len(said) - (end - start)
        told.append((said, sort))
    return {**row, "text": text, "spans": told}


def prepared(
    rows_: list[dict[str, Any]], levels: dict[int, int], words: Words
) -> dict[int, Any]:
    """Return the features and tags of *rows_*, by how many tokens they have."""
    cases: dict[int, list[tuple[Any, Any]]] = defaultdict(list)
    for row in rows_:
        tokens = tokens_of(row["text"])[:LONGEST]
        if tokens:
            seen = features(tokens, levels, words.hints(tokens)).astype(np.int64)
            cases[len(tokens)].append((seen, tags_of(row)[:LONGEST]))
    return cases


def batches(cases: dict[int, list[tuple[Any, Any]]], random: Any) -> Iterator[Any]:
    """Give the sentences of one length some at a time, in any order."""
    chosen = []
    for length in sorted(cases):
        order = random.permutation(len(cases[length]))
        chosen += [
            (length, order[at : at + BATCH]) for at in range(0, len(order), BATCH)
        ]
    for at in random.permutation(len(chosen)):
        length, order = chosen[at]
        yield (
            np.stack([cases[length][n][0] for n in order]),
            np.array([cases[length][n][1] for n in order]),
        )


def expected(scores: Any, steps: Any) -> tuple[Any, Any]:
    """Return how likely each token has each tag, and how often one follows another."""
    count = scores.shape[1]
    forward = np.empty_like(scores)
    backward = np.zeros_like(scores)
    forward[:, 0] = scores[:, 0] + steps[0]
    for place in range(1, count):
        table = forward[:, place - 1, :, None] + steps[1:]
        forward[:, place] = scores[:, place] + log_summed(table, 1)
    for place in range(count - 2, -1, -1):
        ahead = scores[:, place + 1] + backward[:, place + 1]
        backward[:, place] = log_summed(steps[1:] + ahead[:, None, :], 2)
    whole = log_summed(forward[:, -1], 1)
    nodes = np.exp(forward + backward - whole[:, None, None])
    pairs = np.zeros_like(steps[1:])
    for place in range(count - 1):
        ahead = scores[:, place + 1] + backward[:, place + 1]
        table = forward[:, place, :, None] + steps[1:] + ahead[:, None, :]
        pairs += np.exp(table - whole[:, None, None]).sum(axis=0)
    return nodes, pairs


def person_of(row: dict[str, Any]) -> str:
    """Return whose line *row* is."""
    return (
        str(row["person"]).split("/")[0]
        if "bearing" not in row["person"]
        else row["person"]
    )


def fold(everyone: list[dict[str, Any]], folds: int, show: int) -> None:
    """Print how well people are read who were left out."""
    people = sorted({person_of(row) for row in everyone})
    np.random.default_rng(7).shuffle(people)
    used, groups = vocabulary(), groups_of_words()
    score: dict[str, Counter[str]] = defaultdict(Counter)
    shown = 0
    for number in range(folds):
        held = set(people[number::folds])
        levels = common({who: words for who, words in used.items() if who not in held})
        arrays = learn(
            [r for r in everyone if person_of(r) not in held], levels, groups
        )
        read = Tagger(arrays)
        for row in everyone:
            if person_of(row) not in held:
                continue
            truth = set(places(row))
            told = {
                (n.start, n.end, n.sort)
                for n in read.named(row["text"], cut)
                if n.chance >= TOLD
            }
            for kind, one, two in (
                ("sorted", told, truth),
                ("bounds", {t[:2] for t in told}, {t[:2] for t in truth}),
            ):
                tally = score[f"{row['language']} {kind}"]
                tally["right"] += len(one & two)
                tally["told"] += len(one)
                tally["true"] += len(two)
            for sort in ("person", "organisation", "place", "project", "thing"):
                one = {t[:2] for t in told if t[2] == sort}
                two = {t[:2] for t in truth if t[2] == sort}
                tally = score[f"{row['language']} {sort}"]
                tally["right"] += len(one & two)
                tally["told"] += len(one)
                tally["true"] += len(two)
            if told != truth and shown < show:
                shown += 1
                text = row["text"]
                print(
                    text,
                    [text[a:b] + ":" + s for a, b, s in sorted(truth)],
                    "GOT",
                    [text[a:b] + ":" + s for a, b, s in sorted(told)],
                )
    for kind, tally in score.items():
        precision = tally["right"] / max(tally["told"], 1)
        recall = tally["right"] / max(tally["true"], 1)
        both = 2 * precision * recall / max(precision + recall, 1e-9)
        print(
            f"{kind:18} n {tally['true']:5} P {precision:.3f} R {recall:.3f} F1 {both:.3f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folds", type=int, default=0)
    parser.add_argument("--show", type=int, default=0)
    chosen = parser.parse_args()
    everyone = rows()
    if chosen.folds:
        fold(everyone, chosen.folds, chosen.show)
        return
    arrays = learn(everyone, common(vocabulary()), groups_of_words())
    plain = plain_words(arrays)
    arrays["plain"] = np.array(list(plain), np.uint32)
    arrays["plain_levels"] = np.array(list(plain.values()), np.uint8)
    with WEIGHTS.open("wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type] # names and arrays
    print(f"{WEIGHTS.name}: {WEIGHTS.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
