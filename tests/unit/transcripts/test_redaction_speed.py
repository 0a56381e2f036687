"""No text, however hostile, makes redaction slow."""

from __future__ import annotations

import time

import pytest

from strata.transcripts.redaction import redact

CHARACTERS = 200_000
# Time grows with the text, and slow machines take over a second for the slowest pattern;
# where it grew with the square, it would be a minute.
SECONDS = 4.0

HOSTILE = [
    *(
        "a",
        "A",
        "0",
        " ",
        "\t",
        "\n",
        "\\",
        '"',
        "`",
        "(",
        "[",
        "=",
        "-",
        "_",
        "/",
        "+",
    ),
    *("⟦", "\u200b", "ａ", "%41", "&#45;", "\\n", "\\u0041", "\r\n"),
    *("password=", "password is ", "password ", "the password for ", "pass", "pw:"),
    *("token ", "key ", "pin ", "code ", "basic ", "credentials ", "it's now "),
    *('password="', "<password>", "name: TOKEN value: ", "hunter2x is my password "),
    *(
        "密码是",
        "密码 ",
        "口令：天",
        "验证码 ",
        "账号密码 ",
        "助记词",
        "密码改了，现在是",
    ),
    *("-----BEGIN ", "-----BEGIN PRIVATE KEY-----\n", "END-----", "Private-Lines: 1\n"),
    *("sk-", "ghp_", "AKIA", "-eyJ", "eyJhbGciOiJIUzI1NiJ9.", "hvs.", "[-", "_-"),
    *("://a:", "://a:b@", "?key=", "&sig=", "WIFI:", "@tcp(", ":5432:a:b:"),
    *(
        " -p",
        "mysql -p\n",
        "curl -u ",
        "cookie: a=b; ",
        "login a password b ",
        "sudo -s",
    ),
    *("1 ", "1234 ", "12345678901 ", "138 1234 5678 ", "4111 1111 1111 1111 ", "1-"),
    *(
        "DE89",
        "GB82WEST",
        "ssn ",
        "seed phrase ",
        "velvet ",
        "velvet\n\n",
        "sin 046454286 ",
        "ssid a, key b ",
        "A123456(3) id card ",
        "YWJj",
        "aB3dE5fG7h\n",
        "QUJD" * 8 + "\n",
    ),
    *("log in with a1!b2c ", "enter a1b2", "as a, then ", "登录那串是a1b2c ", "a1!"),
    *(
        "key in 8842 ",
        "unlock 1-2-3-",
        "safe left 1 right 2 ",
        "门锁按 8820# ",
        "密保答案",
    ),
    "⟦secret:password⟧",
]


@pytest.mark.parametrize("pattern", HOSTILE, ids=repr)
def test_hostile_text_takes_no_longer_than_its_length(pattern: str) -> None:
    """
    A fifth of a megabyte that repeats *pattern* is done within seconds.
    """
    text = (pattern * (CHARACTERS // len(pattern) + 1))[:CHARACTERS]

    # A neighbour on the same processor can double one reading, and hardly three.
    assert any(seconds_for(text) < SECONDS for _ in range(3))


def seconds_for(text: str) -> float:
    start = time.process_time()
    redact(text)
    return time.process_time() - start
