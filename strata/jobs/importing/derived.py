"""What another tool had made of talks stands on pages of its own, as what it is."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cached_property, partial
from typing import TYPE_CHECKING

from strata.jobs.language import spoken_language
from strata.language.quarantine import gives_orders
from strata.language.wording import shortened
from strata.messages import text as sentence
from strata.notes.entries import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from strata.imports.talks import Derived
    from strata.jobs.importing.report import ImportReport
    from strata.memory import Memory

FOLDER = "memory/imported"
_UNDATED = "undated"
_BEGINNING = 60
_ITEM = re.compile(
    r"(?P<body>.+) \((?P<kind>[a-z]+)(?:, \d{4}-\d\d-\d\d)?\)\n*", re.DOTALL
)


class Pages:
    """
    Pages of the tool *form* in *memory*, one a month; a line stands on one of them once.

    They lie among the notes, are found like these, and nothing of them is ever taken for
    the owner's own word.
    """

    def __init__(self, memory: Memory, form: str, report: ImportReport) -> None:
        self._memory = memory
        self._form = form
        self._report = report
        self._lines: dict[str, dict[str, None]] = defaultdict(dict)

    def add(self, derived: Derived) -> None:
        """Take *derived* in once, unless it would steer whoever reads it."""
        told = self._memory.masked(derived.text).strip()
        # What follows on further lines belongs to the item.
        body = "\n  ".join(line.rstrip() for line in told.splitlines())
        # Each talk of ChatGPT says again what it was given to begin with.
        if not body or (derived.kind, body) in self._known:
            return
        self._known.add((derived.kind, body))
        if gives_orders(derived.text):
            self._report.leave_out(shortened(one_line(told), _BEGINNING), "orders")
            return
        day = (
            derived.at.astimezone(self._memory.timezone).date() if derived.at else None
        )
        month = f"{day:%Y-%m}" if day else _UNDATED
        dated = f"{derived.kind}, {day}" if day else derived.kind
        self._lines[month][f"- {body} ({dated})"] = None

    @cached_property
    def _known(self) -> set[tuple[str, str]]:
        """What stands on the pages of this tool, of whatever day."""
        folder = self._memory.workspace.root / FOLDER / self._form
        pages = (f"{FOLDER}/{self._form}/{each.name}" for each in folder.glob("*.md"))
        items = (
            item
            for page in pages
            for item in self._memory.workspace.read(page).split("\n- ")[1:]
        )
        found = filter(None, map(_ITEM.fullmatch, items))
        return {(each["kind"], each["body"]) for each in found}

    def write(self, *, dry_run: bool) -> None:
        """Put what is new on its pages, and count it."""
        for month, lines in sorted(self._lines.items()):
            path = f"{FOLDER}/{self._form}/{month}.md"
            fresh = self._fresh(self._memory.workspace.read(path), lines)
            if not fresh:
                continue
            if not dry_run:
                change = partial(self._with, fresh, month)
                self._memory.workspace.update(path, change)
            self._report.derived += len(fresh)
            self._report.pages.append(path)

    def _fresh(self, text: str, lines: Iterable[str]) -> list[str]:
        standing = f"\n{text}\n"
        fresh = [line for line in lines if f"\n{line}\n" not in standing]
        if not (fresh and self._memory.tombstones.exist):
            return fresh
        from strata.jobs.forgetting.recognition import (  # noqa: PLC0415 - few forget
            recogniser,
        )

        known = recogniser(self._memory)
        return [each for each in fresh if not (known and known.forgets_text(each))]

    def _with(self, fresh: list[str], month: str, text: str) -> str:
        language = spoken_language(self._memory)
        title = f"# {self._form} {month}"
        head = sentence(language, "import.page", format=self._form)
        begun = text.rstrip("\n") if text.strip() else f"{title}\n\n> {head}\n"
        return "\n".join([begun, *fresh]) + "\n"
