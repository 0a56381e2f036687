"""The formats that can be imported, each loaded where it is needed."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from strata.imports.bundles import Bundle
    from strata.imports.talks import Format

# By the name that `--from` gives, in the order in which they are tried: those first that
# cannot be taken for another. Each module here has its `FORMAT`.
MODULES = {
    "chatgpt": "chatgpt",
    "claude": "claude",
    "claude-code": "claude_code",
    "gemini": "gemini",
    "mem0": "mem0",
    "claude-mem": "claude_mem",
    "openclaw": "openclaw",
    # Any folder with a note in it could be this.
    "markdown": "markdown",
}

# An archive of our own is no other tool's, and `strata.jobs.exporting` reads it.
ARCHIVE = "strata"
NAMES = (*MODULES, ARCHIVE)


def format_named(name: str) -> Format:
    """Return the format that *name*, a key of `MODULES`, stands for."""
    found: Format = import_module(f"{__name__}.{MODULES[name]}").FORMAT
    return found


def recognised(source: Bundle) -> Format | None:
    """Return the format that *source* has, None where it has none of them."""
    for name in MODULES:
        found = format_named(name)
        if found.recognises(source):
            return found
    return None
