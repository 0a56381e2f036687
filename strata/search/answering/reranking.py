"""A cross-encoder reads question and passage together, and puts the best in order."""

from __future__ import annotations

import math
import os
import time
from typing import TYPE_CHECKING, Any

from strata.errors import ModelUnavailable
from strata.messages import Notice

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

# A passage takes about 20 ms with the smallest model; who asks does not wait longer.
DEADLINE_SECONDS = 3.0
_BATCH = 4


class Reranker:
    """
    The cross-encoder *name*, one of fastembed's, in *folder*; opened when first used.

    *say* gets one line where it cannot be opened or is too slow; then nothing is changed.
    """

    def __init__(
        self,
        name: str,
        folder: Path,
        say: Callable[[str], None],
        deadline_seconds: float = DEADLINE_SECONDS,
    ) -> None:
        self._name = name
        self._folder = folder
        self._say = say
        self._deadline_seconds = deadline_seconds
        self._encoder: Any = None  # Any: fastembed's types need its extras
        self._broken = False

    def scores(self, question: str, texts: Sequence[str]) -> list[float] | None:
        """Return how well each of *texts* answers, from 0 to 1; none where it cannot."""
        if self._broken or not texts:
            return None
        try:
            self._encoder = self._encoder or _open(self._name, self._folder)
        except ModelUnavailable as error:
            self._broken = True
            self._say(f"{error}; hits stay as they were ranked")
            return None
        return self._read(question, texts)

    def _read(self, question: str, texts: Sequence[str]) -> list[float] | None:
        deadline = time.monotonic() + self._deadline_seconds
        scores: list[float] = []
        for at in range(0, len(texts), _BATCH):
            if time.monotonic() > deadline:
                self._say("the re-ranker takes too long; hits stay as they were ranked")
                return None
            batch = list(texts[at : at + _BATCH])
            scores += map(_share, self._encoder.rerank(question, batch))
        return scores


def _share(logit: float) -> float:
    return 1 / (1 + math.exp(-max(min(logit, 30.0), -30.0)))


def _open(name: str, folder: Path) -> Any:  # Any: fastembed's types need its extras
    if not folder.is_dir():
        raise ModelUnavailable(Notice("embedding.no-reranker", name=name))
    # Asked for a model that it has, fastembed would still call the hub.
    os.environ["HF_HUB_OFFLINE"] = "1"
    from fastembed.rerank.cross_encoder import TextCrossEncoder  # noqa: PLC0415 - 0.35 s

    try:
        return TextCrossEncoder(
            name, cache_dir=str(folder), specific_model_path=str(folder), threads=1
        )
    # A damaged file makes ONNX Runtime and the tokenizer raise what has no common base.
    except Exception as error:  # noqa: BLE001
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise ModelUnavailable(
            Notice("embedding.reranker-broken", name=name, reason=reason)
        ) from None
