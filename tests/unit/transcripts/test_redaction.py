"""No secret of the corpus survives, and ordinary text is left alone."""

from __future__ import annotations

import pytest
from redaction_corpus import harmless_texts, is_given_away, planted_secrets

from strata.transcripts.redaction import Secret, find_secrets, may_hold_secret, redact


def test_no_secret_is_given_away() -> None:
    """
    Neither a secret nor twelve characters of it are left of any text of the corpus.
    """
    texts = [(planted, redact(planted.text)) for planted in planted_secrets()]

    assert len(texts) >= 300
    assert [
        (planted.text, text)
        for planted, text in texts
        if is_given_away(planted.secret, text)
    ] == []


def test_placeholder_names_the_kind() -> None:
    """
    The placeholder says what stood there.
    """
    texts = [(planted, redact(planted.text)) for planted in planted_secrets()]

    assert [
        (planted.text, text)
        for planted, text in texts
        if f"⟦{planted.kind}⟧" not in text
    ] == []


def test_rest_of_the_text_stays() -> None:
    """
    Nineteen times out of twenty, nothing but the secret itself is replaced.
    """
    exact = [
        planted.around(f"⟦{planted.kind}⟧") == redact(planted.text)
        for planted in planted_secrets()
    ]

    assert sum(exact) >= 0.95 * len(exact)


def test_harmless_text_stays() -> None:
    """
    At most one harmless text in a hundred is touched.
    """
    touched = [text for text in harmless_texts() if redact(text) != text]

    assert len(harmless_texts()) >= 300
    assert len(touched) <= len(harmless_texts()) / 100, touched


@pytest.mark.parametrize(
    "text", ["", "Hello.", "你好，世界", "a\u200bb ＡＢＣ &amp; \\n"]
)
def test_text_without_secrets_is_returned_itself(text: str) -> None:
    """
    A text without secrets is not even copied.
    """
    assert redact(text) is text


def test_everything_else_stays_byte_for_byte() -> None:
    """
    Invisible and full-width characters outside the secret are still there.
    """
    before, after = (
        "\ufeff「ＡＢＣ」\u200b my pass\u00adword is ",
        ", &amp; \\u0041 ok\r\n",
    )

    assert f"{before}⟦secret:password⟧{after}" == redact(
        f"{before}hun\u200bter２２{after}"
    )


def test_found_secrets_say_where_they_stand() -> None:
    """
    Places are given in characters of the original, in order.
    """
    text = "pw: \u200bhunter\u200b22 and PIN: 4821"

    assert [
        Secret(5, 14, "secret:password"),
        Secret(24, 28, "secret:passcode"),
    ] == find_secrets(text)


def test_repeated_value_is_replaced_everywhere() -> None:
    """
    A password is also replaced where the text repeats it without saying what it is.
    """
    text = "the password is Otter.9912 - typed Otter.9912 twice"

    assert (
        "the password is ⟦secret:password⟧ - typed ⟦secret:password⟧ twice"
        == redact(text)
    )


def test_every_rule_has_a_clue() -> None:
    """
    The quick look at short texts lets every secret of the corpus through.
    """
    unseen = [row.text for row in planted_secrets() if not may_hold_secret(row.text)]

    assert unseen == []


def test_placeholders_are_left_alone() -> None:
    """
    What an earlier run wrote is no secret, escaped by a JSON writer or not.
    """
    text = 'password: ⟦secret:password⟧, {"token": "\\u27e6secret:token\\u27e7"}'

    assert redact(text) is text
