"""
Secrets and personal numbers give way to typed placeholders, before anything else.

A text is read as a view: unescaped, half-width, without what nobody sees. Each rule finds
candidates in it by a table (`formats.toml`, `told.toml`, `personal.toml`), judges their
form, their checksum or what stands around them, and yields spans; these are united and
led back to the text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from strata.transcripts.redaction.entering import (
    entering,
    keyed_in,
    typed_in,
    unlocking,
)
from strata.transcripts.redaction.keys import (
    access_keys,
    encoded_secrets,
    folded_keys,
    private_keys,
    vendor_keys,
)
from strata.transcripts.redaction.neighbours import neighbours
from strata.transcripts.redaction.recovery import may_hold_row, recovery_phrases
from strata.transcripts.redaction.rules import formed
from strata.transcripts.redaction.sentences import chinese_sentences, named_values
from strata.transcripts.redaction.spans import Secret, merge
from strata.transcripts.redaction.tables import phrases, rows
from strata.transcripts.redaction.view import (
    KEY_CHARACTERS,
    PLACEHOLDER,
    SIGNS,
    SPELLED_OTHERWISE,
    view_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from strata.transcripts.redaction.view import View

    Allowed = Callable[[str], bool]

_MOST_PASSES = 20

__all__ = ["Secret", "find_secrets", "redact"]

_RULES: tuple[Callable[[View], Iterator[Secret]], ...] = (
    vendor_keys,
    folded_keys,
    private_keys,
    recovery_phrases,
    named_values,
    chinese_sentences,
    access_keys,
    entering,
    unlocking,
    formed,
)
# Most messages are short and hold no secret, and a few plain searches for everything are
# quicker than twenty rules. In a long text it is the other way round.
_SHORT = 250
_BEGINNINGS = phrases("told", "beginnings")
_WITH_DIGITS = rows("told", "glance")["with_digits"]
_CHARACTERS = re.compile(
    rf"[{SPELLED_OTHERWISE}密口暗令秘私凭憑码碼登护護证證牌保无支微]"
)
_LONG_RUN, _MOST_DIGITS = b"a" * 16, 8


def redact(text: str, allowed: Allowed | None = None) -> str:
    """
    Return *text* with a placeholder such as ``⟦secret:password⟧`` for each secret.

    What is *allowed* by its owner stays.

    Everything outside the secrets stays as it is, invisible characters included; a text
    without secrets is returned itself. Redacting twice is the same as redacting once.
    """
    # A placeholder can uncover the next secret of a chain, so look until nothing is found;
    # a text that was made to go on for ever is not followed to its end.
    for _ in range(_MOST_PASSES):
        secrets = find_secrets(text, allowed)
        if not secrets:
            break
        text = replaced(text, secrets)
    return text


def find_secrets(text: str, allowed: Allowed | None = None) -> list[Secret]:
    """
    Return the secrets and personal numbers in *text*, in order, without overlaps.

    Those whose value is *allowed* are left out.
    """
    if not may_hold_secret(text):
        return []
    view = view_of(text)
    found = [*_plain_secrets(view), *encoded_secrets(view, _says_something_secret)]
    return [
        Secret(*view.original(secret.start, secret.end), secret.kind)
        for secret in merge((*found, *neighbours(view, found)))
        if not _is_placeholder(view, secret)
        and not (allowed and allowed(view.text[secret.start : secret.end]))
    ]


def secrets_by_line(
    text: str, allowed: Allowed | None = None
) -> dict[int, dict[str, None]]:
    """Return the kinds of secrets by line: in each for itself, and over several."""
    kinds: dict[int, dict[str, None]] = defaultdict(dict)
    for number, line in enumerate(text.split("\n"), 1):
        kinds[number] |= dict.fromkeys(s.kind for s in find_secrets(line, allowed))
    for secret in find_secrets(text, allowed):
        kinds[text.count("\n", 0, secret.start) + 1][secret.kind] = None
    return kinds


def may_hold_secret(text: str) -> bool:
    """Say whether *text* is worth a closer look."""
    if len(text) > _SHORT or _CHARACTERS.search(text):
        return True
    raw, lowered = text.encode("ascii", "replace"), text.lower()
    digits = len(raw) - len(raw.translate(None, b"0123456789"))
    return (
        digits > _MOST_DIGITS
        or any(map(lowered.__contains__, _BEGINNINGS))
        or _LONG_RUN in raw.translate(KEY_CHARACTERS)
        or (digits > 0 and _may_hold_number(text, lowered, raw, digits))
        or may_hold_row(raw)
    )


def _may_hold_number(text: str, lowered: str, raw: bytes, digits: int) -> bool:
    signs = raw.translate(SIGNS)
    return (
        b"000000" in signs.translate(None, b".")
        or any(
            digits >= fewest and any(map(lowered.__contains__, clues))
            for fewest, clues in _WITH_DIGITS
        )
        or next(typed_in(text, signs), None) is not None
        or next(keyed_in(lowered, signs), None) is not None
    )


def _plain_secrets(view: View) -> Iterator[Secret]:
    for rule in _RULES:
        yield from rule(view)


def _says_something_secret(plain: str) -> bool:
    return next(_plain_secrets(view_of(plain)), None) is not None


def _is_placeholder(view: View, secret: Secret) -> bool:
    """Say whether nothing is left of *secret* but what an earlier run put there."""
    return not view.text[secret.start : secret.end].strip(PLACEHOLDER + " ")


def replaced(text: str, secrets: list[Secret]) -> str:
    """Return *text* with a placeholder for each of *secrets*, which are in order."""
    pieces: list[str] = []
    done = 0
    for secret in secrets:
        pieces += (text[done : secret.start], f"⟦{secret.kind}⟧")
        done = secret.end
    return "".join((*pieces, text[done:]))
