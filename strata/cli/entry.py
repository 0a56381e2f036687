"""`strata inspect`, `strata edit` and `strata delete`: one entry of memory."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from strata.cli.options import TakesWords, by_agent, open_memory, print_json, wants_json
from strata.cli.printing import listed, printable
from strata.cli.speaking import say
from strata.cli.trace import shown_trace, trace_document, whose
from strata.jobs.capturing.vouching import refuse_unvouched
from strata.jobs.change_entry import delete as run_delete
from strata.jobs.change_entry import edit as run_edit
from strata.jobs.inspect import inspect as run_inspect
from strata.jobs.language import spoken_language
from strata.jobs.update import refresh

if TYPE_CHECKING:
    from strata.jobs.change_entry import Changed
    from strata.jobs.inspect import Inspection
    from strata.memory import Memory
    from strata.models import Language

_TEXTS: dict[Language, dict[str, str]] = {
    "en": {
        "id": "id {0}",
        "origin": "whose words: {0}",
        "section": "section: {0}",
        "importance": "importance: {0} of 10",
        "confidence": "confidence: {0}",
        "asked": "found for a question on {0} days",
        "places": "stands in: {0}",
        "nowhere": "stands in no file any more",
        "reworded": "{0} says now: {1}",
        "deleted": "taken out of {0}: {1}",
        "also": "it also stands in {0}",
        "undo": "`strata undo` takes this back",
        "forget": (
            "deleted is not forgotten: the journal and copies keep it; "
            "`strata forget` takes it from everywhere"
        ),
    },
    "zh": {
        "id": "编号 {0}",
        "origin": "谁说的：{0}",
        "section": "小节：{0}",
        "importance": "重要性：{0}/10",
        "confidence": "可信度：{0}",
        "asked": "有 {0} 天被提问找到",
        "places": "所在位置：{0}",
        "nowhere": "已不在任何文件里",
        "reworded": "{0} 现在写着：{1}",
        "deleted": "已从 {0} 去掉：{1}",
        "also": "{0} 里也有",
        "undo": "`strata undo` 可以撤销",
        "forget": "删除不等于忘记：日志和副本里还有；`strata forget` 会从所有地方去掉",
    },
}


@click.command(cls=TakesWords)
@click.argument("what", metavar="ID|PATH:LINE|TEXT", nargs=-1, required=True)
@click.pass_context
def inspect(context: click.Context, what: tuple[str, ...]) -> int:
    """Show all that is known of one entry: words, origin, evidence, verdicts, use."""
    memory = open_memory(context)
    found = run_inspect(memory, " ".join(what))
    if wants_json(context):
        print_json(_document(found))
    else:
        click.echo("\n".join(_lines(found, memory)))
    return 0


@click.command(cls=TakesWords)
@click.argument("what", metavar="ID|PATH:LINE")
@click.argument("text", nargs=-1, required=True)
@click.pass_context
def edit(context: click.Context, what: str, text: tuple[str, ...]) -> int:
    """Reword one entry, as your own word; `strata undo` takes it back."""
    memory = open_memory(context)
    wording = " ".join(text)
    if by_agent():
        refuse_unvouched(memory, wording)
    return _told(context, memory, run_edit(memory, what, wording))


@click.command(cls=TakesWords)
@click.argument("what", metavar="ID|PATH:LINE|TEXT", nargs=-1, required=True)
@click.pass_context
def delete(context: click.Context, what: tuple[str, ...]) -> int:
    """Take one entry out of its file; copies and the journal keep it, see `forget`."""
    memory = open_memory(context)
    return _told(context, memory, run_delete(memory, " ".join(what)))


def _told(context: click.Context, memory: Memory, done: Changed) -> int:
    refresh(memory, list(done.paths), say=say)
    if wants_json(context):
        print_json(asdict(done))
        return 0
    texts = _TEXTS[spoken_language(memory)]
    place = f"{done.place.path}:{done.place.line}"
    click.echo(texts[done.event].format(place, printable(done.text or done.place.text)))
    for path in done.also:
        click.echo(texts["also"].format(path))
    click.echo(texts["undo"])
    if done.event == "deleted":
        click.echo(texts["forget"])
    return 0


def _document(found: Inspection) -> dict[str, object]:
    return {
        **trace_document(found.traced),
        "id": found.id or None,
        "known": found.known,
        "places": found.places,
        "asked_on_days": found.asked_on_days,
    }


def _lines(found: Inspection, memory: Memory) -> list[str]:
    language = spoken_language(memory)
    texts = _TEXTS[language]
    told = [texts["id"].format(found.id)] if found.id else []
    known = found.known
    if known.get("origin") is not None:
        known = {**known, "origin": whose(str(known["origin"]), language)}
    told += [
        texts[name].format(known[name])
        for name in ("origin", "section", "importance", "confidence")
        if known.get(name) is not None
    ]
    told.append(texts["asked"].format(found.asked_on_days))
    where = texts["places"].format(listed(found.places, language))
    told.append(where if found.places else texts["nowhere"])
    return [*shown_trace(found.traced, memory), *told]
