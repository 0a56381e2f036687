"""Secret access keys that nothing but their length and their signs tells."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.transcripts.secret_rules.found import Secret

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.transcripts.secret_rules.view import View

# 40 signs of three sorts are a secret access key; digests have two sorts.
_KEY = re.compile(r"(?<![A-Za-z0-9/+=_-])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=_-])")
_SIGNS = bytes.maketrans(b"/+", b"aa")
_LENGTH = b"a" * 40
_RUN = re.compile(_LENGTH + b"a*")
_SORTS = tuple(re.compile(sort) for sort in ("[A-Z]", "[a-z]", "[0-9]"))


def access_keys(view: View) -> Iterator[Secret]:
    """Yield the secret access keys in *view*."""
    signs = view.shape.translate(_SIGNS)
    for run in _RUN.finditer(signs) if _LENGTH in signs else ():
        found = _KEY.match(view.text, run.start())
        if found and all(sort.search(found[0]) for sort in _SORTS):
            yield Secret(*found.span(), "secret:token")
