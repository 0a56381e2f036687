"""Words for what somebody is by birth or marriage."""

from __future__ import annotations

from strata.language.lexicon import lexicon
from strata.language.statement import read


def is_kin(word: str) -> bool:
    """Tell whether *word* says what somebody is by birth or marriage."""
    return any(piece.key in kin_words() for piece in read(word).pieces)


def kin_words() -> frozenset[str]:
    """Return the keys of all such words."""
    return frozenset[str]().union(*lexicon().kin)
