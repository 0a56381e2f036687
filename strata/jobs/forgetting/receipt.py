"""The receipt of a forgetting: what went from where, what was searched, what remains."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from strata.jobs.forgetting.recognition import Recogniser

if TYPE_CHECKING:
    from strata.jobs.forgetting.history import Rewritten
    from strata.jobs.forgetting.proof import Proof
    from strata.jobs.forgetting.removal import Removed
    from strata.jobs.forgetting.transcribed import Remaining
    from strata.memory import Memory
    from strata.workspace.tombstones import Tombstone

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

    @classmethod
    def of(
        cls, memory: Memory, tombstone: Tombstone, removed: Removed, proof: Proof
    ) -> Receipt:
        """Return the receipt of what was *removed* for *tombstone*, and its *proof*."""
        at = memory.now.isoformat(timespec="seconds")
        more = {kind: count for kind, count in removed.more.items() if count}
        lines = dict(removed.lines)
        scopes = {memory.scope: sum(lines.values())}
        return cls(tombstone.id, at, tombstone.kind, lines, more, proof, scopes=scopes)

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
    """Keep *receipt* in `.strata/receipts` and note it in the journal."""
    folder = memory.workspace.layout.private / "receipts"
    text = json.dumps(_unnamed(memory, receipt), ensure_ascii=False, indent=1)
    # Half a sign, of a name that is no UTF-8, becomes an escape of JSON.
    content = text.encode("utf-8", "backslashreplace")
    memory.workspace.write_private(folder / f"{receipt.id}.json", content)
    memory.journal.append(
        [
            {
                "event": EVENT,
                "version": VERSION,
                "at": receipt.at,
                "id": "",
                "tombstone": receipt.id,
                "kind": receipt.kind,
                "lines": sum(receipt.lines.values()),
            }
        ]
    )


def _unnamed(memory: Memory, receipt: Receipt) -> dict[str, Any]:
    """Return *receipt* for a program, without names of files that say what it was."""
    known = Recogniser(memory.tombstones.seal, memory.tombstones.all())
    lines: Counter[str] = Counter()
    for path, count in receipt.lines.items():
        lines[known.unnamed(path)] += count
    proof = receipt.document()["proof"]
    for name in ("unread", "left", "named", "elsewhere"):
        proof[name] = [known.unnamed(path) for path in proof[name]]
    return receipt.document() | {"lines": lines, "proof": proof}
