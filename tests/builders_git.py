"""What a user does with git."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def git(folder: Path, *arguments: str) -> str:
    """
    What git prints with *arguments*, run in *folder* as somebody called Robin.
    """
    identity = ["-c", "user.name=Robin", "-c", "user.email=robin@example.org"]
    return subprocess.run(
        ["git", *identity, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
