"""What answers a security question."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.transcripts.secret_rules.chinese_words import is_chinese_phrase
from strata.transcripts.secret_rules.found import Secret
from strata.transcripts.secret_rules.judging import FUNCTION_WORDS
from strata.transcripts.secret_rules.mentions import Clues
from strata.transcripts.secret_rules.ordinary_words import ORDINARY_WORDS
from strata.transcripts.secret_rules.values import is_ordinary_word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.transcripts.secret_rules.view import View

CLUES_TO_ANSWERS = Clues("security", "secret question", "密保")
_ENGLISH = re.compile(
    r"\b(?:answer (?:to|for) (?:\w+ ){1,3}question(?: (?:for|of|at|on) [\w ]{1,24}?)?"
    r"|security answer)(?: is|:| was| =|'s) ?[\"'“]?(?P<words>[\w'-]+(?: [\w'-]+){0,3})"
    r"(?=\s*(?:[.,;!)\n\"'”}\]|<]|\Z))",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    r"密保[^。；？！\n]{0,24}?(?:答案|[填写设选答]的)[^，。；？！\n是为:：]{0,6}"
    r"[是为:：][ “\"「]{0,2}(?P<words>[\u3400-\u9fff·A-Za-z0-9]{2,16})"
)


def security_answers(view: View) -> Iterator[Secret]:
    """Yield the answers to security questions in *view*."""
    for line in CLUES_TO_ANSWERS.lines(view):
        for told in _ENGLISH.finditer(view.text, *line):
            if _is_answer(told["words"].split()):
                yield Secret(*told.span("words"), "secret:password")
        for told in _CHINESE.finditer(view.text, *line):
            if is_chinese_phrase(told["words"]):
                yield Secret(*told.span("words"), "secret:password")


def _is_answer(words: list[str]) -> bool:
    if not FUNCTION_WORDS.isdisjoint(map(str.lower, words)):
        return False
    # How a word ends says nothing of a name: Wackelpudding.
    return all(
        word.lower() not in ORDINARY_WORDS
        if word.istitle()
        else not is_ordinary_word(word)
        for word in words
    )
