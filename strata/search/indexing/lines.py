"""A memory file as its lines, numbered as editors and citations number them."""

from __future__ import annotations

import zlib


def decode(content: bytes) -> str:
    """Read *content* as UTF-8; what is not UTF-8 becomes U+FFFD, never an error."""
    # The codec that drops the mark at the start is Python and takes twice as long.
    return content.decode("utf-8", errors="replace").removeprefix("\ufeff")


def split_lines(text: str) -> list[str]:
    """
    Split *text* at line feeds alone and drop the carriage returns before them.

    `str.splitlines` would also split at form feeds and U+2028, and every number after
    one would differ from the editor's.
    """
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines] if "\r" in text else lines


def checksum(text: str) -> int:
    """Return a number by which a changed text is noticed."""
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))
