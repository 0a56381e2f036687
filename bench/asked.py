"""
What people ask about their notes in other words: is the first hit right, and is it shown?

    python bench/asked.py [--language en|zh]

`asked/{en,zh}.jsonl` holds a person a line: notes, and what that person asks about them
weeks later, with the notes that answer; some questions nothing answers. The notes become
those of a workspace, one to six in a conversation. Prints for each language how often the
first hit answers, how often it is shown as sure too, and how much is refused of what has
no answer: the person's own such questions, those of `questions/`, and other people's.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from strata.embedding_models.folder import find_model  # noqa: E402 - after the path
from strata.search.answering.finding import Question, find  # noqa: E402 - the same
from strata.search.answering.ranking import Ranking  # noqa: E402 - the same
from strata.search.indexing.index import Index  # noqa: E402 - the same
from strata.search.stores.store import Scope  # noqa: E402 - the same

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.hits import Answer

MOST_TOGETHER = 6
STRANGE = 10


class Person:
    """One of the invented people: a workspace with notes, and questions about them."""

    def __init__(self, told: dict[str, Any], folder: Path) -> None:
        self._texts = {each["id"]: str(each["text"]) for each in told["notes"]}
        self._chooser = random.Random(told["person"])  # noqa: S311 - no secret rests on it
        self.questions = told["questions"]
        self._today = self._write(told["notes"], folder / "workspace")
        self._index = Index(folder / "index", folder / "workspace", find_model(ROOT))
        self._index.update(embed=True)
        self._index.keep_open(watch=False)

    def _write(self, notes: Sequence[dict[str, str]], workspace: Path) -> date:
        """Write *notes*, some of them as one conversation; return the day of asking."""
        left = sorted(notes, key=lambda each: each["day"])
        days: dict[str, list[str]] = {}
        (workspace / "memory").mkdir(parents=True)
        while left:
            count = self._chooser.randint(1, MOST_TOGETHER)
            some, left = left[:count], left[count:]
            lines = days.setdefault(some[0]["day"], [f"# {some[0]['day']}"])
            lines.append(f"\n## 09:{len(left):02} session:{len(left):08x} | 9 messages")
            lines += [f"- [finding] {each['text']}" for each in some]
        for day, lines in days.items():
            note = workspace / "memory" / f"{day}.md"
            note.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return date.fromisoformat(max(days)) + timedelta(days=2)

    def ask(self, text: str) -> Answer:
        ranking = Ranking(self._today, 30)
        asked = Question(text, 10, Scope())
        return find(self._index, self._index.workspace, asked, ranking)

    def own(self) -> tuple[int, int, int]:
        """Return how many have answers, the right one first, and that one shown."""
        asked = [each for each in self.questions if each["answers"]]
        first = shown = 0
        for told in asked:
            answer = self.ask(told["q"])
            hits = answer.hits or answer.closest
            texts = [self._texts[each] for each in told["answers"]]
            right = bool(hits) and any(text in hits[0].snippet for text in texts)
            first += right
            shown += right and answer.answerable
        return len(asked), first, shown

    def refused(self, questions: Sequence[str], most: int = STRANGE) -> tuple[int, int]:
        """Return of how many of *questions*, *most* at most, nothing is shown."""
        some = self._chooser.sample(list(questions), min(most, len(questions)))
        return sum(not self.ask(each).answerable for each in some), len(some)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--language", choices=["en", "zh"])
    wanted = parser.parse_args().language
    for language in [wanted] if wanted else ["en", "zh"]:
        with tempfile.TemporaryDirectory() as name:
            play(language, Path(name))


def play(language: str, folder: Path) -> None:
    lines = (ROOT / f"bench/asked/{language}.jsonl").read_text(encoding="utf-8")
    people = [
        Person(json.loads(line), folder / str(number))
        for number, line in enumerate(lines.splitlines())
    ]
    invented = ROOT / "bench" / "questions" / f"unanswerable_{language}.txt"
    strange = invented.read_text(encoding="utf-8").splitlines()
    count, first, shown = (
        sum(each) for each in zip(*(p.own() for p in people), strict=True)
    )
    print(f"{language}: first {first} of {count}, of these shown {shown}")
    for name, rows in (
        ("their own without an answer", [p.refused(_unanswered(p)) for p in people]),
        ("invented", [p.refused(strange) for p in people]),
        (
            "others'",
            [
                p.refused([each["q"] for each in people[at - 3].questions])
                for at, p in enumerate(people)
            ],
        ),
    ):
        refused, asked = (sum(each) for each in zip(*rows, strict=True))
        print(f"  {name}: refused {refused} of {asked}")


def _unanswered(person: Person) -> list[str]:
    return [each["q"] for each in person.questions if not each["answers"]]


if __name__ == "__main__":
    main()
