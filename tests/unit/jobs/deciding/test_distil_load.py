"""Far more deserves a line than fits, and the page never breaks its limits."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from builders_rules import human_page, write_rules

from strata.jobs.tidy import tidy
from strata.memory import Memory
from strata.notes.long_term import fits

if TYPE_CHECKING:
    from pathlib import Path


def test_500_candidates_against_an_almost_full_page(tmp_path: Path) -> None:
    """
    Whoever reads MEMORY.md meanwhile finds it within both limits, with all human lines.
    """
    last = write_rules(tmp_path)
    page = tmp_path / "MEMORY.md"
    page.write_text(human_page())
    memory = Memory.open(
        workspace=str(tmp_path), state_dir=str(tmp_path), now=f"{last}T23:00:00+00:00"
    )
    seen: set[str] = set()
    ended = threading.Event()

    def watch() -> None:
        while not ended.is_set():
            seen.add(page.read_text())
            time.sleep(0.001)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        report = tidy(memory, compress=False, archive=False)
    finally:
        ended.set()
        watcher.join()

    assert (
        len(report.distilled.of("promoted")) + len(report.distilled.of("evicted"))
        == 500
    )
    assert len(report.distilled.of("promoted")) > 10
    assert [text for text in seen if not fits(text)] == []
    assert human_page() in page.read_text()
    assert fits(page.read_text())
    assert not tidy(memory, compress=False, archive=False).distilled.changed


def test_newcomers_on_a_full_page_settle_in_one_night(tmp_path: Path) -> None:
    """
    A line that is new tonight is as short as it will be when the night is repeated.
    """
    last = write_rules(tmp_path, count=30)
    page = tmp_path / "MEMORY.md"
    page.write_text("# Mine\n\n" + "x" * 3750 + "\n")
    memory = Memory.open(
        workspace=str(tmp_path), state_dir=str(tmp_path), now=f"{last}T23:00:00+00:00"
    )
    note = tmp_path / "memory" / f"{last}.md"
    late = note.read_text()
    note.unlink()
    tidy(memory, compress=False, archive=False)
    note.write_text(late)

    report = tidy(memory, compress=False, archive=False)

    assert len(report.distilled.of("promoted")) == 10
    assert 0 < page.read_text().count("(src: ") < 30
    assert not tidy(memory, compress=False, archive=False).distilled.changed
