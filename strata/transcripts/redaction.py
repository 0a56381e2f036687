"""Secrets and personal numbers give way to typed placeholders, before anything else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.transcripts.secret_rules.access_keys import access_keys
from strata.transcripts.secret_rules.addresses import addresses
from strata.transcripts.secret_rules.chinese_sentences import chinese_sentences
from strata.transcripts.secret_rules.clues import may_hold_secret
from strata.transcripts.secret_rules.command_lines import command_lines
from strata.transcripts.secret_rules.encoded import encoded_secrets
from strata.transcripts.secret_rules.entering import entering
from strata.transcripts.secret_rules.folded_keys import folded_keys
from strata.transcripts.secret_rules.found import Secret, merge
from strata.transcripts.secret_rules.identities import (
    formed_identities,
    named_identities,
)
from strata.transcripts.secret_rules.logins import logins
from strata.transcripts.secret_rules.mentions import any_of
from strata.transcripts.secret_rules.named_values import named_values
from strata.transcripts.secret_rules.neighbours import neighbours
from strata.transcripts.secret_rules.network_keys import CLUES_TO_NETWORKS, network_keys
from strata.transcripts.secret_rules.number_plates import CLUES_TO_PLATES, number_plates
from strata.transcripts.secret_rules.personal_numbers import personal_numbers
from strata.transcripts.secret_rules.private_keys import private_keys
from strata.transcripts.secret_rules.recovery_phrases import recovery_phrases
from strata.transcripts.secret_rules.security_answers import (
    CLUES_TO_ANSWERS,
    security_answers,
)
from strata.transcripts.secret_rules.shapes import CLUES_TO_SHAPES, shapes
from strata.transcripts.secret_rules.unlocking import unlocking
from strata.transcripts.secret_rules.vendor_keys import vendor_keys
from strata.transcripts.secret_rules.view import PLACEHOLDER, view_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from strata.transcripts.secret_rules.view import View

    Allowed = Callable[[str], bool]

_MOST_PASSES = 20

__all__ = ["Secret", "find_secrets", "redact"]

_RULES: tuple[Callable[[View], Iterator[Secret]], ...] = (
    vendor_keys,
    folded_keys,
    private_keys,
    recovery_phrases,
    addresses,
    command_lines,
    named_values,
    logins,
    chinese_sentences,
    personal_numbers,
    formed_identities,
    named_identities,
    access_keys,
    entering,
    unlocking,
)
# These read only what stands about their clues, and most texts hold none of them all.
_RULES_WITH_CLUES = (number_plates, network_keys, shapes, security_answers)
_CLUES = any_of(CLUES_TO_PLATES, CLUES_TO_NETWORKS, CLUES_TO_SHAPES, CLUES_TO_ANSWERS)


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
        text = _replaced(text, secrets)
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


def _plain_secrets(view: View) -> Iterator[Secret]:
    for rule in (*_RULES, *(_RULES_WITH_CLUES if _CLUES.are_in(view) else ())):
        yield from rule(view)


def _says_something_secret(plain: str) -> bool:
    return next(_plain_secrets(view_of(plain)), None) is not None


def _is_placeholder(view: View, secret: Secret) -> bool:
    """Say whether nothing is left of *secret* but what an earlier run put there."""
    return not view.text[secret.start : secret.end].strip(PLACEHOLDER + " ")


def _replaced(text: str, secrets: list[Secret]) -> str:
    pieces: list[str] = []
    done = 0
    for secret in secrets:
        pieces += (text[done : secret.start], f"⟦{secret.kind}⟧")
        done = secret.end
    return "".join((*pieces, text[done:]))
