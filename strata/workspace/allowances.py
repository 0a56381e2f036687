"""
Values that look secret and are none, by the owner's word: settings, and what was accepted.

What was accepted is known again by a keyed hash. The key is random, made once for each
installation, and its owner's alone to read; whoever has it and the journal can still try
guesses, so nothing is hashed that few guesses would find.
"""

from __future__ import annotations

import math
import os
import re
from functools import cached_property
from typing import TYPE_CHECKING

from strata.sensitivity import values_of
from strata.workspace import stored
from strata.workspace.journal import Journal
from strata.workspace.layout import Layout

if TYPE_CHECKING:
    from strata.settings import Settings
    from strata.workspace.files import Workspace
    from strata.workspace.scopes import Scopes

ALLOWED, DISALLOWED = "allowed", "disallowed"
FEWEST_BITS = 20
_KEY_BYTES = 32
_WORD_BITS = 12.0
"""How much a run of letters is worth at most: it may be a word of a dictionary."""
_RUN = re.compile(r"[^\W\d_]+|\d+|.", re.DOTALL)
_AROUND = " \t\r\n\"'`“”‘’「」『』.,;:!?，。；：！？"


class Allowances:
    """
    Says of a value whether it may be kept, and gives the hash that a journal knows it by.

    The journals of *workspace* and of its *scopes* are opened when the first value is
    asked about: most texts hold none.
    """

    def __init__(
        self, workspace: Workspace, settings: Settings, scopes: Scopes
    ) -> None:
        self._workspace = workspace
        self._told = settings.trust_never_secret
        self._rules = values_of(self._told, setting="trust.never_secret")
        self._scopes = scopes

    def __call__(self, value: str) -> bool:
        """Say whether *value* may be kept although it looks secret."""
        value = value.strip(_AROUND)
        if self._rules.names(value):
            return True
        return bool(self._accepted) and self.digest(value) in self._accepted

    def digest(self, value: str) -> str:
        """Return the hash of *value*, "" where too few guesses would find the value."""
        value = value.strip(_AROUND)
        if bits(value) < FEWEST_BITS:
            return ""
        import hashlib  # noqa: PLC0415 - few texts hold a secret

        text = value.encode("utf-8", "surrogatepass")
        return hashlib.blake2b(text, key=self._key, digest_size=16).hexdigest()

    @property
    def state(self) -> str:
        """What changes whenever another value may be kept, or one no longer may."""
        import hashlib  # noqa: PLC0415 - as below

        told = repr((self._told, sorted(self._accepted)))
        return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def keep_key(self) -> None:
        """Write the key down, unless there is one: a journal is about to need it."""
        file = self._workspace.layout.allowance_key_file
        if not file.exists():
            self._workspace.write_private(file, self._key)

    @cached_property
    def _key(self) -> bytes:
        # To look changes nothing: a new key is kept with the first hash that is.
        try:
            return stored.read(self._workspace.layout.allowance_key_file)
        except FileNotFoundError:
            return os.urandom(_KEY_BYTES)

    @cached_property
    def _accepted(self) -> frozenset[str]:
        accepted: dict[str, bool] = {}
        scopes = map(self._scopes.place, self._scopes.names())
        for root in (self._workspace.root, *scopes):
            journal = Journal(Layout(root).journal_file)
            for record in journal.records(ALLOWED, DISALLOWED):
                accepted[str(record.get("digest"))] = record["event"] == ALLOWED
        return frozenset(each for each, allowed in accepted.items() if allowed and each)


def bits(value: str) -> float:
    """Return about how many bits a guesser of *value* has to get right, at the least."""
    total = 0.0
    for run in set(_RUN.findall(value.lower())):
        if run.isdecimal():
            total += len(run) * math.log2(10)
        elif run.isalpha():
            total += min(len(run) * math.log2(26), _WORD_BITS)
        else:
            total += 2
    return total
