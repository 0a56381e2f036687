"""`strata doctor`: what is wrong, and how to mend it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from strata.cli.options import memories, print_json, wants_json
from strata.gateway.draining import drain
from strata.jobs.checks.findings import Level
from strata.jobs.doctor import examine, mend
from strata.jobs.encryption import lock_of

if TYPE_CHECKING:
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
            _print(memory, findings)
    return int(
        any(each.level is Level.PROBLEM for _, found in examined for each in found)
    )


def _mend(
    memory: Memory, findings: list[Finding], *, ask_gateway: bool
) -> list[Finding]:
    for line in mend(findings):
        click.echo(line, err=True)
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


def _print(memory: Memory, findings: list[Finding]) -> None:
    click.echo(f"{memory.agent}: {memory.workspace.root}")
    for each in findings:
        click.echo(f"  {_SIGNS[each.level]} {each.name}: {each.says}")
        if each.remedy and each.level is not Level.OK:
            click.echo(f"      → {each.remedy}")
