"""
What encryption costs: questions, an update after one changed note, and a restart.

    python bench/encryption.py WORKSPACE [--runs 5] [--passphrase]

WORKSPACE is copied and stays as it is; `bench/search.py --keep` makes one. CPU seconds of
whole processes, their start included; the median of the runs.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from strata.workspace.snapshot import memory_folder  # noqa: E402 - after the path
from strata.workspace.vault import random_key  # noqa: E402 - the same

QUESTION = "Which database did we choose for the reports of the greenhouse project?"
ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "STRATA_ENCRYPTION_NOTES": "memory/*"}


def cpu(workspace: Path, key: str, *arguments: str) -> float:
    """Return the CPU seconds of one command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "strata", "--workspace", str(workspace), *arguments],
        cwd=ROOT,
        env={**os.environ, **ENVIRONMENT, "STRATA_KEY": key},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def change(workspace: Path) -> None:
    """Have one note say something new."""
    note = min((workspace / "memory").glob("*.md"))
    with note.open("a", encoding="utf-8") as file:
        file.write(f"- The greenhouse got window {os.urandom(4).hex()}.\n")


def measured(workspace: Path, key: str, runs: int) -> dict[str, float]:
    """Return the median of each figure."""
    figures: dict[str, list[float]] = {}
    cpu(workspace, key, "update")
    cpu(workspace, key, "query", QUESTION)
    for _ in range(runs):
        words = ("--set", "search.without=vectors", "query", QUESTION)
        figures.setdefault("keywords", []).append(cpu(workspace, key, *words))
        asked = cpu(workspace, key, "query", QUESTION)
        figures.setdefault("hybrid", []).append(asked)
        change(workspace)
        figures.setdefault("update", []).append(cpu(workspace, key, "update"))
    return {name: statistics.median(each) for name, each in figures.items()}


def size(workspace: Path) -> int:
    """Return the bytes that the index takes on the disk."""
    files = (workspace / ".strata/index").rglob("*")
    return sum(file.stat().st_blocks * 512 for file in files if file.is_file())


def compare(workspace: Path, key: str, runs: int) -> None:
    """Print plain and encrypted side by side."""
    plain, plain_size = measured(workspace, "", runs), size(workspace)
    switched = cpu(workspace, key, "encryption", "on")
    encrypted, encrypted_size = measured(workspace, key, runs), size(workspace)
    live = memory_folder(workspace.resolve())
    if live:
        shutil.rmtree(live, ignore_errors=True)
    restarted = cpu(workspace, key, "query", QUESTION)
    for name, seconds in plain.items():
        print(f"{name:>14}  {seconds:.3f} s  {encrypted[name]:.3f} s")
    print(f"{'after restart':>14}  {'':7}  {restarted:.3f} s")
    print(f"{'switched on':>14}  {'':7}  {switched:.3f} s")
    print(f"{'disk':>14}  {plain_size >> 20} MB  {encrypted_size >> 20} MB")
    if live:
        shutil.rmtree(live, ignore_errors=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workspace", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--passphrase", action="store_true")
    chosen = parser.parse_args()
    key = "correct horse battery staple" if chosen.passphrase else random_key()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "workspace"
        ignored = shutil.ignore_patterns("*.bell")
        shutil.copytree(chosen.workspace, copy, ignore=ignored)
        compare(copy, key, chosen.runs)


if __name__ == "__main__":
    main()
