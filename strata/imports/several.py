"""A folder in which the exports of several tools lie side by side."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from strata.errors import SourceUnreadable
from strata.imports.bundles import Bundle
from strata.imports.formats import MODULES, format_named, recognised
from strata.messages import Notice

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from strata.imports.talks import Format

# Notes lie in every other folder, and an export may hold some.
_NO_TOOLS = "markdown"
# In more folders and zips nobody has put exports side by side.
_MOST = 100


def refuse_several(source: Path, found: Format | None) -> None:
    """
    Raise `SourceUnreadable` where *source* holds exports of several tools; it names each.

    It was taken for one of *found* as a whole, or for none; then one is enough.
    """
    inside = dict(_exports_in(source)) if source.is_dir() else {}
    if len({*inside.values()}) > (0 if found is None else 1):
        commands = [
            Notice("import.by-itself", source=path, form=form)
            for path, form in inside.items()
        ]
        raise SourceUnreadable.of("import.several", source=source, commands=commands)


def others_in(source: Bundle, found: Format) -> list[str]:
    """Return the names of the other formats of which files in *source* are."""
    tools = (name for name in MODULES if name not in {found.name, _NO_TOOLS})
    return [name for name in tools if _recognises(format_named(name), source)]


def _recognises(form: Format, source: Bundle) -> bool:
    # What is damaged is told when it is read.
    with suppress(SourceUnreadable):
        return form.recognises(source)
    return False


def _exports_in(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield the folders and zips right in *folder* that are exports by themselves."""
    for path in sorted(folder.iterdir())[:_MOST]:
        if path.is_symlink() or not (path.is_dir() or path.suffix.lower() == ".zip"):
            continue
        try:
            with Bundle(path) as bundle:
                found = recognised(bundle)
        except SourceUnreadable:
            continue
        if found and found.name != _NO_TOOLS:
            yield path, found.name
