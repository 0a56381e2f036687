"""Secrets that are folded, escaped, padded or encoded are found all the same."""

from __future__ import annotations

import base64
import json
import unicodedata
from typing import TYPE_CHECKING

import pytest
from redaction_corpus import Planted, is_given_away, planted_secrets

from strata.transcripts.redaction import redact

if TYPE_CHECKING:
    from collections.abc import Callable

KEYS = [
    "sk-ant-" + "api03-F4k3wK3xRhFZztUn6ABoWsMt3tw7R7JjlSMH9qnQ9",
    "ghp_" + "F4k3jag5AZTToiNPdCpPTzzuO44O8R1fMNkW",
    "xoxb-" + "377754710098-3069103267679-F4k33znbuOfjJStL2Q3RfULP",
    "AKIA" + "F4KEY4LEQNVB4U5B",
    "glpat-" + "F4k3U79XuKfKvzo-hh6o",
]

SPELLINGS: dict[str, Callable[[str], str]] = {
    "zero-width": "\u200b".join,
    "soft hyphens": "\u00ad".join,
    "full width": lambda text: "".join(
        chr(ord(sign) + 0xFEE0) if sign.isascii() and sign.isalnum() else sign
        for sign in text
    ),
    "fine hyphens": lambda text: text.replace("-", "\u2011"),
    "JSON escapes": lambda text: text.replace("-", "\\u002d").replace("/", "\\/"),
    "HTML entities": lambda text: text.replace("&", "&amp;").replace("-", "&#45;"),
}

TEXTS: dict[str, Callable[[str], str]] = {
    "JSON": json.dumps,
    "JSON in JSON": lambda text: json.dumps({"a": json.dumps({"b": text})}),
    "a quotation": lambda text: "> " + text.replace("\n", "\n> "),
    "Windows": lambda text: text.replace("\n", "\r\n"),
}

FOLDS = {
    "a line break": "\n",
    "an indented line break": "\n      ",
    "a Windows line break": "\r\n",
    "a continued line": "\\\n  ",
    "an added string": '" +\n    "',
    "a quoted line break": "\n> ",
}


def plain(text: str) -> str:
    """
    *text* as a reader sees it, on one line.
    """
    unseen = '\u200b\u00ad\n\r \t>\\"+'
    folded = unicodedata.normalize("NFKC", text)
    return "".join(sign for sign in folded if sign not in unseen)


def given_away(spell: Callable[[Planted], str]) -> list[str]:
    """
    The texts of the corpus from which a secret can still be read.
    """
    return [
        text
        for planted in planted_secrets()
        if is_given_away(plain(planted.secret), plain(redact(text := spell(planted))))
    ]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_spelling_hides_no_secret(spelling: str) -> None:
    """
    However its characters are written, a secret is found.
    """
    spell = SPELLINGS[spelling]

    assert given_away(lambda planted: planted.around(spell(planted.secret))) == []


@pytest.mark.parametrize("wrapping", TEXTS)
def test_wrapping_hides_no_secret(wrapping: str) -> None:
    """
    However the whole text is wrapped, a secret is found.
    """
    wrap = TEXTS[wrapping]

    assert given_away(lambda planted: wrap(planted.text)) == []


@pytest.mark.parametrize("fold", FOLDS)
@pytest.mark.parametrize("key", KEYS, ids=lambda key: key[:5])
def test_fold_hides_no_key(key: str, fold: str) -> None:
    """
    Wherever a line break cuts a key, both halves go, and the next line stays.
    """
    for cut in range(2, len(key) - 4):
        text = redact(f"key: {key[:cut]}{FOLDS[fold]}{key[cut:]}\nthe next line")

        assert not is_given_away(key, plain(text)), text
        assert text.endswith("\nthe next line")


@pytest.mark.parametrize("width", [12, 16, 20, 40])
def test_key_over_many_lines_is_found(width: int) -> None:
    """
    A narrow terminal folds a key more than once.
    """
    key = KEYS[0] + "_" + KEYS[0][13:]
    rows = "\n  ".join(key[at : at + width] for at in range(0, len(key), width))

    assert "try ⟦secret:anthropic-key⟧ now" == redact(f"try {rows} now")


@pytest.mark.parametrize(
    "said", ["password=hunter22", f"token: {KEYS[1]}", "密码是Hangchuan@07"]
)
def test_encoding_hides_no_secret(said: str) -> None:
    """
    Base64 and hexadecimal text that tells a secret goes as a whole.
    """
    raw = said.encode()

    assert "x ⟦secret:encoded⟧ y" == redact(f"x {base64.b64encode(raw).decode()} y")
    assert "x ⟦secret:encoded⟧ y" == redact(f"x {raw.hex()} y")


def test_base64_of_ordinary_text_stays() -> None:
    """
    Encoded text that tells nothing is left alone.
    """
    text = base64.b64encode(b"Hello, this is a plain note about bread").decode()

    assert redact(text) is text


@pytest.mark.parametrize("end", ["", "\n...", '"}', "\\n and then"])
def test_private_key_that_was_cut_off_is_found(end: str) -> None:
    """
    A key without its last line goes as far as it reaches.
    """
    row = "jd1Oecmk2qawdgp1PJVMn0if8Btr5gQmPVoWT43qv5W1bH7ajxcGCQ6siifpSKab"
    key = f"-----BEGIN RSA PRIV{'ATE KEY-----'}\n{row}\n{row[::-1]}\n{row[:30]}"

    text = redact(f"id_rsa: {key}{end}")

    assert "id_rsa: ⟦secret:private-key⟧" + end == text


@pytest.mark.parametrize(
    "prefix", ["2026-11-20 12:00:01 INFO ", "app-1  | ", "> ", "    "]
)
def test_private_key_in_a_log_is_found(prefix: str) -> None:
    """
    Words in front of every row hide no key.
    """
    rows = [
        f"-----BEGIN EC PRIV{'ATE KEY-----'}",
        "jd1Oecmk2qawdgp1PJVMn0if8Btr5gQmPVoWT43qv5W1bH7ajxcGCQ6siifpSKab",
        f"-----END EC PRIV{'ATE KEY-----'}",
        "done",
    ]
    text = "".join(f"{prefix}{row}\n" for row in rows)

    assert f"{prefix}⟦secret:private-key⟧\n{prefix}done\n" == redact(text)
