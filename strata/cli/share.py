"""`strata share` and `strata unshare`: what several agents may know."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from strata.cli.options import TakesWords, by_agent, open_memory, tell
from strata.cli.speaking import say as tell_person
from strata.cli.speaking import voice
from strata.errors import NotAccepted, UsageError
from strata.jobs.update import refresh

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.jobs.sharing.listing import Listed
    from strata.jobs.sharing.share import ShareReport
    from strata.memory import Memory
    from strata.messages import Voice


@click.command(cls=TakesWords)
@click.argument("what", metavar="[LINE|TEXT|ID]", nargs=-1)
@click.option("--list", "listed", is_flag=True, help="What is shared; change nothing.")
@click.option("--in-clear", is_flag=True, help="Also of an encrypted memory.")
@click.pass_context
def share(
    context: click.Context, what: tuple[str, ...], *, listed: bool, in_clear: bool
) -> int:
    """
    Let your other agents know a line of this one's memory, as your own word.

    Those read it that have the setting shared.read, in private talk with you alone.
    """
    from strata.jobs.sharing.share import share as run  # noqa: PLC0415 - judges

    memory = open_memory(context)
    if listed:
        return _list(context, memory)
    if not what:
        raise UsageError.of("share.what")
    _refuse_agent()
    return _told(context, memory, run(memory, " ".join(what), in_clear=in_clear))


@click.command(cls=TakesWords)
@click.argument("what", metavar="LINE|TEXT|ID", nargs=-1, required=True)
@click.pass_context
def unshare(context: click.Context, what: tuple[str, ...]) -> int:
    """Take a shared line back from every agent; its own memory keeps it."""
    from strata.jobs.sharing.share import unshare as run  # noqa: PLC0415 - judges

    memory = open_memory(context)
    _refuse_agent()
    return _told(context, memory, run(memory, " ".join(what)), taken_back=True)


def _refuse_agent() -> None:
    """Let no agent say what another may know."""
    if by_agent():
        raise NotAccepted.of("share.owner-only")


def _told(
    context: click.Context,
    memory: Memory,
    report: ShareReport,
    *,
    taken_back: bool = False,
) -> int:
    # The pages are there; of this memory only the index may have to follow.
    refresh(memory, [], say=tell_person)
    words = voice("share", memory)
    key = "taken-back" if taken_back else "known" if report.known else "done"
    lines = [words(key, text=report.shared.text, agent=report.agent)]
    if not taken_back:
        readers = list(report.readers)
        lines.append(words("readers", agents=readers) if readers else words("nobody"))
    document = {"id": report.shared.id, **asdict(report), "unshared": taken_back}
    tell(context, document, lines)
    return 0


def _list(context: click.Context, memory: Memory) -> int:
    from strata.jobs.sharing.listing import listing  # noqa: PLC0415 - journal

    found = listing(memory)
    tell(context, asdict(found), _lines(found, voice("share", memory)))
    return 0


def _lines(found: Listed, words: Voice) -> Iterator[str]:
    for each in found.own:
        key = "own" if each.stands else "own-not-standing"
        told = asdict(each.shared) | {"id": each.shared.id}
        yield words(key, **told)
    for line in found.others:
        yield words("theirs", path=line.path, number=line.number, text=line.text)
    if not (found.own or found.others):
        yield words("none")
    if found.own:
        readers = list(found.readers)
        yield words("readers", agents=readers) if readers else words("nobody")
    if not found.reads:
        yield words("reads-not")
