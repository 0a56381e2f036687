"""Private keys that stand in armour, complete, folded, indented or cut off."""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING

from strata.transcripts.secret_rules.found import Secret

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.transcripts.secret_rules.view import View

_FOLD = r"[\s\"'+\\>|*#]"
_HEADER = re.compile(r"BEGIN(?P<label>[A-Z0-9\s\"'+\\>|*#]{0,60})-{3,5}")
_FOOTER = re.compile(r"END[A-Z0-9\s\"'+\\>|*#]{0,60}-{3,5}")
_DASHES, _LONGEST_DASHES = "- \t\r\n", 12
_SHORTEST_KEY, _LONGEST_KEY = 16, 40_000

# A key that was cut off ends where its rows of base64 do; a log may put its own words in
# front of each row.
_ROW = re.compile(r"[A-Za-z0-9+/_-]{40}")
_HEADER_ROW = re.compile(
    r"[ \t>|]*(?:(?:Proc-Type|DEK-Info|Comment|Version|Hash|Charset):|\r?\Z)"
)
_LONGEST_ROW = 400
_LAST_ROW = re.compile(
    r"[^\n]{0,80}?(?<![^\s\"'>|])(?=[^\n]{0,76}?[A-Z0-9])[A-Za-z0-9+/]{4,76}={0,2}"
    r"(?=[\s\"',\\]|\Z)"
)
_MOST_ROWS = 400

_PUTTY = re.compile(r"Private-Lines:[ \t]{0,9}[0-9]{1,4}[ \t\r]{0,9}\n")
_JSON_WEB_KEY = re.compile(
    r"""["'](?:d|p|q|dp|dq|qi|k)["']\s{0,9}:\s{0,9}["'](?P<body>[\w-]{16,2000})["']"""
)


def private_keys(view: View) -> Iterator[Secret]:
    """Yield the private keys in *view*, armour included."""
    if "BEGIN" in view.text:
        yield from _armoured(view.text)
    if "Private-Lines:" in view.text:
        for match in _PUTTY.finditer(view.text):
            end = _end_of_rows(view.text, match.end() - 1)
            yield Secret(match.end(), max(end, match.end() + 1), "secret:private-key")
    if '"kty"' in view.text or "'kty'" in view.text:
        yield from _bodies(_JSON_WEB_KEY, view.text, "private-key")


def _armoured(text: str) -> Iterator[Secret]:
    headers = [match for match in _HEADER.finditer(text) if _is_private(match["label"])]
    footers = (
        deque(match.span() for match in _FOOTER.finditer(text)) if headers else deque()
    )
    done = 0
    for header in headers:
        before = text[max(0, header.start() - _LONGEST_DASHES) : header.start()]
        dashes = before[len(before.rstrip(_DASHES)) :].lstrip(_DASHES[1:])
        start = header.start() - len(dashes)
        if start < done:
            continue
        while footers and footers[0][0] < header.end():
            footers.popleft()
        done = _end_of_key(text, header.end(), footers)
        # Documentation names the armour without a key in it.
        if len(re.sub(_FOLD, "", text[header.end() : done])) >= _SHORTEST_KEY:
            yield Secret(start, done, "secret:private-key")


def _is_private(label: str) -> bool:
    return "PRIVATEKEY" in re.sub(_FOLD, "", label)


def _end_of_key(text: str, start: int, footers: deque[tuple[int, int]]) -> int:
    if footers and footers[0][0] - start < _LONGEST_KEY:
        end = footers[0][1]
        inside = re.sub(_FOLD, "", text[start : footers[0][0]])
        return end if len(inside) >= _SHORTEST_KEY else start
    return _end_of_rows(text, start)


def _end_of_rows(text: str, start: int) -> int:
    end, at = start, text.find("\n", start) + 1 or start
    for _ in range(_MOST_ROWS):
        row = text[at : at + _LONGEST_ROW].partition("\n")[0]
        if _ROW.search(row):
            end = at + len(row)
        elif not _HEADER_ROW.match(row):
            break
        at += len(row) + 1
    last = _LAST_ROW.match(text, at) if start < end and at == end + 1 else None
    return last.end() if last else end


def _bodies(pattern: re.Pattern[str], text: str, kind: str) -> Iterator[Secret]:
    for match in pattern.finditer(text):
        yield Secret(*match.span("body"), f"secret:{kind}")
