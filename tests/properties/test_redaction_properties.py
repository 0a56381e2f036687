"""What redaction promises for every text."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from strata.transcripts.redaction import find_secrets, redact
from strata.transcripts.redaction.numbers import adds_up, passes_luhn

PLACEHOLDER = re.compile("⟦(?:secret|personal):[a-z0-9-]+⟧")
INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad"
LETTERS = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"

WORDS = r"""
password passphrase pw token secret api_key key PIN code cookie: Basic Bearer machine login
密码 口令 暗号 验证码 令牌 账号 登录 是 为 ： ， 。 my the is it's now not as to for from
= : := => -> == ? ( ) [ ] { } < > | ; , . ' " ` ** -- -p mysql curl -u :// @ / echo sudo -S
hunter2 Blue-Heron.88 swordfish required 4821 482913 青城山下 4111111111111111 BEGIN END
13912345678 510107199512090371 1718000000000 https user root@host.example 8xk2 seed phrase
⟦secret:password⟧ ⟦ ⟧ \n \u002d \" \/ &#45; &amp; %3A %41 cGFzc3dvcmQ9aHVudGVyMg==
"""

fragments = st.one_of(
    st.sampled_from(WORDS.split()),
    st.sampled_from(
        ["\n", "\r\n", "\n  ", "\\\n", " ", "  ", "\t", "\u200b", "\u00ad", "＝"]
    ),
    st.just("sk-ant-" + "api03-F4k3wK3xRhFZztUn6ABo"),
    st.just("ghp_" + "F4k3jag5AZTToiNPdCpPTzzuO44O8R1fMNkW"),
    st.just("-----BEGIN PRIV" + "ATE KEY-----"),
    st.text(LETTERS, max_size=24),
    st.text(max_size=6),
)
texts = st.lists(fragments, max_size=24).flatmap(
    lambda parts: st.sampled_from(["", " "]).map(lambda blank: blank.join(parts))
)


@given(texts)
@settings(max_examples=400)
def test_redacting_twice_is_redacting_once(text: str) -> None:
    """
    Nothing in a redacted text is a secret.
    """
    once = redact(text)

    assert redact(once) is once
    assert find_secrets(once) == []


@given(texts)
@settings(max_examples=400)
def test_what_is_left_stood_there_before(text: str) -> None:
    """
    Apart from placeholders, all that is left are stretches of the text, in order.
    """
    at = 0
    for piece in PLACEHOLDER.split(redact(text)):
        found = text.find(piece, at)
        assert found >= 0
        at = found + len(piece)


@given(texts)
@settings(max_examples=200)
def test_found_places_are_in_order(text: str) -> None:
    """
    Places lie within the text, are not empty and do not overlap.
    """
    done = 0
    for secret in find_secrets(text):
        assert done <= secret.start < secret.end <= len(text)
        done = secret.end


@given(st.text())
def test_any_text_is_taken(text: str) -> None:
    """
    No text is too strange.
    """
    assert isinstance(redact(text), str)


@given(
    st.text(LETTERS, min_size=36, max_size=36).filter(lambda body: len(set(body)) > 8),
    st.lists(st.tuples(st.integers(0, 40), st.sampled_from(INVISIBLE)), max_size=12),
)
def test_invisible_characters_hide_no_key(
    body: str, padding: list[tuple[int, str]]
) -> None:
    """
    Padding a key anywhere with characters that nobody sees does not save it.
    """
    padded = key = "ghp_" + body
    for place, character in padding:
        padded = padded[:place] + character + padded[place:]

    text = redact(f"clone with {padded} please")

    assert key[4:16] not in "".join(sign for sign in text if sign not in INVISIBLE)
    assert text.endswith(" please")


@given(
    st.sampled_from(["4", "51", "55", "62", "6011"]),
    st.text("0123456789", min_size=14, max_size=14),
    st.sampled_from(["", " ", "-"]),
)
def test_every_card_is_found(scheme: str, digits: str, separator: str) -> None:
    """
    A number of 16 digits with a right check digit and a card scheme's first digits goes.
    """
    start = (scheme + digits)[:15]
    number = next(start + last for last in "0123456789" if passes_luhn(start + last))
    groups = separator.join(number[at : at + 4] for at in range(0, 16, 4))

    assert "pay with ⟦personal:card-number⟧ now" == redact(f"pay with {groups} now")


@given(
    st.sampled_from(["110101", "310104", "440305", "510107", "650102"]),
    st.dates().filter(lambda day: 1900 < day.year < 2026),
    st.integers(0, 999),
)
def test_every_citizen_is_found(place: str, birthday: object, sequence: int) -> None:
    """
    A number of 18 digits with a place, a birthday and a right check digit goes.
    """
    start = f"{place}{birthday:%Y%m%d}{sequence:03d}"
    number = next(
        start + last for last in "0123456789X" if adds_up("citizen", start + last)
    )

    assert "号码 ⟦personal:cn-id⟧，谢谢" == redact(f"号码 {number}，谢谢")
