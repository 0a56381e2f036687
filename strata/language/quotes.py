"""Words that stand in a message without being the writer's own: quotations and pastes."""

from __future__ import annotations

import re
from functools import lru_cache

from strata.language.cues import HALF_WIDTH, cue, cues
from strata.language.pasted import pasted
from strata.patterns import pattern

# Takes the place of each quoted character, so that offsets stay and no cue matches.
MASK = "\ufffc"
# The same for what was pasted, which is a sentence of nobody that is heard.
PASTE = "\ufffa"
# The same for a quoted name or term, which is read as one word.
TERM = "\ufffb"
LONGEST_TERM = 7

_HANZI = pattern(r"[\u3400-\u9fff]")

_CODE = pattern(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_QUOTED_LINE = pattern(r"^[ \t]*>.*$", re.MULTILINE)
_QUOTATION = pattern(
    # Over several lines only where the quotation marks stand at the ends of lines: an
    # inch sign or a forgotten mark must not swallow the owner's own words.
    r"(?m:^[ \t]*\"[^\"]{1,4000}\"[ \t]*$)"
    r"|\"[^\"\n]{1,800}\"|“[^”]{1,800}”|「[^」]{1,800}」|『[^』]{1,800}』"
    r"|《[^》]{1,80}》"
    r"|<!--.{0,800}?(?:-->|\Z)",
    re.DOTALL,
)
_FORWARDED = cue("quotes.forwarded")

_ORDERS = cue("quotes.orders", 0)
_MARKUP = pattern(
    r"<!--|-->|‹!--|--›|</?[a-z][^>]{0,80}>|\]\(|^\s*[#>|]|\{\{|\[\[", re.IGNORECASE
)
# In unquoted words only what no owner says of themselves to their own agent.
_PLAIN_ORDERS = cues("quotes.plain_orders", 0)

# An assistant that is not the owner's own, and what one that obeys would be told for good.
_OTHERS_MACHINE = cue("quotes.others_machine", 0)
_STANDING = cue("quotes.standing", 0)


def carries_orders(text: str) -> bool:
    """Say whether *text* holds markup, or speaks to assistants as no owner would."""
    ordering = is_order_to_machines(text, quoted=False)
    return ordering or _MARKUP.search(text) is not None


# The same message is masked to read it and to tell whose words it holds.
@lru_cache(maxsize=32)
def mask_quotations(text: str) -> str:
    """
    Return *text*, equally long, with all that is quoted or pasted masked.

    Full-width letters and punctuation come back in their ASCII form.
    """
    text = text.translate(HALF_WIDTH)
    masked = _QUOTED_LINE.sub(_masked, _CODE.sub(_masked, text))
    forwarded = _FORWARDED.search(masked) if "\n" in masked else None
    if forwarded:
        masked = masked[: forwarded.end()] + MASK * (len(text) - forwarded.end())
    for start, end in pasted(masked):
        masked = masked[:start] + PASTE * (end - start) + masked[end:]
    return _QUOTATION.sub(_masked_words, masked)


def is_order_to_machines(words: str, *, quoted: bool) -> bool:
    """Say whether *words* try to instruct assistants or speak for "the user"."""
    plain = words.translate(HALF_WIDTH).lower()
    patterns = (_ORDERS,) if quoted else _PLAIN_ORDERS
    return any(pattern.search(plain) for pattern in patterns)


def is_order_to_other(words: str, spoken: str) -> bool:
    """Say whether the quoted *words* bid the assistant of others that is *spoken* of."""
    frame, plain = (each.translate(HALF_WIDTH).lower() for each in (spoken, words))
    return bool(_STANDING.search(plain) and _OTHERS_MACHINE.search(frame))


def _masked_words(match: re.Match[str]) -> str:
    """Tell a quoted name or term from a quoted sentence, which is somebody's words."""
    words = match[0]
    long = len(_HANZI.findall(words)) + 2 * words.count(" ") > LONGEST_TERM
    foreign = long or is_order_to_machines(words, quoted=True)
    return (MASK if foreign else TERM) * len(words)


def _masked(match: re.Match[str]) -> str:
    return MASK * len(match[0])
