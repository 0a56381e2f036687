"""Made-up secrets in the sentences and outputs they turn up in, and what only looks so."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

CORPUS = Path(__file__).parent / "data" / "redaction"
LONGEST_SHARED = 12
"""A stretch of a secret this long gives it away."""


@dataclass(frozen=True, slots=True)
class Planted:
    """
    A secret and the text around it.

    In the file each secret is cut in two, and others near it are cut by ``{+}``, so that
    scanners of repositories stay quiet.
    """

    kind: str
    frame: str
    secret: str

    @property
    def text(self) -> str:
        return self.around(self.secret)

    def around(self, secret: str) -> str:
        """The same text about another spelling of the secret."""
        return self.frame.replace("{secret}", secret)


@cache
def planted_secrets() -> tuple[Planted, ...]:
    lines = (CORPUS / "secrets.jsonl").read_text(encoding="utf-8").splitlines()
    rows = map(json.loads, lines)
    return tuple(
        Planted(row["kind"], row["text"].replace("{+}", ""), row["head"] + row["tail"])
        for row in rows
    )


@cache
def harmless_texts() -> tuple[str, ...]:
    lines = (CORPUS / "harmless.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(json.loads(line)["text"] for line in lines)


def is_given_away(secret: str, text: str) -> bool:
    """Say whether *secret*, or enough of it to matter, stands in *text*."""
    parts = (
        secret[at : at + LONGEST_SHARED]
        for at in range(len(secret) - LONGEST_SHARED + 1)
    )
    return secret in text or any(part in text for part in parts)
