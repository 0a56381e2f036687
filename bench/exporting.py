"""
What it costs to export a memory in each form, and to restore it from its archive.

    python bench/exporting.py WORKSPACE [--with-index]

WORKSPACE is only read, but for its locks and its audit log; `bench/search.py --keep` makes
one, and your own will do. CPU seconds (user plus system) and the peak of resident memory
of whole processes. What is restored is indexed by its words, as on a machine without an
embedding model; with ``--with-index`` the vectors go along, and those that are missing are
computed before.
"""

from __future__ import annotations

import argparse
import filecmp
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
FORMS = ("archive", "jsonl", "markdown", "html")
WITHOUT_MODEL = "from strata.memory import Memory; Memory.model_folder = None\n"
PROGRAM = "import sys; from strata.cli import main; main(sys.argv[1:])"
ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "ORT_DISABLE_TELEMETRY": "1"}


def cost(state: Path, workspace: Path, *arguments: str, model: bool = False) -> str:
    """Run one command on *workspace*, and return what it took."""
    program = PROGRAM if model else WITHOUT_MODEL + PROGRAM
    places = ["--workspace", str(workspace), "--state-dir", str(state)]
    begun = time.perf_counter()
    child = subprocess.Popen(
        [sys.executable, "-c", program, *places, *arguments],
        cwd=ROOT,
        env={**os.environ, **ENVIRONMENT},
        stdout=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{arguments[0]} ended with {child.returncode}")
    seconds = time.perf_counter() - begun
    cpu, memory = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    return f"{cpu:6.1f} s CPU, {seconds:6.1f} s in all, {memory:4.0f} MB of memory"


def size(target: Path) -> float:
    """Return how many megabytes *target*, a file or a folder, has."""
    files = target.rglob("*") if target.is_dir() else [target]
    return sum(each.stat().st_size for each in files if each.is_file()) / 1e6


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workspace", type=Path)
    parser.add_argument("--with-index", action="store_true")
    given = parser.parse_args()
    workspace = given.workspace.resolve()
    notes = [*workspace.glob("memory/**/*.md"), *workspace.glob("MEMORY.md")]
    print(f"{len(notes)} notes, {sum(map(size, notes)):.1f} MB")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        state = root / "state"
        for form in FORMS:
            with_index = given.with_index and form == "archive"
            more = ["--with-index"] if with_index else []
            place = str(root / form)
            more += ["--format", form]
            told = cost(state, workspace, "export", place, *more, model=with_index)
            print(f"export {form:<9} {told}, {size(root / form):6.1f} MB")
        (root / "new").mkdir()
        told = cost(state, root / "new", "import", str(root / "archive"))
        print(f"import {'archive':<9} {told}")
        paths = [each.relative_to(workspace).as_posix() for each in notes]
        _, differing, missing = filecmp.cmpfiles(
            workspace, root / "new", paths, shallow=False
        )
        print(f"notes that differ: {len(differing)}, that are missing: {len(missing)}")


if __name__ == "__main__":
    main()
