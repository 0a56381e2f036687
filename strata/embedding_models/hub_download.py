"""The child process that downloads a model's parts from the hub, through fastembed."""

from __future__ import annotations

import sys
import urllib.error
import urllib.request

_CONNECT_SECONDS = 5


def main(repository: str, revision: str, folder: str, weights: str) -> int:
    """
    Download *weights* and the tokenizer of *repository* into *folder*.

    The last printed line is the folder that holds the files or, with exit status 1, the
    reason why there are none.
    """
    try:
        _probe(repository, revision)
        print("reached", flush=True)  # noqa: T201 - the parent reads this
        print(_download(repository, revision, folder, weights))  # noqa: T201 - and this
    # What the downloader raises depends on its version and its HTTP library; the parent
    # takes whatever it is as one reason, and goes on to the next source.
    except Exception as error:  # noqa: BLE001 - see above
        print(_one_line(error))  # noqa: T201 - the parent reads this
        return 1
    return 0


def _probe(repository: str, revision: str) -> None:
    """Fetch the smallest file first: a dead hub is noticed before the slow imports."""
    # The hub's address, or that of the mirror in HF_ENDPOINT.
    from huggingface_hub.constants import ENDPOINT  # noqa: PLC0415 - the child alone pays

    endpoint = ENDPOINT.rstrip("/")
    if not endpoint.startswith(("http://", "https://")):
        raise ValueError(f"HF_ENDPOINT is no web address: {endpoint}")
    address = f"{endpoint}/{repository}/resolve/{revision}/config.json"
    # The scheme was checked above.
    with urllib.request.urlopen(address, timeout=_CONNECT_SECONDS) as answer:  # noqa: S310
        answer.read()


def _download(repository: str, revision: str, folder: str, weights: str) -> str:
    # Slow to import, and needed only where the hub has answered.
    from fastembed.common.model_management import ModelManagement  # noqa: PLC0415
    from loguru import logger  # noqa: PLC0415

    logger.remove()
    found: str = ModelManagement.download_files_from_huggingface(
        repository, cache_dir=folder, extra_patterns=[weights], revision=revision
    )
    return found


def _one_line(error: Exception) -> str:
    if isinstance(error, urllib.error.HTTPError):
        return f"it answered {error.code} {error.reason}"
    if isinstance(error, urllib.error.URLError):
        return f"it cannot be reached ({getattr(error.reason, 'strerror', error)})"
    return (str(error) or type(error).__name__).splitlines()[0]


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
