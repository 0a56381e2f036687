"""What an owner's reply takes from the agent's question: "Monday, always." needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.language.cues import cue
from strata.language.statement import read
from strata.language.vocabulary import content_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from strata.language.material import Line
    from strata.language.sentences import Sentence

_OR = cue("replying.or", 0)
_NO = cue("replying.no")
# So much of a reply that is one must be in what is made of it.
_MOST = 0.5
# A longer message says by itself what it is about.
_LONGEST_REPLY = 14


def answers_question(
    text: str, cited: Sequence[int], lines: Mapping[int, Line]
) -> bool:
    """Say whether *text* is the owner's answer to a question of the agent, both cited."""
    told = read(text).terms
    for number in cited:
        reply, before = lines[number], lines.get(number - 1)
        if before is None or before.by_owner or before.id not in cited:
            continue
        asked = [each for each in before.sentences if "?" in each.plain[-3:]]
        if (
            asked
            and takes_up(text, reply, before)
            and _names_a_side(told, reply, asked)
        ):
            return True
    return False


def takes_up(text: str, reply: Line, before: Line | None) -> bool:
    """Say whether *text* says what the owner's *reply* says: no "no", no other name."""
    first = next(iter(reply.sentences), None)
    if not reply.by_owner or first is None or first.plain.rstrip().endswith("?"):
        return False
    if content_words(first.plain) > _LONGEST_REPLY:
        return False
    if refuses(text, reply, before):
        return False
    told, said = read(text), read(first.text).pieces
    named = {each.key for each in said if each.kind in {"name", "value"}}
    return named <= told.terms | told.keys


def refuses(text: str, reply: Line, before: Line | None) -> bool:
    """
    Say whether *reply* begins with a "no", of which nothing is left in *text*.

    Who says how it is instead has put right what was said *before*: of "no, Thursday"
    and its proposal not all stands in a *text* that tells of Thursday.
    """
    first = next(iter(reply.sentences), None)
    if first is None or not _NO.match(first.plain) or read(text).denials:
        return False
    told = read(text).terms
    offered = read(before.text).terms if before else frozenset[str]()
    own = read(reply.text).terms - offered
    return not own & told or (bool(offered) and offered <= told)


def _names_a_side(told: frozenset[str], reply: Line, asked: Sequence[Sentence]) -> bool:
    """Say whether *told* holds what the owner chose, where *asked* offers a choice."""
    own = read(reply.text).terms
    if own and len(own & told) < _MOST * len(read(reply.sentences[0].text).terms):
        return False
    sides = [each for each in asked if _OR.search(each.plain)]
    if not sides:
        return bool(own & told)
    offered = frozenset[str]().union(*(read(each.text).terms for each in sides))
    return bool(offered & own) and offered & own <= told
