"""One key of the user's settings file gets another value; all else stays as it is."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

from strata.errors import SettingsError
from strata.workspace.folders import unreadable

if TYPE_CHECKING:
    from pathlib import Path

    from strata.workspace.files import Workspace


Value = str | bool | int

# A value on one line that may be replaced: what follows it may be a comment.
_SCALAR = r"\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'|[^\s#\"'\[{][^\s#]*"
_HEADER = re.compile(r"^[ \t]*\[", re.MULTILINE)
_KEY = re.compile(r"^[ \t]*[^\s#].*$", re.MULTILINE)


def is_set(workspace: Workspace, name: str) -> bool:
    """Say whether the settings file of *workspace* says anything about *name*."""
    table, key = _parted(name)
    content = _parsed(_text(workspace.layout.settings_file))
    return key in (content.get(table, {}) if table else content)


def change_setting(workspace: Workspace, name: str, value: Value) -> None:
    """
    Set ``table.key``, or a ``key`` of no table, to *value*; all else is the user's.

    Raise `SettingsError`, and write nothing, where the file is of a form in which that
    cannot be done without guessing.
    """
    file = workspace.layout.settings_file
    before, literal = _text(file), _literal(value)
    after = _with(before, name, literal)
    if _parsed(after) != _wanted(_parsed(before), name, value):
        table, key = _parted(name)
        raise SettingsError.of(
            "settings.by-hand" if table else "settings.by-hand-above",
            file=file,
            key=key,
            value=literal,
            table=table,
        )
    workspace.write_private(file, _with_ends_of(file, after).encode())


def _parted(name: str) -> tuple[str, str]:
    """Return table and key of *name*; the table of a key in none is ""."""
    table, _, key = name.rpartition(".")
    return table, key


def _literal(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


def _wanted(content: dict[str, Any], name: str, value: Value) -> dict[str, Any]:
    table, key = _parted(name)
    if not table:
        return {**content, key: value}
    return {**content, table: {**content.get(table, {}), key: value}}


def _with(text: str, name: str, literal: str) -> str:
    table, key = _parted(name)
    line = f"{key} = {literal}"
    begin = _begin(text, table)
    if begin is None:
        gap = "\n\n" if text.strip() else ""
        return f"{text.rstrip()}{gap}[{table}]\n{line}\n"
    following = _HEADER.search(text, begin)
    end = following.start() if following else len(text)
    pattern = rf"^[ \t]*{key}[ \t]*=[ \t]*({_SCALAR})"
    present = re.compile(pattern, re.MULTILINE).search(text, begin, end)
    if present:
        return text[: present.start(1)] + literal + text[present.end(1) :]
    # What stands above the tables comes last there, so that a comment stays at its table.
    keys = [] if table else list(_KEY.finditer(text, 0, end))
    if not (table or keys):
        return f"{line}\n\n{text}" if text.strip() else f"{line}\n"
    place = keys[-1].end() if keys else begin
    return f"{text[:place]}\n{line}{text[place:]}"


def _begin(text: str, table: str) -> int | None:
    """Return where the keys of *table* begin in *text*, None where it has no header."""
    if not table:
        return 0
    header = re.search(rf"^[ \t]*\[{table}\][ \t]*(#.*)?$", text, re.MULTILINE)
    return header.end() if header else None


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError:
        raise SettingsError.of("settings.no-utf8", file=file) from None
    except OSError as error:
        raise unreadable(file, error) from None


def _with_ends_of(file: Path, text: str) -> str:
    """Return *text* with the line ends that *file* has, which are not ours to change."""
    has_returns = file.is_file() and b"\r\n" in file.read_bytes()
    return text.replace("\n", "\r\n") if has_returns else text


def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return {}
