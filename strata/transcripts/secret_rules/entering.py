"""What somebody types to get in, told without calling it a password."""

from __future__ import annotations

import re
import string
from typing import TYPE_CHECKING

from strata.transcripts.secret_rules.chosen_values import Likeness, likeness
from strata.transcripts.secret_rules.found import Secret
from strata.transcripts.secret_rules.mentions import Clues
from strata.transcripts.secret_rules.repetition import Verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.transcripts.secret_rules.repetition import Verdict
    from strata.transcripts.secret_rules.view import View

# The commonest first: one is enough for a closer look.
CLUES_TO_ENTERING = Clues(
    *("输", "连", "锁", "打开", "系统", "用户", "登录", "登入", "登陆", "登陸"),
    *("登錄", "登上", "登不上", "登得", "登后台", "账号", "帐号", "解压", "压缩包"),
    *("解开", "进去", "进得去", "进不去", "能进", "敲", "填", "无线", "网盘"),
    *("路由", "热点", "邮箱", "共享盘", "服务器", "数据库", "后台", "那串"),
    *("那一串", "保险箱", "保险柜", "开机", "电脑", "手机"),
    *("open", "type", "user", "enter", "account", "connect", "network", "server"),
    *("safe", "drive", "login", "log in", "logs in", "logged in", "log on"),
    *("logs on", "logged on", "log into", "logs into", "log me in", "log you in"),
    *("sign in", "signs in", "signed in", "sign on", "sign-in", "get in"),
    *("gets in", "got in", "get you in", "gets you in", "let you in"),
    *("lets you in", "lets me in", "let in", "get on", "get past", "unlock"),
    *("locked", "key in", "punch", "prompt", "wifi", "wi-fi", "wlan", "router"),
    *("hotspot", "vpn", "nas ", "ssh", "database", "alarm", "admin", "portal"),
    *("laptop", "computer", "tablet", "phone"),
)
# How far a clue reaches, and how much around a value is read.
_BEFORE, _AFTER, _LEAD, _SHORTEST, _LONGEST = 100, 80, 64, 6, 60
# A digit beside a letter or a sign: most texts have few, so the rest is read from there.
# Short ones, such as 4G and Q3, are passed over.
_TURN = re.compile(rb"0(?!(?<= .)[a0]{0,4} |(?<= a.) )(?:(?<=a.)|(?<=a-.)|(?=-?a))")
_IN_CODE = b"="
_KINDS = {
    "0": "0",
    "a": string.ascii_letters + "!#$%@^&*~+",
    "-": "-_.'",
    "=": "=/\\(){}[]",
}
_CLASSES = bytes(
    next((ord(kind) for kind, signs in _KINDS.items() if chr(code) in signs), ord(" "))
    for code in range(256)
)
_PART = r"[^\s,;:|\"`<>\u2010-\u206f\u3000-\u9fff\ue000\uff00-\uffef⟦⟧]"
_REST = re.compile(_PART + "{0,60}")
_PUNCTUATION = "'()[]{}.*_"

