"""`strata doctor`: what is wrong, and how to mend it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from strata.cli.options import memories, tell
from strata.cli.speaking import owners_language, say
from strata.gateway.mending import mend_and_go_on
from strata.jobs.checks.findings import Level, named
from strata.jobs.doctor import examine
from strata.messages import Voice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.jobs.checks.findings import Finding
    from strata.memory import Memory

_SIGNS = {Level.OK: "✓", Level.NOTE: "·", Level.PROBLEM: "✗"}


@click.command
@click.option("--fix", is_flag=True, help="Mend what is safe to mend.")
@click.pass_context
def doctor(context: click.Context, *, fix: bool) -> int:
    """Look for everything that can go wrong, and name the remedy."""
    examined = []
    for number, memory in enumerate(memories(context, locked=True)):
        # The scheduler is one for all agents, and asking it takes seconds.
        findings = examine(memory, ask_gateway=number == 0)
        if fix:
            findings = _mend(memory, findings, ask_gateway=number == 0)
        examined.append((memory, findings))
    rows = {memory.agent: list(map(_row, found)) for memory, found in examined}
    lines = (line for each in examined for line in _lines(*each))
    tell(context, rows, lines)
    levels = [each.level for _, found in examined for each in found]
    return int(Level.PROBLEM in levels)


def _mend(
    memory: Memory, findings: list[Finding], *, ask_gateway: bool
) -> list[Finding]:
    for line in mend_and_go_on(memory, findings):
        say(line)
    return examine(memory, ask_gateway=ask_gateway)


def _row(found: Finding) -> dict[str, str]:
    names = ("name", "level", "says", "remedy")
    return {name: getattr(found, name) for name in names}


def _lines(memory: Memory, findings: list[Finding]) -> Iterator[str]:
    yield f"{memory.agent}: {memory.workspace.root}"
    language = owners_language(memory)
    words = Voice("doctor", language)
    for each in findings:
        name = named(each.name, language)
        yield words("finding", sign=_SIGNS[each.level], name=name, says=each.says)
        if each.remedy and each.level is not Level.OK:
            yield words("remedy", remedy=each.remedy)
