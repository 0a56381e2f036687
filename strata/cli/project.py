"""`strata project`: which projects there are, and of which one something is."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from strata.bank.projects import ACTIONS, SET
from strata.cli.options import by_agent, here, open_memory, tell
from strata.cli.showing import padded
from strata.cli.speaking import voice
from strata.errors import NotAccepted, UsageError
from strata.messages import on_one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from strata.jobs.project import Row
    from strata.messages import Voice


@click.command
@click.argument("words", metavar="[here|set|rename|merge] [WHAT NAME]", nargs=-1)
@click.pass_context
def project(context: click.Context, words: tuple[str, ...]) -> int:
    """
    Show the projects that memory knows, or say of which one something is.

    `here` shows that of this folder. `set WHAT NAME` says of a line or a conversation
    which project it is of, `rename A B` calls A by the name B, `merge A B` makes two one.
    `strata undo` takes it back.
    """
    from strata.jobs.project import (  # noqa: PLC0415
        name_projects,
        place,
        project_here,
        projects,
    )

    memory = open_memory(context)
    say = voice("projects", memory)
    if not words:
        rows = projects(memory)
        found = {"projects": [asdict(each) for each in rows]}
        tell(context, found, _listed(rows, say))
        return 0
    if words == ("here",):
        row = project_here(memory, here())
        tell(context, asdict(row), _listed([row], say))
        return 0
    if words[0] not in ACTIONS or len(words) != 3:  # noqa: PLR2004 - and two of its own
        raise UsageError.of("projects.what")
    action, what, name = words
    done = {"action": action, "what": what, "name": name}
    if action == SET:
        called, count = place(memory, what, name, here(), by_agent=by_agent())
        said = say("done-set" if called else "done-none", name=called, count=count)
        tell(context, done | {"name": called, "lines": count}, [said])
        return 0
    if by_agent():
        raise NotAccepted.of("projects.only-the-owner")
    name_projects(memory, action, what, name)
    tell(
        context,
        done,
        [say(f"done-{action}", first=on_one_line(what), second=on_one_line(name))],
    )
    return 0


def _listed(rows: Iterable[Row], say: Voice) -> Iterator[str]:
    found = False
    for each in rows:
        found = True
        told = say("row", entries=each.entries, days=each.days, last=each.last)
        name = padded(on_one_line(each.name), 24)
        where = each.repository or each.page
        yield f"{name}{padded(told if each.days else '', 44)}{on_one_line(where)}"
    if not found:
        yield say("none")
