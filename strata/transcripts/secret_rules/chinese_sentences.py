"""Secrets that somebody tells in a Chinese sentence."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.transcripts.secret_rules.chinese_words import is_chinese_phrase
from strata.transcripts.secret_rules.found import Secret
from strata.transcripts.secret_rules.judging import DIGITS, KINDS, Way, is_secret
from strata.transcripts.secret_rules.names import Meaning
from strata.transcripts.secret_rules.reading import QUOTE, Value, read_value, unfolded
from strata.transcripts.secret_rules.repetition import Verdicts
from strata.transcripts.secret_rules.values import (
    is_crypto,
    is_hash,
    is_mixed,
    is_numbered_word,
)
from strata.transcripts.secret_rules.view import PLACEHOLDER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.transcripts.secret_rules.repetition import Verdict
    from strata.transcripts.secret_rules.view import View

# The characters that the keywords cannot do without, and the keywords around them.
_SIGN = re.compile(r"[密口暗令秘私凭憑码碼登]")
_KEYWORD = re.compile(
    r"(?P<password>密[码碼匙])|(?P<phrase>口令|暗[号號])"
    r"|(?P<token>密[钥鑰]|秘[钥鑰]|令牌|私[钥鑰]|凭证|憑證)"
    r"|(?P<code>[码碼])|(?P<login>登[录陆录])"
)
_CODE_OWNER = re.compile(
    r"(?:(?:[验驗][证證]|解锁|安全|动态|校验|通行|门禁|支付|取款|开门|开锁|登录|取件"
    r"|(?i:pin) ?)"
    r"|(?P<key>授权|提取|激活|注册|邀请))\Z"
)
_MEANINGS = {
    "password": Meaning.PASSWORD,
    "phrase": Meaning.PASSPHRASE,
    "token": Meaning.TOKEN,
    "code": Meaning.CODE,
}
_LITTLE_WORDS = (
    r"(?:本身|现在|目前|暂时|还|都|就|已经?|我|给你|发你|一直|默认|先|统一|应该|原来|之前|以前|"
    r"最新|新|旧|老|也|又|刚刚?|今天|的|[（(][^）)\n]{0,20}[）)])*"
)
# A netdisk link is shared with a code of four letters and digits.
_SHORT_CODE = re.compile(
    r"[ \t]{0,3}[:：是为]?[ \t]{0,3}"
    r"(?P<code>(?=[a-z]{0,3}[0-9])[A-Za-z0-9]{4})(?![A-Za-z0-9])"
)
_LINK = re.compile(
    r"""["'`*”」』】]{0,3}[ \t]{0,4}""" + _LITTLE_WORDS + r"[ \t]{0,4}"
    r"(?P<link>(?:设置?|改|换|变更?|更新|重置|调整)?(?:成|为|到)了?|(?:用的|写的|设的|填的|就)?是|叫做?|填[写入]?|"
    r"[:：=|]|->|→|⇒)"
    r"(?:了|这个|的是)?[ \t]{0,2}[:：]?\*{0,2}(?P<newline>\s{0,4})" + QUOTE
)
_DETAIL = re.compile(
    r"[^，。；、,;!?！？\n=\ue000]{1,14}?(?:[:：]|是|为|改成|换成|[ \t])[ \t]{0,4}"
    + QUOTE
    + r"(?=[!-~])"
)
_BLANK = re.compile(r"""["'`*”」』】]{0,3}[锁箱]?(?:呢?[?？])?[ \t]{0,4}\(?""" + QUOTE)
_CHANGED = re.compile(
    r"(?:(?:现在|新的|目前|后来|已经?|刚刚?)(?:就?是|改成|改为|换成|用)了?"
    r"|(?:改成|改为|换成|换为|变成|改到|重置为|重置成)了?)[ \t]{0,3}[：:]?[ \t]{0,3}"
    + QUOTE
)
_BEFORE = re.compile(
    r"(?P<value>[!-~]{4,60}?)[\"'`”」）)]?[ \t]{0,3}(?:当作?|做|作为?|就?是|为|设为|设成)"
    r"(?:[我你您他她它咱]们?|的|新|登录|解锁|支付|家里|(?i:wi-?fi)|[ \t])*\Z"
)
_CODE_BEFORE = re.compile(
    r"(?<![\w.-])(?P<value>[0-9]{4,8})[\"'`*”]{0,2}[ \t]{0,3}[（(]?(?:就?是|为)?"
    r"(?:[我你您他她]们?|的|短信|登录|注册|手机|动态|支付|本次|此次|[ \t])*\Z"
)
_ACCOUNT = re.compile(
    r"(?:[账帐][号户]|用户名?|登录名)(?:[和与、/及+&]|以及)?[ \t]{0,2}\Z"
)
_PAIR = re.compile(
    r"[ \t]{0,3}(?:分别)?(?:是|为|[:：])?[ \t]{0,3}[!-.0-~]{1,40}?"
    r"[ \t]{0,3}(?:[ \t]|[/、,，和:：])[ \t]{0,3}" + QUOTE
)
_LOGIN = re.compile(
    r"[ \t]{0,3}[:：][ \t]{0,3}[\w.@+-]{1,40}[ \t]{0,3}/[ \t]{0,3}" + QUOTE
)
_UNIT = re.compile(
    r"[ \t]{0,2}(?:位|个|字|天|次|年|月|日|小时|分钟|秒|种|条|%|以上|左右|多|到|至|-\d)"
)
_PHRASE = re.compile(r"[\u3400-\u9fff·A-Za-z0-9@#$%&*_!~+-]{2,40}")
# 就是绿豆沙那个，Aa12345: what it is called comes first, and then how it is written.
_SPELLED_OUT = re.compile(r"(?:那个)?[,\uff0c、]\s{0,2}(?P<value>[!-+\--~]{6,60})")
_PARTICLES = "吧啊呀哦喔哈噢哟嘛"
_LONGEST_FIRST_WORD = 5
_WINDOW = 60
_LOOK_BACK = 80


