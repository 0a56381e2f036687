"""Whether the owner, in the conversations of the moment, said what an agent asks for."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import timedelta
from itertools import islice, pairwise
from typing import TYPE_CHECKING, NamedTuple

from strata.errors import NotAccepted, OpenClawNotFound, TranscriptUnreadable
from strata.jobs.capturing.scoping import Scoping
from strata.messages import Notice
from strata.models import Fact, Tag
from strata.workspace.seen import Seen

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import tzinfo

    from strata.language.material import Line
    from strata.memory import Memory
    from strata.models import Session
    from strata.transcripts.openclaw import Transcripts


_SINCE = timedelta(hours=24)
_CONVERSATIONS = 5
# So many turns back the owner may have said it.
_TURNS = 12
_MESSAGES = 5 * _TURNS
# "Remember that": what the agent has just said is meant.
_POINTS_BACK = re.compile(
    r"(?<!i'll )(?<!i will )(?<!i )(?<!do you )\b(?:remember|memori[sz]e|note|keep in mind)"
    r" (?:all (?:of )?)?(?:that|this|it|these|those|both)"
    r"(?: (?:please|down|too|for (?:good|later|next time|me|the future)|from now on))*"
    r"\s*[.!?]*\s*$"
    r"|(?<!我)(?<!我会)(?:把?[这那][^,。，]{0,6})?记(?:住|下来?|一下|着)[吧啊哦]?[。!！]?\s*$",
    re.IGNORECASE | re.MULTILINE,
)

# An agent writes of the user what the user says of "my".
_THEIRS = re.compile(r"\b(?:the )?(?:user|owner)'s\b", re.IGNORECASE)


class Place(NamedTuple):
    """Messages that may say something together, and what it must be said as."""

    cited: tuple[int, ...]
    tag: Tag


def is_vouched(memory: Memory, text: str) -> bool:
    """
    Say whether the owner's own recent words bear *text* out, or ask for it.

    They are held against it as against what a model proposes: pasted text, tool output
    and other people's words count for nothing, and a changed number or name is refused.
    """
    return any(
        borne_out(text, lines, _places(lines), timezone=memory.timezone)
        for lines in _recently_said(memory)
        if lines
    )


def refuse_unvouched(memory: Memory, text: str) -> None:
    """Raise `NotAccepted` unless the owner said *text* in a conversation just now."""
    if not is_vouched(memory, text):
        raise NotAccepted(Notice("accept.not-vouched"))


def _recently_said(memory: Memory) -> Iterator[list[Line]]:
    """Give the last messages of each conversation that goes on, the latest first."""
    seen = Seen(memory.private.workspace, under="")
    transcripts = memory.private.transcripts(seen.kinds)
    scoping = Scoping(memory.private, seen.scopes)
    with suppress(OpenClawNotFound):
        ours = (
            session
            for session in sorted(
                transcripts.sessions(), key=lambda each: each.updated_at, reverse=True
            )
            if session.updated_at >= memory.now - _SINCE
            and scoping.scope_of(session)[0] == memory.scope
        )
        for session in islice(ours, _CONVERSATIONS):
            with suppress(TranscriptUnreadable):
                yield _last_lines(memory, transcripts, session)


def _last_lines(
    memory: Memory, transcripts: Transcripts, session: Session
) -> list[Line]:
    from strata.jobs.capturing.hearing import Hearing  # noqa: PLC0415 - patterns
    from strata.language.material import (  # noqa: PLC0415 - patterns
        line_of,
        numbered,
    )

    last = len(transcripts.outline(session).times)
    messages = transcripts.read(
        session, wanted=lambda number: number > last - _MESSAGES
    )
    heard = Hearing(memory).messages(session, messages)
    lines = numbered(filter(None, map(line_of, heard)))
    told = [each for each in lines if each.by_owner]
    earliest = told[-_TURNS:][0].id if told else 0
    return [
        each
        for each in lines
        if each.id >= earliest - 1 and each.message.time >= memory.now - _SINCE
    ]


def borne_out(
    text: str, lines: Sequence[Line], places: Iterable[Place], *, timezone: tzinfo
) -> Fact | None:
    """Return *text* as a fact where the words at one of *places* in *lines* say it."""
    from strata.statements.grounding.proposals import Proposal, ground  # noqa: PLC0415 - patterns

    told = _THEIRS.sub("my", text.replace("’", "'"))
    by_id = {each.id: each for each in lines}
    for cited, tag in places:
        # No request.
        proposal = Proposal(told, tag, False, cited)  # noqa: FBT003
        found = ground(proposal, by_id, timezone=timezone)
        if isinstance(found, Fact):
            return found
    return None


def said_by_owner(lines: Sequence[Line]) -> Iterator[Place]:
    """Give where the owner may say something, alone or of what the agent said."""
    for before, line in pairwise([None, *lines]):
        if line is None or not line.by_owner:
            continue
        yield Place((line.id,), Tag.PREFERENCE)
        if before and not before.by_owner:
            yield Place((line.id, before.id), Tag.PREFERENCE)
    owner = [each.id for each in lines if each.by_owner]
    yield from (Place(pair, Tag.PREFERENCE) for pair in pairwise(owner))


def told_to_owner(lines: Sequence[Line]) -> Iterator[Place]:
    """Give where the agent tells the owner something, with the owner's next word."""
    reply: Line | None = None
    for line in reversed(lines):
        if line.by_owner:
            reply = line
        elif reply:
            yield Place((line.id, reply.id), Tag.FINDING)


def _places(lines: Sequence[Line]) -> Iterator[Place]:
    """Give which messages may say it together, and whether they must as a rule."""
    yield from said_by_owner(lines)
    for before, line in pairwise(lines):
        points_back = line.by_owner and _POINTS_BACK.search(line.text)
        if points_back and not before.by_owner:
            yield Place((before.id,), Tag.FINDING)
