"""
How well the local judge does on people whom it has not learned from.

    python training/evaluate.py [--curve] [--messages FILE] [--verbose]

Prints for each label precision, recall, F1 and calibration on the test people, by
language, a message at a time: a message lasts, or is worth a note, where one of its
sentences does. --curve trains on growing parts of the data (scikit-learn is needed).
--messages scores any labelled set: JSON lines with `talk` as [[who, text], …], `at` as
the index of the owner's message, `lasts` and `keep` as true or false.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from collections import defaultdict
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from dialogues import DATA, Sentence, agents, load

from strata.judges.features import Remark
from strata.judges.local import LocalJudge, local_judge
from strata.judges.protocol import KEEPS, KINDS, LASTS
from strata.language.sentences import split_sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from strata.judges.protocol import Estimate

LIMITS = {"lasts": LASTS, "keep": KEEPS}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--curve", action="store_true")
    parser.add_argument("--messages", type=Path)
    parser.add_argument("--verbose", action="store_true", help="print what went wrong")
    options = parser.parse_args()
    if options.messages:
        report_messages(local_judge(), options.messages)
        return
    languages = sorted(folder.name for folder in DATA.iterdir() if folder.is_dir())
    for language, ordinary in product(languages, (False, True)):
        told = [s for s in load(language, test=True) if s.ordinary is ordinary]
        if told:
            title = f"{language}, {'ordinary talk' if ordinary else 'full of traps'}"
            report(local_judge(), told, title, verbose=options.verbose)
    for language in languages:
        report_agents(local_judge(), language)
    if options.curve:
        curve()


def report(
    judge: LocalJudge, told: Sequence[Sentence], title: str, *, verbose: bool
) -> None:
    """Print all figures of *judge* on *told*."""
    began = time.perf_counter()
    found = judge.judge([each.remark for each in told])
    spent = (time.perf_counter() - began) / len(told) * 1000
    people = len({each.person for each in told})
    messages = len({(each.person, each.message) for each in told})
    print(
        f"\n{title}: {people} people, {messages} messages, {len(told)} sentences, ",
        end="",
    )
    print(f"{spent:.2f} ms a sentence")
    for name in ("lasts", "keep"):
        truth, score = by_message(told, found, name)
        print(f"  {name:9}", figures(truth, score, LIMITS[name]))
    for name, yes in (
        ("until", lambda e: "~" in e.label.marks and e.label.keep),
        ("meant", lambda e: e.label.meant),
        ("leans", lambda e: "^" in e.label.marks),
        ("retracts", lambda e: "!" in e.label.marks),
        ("retracted", lambda e: "#" in e.label.marks),
        ("opens", lambda e: "$" in e.label.marks),
    ):
        truth = np.array([yes(each) for each in told])
        score = np.array([getattr(each, name) for each in found])
        if name == "meant":
            print("  not meant", figures(~truth, 1 - score, 0.5))
        else:
            print(f"  {name:9}", figures(truth, score, 0.5))
    kinds(told, found)
    if verbose:
        misses(told, found)


def report_agents(judge: LocalJudge, language: str) -> None:
    """Print how well *judge* knows what an agent found out."""
    told = list(agents(language, test=True))
    if told:
        truth = np.array([each.label.keep for each in told])
        score = np.array(judge.findings([each.remark for each in told]))
        print(f"\n{language}, {len(told)} sentences of agents")
        print("  found    ", figures(truth, score, LIMITS["keep"]))


def figures(truth: NDArray[np.bool_], score: NDArray[np.float64], limit: float) -> str:
    """Return how well *score* tells what is true, in one line."""
    said = score >= limit
    hits = int((said & truth).sum())
    precision, recall = hits / max(1, said.sum()), hits / max(1, truth.sum())
    best = max(f1(truth, score >= cut) for cut in np.linspace(0.05, 0.95, 91))
    return (
        f"n {int(truth.sum()):4}  F1 {f1(truth, said):.3f} (best {best:.3f})  "
        f"P {precision:.3f} R {recall:.3f}  P@R.5 {at_recall(truth, score, 0.5):.3f} "
        f"P@R.8 {at_recall(truth, score, 0.8):.3f}  ECE {calibration(truth, score):.3f}"
    )


def f1(truth: NDArray[np.bool_], said: NDArray[np.bool_]) -> float:
    hits = (truth & said).sum()
    return float(2 * hits / max(1, truth.sum() + said.sum()))


def at_recall(
    truth: NDArray[np.bool_], score: NDArray[np.float64], recall: float
) -> float:
    """Return the precision where *recall* of all that is true is found."""
    hits = np.cumsum(truth[np.argsort(-score, kind="stable")])
    if not len(hits) or not hits[-1]:
        return 0.0
    place = int(np.searchsorted(hits, recall * hits[-1]))
    return float(hits[place] / (place + 1))


def calibration(truth: NDArray[np.bool_], score: NDArray[np.float64]) -> float:
    """Return the expected calibration error over ten bins of equal width."""
    bins = np.minimum((score * 10).astype(int), 9)
    error = 0.0
    for each in range(10):
        inside = bins == each
        if inside.any():
            error += inside.mean() * abs(truth[inside].mean() - score[inside].mean())
    return float(error)


def by_message(
    told: Sequence[Sentence], found: Sequence[Estimate], name: str
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Return truth and score of each message: those of its strongest sentence."""
    truth: dict[object, bool] = defaultdict(bool)
    score: dict[object, float] = defaultdict(float)
    for sentence, estimate in zip(told, found, strict=True):
        key = sentence.person, sentence.message
        truth[key] |= getattr(sentence.label, name)
        score[key] = max(score[key], getattr(estimate, name))
    return np.array(list(truth.values())), np.array([score[key] for key in truth])


