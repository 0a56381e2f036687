"""A secret that is told in a message of its own is a secret all the same."""

from __future__ import annotations

import itertools

import pytest
from redaction_corpus import harmless_texts

from strata.transcripts.announced import Announced

PASSWORD = "Kestrel" + "-482!q"
CODE = "4985" + "55"


def answered(before: str, text: str, *, by_agent: bool = True) -> str:
    announced = Announced()
    announced.hear("assistant" if by_agent else "user", before)
    return announced.redacted("user", text)


@pytest.mark.parametrize(
    ("asked", "secret"),
    [
        ("What is the password?", PASSWORD),
        (
            "Please send me the API token for the wiki.",
            "t6ulN4elDBPWn9cYmj6x08" + "jMhB",
        ),
        ("I need your verification code", CODE),
        ("登录需要密码，密码是什么？", PASSWORD),
        ("请输入短信验证码", CODE),
        ("The admin password is", PASSWORD),
        ("DB_PASSWORD=", PASSWORD),
        ("数据库密码：", PASSWORD),
        ("What do I type to get past the login?", PASSWORD),
        ("How do I open the gate?", CODE),
        ("网盘登录填哪串？", PASSWORD),
        ("用什么解锁？", CODE),
    ],
)
@pytest.mark.parametrize("lead", ["", "it's ", "sure, ", "是"])
def test_the_answer_is_replaced(asked: str, secret: str, lead: str) -> None:
    """
    Whatever asks for a secret or leaves it to be told, the answer's value goes.
    """
    told = answered(asked, f"{lead}{secret} and go on")

    assert secret not in told
    assert told.startswith(f"{lead}⟦secret:")
    assert told.endswith("⟧ and go on")


def test_an_answer_after_the_agent_spoke() -> None:
    """
    The person's own unfinished sentence is remembered over what the agent says.
    """
    announced = Announced()
    announced.hear("user", "the admin password for the wiki is")
    announced.hear("assistant", "Go on.")

    assert announced.redacted("user", PASSWORD) == "⟦secret:told⟧"


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("Which password manager do you use?", "Bitwarden"),
        ("What is the password?", "I do not know it"),
        ("What is the password?", "the same as ever"),
        ("What is the port?", "5432"),
        ("密码是什么？", "我也不知道"),
        ("Is the token still valid?", "yes it is"),
        ("How many people come?", CODE),
        ("What time do I get in?", "1730"),
        ("How do I log in?", "with GitHub"),
        ("How do I open the file?", "with LibreOffice"),
        ("门锁是哪个？", "1204 那个"),
    ],
)
def test_other_answers_stay(before: str, text: str) -> None:
    """
    An answer that tells no secret stays as it is.
    """
    assert answered(before, text) == text


def test_harmless_texts_stay_after_harmless_texts() -> None:
    """
    No harmless text makes a secret of the next one.
    """
    texts = harmless_texts()
    changed = [
        (before, text)
        for before, text in itertools.pairwise(texts)
        if answered(before, text) != text
    ]

    assert changed == []
