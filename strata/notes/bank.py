"""A page of the bank: what is known of one person or thing, as one file of Markdown."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from strata.notes.bank_marks import MARK, YOURS
from strata.notes.entries import one_line
from strata.notes.words import words_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from strata.models import Language


@dataclass(frozen=True, slots=True)
class Page:
    """
    A page: its *front* matter, its *title*, and its *parts*, each a heading's name with
    its lines.
    """

    title: str
    front: Mapping[str, object] = field(default_factory=dict)
    parts: Mapping[str, Sequence[str]] = field(default_factory=dict)


def render_page(page: Page, language: Language, yours: str = "") -> str:
    """Return *page* as Markdown, with *yours* below its last heading."""
    words = words_in(language).bank
    lines = ["---", MARK, *(f"{k}: {_value(v)}" for k, v in page.front.items()), "---"]
    lines += [f"# {one_line(page.title)}", ""]
    for name, told in page.parts.items():
        if told:
            lines += [f"## {words[name]}", *(f"- {each}" for each in told), ""]
    return "\n".join([*lines, f"## {words['yours']}", YOURS]) + "\n" + yours


def _value(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_quoted(str(each)) for each in value)}]"
    return _quoted(value) if isinstance(value, str) else str(value)


def _quoted(text: str) -> str:
    """Return *text* as YAML has it in double quotes, on one line."""
    plain = one_line(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{plain}"'
