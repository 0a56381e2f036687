"""The child process that downloads a model from the hub, through fastembed."""

from __future__ import annotations

import sys
import urllib.error
import urllib.request
from typing import Any

_CONNECT_SECONDS = 5


def main(kind: str, *wanted: str) -> int:
    """
    Download a model's "parts" or a "reranker", the *kind* of what is *wanted*.

    The last printed line is the folder that holds the files or, with exit status 1, the
    reason why there are none.
    """
    try:
        found = reranker(*wanted) if kind == "reranker" else parts(*wanted)
        print(found)  # noqa: T201 - the parent reads this
    # What the downloader raises depends on its version and its HTTP library; the parent
    # takes whatever it is as one reason.
    except Exception as error:  # noqa: BLE001 - see above
        print(_one_line(error))  # noqa: T201 - the parent reads this
        return 1
    return 0


def parts(repository: str, revision: str, folder: str, weights: str) -> str:
    """Download *weights* and the tokenizer of *repository* into *folder*."""
    # The hub's address, or that of the mirror in HF_ENDPOINT.
    from huggingface_hub.constants import ENDPOINT  # noqa: PLC0415 - the child alone pays

    endpoint = ENDPOINT.rstrip("/")
    if not endpoint.startswith(("http://", "https://")):
        raise ValueError(f"HF_ENDPOINT is no web address: {endpoint}")
    # The smallest file comes first: a dead hub is noticed before the slow imports.
    address = f"{endpoint}/{repository}/resolve/{revision}/config.json"
    # The scheme was checked above.
    with urllib.request.urlopen(address, timeout=_CONNECT_SECONDS) as answer:  # noqa: S310
        answer.read()
    print("reached", flush=True)  # noqa: T201 - a sign of life
    from fastembed.common.model_management import ModelManagement  # noqa: PLC0415

    _silence()
    found: str = ModelManagement.download_files_from_huggingface(
        repository, cache_dir=folder, extra_patterns=[weights], revision=revision
    )
    return found


def reranker(name: str, folder: str) -> str:
    """Download the re-ranker *name* below *folder*, and try it once."""
    from fastembed.rerank.cross_encoder import TextCrossEncoder  # noqa: PLC0415

    _silence()
    print("starting", flush=True)  # noqa: T201 - a sign of life
    encoder = TextCrossEncoder(name, cache_dir=folder)
    list(encoder.rerank("a question", ["a text"]))
    model: Any = encoder.model  # Any: fastembed has no public name for its folder
    return str(model._model_dir)  # noqa: SLF001 - the same


def _silence() -> None:
    from loguru import logger  # noqa: PLC0415 - comes with fastembed, which is slow

    logger.remove()


def _one_line(error: Exception) -> str:
    if isinstance(error, urllib.error.HTTPError):
        return f"it answered {error.code} {error.reason}"
    if isinstance(error, urllib.error.URLError):
        return f"it cannot be reached ({getattr(error.reason, 'strerror', error)})"
    return (str(error) or type(error).__name__).splitlines()[0]


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
