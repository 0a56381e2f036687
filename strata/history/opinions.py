"""What models have said of candidates: asked once, and kept in the journal for good."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from strata.history.ledger import statement_id
from strata.history.names import OPINION
from strata.history.verdicts import sources

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from strata.history.records import Records
    from strata.judges.asked import Opinion
    from strata.models import Claim

VERSION = 2
# Why what memory says already gets no line of its own.
KNOWN = "known"
# Said so often, a statement is no other than when it was said once more.
_OFTEN = 3


@dataclass(slots=True)
class Opinions:
    """
    Every opinion that was ever given, by the wordings that it is about.

    A night without a model goes on with them, so that no line comes and goes with it.
    """

    _by_wording: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self._by_wording)

    def add(self, record: dict[str, Any]) -> None:
        """Take in *record*; it is newer than all others."""
        for name in _names(record):
            self._by_wording.setdefault(name, []).append(record)

    def of(self, claim: Claim) -> Opinion | None:
        """Return the newest opinion on exactly *claim*, else on a wording of it."""
        # What could not be trusted takes nothing from what could.
        found = [each for each in self._about(claim) if each.get("trusted") is True]
        if not found:
            return None
        names = wording_ids(claim)
        exact = [each for each in found if _names(each) == names]
        newest = _opinion((exact or found)[-1])
        if newest.why != KNOWN:
            return newest
        # It may be its own line that the model knew it from.
        kept = next((each for each in reversed(found) if not _why(each)), None)
        return replace(_opinion(kept), ends=newest.ends) if kept else newest

    def why_not(self, text: str) -> str:
        """Return why what is worded *text* got no line, in the newest opinion on it."""
        if not self._by_wording:
            return ""
        found = self._by_wording.get(statement_id(text), ())
        trusted = [each for each in found if each.get("trusted") is True]
        return _why(trusted[-1]) if trusted else ""

    def worded(self, claim: Claim) -> Claim:
        """Return *claim* with every wording that a model has given it."""
        texts = (str(each.get("text") or "") for each in self._about(claim))
        reworded = tuple(dict.fromkeys(text for text in texts if text))
        return replace(claim, reworded=reworded) if reworded else claim

    def is_given(self, claim: Claim, judge: str, prompt: str) -> bool:
        """Say whether *judge*, asked by *prompt*, has judged *claim* as it is now."""
        return any(
            is_about(each, claim)
            and (each.get("model"), each.get("prompt")) == (judge, prompt)
            for each in self._about(claim)
        )

    def _about(self, claim: Claim) -> list[dict[str, Any]]:
        found: dict[int, dict[str, Any]] = {}
        for name in sorted(wording_ids(claim)):
            for record in self._by_wording.get(name, ()):
                found[id(record)] = record
        return sorted(found.values(), key=lambda each: int(each["place"]))


def read_opinions(journal: Records) -> Opinions:
    """Return the opinions in *journal*; a broken record is none."""
    opinions = Opinions()
    for place, record in enumerate(journal.records(OPINION)):
        if _names(record) and isinstance(record.get("model"), str):
            opinions.add({**record, "place": place})
    return opinions


def opinion_record(claim: Claim, opinion: Opinion, *, at: str) -> dict[str, Any]:
    """Return the journal's record of *opinion* on *claim*."""
    given = {
        "text": opinion.text,
        "section": opinion.section,
        "importance": opinion.importance,
        "mistake": opinion.mistake,
        "why": opinion.why,
        "ends": list(opinion.ends),
        "triggers": list(opinion.triggers),
    }
    return {
        "event": OPINION,
        "version": VERSION,
        "at": at,
        "id": statement_id(claim.text),
        "wordings": sorted(wording_ids(claim)),
        "times": how_often(claim),
        "sources": sources(claim.mentions),
        "model": opinion.judge,
        "prompt": opinion.prompt,
        "trusted": opinion.trusted,
        **(given if opinion.trusted else {}),
    }


def is_about(record: dict[str, Any], claim: Claim) -> bool:
    """Say whether the opinion in *record* is on *claim* as it is now."""
    same = _names(record) == wording_ids(claim)
    return same and record.get("times") == how_often(claim)


def wording_ids(claim: Claim) -> frozenset[str]:
    """Return the ids of what was said, as it was said."""
    return frozenset(statement_id(mention.text) for mention in claim.mentions)


def how_often(claim: Claim) -> int:
    """Return in how many conversations *claim* was said; more than a few are as many."""
    return min(claim.conversations, _OFTEN)


def _names(record: dict[str, Any]) -> frozenset[str]:
    names = record.get("wordings")
    return frozenset(map(str, names)) if isinstance(names, list) else frozenset()


def _opinion(record: dict[str, Any]) -> Opinion:
    from strata.judges.asked import Opinion  # noqa: PLC0415 - cold start

    importance = record.get("importance")
    return Opinion(
        text=str(record.get("text", "")),
        section=str(record.get("section", "")),
        importance=importance if isinstance(importance, int) else 1,
        mistake=str(record.get("mistake", "")),
        why=_why(record),
        triggers=tuple(_strings(record.get("triggers"))),
        judge=str(record.get("model", "")),
        prompt=str(record.get("prompt", "")),
        ends=tuple(_strings(record.get("ends"))),
        trusted=record.get("trusted") is True,
    )


def _why(record: dict[str, Any]) -> str:
    """Return why there is no line; records of version 1 answer three questions."""
    if "broad" not in record:
        return str(record.get("why", "passing"))
    if record.get("alone") is not True:
        return "unclear"
    keeps = record["broad"] is True and record.get("mistake")
    return "" if keeps else "passing"


def _strings(value: object) -> Iterator[str]:
    listed: Iterable[object] = value if isinstance(value, list) else ()
    return (each for each in listed if isinstance(each, str))
