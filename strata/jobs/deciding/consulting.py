"""A model is consulted about the candidates on which it has not been heard yet."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal

from strata.jobs.deciding.opinions import how_often, opinion_record, read_opinions
from strata.jobs.deciding.shortening import shorten
from strata.judges.asked import Opinion, is_open
from strata.judges.controls import controls_for
from strata.model.answers import Reply
from strata.model.batching import batches
from strata.model.prompts import Prompt, quoted
from strata.notes.entries import one_line
from strata.statements.rewording import changed_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from strata.jobs.deciding.considering import Admitted
    from strata.jobs.deciding.opinions import Opinions
    from strata.memory import Memory
    from strata.model.asking import Model
    from strata.models import Claim, Judgement

PROMPT = "verify_candidates"
# So many at a time: more make a model careless, and its answer too long.
MOST_AT_ONCE = 24
# So many wordings of one candidate are shown.
_MOST_WORDINGS = 3
# A model that fails so often in a night is not asked about the rest.
_MOST_FAILURES = 2
_LONGEST_REASON = 200
# What the answer's schema and two control questions add to a prompt, and an id to a line.
_SCHEMA_CHARS = 2_000
_ID_CHARS = 12

Section = Literal[
    "User Preferences", "Active Projects", "Key Decisions", "Important Contacts"
]


class Answer(Reply):
    """What the model says of one candidate; what it leaves out speaks against a line."""

    id: int
    mistake: str = ""
    broad: bool = False
    alone: bool = False
    line: str = ""
    section: Section = "Key Decisions"
    importance: int = 5
    triggers: list[str] = []  # noqa: RUF012 - pydantic copies it


class Answers(Reply):
    """The model's answers, one a candidate."""

    verdicts: list[Answer]


class Consultation:
    """
    A model that is asked in one night about what it has not judged yet.

    What it says is put into the journal of *memory* batch by batch, and no candidate is
    asked about twice.
    """

    def __init__(self, memory: Memory, model: Model) -> None:
        self._memory = memory
        self._journal = memory.journal
        self._model = model
        self._at = memory.now.isoformat(timespec="seconds")
        self._failures = 0

    def opinions_on(self, ruled: Sequence[tuple[Claim, Judgement]]) -> Opinions:
        """Ask about those of *ruled* that are open and new; return all opinions."""
        known = read_opinions(self._journal)
        label = prompt_label()
        asked = [
            pair
            for pair in ruled
            if is_open(*pair) and not known.is_given(pair[0], self._model.name, label)
        ]
        if not asked:
            return known
        for batch in _batches(asked, self._model.window_chars):
            if self._failures < _MOST_FAILURES:
                self._ask(batch)
        return read_opinions(self._journal)

    def shorten(self, admitted: Sequence[Admitted]) -> None:
        """Let the model find shorter words for *admitted*."""
        shorten(self._memory, self._model, admitted)

    def _ask(self, batch: Sequence[tuple[Claim, Judgement]]) -> None:
        controls = controls_for([claim.text for claim, _ in batch])
        mixed = controls.among([_shown(claim) for claim, _ in batch], _shown_control)
        prompt = _prompt(mixed)
        found = self._model.ask(prompt, Answers, check=_complete(len(mixed)))
        if found is None:
            self._failures += 1
            return
        in_order = sorted(found.verdicts, key=lambda each: each.id)
        answers, lasting, passing = controls.apart(in_order)
        trusted = _keeps(lasting) and not _keeps(passing)
        self._failures += not trusted
        self._journal.append(
            self._record(claim, ruled, answer, prompt, trusted=trusted)
            for (claim, ruled), answer in zip(batch, answers, strict=True)
        )

    def _record(
        self,
        claim: Claim,
        ruled: Judgement,
        answer: Answer,
        prompt: Prompt,
        *,
        trusted: bool,
    ) -> dict[str, Any]:
        line = one_line(answer.line)
        opinion = Opinion(
            # What says something else would have to be refused again every night.
            text=line if line and changed_in(line, [ruled.text]) is None else "",
            section=answer.section,
            importance=answer.importance,
            mistake=one_line(answer.mistake)[:_LONGEST_REASON],
            broad=answer.broad,
            alone=answer.alone,
            triggers=tuple(map(one_line, answer.triggers)),
            judge=self._model.name,
            prompt=prompt.label,
            trusted=trusted,
        )
        return opinion_record(claim, opinion, at=self._at)


def prompt_label() -> str:
    """Return which version of the question is asked."""
    return _prompt([]).label


def _batches(
    asked: Sequence[tuple[Claim, Judgement]], window_chars: int
) -> Iterator[list[tuple[Claim, Judgement]]]:
    room = window_chars - len(_prompt([]).text) - _SCHEMA_CHARS

    def chars(pair: tuple[Claim, Judgement]) -> int:
        return len(json.dumps(_shown(pair[0]), ensure_ascii=False)) + _ID_CHARS

    return batches(asked, most=MOST_AT_ONCE, room=room, chars=chars)


def _prompt(candidates: Sequence[dict[str, Any]]) -> Prompt:
    lines = [
        json.dumps({"id": number, **each}, ensure_ascii=False)
        for number, each in enumerate(candidates, 1)
    ]
    return Prompt.render(PROMPT, candidates=quoted("\n".join(lines)))


def _shown(claim: Claim) -> dict[str, Any]:
    wordings = list(dict.fromkeys(mention.text for mention in claim.mentions))
    return {"times": how_often(claim), "said": wordings[-_MOST_WORDINGS:]}


def _shown_control(text: str) -> dict[str, Any]:
    return {"times": 1, "said": [text]}


def _complete(count: int) -> Callable[[Answers], None]:
    def check(answers: Answers) -> None:
        found = sorted(each.id for each in answers.verdicts)
        if found != list(range(1, count + 1)):
            raise ValueError(f"verdicts: answer once for each id from 1 to {count}")

    return check


def _keeps(answer: Answer) -> bool:
    return bool(answer.mistake.strip()) and answer.broad and answer.alone
