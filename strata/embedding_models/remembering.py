"""A model that embeds no short text twice, for as long as its process lives."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from strata.embedding_models.encoder import load_encoder

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from strata.embedding_models.encoder import Encoder, Vectors

    Half = NDArray[np.float16]

# 15 MB of vectors at 384 numbers each, and none of what is too long to be a line.
MOST, LONGEST = 20_000, 1_000


@lru_cache(maxsize=1)
def shared(folder: Path) -> RememberingEncoder:
    """Return the one of this process for the model in *folder*."""
    return RememberingEncoder(load_encoder(folder))


class RememberingEncoder:
    """The same vectors as *encoder* gives, the latest of them kept in half precision."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._known: dict[str, Half] = {}
        # What was wanted and not known, in the order in which it was.
        self._wishes: dict[str, None] = {}
        self.name, self.fingerprint = encoder.name, encoder.fingerprint
        self.dimensions, self.languages = encoder.dimensions, encoder.languages

    def knows(self, text: str) -> bool:
        """Tell whether *text* has its vector already."""
        return text in self._known

    def wish(self, texts: Iterable[str]) -> None:
        """Let *texts* be the next that are embedded when there is time."""
        self._wishes |= dict.fromkeys(texts)

    def wished(self, many: int) -> list[str]:
        """Return up to *many* of the texts that were wished for, each once."""
        found = list(self._wishes)[:many]
        for each in found:
            del self._wishes[each]
        return found

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one row for each of *texts*, as `Encoder.encode` does."""
        import numpy as np  # noqa: PLC0415 - only hybrid search pays for it

        missing = [each for each in dict.fromkeys(texts) if each not in self._known]
        made = (
            dict(zip(missing, self._encoder.encode(missing), strict=True))
            if missing
            else {}
        )
        found = [made[each] if each in made else self._known[each] for each in texts]
        # What is used stays; what was read ahead and never used goes first.
        for each in dict.fromkeys(texts):
            if each in self._known:
                self._known[each] = self._known.pop(each)
        self._keep((text, row.astype(np.float16)) for text, row in made.items())
        rows: Vectors = np.array(found, np.float32).reshape(-1, self.dimensions)
        return rows

    def _keep(self, made: Iterable[tuple[str, Half]]) -> None:
        self._known |= {text: row for text, row in made if len(text) <= LONGEST}
        for text in list(self._known)[: max(len(self._known) - MOST, 0)]:
            del self._known[text]
