"""Values that stand by a name which says that they are secret."""

from __future__ import annotations

import re
import string
from typing import TYPE_CHECKING

from strata.transcripts.secret_rules.assignments import assigned
from strata.transcripts.secret_rules.names import Meaning, Name, meaning_of
from strata.transcripts.secret_rules.repetition import Verdicts
from strata.transcripts.secret_rules.sentences import said, said_before, said_later

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.transcripts.secret_rules.found import Secret
    from strata.transcripts.secret_rules.repetition import Verdict
    from strata.transcripts.secret_rules.view import View

# Searched one by one: what begins with a fixed string is found many times as fast as a
# choice of strings, and a word that no text says is not searched at all. What follows it
# leaves out the commonest ordinary words.
_KEYWORDS = tuple(
    (word, re.compile(pattern))
    for word, pattern in (
        (
            "pass",
            r"pass(?!ing|ag|eng|ed\b|es\b|iv|\b[ \n]+(?!phrase|code|is\b|was\b)[\w`'])",
        ),
        ("pwd", r"pwd"),
        ("psk", r"psk(?![a-z])"),
        ("puk", r"puk(?![a-z])"),
        ("pw", r"pw(?![a-z])(?<![a-z]pw)"),
        ("pin", r"pin(?![a-bd-z])(?<![a-z]pin)"),
        ("secret", r"secret"),
        ("token", r"token(?!i[sz])"),
        ("key", r"key(?![bdfhnrw]|e[rd])"),
        ("cred", r"cred"),
        ("auth", r"auth(?!ors?\b|ored|oring|ent|orit)"),
        ("bearer", r"bearer"),
        ("sess", r"sess(?:_?id|ion_?id|data)"),
        ("session", r"_session(?![a-z_])"),
        ("otp", r"otp(?![a-z])"),
        ("cv", r"cv[cv](?![a-z])(?<![a-z]cv[cv])"),
        ("code", r"code(?:s?)(?![a-z_])(?<![a-z]code)"),
        ("combination", r"combination(?!s)"),
        ("combo", r"combo(?!s)"),
        ("wpa", r"wpa(?![a-z])"),
        ("pay", r"xpay"),
        ("pay", r"tpay"),
        ("pay", r"t_pay"),
        ("pay", r"x_pay"),
    )
)
_NAME_CHARACTERS = string.ascii_letters + string.digits + "_.-"
_REST_OF_NAME = re.compile(r"[A-Za-z0-9_.-]{0,60}")
_WORDS_BEFORE = re.compile(r"(?:[A-Za-z0-9-]{1,20} ){1,2}\Z")
_PASS_PHRASE = re.compile(r"[ -](?:phrase|code|word)s?\b", re.IGNORECASE)
# "The code for the door", "use code 482913 to log in": what it opens is said afterwards.
_CODE_OPENS = re.compile(
    r"s?[ \t]+(?:(?:for|to|of)[ \t]+(?:the|my|our|your)[ \t]+(?:[\w-]{1,20}[ \t]+)?"
    r"(?:door|gate|safe|garage|alarm|lock|building|flat|house|office|elevator|lift)"
    r"|[0-9]{4,8}[ \t]+to[ \t]+(?:log|sign|verify|confirm|complete))",
    re.IGNORECASE,
)
_LONGEST_NAME = 60
_LONGEST_WORDS = 42
_NAMES_OF_TWO_WORDS = ("key", "keys", "code", "codes", "phrase")


def named_values(view: View) -> Iterator[Secret]:
    """Yield the values in *view* that an English name or word announces."""
    done, verdicts = 0, Verdicts(_judge)
    for start, end in _keywords(view):
        if start >= done:
            done, secrets = verdicts.on(view.text, start, end)
            yield from secrets


def _keywords(view: View) -> list[tuple[int, int]]:
    return sorted(
        match.span()
        for word, pattern in _KEYWORDS
        if word in view.words
        for match in pattern.finditer(view.lowered)
    )


def _name_around(text: str, start: int, end: int) -> Name:
    before = text[max(0, start - _LONGEST_NAME) : start]
    start -= len(before) - len(before.rstrip(_NAME_CHARACTERS))
    if rest := _REST_OF_NAME.match(text, end):
        end += len(rest[0].rstrip(".-"))
    phrase = (
        _PASS_PHRASE.match(text, end) if text[start:end].lower() == "pass" else None
    )
    end = phrase.end() if phrase else end
    word = text[start:end]
    return Name(start, end, word, _meaning_in_text(text, start, word))


def _meaning_in_text(text: str, start: int, word: str) -> Meaning:
    if word.lower() not in _NAMES_OF_TWO_WORDS:
        return meaning_of(word)
    if word.lower().startswith("code") and _CODE_OPENS.match(text, start + len("code")):
        return Meaning.CODE
    words = _WORDS_BEFORE.search(text[max(0, start - _LONGEST_WORDS) : start])
    return meaning_of(words[0] + word if words else word)


def _judge(text: str, start: int, end: int) -> Verdict:
    name = _name_around(text, start, end)
    if name.meaning is Meaning.NOTHING:
        return name.end, ()
    secrets = tuple(_values_of(text, name))
    return max((name.end, *(secret.end for secret in secrets))), secrets


def _values_of(text: str, name: Name) -> Iterator[Secret]:
    found = assigned(text, name) or said(text, name) or said_before(text, name)
    if found:
        yield found
    if later := said_later(text, name, found.end if found else name.end):
        yield later
