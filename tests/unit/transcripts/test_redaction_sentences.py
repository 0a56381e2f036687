"""What people say about passwords, and what of it is kept."""

from __future__ import annotations

import pytest

from strata.transcripts.redaction import redact

TOLD = [
    ("my password is {}, log in please", "hunter2"),
    ("my password is {}", "swordfish"),
    ("the passphrase is {}, ok?", "correct horse battery staple"),
    ("I changed my password. It's now {}", "Blue-Heron.88"),
    ("the password for the NAS is {}", "Kaktus.77"),
    ("changed the password from hunter to {}", "hunter33"),
    ("{} is my password", "hunter2"),
    ("try {} as password", "mango-tree-2025"),
    ("password for the VPN ({}) expires", "Wolf-im-Schnee7"),
    ("username/password: nini/{}", "Z1egel.stein"),
    ("密码是{}，查一下", "Hangchuan@07"),
    ("密码：{}，别外传", "hunter2x"),
    ("口令是 {},帮我跟阿姨说一声", "青城山下白素贞fake"),
    ("暗号是 {}", "fake青城山"),
    ("口令就是豆沙包那个，{}，别写错", "Dsb#3307xk"),
    ("暗号：{}", "天王盖地虎"),
    ("wifi 密码 {}", "tplink2026"),
    ("密码我改了，现在是{}", "Blue88#heron"),
    ("账号 admin 密码 {}", "Admin@123"),
    ("用 {} 当密码就行", "lvcha2026!"),
    ("登一下，密码是“{}”", "今天 天气 88"),
]

CODES = [
    ("my PIN is {}", "4821"),
    ("gate code is {}", "4821#"),
    ("{} is your verification code", "771204"),
    ("use code {} to log in", "482913"),
    ("the code for the front door: {}", "2580#"),
    ("验证码 {}，5 分钟内有效", "482913"),
    ("您的验证码是{}", "660271"),
    ("手机解锁码 {}", "2580"),
    ("云盘提取码 {}", "8xk2"),
]

NOT_TOLD = [
    "My password manager is Bitwarden",
    "password is required",
    "the token is invalid",
    "the password is in the vault",
    "password: see the vault",
    "I forgot my password",
    "the PIN is 4 digits long",
    "GPIO pin 17 is the relay",
    "exit code is 137",
    "the secret to good bread is time",
    "忘记密码了怎么办",
    "密码是什么",
    "密码是多少",
    "密码为 8-16 位字母和数字",
    "密码是存在 1Password 里的",
    "密码：见群公告",
    "这个口令是错误的",
    "验证码错误次数超过 3 次",
    "令牌已过期",
]


# Each tells one password and another that it is not, or no longer is.
CONTRASTED = [
    'not "{}" — I mistyped. the streaming pass is {}, capital at the front',
    "the pass is {}, not {}",
    "the door password is not {} but {}",
    "{} no longer works, new password: {}",
    "sorry, {} was wrong. the wifi password is {}",
    "I first wrote {}, the right password is {}",
    "不是{}，我打错了，密码是{}",
    "密码是{}，不是{}",
    "之前写的{}作废，新密码是{}",
]


@pytest.mark.parametrize("frame", CONTRASTED)
def test_password_that_another_is_told_from_goes_too(frame: str) -> None:
    """
    Wherever one is known, what is said in its place or against it is as secret.
    """
    expected = frame.format(*["⟦secret:password⟧"] * 2)

    assert expected == redact(frame.format("Quarry_003xq", "tulip_309Kq"))


@pytest.mark.parametrize(
    ("frame", "kind", "secret"),
    [
        ("the password is {}, not the username", "password", "tulip_309Kq"),
        ("the password is {} but release_003 needs none", "password", "tulip_309Kq"),
        ('I said "later" and the password is {}', "password", "tulip_309Kq"),
        ("PR-812 was wrong. my PIN is {}, not 17 or 482", "passcode", "4417"),
        ('the switch is not "enabled", my PIN is {}', "passcode", "4417"),
        ("密码是 {}，不是用户名", "password", "tulip_309Kq"),
    ],
)
def test_what_stands_beside_a_password_stays(
    frame: str, kind: str, secret: str
) -> None:
    """
    A word that is no secret's like is left as it is.
    """
    assert frame.format(f"⟦secret:{kind}⟧") == redact(frame.format(secret))


@pytest.mark.parametrize(("frame", "secret"), TOLD)
def test_told_password_is_replaced(frame: str, secret: str) -> None:
    """
    The password goes, the sentence stays.
    """
    text = redact(frame.format(secret))

    assert secret not in text
    assert text.endswith(frame.partition("{}")[2])
    assert "⟦secret:password⟧" in text


@pytest.mark.parametrize(("frame", "code"), CODES)
def test_told_code_is_replaced(frame: str, code: str) -> None:
    """
    Codes of digits go too, as passcodes.
    """
    assert frame.format("⟦secret:passcode⟧") == redact(frame.format(code))


@pytest.mark.parametrize("text", NOT_TOLD)
def test_talk_about_passwords_stays(text: str) -> None:
    """
    A sentence that tells no secret is left alone.
    """
    assert redact(text) is text
