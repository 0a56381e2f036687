"""The receipts that were kept, and the proof once more, of memory as it is by now."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any

from strata.errors import DecryptionFailed, NotFound
from strata.jobs.forgetting.planning import scopes_of
from strata.jobs.forgetting.receipt import (
    Proof,
    Receipt,
    Remaining,
    prove,
    receipts_folder,
)
from strata.jobs.forgetting.recognition import Recogniser
from strata.workspace import stored
from strata.workspace.git_history import Rewritten

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.memory import Memory
    from strata.workspace.tombstones import Tombstone


def kept_receipts(memory: Memory) -> list[Receipt]:
    """Return the receipts that *memory* has kept, the newest first."""
    return sorted(_receipts(memory), key=lambda each: each.at, reverse=True)


def kept_receipt(memory: Memory, name: str) -> Receipt:
    """Return the receipt *name*; raise `NotFound` where it is not kept."""
    for each in _receipts(memory):
        if each.id == name:
            return each
    raise NotFound.of("forget.no-receipt", id=name)


def prove_again(memory: Memory, name: str) -> Proof:
    """
    Look for what was forgotten with the receipt *name*, wherever that was done.

    By now nobody knows its words, so that their hashes are compared. What the owner said
    anew since is no sign of it.
    """
    for tombstone in memory.tombstones.all():
        if tombstone.id == name:
            return _proved(memory, tombstone)
    raise NotFound.of("forget.no-receipt", id=name)


def _proved(memory: Memory, tombstone: Tombstone) -> Proof:
    proof = _proved_in(memory, tombstone)
    for each in scopes_of(memory) if tombstone.everywhere else []:
        share = tombstone.within(each.scope)
        proof.take_in(_proved_in(each, share), each.path_in_private(""))
    return proof


def _proved_in(memory: Memory, tombstone: Tombstone) -> Proof:
    tombstones = memory.tombstones
    known = Recogniser(tombstones.seal, [tombstone], tombstones.lifted())
    return prove(memory, known, None, [], until=datetime.fromisoformat(tombstone.at))


def _receipts(memory: Memory) -> Iterator[Receipt]:
    for file in sorted(receipts_folder(memory).glob("*.json")):
        # Somebody may have edited it, or brought half of it back from a backup.
        with suppress(OSError, ValueError, TypeError, KeyError, DecryptionFailed):
            yield _receipt(json.loads(stored.read(file)))


def _receipt(document: dict[str, Any]) -> Receipt:  # Any: it is JSON
    known = {name: document[name] for name in Receipt.__slots__}
    proof = {name: known["proof"][name] for name in Proof.__slots__}
    near = [(str(place), float(cosine)) for place, cosine in proof["neighbours"]]
    rewritten = known["rewritten"]
    known |= {
        "proof": Proof(**(proof | {"neighbours": near})),
        "transcripts": [Remaining(**each) for each in known["transcripts"]],
        "rewritten": rewritten and Rewritten(**rewritten),
    }
    return Receipt(**known)
