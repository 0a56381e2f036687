"""An answer is one JSON object of the form that was asked for, or it does not count."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from strata.errors import AnswerRejected

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST_COMPLAINTS = 8
# What thinks aloud does so before it answers, and may draft JSON there.
_THOUGHTS = re.compile(r"\A\s*<(think|thinking)>.*?</\1>", re.DOTALL)
# A brace in prose, as in "the {name}", opens no object.
_OPENING = re.compile(r'\{\s*["}]')


class Reply(BaseModel):
    """The form of an answer: exactly these fields, of exactly these types."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


T = TypeVar("T", bound=BaseModel)


def read_answer(text: str, answer: type[T], check: Callable[[T], None] | None) -> T:
    """
    Return the one JSON object in *text* as *answer*; prose or a fence may surround it.

    Raise `AnswerRejected` with what is wrong: no object or several, one that is cut off,
    that has another form, or that *check* complains about with a `ValueError`.
    """
    try:
        found = answer.model_validate_json(_only_object(text))
        if check:
            check(found)
    except ValidationError as error:
        raise AnswerRejected(_complaints(error), text) from None
    except ValueError as error:
        raise AnswerRejected([str(error)], text) from None
    return found


def _only_object(text: str) -> str:
    spoken = _THOUGHTS.sub("", text)
    found = _next_object(spoken, 0)
    if found is None:
        raise ValueError("there is no JSON object in the answer")
    if _next_object(spoken, found[1]) is not None:
        raise ValueError("there is more than one JSON object in the answer")
    return spoken[found[0] : found[1]]


def _next_object(text: str, start: int) -> tuple[int, int] | None:
    """Return where the next JSON object begins and ends."""
    opening = _OPENING.search(text, start)
    if opening is None:
        return None
    try:
        _, end = json.JSONDecoder().raw_decode(text, opening.start())
    except (ValueError, RecursionError):
        # What lies inside an object that is broken must not be taken for the answer.
        raise ValueError("the JSON object is broken or cut off") from None
    return opening.start(), end


def _complaints(error: ValidationError) -> list[str]:
    """Return where it is wrong and how, without what was said there."""
    return [
        f"{'.'.join(str(part) for part in each['loc']) or 'the answer'}: {each['msg']}"
        for each in error.errors(
            include_url=False, include_context=False, include_input=False
        )[:_MOST_COMPLAINTS]
    ]
