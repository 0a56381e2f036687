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


def is_set(workspace: Workspace, name: str) -> bool:
    """Say whether the settings file of *workspace* says anything about *name*."""
    table, _, key = name.partition(".")
    return key in _parsed(_text(workspace.layout.settings_file)).get(table, {})


def change_setting(workspace: Workspace, name: str, value: str) -> None:
    """Set ``table.key`` to the text *value*; comments and order are the user's."""
    file = workspace.layout.settings_file
    before = _text(file)
    after = _with(before, name, value)
    table, _, key = name.partition(".")
    wanted = _parsed(before)
    wanted[table] = {**wanted.get(table, {}), key: value}
    if _parsed(after) != wanted:
        raise SettingsError.of(
            "settings.by-hand", file=file, key=key, value=value, table=table
        )
    workspace.write_private(file, after.encode())


def _with(text: str, name: str, value: str) -> str:
    table, _, key = name.partition(".")
    line = f'{key} = "{value}"'
    header = re.search(rf"^[ \t]*\[{table}\][ \t]*(#.*)?$", text, re.MULTILINE)
    if header is None:
        gap = "\n" if text.strip() else ""
        return f"{text.rstrip()}{gap and gap * 2}[{table}]\n{line}\n"
    following = re.compile(r"^[ \t]*\[", re.MULTILINE).search(text, header.end())
    end = following.start() if following else len(text)
    inside = text[header.end() : end]
    present = re.search(rf"^[ \t]*{key}[ \t]*=.*$", inside, re.MULTILINE)
    if present is None:
        return f"{text[: header.end()]}\n{line}{text[header.end() :]}"
    changed = inside[: present.start()] + line + inside[present.end() :]
    return text[: header.end()] + changed + text[end:]


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError:
        raise SettingsError.of("settings.no-utf8", file=file) from None
    except OSError as error:
        raise unreadable(file, error) from None


def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return {}
