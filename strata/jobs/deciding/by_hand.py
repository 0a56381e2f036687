"""What a hand did to MEMORY.md since Strata wrote it, as the owner's decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from strata.history.ledger import statement_id
from strata.history.names import ADOPTED, BY_HAND, REWORDED
from strata.jobs.deciding.budget import section_of
from strata.notes.lines import said_by
from strata.notes.long_term import placed_lines
from strata.notes.markdown import heading
from strata.statements.relations import Relation, folded_terms, relation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from strata.history.ledger import Ledger
    from strata.history.verdicts import Stamp
    from strata.notes.long_term import Section

# So much of the shorter one says what two wordings have in common.
_SHARE = 3
_HANZI = range(0x3400, 0xA000)


class Spoken(NamedTuple):
    """A statement where it stands; of one that went, *record* is what the journal has."""

    section: Section | None
    text: str
    raw: str = ""
    record: Mapping[str, Any] = {}


def hand_records(
    text: str, ledger: Ledger, stamp: Stamp, saved_at: str
) -> list[dict[str, Any]]:
    """
    Return what the journal shall say of the lines that a hand changed, took out or wrote.

    A changed line is the owner's newest word on what it said before; where lines became
    one, or one became several, all of them are. The page was *saved_at* last. One that was
    lost tells nothing.
    """
    if not text.strip():
        return []
    fresh, standing = _read(text, ledger)
    gone = list(_gone(ledger, standing))
    heirs = heirs_of(gone, fresh)
    records = [
        _reworded(old, its, stamp)
        if its
        else _declined(old, stamp) | {"saved_at": saved_at}
        for old, its in zip(gone, heirs, strict=True)
    ]
    for line in fresh:
        before = [old for old, its in zip(gone, heirs, strict=True) if line in its]
        records.append(_adopted(line, before, stamp) | {"saved_at": saved_at})
    return records


def human_lines(text: str, ledger: Ledger) -> Iterator[tuple[Section | None, str]]:
    """Yield the lines of the page *text* that say something and are not Strata's."""
    for section, line in placed_lines(text):
        said = any(map(str.isalnum, said_by(line)))
        framed = heading(line) or line.lstrip("\ufeff").startswith(">")
        ours = ledger.lines.get(line)
        if said and not framed and (ours is None or ours.get("id") in ledger.taken):
            yield section, line


def _read(text: str, ledger: Ledger) -> tuple[list[Spoken], set[str]]:
    """Return the human lines that are new, and every line that stands, raw or by its id."""
    adopted, fresh = ledger.adopted(), dict[str, Spoken]()
    standing = {line for _, line in placed_lines(text)}
    for section, line in human_lines(text, ledger):
        said = said_by(line)
        name = statement_id(said)
        standing.add(name)
        if name not in adopted:
            fresh.setdefault(name, Spoken(section, said, line))
    return list(fresh.values()), standing


def _gone(ledger: Ledger, standing: set[str]) -> Iterator[Spoken]:
    for record in ledger.written():
        if record["line"] not in standing:
            yield _of_record(record)
    for name, record in ledger.adopted().items():
        if name not in standing:
            yield _of_record(record)


def _of_record(record: Mapping[str, Any]) -> Spoken:
    section = record.get("section")
    place = section_of(str(section)) if section else None
    return Spoken(place, str(record.get("text")), str(record.get("line")), record)


def heirs_of(gone: Sequence[Spoken], fresh: Sequence[Spoken]) -> list[list[Spoken]]:
    """Return for each of *gone* those of *fresh* that say it in other words."""
    heirs = [[line for line in fresh if is_alike(old, line)] for old in gone]
    taken = {line.text for each in heirs for line in each}
    for section in {old.section for old in gone}:
        rest = [
            place
            for place, old in enumerate(gone)
            if old.section is section and not heirs[place]
        ]
        here = (line for line in fresh if line.section is section)
        new = [line for line in here if line.text not in taken]
        for place, lines in zip(rest, _in_place(gone, rest, new), strict=True):
            heirs[place] = lines
    return heirs


def _in_place(
    gone: Sequence[Spoken], rest: Sequence[int], new: Sequence[Spoken]
) -> list[list[Spoken]]:
    """Return the heirs of lines that nothing else explains: what stands in their place."""
    if len(rest) == len(new):
        return [[line] for line in new]
    # A translation shares no word; what nobody knows the words of may be anything.
    texts = [gone[place].text for place in rest]
    return [
        [each for each in new if not text or _is_hanzi(each.text) != _is_hanzi(text)]
        for text in texts
    ]


def is_alike(old: Spoken, new: Spoken) -> bool:
    """Say whether the two are about one thing, in either language."""
    if statement_id(old.text) == statement_id(new.text):
        return True
    if not old.text:
        return False
    one, other = folded_terms(old.text), folded_terms(new.text)
    shared = one & other
    return bool(shared) and (
        _SHARE * len(shared) >= min(len(one), len(other))
        or relation(old.text, new.text) is not Relation.DIFFERENT
    )


def _is_hanzi(text: str) -> bool:
    return any(ord(sign) in _HANZI for sign in text)


def _declined(old: Spoken, stamp: Stamp) -> dict[str, Any]:
    return {
        **_told("declined", old, stamp),
        "reason": "the line was taken out of MEMORY.md by hand",
    }


def _reworded(old: Spoken, heirs: Sequence[Spoken], stamp: Stamp) -> dict[str, Any]:
    words = " / ".join(line.text for line in heirs)
    return {
        **_told(REWORDED, old, stamp),
        "reason": f"you changed it by hand: {words}",
        "by": statement_id(heirs[0].text),
    }


def _told(event: str, old: Spoken, stamp: Stamp) -> dict[str, Any]:
    kept = ("id", "text", "section", "line", "sources")
    return {
        "event": event,
        **stamp.base,
        **{key: old.record[key] for key in kept if key in old.record},
        "dimension": BY_HAND,
    }


def _adopted(line: Spoken, before: Iterable[Spoken], stamp: Stamp) -> dict[str, Any]:
    """Return the record of a human line, with the evidence of what it says anew."""
    sources = [s for old in before for s in old.record.get("sources") or ()]
    section = {"section": line.section.value} if line.section else {}
    return {
        "event": ADOPTED,
        **stamp.base,
        "id": statement_id(line.text),
        "text": line.text,
        "line": line.raw,
        **section,
        **({"sources": sources} if sources else {}),
        "origin": "owner",
    }
