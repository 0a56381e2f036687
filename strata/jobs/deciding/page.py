"""The plan for MEMORY.md: its next text, and the journal's record of each change."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from strata.history.ledger import statement_id
from strata.history.names import REWORDED, WRITTEN
from strata.history.outcomes import Refused
from strata.history.verdicts import Stamp, departed, promoted, source_key, verdict
from strata.jobs.deciding.budget import Standing, fit, wanted_lines
from strata.jobs.deciding.considering import ids_of
from strata.jobs.deciding.theirs import Theirs, theirs_of
from strata.jobs.deciding.whereabouts import Whereabouts
from strata.notes.lines import said_by
from strata.notes.long_term import bare_lines, compose, fits, in_language, size_of
from strata.notes.marks import KEEP
from strata.statements.relations import Relation, folded_terms, relation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date

    from strata.history.decisions import Decisions
    from strata.history.ledger import Ledger
    from strata.history.outcomes import Admitted, Considered
    from strata.jobs.deciding.budget import Place
    from strata.models import Language


@dataclass(slots=True)
class Plan:
    """What MEMORY.md becomes, and what the journal says of it."""

    text: str
    records: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Basis:
    """All that a plan rests on beside the page itself."""

    considered: Considered
    ledger: Ledger
    decided: Decisions
    today: date
    stamp: Stamp
    recalled: Mapping[str, int] = field(default_factory=dict)
    language: Language = "en"


def plan_page(text: str, basis: Basis) -> Plan:
    """Return what MEMORY.md *text* should become, given *basis*."""
    return _Planning(text, basis).plan()


class _Planning:
    def __init__(self, text: str, basis: Basis) -> None:
        self._before, self._basis = text, basis
        self._text = text = in_language(text, basis.language)
        self._considered = considered = basis.considered
        self._ledger = ledger = basis.ledger
        self._decided = basis.decided
        self._today = basis.today
        self._stamp = basis.stamp
        self._recalled = basis.recalled
        self._present = {
            line: ledger.lines[line]
            for line in bare_lines(text)
            if line in ledger.lines
        }
        self._whereabouts = Whereabouts(text, self._present, ledger)
        self._humans = list(theirs_of(text, ledger))
        self._refused = [self._said_anew(each) or each for each in considered.refused]

    def plan(self) -> Plan:
        staying = self._staying()
        ours = self._present.keys() - staying
        replaced = self._replaced()
        self._humans = [each for each in self._humans if each.line not in replaced]
        admitted = self._without_duplicates(staying)
        present = {str(record.get("id")) for record in self._present.values()}
        elsewhere, language = self._whereabouts.put_elsewhere, self._basis.language
        told = [e.id for e in self._decided.remembered if e.at == self._stamp.at]
        standing = Standing(
            present, self._recalled, self._today, elsewhere, language, told
        )
        kept, evicted = fit(self._text, ours, admitted, standing)
        self._refused += [_without_room(place, standing) for place in evicted]
        wanted = wanted_lines(kept)
        worded = self._reworded_in_place(kept)
        text = compose(
            _with_words(self._text, worded),
            ours | replaced.keys() | set(worded.values()),
            wanted,
            {*elsewhere, *worded.values()},
            language,
        )
        if not fits(text) and size_of(text) > size_of(self._text):
            # What others wrote fills the page already: what stands is left as it is.
            return Plan(self._before)
        if not kept and not ours:
            text = self._before
        lines = {place.line for place in kept}
        records = [
            *self._promoted(kept),
            *self._departures(ours - lines, kept),
            *self._verdicts(ours - lines),
            *replaced.values(),
        ]
        return Plan(text, records)

    def _reworded_in_place(self, kept: Sequence[Place]) -> dict[str, str]:
        """Return the new words of lines that somebody has put where they stand."""
        held = {str(record["id"]): line for line, record in self._present.items()}
        worded = {}
        for place in kept:
            names = ids_of(place.admitted.claim) | {place.admitted.id}
            old = next((held[name] for name in sorted(names) if name in held), None)
            moved = old in self._whereabouts.put_elsewhere
            if old is not None and moved and old != place.line:
                worded[old] = place.line
        return worded

    def _staying(self) -> set[str]:
        """Return the lines that must stay as they stand: pinned, or their note is gone."""
        sure = {i for each in self._considered.admitted for i in ids_of(each.claim)}
        known = sure | {i for each in self._refused for i in ids_of(each.claim)}
        return {
            line
            for line, record in self._present.items()
            if (KEEP.search(line) and not self._decided_on(record["id"]))
            or (record["id"] in self._decided.pinned and record["id"] not in sure)
            or (
                record["id"] not in known
                and record["event"] in WRITTEN
                and self._lost(record)
            )
        }

    def _decided_on(self, name: str) -> bool:
        """Say whether the journal knows if a line is kept, whatever the page marks."""
        decided = self._decided
        return any(
            name in ids for ids in (decided.pinned, decided.released, decided.declined)
        )

    def _lost(self, record: dict[str, Any]) -> bool:
        """Say whether no note of the record's sources is there any more."""
        return not any(
            source.get("day") in self._stamp.days
            for source in record.get("sources") or ()
        )

    def _without_duplicates(self, staying: set[str]) -> list[Admitted]:
        theirs = [*self._humans, *(Theirs(said_by(line)) for line in sorted(staying))]
        admitted = []
        for each in self._considered.admitted:
            if refused := self._beside(theirs, each):
                self._refused.append(refused)
            else:
                admitted.append(each)
        return admitted

    def _replaced(self) -> dict[str, dict[str, Any]]:
        """
        Return the records of a hand's lines that leave, by the line.

        What contradicts one has waited, and the owner has accepted it just now.
        """
        adopted, last = self._ledger.adopted(), self._ledger.last
        found = {}
        for each in self._considered.admitted:
            if last.get(each.id, {}).get("event") != "accepted":
                continue
            for line in self._humans:
                record = adopted.get(statement_id(line.text))
                related = self._related(line, each)
                if record and related not in {Relation.SAME, Relation.DIFFERENT}:
                    why = ("superseded", "consistent", f"replaced by: {each.text}")
                    found[line.line] = departed(record, (*why, each.id), self._stamp)
        return found

    def _beside(self, theirs: Sequence[Theirs], admitted: Admitted) -> Refused | None:
        """Say why *admitted* may not stand beside lines that are not Strata's to change."""
        if admitted.explicit:
            return None
        for line in theirs:
            related = self._related(line, admitted)
            if related is not Relation.DIFFERENT:
                return line.refuses(admitted, related)
        return None

    def _said_anew(self, old: Refused) -> Refused | None:
        """Let wait what a hand had put otherwise, and the owner has said since then."""
        if old.dimension != REWORDED:
            return None
        for line in self._humans:
            related = relation(line.text, old.text) if line.is_older(old) else None
            if related in {Relation.UPDATES, Relation.CONTRADICTS}:
                return line.refuses(old, related)
        return None

    def _related(self, line: Theirs, admitted: Admitted) -> Relation:
        """Return what *admitted* is to a line that is not Strata's to change."""
        terms = folded_terms(admitted.text)
        # Without a word in common two statements are different; comparing takes time.
        alike = not terms.isdisjoint(folded_terms(line.text))
        if alike or line.text == admitted.text:
            related = relation(line.text, admitted.text)
            if related is not Relation.DIFFERENT:
                return related
        return (
            Relation.UPDATES if self._succeeds(line, admitted) else Relation.DIFFERENT
        )

    def _succeeds(self, line: Theirs, admitted: Admitted) -> bool:
        """Say whether *admitted* took the place of what *line* is a new wording of."""
        return any(
            old.by == admitted.id and not line.entries.isdisjoint(ids_of(old.claim))
            for old in self._considered.refused
            if old.event == "superseded"
        )

    def _promoted(self, kept: Sequence[Place]) -> Iterator[dict[str, Any]]:
        for place in kept:
            if not self._whereabouts.holds(place):
                known = self._line_of(place.admitted)
                event = (
                    "merged"
                    if known and known["id"] == place.admitted.id
                    else "promoted"
                )
                yield promoted(event, place.admitted, place.line, self._stamp)

    def _line_of(self, admitted: Admitted) -> dict[str, Any] | None:
        names = ids_of(admitted.claim) | {admitted.id}
        return next((r for r in self._present.values() if r["id"] in names), None)

    def _departures(
        self, gone: set[str], kept: Sequence[Place]
    ) -> Iterator[dict[str, Any]]:
        """Tell why each line that leaves does so."""
        heirs = {i: place for place in kept for i in ids_of(place.admitted.claim)}
        heirs |= {place.admitted.id: place for place in kept}
        # Another version may word it otherwise; the entries behind it are the same.
        resting = {
            (mention.day.isoformat(), mention.entry): place
            for place in kept
            for mention in place.admitted.claim.mentions
        }
        for line in sorted(gone):
            record = self._present[line]
            sources = map(source_key, record.get("sources") or ())
            heir = heirs.get(record["id"]) or next(
                (resting[key] for key in sources if key in resting), None
            )
            if heir is None:
                yield departed(record, self._reason(record), self._stamp)
            elif heir.admitted.id != record["id"]:
                yield departed(
                    record,
                    (
                        "merged",
                        "not_duplicate",
                        "a fuller wording took its place",
                        heir.admitted.id,
                    ),
                    self._stamp,
                )

    def _reason(self, record: dict[str, Any]) -> tuple[str, str, str, str]:
        for each in self._refused:
            if record["id"] in ids_of(each.claim) | {statement_id(each.text)}:
                event = (
                    "expired" if each.event in {"rejected", "waiting"} else each.event
                )
                return event, each.dimension, each.reason, each.by
        return (
            "expired",
            "origin",
            "the entry on which it rested is no longer in the notes",
            "",
        )

    def _verdicts(self, gone: set[str]) -> Iterator[dict[str, Any]]:
        """Tell of each thing that has no line, unless the journal says the same already."""
        leaving = {str(self._present[line]["id"]) for line in gone}
        seen: set[str] = set()
        for each in self._refused:
            record = verdict(each, self._stamp)
            if record["id"] in seen or record["id"] in leaving:
                continue
            seen.add(record["id"])
            if self._ledger.is_news(record):
                yield record


def _without_room(place: Place, standing: Standing) -> Refused:
    """Tell of what has no place; what the owner asked for waits for one."""
    admitted = place.admitted
    where = ", ".join(sorted({mention.path for mention in admitted.claim.mentions}))
    waits = admitted.explicit and admitted.id not in standing.present
    reason = (
        "memory is full of lines that are not worth less; it enters as soon as one goes"
        if waits
        else f"memory is full and its value of {place.value:.2f} is the least; "
        f"it is still in {where}"
    )
    return Refused(
        "waiting" if waits else "evicted",
        admitted.claim,
        admitted.text,
        "budget",
        reason,
        judgement=admitted.judgement,
    )


def _with_words(text: str, worded: Mapping[str, str]) -> str:
    lines, left = text.split("\n"), dict(worded)
    for place, line in enumerate(lines):
        bare = line.rstrip("\r")
        if bare in left:
            lines[place] = left.pop(bare) + line[len(bare) :]
    return "\n".join(lines)
