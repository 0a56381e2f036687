"""What is worth keeping from a conversation: the question to a model, and its answer."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from strata.model.answers import Reply
from strata.model.prompts import Prompt, quoted
from strata.templates import render

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

NAME = "extract_facts"
# What an answer may hold at most: ten facts of each of a few days.
_MOST_FACTS = 60
# More than are kept, for whoever gives too many has not answered wrongly.
_MOST_TERMS = 20


class ProposedSubject(Reply):
    """Whom or what a fact tells of: its *name*, its *type*, what it is *also* called."""

    name: str = Field(max_length=200)
    type: Literal["person", "project", "organisation", "place", "thing"] = "thing"
    also: tuple[str, ...] = Field(default=(), max_length=_MOST_TERMS)


class ProposedFact(Reply):
    """
    One fact: a line, its kind, and the numbers of the messages that say so.

    *terms* are other words under which somebody may look for it, *of* whom and what it
    tells of.
    """

    text: str = Field(min_length=1, max_length=600)
    kind: Literal["decision", "preference", "finding", "task", "request"]
    messages: tuple[int, ...] = Field(min_length=1, max_length=12)
    terms: tuple[str, ...] = Field(default=(), max_length=_MOST_TERMS)
    of: tuple[ProposedSubject, ...] = Field(default=(), max_length=_MOST_TERMS)


class ProposedFacts(Reply):
    """What a model would keep of a conversation, in the order in which it was said."""

    facts: tuple[ProposedFact, ...] = Field(max_length=_MOST_FACTS)


class HandedIn(ProposedFacts):
    """The same from an agent that was given the question; *token* says which question."""

    token: str = Field(max_length=64)


@dataclass(frozen=True, slots=True)
class Row:
    """One message of the conversation: who said it and when, and the words."""

    speaker: Literal["owner", "agent"]
    moment: str
    words: str


def extraction_prompt(*talks: Sequence[Row]) -> Prompt:
    """
    Return the question what of *talks*, each a conversation, is worth keeping.

    Their rows are numbered through: by its numbers a fact finds its talk.
    """
    if len(talks) == 1:
        return Prompt.render(NAME, conversation=quoted(rows_as_data(talks[0])))
    told, first = list[str](), 1
    for place, rows in enumerate(talks, 1):
        told.append(f'{{"conversation": {place}}}\n{rows_as_data(rows, first)}')
        first += len(rows)
    return Prompt.render(NAME, conversation=quoted("\n".join(told)))


def handed_out(rows: Sequence[Row], *, token: str, command: str) -> str:
    """Return the question for an agent, who hands the answer in by *command*."""
    schema = HandedIn.model_json_schema()
    return render(
        "prompts/hand_out.md.j2",
        question=extraction_prompt(rows).text.strip(),
        schema=json.dumps(schema, ensure_ascii=False, sort_keys=True),
        token=token,
        command=command,
    )


def facts_about(
    facts: Iterable[ProposedFact], first: int, count: int
) -> list[ProposedFact]:
    """
    Return the facts that cite none but the *count* rows from the number *first* on.

    They cite them as if these were numbered from 1.
    """
    own = range(first, first + count)
    return [
        fact.model_copy(
            update={"messages": tuple(number - first + 1 for number in fact.messages)}
        )
        for fact in facts
        if all(number in own for number in fact.messages)
    ]


def rows_as_data(rows: Iterable[Row], first: int = 1) -> str:
    """Return *rows* as one JSON object a line, numbered from *first*."""
    return "\n".join(_data(*each) for each in enumerate(rows, first))


def _data(number: int, row: Row) -> str:
    # Some take these for ends of lines, which JSON does not escape.
    words = "".join(" " if each in "\u2028\u2029\x85" else each for each in row.words)
    fields = {"id": number, "at": row.moment, "who": row.speaker, "says": words}
    return json.dumps(fields, ensure_ascii=False)
