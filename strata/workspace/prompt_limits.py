"""How much of a file of the workspace OpenClaw puts into a prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.workspace.openclaw_config import value_at

if TYPE_CHECKING:
    from pathlib import Path

    from strata.workspace.openclaw_config import Values

# Unless it is told otherwise: of one file, whose middle is cut out, and of all of them.
FILE_CHARS = ("bootstrapMaxChars", 20_000)
ALL_CHARS = ("bootstrapTotalMaxChars", 60_000)
# The setting for one file can only lower this.
PROFILE = "USER.md"
PROFILE_CHARS = 4_000
# One folder a person, as OpenClaw knows them.
USERS = "users"


def most_chars(configuration: Values, agent: str, limit: tuple[str, int]) -> int:
    """Return how many characters *configuration* gives *agent* by the setting *limit*."""
    key, default = limit
    for path in (("agents", "entries", agent, key), ("agents", "defaults", key)):
        found = value_at(configuration, path)
        if isinstance(found, int) and found > 0:
            return found
    return default


def length(text: str) -> int:
    """Return how many characters *text* has for OpenClaw: as JavaScript counts them."""
    return len(text.rstrip().encode("utf-16-le", "surrogatepass")) // 2


def personal_files(root: Path) -> list[str]:
    """Return the paths of the files below *root* that are read to one person each."""
    found = sorted((root / USERS).glob(f"*/{PROFILE}"))
    paths = (each.relative_to(root).as_posix() for each in found)
    return [each for each in paths if not is_alias(root, each)]


def is_alias(root: Path, path: str) -> bool:
    """Say whether a link leads away from *path*: OpenClaw reads such a file to nobody."""
    return (root / path).resolve() != root / path


def most_of_profile(configuration: Values, agent: str) -> int:
    """Return how many characters a person's ``USER.md`` may have to be read at all."""
    return min(PROFILE_CHARS, most_chars(configuration, agent, FILE_CHARS))