def chinese_sentences(view: View) -> Iterator[Secret]:
    """Yield the values in *view* that a Chinese word announces."""
    if view.text.isascii():
        return
    verdicts = Verdicts(_judge)
    done = 0
    for sign in _SIGN.finditer(view.text):
        keyword = (
            _KEYWORD.match(view.text, sign.start()) if sign.start() >= done else None
        )
        if keyword:
            done = keyword.end()
            yield from verdicts.on(view.text, *keyword.span())[1]


def _judge(text: str, start: int, end: int) -> Verdict:
    keyword = _KEYWORD.match(text, start)
    secrets = tuple(_values_of(text, keyword)) if keyword else ()
    return max((end, *(secret.end for secret in secrets))), secrets


def _values_of(text: str, keyword: re.Match[str]) -> Iterator[Secret]:
    start, end = keyword.span()
    if keyword.lastgroup == "login":
        if found := _of_account(text, _LOGIN.match(text, end)):
            yield found
        return
    meaning = _MEANINGS[keyword.lastgroup or "password"]
    if meaning is Meaning.CODE:
        owner = _CODE_OWNER.search(text, max(0, start - 4), start)
        if not owner:
            return
        start = owner.start()
        if owner["key"]:
            meaning = Meaning.PASSWORD
            yield from _short_code(text, end)
    account = _pair_of_account(text, start, end)
    if account and text.startswith(PLACEHOLDER, account.end()):
        return
    found = (
        _of_account(text, account)
        or _linked(text, end, meaning)
        or _after_detail(text, end, meaning)
        or _beside(text, end, meaning)
        or _before(text, start, meaning)
    )
    if found:
        yield found
    yield from _changed(text, found.end if found else end, meaning)


def _linked(text: str, end: int, meaning: Meaning) -> Secret | None:
    match = _LINK.match(text, end)
    if not match:
        return None
    value = _value_of(text, match, meaning)
    if value and not value.quoted and _counts_something(text, value):
        return None
    plain = not (value and match["newline"].strip(" \t") and not is_mixed(value.text))
    if plain and (secret := _accepted(value, meaning, Way.SAID)):
        return _with_chinese_rest(text, secret)
    if "\n" in match["newline"] or meaning not in {
        Meaning.PASSWORD,
        Meaning.PASSPHRASE,
    }:
        return None
    return _chinese_phrase(text, value, match.end(), meaning)


def _short_code(text: str, end: int) -> Iterator[Secret]:
    if match := _SHORT_CODE.match(text, end):
        yield Secret(*match.span("code"), KINDS[Meaning.CODE])


