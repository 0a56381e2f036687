"""`strata review`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from strata.cli.options import by_agent, open_memory, tell, wants_json
from strata.cli.showing import padded
from strata.cli.speaking import say, voice
from strata.errors import NotAccepted, UsageError
from strata.history.names import PERSONAL, SHARED
from strata.history.statements import KINDS, MASKED_KINDS
from strata.jobs.capturing.vouching import refuse_unvouched
from strata.jobs.deciding.outcomes import outcome, told_text
from strata.jobs.deciding.reasons import reason_in
from strata.jobs.deciding.verdict_list import (
    ACTIONS,
    ALL,
    find_statement,
    is_unsure,
    short_ids,
    statements,
)
from strata.jobs.update import refresh
from strata.messages import Voice, minute, on_one_line, worded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.history.statements import Statement
    from strata.jobs.review import ReviewReport
    from strata.memory import Memory

_ROWS = 20
_RECORDED = (
    *("at", "section", "dimension", "reason", "by"),
    *("origin", "session", "message", "tool", "source"),
)


@click.command
@click.argument("action", default="list", type=click.Choice(["list", *ACTIONS]))
@click.argument("names", metavar="[ID…|all] [TEXT]", nargs=-1)
@click.option("--kind", type=click.Choice(KINDS), multiple=True, help="Only these.")
@click.option(
    "-n", "rows", metavar="K", type=click.IntRange(1), default=_ROWS, help="So many."
)
@click.pass_context
def review(
    context: click.Context,
    action: str,
    names: tuple[str, ...],
    kind: tuple[str, ...],
    rows: int,
) -> int:
    """List what memory took, refused or let go, and why; or decide about one."""
    if action == "list":
        return _list(context, kind, rows)
    wording = " ".join(names[1:]).strip() if action == "edit" else ""
    if not names or (action == "edit" and not wording):
        shape = "ID TEXT" if action == "edit" else "ID"
        raise UsageError.of("review.write", action=action, shape=shape)
    # A list judges nothing, and what does takes longer to load than a list to show.
    from strata.jobs.review import review as run_review  # noqa: PLC0415

    memory = open_memory(context)
    if by_agent():
        _refuse_agent(memory, action, names, wording)
    report = run_review(memory, action, names[:1] if wording else names, wording)
    refresh(memory, report.paths, say=say)
    entries = [_row(each, each.id) for each in report.statements]
    left = [_row(each, each.id) for each in report.left]
    document = {"action": action, "entries": entries, "left": left}
    document["in_vain"] = [each.id for each in report.in_vain]
    if entries or left or wants_json(context):
        tell(context, document, _decided(memory, report))
    return 0 if report.statements and not report.in_vain else 1


def _decided(memory: Memory, report: ReviewReport) -> Iterator[str]:
    """Say what was done, and list what the owner has to name, with the ids that do."""
    say = voice("review", memory)
    yield from (outcome(each, say) for each in report.statements)
    if report.left:
        short = short_ids(each.id for each in statements(memory))
        yield say("left-over")
        for each in report.left:
            yield from _lines(each, short[each.id], say)


def _refuse_agent(
    memory: Memory, action: str, names: tuple[str, ...], wording: str
) -> None:
    """Let an agent put in no words that its owner did not say."""
    if wording:
        refuse_unvouched(memory, wording)
    elif action == "accept" and names[:1] != (ALL,):
        for each in (find_statement(memory, name) for name in names):
            if each.kind in MASKED_KINDS:
                raise NotAccepted.of("review.only-the-owner")
            if each.wanted == SHARED:
                raise NotAccepted.of("share.owner-only")
            if each.wanted == PERSONAL:
                raise NotAccepted.of("personal.only-the-owner")
            if is_unsure(each):
                refuse_unvouched(memory, each.text)


def _list(context: click.Context, kinds: tuple[str, ...], rows: int) -> int:
    memory = open_memory(context)
    known = statements(memory)
    short = short_ids(each.id for each in known)
    shown = kinds or [kind for kind in KINDS if kind not in MASKED_KINDS]
    chosen = [each for each in known if each.kind in shown]
    say = voice("review", memory)
    lines = [
        line for each in chosen[:rows] for line in _lines(each, short[each.id], say)
    ]
    if len(chosen) > rows:
        lines.append(say("rest", count=len(chosen) - rows))
    counts = Counter(each.kind for each in known)
    parts = [
        say("count-of-kind", number=counts[kind], kind=say(f"kind-{kind}"))
        for kind in KINDS
        if counts[kind]
    ]
    told = worded(parts, say.language)
    how = say("how-in-scope", scope=memory.scope) if memory.parent else say("how")
    lines.append(f"{told}{how}" if told else say("nothing-to-review"))
    elsewhere = dict(_waiting_elsewhere(memory))
    lines += [
        say("waits-elsewhere", count=count, scope=scope)
        for scope, count in elsewhere.items()
    ]
    if obstacle := _not_read(memory, known):
        lines.append(say("nothing-for-person", why=worded(obstacle, say.language)))
    document = {"entries": [_row(each, short[each.id]) for each in chosen]}
    tell(context, {**document, "waiting_elsewhere": elsewhere}, lines)
    return 0


def _waiting_elsewhere(memory: Memory) -> Iterator[tuple[str, int]]:
    """Give how many statements wait for the owner's word in each scope, if any do."""
    for scope in () if memory.parent else memory.scopes.names():
        known = statements(memory.within(scope))
        if count := sum(each.kind == "waiting" for each in known):
            yield scope, count


def _not_read(memory: Memory, known: list[Statement]) -> str:
    """Return why nothing of this person's page is proposed to be read to them, or ""."""
    if memory.parent is None or not memory.is_of_one:
        return ""
    from strata.jobs.personal import why_not, wishes  # noqa: PLC0415 - few ask

    return (why_not(memory) or "") if wishes(memory, known) else ""


def _lines(each: Statement, short: str, say: Voice) -> list[str]:
    when = minute(str(each.record.get("at", "")))
    head = f"{padded(short, 6)}{when}  {padded(say(f'kind-{each.kind}'), 12)}"
    remarks = [
        f"MEMORY.md:{each.line}" if each.line else "",
        say("kind-pinned") if each.pinned and each.kind == "promoted" else "",
        reason_in(say.language, each.record),
        say("judged-with", model=model) if (model := each.record.get("model")) else "",
        *(_whence(each, say) if each.record.get("message") else ()),
    ]
    remark = " · ".join(part for part in remarks if part)
    lines = [f"{head}{told_text(each, say)}"]
    return [*lines, f"{' ' * 8}{on_one_line(remark)}"] if remark else lines


def _whence(each: Statement, say: Voice) -> Iterator[str]:
    """Give how somebody else's words came into which conversation."""
    told = " ".join(str(each.record.get(name) or "") for name in ("tool", "source"))
    yield say("from", whence=told.strip()) if told.strip() else say("pasted")
    yield say("talk", session=str(each.record.get("session", ""))[:8])


def _row(each: Statement, short: str) -> dict[str, object]:
    return {
        "id": each.id,
        "short_id": short,
        "kind": each.kind,
        "text": each.text,
        "judge": each.record.get("model"),
        "line": each.line or None,
        "pinned": each.pinned,
        **{name: each.record.get(name) for name in _RECORDED},
    }
