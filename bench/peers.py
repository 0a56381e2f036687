"""
What one question costs on the command lines of others, beside ours, in the same run.

Usage: ``python bench/peers.py WORKSPACE [--runs 5]``

WORKSPACE holds memory files and an index (``bench/search.py --keep DIR`` makes one of
10,000 chunks). Measured is what is on the PATH: `openclaw memory search`, `qmd search`
and `memsearch search`, each after it has indexed the same files in a home of its own.
Figures are of whole processes and all their children, medians of the runs.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
QUESTION = "which database did we choose for the reports"
LAUNCHER = PROJECT / "scripts" / "strata"


def cost(command: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """Run *command* and return its CPU and wall seconds, children included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.perf_counter()
    subprocess.run(command, env=environment, capture_output=True, check=True)
    wall = time.perf_counter() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, wall


def show(name: str, command: list[str], environment: dict[str, str], runs: int) -> None:
    costs = [cost(command, environment) for _ in range(runs + 1)][1:]
    cpu, wall = (statistics.median(figures) for figures in zip(*costs, strict=True))
    print(f"{name:34s} {cpu:6.2f} s CPU {wall:6.2f} s wall")


def openclaw(workspace: Path, home: Path, runs: int) -> None:
    defaults = {"workspace": str(workspace)}
    search = {"provider": "none", "sources": ["memory"]}
    settings = {"memory": {"search": search}, "agents": {"defaults": defaults}}
    settings["gateway"] = {"mode": "local"}
    (home / "openclaw.json").write_text(json.dumps(settings), encoding="utf-8")
    environment = {**os.environ, "HOME": str(home), "OPENCLAW_STATE_DIR": str(home)}
    cost(["openclaw", "memory", "index", "--force"], environment)
    command = ["openclaw", "memory", "search", QUESTION]
    show("openclaw memory search, keywords", command, environment, runs)


def qmd(workspace: Path, home: Path, runs: int) -> None:
    environment = {**os.environ, "HOME": str(home)}
    memory = str(workspace / "memory")
    cost(["qmd", "collection", "add", memory, "--name", "memory"], environment)
    command = ["qmd", "search", "database reports", "-n", "10"]
    show("qmd search, keywords", command, environment, runs)


def memsearch(workspace: Path, home: Path, runs: int) -> None:
    environment = {**os.environ, "HOME": str(home)}
    cost(["memsearch", "index", str(workspace / "memory")], environment)
    show("memsearch search", ["memsearch", "search", QUESTION], environment, runs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workspace", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    workspace = options.workspace.resolve()
    environment = dict(os.environ)
    # As installed: modules are compiled once, not at every start.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    program = [str(LAUNCHER)] if (PROJECT / ".venv").exists() else []
    program = program or [sys.executable, "-m", "strata"]
    ours = [*program, "--workspace", str(workspace), "query", QUESTION]
    os.chdir(PROJECT)

    show("strata query, hybrid", ours, environment, options.runs)
    keywords = [*ours, "--set", "embedding.model=none"]
    show("strata query, keywords", keywords, environment, options.runs)
    for measure in (openclaw, qmd, memsearch):
        if shutil.which(measure.__name__):
            with tempfile.TemporaryDirectory() as home:
                copy = Path(home) / "workspace"
                shutil.copytree(workspace / "memory", copy / "memory")
                measure(copy, Path(home), options.runs)
        else:
            print(f"{measure.__name__:34s} not on the PATH")


if __name__ == "__main__":
    main()
