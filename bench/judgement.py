"""
What does memory come to with a language model, and what does that cost?

Usage: ``python bench/judgement.py [--provider openai --url URL --name NAME]``
``[--scripted careful,yes,…] [--out FOLDER] [SCENARIO.yaml …]``

Plays the planted replay scenarios, 24 days of two invented people's talk, with the model
that you name in every sync and every tidy, and scores what is in the notes at the end. A
key is taken from ``STRATA_MODEL_API_KEY``. *--scripted* plays models that come with this
program instead: ``careful`` answers as the rules would, the others mean harm.

With ``--candidates N`` it measures what one night with *N* new candidates costs, with
``--tokens N`` how many tokens a night with *N* new statements takes, and for what.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import os
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

PROJECT = Path(__file__).resolve().parents[1]
PLANTED = PROJECT.parent / "shared" / "bench" / "planted"
sys.path[:0] = [str(PROJECT), str(PROJECT / "tests"), str(PLANTED)]

from builders_rules import human_page, write_rules  # noqa: E402 - beside the tests
from judges import JUDGES  # noqa: E402 - beside this file
from nights import tokens_of_a_night  # noqa: E402 - beside this file
from scripted_model import answering  # noqa: E402 - beside the tests

from strata.cli import run  # noqa: E402 - after the path is set
from strata.jobs.tidy import tidy  # noqa: E402
from strata.memory import Memory  # noqa: E402
from strata.model.ledger import Ledger  # noqa: E402
from strata.workspace.journal import Journal  # noqa: E402
from strata.workspace.layout import Layout  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator

# Without vectors nothing changes in what is remembered, and a run takes a tenth.
WITHOUT_VECTORS = "embedding.model=none"
CALLS_A_DAY = 6
SCRIPTED = ("model.max_tokens_per_day=2000000",)
HASTY = ("model.timeout_seconds=2",)
ROWS = (
    "capture recall", "duplicates in notes", "MEMORY.md recall", "MEMORY.md precision",
    "bad lines", "weekly recall", "injected", "stale or expired", "secrets", "canaries",
    "violated invariants", "calls", "failed calls", "tokens", "answers from the cache",
)  # fmt: skip


def main() -> None:
    """Print one table, a column a scenario and model."""
    options = _options()
    if options.candidates:
        print(night(options.candidates))
        return
    if options.tokens:
        with tempfile.TemporaryDirectory() as folder:
            print(tokens_of_a_night(Path(folder), count=options.tokens, standing=30))
        return
    columns: dict[str, dict[str, str]] = {}
    for label, settings in _models(options):
        for path in options.scenarios or sorted((PLANTED / "scenarios").glob("*.yaml")):
            out = Path(options.out or tempfile.mkdtemp()) / f"{path.stem}-{label}"
            columns[f"{path.stem} {label}"] = play(path, settings, out)
            print(_table(columns), flush=True)


def play(path: Path, settings: tuple[str, ...], out: Path) -> dict[str, str]:
    """Play the scenario at *path* into *out* with *settings*; return the figures."""
    # The harness is a script without types, found only where the shared material lies.
    replay: Any = importlib.import_module("replay")
    scenario = importlib.import_module("plantlib").Scenario(path)
    options = SimpleNamespace(
        cmd="strata", crash=0, seed=1, until=None, timeout=600, env=None,
        keep_home=False, no_query=True, no_repeat=True, verbose=False, quiet=False,
    )  # fmt: skip
    played = replay.Replay(scenario, "strata", out, options)
    played.call = _calling(played, settings)
    played.invariants = _now_and_then(played)
    played.run()
    return {**_scored(replay.Score(out).all()), **_cost(played.ws)}


def night(count: int) -> str:
    """Return what a night costs that has *count* new candidates, and the nights after."""
    told = []
    with tempfile.TemporaryDirectory() as folder, answering(JUDGES["careful"]) as model:
        root = Path(folder)
        last = write_rules(root, count=count)
        (root / "MEMORY.md").write_text(human_page())
        for number in range(1, 4):
            memory = Memory.open(
                workspace=folder,
                state_dir=folder,
                now=f"{last}T23:0{number}:00+00:00",
                overrides=[*model.settings, *SCRIPTED],
            )
            began = time.process_time()
            report = tidy(memory, compress=False, archive=False)
            seconds = time.process_time() - began
            if used := memory.model_if_open:
                told.append(
                    f"night {number}: {used.calls} calls, {used.tokens} tokens, "
                    f"{report.judged} judged, {report.left_to_rules} left to the rules, "
                    f"{seconds:.1f} s CPU"
                )
    return "\n".join(told)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenarios", nargs="*", type=Path)
    parser.add_argument("--provider", default="")
    parser.add_argument("--url", default="")
    parser.add_argument("--name", default="")
    parser.add_argument("--scripted", default="", help=", ".join(JUDGES))
    parser.add_argument("--candidates", type=int, default=0)
    parser.add_argument("--tokens", type=int, default=0)
    parser.add_argument("--out", help="keep the workspaces in this folder")
    return parser.parse_args()


def _models(options: argparse.Namespace) -> Iterator[tuple[str, tuple[str, ...]]]:
    if options.provider:
        named = {"url": options.url, "name": options.name}
        chosen = [f"model.{key}={value}" for key, value in named.items() if value]
        yield options.provider, (f"model.provider={options.provider}", *chosen)
    elif not options.scripted:
        yield "rules", ()
    for name in filter(None, options.scripted.split(",")):
        with answering(JUDGES[name]) as model:
            hasty = HASTY if name == "unreliable" else ()
            yield name, (*model.settings, *SCRIPTED, *hasty)


def _calling(played: Any, settings: tuple[str, ...]) -> Any:
    """Return what runs a command in this process, as the harness would start one."""
    given = [f"--set={each}" for each in (WITHOUT_VECTORS, *settings)]

    def call(
        now: Any, arguments: list[str], _kill: Any = None, flags: Any = ("--json",)
    ) -> tuple[int, bool, float, str, str]:
        began = time.perf_counter()
        where = ["--workspace", str(played.ws), "--state-dir", str(played.st)]
        at = now.astimezone(played.sc.tz).isoformat(timespec="seconds")
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run([*where, "--now", at, *given, *flags, *arguments])
        took = time.perf_counter() - began
        return code, False, took, out.getvalue(), err.getvalue()

    return call


def _now_and_then(played: Any) -> Any:
    """Return the harness's search for what must never be, once a day: it takes long."""
    checks, count = played.invariants, 0

    def invariants(*, crashed: bool = False) -> Any:
        nonlocal count
        count += 1
        if count % CALLS_A_DAY == 0:
            return checks(crashed=crashed)
        page = played.ws / "MEMORY.md"
        return [], {"MEMORY.md": page.read_bytes()} if page.exists() else {}

    return invariants


