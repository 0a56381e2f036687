"""Whether a statement in other words says what the words that it cites say."""

from __future__ import annotations

import re
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from strata.language.clauses import WEIGHTS
from strata.language.figures import is_said, numbers_in_words
from strata.language.lexicon import kind_of, lexicon, root
from strata.language.statement import Statement, read, sort_of
from strata.statements.grounding.bindings import misplaced
from strata.statements.grounding.denials import denied_otherwise
from strata.statements.grounding.measures import miscounted, other_limit
from strata.statements.grounding.opposites import turned_round
from strata.statements.grounding.orders import swapped
from strata.statements.grounding.spans import on_other_side

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from strata.language.pieces import Piece

# Of what a statement says so much may be words that were not said, in weight.
_OWN_WORDS = 0.4
# A statement of few words has no odd one, a longer one has one.
_FEW = 3
_ODD_WORD = 1.0
# A word with a digit in it is a name: hx-login3, b2; 64kb is not.
_LIKE_A_NAME = re.compile(r"[a-z][a-z._-]*\d|\d[a-z._-]*[a-z]")
_MIXED = re.compile(r"(?<![a-z0-9.])(?:[a-z]+\d+[a-z0-9]*|\d+[a-z]+\d[a-z0-9]*)")
_MEASURED = re.compile(r"\d+(?:\.\d+)?[a-z]{1,3}")
_MONTH_AND_DAY = len("11-20")
# Whoever adds one says of a part what was said of all, or of none.
_QUANTIFIERS = frozenset({"some", "several", "most", "partly", "一些", "部分", "大多"})
_SURNAMES = frozenset(
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕"
    "苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾"
    "侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文"
)


def disagreement(
    text: str,
    undated: str,
    quotes: Sequence[str],
    *,
    answers: Sequence[str] = (),
    strictly: bool = False,
) -> str | None:
    """
    Return what in *text* the *quotes*, taken together, do not say; None if nothing.

    Every name and every value must have been said, in whatever form or language, and of
    the other words most. What was affirmed must not be denied, nor the other way round,
    and nothing may be told of a name or a value of which only others were told it.
    *undated* is *text* without its dates, which only the day of the words can tell.
    Where one of the quotes is an *answer* that is a mere "no", what the others affirm may
    be denied. *strictly* no word at all may be new.
    """
    told, bare, cited = read(text), read(undated), read(" . ".join(quotes))
    denied = partial(denied_otherwise, answers=read(" . ".join(answers)))
    found = chain(
        [_added(bare, cited)] if strictly else (),
        (check(bare, cited) for check in _OF_WORDS),
        (check(told, cited) for check in (*_OF_CLAUSES, denied)),
    )
    return next((reason for reason in found if reason), None)


def invented(text: str, quotes: Sequence[str]) -> str | None:
    """Return the name or value of *text* that none of *quotes* says; None if none is."""
    told, cited = read(text), read(" . ".join(quotes))
    found = (check(told, cited) for check in _OF_VALUES)
    return next((reason for reason in found if reason), None)


def missing(source: str, wording: str) -> str | None:
    """Return the name or value of *source* that *wording* lacks, or what it denies."""
    told, cited = read(source), read(wording)
    found = (check(told, cited) for check in _OF_LOSS)
    return next((reason for reason in found if reason), None)


def _strange_value(told: Statement, cited: Statement) -> str | None:
    for piece in new_words(told, cited):
        if _is_exact(piece, told, cited):
            return f"{piece.said!r} is not in the words"
    if added := _QUANTIFIERS & told.said - cited.said:
        return f"{min(added)!r} is not in the words"
    return None


def _too_much(told: Statement, cited: Statement) -> str | None:
    new = new_words(told, cited)
    allowed = _ODD_WORD if len(told.telling) >= _FEW else 0.0
    if _weigh(new) <= max(_OWN_WORDS * _weigh(told.telling), allowed):
        return None
    return f"it says more than the words: {', '.join(p.said for p in new)}"


def _added(told: Statement, cited: Statement) -> str | None:
    new = [piece.said for piece in new_words(told, cited)]
    return f"{', '.join(new)!r} is in no entry" if new else None


