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
_HEADER = re.compile(
    rf"-{{3,5}}{_FOLD}{{0,9}}BEGIN(?P<label>[A-Z0-9\s\"'+\\>|*#]{{0,60}})-{{3,5}}"
)
_FOOTER = re.compile(rf"-{{3,5}}{_FOLD}{{0,9}}END[A-Z0-9\s\"'+\\>|*#]{{0,60}}-{{3,5}}")
_SHORTEST_KEY, _LONGEST_KEY = 16, 40_000

# What stands in the armour: rows of base64 and the headers of old formats. A key that was
# cut off ends where this does.
_BODY = re.compile(
    rf"(?:{_FOLD}{{0,40}}(?:[A-Za-z0-9+/=_-]{{16,}}|(?:Proc-Type|DEK-Info|Comment|Version|"
    r"Hash|Charset|MessageID):[^\n]{0,200}|[A-Za-z0-9+/]{1,76}={1,2}|=[A-Za-z0-9+/]{4}))+"
    r"(?:[ \t]{0,9}\r?\n[ \t>|]{0,40}[A-Za-z0-9+/]{1,15}(?=[\"',\n]|\Z))?"
)

_PUTTY = re.compile(
    r"Private-Lines:[ \t]{0,9}[0-9]{1,4}(?P<body>(?:\s{1,40}[A-Za-z0-9+/=]{4,76})+)"
)
_JSON_WEB_KEY = re.compile(
    r"""["'](?:d|p|q|dp|dq|qi|k)["']\s{0,9}:\s{0,9}["'](?P<body>[\w-]{16,2000})["']"""
)
_RECOVERY_WORDS = re.compile(
    r"(?:seed|recovery|mnemonic|secret|backup)[ _-]?(?:phrase|words?|seed)?s?\b"
    r"[^a-z\n]{0,4}(?:(?:is|are|of|my)\b)?[^a-z]{0,8}"
    r"(?P<body>(?:[0-9]{0,2}[.)]?[a-z]{3,8}[,\s]{1,3}){11,23}[0-9]{0,2}[.)]?[a-z]{3,8})\b"
)
_RECOVERY_WORDS_CHINESE = re.compile(
    r"助记词[^a-z\u4e00-\u9fff\n]{0,8}[是为]?[^a-z\u4e00-\u9fff]{0,8}"
    r"(?P<body>(?:[a-z]{3,8}[,\s]{1,3}){11,23}[a-z]{3,8}|(?:[\u4e00-\u9fff][,，\s]?){12,24})"
)


def private_keys(view: View) -> Iterator[Secret]:
    """Yield the private keys in *view*, armour included."""
    if "BEGIN" in view.text:
        yield from _armoured(view.text)
    if "Private-Lines:" in view.text:
        yield from _bodies(_PUTTY, view.text, "private-key")
    if '"kty"' in view.text or "'kty'" in view.text:
        yield from _bodies(_JSON_WEB_KEY, view.text, "private-key")
    if "seed" in view.lowered or "phrase" in view.lowered or "mnemonic" in view.lowered:
        yield from _bodies(_RECOVERY_WORDS, view.lowered, "recovery-phrase")
    if "助记词" in view.text:
        yield from _bodies(_RECOVERY_WORDS_CHINESE, view.lowered, "recovery-phrase")


def _armoured(text: str) -> Iterator[Secret]:
    headers = [match for match in _HEADER.finditer(text) if _is_private(match["label"])]
    footers = deque(match.span() for match in _FOOTER.finditer(text)) if headers else deque()
    done = 0
    for header in headers:
        if header.start() < done:
            continue
        while footers and footers[0][0] < header.end():
            footers.popleft()
        done = _end_of_key(text, header.end(), footers)
        # Documentation names the armour without a key in it.
        if len(re.sub(_FOLD, "", text[header.end() : done])) >= _SHORTEST_KEY:
            yield Secret(header.start(), done, "secret:private-key")


def _is_private(label: str) -> bool:
    return "PRIVATEKEY" in re.sub(_FOLD, "", label)


def _end_of_key(text: str, start: int, footers: deque[tuple[int, int]]) -> int:
    if footers and footers[0][0] - start < _LONGEST_KEY:
        end = footers[0][1]
        inside = re.sub(_FOLD, "", text[start : footers[0][0]])
        return end if len(inside) >= _SHORTEST_KEY else start
    body = _BODY.match(text, start)
    return body.end() if body else start


def _bodies(pattern: re.Pattern[str], text: str, kind: str) -> Iterator[Secret]:
    for match in pattern.finditer(text):
        yield Secret(*match.span("body"), f"secret:{kind}")
