"""`strata audit`: who did what to memory, whether that log is whole, what should not be."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from strata.cli.options import open_memory, print_json, wants_json
from strata.cli.printing import listed, printable
from strata.jobs.audit_scan import KINDS, fix
from strata.jobs.audit_scan import scan as run_scan
from strata.jobs.forgetting.documents import memory_files
from strata.jobs.language import spoken_language
from strata.workspace.audit import AuditLog

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import tzinfo

    from strata.jobs.audit_scan import Scan
    from strata.memory import Memory
    from strata.models import Language

_ROWS = 20
_TEXTS: dict[Language, dict[str, str]] = {
    "en": {
        "whole": "the log is whole: {0} records, the last is {1} with the hash {2}",
        "empty": "the log is empty",
        "broken": "the log was changed: {0}",
        "none": "nothing to mend in {0} files",
        "sum": "{0} in {1} files",
        "fixed": "mended: {0}",
        "undo": "`strata undo --run {0}` brings the lines back",
        "fix": "`strata audit scan --fix` mends what is safe",
        "forget": (
            "`strata forget --entity NAME` takes such lines out for good, with all that "
            "rests on them"
        ),
        "colon": ": ",
        "count": "{0} {1}",
        "secret": "secret",
        "unwanted": "kept out by today's settings",
        "instruction": "instruction",
        "duplicate": "duplicate",
        "junk": "junk",
    },
    "zh": {
        "whole": "日志完整：{0} 条记录，最后一条是第 {1} 条，散列 {2}",
        "empty": "日志是空的",
        "broken": "日志被改动过：{0}",
        "none": "{0} 个文件里没有要处理的",
        "sum": "{1} 个文件里，{0}",
        "fixed": "已处理：{0}",
        "undo": "`strata undo --run {0}` 可以恢复这些行",
        "fix": "`strata audit scan --fix` 会处理安全的部分",
        "forget": "`strata forget --entity 名字` 会把这些行连同依据它们的内容永久去掉",
        "colon": "：",
        "count": "{1} {0} 处",
        "secret": "秘密",
        "unwanted": "按现在的设置不该保存",
        "instruction": "指令",
        "duplicate": "重复",
        "junk": "垃圾",
    },
}
# What the log and the scan found, as they say it.
_CHINESE = (
    (r"no record has the hash (.*)", r"没有散列为 \1 的记录"),
    (r"records (\d+) to (\d+) are missing", r"缺少第 \1 到第 \2 条记录"),
    (
        r"record (\d+) is not the one that was written",
        r"第 \1 条记录不是当初写下的那条",
    ),
    (r"the head knows nothing of record (\d+)", r"结尾标记里没有第 \1 条记录"),
    (r"record (\d+) stands out of order", r"第 \1 条记录的次序不对"),
    (
        r"record (\d+) was changed, or the one before it",
        r"第 \1 条记录或它的前一条被改过",
    ),
    (r"line (\d+) says it already", r"第 \1 行已经写着"),
    (r"words in letters that no screen shows", "用屏幕上看不见的字符写成"),
    (r"it tells a model to .*", "要模型无视自己的规则，或冒充模型"),
    (r"it gives orders to assistants", "在指挥助手"),
    (r"a program's sign, no statement", "程序的标记，不是内容"),
    (r"encoded data, no statement", "编码过的数据，不是内容"),
    (r"only letters nobody can see", "只有看不见的字符"),
)


@click.group
def audit() -> None:
    """Show who read or wrote what, verify that log, and scan what memory holds."""


@audit.command
@click.option("-n", "rows", metavar="K", type=click.IntRange(1), default=_ROWS)
@click.option("--path", metavar="PATH", default="", help="Only what touched this file.")
@click.pass_context
def log(context: click.Context, rows: int, path: str) -> int:
    """Show the last records: when, who, by which command, and which files."""
    memory = open_memory(context)
    audited = AuditLog(memory.workspace.layout.audit_folder)
    names = _names(memory, audited)
    records = [_named(record, names) for record in audited.records()]
    chosen = [r for r in records if not path or any(p == path for p in _paths(r))][
        -rows:
    ]
    if wants_json(context):
        print_json({"records": chosen})
        return 0
    for each in chosen:
        done = "wrote" if "wrote" in each else "read"
        touched = printable(", ".join(map(str, each.get(done, ()))))
        when = _local(str(each.get("at", "")), memory.timezone)
        click.echo(f"{when}  {each.get('who')} {each.get('what')} {done} {touched}")
    if not chosen:
        click.echo(_TEXTS[spoken_language(memory)]["empty"])
    return 0


@audit.command
@click.option("--head", metavar="HASH", default="", help="A hash that you have kept.")
@click.pass_context
def verify(context: click.Context, head: str) -> int:
    """Find a record that was changed, taken out or cut off; exit code 1 where one was."""
    memory = open_memory(context)
    found = AuditLog(memory.workspace.layout.audit_folder).verify(head)
    if wants_json(context):
        print_json({**asdict(found), "whole": not found.problems})
    else:
        language = spoken_language(memory)
        texts = _TEXTS[language]
        for problem in found.problems:
            click.echo(texts["broken"].format(_said(problem, language)))
        if not found.problems:
            told = texts["whole"] if found.records else texts["empty"]
            click.echo(told.format(found.records, found.last, found.head))
    return 1 if found.problems else 0


@audit.command
@click.option("--fix", "mend", is_flag=True, help="Mend what is safe to mend.")
@click.pass_context
def scan(context: click.Context, *, mend: bool) -> int:
    """Look through all of memory, other tools' notes too, for what should not be there."""
    memory = open_memory(context)
    found = fix(memory) if mend else run_scan(memory)
    if wants_json(context):
        print_json({**asdict(found), "fixed": dict(found.fixed)})
    else:
        click.echo("\n".join(_lines(found, spoken_language(memory), mend=mend)))
    left = [each for each in found.findings if not (mend and each.fixable)]
    return 1 if left else 0


