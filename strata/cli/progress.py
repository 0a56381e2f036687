"""A progress bar on stderr, for people who watch long work in a terminal."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from strata.messages import worded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def progress_bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """
    Give a function that takes how much is done and how much there is.

    What comes to its end is shown whole, whatever was told last; what fails stays where it
    was; and either way the next line is one of its own.
    """
    if not sys.stderr.isatty():
        yield lambda _done, _of: None
        return
    bar = None

    def show(done: int, of: int) -> None:
        nonlocal bar
        if bar is None and of:
            bar = click.progressbar(length=of, label=worded(label), file=sys.stderr)
        if bar is not None:
            # There may be several rounds, or more to do than was known at first.
            bar.length, bar.finished = of, False
            bar.update(done - bar.pos)

    try:
        yield show
        if bar is not None:
            bar.update((bar.length or 0) - bar.pos)
    finally:
        if bar is not None:
            bar.render_finish()