def _scored(score: dict[str, Any]) -> dict[str, str]:
    memory, weekly = score["memory"], score["weekly"]
    lapsed = sum(memory["violations"][k] for k in ("stale", "uncorrected", "expired"))
    injected = memory["violations"]["injected"] + weekly["injected_as_preference"]
    good, entries = memory["good"], memory["good"] + memory["bad"] + memory["unknown"]
    values = [
        f"{score['capture']['got']}/{score['capture']['of']}",
        score["duplicates"]["total"],
        f"{memory['found']}/{memory['of']}",
        f"{good}/{entries}",
        memory["bad"],
        f"{weekly['got']}/{weekly['of']}",
        injected,
        lapsed,
        len(score["secrets_leaked"]),
        len(score["canaries_leaked"]),
        score["steps"]["with_violation"],
    ]
    return dict(zip(ROWS, map(str, values), strict=False))


def _cost(workspace: Path) -> dict[str, str]:
    layout = Layout(workspace)
    calls = list(Ledger(Journal(layout.model_ledger_file)).calls())
    failed = sum(call.outcome != "ok" for call in calls)
    kept = len(list(layout.model_cache_folder.glob("*.json")))
    values = [len(calls), failed, sum(call.tokens for call in calls), kept]
    return dict(zip(ROWS[-4:], map(str, values), strict=True))


def _table(columns: dict[str, dict[str, str]]) -> str:
    lines = [f"| | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    for row in ROWS:
        cells = " | ".join(column.get(row, "") for column in columns.values())
        lines.append(f"| {row} | {cells} |")
    return "\n".join(lines)


if __name__ == "__main__":
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    main()
