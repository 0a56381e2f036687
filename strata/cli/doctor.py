"""`strata doctor`: what is wrong, and how to mend it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from strata.cli.options import memories, print_json, wants_json
from strata.cli.speaking import owners_language, say
from strata.gateway.draining import drain
from strata.jobs.checks.findings import Level
from strata.jobs.doctor import examine, mend
from strata.jobs.encryption import lock_of
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
    if wants_json(context):
        print_json({memory.agent: _rows(found) for memory, found in examined})
    else:
        for memory, findings in examined:
            click.echo(f"{memory.agent}: {memory.workspace.root}")
            for line in _lines(findings, owners_language(memory)):
                click.echo(line)
    return int(
        any(each.level is Level.PROBLEM for _, found in examined for each in found)
    )


def _mend(
    memory: Memory, findings: list[Finding], *, ask_gateway: bool
) -> list[Finding]:
    for line in mend(findings):
        say(line)
    if not lock_of(memory):
        drain(memory, patience_seconds=0)
    return examine(memory, ask_gateway=ask_gateway)


def _rows(findings: list[Finding]) -> list[dict[str, str]]:
    return [
        {
            "name": each.name,
            "level": each.level.value,
            "says": each.says,
            "remedy": each.remedy,
        }
        for each in findings
    ]


def _lines(findings: list[Finding], language: str) -> Iterator[str]:
    words = Voice("doctor", language)
    for each in findings:
        name = _name(each.name, language)
        yield words("finding", sign=_SIGNS[each.level], name=name, says=each.says)
        if each.remedy and each.level is not Level.OK:
            yield words("remedy", remedy=each.remedy)


def _name(name: str, language: str) -> str:
    """Return what was looked at: a name of ours, or of a file, a setting or a job."""
    names, key = Voice("findings", language), name.replace(" ", "-")
    job, _, twice = name.rpartition(" ")
    if twice == "twice":
        return names("twice", name=job)
    return names(key) if key in names else name
