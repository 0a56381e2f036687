"""
A folder of Markdown: an Obsidian vault (as of Obsidian 1.x), or notes of any kind.

What Obsidian and its plugin Templater keep in `.obsidian` tells where the templates are.
What its notes have beside Markdown is put in plain words; comments, embedded files and
the values of properties are left out.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from strata.errors import SourceUnreadable
from strata.imports.json_streams import values
from strata.imports.note_files import lines_of_note, note_in
from strata.imports.talks import Skipped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.imports.bundles import Bundle
    from strata.imports.talks import Read

_SUFFIXES = frozenset({".md", ".markdown", ".mdown", ".mkd"})
# Where a vault says which folder has its templates, and by which key.
_SETTINGS = (
    (".obsidian/templates.json", "folder"),
    (".obsidian/plugins/templater-obsidian/data.json", "templates_folder"),
)
_USUAL_TEMPLATES = re.compile(r"[\W\d_]*(?:templates?|模板)[\W_]*", re.IGNORECASE)
# What a template has where a note will have a value.
_PLACEHOLDER = re.compile(r"\{\{\s*(?:date|time|title)\b[^{}\n]*\}\}|<%[^%\n]+%>")
# A drawing, a board, or anything else that a plugin keeps in the form of a note.
_PLUGIN = re.compile(r"[\w-]+-plugin")
_COMMENT = re.compile(r"%%[^%]*(?:%[^%]+)*%%")
_EMBEDDED = re.compile(r"!\[\[[^\[\]\n]*\]\]")
_LINKED = re.compile(r"\[\[(?:[^\[\]|\n]*\|)?([^\[\]|\n]*)\]\]")
_CALLOUT = re.compile(r"^([ \t]*>[ \t]*)\[!\w+\][+-]?[ \t]*", re.MULTILINE)
_BLOCK = re.compile(r"(?<![ \t])[ \t]+\^[\w-]+[ \t]*$", re.MULTILINE)
_MARKED = re.compile(r"==([^=\n]+)==")


class Markdown:
    """Notes in folders, each a file of Markdown."""

    name = "markdown"

    def recognises(self, source: Bundle) -> bool:
        """Say whether any file is a note; so this is the last to be asked."""
        return any(_is_note(name) for name in source.names())

    def read(self, source: Bundle) -> Iterator[Read]:
        """Yield the lines of all notes."""
        templates = _template_folders(source)
        for name in source.names():
            if _is_hidden(name):
                continue
            if not _is_note(name):
                yield Skipped(name, "attachment")
            elif _in_templates(name, templates):
                yield Skipped(name, "template")
            else:
                yield from _lines(source, name)


def _lines(source: Bundle, name: str) -> Iterator[Read]:
    note = note_in(source, name)
    if isinstance(note, Skipped):
        yield note
    elif _PLACEHOLDER.search(note.text):
        yield Skipped(name, "template")
    elif any(_PLUGIN.fullmatch(str(key)) for key in note.fields):
        yield Skipped(name, "attachment")
    else:
        yield from lines_of_note(note._replace(text=_plain(note.text)), "note")


def _plain(text: str) -> str:
    """Return *text* without what only Obsidian understands."""
    text = _EMBEDDED.sub("", _COMMENT.sub("", text))
    text = _BLOCK.sub("", _CALLOUT.sub(r"\1", text))
    return _MARKED.sub(r"\1", _LINKED.sub(r"\1", text))


def _is_note(name: str) -> bool:
    return PurePosixPath(name).suffix.lower() in _SUFFIXES and not _is_hidden(name)


def _is_hidden(name: str) -> bool:
    """Say whether *name* lies in what programs keep for themselves."""
    return any(part.startswith(".") for part in PurePosixPath(name).parts)


def _template_folders(source: Bundle) -> set[str]:
    """Return the folders in which the vaults of *source* keep templates."""
    found = set()
    for settings, key in _SETTINGS:
        for name in source.names(PurePosixPath(settings).name):
            vault, is_settings, _ = name.rpartition(settings)
            if not is_settings or (vault and not vault.endswith("/")):
                continue
            folder = _setting(source, name, key).strip("/")
            found |= {vault + folder} if folder else set()
    return found


def _setting(source: Bundle, name: str, key: str) -> str:
    try:
        told = next(values(source, name, key), "")
    except SourceUnreadable:
        return ""
    return told if isinstance(told, str) else ""


def _in_templates(name: str, folders: set[str]) -> bool:
    parents = PurePosixPath(name).parents
    return any(
        str(each) in folders or _USUAL_TEMPLATES.fullmatch(each.name)
        for each in parents
    )


FORMAT = Markdown()
