"""The question about candidates: what is shown of them, and the form of the answer."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal

from strata.history.opinions import how_often
from strata.jobs.deciding.surroundings import Around, in_order
from strata.judges.controls import control_for
from strata.model.answers import Reply
from strata.model.prompts import Prompt, quoted
from strata.notes.entries import without_speaker

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from strata.judges.controls import Control
    from strata.models import Claim, Judgement

PROMPT = "verify_candidates"
# So many at a time: more make a model careless, and its answer too long.
MOST_AT_ONCE = 30
# So many wordings of one candidate are shown.
_MOST_WORDINGS = 3
# The lines of the page are numbered from here on.
FIRST_LINE = 101
# What the answer's schema and the control question add to a prompt.
_SCHEMA_CHARS = 2_000

Section = Literal[
    "User Preferences", "Active Projects", "Key Decisions", "Important Contacts"
]
Why = Literal[
    "", "passing", "dated", "joke", "another's", "taken back", "unclear", "known"
]


class Answer(Reply):
    """What the model says of one candidate; what it leaves out speaks against a line."""

    id: int
    why: Why = "passing"
    ends: list[int] = []  # noqa: RUF012 - pydantic copies it
    line: str = ""
    section: Section = "Key Decisions"
    importance: int = 5
    mistake: str = ""
    triggers: list[str] = []  # noqa: RUF012 - pydantic copies it


class Answers(Reply):
    """The model's answers, one a candidate."""

    verdicts: list[Answer]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A claim that the model is asked about, and what was said around it."""

    claim: Claim
    judged: Judgement
    around: Around


@dataclass(frozen=True, slots=True)
class Question:
    """A batch of candidates with one whose answer is known, and the lines of the page."""

    batch: Sequence[Candidate]
    control: Control
    lines: Mapping[int, str]

    @property
    def prompt(self) -> Prompt:
        """What the model is asked."""
        shown = [_shown(number, each.claim) for number, each in self._numbered()]
        days = sorted(day for each in self.batch for day in each.claim.days[-1:])
        own = _row([self.control.text], days[:1])
        shown.insert(self.control.place, {"id": self.control.place + 1, **own})
        return _prompt(list(self._with_talk(shown)), self.lines)

    def split(self, answers: Answers) -> tuple[list[Answer], bool]:
        """Return the answers on the candidates, and whether they can be trusted."""
        given = sorted(answers.verdicts, key=lambda each: each.id)
        known = given.pop(self.control.place)
        return given, self.control.lasts is not bool(known.why)

    def check(self, answers: Answers) -> None:
        """Raise a `ValueError` where a candidate has no answer, or an id is unknown."""
        count = len(self.batch) + 1
        if sorted(each.id for each in answers.verdicts) != [*range(1, count + 1)]:
            raise ValueError(f"verdicts: answer once for each id from 1 to {count}")
        known = {*range(1, count + 1), *self.lines}
        if any(not set(each.ends) <= known for each in answers.verdicts):
            raise ValueError("ends: name ids of candidates or of lines that are shown")

    def candidate(self, number: int) -> Candidate | None:
        """Return the candidate that was shown as *number*."""
        return dict(self._numbered()).get(number)

    def _numbered(self) -> list[tuple[int, Candidate]]:
        after = self.control.place
        return [(n + 1 + (n >= after), each) for n, each in enumerate(self.batch)]

    def _with_talk(self, shown: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return *shown* among the messages of the talks that they are from."""
        arounds: list[Around] = [each.around for each in self.batch]
        arounds.insert(self.control.place, Around())
        pairs = list(zip(arounds, shown, strict=True))
        rows: list[dict[str, Any]] = []
        for talk, group in groupby(pairs, key=lambda pair: pair[0].talk):
            own = list(group)
            if not talk:
                rows += [each for _, each in own]
                continue
            rows += _talk(own)
        return rows


def question_on(
    batch: Sequence[Candidate], lines: Sequence[str], *, turn: int = 0
) -> Question:
    """Return the question about *batch*, the *turn*-th of a night."""
    control = control_for([each.claim.text for each in batch], turn=turn)
    return Question(batch, control, dict(enumerate(lines, FIRST_LINE)))


def questions(
    candidates: Sequence[Candidate], lines: Sequence[str], *, window_chars: int
) -> list[Question]:
    """
    Return the questions about *candidates*: as many at a time as a prompt has room for.

    The same candidates come in the same batches, so that a run that was killed asks
    again what it has paid for.
    """
    found: list[Question] = []
    batch: list[Candidate] = []
    room = window_chars - _SCHEMA_CHARS
    for each in candidates:
        more = question_on([*batch, each], lines, turn=len(found))
        if batch and (len(batch) == MOST_AT_ONCE or len(more.prompt.text) > room):
            found.append(question_on(batch, lines, turn=len(found)))
            batch = []
        batch.append(each)
    return [*found, question_on(batch, lines, turn=len(found))] if batch else found


def prompt_label() -> str:
    """Return which version of the question is asked."""
    return _prompt([], {}).label


def _talk(own: Sequence[tuple[Around, dict[str, Any]]]) -> list[dict[str, Any]]:
    """Return the rows of one talk: candidates where they were said, between messages."""
    said = in_order([row for around, _ in own for row in around.rows])
    candidates = [(around.at, shown) for around, shown in own]
    places = sorted({place for place, *_ in said} | {at for at, _ in candidates})
    rows: list[dict[str, Any]] = []
    last = -2
    for place in places:
        if place != last + 1:
            # Between two places of a talk something may be left out.
            rows.append({"talk": candidates[0][1]["days"][-1]})
        last = place
        rows += [{who: words} for at, who, words in said if at == place]
        rows += [shown for at, shown in candidates if at == place]
    return rows


def _shown(number: int, claim: Claim) -> dict[str, Any]:
    said = (without_speaker(mention.text) for mention in claim.mentions)
    wordings = list(dict.fromkeys(said))
    days = claim.days if len(claim.days) == 1 else (claim.days[0], claim.days[-1])
    times = how_often(claim)
    row = {"id": number, **_row(wordings[-_MOST_WORDINGS:], days)}
    return row | ({"times": times} if times > 1 else {})


def _row(said: Sequence[str], days: Sequence[date]) -> dict[str, Any]:
    return {"said": [*said], "days": [day.isoformat() for day in days]}


def _prompt(rows: Sequence[dict[str, Any]], lines: Mapping[int, str]) -> Prompt:
    page = [{"id": number, "line": text} for number, text in lines.items()]
    shown = [json.dumps(each, ensure_ascii=False) for each in (*rows, *page)]
    return Prompt.render(PROMPT, candidates=quoted("\n".join(shown)))
