"""A statement taken apart into words, names, values and marks, in their order."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from strata.language.lexicon import lexicon, phrase_root, root
from strata.language.spelling import plain
from strata.language.values import VALUE, count_of, value_of
from strata.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = pattern(
    r"(?P<path>(?<![\w.])\.[a-z][\w.-]*\w"
    r"|(?:https?://|~/|(?<!\w)\.{0,2}/)[^\s()\u3000-\u9fff,;]*[^\s()\u3000-\u9fff,;.:!?]"
    r"|[\w.+-]+@[\w.-]+\w)"
    r"|(?P<identifier>[A-Za-z0-9]+(?:[-_.+][A-Za-z0-9]+)+|c\+\+|[cf]#)"
    r"|(?P<word>[^\W\d_\u3400-\u9fff][^\W_\u3400-\u9fff]*(?:'[A-Za-z]+)?)"
    r"|(?P<hanzi>[\u3400-\u9fff]+)"
    r"|(?P<mark>[,;.!?:、。()\n]|[-–—]{1,2}(?=\s)|->|→)",
    re.IGNORECASE,
)
_PERSON = pattern(
    r"[老小阿][\u4e00-\u9fff](?![\u4e00-\u9fff]?[机板师])|[王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗]"
    r"(?:姐|哥|总|工|老师|经理|医生|师傅|主任|教授|律师|会计|阿姨|叔)"
)
_AFTER_NAME = frozenset({"and", "will", "has", "is", "was", "does", "doesn't", "from"})
_SENTENCE_END = frozenset(".!?:。\n")


@dataclass(frozen=True, slots=True)
class Piece:
    """
    A word of a statement: *said* as it stands in lower case, *key* what it means.

    *kind* is ``value``, ``name``, ``word``, ``weak``, ``limit``, ``glue`` or ``mark``.
    """

    said: str
    key: str
    kind: str


def pieces(text: str) -> list[Piece]:
    """Return the words, values and marks of *text*."""
    return _joined(_opened(list(_raw(plain(text)))))


def _opened(parts: list[Piece]) -> list[Piece]:
    """Tell a name at the start of a sentence, "Lena owns", from a verb, "Rotate keys"."""
    for place, piece in enumerate(parts):
        if piece.kind == "opening":
            following = parts[place + 1] if place + 1 < len(parts) else piece
            is_name = _follows_name(following)
            parts[place] = replace(piece, kind="name" if is_name else "word")
    return parts


def _follows_name(piece: Piece) -> bool:
    """Say whether *piece* stands after a name: a surname, or what somebody does."""
    surname = piece.kind == "name" and piece.key not in lexicon().kinds
    does = (
        re.fullmatch(r"[a-z]+[^s\W]s", piece.said) is not None and piece.kind != "name"
    )
    return surname or does or piece.said in _AFTER_NAME


def _raw(bare: str) -> Iterator[Piece]:
    done, opening = 0, True
    while done < len(bare):
        match = VALUE.match(bare, done)
        value = value_of(match) if match and not _inside_word(bare, match) else None
        if match and value:
            yield Piece(match[0].lower(), value, "value")
            done, opening = match.end(), False
            continue
        match = _TOKEN.match(bare, done)
        if match is None:
            done += 1
            continue
        end = _value_inside(bare, match)
        yield from _token(match, bare[done:end], opening=opening)
        opening = match["mark"] is not None and match[0] in _SENTENCE_END
        done = end


def _value_inside(bare: str, match: re.Match[str]) -> int:
    """Return where a run of hanzi ends or a number written in hanzi begins in it."""
    value = VALUE.search(bare, *match.span()) if match["hanzi"] else None
    return value.start() if value else match.end()


def _inside_word(bare: str, match: re.Match[str]) -> bool:
    """Say whether the digits only begin a name, such as 1password or 2fa-code."""
    token = _TOKEN.match(bare, match.start())
    return bool(
        token
        and token.lastgroup in {"identifier", "path"}
        and token.end() > match.end()
        and re.search("[A-Za-z]", token[0])
    )


def _token(match: re.Match[str], said: str, *, opening: bool) -> Iterator[Piece]:
    group = match.lastgroup
    if group == "mark":
        yield Piece(said, said, "mark")
    elif group == "hanzi":
        yield from _chinese(said)
    elif group == "word":
        yield _word(said, opening=opening)
    elif group == "identifier":
        yield from _identifier(said)
    else:
        yield Piece(said.lower(), said.lower(), "name")


def _identifier(said: str) -> Iterator[Piece]:
    lower, known = said.lower(), lexicon()
    whole = known.words.get(phrase_root(lower)) or known.words.get(lower)
    parts = re.split(r"[-_]", lower)
    if whole:
        yield Piece(lower, whole, _kind_of(whole))
    elif (
        all(part.isalpha() and _is_common(part) for part in parts) and "_" not in lower
    ):
        yield from (_word(part, opening=True) for part in parts)
    elif all(part.isalpha() for part in parts) and "_" not in lower:
        yield Piece(lower, "-".join([*parts[:-1], root(parts[-1])]), "name")
    else:
        yield Piece(lower, lower, "name")


def _is_common(word: str) -> bool:
    glue = lexicon().glue
    return root(word) in lexicon().words or any(
        word in group for group in (glue.empty, glue.weak, glue.limits)
    )


@lru_cache(maxsize=16384)
def _word(said: str, *, opening: bool) -> Piece:
    lower, glue = said.lower(), lexicon().glue
    count = count_of(lower)
    if count:
        return Piece(lower, count, "value")
    if lower in glue.negators or lower in glue.reasons or lower in glue.changes:
        return Piece(lower, lower, "glue")
    for words, kind in (
        (glue.empty, "glue"), (glue.limits, "limit"),
        (glue.scope, "glue"), (glue.weak, "weak"),
    ):  # fmt: skip
        if lower in words:
            return Piece(lower, lower, kind)
    stem = root(lower)
    concept = lexicon().words.get(lower) or lexicon().words.get(stem)
    if concept:
        return Piece(lower, concept, _kind_of(concept))
    if not said[0].isupper():
        return Piece(lower, stem, "word")
    is_sure = not opening or said.isupper() or lower.endswith("'s")
    return Piece(lower, stem, "name" if is_sure else "opening")


def _kind_of(concept: str) -> str:
    return "name" if concept in lexicon().kinds else "word"


def _chinese(run: str) -> Iterator[Piece]:
    """Give the longest known words from left to right; what lies between is unknown."""
    done = unknown = 0
    while done < len(run):
        word = _known_word(run, done)
        if word is None:
            done += 1
            continue
        yield from _unknown(run[unknown:done])
        yield _chinese_piece(word)
        done = unknown = done + len(word)
    yield from _unknown(run[unknown:])


def _known_word(run: str, start: int) -> str | None:
    person = _PERSON.match(run, start)
    if person:
        return person[0]
    known = lexicon()
    for length in known.lengths.get(run[start], ()):
        word = run[start : start + length]
        if word in known.known:
            return word
    return None


@lru_cache(maxsize=16384)
def _chinese_piece(word: str) -> Piece:
    glue = lexicon().glue
    for words, kind in (
        (glue.negators, "glue"), (glue.changes, "glue"), (glue.reasons, "glue"),
        (glue.limits, "limit"), (glue.empty, "glue"), (glue.weak, "weak"),
    ):  # fmt: skip
        if word in words:
            return Piece(word, word, kind)
    concept = lexicon().hanzi.get(word)
    if concept is None:
        return Piece(word, word, "name")
    return Piece(word, concept, _kind_of(concept))


def _unknown(run: str) -> Iterator[Piece]:
    if len(run) == 1:
        yield Piece(run, run, "hanzi")
    for place in range(len(run) - 1):
        yield Piece(run[place : place + 2], run[place : place + 2], "hanzi")


def _joined(parts: list[Piece]) -> list[Piece]:
    """Join the words of phrases that the lexicon knows, the longest first."""
    known, joined, place = lexicon(), [], 0
    roots = [root(each.said) for each in parts]
    while place < len(parts):
        for width in known.widths.get(roots[place], ()):
            group = parts[place : place + width]
            concept = known.words.get(" ".join(roots[place : place + width]))
            if concept and len(group) == width and _are_words(group):
                joined.append(Piece(group[0].said, concept, _kind_of(concept)))
                place += width
                break
        else:
            joined.append(parts[place])
            place += 1
    return joined


def _are_words(group: list[Piece]) -> bool:
    return all(each.kind != "mark" for each in group)
