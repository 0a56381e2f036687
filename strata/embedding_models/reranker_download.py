"""The child process that downloads a re-ranker from the hub, through fastembed."""

from __future__ import annotations

import sys
from typing import Any


def main(name: str, folder: str) -> int:
    """
    Download the re-ranker *name* below *folder*, and try it once.

    The last printed line is the folder that holds its files or, with exit status 1, the
    reason why there are none.
    """
    try:
        print(_download(name, folder))  # noqa: T201 - the parent reads this
    # What the downloader raises depends on its version and its HTTP library; the parent
    # takes whatever it is as one reason.
    except Exception as error:  # noqa: BLE001 - see above
        print((str(error) or type(error).__name__).splitlines()[0])  # noqa: T201
        return 1
    return 0


def _download(name: str, folder: str) -> str:
    # Slow to import, and only this child pays.
    from fastembed.rerank.cross_encoder import TextCrossEncoder  # noqa: PLC0415
    from loguru import logger  # noqa: PLC0415

    logger.remove()
    print("starting", flush=True)  # noqa: T201 - a sign of life
    encoder = TextCrossEncoder(name, cache_dir=folder)
    list(encoder.rerank("a question", ["a text"]))
    model: Any = encoder.model  # Any: fastembed has no public name for its folder
    return str(model._model_dir)  # noqa: SLF001 - the same


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
