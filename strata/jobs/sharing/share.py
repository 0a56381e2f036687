"""share and unshare: a line that the owner said is there for other agents, or no more."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from strata.errors import NotAccepted, NotFound
from strata.history.names import SHARE, SHARED, UNSHARE, UNSHARED
from strata.history.sharing import Share, share_id, shares
from strata.jobs.deciding.wording import fit_for_memory
from strata.jobs.inspect import inspect
from strata.jobs.sharing.publishing import publish, publisher
from strata.jobs.sharing.reading import reading_agents
from strata.jobs.sharing.standing import holding, said_in
from strata.jobs.undoing.runs import alone, recorded
from strata.messages import Notice
from strata.models import Frame, Origin
from strata.notes.entries import parse_entry
from strata.notes.markdown import unbulleted
from strata.notes.marks import folded
from strata.workspace.layout import LONG_TERM, SHARED_COPIES, vault_root
from strata.workspace.shared_pages import is_copy

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from strata.jobs.inspect import Inspection
    from strata.jobs.trails import Trail
    from strata.memory import Memory

_SHORTEST_ID = 4
_THEIRS = {Frame.NONE, Frame.REQUEST}


@dataclass(frozen=True, slots=True)
class ShareReport:
    """
    What was *shared*, or taken back, of which *agent*, and who reads it.

    *known* is set where it was so already, and nothing was written.
    """

    agent: str
    shared: Share
    readers: tuple[str, ...] = ()
    known: bool = False


def share(memory: Memory, what: str, *, in_clear: bool = False) -> ShareReport:
    """
    Let the other agents that may read it have the line *what*: ``PATH:LINE``, id, or text.

    Raise `NotAccepted` where the owner did not say so in so many words, where it holds a
    secret, and, unless *in_clear*, where this memory is encrypted: what is shared is not.
    """
    agent = _agent_of(memory)
    refuse_encrypted(memory, in_clear=in_clear)
    shared = replace(owners_word(memory, what), in_clear=in_clear)
    readers = tuple(reading_agents(memory))
    with alone(memory):
        same = [e for e in shares(memory.journal) if e.id == shared.id]
        if same and same[0].in_clear >= in_clear:
            return ShareReport(agent, shared, readers, known=True)
        if not holding(memory, [shared]):
            raise NotAccepted.of("share.not-standing", text=shared.text)
        tell(memory, SHARED, shared)
    publish(memory, anew=True)
    return ShareReport(agent, shared, readers)


def unshare(memory: Memory, what: str) -> ShareReport:
    """
    Take the shared line *what* back from every agent: ``PATH:LINE``, its id, or its text.

    A line of a copy names the agent that shares it. Raise `NotFound` where it is none.
    """
    memory, what = _sharer(memory, what)
    agent = _agent_of(memory)
    with alone(memory):
        found = _named(memory, what)
        tell(memory, UNSHARED, found)
    publish(memory, anew=True)
    return ShareReport(agent, found)


def refuse_encrypted(memory: Memory, *, in_clear: bool = False) -> None:
    """Raise `NotAccepted` where sharing would lay bare what lies encrypted."""
    if vault_root(memory.workspace.layout.private) and not in_clear:
        raise NotAccepted.of("share.encrypted")


def owners_word(memory: Memory, what: str) -> Share:
    """Return the line *what* as it may be shared; raise `NotAccepted` where it may not."""
    found = inspect(memory, what)
    place = found.traced.place
    if place and is_copy(place.path, memory.workspace.read(place.path)):
        raise NotAccepted.of("share.a-copy")
    shared = _of_owner(found, memory.now.date())
    # What leaves a memory is as fit for that as what enters one.
    fit_for_memory(shared.text, memory.now, memory.never_stored, memory.allowances)
    return shared


def tell(memory: Memory, event: str, shared: Share) -> None:
    """Journal that *event* becomes of *shared*; the caller lets no other job in."""
    at = memory.now.isoformat(timespec="seconds")
    kind = SHARE if event == SHARED else UNSHARE
    with recorded(memory, kind, always=True) as run:
        memory.journal.append([shared.record(event, at=at, run=run.id)])


def _agent_of(memory: Memory) -> str:
    if agent := publisher(memory):
        return agent
    raise NotAccepted.of("share.nobodys", root=memory.workspace.root)


def _of_owner(found: Inspection, today: date) -> Share:
    """Return the line that was *found*, as far as it is the owner's own word."""
    place = found.traced.place
    raw = place.text if place else found.traced.text
    if parse_entry(unbulleted(raw)).frame not in _THEIRS or not _is_owners(found):
        raise NotAccepted.of("share.not-your-words", text=said_in(raw))
    # A line of a full page may stand there in its first words only.
    in_page = place is None or place.path == LONG_TERM
    text = found.traced.text if in_page else said_in(raw)
    days = [trail.source.day for trail in found.traced.trails]
    source = f"{place.path}:{place.line}" if place else found.id
    return Share(text, str(max(days, default=today)), source)


def _is_owners(found: Inspection) -> bool:
    """Say whether the owner said it, and nobody else had a part in it."""
    trails, place = found.traced.trails, found.traced.place
    origin = found.known.get("origin", Origin.OWNER)
    if origin != Origin.OWNER or any(map(_is_not_theirs, trails)):
        return False
    in_page = place is not None and place.path == LONG_TERM
    # What a hand wrote into the page is the owner's, in a note it may be an agent's.
    by_hand = in_page and any(e["event"] == "adopted" for e in found.traced.history)
    return by_hand or any(trail.spoken or trail.words for trail in trails)


def _is_not_theirs(trail: Trail) -> bool:
    return any(
        word.origin != Origin.OWNER or word.state == "changed" for word in trail.words
    )


def _sharer(memory: Memory, what: str) -> tuple[Memory, str]:
    """Return the memory that shares *what*, a line of a copy perhaps, and its text."""
    if not what.startswith(f"{SHARED_COPIES}/"):
        return memory, what
    from strata.jobs.sharing.reading import line_of_copy  # noqa: PLC0415 - rarely so

    return line_of_copy(memory, what)


def _named(memory: Memory, what: str) -> Share:
    known = shares(memory.journal)
    wanted = {share_id(what), share_id(said_in(what))}
    found = [each for each in known if each.id in wanted]
    if not found and len(what) >= _SHORTEST_ID:
        found = [each for each in known if each.id.startswith(what)]
    if not found:
        # Where it stood another line may stand by now.
        stood = [each for each in known if each.source == what]
        stands = _of_place(memory, what, known)
        found = [*stood, *(each for each in stands if each not in stood)]
        if len(found) > 1:
            ids = [each.id for each in found]
            raise NotFound.of("share.several", what=what, ids=ids)
    if len(found) != 1:
        raise NotFound(Notice("share.no-such", what=what))
    return found[0]


def _of_place(memory: Memory, what: str, known: Sequence[Share]) -> list[Share]:
    """Return what is shared of the line that stands at the place *what* by now."""
    try:
        place = inspect(memory, what).traced.place
    except NotFound:
        return []
    text = folded(said_in(place.text)) if place else ""
    return [each for each in known if folded(each.text) == text]
