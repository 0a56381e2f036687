"""Where in the window a line of a memory file is shown."""

from __future__ import annotations

from urllib.parse import quote

from strata.search.answering.citations import parsed


def address_of(path: str, line: int = 0) -> str:
    """Return the address that shows the file *path*, at its *line* where one is meant."""
    # The name of a file need not be UTF-8.
    return f"/read?path={quote(path, errors='surrogateescape')}" + (
        f"#L{line}" if line else ""
    )


def address_of_cited(citation: str) -> str:
    """Return the address of the first line that *citation* names."""
    path, first, _ = parsed(citation)
    return address_of(path, first)
