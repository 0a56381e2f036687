"""Prompts: templates that are known by what they say, and data that stays data."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from strata.templates import fingerprint, render


@dataclass(frozen=True, slots=True)
class Prompt:
    """
    A prompt as it is sent; *version* is the content hash of the template *name*.

    It must depend on what is asked alone, not on the clock or the run: the same text is
    paid for once.
    """

    name: str
    version: str
    text: str

    @classmethod
    def render(cls, name: str, **values: object) -> Prompt:
        """Fill the template ``prompts/NAME.md.j2`` in."""
        template = f"prompts/{name}.md.j2"
        return cls(name, fingerprint(template), render(template, **values))

    @property
    def label(self) -> str:
        """How records name it: ``extract_facts@1a2b3c4d``."""
        return f"{self.name}@{self.version[:8]}"


def quoted(text: str) -> str:
    """
    Return *text* between two marks that it cannot contain, so that it cannot end early.

    A mark holds the text's own hash, and no text holds that.
    """
    mark = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"<data-{mark}>\n{text}\n</data-{mark}>"
