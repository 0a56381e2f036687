"""`strata remember`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from strata.cli.options import TakesWords, by_agent, open_memory, print_json, wants_json
from strata.cli.speaking import say
from strata.jobs.language import spoken_language
from strata.jobs.remember import SECTIONS, remember_for_agent
from strata.jobs.remember import remember as run_remember
from strata.jobs.update import refresh
from strata.workspace.layout import LONG_TERM

if TYPE_CHECKING:
    from strata.jobs.remember import RememberReport
    from strata.models import Language

_TEXTS: dict[Language, dict[str, str]] = {
    "en": {
        "new": "remembered, {path}:{line} and {note}: {text}",
        "replaced": "it took the place of: {text} (`strata undo` takes that back)",
        "left": (
            "{path} was full, so what was worth least left it: {text} "
            "(`strata undo` takes that back)"
        ),
        "known": "{path}:{line} says so already: {text}",
        "waits": (
            "not remembered: the owner did not say so in the conversation. It waits for "
            "the owner's word; `strata review` shows it: {text}"
        ),
        "full": (
            "noted in {note}, but {path} has no room left; shorten what stands there, "
            "and the next tidy takes it in"
        ),
    },
    "zh": {
        "new": "记住了，在 {path} 第 {line} 行和 {note}：{text}",
        "replaced": "它取代了：{text}（`strata undo` 可以撤销）",
        "left": "{path} 已满，价值最低的这条让出了位置：{text}（`strata undo` 可以撤销）",
        "known": "{path} 第 {line} 行已经这么写了：{text}",
        "waits": (
            "没有记入：主人在对话里没有这么说。"
            "它在等主人点头，用 `strata review` 查看：{text}"
        ),
        "full": "写进了 {note}，但 {path} 已经满了；精简一下，下次 tidy 就会收进去",
    },
}


@click.command(cls=TakesWords)
@click.argument("text", nargs=-1, required=True, type=click.UNPROCESSED)
@click.option("--section", type=click.Choice(SECTIONS, case_sensitive=False))
@click.option("--importance", metavar="1-10", type=click.IntRange(1, 10))
@click.pass_context
def remember(
    context: click.Context,
    text: tuple[str, ...],
    section: str | None,
    importance: int | None,
) -> int:
    """Put your own words into MEMORY.md at once, and into today's note."""
    memory = open_memory(context)
    keep = remember_for_agent if by_agent() else run_remember
    report = keep(memory, " ".join(text), section=section or "", importance=importance)
    refresh(memory, report.paths, say=say)
    if wants_json(context):
        print_json(_document(report))
    else:
        click.echo(outcome(report, spoken_language(memory)))
    return 0 if report.line else 1


def outcome(report: RememberReport, language: Language) -> str:
    """Say in one line what became of a statement, or in more where something left."""
    done = "new" if report.line else "full"
    kind = "known" if report.known else "waits" if report.waits else done
    text = report.standing if report.known else report.text
    texts = _TEXTS[language]
    told = texts[kind].format(
        path=LONG_TERM, line=report.line, note=report.note, text=text
    )
    gone = (
        texts["left" if text in report.evicted else "replaced"].format(
            path=LONG_TERM, text=text
        )
        for text in report.gone
    )
    return "\n".join([told, *gone])


def _document(report: RememberReport) -> dict[str, object]:
    return {
        "id": report.id,
        "text": report.text,
        "section": report.section,
        "line": report.line or None,
        "note": report.note or None,
        "known": report.known,
        "waits": report.waits,
        "gone": report.gone,
    }
