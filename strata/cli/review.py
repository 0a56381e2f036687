"""`strata review`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from strata.cli.options import by_agent, open_memory, print_json, wants_json
from strata.cli.printing import listed, padded, printable
from strata.cli.speaking import say
from strata.errors import UsageError
from strata.jobs.capturing.vouching import refuse_unvouched
from strata.jobs.deciding.reasons import reason_in
from strata.jobs.deciding.verdict_list import (
    KINDS,
    find_statement,
    short_ids,
    statements,
)
from strata.jobs.language import spoken_language
from strata.jobs.review import ACTIONS, ALL, is_unsure
from strata.jobs.review import review as run_review
from strata.jobs.update import refresh
from strata.messages import Notice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.jobs.deciding.verdict_list import Statement
    from strata.jobs.review import ReviewReport
    from strata.memory import Memory
    from strata.models import Language

_ROWS = 20
_TEXTS: dict[Language, dict[str, str]] = {
    "en": {
        "waiting": "waiting",
        "promoted": "promoted",
        "rejected": "rejected",
        "superseded": "superseded",
        "merged": "merged",
        "expired": "expired",
        "evicted": "evicted",
        "declined": "declined",
        "quarantined": "quarantined",
        "pinned": "pinned",
        "nothing": "nothing to review",
        "rest": "… {0} more; -n shows them",
        "leave": "to leave: ",
        "day": "the note of {0}: into its week and the archive",
        "and": ", ",
        "count": "{0} {1}",
        "how": "; strata review accept|decline|pin|unpin|edit ID",
        "in": "{0}: line {1} of MEMORY.md",
        "out": "{0}: not in MEMORY.md",
        "judge": "judged with {0}",
        "from": "from {0}",
        "pasted": "from a message",
        "talk": "conversation {0}",
        "noted": "{0}: noted, the next tidy acts on it",
        "left": "not accepted, because it contradicts what holds; name the ids you mean:",
    },
    "zh": {
        "waiting": "等待中",
        "promoted": "已记住",
        "rejected": "未采纳",
        "superseded": "被取代",
        "merged": "已合并",
        "expired": "已过期",
        "evicted": "已淘汰",
        "declined": "已拒绝",
        "quarantined": "已隔离",
        "pinned": "已固定",
        "nothing": "没有要看的",
        "rest": "……还有 {0} 条，用 -n 查看",
        "leave": "要移出：",
        "day": "{0} 的笔记：并入周摘要并归档",
        "and": "，",
        "count": "{1} {0} 条",
        "how": "；strata review accept|decline|pin|unpin|edit ID",
        "in": "{0}：在 MEMORY.md 第 {1} 行",
        "out": "{0}：不在 MEMORY.md 里",
        "judge": "由 {0} 参与评判",
        "from": "来自 {0}",
        "pasted": "来自一条消息",
        "talk": "对话 {0}",
        "noted": "{0}：记下了，下次 tidy 照办",
        "left": "没有接受，因为与现有的说法矛盾；请写出要接受的编号：",
    },
}


@click.command
@click.argument("action", default="list", type=click.Choice(["list", *ACTIONS]))
@click.argument("names", metavar="[ID…|all] [TEXT]", nargs=-1)
@click.option("--kind", type=click.Choice(KINDS), multiple=True, help="Only these.")
@click.option("-n", "rows", metavar="K", type=click.IntRange(1), default=_ROWS)
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
    text = " ".join(names[1:]).strip() if action == "edit" else ""
    if not names or (action == "edit" and not text):
        shape = "ID TEXT" if action == "edit" else "ID"
        raise UsageError(Notice("review.how", action=action, shape=shape))
    memory = open_memory(context)
    if by_agent():
        _refuse_agent(memory, action, names, text)
    report = run_review(memory, action, names[:1] if text else names, text)
    refresh(memory, report.paths, say=say)
    if wants_json(context):
        entries = [_row(each, each.id) for each in report.statements]
        left = [_row(each, each.id) for each in report.left]
        print_json({"action": action, "entries": entries, "left": left})
    else:
        language = spoken_language(memory)
        for each in report.statements:
            click.echo(_outcome(each, language))
        click.echo("\n".join(_left(memory, report, language)), nl=bool(report.left))
    return 0 if report.statements else 1


def _left(memory: Memory, report: ReviewReport, language: Language) -> list[str]:
    """List what the owner has to name, with the ids that do."""
    if not report.left:
        return []
    short = short_ids(each.id for each in statements(memory))
    listed = (
        line for each in report.left for line in _lines(each, short[each.id], language)
    )
    return [_TEXTS[language]["left"], *listed]


def _refuse_agent(
    memory: Memory, action: str, names: tuple[str, ...], text: str
) -> None:
    """Let an agent put in no words that its owner did not say."""
    if text:
        refuse_unvouched(memory, text)
    elif action == "accept" and names[:1] != (ALL,):
        for each in (find_statement(memory, name) for name in names):
            if is_unsure(each):
                refuse_unvouched(memory, each.text)


def _list(context: click.Context, kinds: tuple[str, ...], rows: int) -> int:
    memory = open_memory(context)
    known = statements(memory)
    short = short_ids(each.id for each in known)
    chosen = [each for each in known if not kinds or each.kind in kinds]
    if wants_json(context):
        print_json({"entries": [_row(each, short[each.id]) for each in chosen]})
        return 0
    language = spoken_language(memory)
    texts = _TEXTS[language]
    for each in chosen[:rows]:
        click.echo("\n".join(_lines(each, short[each.id], language)))
    if len(chosen) > rows:
        click.echo(texts["rest"].format(len(chosen) - rows))
    counts = Counter(each.kind for each in known)
    parts = (texts["count"].format(counts[k], texts[k]) for k in KINDS if counts[k])
    told = listed(parts, language)
    click.echo(f"{told}{texts['how']}" if told else texts["nothing"])
    return 0


def _lines(each: Statement, short: str, language: Language) -> list[str]:
    texts = _TEXTS[language]
    when = str(each.record.get("at", ""))[:16].replace("T", " ")
    head = f"{padded(short, 6)}{when}  {padded(texts[each.kind], 12)}"
    remarks = [
        f"MEMORY.md:{each.line}" if each.line else "",
        texts["pinned"] if each.pinned and each.kind == "promoted" else "",
        reason_in(language, each.record),
        texts["judge"].format(each.record["model"]) if each.record.get("model") else "",
        *(_whence(each, texts) if each.record.get("message") else ()),
    ]
    remark = " · ".join(part for part in remarks if part)
    lines = [f"{head}{_text(each, texts)}"]
    return [*lines, f"{' ' * 8}{printable(remark)}"] if remark else lines


def _whence(each: Statement, texts: dict[str, str]) -> Iterator[str]:
    """Give how somebody else's words came into which conversation."""
    told = " ".join(str(each.record.get(name) or "") for name in ("tool", "source"))
    yield texts["from"].format(told.strip()) if told.strip() else texts["pasted"]
    yield texts["talk"].format(str(each.record.get("session", ""))[:8])


