"""What a forgetting would take, and what it took, told to its owner."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from strata.messages import Notice, on_one_line
from strata.workspace.scopes import PRIVATE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from strata.jobs.forgetting.planning import Plan
    from strata.jobs.forgetting.receipt import Proof, Receipt
    from strata.messages import Voice


_MOST_UNSURE = 20


@dataclass(frozen=True, slots=True)
class Row:
    """A line that would go from *path*, and in how many copies where it is *copied*."""

    path: str
    number: int
    copied: bool
    text: str
    count: int


def rows_of(planned: Plan) -> list[Row]:
    """Return a row for each line that would go; copies that say the same share one."""
    times = Counter(
        (document.path, said.number, document.place != "note", said.raw.strip())
        for document, lines in planned.lines
        for said in lines
    )
    return [Row(*line, count) for line, count in times.items()]


def by_scope(counts: Mapping[str, int], say: Voice) -> list[str]:
    """Say how many lines are in which memory, where others than the owner's have any."""
    if not any(count for scope, count in counts.items() if scope != PRIVATE):
        return []
    names = {PRIVATE: say("private")}
    return [
        say("in-memory", count=count, memory=names.get(scope, scope))
        for scope, count in counts.items()
        if count
    ]


def unsure_lines(planned: Plan, say: Voice) -> list[str]:
    """Return the lines of this memory that stay, and may tell of the same one."""
    told = [
        f"  {each.path}:{each.number} {on_one_line(each.shown)}"
        for each in planned.chosen.unsure
    ]
    rest = [say("rest", count=len(told) - _MOST_UNSURE)] if told[_MOST_UNSURE:] else []
    return [say("unsure"), *told[:_MOST_UNSURE], *rest] if told else []


def receipt_lines(receipt: Receipt, say: Voice) -> list[str]:
    """Return what *receipt* says, for people."""
    lines, more = sum(receipt.lines.values()), sum(receipt.more.values())
    gone = "gone" if lines or more else "none-gone"
    counts = {
        "lines": Notice("count.said-lines", count=lines),
        "files": Notice("count.files", count=len(receipt.lines)),
        "more": Notice("count.other-places", count=more),
    }
    told = [say(gone, **counts, receipt=receipt.id)]
    told += by_scope(receipt.scopes, say)
    told += proof_lines(receipt.proof, say)
    told += _git_lines(receipt, say)
    for each in receipt.transcripts:
        told.append(say("transcript", session=each.session[:8], count=each.messages))
        told += [say("whole-session", key=each.key)] if each.key else []
    return told


def proof_lines(proof: Proof, say: Voice) -> list[str]:
    """Return what *proof* found, for people."""
    told = []
    if proof.holds:
        checks = [say(f"check-{check}") for check in proof.checks]
        read_again = Notice("count.files", count=proof.files)
        told.append(say("proof", files=read_again, checks=checks))
    told += [say("titled", path=path) for path in proof.named]
    told += [say("left", place=place) for place in proof.left]
    told += [say("unread", path=path) for path in proof.unread]
    told += [say("elsewhere", path=path) for path in proof.elsewhere]
    nearest = proof.neighbours[:1]
    return told + [say("near", text=near, cosine=cosine) for near, cosine in nearest]


def _git_lines(receipt: Receipt, say: Voice) -> Iterator[str]:
    if receipt.rewritten:
        done = receipt.rewritten
        yield say("git", **asdict(done))
        yield from (say("remote", remote=remote) for remote in done.remotes)
    elif receipt.history:
        yield say("history", count=receipt.history)
