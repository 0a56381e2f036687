"""Words that stand for something said before, told by where they stand in the sentence."""

from __future__ import annotations

import re

# Nothing of this can be what a pronoun stands for.
_EMPTY = (
    r"(?:(?:i|we|you|please|and|so|but|then|now|just|also|only|always|never|ever|still"
    r"|both|all|do|don'?t|does|did|can|can't|could|will|won't|would|should|must|may"
    r"|might|to|not|let's|let|(?:i|we|you)'(?:ll|d|ve)|have|had|want|wants|need|needs),?"
    r" )*"
)
# "I read them live": a pronoun before anything is named that it could stand for.
_UNNAMED = re.compile(
    rf"{_EMPTY}[a-z']+ (?:them|those|these|it(?! (?:when|if|that|to|is|was|all|short"
    r"|a (?:rule|habit)|up to)\b))\b(?! (?!to\b|in\b|on\b|as\b|by\b|at\b)\w+s\b)"
    # "We settled that years ago": a whole statement that stands before this one.
    r"|[^,.;:!?]{1,40}\b(?!than |like |about |all |of )[a-z]+ (?:that|this)(?=[,;!?.]|$"
    r"| (?:the (?:day|night|week|month|year|moment)|when|once|already|years|ages|long"
    r"|last|in [12]\d{3})\b)",
    re.IGNORECASE,
)
# "Which is why it's no", "Them? No."
_DEPENDENT = re.compile(
    r"which (?:is|was|means|makes|would|will)\b|(?:them|him|her|that|those|these)\?"
    r"|(?:their|its) ",
    re.IGNORECASE,
)
_HEADING = re.compile(
    r"(?:(?:about|on|as for|regarding) )?(?:(?:the|my|our|all|your) )?"
    r"(?:[\w'&-]+ ){0,3}[\w'&-]+[.:!,]*",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"\b(?:it|they|them|those|these|its|their|both|each)\b", re.IGNORECASE
)
_SOON = 40


def points_back(text: str) -> bool:
    """Say whether *text* begins with what means nothing without the words before it."""
    bare = text.strip()
    return bool(_DEPENDENT.match(bare) or _UNNAMED.match(bare))


def announces(heading: str, following: str) -> bool:
    """Say whether a few words name what a pronoun in *following* stands for."""
    named = _HEADING.fullmatch(heading.strip()) is not None
    return named and _PRONOUN.search(following.strip()[:_SOON]) is not None
