"""What is typed to get in is masked by its shape and the talk around it."""

from __future__ import annotations

import pytest

from strata.transcripts.redaction import redact
from strata.transcripts.redaction.entering import Likeness, likeness

TOLD = [
    ("it wants {} to get in", "Kestrel!44moor"),
    ("the drive opens for fischer, then {}", "Moewe!1968x"),
    ("you get on the wifi with {}", "sommer-1987-bjork"),
    ("user is anna and the thing you type is {}", "Tulp#5588"),
    ("the archive is locked, {} unpacks it", "Nebel-4711-horn"),
    ("登录那串是{}", "qingdao2019xx"),
    ("那台服务器进去要敲 root 和 {}", "Wd%92kkl"),
    ("连我热点吧，填 {}", "tangyuan88gou"),
]
NOT_TOLD = [
    "user count and it wants PostgreSQL-16 to run",
    "My username is Drag0n!Slay3r, add me on the server",
    "we log in with gpt-4o-mini2024 and Office365",
    "type =Sheet1!B2 and enter, the user sees 42",
    "Uint8Array#indexOf and process$1.env connect the server",
    "deps: mime-types@~2.1.34, open the server",
    "order 8A4Y2EA#ABD for the account, the router comes later",
    "登录那串是哪个？",
    "登录要 Windows11 或者 macOS-14 以上",
]
CODES = [
    ("the alarm goes off unless you key in {}", "8842"),
    ("What do I type to unlock the tablet?\nIt's {}, same as always", "4402"),
    ("the garage fob died so I use the pad, {} works", "1357"),
    ("to open the shed you turn it to {}, then pull", "31-7-22"),
    ("front gate takes {} after ten at night", "1948#"),
    ("the safe: left to {}", "23, right to 11, left to 42"),
    ("手机解锁是 {}", "0917"),
    ("楼下快递柜老妈的那格按 {} 开", "660913"),
    ("保险箱转 {}", "23 左 11 右 42"),
]
NO_CODES = [
    "the alarm is at 0630 and the door opens at 0900",
    "the lock on room 214 is broken, ask for 215",
    "press 2 for support, the door is 2040 wide",
    "I opened 1204 tickets and locked 87 of them",
    "闹铃设的是 0630，开门时间 0900",
    "解锁第 14 关，柜台 3 号，302 室",
]
ANSWERS = [
    ("the answer to my security question is {}", "Pumpernickel"),
    ("密保问题我填的小学是{}", "红星小学"),
]
NO_ANSWERS = [
    "the answer to the security question is required",
    "密保问题答案是什么",
    "密保问题我忘了，大黄是我家的狗",
]


@pytest.mark.parametrize(("frame", "secret"), [*TOLD, *CODES, *ANSWERS])
def test_what_lets_in_is_masked(frame: str, secret: str) -> None:
    """
    Nothing else of the sentence changes.
    """
    kind = "passcode" if (frame, secret) in CODES else "password"

    assert frame.format(f"⟦secret:{kind}⟧") == redact(frame.format(secret))


@pytest.mark.parametrize("text", [*NOT_TOLD, *NO_CODES, *NO_ANSWERS])
def test_other_talk_of_getting_in_stays(text: str) -> None:
    """
    Names, versions, times, rooms and amounts stay beside talk of doors and logins.
    """
    assert text == redact(text)


@pytest.mark.parametrize("value", ["Kestrel!44moor", "Hk7!moonbay22", "Rood7wagen#9"])
def test_letters_digits_and_signs_in_turns_look_chosen(value: str) -> None:
    """
    What changes between them three times and more needs only a word of getting in.
    """
    assert Likeness.SURE is likeness(value)
    assert redact(f"the login, as ever: {value}") != f"the login, as ever: {value}"
    assert redact(f"the parcel, as ever: {value}") == f"the parcel, as ever: {value}"
