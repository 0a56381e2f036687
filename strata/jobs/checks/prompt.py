"""What every prompt shows of the workspace: memory, whole and trusted; no secrets."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from strata.jobs.checks.findings import Finding, note, ok, problem
from strata.jobs.connection.slot import OPENCLAWS, is_anothers, owner_of_slot
from strata.messages import Notice
from strata.notes.managed_block import has_block
from strata.workspace.layout import LONG_TERM
from strata.workspace.openclaw import configuration as openclaw_configuration
from strata.workspace.prompt_limits import (
    ALL_CHARS,
    FILE_CHARS,
    PROFILE,
    PROFILE_CHARS,
    length,
    most_chars,
    most_of_profile,
    personal_files,
)
from strata.workspace.provenance import provenance

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.memory import Memory
    from strata.workspace.openclaw_config import Values

SHOWN = ("AGENTS.md", "SOUL.md", "IDENTITY.md", PROFILE, LONG_TERM)
# What older gateways, or the agent's first turns, show as well.
_ALSO_SHOWN = ("TOOLS.md", "HEARTBEAT.md", "BOOTSTRAP.md")


def check_prompt(memory: Memory) -> Iterator[Finding]:
    """Look at what the agent is shown of its workspace."""
    configuration = openclaw_configuration(memory.state_folder)
    slot = owner_of_slot(configuration)
    # Where nobody has the slot, no file is classed; another owner does it by its own rules.
    classed = slot == OPENCLAWS
    yield _long_term(memory, configuration, classed=classed)
    # Ours leaves them in.
    if is_anothers(slot):
        yield note("memory slot", Notice("doctor.memory-slot", slot=slot))
    yield from _profile(memory, PROFILE, PROFILE_CHARS, classed=classed)
    most = most_of_profile(configuration, memory.agent)
    for path in personal_files(memory.workspace.root):
        # What of other people's we have no part in is theirs to look after.
        if has_block(memory.workspace.read(path)):
            yield from _profile(memory, path, most, classed=classed)
    yield from _together(memory, configuration)
    yield from _secrets(memory)


def _long_term(memory: Memory, configuration: Values, *, classed: bool) -> Finding:
    text = memory.workspace.read(LONG_TERM)
    if not text:
        return ok("MEMORY.md", Notice("doctor.no-page"))
    record = provenance(memory.state_folder, memory.workspace.root, LONG_TERM)
    if classed and record is not None and record.origin != "agent":
        return problem(
            "MEMORY.md",
            Notice("doctor.left-out-of-prompt"),
            Notice("doctor.give-back", file=LONG_TERM),
        )
    most = most_chars(configuration, memory.agent, FILE_CHARS)
    if len(text) > most:
        says = Notice("doctor.page-too-long", count=len(text), most=most)
        return problem("MEMORY.md", says)
    digest = hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
    if classed and record is not None and record.file_hash != digest:
        return note("MEMORY.md", Notice("doctor.written-by-two"))
    return ok("MEMORY.md", Notice("doctor.page", count=len(text)))


def _profile(
    memory: Memory, path: str, most: int, *, classed: bool
) -> Iterator[Finding]:
    """
    Look at a USER.md, to which the same happens.

    Strata never writes the owner's; to another person's it adds what the owner lets it.
    """
    record = provenance(memory.state_folder, memory.workspace.root, path)
    text = memory.workspace.read(path)
    if classed and text and record is not None and record.origin != "agent":
        yield note(
            path,
            Notice("doctor.left-out-of-prompt"),
            Notice("doctor.give-back-copy", file=path),
        )
    elif (count := length(text)) > most:
        yield note(path, Notice("doctor.file-too-long", count=count, most=most))


def _together(memory: Memory, configuration: Values) -> Iterator[Finding]:
    most = most_chars(configuration, memory.agent, ALL_CHARS)
    one = most_chars(configuration, memory.agent, FILE_CHARS)
    sizes = {name: len(memory.workspace.read(name)) for name in SHOWN}
    shown = sum(min(size, one) for size in sizes.values())
    if shown > most:
        longest = max(sizes, key=lambda name: sizes[name])
        yield note(
            "prompt",
            Notice(
                "doctor.prompt-too-long",
                names=SHOWN,
                shown=shown,
                most=most,
                longest=longest,
            ),
        )


def _secrets(memory: Memory) -> Iterator[Finding]:
    """Name what a prompt tells the model's provider; the values stay unsaid."""
    from strata.transcripts.redaction import secrets_by_line  # noqa: PLC0415 - patterns

    for name in (*SHOWN, *_ALSO_SHOWN):
        found = secrets_by_line(memory.workspace.read(name), memory.allowances)
        for line, kinds in found.items():
            # Whom they serve, and how to reach them, agents are meant to know.
            if secret := [each for each in kinds if each.startswith("secret:")]:
                place, shown = f"{name}:{line}", name in SHOWN
                key = "secret-in-prompt" if shown else "secret-at-hand"
                says = Notice(f"doctor.{key}", kinds=secret)
                yield problem(place, says) if shown else note(place, says)
