"""The re-ranker that a user turned on: where it lies, and how it gets there."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from strata.embedding_models.folder import models_folder
from strata.embedding_models.hub import environment
from strata.embedding_models.watching import Fetch, FetchFailed, Patience, run_watched

if TYPE_CHECKING:
    from collections.abc import Callable

_BUNDLE = Path(__file__).parents[2]
# What fastembed's smallest has; only the line that tells how far it is uses it.
_MEGABYTES = 90


def reranker_folder(root: Path, name: str) -> Path:
    """Say where the re-ranker *name* lies in the bundle at *root*, if it is there."""
    return models_folder(root) / "rerankers" / name.replace("/", "--")


def ensure_reranker(
    root: Path,
    name: str,
    *,
    say: Callable[[str], None],
    patience: Patience | None = None,
) -> bool:
    """
    Fetch the re-ranker *name*, one of fastembed's, and tell whether it is there.

    *say* gets one line for what takes time, and one where it cannot be had.
    """
    folder = reranker_folder(root.resolve(), name)
    if folder.is_dir():
        return True
    folder.parent.mkdir(parents=True, exist_ok=True)
    say(f"Fetching the re-ranker {name} from the hub …")
    with tempfile.TemporaryDirectory(prefix=".partial-", dir=folder.parent) as partial:
        try:
            found = _fetch(name, Path(partial), patience or Patience(), say)
        except FetchFailed as error:
            say(
                f"the re-ranker {name} cannot be had ({error}); search works without it"
            )
            return False
        # The hub's cache holds links; the copy is whole, and appears at once.
        copy = Path(partial) / "whole"
        shutil.copytree(found, copy)
        copy.rename(folder)
    return True


def _fetch(
    name: str, folder: Path, patience: Patience, say: Callable[[str], None]
) -> Path:
    fetch = Fetch(
        command=[
            *(sys.executable, "-m", "strata.embedding_models.reranker_download"),
            *(name, str(folder / "hub")),
        ],
        environment=environment(folder),
        folder=folder,
        megabytes=_MEGABYTES,
        cwd=_BUNDLE,
    )
    return Path(run_watched(fetch, patience=patience, say=say).splitlines()[-1])
