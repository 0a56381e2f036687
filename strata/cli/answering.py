"""`/strata` in a chat: what the owner may ask and decide there, without a terminal."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from strata.cli.digest import folder_of, look
from strata.cli.options import memories
from strata.cli.speaking import voice
from strata.errors import NotAccepted, NotFound, StrataError, UsageError
from strata.jobs.deciding.outcomes import outcome
from strata.jobs.deciding.verdict_list import ALL, statements
from strata.jobs.digest import digest_lines, harmless, waiting_lines
from strata.jobs.review import review
from strata.jobs.undo import undo
from strata.jobs.undoing.telling import told_lines
from strata.jobs.update import refresh
from strata.messages import Notice, worded
from strata.transcripts.classification import PRIVATE, kind_of_key
from strata.workspace import openclaw as openclaw_files
from strata.workspace.digest_file import keeping
from strata.workspace.owners import is_listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from strata.memory import Memory
    from strata.messages import Voice

    # Memory files that an answer changed, each list with the memory that they are of.
    Changed = list[tuple[Memory, Sequence[str]]]

_ADMIN = "operator.admin"
_DECISIONS = ("accept", "decline")
# As many as a screen of a phone shows.
_MOST = 15
_AROUND_NUMBERS = "#.?:。？："


def answer(context: click.Context, asked: Mapping[str, Any]) -> int:
    """
    Answer in one line, an exit code and a JSON text; then bring the index up to date.

    What *asked* holds comes from OpenClaw's plugin, which knows who asks, and where.
    """
    changed: Changed = []
    try:
        # Before anything is opened: what is wrong with memory is the owner's business.
        state = openclaw_files.state_folder(context.find_root().obj["state_dir"])
        _refuse(asked, openclaw_files.configuration(state))
        # One that is locked or broken is for `doctor`, and silences no other.
        found = memories(context, without=StrataError)
        lines = _answered(found, asked, changed)
    except StrataError as error:
        lines = [worded(error)]
    text = "\n".join(map(harmless, lines))
    click.echo(f"0 {json.dumps(text, ensure_ascii=False)}")
    sys.stdout.flush()
    for memory, paths in changed:
        refresh(memory, paths, say=lambda _line: None)
    return 0


def _refuse(asked: Mapping[str, Any], configuration: Mapping[str, Any]) -> None:
    """Answer nobody but the owner, and nowhere where others read along."""
    places = (str(asked.get("key") or ""), f"agent:-:{asked.get('from') or ''}")
    if not places[0] or any(kind_of_key(place) not in PRIVATE for place in places):
        raise NotAccepted(Notice("digest.only-in-private"))
    # Who speaks to the gateway itself has rights there; on a channel it is an account.
    scopes, sender = asked.get("scopes"), str(asked.get("sender") or "")
    if isinstance(scopes, list):
        is_owner = _ADMIN in scopes
    else:
        channel = str(asked.get("channel") or "")
        is_owner = bool(sender) and is_listed(configuration, channel, sender)
    if not is_owner:
        raise NotAccepted(Notice("digest.only-the-owner"))


def _answered(
    found: list[Memory], asked: Mapping[str, Any], changed: Changed
) -> list[str]:
    say = voice("digest", found[0])
    action, *names = str(asked.get("words") or "").lower().split() or ["review"]
    if action in _DECISIONS:
        return _decide(found, action, names, changed)
    if action == "review":
        return _waiting(found, say)
    if action == "undo":
        asks = str(asked.get("agent") or found[0].agent)
        return _undo(_of_agent(found, names[0] if names else asks), changed)
    if action == "digest":
        with keeping(folder_of(found[0])) as told:
            return digest_lines(look(found), told) or [say("nothing-new")]
    return [say("help")]


def _waiting(found: list[Memory], say: Voice) -> list[str]:
    with keeping(folder_of(found[0])) as told:
        lines = waiting_lines(look(found), told)
    if not lines:
        raise NotFound(Notice("review.nothing-waits"))
    rest = len(lines) - _MOST
    more = [say("and-more", count=rest)] if rest > 0 else []
    return [*lines[:_MOST], *more, say("help")]


def _of_agent(found: list[Memory], agent: str) -> Memory:
    for each in found:
        if each.agent.lower() == agent.lower():
            return each
    agents = [each.agent for each in found]
    raise NotFound(Notice("usage.no-agent", agent=agent, agents=agents))


def _undo(memory: Memory, changed: Changed) -> list[str]:
    report = undo(memory)
    changed.append((memory, report.paths))
    lines = told_lines(report, voice("undo", memory))
    # The last tells how to undo that in a terminal.
    return lines[:-1] if report.by else lines


def _decide(
    found: list[Memory], action: str, names: Sequence[str], changed: Changed
) -> list[str]:
    if not names:
        raise UsageError(Notice("digest.which-number", action=action))
    all_of_them = [*names] == [ALL]
    chosen = {} if all_of_them else _by_number(found, names)
    lines: list[str] = []
    for memory in found:
        waits = bool(_ids_waiting(memory))
        mine = [ALL] if all_of_them and waits else chosen.get(_place(memory), [])
        lines += _decided(memory, action, mine, changed) if mine else []
    if not lines:
        raise NotFound(Notice("review.nothing-waits"))
    return lines


def _decided(
    memory: Memory, action: str, ids: list[str], changed: Changed
) -> list[str]:
    lines: list[str] = []
    # Where all that waits is to be taken by its id, none of it is taken.
    with suppress(NotFound):
        report = review(memory, action, ids)
        changed.append((memory, report.paths))
        say = voice("review", memory)
        lines = [outcome(each, say) for each in report.statements]
    if ids == [ALL] and _ids_waiting(memory):
        lines.append(worded(Notice("digest.by-number-only")))
    return lines


def _ids_waiting(memory: Memory) -> set[str]:
    return {each.id for each in statements(memory) if each.kind == "waiting"}


def _place(memory: Memory) -> str:
    return str(memory.workspace.root)


def _by_number(found: list[Memory], names: Sequence[str]) -> dict[str, list[str]]:
    """Return the ids that *names* stand for, by the workspace in which they wait."""
    waiting = {(_place(each), name) for each in found for name in _ids_waiting(each)}
    with keeping(folder_of(found[0])) as told:
        numbers = {str(n): each for n, each in enumerate(told.numbers, 1)}
    chosen: dict[str, list[str]] = {}
    words = (
        " ".join(names).replace(",", " ").replace("，", " ").replace("、", " ").split()
    )
    for number in (word.strip(_AROUND_NUMBERS) for word in words):
        if numbers.get(number) not in waiting:
            raise NotFound(Notice("digest.no-number", number=number))
        place, statement = numbers[number]
        chosen.setdefault(place, []).append(statement)
    return chosen
