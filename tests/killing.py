"""A process that ends at a chosen step of its work with files, for real or as if."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import forking

from strata.workspace.files import Workspace
from strata.workspace.journal import Journal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[1]


def run_killed_at(
    step: int, folder: Path, program: str, *arguments: str, **environment: str
) -> bool:
    """
    Run *program* until its *step*-th change below *folder*; say whether it was killed.

    A program that ends before that step has ended by itself and must have succeeded.
    """
    finished = forking.run(
        program,
        *arguments,
        directory=Path.cwd(),
        environment=environment,
        killed_at=(step, folder),
    )
    if finished.returncode == -signal.SIGKILL:
        return True
    assert finished.returncode == 0, finished.stderr
    return False


class Killed(BaseException):
    """
    The process ends here.
    """


@contextmanager
def killed_before(change: int) -> Iterator[None]:
    """
    End the process before its *change*-th change on disk; 0 lets it live.
    """
    left = [change]
    places = [(Workspace, "update"), (Workspace, "move"), (Journal, "append")]
    real = [getattr(owner, name) for owner, name in places]

    def dying(method: Callable[..., object]) -> Callable[..., object]:
        def die_or(*arguments: object, **options: object) -> object:
            left[0] -= 1
            if left[0] == 0:
                raise Killed
            return method(*arguments, **options)

        return die_or

    for (owner, name), method in zip(places, real, strict=True):
        setattr(owner, name, dying(method))
    try:
        yield
    finally:
        for (owner, name), method in zip(places, real, strict=True):
            setattr(owner, name, method)