_NAME = r"[\w.@+-]{2,40}"
_OPENING = r"\s{0,2}[\"'“(（]?\Z"
_CLOSING = r"[\"'”）)]?\s{0,2}"
# What stands right before a value, or behind it; the later, the more it tells.
_SAID = re.compile(
    r"(?:\b(?:is|it's|its|are|was|be|as|called|and|then|plus|on|of|to|for|the)|[:=/,]"
    rf"|\b(?:user|username|name|as|root|admin) {_NAME}"
    rf"|[是为叫填写成再加和、，：]){_OPENING}"
)
_TYPED = re.compile(
    r"(?:\b(?:types?|typing|typed|enters?|entering|entered|key(?:s|ed|ing)? in|try|tries"
    r"|punch(?:es|ed|ing)? in|put(?:s|ting)? in|us(?:es?|ed|ing)|with|by|takes?|wants?"
    r"|needs?|expects?|likes|asks for)(?: in| it| just| then)*:?"
    rf"|\b(?:with|using|use|enter|type) {_NAME} (?:and|then|plus|/|\+)(?: then)?"
    rf"|\b(?:as|user|root|admin|login)(?: {_NAME})? ?(?:,? then|and then|and|with|,|/)"
    r"|那一?[串行组](?:字符|东西|数字)?(?:是|叫|填|[：:])?"
    r"|(?:输入?|敲|填写?|键入|打|试试|试一?下|用|按)(?:的?是|了|上|进去|个)?[：:]?"
    rf"|(?:先|填|敲|输入?|用|是|[账帐]号|用户名?) ?(?:是|为|叫)? ?{_NAME} ?"
    rf"(?:和|加|跟|/|、|，|,|再|然后|密)(?:再|然后|后面)?(?:是|填|输|敲|用|加)?){_OPENING}"
)
_DOES = re.compile(
    _CLOSING + r"(?:(?:and|then) (?:(?:you're|you are) in|it (?:open|unlock|unpack)s)"
    r"|does (?:it|the trick)|(?:(?:un)?lock|open|unpack|decrypt)s (?:it|them|everything)"
    r"|to (?:get in|log ?[io]n|sign in|unlock)\b"
    r"|[就才](?:能|可以)?[行进登解开连])"
)
_NAMED = re.compile(
    r"(?:\b(?:what|thing|string|word|bit|line|stuff|characters)(?: that| which)?"
    r"(?: (?:you|i|we|it|they|he|she|to|have|has|need|needs|must|should|then|always))*"
    r" (?:types?|keys?|enters?|punch|put|asks?|wants?|takes?|expects?|gets? you|lets? you)"
    r"(?: in| for| there| here)*(?: to [a-z ]{1,20})?(?: is|:|'s| are)"
    rf"|\b(?:log|sign)(?:s|ged|ned)? (?:in|on) as {_NAME} ?(?:and|,|/|,? ?then|plus)"
    r"|[要输填打]的那?个?(?:东西|字符)[是:：]"
    r"|(?:wi-?fi|wlan|hotspot|无线|热点)(?: is| called|叫|是)?[:：]? ?[^,，;:/\n]{2,30} ?/"
    r"|(?:登[录陆入]?|解锁|[进打]开|[进连输填敲]|后台|无线|网盘|wi-?fi)"
    r"[^，。！？\n\d]{0,10}那一?[串行组][^，。！？\n\d]{0,6}?(?:设的)?[是为叫填:：]"
    rf"|(?:后面|那一?)(?:那?一?[串行])[^，。！？\n\d]{{0,4}}?[填输敲写]){_OPENING}"
)
_ADMITS = re.compile(_CLOSING + r"(?:gets?|lets?) (?:you|me|us|one) (?:in|past|on)\b")
# What somebody uses need not be typed: a board, a chip, a model.
_USED = re.compile(
    r"(?:\b(?:us(?:es?|ed|ing)|with|by|takes?|wants?|needs?|expects?|likes|try|tries)"
    rf"|(?:用|试试|试一?下)(?:的?是|了|上|个)?[：:]?){_OPENING}"
)
# A name for everybody to see, however it is written.
_CALLED = re.compile(
    r"(?:\b(?:user ?name|nick(?:name)?|handle|(?:gamer ?)?tag|(?:user )?id|team|channel"
    rf"|ssid)(?: is|:)?|(?:用户名|昵称|网名|[账帐]号|名字)[是叫：:]?){_OPENING}"
)


def entering(view: View) -> Iterator[Secret]:
    """Yield what is typed in *view* to log on, to get in or to open something."""
    if _TURN.search(view.signs.translate(_CLASSES)) and CLUES_TO_ENTERING.are_in(view):
        yield from typed_in(view.text, view.signs)


def typed_in(text: str, signs: bytes) -> Iterator[Secret]:
    """Yield what *text*, which is the same in *signs*, says that somebody types."""
    done, verdicts, classes = 0, Verdicts(_judge), signs.translate(_CLASSES) + b" "
    for turn in _TURN.finditer(classes):
        at = turn.start()
        if at < done:
            continue
        done = classes.index(b" ", at)
        first = max(0, at - _LONGEST)
        seen = classes[max(first, classes.rfind(b" ", first, at) + 1) : done]
        if len(seen) >= _SHORTEST and _IN_CODE not in seen:
            start, done = _ends(text, at)
            yield from verdicts.on(text, start, done)[1]


def _ends(text: str, at: int) -> tuple[int, int]:
    """Say where what is written around *at* begins and ends."""
    # Backwards, up to the blank before it.
    before = _REST.match(text[max(0, at - _LONGEST) : at][::-1])
    after = _REST.match(text, at)
    return at - (before.end() if before else 0), after.end() if after else at + 1


def _judge(text: str, start: int, end: int) -> Verdict:
    value = text[start:end].strip(_PUNCTUATION)
    begin = text.index(value, start)
    secret = Secret(begin, begin + len(value), "secret:password")
    return end, (secret,) if _is_typed(text, secret, likeness(value)) else ()


def _is_typed(text: str, value: Secret, alike: Likeness) -> bool:
    if alike is Likeness.NONE:
        return False
    before = text[max(0, value.start - _BEFORE) : value.start].lower()
    after = text[value.end : value.end + _AFTER].lower()
    return _is_told(alike, before[-_LEAD:], after) and (
        CLUES_TO_ENTERING.are_in_text(before) or CLUES_TO_ENTERING.are_in_text(after)
    )


def _is_told(alike: Likeness, before: str, after: str) -> bool:
    """Say whether what is said *before* and *after* is enough for a value so *alike*."""
    if _NAMED.search(before) or _ADMITS.match(after):
        return True
    if alike is Likeness.LOOSE or _CALLED.search(before):
        return False
    if alike is Likeness.PART and _USED.search(before):
        return _DOES.match(after) is not None
    if alike is Likeness.SURE or _TYPED.search(before) or _DOES.match(after):
        return True
    return alike is Likeness.SIGNED and _SAID.search(before) is not None