def _lines(found: Scan, language: Language, *, mend: bool) -> Iterator[str]:
    texts = _TEXTS[language]
    for each in found.findings:
        remedy = "" if mend and each.fixable else f" → {each.remedy}"
        place = f"{each.path}:{each.line}"
        what = _said(printable(each.what), language)
        yield f"{place}  {texts[each.kind]}{texts['colon']}{what}{remedy}"
    if not found.findings:
        yield texts["none"].format(found.files)
        return
    counts = Counter(each.kind for each in found.findings)
    yield texts["sum"].format(_counted(counts, language), found.files)
    if mend:
        yield texts["fixed"].format(_counted(found.fixed, language) or "0")
    elif any(each.fixable for each in found.findings):
        yield texts["fix"]
        if counts["unwanted"]:
            yield texts["forget"]
    if found.run:
        yield texts["undo"].format(found.run)


def _counted(counts: Counter[str], language: Language) -> str:
    texts = _TEXTS[language]
    told = (texts["count"].format(counts[k], texts[k]) for k in KINDS if counts[k])
    return listed(told, language)


def _said(what: str, language: Language) -> str:
    """Return *what* was found in *language*."""
    for pattern, chinese in _CHINESE if language == "zh" else ():
        if found := re.fullmatch(pattern, what):
            return found.expand(chinese)
    return what


def _local(moment: str, zone: tzinfo) -> str:
    """Return *moment* as the owner's clock showed it; a forged one stands as it is."""
    with suppress(ValueError):
        moment = datetime.fromisoformat(moment).astimezone(zone).isoformat()
    return printable(moment[:19].replace("T", " "))


def _names(memory: Memory, audited: AuditLog) -> dict[str, str]:
    """Return the files that are there by the names under which the log knows them."""
    root = memory.workspace.root
    paths = (file.relative_to(root).as_posix() for file in memory_files(memory))
    return {audited.name_of(path): path for path in paths}


# Any: a record of the log is JSON.
def _named(record: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    def plain(place: str) -> str:
        name, mark, lines = place.partition("#")
        return f"{names.get(name, name)}{mark}{lines}"

    lists = {key: [plain(p) for p in record[key]] for key in _KEYS if key in record}
    return {**record, **lists}


_KEYS = ("read", "wrote")


def _paths(record: dict[str, Any]) -> list[str]:
    places = [place for key in _KEYS for place in record.get(key, ())]
    return [str(place).partition("#")[0] for place in places]
