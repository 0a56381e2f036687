"""What `strata forget` tells: what would go, what went, and the proof."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING

from strata.cli.printing import printable
from strata.messages import worded
from strata.workspace.scopes import PRIVATE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from strata.jobs.forgetting.forget import Plan
    from strata.jobs.forgetting.receipt import Receipt
    from strata.messages import Voice

_ROWS = 40


def plan_lines(planned: Plan, say: Voice, *, dry_run: bool) -> list[str]:
    """Return what *planned* would do, for people."""
    if planned.is_empty:
        return [say("nothing"), *([] if dry_run else [say("unlearned")])]
    rows = _plan_rows(planned, say)
    told = [say("would"), *rows[:_ROWS]]
    told += [say("rest", count=len(rows) - _ROWS)] if len(rows) > _ROWS else []
    # What a group says is shown to whoever names the group, and nowhere else.
    told += _by_scope(planned.counts, say)
    told += [say("name-a-scope")] if any(each.lines for each in planned.others) else []
    records = sum(each.records for each in planned.all)
    told += [say("records", count=records)] if records else []
    versions = sum(each.versions for each in planned.all)
    told += [say("versions", count=versions)] if versions else []
    objection = planned.objection
    return told + ([worded(objection, say.language)] if objection else [])


def _by_scope(counts: Mapping[str, int], say: Voice) -> list[str]:
    """Say how many lines are in which memory, where others than the owner's have any."""
    if not any(count for scope, count in counts.items() if scope != PRIVATE):
        return []
    names = {PRIVATE: say("private")}
    return [
        say("in-memory", count=count, memory=names.get(scope, scope))
        for scope, count in counts.items()
        if count
    ]


def _plan_rows(planned: Plan, say: Voice) -> list[str]:
    """Return a row for each line that would go; copies that say the same share one."""
    times = Counter(
        (document.path, said.number, document.place != "note", said.raw.strip())
        for document, lines in planned.lines
        for said in lines
    )
    return [
        f"  {path}:{number} {say('copies', count=count) + ' ' if copied else ''}"
        f"{printable(said)}"
        for (path, number, copied, said), count in times.items()
    ]


def plan_document(planned: Plan) -> dict[str, object]:
    """Return what *planned* would do, for programs."""
    return {
        "dry_run": True,
        "kind": planned.target.kind,
        "lines": [
            {
                "path": document.path,
                "line": said.number,
                "text": said.raw,
                "place": document.place,
            }
            for document, lines in planned.lines
            for said in lines
        ],
        "other_words": planned.other_words,
        "scopes": planned.counts,
        "journal_records": sum(each.records for each in planned.all),
        "git_versions": sum(each.versions for each in planned.all),
        "transcripts": [asdict(each) for each in planned.transcripts],
    }


def receipt_lines(receipt: Receipt, say: Voice) -> list[str]:
    """Return what *receipt* says, for people."""
    proof, files = receipt.proof, len(receipt.lines)
    lines, more = sum(receipt.lines.values()), sum(receipt.more.values())
    told = [say("gone", lines=lines, files=files, more=more, receipt=receipt.id)]
    told += _by_scope(receipt.scopes, say)
    if proof.holds:
        checks = [say(f"check-{check}") for check in proof.checks]
        told.append(say("proof", files=proof.files, checks=checks))
    told += [say("titled", path=path) for path in proof.named]
    told += [say("left", place=place) for place in proof.left]
    told += [say("unread", path=path) for path in proof.unread]
    told += [say("elsewhere", path=path) for path in proof.elsewhere]
    told += [
        say("near", text=near, cosine=cosine) for near, cosine in proof.neighbours[:1]
    ]
    if receipt.rewritten:
        done = receipt.rewritten
        told.append(say("git", **asdict(done)))
        told += [say("remote", remote=remote) for remote in done.remotes]
    elif receipt.history:
        told.append(say("history", count=receipt.history))
    told += [
        say("transcript", session=each.session[:8], count=each.messages, key=each.key)
        for each in receipt.transcripts
    ]
    return told
