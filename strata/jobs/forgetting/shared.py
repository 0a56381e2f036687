"""What is forgotten of an agent leaves what it shares, wherever that has got to."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from strata.errors import StrataError
from strata.jobs.other_agents import opened, other_places, own_agents
from strata.search.indexing.purging import purge
from strata.workspace.layout import SHARED_COPIES
from strata.workspace.shared_pages import (
    SharedPages,
    discard_copy,
    is_page,
    page_name,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.jobs.forgetting.recognition import Recogniser
    from strata.memory import Memory


def forget_shared(memory: Memory, known: Recogniser) -> None:
    """Take what is *known* out of the shared page of *memory*, and out of its copies."""
    pages = SharedPages(memory.state_folder)
    own = own_agents(memory)
    if memory.parent or not (own and pages.exist):
        return
    # Only one of them shares, but it need not have been the same always.
    paths = {agent: _copy_of(agent) for agent in own}
    changed: list[Memory] = []
    with pages.alone():
        for agent, path in paths.items():
            pages.write(agent, _without(path, pages.read(agent), known))
        for agent, place in other_places(memory):
            try:
                other = opened(memory, agent)
                other.unlock()
                held = [_forget_copy(other, path, known) for path in paths.values()]
                changed += [other] if any(held) else []
            except StrataError:
                # It takes what is left of the page in again once it can.
                for each in own:
                    discard_copy(place, each)
    for other in changed:
        # Where the index is held, its holder takes the change in.
        with suppress(StrataError):
            purge(other.index)


def left_in_shared(memory: Memory, known: Recogniser) -> Iterator[str]:
    """Yield the lines of the shared page, and of its copies, that are *known* still."""
    pages = SharedPages(memory.state_folder)
    own = own_agents(memory)
    if memory.parent or not (own and pages.exist):
        return
    paths = {agent: _copy_of(agent) for agent in own}
    texts = [(path, "", pages.read(agent)) for agent, path in paths.items()]
    for agent, place in other_places(memory):
        with suppress(StrataError):
            other = opened(memory, agent)
            other.unlock()
            read = other.workspace.read
            texts += [(path, f"{place}/", read(path)) for path in paths.values()]
    for path, before, text in texts:
        lines = known.lines(path, text) if is_page(text) else ()
        yield from (f"{before}{path}:{said.number}" for said in lines)


def _copy_of(agent: str) -> str:
    return f"{SHARED_COPIES}/{page_name(agent)}"


def _forget_copy(other: Memory, path: str, known: Recogniser) -> bool:
    """Let the copy in *other* lose what is *known*; say whether it held any of that."""
    text = other.workspace.read(path)
    after = _without(path, text, known) if is_page(text) else text
    if after == text:
        return False
    with other.workspace.unrecorded():
        if after:
            other.workspace.update(path, lambda _text: after)
        else:
            other.workspace.remove(path, text=text)
    return True


def _without(path: str, page: str, known: Recogniser) -> str:
    """Return *page* without the lines that are *known*, "" where none is left of it."""
    gone = {said.number for said in known.lines(path, page)}
    lines = page.split("\n")
    kept = [line for number, line in enumerate(lines, 1) if number not in gone]
    return "\n".join(kept) if any(each.startswith("- ") for each in kept) else ""
