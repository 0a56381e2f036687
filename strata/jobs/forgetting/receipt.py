"""The receipt of a forgetting: what went from where, what was searched, what remains."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from strata.jobs.forgetting.proof import PLACES
from strata.jobs.forgetting.recognition import Recogniser

if TYPE_CHECKING:
    from strata.jobs.forgetting.known import Remaining
    from strata.jobs.forgetting.proof import Proof
    from strata.memory import Memory
    from strata.workspace.git_history import Rewritten

VERSION = 1
EVENT = "forgotten"


@dataclass(slots=True)
class Receipt:
    """
    One forgetting, told without a word of what it was.

    *history* is in how many versions git still has it, *rewritten* what was done to that.
    *scopes* counts the lines of each memory that was looked through, the owner's first.
    """

    id: str
    at: str
    kind: str
    lines: dict[str, int]
    more: dict[str, int]
    proof: Proof
    transcripts: list[Remaining] = field(default_factory=list)
    history: int = 0
    rewritten: Rewritten | None = None
    scopes: dict[str, int] = field(default_factory=dict)

    def take_in(self, other: Receipt, prefix: str) -> None:
        """Add what was done in another memory, whose folder is *prefix*."""
        self.lines |= {prefix + path: count for path, count in other.lines.items()}
        self.more = dict(Counter(self.more) + Counter(other.more))
        self.proof.take_in(other.proof, prefix)
        self.history += other.history
        self.scopes |= other.scopes
        if other.rewritten:
            self.rewritten = other.rewritten.after(self.rewritten)

    def document(self) -> dict[str, Any]:
        """Return it for a program."""
        return {"version": VERSION, **asdict(self), "proved": self.proof.holds}


def keep_receipt(memory: Memory, receipt: Receipt) -> None:
    """
    Keep *receipt* in `.strata/receipts` and note it in the journal.

    Names of files that say what was forgotten stay out of it.
    """
    known = Recogniser(memory.tombstones.seal, memory.tombstones.all())
    document = receipt.document()
    document["lines"] = Counter[str]()
    for path, count in receipt.lines.items():
        document["lines"][known.unnamed(path)] += count
    for name in PLACES:
        paths = document["proof"][name]
        document["proof"][name] = [known.unnamed(path) for path in paths]
    text = json.dumps(document, ensure_ascii=False, indent=1)
    file = memory.workspace.layout.private / "receipts" / f"{receipt.id}.json"
    # Half a sign, of a name that is no UTF-8, becomes an escape of JSON.
    memory.workspace.write_private(file, text.encode("utf-8", "backslashreplace"))
    record = {
        "event": EVENT,
        "version": VERSION,
        "at": receipt.at,
        "id": "",
        "tombstone": receipt.id,
        "kind": receipt.kind,
        "lines": sum(receipt.lines.values()),
    }
    memory.journal.append([record])
