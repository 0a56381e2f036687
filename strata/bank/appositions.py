"""Where somebody says in so many words that two names mean one."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from strata.language.cues import cue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from strata.judges.naming import Named

# Between two names: "Zhang Wei, that's 张伟", 老彭就是彭建国.
_IS = cue("naming.is")
# What follows a name that belongs to another one: "Ana's son", 杨建平的同事.
_OWNS = cue("naming.owns")
# Before a role that follows: "Ana, my sister".
_MINE = cue("naming.mine")


def said_to_be(
    text: str, names: Sequence[Named], is_role: Callable[[str], bool]
) -> Iterator[tuple[str, str]]:
    """
    Give the pairs of *names* in *text* that it says to be one.

    *is_role* tells of a name whether it is a word for what many are: a sister, 房东.
    """
    for first, second in pairwise(names):
        between = text[first.end : second.start]
        if _OWNS.match(text, second.end) or first.sort != second.sort:
            continue
        roles = is_role(first.text), is_role(second.text)
        # "My sister Ana", 儿子杨建平; "Ana sister" is nobody's way to say so.
        beside = not between.strip() and roles == (True, False)
        told = _IS.fullmatch(between) is not None and roles != (True, True)
        mine = _MINE.fullmatch(between) is not None and roles == (False, True)
        if beside or told or mine:
            yield first.text, second.text
