"""What an export holds, whatever its form: every byte, unpacked."""

from __future__ import annotations

import hashlib
import json
import zipfile
from typing import TYPE_CHECKING, Any

from builders import tree

from strata.jobs.exporting.export import FORMS, export

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from strata.memory import Memory


def everything_in(target: Path) -> str:
    """
    All text of the export *target*: a file, the members of a zip, or a folder's files.
    """
    if target.is_dir():
        files = dict(tree(target))
    elif zipfile.is_zipfile(target):
        files = members(target)
    else:
        files = {"": target.read_bytes()}
    told = (name.encode() + b"\n" + content for name, content in files.items())
    return b"\n".join(told).decode("utf-8", "replace")


def every_form(memory: Memory, folder: Path) -> dict[str, str]:
    """
    What *memory* exports in each form, to new places in *folder*.
    """
    folder.mkdir(parents=True, exist_ok=True)
    found = {}
    for form in FORMS:
        export(memory, folder / form, form)
        found[form] = everything_in(folder / form)
    return found


def members(archive: Path) -> dict[str, bytes]:
    """
    The files in *archive* by their names.
    """
    with zipfile.ZipFile(archive) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def rewritten(
    archive: Path,
    change: Callable[[dict[str, bytes]], object],
    manifest: Callable[[dict[str, Any]], object] = lambda _told: None,
    *,
    sealed: bool = True,
) -> Path:
    """
    The same *archive* with a *change* to its files, and to its *manifest*.

    *sealed* lists each file as it is by then, as somebody would who knows how.
    """
    files = members(archive)
    change(files)
    told = json.loads(files.pop("manifest.json"))
    if sealed:
        told["files"] = {name: _listed(content) for name, content in files.items()}
    manifest(told)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, content in files.items():
            opened.writestr(name, content)
        opened.writestr("manifest.json", json.dumps(told))
    return archive


def records_in(target: Path) -> list[dict[str, Any]]:
    """
    The entries and lines of an export as JSON lines.
    """
    return [json.loads(line) for line in target.read_bytes().splitlines()]


def memory_in(workspace: Path) -> Mapping[str, bytes]:
    """
    The notes of *workspace*, byte for byte.
    """
    files = [*workspace.glob("*.md"), *workspace.glob("memory/**/*.md")]
    return {f.relative_to(workspace).as_posix(): f.read_bytes() for f in files}


def _listed(content: bytes) -> dict[str, object]:
    return {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
