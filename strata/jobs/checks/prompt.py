"""Does the agent see MEMORY.md and USER.md: whole, and taken for the agent's own."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from strata.jobs.checks.findings import Finding, note, ok, problem
from strata.jobs.connection.neighbours import SLOT
from strata.workspace.layout import LONG_TERM
from strata.workspace.openclaw import configuration as openclaw_configuration
from strata.workspace.openclaw_config import value_at
from strata.workspace.provenance import provenance

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from strata.memory import Memory

    Values = Mapping[str, Any]  # Any: OpenClaw's own values

# What OpenClaw puts into the prompt unless it is told otherwise: of one file, whose
# middle is cut out, and of all of them.
FILE_CHARS = ("bootstrapMaxChars", 20_000)
ALL_CHARS = ("bootstrapTotalMaxChars", 60_000)
PROFILE = "USER.md"
PROFILE_CHARS = 4_000
SHOWN = ("AGENTS.md", "SOUL.md", "IDENTITY.md", PROFILE, LONG_TERM)
_TWO_WRITERS = (
    "OpenClaw leaves it out of the prompt for good, because its agent and another "
    "program both wrote it"
)


def check_prompt(memory: Memory) -> Iterator[Finding]:
    """Look at what the agent is shown of its workspace."""
    configuration = openclaw_configuration(memory.state_folder)
    slot = value_at(configuration, SLOT)
    # Where nobody has the slot, no file is classed; another owner does it by its own rules.
    classed = slot in {None, "memory-core"}
    yield _long_term(memory, configuration, classed=classed)
    if slot not in {None, "none", "memory-core"}:
        yield note(
            "memory slot",
            f"belongs to {slot}, which decides whether MEMORY.md and USER.md are in the "
            "prompt; OpenClaw leaves them out where it does not classify files",
            f"ask the agent what MEMORY.md says; else openclaw config set {'.'.join(SLOT)} "
            "memory-core",
        )
    yield from _profile(memory, classed=classed)
    yield from _together(memory, configuration)


def _long_term(memory: Memory, configuration: Values, *, classed: bool) -> Finding:
    text = memory.workspace.read(LONG_TERM)
    if not text:
        return ok("MEMORY.md", "not there yet")
    record = provenance(memory.state_folder, memory.workspace.root, LONG_TERM)
    if classed and record is not None and record.origin != "agent":
        return problem(
            "MEMORY.md",
            _TWO_WRITERS,
            f"ask the agent to delete {LONG_TERM} with its own tool, then put the file "
            "back from memory/archive; do not let the agent edit it again",
        )
    most = _most(configuration, memory.agent, FILE_CHARS)
    if len(text) > most:
        return problem(
            "MEMORY.md",
            f"has {len(text)} characters, and OpenClaw cuts the middle out beyond {most}",
            "shorten what stands there by hand",
        )
    digest = hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
    if classed and record is not None and record.file_hash != digest:
        return note(
            "MEMORY.md",
            "the agent wrote it and another program changed it since: the agent's next "
            "edit would take it out of the prompt",
            "tell the agent not to edit it (strata install puts that into AGENTS.md)",
        )
    return ok("MEMORY.md", f"{len(text)} characters, for private conversations")


def _profile(memory: Memory, *, classed: bool) -> Iterator[Finding]:
    """Strata never writes USER.md, but the same happens to it."""
    record = provenance(memory.state_folder, memory.workspace.root, PROFILE)
    text = memory.workspace.read(PROFILE)
    if classed and text and record is not None and record.origin != "agent":
        yield note(
            PROFILE,
            _TWO_WRITERS,
            f"keep a copy, ask the agent to delete {PROFILE} with its own tool, then put "
            "the copy back",
        )
    elif len(text) > PROFILE_CHARS:
        says = f"has {len(text)} characters, and OpenClaw shows {PROFILE_CHARS} of them"
        yield note(PROFILE, says, "shorten it by hand")


def _together(memory: Memory, configuration: Values) -> Iterator[Finding]:
    most = _most(configuration, memory.agent, ALL_CHARS)
    one = _most(configuration, memory.agent, FILE_CHARS)
    sizes = {name: len(memory.workspace.read(name)) for name in SHOWN}
    shown = sum(min(size, one) for size in sizes.values())
    if shown > most:
        longest = max(sizes, key=lambda name: sizes[name])
        yield note(
            "prompt",
            f"{', '.join(SHOWN)} have {shown} characters together, and OpenClaw shows "
            f"{most} of them",
            f"shorten {longest}, the longest, by hand",
        )


def _most(configuration: Values, agent: str, limit: tuple[str, int]) -> int:
    key, default = limit
    for path in (("agents", "entries", agent, key), ("agents", "defaults", key)):
        found = value_at(configuration, path)
        if isinstance(found, int) and found > 0:
            return found
    return default
