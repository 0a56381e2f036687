"""Whether a sentence is put together of parts with which clauses of lines begin."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from strata.language.cues import cue
from strata.language.lexicon import lexicon, root
from strata.language.spelling import plain
from strata.language.statement import read, sort_of

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
# What somebody settles is so, and what somebody reports was said.
_SETTLES, _REPORTS = cue("telling.settles"), cue("telling.reports")
_GOES_ON = re.compile(rf"(?=[\u3400-\u9fff])(?:{_LITTLE.pattern})", _LITTLE.flags)
# What goes on so takes nothing back, be it of the same one or a rule of its own.
_ENDED = re.compile(r"\s*(?:$|[.;。；！、]|,?\s*\b(?:and|so|because)\b)", re.IGNORECASE)
_HABIT = cue("certainty.habit")
_NARROWED = re.compile(rf"(?:{_ONLY.pattern})", _ONLY.flags)
# A day that was worked out stands behind the words that tell it.
_WORKED_OUT = re.compile(r"\s*[(（]20\d\d-\d\d-\d\d(?: to 20\d\d-\d\d-\d\d)?[)）]")
_TOKEN = re.compile(
    rf"{NAME}(?:['’]s?)?|[\u3400-\u9fff]|\d+(?:[.,:]\d+)*"
    r"|[^\W\d_\u3400-\u9fff]+(?:['’]\w+)?"
)
_OBJECT = re.compile(rf"{NAME}|\d|[\u3400-\u9fff]")
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


def parts_of(sentence: str) -> list[str]:
    """Return the parts of *sentence*, each of which another line may say."""
    bare = _WORKED_OUT.sub("", sentence)
    return [bare[start:end] for start, end in _spans(_JOINT, bare)]


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
        # A Chinese clause that says "now" first needs no "she".
        goes_on = _LEANS.match(bare, start) or _GOES_ON.match(bare, start)
        leans = is_meant and goes_on is not None
        before = start
        for run, (_, last) in enumerate(spans[place : place + _LONGEST_RUN], place + 1):
            after, until = spans[run] if run < len(spans) else (len(bare), len(bare))
            open_end = not _ends(bare[last:after], bare[after:until])
            settled = _SETTLES.match(bare, start)
            for begin in (start, settled.end()) if settled else (start,):
                yield _Words(bare[begin:last], leans, bare[begin:before], open_end)
            before = last
        first = _Words(bare[start:end]).tokens[:1]
        is_meant = alone and (leans or first == [NAME])


def _ends(mark: str, rest: str) -> bool:
    """
    Say whether a clause stands by itself that goes on, after *mark*, with *rest*.

    "Or so Tom says", "I think" and "no, the barn" take it back; what begins with a word
    that tells something, or with the same one again, tells more.
    """
    if "?" in mark or "\uff1f" in mark or _NARROWED.match(rest):
        return False
    if _ENDED.match(mark):
        return True
    if _reports(rest):
        return False
    if rest.startswith(NAME):
        return True
    if any(each.match(rest) for each in (_LEANS, _LITTLE, _HABIT)):
        return True
    first, *more = read(rest).pieces or (None,)
    return first is not None and first.kind in {"word", "name", "value"} and bool(more)


def _reports(rest: str) -> bool:
    """Say whether *rest* is no more than who says so: Tom told me yesterday."""
    told = _REPORTS.search(rest)
    return told is not None and len(_Words(rest[told.end() :]).tokens) <= 1


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
    A few words in a row, with `NAME` for whose page it is, of a clause and those *earlier*.

    Those that *lean* begin with a "she" that means the name; with an *open end*, what
    follows may take them back.
    """

    text: str
    leans: bool = False
    earlier: str = ""
    open_end: bool = False

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
        beside = self._stands_beside(clause, label=label)
        return beside or (not self._is_narrowed(clause) and self._are_first_of(clause))

    def _is_narrowed(self, clause: _Words) -> bool:
        """Say whether more of *clause* than these, or what follows it, makes it another."""
        leans = _LEANS.match(clause.text) and not _LEANS.match(self.text)
        # "Dave's wife came" makes Dave no wife.
        being = _BEING.search(self.text) and not _BEING.search(clause.text)
        limited = clause.open_end or bool(clause.limits - self.limits)
        return limited or bool(being) or bool(leans and not clause.leans)

    def _are_first_of(self, clause: _Words) -> bool:
        if self.text == clause.text:
            return True
        told, said, earlier = (
            [e for e in each.tokens if e[0] != NAME or self._needs_name(clause)]
            for each in (self, clause, _Words(clause.earlier))
        )
        place = _place(said, told)
        # What ends within those earlier is a clause of its own.
        return place > len(earlier) and not clause.has_object(said, place)

    def _needs_name(self, clause: _Words) -> bool:
        return self.names_one and not clause.leans

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

    def has_object(self, said: Sequence[str], place: int) -> bool:
        """
        Say whether the word at *place* of *said* is whom or what the one before it does.

        "Drives" is another thing than "drives Tom", and "owes" than "owes 300".
        """
        if not 0 < place < len(said):
            return False
        before, after = said[place - 1], said[place]
        found = {e.said: sort_of(e) or e.kind for e in read(self.text).pieces}
        named = found.get(after) == "name" or bool(_OBJECT.match(after))
        text = plain(self.text).casefold()
        beside = re.search(rf"{re.escape(before)}\s*{re.escape(after)}", text)
        return named and beside is not None

    def _stands_beside(self, clause: _Words, *, label: bool) -> bool:
        """Say whether what these words call the one stands beside the name in *clause*."""
        called = self.text if label else _IS.sub("", self.text, count=1)
        told = _Words(called).tokens
        if not told or NAME in called or clause.earlier:
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
    return _place(said, told) > 0


def _place(said: Sequence[str], told: Sequence[str]) -> int:
    """Return how many of *said* are *told*, which they begin with; 0 where they do not."""
    weak, place = lexicon().glue.weak, 0
    for word in told:
        while place < len(said) and root(said[place]) != root(word):
            if not place or said[place] not in weak:
                return 0
            place += 1
        if place == len(said):
            return 0
        place += 1
    return place