def _lost(told: Statement, cited: Statement) -> str | None:
    lost = next(filter(sort_of, new_words(told, cited)), None)
    return f"{lost.said!r}" if lost else None


def new_words(told: Statement, cited: Statement) -> list[Piece]:
    """Return the words of *told* that *cited* does not say."""
    return [piece for piece in told.telling if not _holds(cited, piece)]


def _holds(cited: Statement, piece: Piece) -> bool:
    """Say whether *piece* was said in *cited*, in any form."""
    if piece.key.startswith("date:"):
        return any(key.endswith(piece.key[-_MONTH_AND_DAY:]) for key in cited.keys)
    if piece.kind == "value":
        return piece.key in cited.keys or is_said(piece.key, cited.figures)
    if piece.kind == "hanzi":
        return all(character in cited.plain for character in piece.said)
    return piece.key in cited.keys or _stands(piece.said, cited.plain)


def _stands(said: str, plain: str) -> bool:
    if said not in plain or said[0] >= "\u3400":
        return said in plain
    word = rf"(?<![a-z0-9]){re.escape(said)}(?![a-z0-9])"
    return re.search(word, plain) is not None


def _is_exact(piece: Piece, told: Statement, cited: Statement) -> bool:
    """
    Say whether no other word will do for *piece*: it is a name or a value.

    A word of which one of a sort is meant, such as tea, must not stand for another of
    that sort, such as coffee.
    """
    if piece.kind == "value" or _LIKE_A_NAME.search(piece.said):
        return True
    sort = kind_of(piece.key, piece.kind)
    if sort is None:
        return piece.kind == "name"
    return _is_proper(piece, told) or any(
        kind_of(other.key, other.kind) == sort and other.key not in told.keys
        for other in cited.pieces
    )


def _is_proper(piece: Piece, told: Statement) -> bool:
    """Say whether *piece* stands in *told* with a capital that no sentence gives it."""
    word = rf"(?<=[^\W_] |[,;(] ){re.escape(piece.said)}(?![a-z0-9])"
    found = re.search(word, told.text, re.IGNORECASE)
    return found is not None and found[0][0].isupper()


def _strange_name(told: Statement, cited: Statement) -> str | None:
    """Tell of what begins like a name: a strange first word, or a surname in hanzi."""
    if not told.telling:
        return None
    first = told.telling[0]
    opens = told.plain.startswith(first.said) and told.text[:1].isupper()
    same = root(first.said) in {root(each.said) for each in cited.pieces}
    if opens and _is_strange(first) and not same and not _holds(cited, first):
        return f"the name {first.said!r} is not in the words"
    for piece in told.pieces:
        named = piece.kind == "hanzi" and piece.said[0] in _SURNAMES
        if named and len(piece.said) > 1 and piece.said[0] not in cited.plain:
            return f"the name {piece.said!r} is not in the words"
    return None


def _is_strange(piece: Piece) -> bool:
    known = lexicon().concepts
    return piece.kind == "word" and piece.said.isalpha() and piece.key not in known


def _strange_number(told: Statement, cited: Statement) -> str | None:
    """Tell of a number in words, or a name with a digit in it, that was not said."""
    for word in numbers_in_words(told.plain):
        if not read(word).figures & cited.figures:
            return f"{word!r} is not in the words"
    for found in _MIXED.finditer(told.plain):
        if not _MEASURED.fullmatch(found[0]) and found[0] not in cited.plain:
            return f"{found[0]!r} is not in the words"
    return None


def _weigh(told: Iterable[Piece]) -> float:
    return sum(WEIGHTS.get(piece.kind, 0.0) for piece in told)


_OF_VALUES = (_strange_value, _strange_name, _strange_number)
_OF_WORDS = (*_OF_VALUES, _too_much)
_OF_CLAUSES = (
    turned_round,
    miscounted,
    misplaced,
    swapped,
    on_other_side,
    other_limit,
)
_OF_LOSS = (_lost, _strange_number, denied_otherwise)
