"""The first way to a model: fastembed's own download, from the hub or a mirror of it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from strata.embedding_models.watching import Fetch, run_watched

if TYPE_CHECKING:
    from collections.abc import Callable

    from strata.embedding_models.catalogue import EmbeddingModel
    from strata.embedding_models.watching import Patience

_BUNDLE = Path(__file__).parents[2]


def fetch_from_hub(
    model: EmbeddingModel,
    folder: Path,
    *,
    patience: Patience,
    say: Callable[[str], None],
) -> Path:
    """
    Download the parts of *model* below *folder* and say where they lie.

    They are not checked yet. Raise `FetchFailed` where the hub is out of reach, silent or
    without the model. fastembed would wait 72 seconds for a hub that never answers, and
    retries without being told to; so it runs in a child process with a deadline.
    """
    fetch = Fetch(
        command=[
            sys.executable,
            "-m",
            "strata.embedding_models.hub_download",
            model.repository,
            model.revision,
            str(folder / "hub"),
            "model.safetensors",
        ],
        environment=environment(folder),
        folder=folder,
        megabytes=model.parts_megabytes,
        cwd=_BUNDLE,
    )
    output = run_watched(fetch, patience=patience, say=say)
    return Path(output.splitlines()[-1])


def environment(folder: Path) -> dict[str, str]:
    """Keep every file in *folder*, and send nothing about the user."""
    kept = {name: text for name, text in os.environ.items() if name not in _UNWANTED}
    return kept | {
        "HF_HOME": str(folder / "home"),
        "TMPDIR": str(folder),
        "HF_HUB_DISABLE_IMPLICIT_TOKEN": "1",
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        # Mirrors speak plain HTTP only, and hide no second host behind it.
        "HF_HUB_DISABLE_XET": "1",
        "PYTHONUNBUFFERED": "1",
        "PYTHONWARNINGS": "ignore",
    }


# The launcher sets the first for every command; the others would move the files.
_UNWANTED = ("HF_HUB_OFFLINE", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_XET_CACHE")
