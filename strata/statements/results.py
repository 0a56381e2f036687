"""What the agent achieved: outcomes it reports, not what it proposes or repeats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.language.cues import cue
from strata.language.sentences import split_sentences

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.language.sentences import Sentence
    from strata.statements.exchanges import Exchange, Reply

ADVICE = cue("results.advice", 0)
SECRETS = cue("results.secrets", 0)
# What the agent read somewhere, and does not vouch for.
RELAYED = cue("results.relayed", 0)
_OUTCOME = cue("results.outcome", 0)


_FIGURE = cue("results.figure", 0)
# What only says the owner's words again.
_ECHO = cue("results.echo", 0)
# Of a long answer only the beginning tells what came out.
_READ = 6
# Longer, and without a tool, it is an essay.
_ESSAY = 200


def results_of(exchange: Exchange) -> Iterator[tuple[Sentence, Reply]]:
    """Give the outcome that each of the agent's replies reports, if it does."""
    known = _figures(exchange.said.text if exchange.said else "")
    for reply in exchange.replies:
        if not reply.after_tool and len(reply.message.text) > _ESSAY:
            continue
        for sentence in split_sentences(reply.message.text)[:_READ]:
            if _looks_done(sentence.plain, known, after_tool=reply.after_tool):
                yield sentence, reply
                break


def _looks_done(plain: str, known: frozenset[str], *, after_tool: bool) -> bool:
    told = _figures(plain)
    if not told or "?" in plain or "\uff1f" in plain:
        return False
    if not after_tool and (_ECHO.match(plain) or not told - known):
        return False
    if any(each.search(plain) for each in (ADVICE, SECRETS, RELAYED)):
        return False
    return _OUTCOME.search(plain) is not None


def _figures(text: str) -> frozenset[str]:
    return frozenset(_FIGURE.findall(text.lower()))
