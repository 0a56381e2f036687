"""Whether a very short name stands by itself in what would go, or within other words."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from strata.errors import NotAccepted
from strata.messages import Notice
from strata.notes.sayings import words_of
from strata.search.language.words import ENGLISH, chinese

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from strata.jobs.forgetting.target import Target

# From three letters on, a Latin name that is no word of grammar is hardly part of others.
_SHORT = 2
_SHOWN = 5
_LONGEST = 24
_HAN = r"\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_IS_HAN = re.compile(f"[{_HAN}]")
# Signs beside a name that hardly ever make a word with it: 于是 is one, 王的 none.
_BEFORE, _AFTER = "的跟把被我你也", "的了吗呢吧啊很也把被跟说"
_TOKEN = re.compile(rf"[^\s{_HAN}\u3000-\u303f\uff00-\uffef]+")
_MARKS = ".,;:!?\"'()[]{}<>`*_~|…“”‘’«»"
_POSSESSIVE = re.compile(r"['’]s$", re.IGNORECASE)


def other_words(target: Target, texts: Iterable[str]) -> list[str]:
    """Return the words in *texts* that hold the short name *target* and are not it."""
    if len(target.words) != 1:
        return []
    name = unicodedata.normalize("NFKC", target.text or target.entity)
    sign = target.words[0]
    plain = (unicodedata.normalize("NFKC", text) for text in texts)
    if _IS_HAN.match(sign):
        found = (word for text in plain for word in _around(sign, text))
    elif len(sign) <= _SHORT or sign in ENGLISH:
        found = (word for text in plain for word in _unlike(name, sign, text))
    else:
        return []
    return list(dict.fromkeys(found))


def too_short(
    target: Target, words: Collection[str], shown: Sequence[str]
) -> NotAccepted:
    """Return why *target* is not forgotten unseen: it takes *words* along, as *shown*."""
    name, count = target.text or target.entity, len(words)
    few = [each[:_LONGEST] for each in shown[:_SHOWN]]
    few += ["…"] if count > len(few) else []
    return NotAccepted(
        Notice("forget.part-of-words", name=name, count=count, words=few)
    )


def _around(sign: str, text: str) -> Iterator[str]:
    """Yield the Chinese words of which *sign* is a part, as far as its neighbours tell."""
    for found in re.finditer(re.escape(sign), text):
        before = _beside(text[: found.start()][-1:], _BEFORE)
        after = _beside(text[found.end() :][:1], _AFTER)
        content = [chinese().sub("", each) for each in (before, after)]
        if before and after and any(content):
            # 国王是: the one that is grammar elsewhere is so here.
            before, after = content
        if before or after:
            yield f"{before}{sign}{after}"


def _beside(neighbour: str, apart: str) -> str:
    return neighbour if _IS_HAN.match(neighbour) and neighbour not in apart else ""


def _unlike(name: str, word: str, text: str) -> Iterator[str]:
    """Yield what holds *word* between blanks and is not written as *name* is."""
    for found in _TOKEN.findall(text):
        token = _POSSESSIVE.sub("", found.strip(_MARKS))
        if name in {token, found} or word not in words_of(token):
            continue
        # Of the same letters, "us" is an ordinary word where the name is "US".
        ordinary = token.islower() and not name.islower()
        if token.casefold() != name.casefold() or ordinary:
            yield token
