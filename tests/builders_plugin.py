"""A process that plays Strata's for the plugin, which Node.js runs as a gateway does."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
NODE = shutil.which("node")


def answering(folder: Path, answers: str) -> Path:
    """
    Return a plugin's root whose process does *answers*, in sh, for each line it is told.
    """
    (folder / "scripts").mkdir(parents=True)
    (folder / "hooks").mkdir()
    shutil.copy(ROOT / "hooks" / "carrier.js", folder / "hooks")
    program = folder / "scripts" / "strata"
    lines = f"while read -r number told; do {answers}; done"
    program.write_text(f"#!/bin/sh\n{lines}\n")
    program.chmod(0o755)
    return folder


def run(script: str, hook: str, *given: object, seconds: float = 60.0) -> Any:
    """
    Run *script* with `PLUGIN` as our *hook* and what is *given*, and return what it says.
    """
    plugin = json.dumps((ROOT / "hooks" / hook).as_uri())
    finished = subprocess.run(
        [
            *(str(NODE), "--input-type=module", "-e", script.replace("PLUGIN", plugin)),
            *map(str, given[:1]),
            *map(json.dumps, given[1:]),
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=seconds,
    )
    return json.loads(finished.stdout)
