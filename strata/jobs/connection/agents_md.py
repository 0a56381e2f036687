"""AGENTS.md: the rules of recall in one block of our own, and nothing else of it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from strata.jobs.language import AGENTS, rules_language, settled_language
from strata.notes.managed_block import block_in, separator, with_block, without_block
from strata.templates import render
from strata.workspace.own_folder import OwnFolder

if TYPE_CHECKING:
    from pathlib import Path

    from strata.memory import Memory

NAME = AGENTS
LANGUAGES = ("en", "zh")


def rules(memory: Memory, program: Path, language: str | None = None) -> str:
    """Return the rules of recall for the agent of *memory*, which is to call *program*."""
    chosen = language or _language(memory)
    named = "" if memory.agent == "main" else f" --agent {memory.agent}"
    snippet = f"agents_md_snippets/recall.{chosen}.md.j2"
    return render(snippet, strata=f"{shlex.quote(str(program))}{named}")


def _language(memory: Memory) -> str:
    """Return the language of the rules; those that stand there hardly change theirs."""
    chosen = memory.settings.language in LANGUAGES
    standing = rules_language(memory)
    if standing and not chosen and memory.settings.language != "auto":
        return standing
    return settled_language(memory, standing)


def block(memory: Memory) -> str:
    """Return what `install` would write into AGENTS.md now."""
    return rules(memory, OwnFolder(memory.state_folder).launcher).strip()


def is_current(memory: Memory) -> bool:
    """Say whether the block in AGENTS.md is what `install` would write now."""
    return block_in(memory.workspace.read(NAME)) == block(memory)


def put_in(memory: Memory) -> str | None:
    """
    Put the rules into AGENTS.md, after a backup; return what leads to the block.

    None says that the file was made for it.
    """
    before = memory.workspace.read(NAME)
    existed = memory.workspace.locate(NAME).exists()
    if existed:
        _back_up(memory, before)
    text = block(memory)
    memory.workspace.update(NAME, lambda now: with_block(now, text))
    return separator(before) if existed else None


def take_out(memory: Memory, added: str | None) -> None:
    """Take the block out of AGENTS.md; a file that was made for it goes too."""
    memory.workspace.update(NAME, lambda now: without_block(now, added or ""))
    if added is None and not memory.workspace.read(NAME):
        memory.workspace.locate(NAME).unlink(missing_ok=True)


def _back_up(memory: Memory, text: str) -> None:
    stamp = memory.now.strftime("%Y-%m-%d-%H%M%S")
    backup = memory.workspace.layout.private / "backups" / f"{NAME}.{stamp}"
    if not backup.exists():
        memory.workspace.write_private(backup, text.encode("utf-8", "surrogateescape"))
