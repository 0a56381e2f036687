"""What memory does not hold any more: the owner declined it, or nobody meant it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.history.decisions import decisions
from strata.history.evidence import records_in
from strata.history.ledger import statement_id
from strata.history.names import DELETED, OF_STATEMENTS, OPINION, UNDONE
from strata.history.opinions import read_opinions
from strata.notes.marks import untagged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from strata.history.records import Records

# What a model found no statement at all is nowhere told as one.
_GONE = frozenset({"joke", "taken back"})


def gone_from(journal: Records) -> Callable[[str], str]:
    """Return what tells why a statement does not count any more, "" where it does."""
    decided = decisions(journal)
    # What an undo took back was not declined: it waits for the owner's word.
    declined = {
        name: text
        for name, text in decided.declined.items()
        if decided.refusals[name][0] != UNDONE
    }
    texts = frozenset(declined.values())
    opinions = read_opinions(journal)

    def gone(text: str) -> str:
        if declined and (text in texts or statement_id(text) in declined):
            return "declined"
        why = opinions.why_not(text)
        return why if why in _GONE else ""

    return gone


def taken_back(journal: Records) -> Iterator[tuple[str, str]]:
    """Yield every wording of what does not count any more, with the moment of the no."""
    declined, opinions = decisions(journal).declined, read_opinions(journal)
    records = list(journal.records(*OF_STATEMENTS, OPINION))
    moments = {
        record.get("id"): str(record.get("at") or "")
        for record in records
        if record["event"] in {"declined", DELETED}
    }
    for record in records:
        name = record.get("id")
        if record["event"] == OPINION:
            at = str(record.get("at") or "")
            for words in wordings(record):
                if opinions.why_not(words) in _GONE:
                    yield words, at
        elif name in declined:
            for words in wordings(record):
                yield words, moments.get(name, "")


def wordings(record: dict[str, Any]) -> Iterator[str]:
    """Yield how *record* words its statement, and the entries that it rests on."""
    yield str(record.get("text") or "")
    for source in records_in(record.get("sources")):
        yield untagged(str(source.get("entry") or ""))
