"""Slash commands: which are for the gateway alone, and which carry words for the agent."""

from __future__ import annotations

import re

_COMMAND = re.compile(
    r"/(?P<name>[a-z][a-z0-9_-]*)(?:@\w+)?:?(?:\s+(?P<rest>.*))?",
    re.IGNORECASE | re.DOTALL,
)
_STARTS = frozenset({"new", "reset"})
_SOFT = re.compile(r"soft\b\s*", re.IGNORECASE)
_MODEL_NAME = re.compile(r"[\w.-]+/[\w./:-]+")
# These may stand before a message, with one word that belongs to them.
_DIRECTIVES = frozenset(
    """
    elev elevated exec fast model queue reason reasoning t think thinking v verbose
    """.split()  # noqa: SIM905 - forty quoted names would hide that they are a list
)
_GATEWAY_COMMANDS = frozenset(
    """
    abort acp activation agent agents allowlist approve bash btw card clear commands compact
    config context crestodian debug diagnostics dreaming exit export export-session
    export-trajectory focus fork goal help id kill login mcp models pair plugin plugins quit
    redo rename restart send session sessions side skill skills status steer stop subagents
    tasks tell trace tts undo unfocus unpair usage voice whoami
    """.split()  # noqa: SIM905 - the same
)
_SENTENCE_WORDS = 3


def spoken_words(text: str) -> str:
    """
    Return what *text* says to the agent; nothing if it only commands the gateway.

    ``/new`` and ``/reset`` start a conversation with the words behind them. A name that
    OpenClaw does not know, with a sentence behind it, is no command but a path, as in
    "/tmp is full again", or calls a skill.
    """
    match = _COMMAND.fullmatch(text)
    if match is None:
        return text
    name, rest = match["name"].lower(), (match["rest"] or "").strip()
    if name in _STARTS:
        return _opening_words(rest)
    if name in _DIRECTIVES:
        return _behind_directive(rest)
    if name in _GATEWAY_COMMANDS or len(rest.split()) < _SENTENCE_WORDS - 1:
        return ""
    return text


def _opening_words(rest: str) -> str:
    words = _SOFT.sub("", rest, count=1) if _SOFT.match(rest) else rest
    return "" if _MODEL_NAME.fullmatch(words) else words


def _behind_directive(rest: str) -> str:
    words = rest.split(maxsplit=1)
    if len(rest.split()) <= _SENTENCE_WORDS:
        return ""
    return words[1]