def kinds(told: Sequence[Sentence], found: Sequence[Estimate]) -> None:
    """Print how often the kind is right where something is worth a note."""
    kept = [
        (s.label.kind, e.kind) for s, e in zip(told, found, strict=True) if s.label.keep
    ]
    right = sum(KINDS.get(one) == other for one, other in kept)
    print(f"  kind right {right}/{len(kept)} = {right / max(1, len(kept)):.3f}")


def misses(told: Sequence[Sentence], found: Sequence[Estimate]) -> None:
    for sentence, estimate in zip(told, found, strict=True):
        lasts = estimate.lasts >= LASTS
        if lasts != sentence.label.lasts:
            mark = "".join(sorted(sentence.label.marks))
            label = sentence.label.kind + mark
            print(f"    {estimate.lasts:.2f} [{label}] {sentence.remark.text}")


def report_messages(judge: LocalJudge, path: Path) -> None:
    """Print the figures on messages that somebody else has labelled."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    scores = [judge_message(judge, row) for row in rows]
    for name in ("lasts", "keep"):
        known = [i for i, row in enumerate(rows) if name in row]
        truth = np.array([bool(rows[i][name]) for i in known])
        score = np.array([scores[i][name] for i in known])
        print(f"{name:6}", figures(truth, score, LIMITS[name]))


def judge_message(judge: LocalJudge, row: dict[str, Any]) -> dict[str, float]:
    """Return how likely the message that *row* points to lasts, and is worth a note."""
    talk, at = row["talk"], row["at"]
    owner = talk[at][0]
    theirs = [i for i, (who, _) in enumerate(talk) if who == owner]
    order = theirs.index(at)
    text = talk[at][1]
    around = {
        "before": talk[at - 1][1] if at and talk[at - 1][0] != owner else "",
        "reply": talk[at + 1][1]
        if at + 1 < len(talk) and talk[at + 1][0] != owner
        else "",
        "earlier": talk[theirs[order - 1]][1] if order else "",
        "after": talk[theirs[order + 1]][1] if order + 1 < len(theirs) else "",
    }
    parts = split_sentences(text)
    remarks = [
        Remark(part.text, lead=text[: part.start], rest=text[part.end :], **around)
        for part in parts
    ] or [Remark(text, **around)]
    found = judge.judge(remarks)
    return {
        "lasts": max(each.lasts for each in found),
        "keep": max(each.keep for each in found),
    }


def curve() -> None:
    """Print how F1 grows with the number of people who were learned from."""
    from train import train  # noqa: PLC0415 - scikit-learn, for the curve alone

    told = list(load())
    people = sorted({each.person for each in told}, key=hash_of)
    for share in (0.125, 0.25, 0.5, 1.0):
        chosen = set(people[: int(len(people) * share)])
        known = [s for s in told if s.person in chosen]
        judge = LocalJudge(train(known, list(agents()), folds=3))
        print(f"\n{len(chosen)} people")
        for language in ("en", "zh"):
            test = list(load(language, test=True))
            found = judge.judge([each.remark for each in test])
            for name in ("lasts", "keep"):
                print(
                    f"  {language} {name:6}",
                    figures(*by_message(test, found, name), LIMITS[name]),
                )


def hash_of(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


if __name__ == "__main__":
    main()
