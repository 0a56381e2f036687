"""A user and a password side by side: "the login is admin / hunter2"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.transcripts.secret_rules.found import Secret
from strata.transcripts.secret_rules.reading import QUOTE, read_value
from strata.transcripts.secret_rules.values import is_mixed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.transcripts.secret_rules.view import View

_WORDS = (re.compile("login"), re.compile("账号"), re.compile("用户名"))
_PAIR = re.compile(
    r"s?(?:[ \t]+(?:is|are))?[ \t]{0,3}[:是为]?[ \t]{0,3}[\w.@+-]{1,60}[ \t]+[/|][ \t]+"
    + QUOTE
)
_SHORTEST = 6


def logins(view: View) -> Iterator[Secret]:
    """Yield the password of each pair in *view* that is called a login."""
    for words in _WORDS:
        for called in words.finditer(view.lowered):
            pair = _PAIR.match(view.text, called.end())
            value = read_value(view.text, pair.end(), pair["quote"]) if pair else None
            if value and len(value.text) >= _SHORTEST and is_mixed(value.text):
                yield Secret(value.start, value.end, "secret:password")