def _value_of(text: str, match: re.Match[str], meaning: Meaning) -> Value | None:
    value = read_value(text, match.end(), match["quote"])
    return unfolded(text, value) if value and meaning is Meaning.TOKEN else value


def _chinese_phrase(
    text: str, value: Value | None, start: int, meaning: Meaning
) -> Secret | None:
    if value and value.quoted:
        return (
            _secret(value.start, value.end, meaning)
            if is_chinese_phrase(value.text)
            else None
        )
    match = _PHRASE.match(text, start)
    if not match or not is_chinese_phrase(phrase := match[0].rstrip(_PARTICLES)):
        return None
    end = start + len(phrase)
    behind = _SPELLED_OUT.match(text, end)
    if behind and is_mixed(behind["value"]):
        end = behind.end()
    return _secret(start, end, meaning)


def _with_chinese_rest(text: str, secret: Secret) -> Secret:
    """Extend a word such as "fake" in "fake青城山": a pass phrase of two scripts."""
    word = text[secret.start : secret.end]
    if not word.isalpha() or len(word) > _LONGEST_FIRST_WORD:
        return secret
    match = _PHRASE.match(text, secret.start)
    if match and is_chinese_phrase(match[0]):
        return Secret(secret.start, match.end(), secret.kind)
    return secret


def _after_detail(text: str, end: int, meaning: Meaning) -> Secret | None:
    match = _DETAIL.match(text, end)
    value = read_value(text, match.end(), match["quote"]) if match else None
    if not value or _counts_something(text, value) or is_hash(value.text):
        return None
    if not is_mixed(value.text) or is_numbered_word(value.text):
        return None
    return _accepted(value, meaning, Way.SAID)


def _beside(text: str, end: int, meaning: Meaning) -> Secret | None:
    match = _BLANK.match(text, end)
    value = _value_of(text, match, meaning) if match else None
    if not value or _counts_something(text, value) or is_numbered_word(value.text):
        return None
    if value.quoted and meaning is Meaning.PASSPHRASE and is_chinese_phrase(value.text):
        return _secret(value.start, value.end, meaning)
    if meaning is not Meaning.TOKEN and DIGITS.fullmatch(value.text):
        meaning = Meaning.CODE
    return _accepted(value, meaning, Way.BESIDE)


def _before(text: str, start: int, meaning: Meaning) -> Secret | None:
    before = text[max(0, start - _LOOK_BACK) : start]
    pattern = _CODE_BEFORE if meaning is Meaning.CODE else _BEFORE
    match = pattern.search(before)
    if not match:
        return None
    begin = start - len(before) + match.start("value")
    value = Value(match["value"], begin, begin + len(match["value"]), quoted=False)
    return _accepted(value, meaning, Way.BESIDE)


def _pair_of_account(text: str, start: int, end: int) -> re.Match[str] | None:
    """Match what stands before the password where account and password come together."""
    if not _ACCOUNT.search(text[max(0, start - _LOOK_BACK) : start]):
        return None
    return _PAIR.match(text, end)


def _of_account(text: str, account: re.Match[str] | None) -> Secret | None:
    value = read_value(text, account.end(), account["quote"]) if account else None
    if value and (is_mixed(value.text) or value.text.isdigit()):
        return _accepted(value, Meaning.PASSWORD, Way.SAID)
    return None


def _changed(text: str, end: int, meaning: Meaning) -> Iterator[Secret]:
    for match in _CHANGED.finditer(text, end, min(len(text), end + _WINDOW)):
        value = read_value(text, match.end(), match["quote"])
        if (
            value
            and is_mixed(value.text)
            and (secret := _accepted(value, meaning, Way.BESIDE))
        ):
            yield secret


def _accepted(value: Value | None, meaning: Meaning, way: Way) -> Secret | None:
    if not value or is_crypto(value.text) or not is_secret(meaning, value.text, way):
        return None
    return _secret(value.start, value.end, meaning)


def _secret(start: int, end: int, meaning: Meaning) -> Secret:
    return Secret(start, end, KINDS[meaning])


def _counts_something(text: str, value: Value) -> bool:
    return value.text[:1].isdigit() and _UNIT.match(text, value.end) is not None