def _text(each: Statement, texts: dict[str, str]) -> str:
    if each.wanted == "compressed":
        return texts["day"].format(each.record.get("day"))
    leaves = each.kind == "waiting" and each.wanted != "promoted"
    return (texts["leave"] if leaves else "") + printable(each.text)


def _outcome(found: Statement, language: Language) -> str:
    texts = _TEXTS[language]
    text = _text(found, texts).rstrip(".。")
    if found.wanted == "compressed":
        return texts["noted"].format(text)
    if found.line:
        pinned = texts["and"] + texts["pinned"] if found.pinned else ""
        return texts["in"].format(text, found.line) + pinned
    why = reason_in(language, found.record)
    return texts["out"].format(text) + (f" ({why})" if why else "")


def _row(each: Statement, short: str) -> dict[str, object]:
    return {
        "id": each.id,
        "short_id": short,
        "kind": each.kind,
        "at": each.record.get("at"),
        "text": each.text,
        "section": each.record.get("section"),
        "dimension": each.record.get("dimension"),
        "reason": each.record.get("reason"),
        "by": each.record.get("by"),
        "judge": each.record.get("model"),
        "line": each.line or None,
        "pinned": each.pinned,
        "origin": each.record.get("origin"),
        "session": each.record.get("session"),
        "message": each.record.get("message"),
        "tool": each.record.get("tool"),
        "source": each.record.get("source"),
    }
