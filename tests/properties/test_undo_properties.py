"""Whatever happened before, an undo brings back exactly what the last run found."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from builders import tree
from builders_memory import NOON, captured, open_memory
from hypothesis import given, settings
from hypothesis import strategies as st

from strata.errors import StrataError
from strata.jobs.deciding.verdict_list import statements
from strata.jobs.remember import remember
from strata.jobs.review import review
from strata.jobs.tidy import tidy
from strata.jobs.undo import undo

if TYPE_CHECKING:
    from collections.abc import Callable

    from strata.memory import Memory

HUMAN = "- Robin wrote this line.\n"
WORDS = (
    "Always reply to Anna in German.",
    "周报一律用中文写",
    "The staging port is 5433.",
    "The staging port is 5434, not 5433.",
)


def edit(memory: Memory) -> None:
    """
    A person adds a line to MEMORY.md, once.
    """
    path = memory.workspace.root / "MEMORY.md"
    text = path.read_text() if path.exists() else "# Mine\n"
    if HUMAN not in text:
        path.write_text(text + HUMAN)


def decide(action: str) -> Callable[[Memory], None]:
    """
    The owner does *action* to the newest statement.
    """

    def act(memory: Memory) -> None:
        known = statements(memory)
        if known:
            review(memory, action, [known[0].id])

    return act


def tell(words: str) -> Callable[[Memory], object]:
    """
    The owner has *words* remembered.
    """
    return lambda memory: remember(memory, words)


RUNS: dict[str, Callable[[Memory], object]] = {
    "tidy": tidy,
    "accept": decide("accept"),
    "decline": decide("decline"),
    "pin": decide("pin"),
    **{words: tell(words) for words in WORDS},
}


def files(memory: Memory) -> dict[str, bytes]:
    """
    The memory files, but for the backups, of which there may be ever more.
    """
    kept = tree(memory.workspace.root, without=".strata")
    return {path: content for path, content in kept.items() if ".bak-" not in path}


@settings(max_examples=25, deadline=None)
@given(
    steps=st.lists(
        st.tuples(st.sampled_from([*RUNS, "edit", "undo"]), st.integers(0, 9)),
        min_size=1,
        max_size=5,
    ),
    last=st.sampled_from(sorted(RUNS)),
)
def test_undo_is_exact(steps: list[tuple[str, int]], last: str) -> None:
    """
    After any history, a run and its undo leave every memory file as it was.
    """
    with TemporaryDirectory() as folder:
        root = Path(folder)
        captured(root)
        now = datetime.fromisoformat(NOON)
        human = False
        for step, days in steps:
            now += timedelta(days=days, minutes=1)
            memory = open_memory(root, now.isoformat())
            try:
                if step == "undo":
                    undo(memory)
                elif step == "edit":
                    edit(memory)
                    human = True
                else:
                    RUNS[step](memory)
            except StrataError:
                continue
        memory = open_memory(root, (now + timedelta(minutes=1)).isoformat())
        before = files(memory)
        try:
            RUNS[last](memory)
        except StrataError:
            assert files(memory) == before
            return
        if files(memory) != before:
            undo(memory)

        assert files(memory) == before
        assert not human or HUMAN in memory.workspace.read("MEMORY.md")
