"""
Notes as parts that several machines write, and how these become one text again.

A part is a heading with the lines below it. What a machine did to one is an `Edit`, which
says what it replaces; of the same edits, in whatever order they came, the same text is
made. Nothing here knows which machine it runs on.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from strata.notes.headings import DAY, OURS, is_title, session_of
from strata.notes.markdown import heading

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# A version has every second line of another one, at least.
_SHARE = 2
_LINE = re.compile(r"[^\n]*\n|[^\n]+\Z")


@dataclass(frozen=True, slots=True)
class Edit:
    """
    What *machine* did to a part: its text from then on, "" where it went.

    *replaces* are the ids of the edits that it knew of that part, none for a new part,
    which stands behind the one of which *after* is an edit. *at* orders edits, and those
    of one moment their machine and *number*.
    """

    machine: str
    number: int
    at: str
    text: str
    replaces: tuple[str, ...] = ()
    after: str = ""

    @property
    def id(self) -> str:
        """What other edits name it by."""
        return f"{self.machine}:{self.number}"

    @property
    def moment(self) -> tuple[str, str, int]:
        """Its place in the order of all edits."""
        return self.at, self.machine, self.number


@dataclass(frozen=True, slots=True)
class Part:
    """A part as it stands: its *text*, and the ids of the edits that say so."""

    text: str
    heads: tuple[str, ...]


def parts_of(text: str) -> list[str]:
    """
    Take *text* apart at its headings; joined it is the same, byte for byte.

    A line of code that looks like a heading begins a part as well: where a part begins
    must not hang on what another machine writes above it.
    """
    parts: list[str] = []
    for line in _LINE.findall(text):
        if parts and not heading(line.rstrip("\r\n")):
            parts[-1] += line
        else:
            parts.append(line)
    return parts


def title_of(part: str) -> str:
    """Return the line by which *part* is known again, "" where it has no heading."""
    line = part.split("\n", 1)[0].rstrip()
    return line if heading(line) else ""


def label_of(part: str) -> str:
    """Return the label of the conversation of which *part* is a block, or ""."""
    told = session_of(title_of(part))
    return told.label if told else ""


def folded_note(edits: Iterable[Edit]) -> list[Part]:
    """Return the parts that *edits*, all of one note, come to, in their order."""
    fold = _Fold(sorted(edits, key=lambda each: each.moment))
    return _set_apart(_without_shorter(fold.in_order()))


def merged_texts(texts: Sequence[str], known: Sequence[Iterable[str]]) -> str:
    """
    Return one text that says what all of *texts*, versions of one part, say.

    A line that one of them took out, of those *known* to it before, is out; what one of
    them changed or added stands beside the lines around it.
    """
    if len(texts) == 1:
        return texts[0]
    lines = [_LINE.findall(each) for each in texts]
    said = [{line.rstrip("\r\n") for line in each} for each in lines]
    out = {
        line.rstrip("\r\n")
        for before, now in zip(known, said, strict=True)
        for each in before
        for line in _LINE.findall(each)
        if line.strip() and line.rstrip("\r\n") not in now
    }
    titles = [each.pop(0) for each in lines if title_of(each[0])]
    # The one that says most is the frame; which came first does not matter.
    lines.sort(key=lambda each: (-len(each), each))
    merged = [each for each in lines[0] if each.rstrip("\r\n") not in out]
    for other in lines[1:]:
        _take_in(merged, other, out)
    title = max(titles, key=_most_messages) if titles else ""
    return title + "".join(merged)


def _take_in(merged: list[str], other: Sequence[str], out: set[str]) -> None:
    """Put each line of *other* that is missing behind the one that it follows there."""
    bare = [each.rstrip("\r\n") for each in merged]
    place = 0
    for line in other:
        said = line.rstrip("\r\n")
        if not said or said in out:
            continue
        if said in bare:
            place = bare.index(said) + 1
            continue
        if place and not merged[place - 1].endswith("\n"):
            merged[place - 1] += "\n"
        merged.insert(place, line if line.endswith("\n") else f"{line}\n")
        bare.insert(place, said)
        place += 1


def _most_messages(title: str) -> tuple[int, str]:
    told = session_of(title.rstrip())
    return (told.messages if told else 0), title


class _Fold:
    """The *edits* of one note, in their order, as the parts of which they are."""

    def __init__(self, edits: Sequence[Edit]) -> None:
        self._edits = {each.id: each for each in edits}
        self._leads: dict[str, str] = {each: each for each in self._edits}
        for edit in edits:
            for other in edit.replaces:
                self._join(edit.id, other)
        self._join_alike()
        self._members: dict[str, list[Edit]] = defaultdict(list)
        for edit in edits:
            self._members[self._lead(edit.id)].append(edit)
        self._texts = {lead: self._text(lead) for lead in self._members}

    def in_order(self) -> list[Part]:
        """Return the parts that stand: ours by time, each other where it was put."""
        below: dict[str, list[str]] = defaultdict(list)
        for lead in self._members:
            if not self._is_ours(lead):
                below[self._place(lead)].append(lead)
        ours = [lead for lead in self._members if self._is_ours(lead)]
        ours.sort(key=lambda lead: (_time_of(self._texts[lead].text), lead))
        waiting = [*self._newest_first(below.pop("", ())), *ours][::-1]
        order: list[str] = []
        while waiting:
            order.append(lead := waiting.pop())
            waiting += self._newest_first(below.pop(lead, ()))[::-1]
        # Two parts may have been put behind each other.
        order += [lead for rest in below.values() for lead in rest if lead not in order]
        return [self._texts[lead] for lead in order if self._texts[lead].text]

    def _newest_first(self, leads: Iterable[str]) -> list[str]:
        return sorted(leads, key=lambda each: self._members[each][0].moment)[::-1]

    def _is_ours(self, lead: str) -> bool:
        return bool(_time_of(self._texts[lead].text))

    def _place(self, lead: str) -> str:
        """Return the part behind which the one of *lead* was put first, or ""."""
        after = self._members[lead][0].after
        place = self._lead(after) if after in self._edits else ""
        return "" if place == lead else place

    def _lead(self, name: str) -> str:
        while self._leads[name] != name:
            self._leads[name] = self._leads[self._leads[name]]
            name = self._leads[name]
        return name

    def _join(self, one: str, other: str) -> None:
        """Let both be of one part; an edit that has not come yet joins nothing."""
        if other in self._edits:
            first, second = sorted(
                (self._lead(one), self._lead(other)),
                key=lambda each: self._edits[each].moment,
            )
            self._leads[second] = first

    def _join_alike(self) -> None:
        """Let the parts of one title that machines began apart be one, each in turn."""
        replaced = {old for each in self._edits.values() for old in each.replaces}
        seen: dict[tuple[str, str], list[str]] = defaultdict(list)
        for name, edit in self._edits.items():
            lead = self._lead(name)
            title = title_of(edit.text)
            if edit.text and name not in replaced:
                begun = self._edits[lead].machine
                if lead not in seen[title, begun]:
                    seen[title, begun].append(lead)
        places: dict[tuple[str, int], str] = {}
        for (title, _), leads in seen.items():
            for number, lead in enumerate(leads):
                first = places.setdefault((title, number), lead)
                self._join(lead, first)

    def _text(self, lead: str) -> Part:
        members = self._members[lead]
        replaced = {old for each in members for old in each.replaces}
        heads = [each for each in members if each.id not in replaced]
        # What one took out while another wrote in it stays.
        living = [each for each in heads if each.text]
        known = [self._before(each) for each in living]
        text = merged_texts([each.text for each in living], known) if living else ""
        return Part(text, tuple(sorted(each.id for each in heads)))

    def _before(self, edit: Edit) -> list[str]:
        """Return the texts that the part had before *edit*, as its machine knew."""
        found, waiting = dict[str, str](), list(edit.replaces)
        while waiting:
            name = waiting.pop()
            if name in self._edits and name not in found:
                found[name] = self._edits[name].text
                waiting += self._edits[name].replaces
        return list(found.values())


def _time_of(part: str) -> tuple[str, ...]:
    """Return by what a part of ours is sorted, nothing for one of others."""
    title = title_of(part)
    if told := session_of(title):
        return told.time, told.label, f"{told.messages:09}"
    if found := OURS.match(title):
        return found["at"], ""
    day = DAY.match(title)
    return (day[1],) if day else ()


def _without_shorter(parts: Sequence[Part]) -> list[Part]:
    """Leave out a block of which another one of the same conversation says all."""
    blocks: dict[str, list[Part]] = defaultdict(list)
    for part in parts:
        if label := label_of(part.text):
            blocks[label].append(part)
    out = {
        short.heads
        for same in blocks.values()
        for short in same
        for long in same
        if _writers(short).isdisjoint(_writers(long)) and _is_within(short, long)
    }
    return [each for each in parts if each.heads not in out]


def _is_within(short: Part, long: Part) -> bool:
    few, many = (set(each.text.split("\n")[1:]) - {""} for each in (short, long))
    before, after = (session_of(title_of(each.text)) for each in (short, long))
    if not (few and before and after):
        return False
    return few <= many and before.messages < after.messages


def _set_apart(parts: Sequence[Part]) -> list[Part]:
    """Let each part begin a line, and one of another machine stand behind an empty one."""
    return [
        Part(_ended(each.text, _writers(each) != _writers(after)), each.heads)
        for each, after in pairwise(parts)
    ] + list(parts[-1:])


def _writers(part: Part) -> set[str]:
    return {name.rpartition(":")[0] for name in part.heads}


def _ended(text: str, apart: bool) -> str:  # noqa: FBT001 - of two kinds of gap
    ended = text if text.endswith("\n") else f"{text}\n"
    return f"{ended}\n" if apart and not ended.endswith("\n\n") else ended


def merged_notes(one: str, other: str) -> str:
    """
    Return what both versions of a note say, of which nobody knows what was before them.

    Which of them comes first does not matter, and what is in both is there once.
    """
    if one == other:
        return one
    edits = [edit for text in (one, other) for edit in _as_edits(text)]
    return "".join(part.text for part in folded_note(edits))


def is_version(text: str, note: str) -> bool:
    """Say whether *text* is another version of *note*, and no text of its own."""
    some, others = (
        {line.strip() for line in each.split("\n") if line.strip()}
        for each in (text, note)
    )
    shared, fewer = len(some & others), min(len(some), len(others))
    # What all notes of a day begin with proves little, unless there is no more.
    return fewer > 0 and (
        shared * _SHARE >= fewer or _titles(text) == _titles(note) != []
    )


def shares_parts(text: str, note: str) -> bool:
    """Say whether *text* and *note* have a part or half of their lines in common."""
    ours, theirs = (
        {part.strip() for part in parts_of(each)} - {title_of(each), ""}
        for each in (text, note)
    )
    bare, other = (
        "\n".join(line for line in each.split("\n") if not is_title(line.strip()))
        for each in (text, note)
    )
    return not ours.isdisjoint(theirs) or is_version(bare, other)


def _titles(text: str) -> list[str]:
    """Return the title of a note of Strata's, which no other one has."""
    first = next((line for line in text.split("\n") if line.strip()), "")
    return [first.strip()] if is_title(first) else []


def _as_edits(text: str) -> list[Edit]:
    writer = hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
    edits: list[Edit] = []
    for number, part in enumerate(parts_of(text)):
        after = edits[-1].id if edits else ""
        edits.append(Edit(writer, number, "", part, (), after))
    return edits
