"""Whether a sentence is put together of parts with which clauses of lines begin."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from strata.language.cues import cue
from strata.language.lexicon import lexicon, root
from strata.language.spelling import plain
from strata.language.statement import read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

# What stands for any name of the one whose page it is.
NAME = "\ufffc"
# Where a sentence may go on with what another line says, and where a clause of a line ends.
_JOINT, _STOP = cue("telling.joint"), cue("telling.stop")
# Who is meant by "she", and what somebody is called, in so many words or beside the name.
_LEANS, _IS = cue("telling.leans"), cue("telling.is")
_BEING = cue("telling.being")
_CALLED_BEFORE, _CALLED_AFTER = cue("telling.before"), cue("telling.after")
# What of a clause may be left out, and what may not.
_LITTLE, _ONLY = cue("telling.little"), cue("telling.only")
_TURNING = cue("telling.turning")
# A day that was worked out stands behind the words that tell it.
_WORKED_OUT = re.compile(r"\s*[(（]20\d\d-\d\d-\d\d(?: to 20\d\d-\d\d-\d\d)?[)）]")
_TOKEN = re.compile(
    rf"{NAME}(?:['’]s?)?|[\u3400-\u9fff]|\d+(?:[.,:]\d+)*"
    r"|[^\W\d_\u3400-\u9fff]+(?:['’]\w+)?"
)
# A list, "on Monday, Wednesday and Friday", looks like so many parts.
_LONGEST_RUN = 3


def unsaid_part(
    sentence: str, lines: Iterable[str], alone: Iterable[bool], *, label: bool
) -> str:
    """
    Return the part of *sentence* that no clause of *lines* says, "" where there is none.

    `NAME` stands for whose page it is; a "she" is that one where a line names it *alone*.
    """
    clauses = [
        clause
        for line, own in zip(lines, alone, strict=True)
        for clause in _clauses_of(line, alone=own)
    ]
    bare = _WORKED_OUT.sub("", sentence)
    parts = _spans(_JOINT, bare)
    while parts:
        for count in range(min(_LONGEST_RUN, len(parts)), 0, -1):
            part = _Words(bare[parts[0][0] : parts[count - 1][1]])
            if any(part.are_of(each, label=label) for each in clauses):
                parts = parts[count:]
                break
        else:
            return bare[slice(*parts[0])]
    return ""


def named_as(text: str, found: Callable[[str], Iterator[tuple[str, int, int]]]) -> str:
    """Return *text* with `NAME` wherever a name is *found*; "my sister Ana" is one."""
    before = len(text)
    for _, start, end in reversed(list(found(text))):
        goes_on = before < len(text) and not text[end:before].strip()
        name, rest = ("", before) if goes_on else (NAME, end)
        text = f"{text[:start]}{name}{text[rest:]}"
        before = start
    return text


def _clauses_of(line: str, *, alone: bool) -> Iterator[_Words]:
    """Give the clauses of *line*, and what they make with those that follow."""
    bare, is_meant = _WORKED_OUT.sub("", line), False
    spans = _spans(_STOP, bare)
    for place, (start, end) in enumerate(spans):
        leans = is_meant and _LEANS.match(bare, start) is not None
        for _, last in spans[place : place + _LONGEST_RUN]:
            yield _Words(bare[start:last], leans=leans, several=last != end)
        first = _Words(bare[start:end]).tokens[:1]
        is_meant = alone and (leans or first == [NAME])


def _spans(where: re.Pattern[str], text: str) -> list[tuple[int, int]]:
    """Return from where to where the parts of *text* go that *where* cuts it into."""
    cuts = [(0, 0), *(each.span() for each in where.finditer(text))]
    ends = [start for start, _ in cuts[1:]] + [len(text)]
    pairs = [(end, after) for (_, end), after in zip(cuts, ends, strict=True)]
    spaces = [len(text[a:b]) - len(text[a:b].lstrip()) for a, b in pairs]
    bare = [
        (a + s, a + len(text[a:b].rstrip()))
        for (a, b), s in zip(pairs, spaces, strict=True)
    ]
    return [(a, b) for a, b in bare if a < b]


@dataclass(frozen=True)
class _Words:
    """
    A few words in a row, with `NAME` for whose page it is, of one clause or *several*.

    Those that *lean* begin with a "she" that means the name.
    """

    text: str
    leans: bool = False
    several: bool = False

    def are_of(self, clause: _Words, *, label: bool) -> bool:
        """
        Say whether these are the words that *clause* begins with, but for what says little.

        A *label*, and what somebody is, may stand beside the name instead: the horse lorry
        Gloria is the horse lorry. What would be left out in between, or before, could say
        who does what to whom.
        """
        if (label or self.names_one) and not (clause.names_one or clause.leans):
            return False
        if (read(self.text).denials - read(clause.text).denials) % 2:
            return False
        if self._stands_beside(clause, label=label):
            return True
        if clause.limits - self.limits:
            return False
        # "Dave's wife came" makes Dave no wife.
        if _BEING.search(self.text) and not _BEING.search(clause.text):
            return False
        told, said = self.tokens, clause.tokens
        if clause.leans or not self.names_one:
            told, said = ([e for e in row if e[0] != NAME] for row in (told, said))
        return _begins(said, told) if told else self.text == clause.text

    @property
    def names_one(self) -> bool:
        """Whether it has the name."""
        return NAME in self.text

    @property
    def limits(self) -> frozenset[str]:
        """The words that say of what alone it holds, or until when."""
        return frozenset(each.casefold() for each in _ONLY.findall(self.text))

    @cached_property
    def tokens(self) -> list[str]:
        """The words that tell anything, in their order."""
        text = plain(_LITTLE.sub(" ", self.text)).casefold()
        glue = {each.said for each in read(text).pieces if each.kind == "glue"}
        glue |= lexicon().glue.empty
        found = (each[0] for each in _TOKEN.finditer(text))
        return [
            each
            for each in found
            if _TURNING.fullmatch(each) or not (each in glue or _LEANS.fullmatch(each))
        ]

    def _stands_beside(self, clause: _Words, *, label: bool) -> bool:
        """Say whether what these words call the one stands beside the name in *clause*."""
        called = self.text if label else _IS.sub("", self.text, count=1)
        told = _Words(called).tokens
        if not told or NAME in called or clause.several:
            return False
        before, name, after = clause.text.partition(NAME)
        if not name or not (label or _IS.match(self.text)):
            return False
        # Gloria, the horse lorry; and the horse lorry Gloria, 开吊车的张伟.
        if _CALLED_AFTER.match(after) and _begins(_Words(after).tokens, told):
            return True
        found = _CALLED_BEFORE.search(before)
        return found is not None and _Words(found[0]).tokens == told


def _begins(said: Sequence[str], told: Sequence[str]) -> bool:
    """Say whether *told* are the first of *said*, but for words there that say little."""
    weak, place = lexicon().glue.weak, 0
    for word in told:
        while place < len(said) and root(said[place]) != root(word):
            if not place or said[place] not in weak:
                return False
            place += 1
        if place == len(said):
            return False
        place += 1
    return True
