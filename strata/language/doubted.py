"""Which stretches of a message may be pasted, whatever their form: they wait for a word."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.language import pasted_signs as signs

if TYPE_CHECKING:
    from collections.abc import Iterator

Span = tuple[int, int]

_LONGEST_HEAD = 240
# So many lines may come before the one that hands a text over: a greeting, a name.
_HEAD_LINES = 3
_LONG_CHARS = 160
_LONGEST_REMARK = 24
_READ_CHARS = 4000

# Things in which words come that somebody else wrote.
_TEXT = (
    r"(?:e-?mails?|mails?|messages?|letters?|texts?|sms|dms?|replies|reply|answers?"
    r"|responses?|pages?|sites?|websites?|articles?|blogs?|posts?|threads?|chats?"
    r"|conversations?|transcripts?|logs?|outputs?|files?|readmes?|notes?|tickets?"
    r"|issues?|comments?|reviews?|contracts?|documents?|docs?|snippets?|lines?|prompts?"
    r"|results?|reports?|invoices?|receipts?|announcements?|notices?|newsletters?"
    r"|adverts?|ads?|flyers?|leaflets?|posters?|signs?|labels?|stickers?|captions?"
    r"|subtitles?|screenshots?|photos?|images?|pictures?|scans?|pdfs?|slides?|decks?"
    r"|voicemails?|recordings?|lyrics|poems?|quotes?|tweets?|paragraphs?|sections?"
    r"|passages?|chapters?|excerpts?|clauses?|terms|polic(?:y|ies)|agendas?|minutes"
    r"|calendars?|invites?|invitations?|forms?|surveys?|manuals?|instructions|guides?"
    r"|recipes?|faqs?|changelogs?|diffs?|patch(?:es)?|commits?|quer(?:y|ies)|tables?"
    r"|lists?|spreadsheets?|csvs?|configs?|errors?|descriptions?|bios?|profiles?"
    r"|resumes?|cvs?|pop-?ups?|banners?|notifications?|alerts?|scripts?|dialogues?"
    r"|statements?|releases?|summar(?:y|ies)|drafts?|translations?|stor(?:y|ies))"
)
_CHINESE_TEXT = (
    r"(?:邮件|来信|信件?|短信|消息|微信|网页|页面|网站|文章|博客|帖子|段话|文字|文本"
    r"|内容|聊天|记录|日志|文件|合同|条款|文档|公告|通知|笔记|技能|报告|评论|工单|简历"
    r"|原文|对话|截图|照片|图片|说明|海报|传单|标签|字幕|语音|留言|转写|录音|纪要|议程"
    r"|日程|邀请|问卷|表格|表单|菜谱|歌词|诗|引文|推文|微博|朋友圈|弹窗|广告|横幅|小票"
    r"|发票|账单|手册|指南|更新日志|补丁|配置|报错|代码|脚本|剧本|新闻稿?|摘要|草稿|译文"
    r"|故事|题目|作业|便条|纸条|便签)"
)
# The reader is pointed to what follows or came before, not to a thing in the world.
_POINTS = re.compile(
    rf"\b(?:this|these|that|those|below|above|following|attached|here(?:'s| is| are))\b"
    rf"(?: [\w'-]+){{0,3}}? {_TEXT}\b|\b(?:the|a|an|their|his|her|our|my|new|latest|last"
    rf"|another|some|\w+'s) (?:[\w'-]+ ){{0,2}}?{_TEXT}\b"
    r"|\b(?:this|these|below|following|as follows|verbatim)\s*[:?.!]*\s*\Z"
    r"|\b(?:summari[sz]e|translate|proofread|rephrase|paraphrase|explain|parse|decode"
    r"|transcribe|fact-?check|tl;?dr|shorten|polish|rewrite|reword)\b"
    r"|\b(?:got|received|came|arrived|found|copied|forwarded|sent|wrote|says?|said"
    r"|posted|replied|quot(?:e|ing|ed)|fwd|fyi|from)\b[^.!?]{0,60}\Z"
    rf"|{_CHINESE_TEXT}|[这那](?:个|段|篇|封|条|份|张|些|里|边)?[^,。]{{0,10}}\Z"
    r"|(?:总结|翻译|润色|解释|解析|校对|概括|改写|核实|查证|转写|缩短|精简)"
    r"|(?:收到|发来|转来|看到|贴|写道|回复|说|原话|如下|以下|下面)[^,。]{0,12}\Z",
    re.IGNORECASE,
)
# The writer's own frame: what follows are the writer's rules.
_OWN_FRAME = re.compile(
    r"\b(?:remember|rules?|remind|from now on|always|never|note (?:that|to self)|prefer"
    r"\w*|things? (?:to|about|you)|for (?:the )?(?:future|record)|wish(?:es)?|habits?"
    r"|standing|by default|i (?:want|need|decided|like|hate|have)|we (?:decided|agreed))\b"
    r"|记住|记一下|记下|规矩|规则|以后|今后|从现在起|一律|永远|要求|习惯|默认|偏好|决定"
    r"|我(?:要|想|喜欢|讨厌|决定|有)",
    re.IGNORECASE,
)
# A line in which the same person goes on.
_SAME_VOICE = re.compile(
    r"[ \t]*(?:i(?:'m|'d|'ve|'ll)?\b|my\b|me\b|for me\b|please\b|also\b|and\b|but\b"
    r"|btw\b|by the way|plus\b|oh\b|another thing|one more|otherwise|for the rest"
    r"|in future|thanks|我|咱|请|麻烦|另外|顺便|对了|还有|再就是|以后|其他的?|不过|谢谢)",
    re.IGNORECASE,
)
# Where something is to go, or from whom it is to come; and whom only others speak of so.
_ADDRESS = re.compile(
    r"https?://|\bwww\.|[\w.+-]{1,64}@[\w-]{1,64}\.\w|\b[a-z0-9][\w-]{0,63}\."
    r"(?:[\w-]{1,63}\.){0,3}"
    r"(?:com|net|org|io|dev|ai|app|cn|info|biz|me|co|uk|de|eu|ru|xyz|site|online|shop"
    r"|cloud|example|test|invalid)\b|\b(?:iban|wallet|account (?:no|number))\b"
    r"|收款|账号|账户"
    r"|\b(?:the|this|your) (?:user|owner|assistant|agent|customer)s?\b|\bassistants?\b"
    r"|\bcustomers? (?:must|should|shall|agree)|用户|助手|智能体|客户须|本公司|贵方"
    r"|乙方|甲方",
    re.IGNORECASE,
)
_GREETS = re.compile(
    r"[ \t]*(?:hi|hello|hey|good (?:morning|evening|day)|morning|ok(?:ay)?|thanks"
    r"|你好|您好|早|好的?|谢谢)\b",
    re.IGNORECASE,
)
# "She sent me this, is it legal": many ask without a mark.
_ASKED_BEHIND = re.compile(
    r"[,.;–-] ?(?:is|are|does|do|did|can|should|what|why|how|who|which|where|when)\b",
    re.IGNORECASE,
)
_INLINE = re.compile(r"(?P<head>[^:?]{4,160}[:?])(?P<rest>.*)")
_HANZI = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[A-Za-z]{2,}")
_ANNOUNCES = re.compile(
    r"\b(?:i(?:'ll| will| am going to|'m going to| shall)|let me|going to)"
    r" (?:now )?(?:paste|forward|copy)\b"
    r"|\b(?:pasting|forwarding) (?:it|them|this|the|in|now|you)\b"
    r"|\bnext (?:message|one|post)s? (?:is|are|has|have|comes?|will|contains?)\b"
    r"|\bin (?:two|three|several|2|3) (?:parts|messages|pieces)\b"
    r"|(?:我(?:要|会|先|再)?|接下来|下面|马上|等下|待会|现在)?分[两二三几][段条次部]"
    r"|(?:我(?:要|会|先|再|把)|接下来|下面|马上|等下|待会|现在)[^,。]{0,10}"
    r"(?:贴|转发)(?:给你|过来|一下)|(?:下一条|接下来的?)(?:消息|内容)?是",
    re.IGNORECASE,
)
_PARTS = re.compile(
    r"\b(?:two|both|2)\b|[两二]|(?P<more>\b(?:three|several|some|3)\b|[三几])",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(
    r"\b(?:i|i'm|i'd|i've|my|me|mine)\b|我(?!们)|咱", re.IGNORECASE
)
# What makes a head one in its language, and a block a long one.
_SOME_HANZI, _SOME_WORDS, _MANY = 3, 2, 8
_ASKS_BACK = re.compile(
    r"\A\W*(?:(?:so|and|ok|hm+),? )?(?:what(?:'s| is| does| do| should| to)"
    r"|is (?:this|that|it)|are (?:these|they)|does (?:this|that|it)"
    r"|can you (?:explain|summari|translate)|summari[sz]e|translate|explain|tl;?dr"
    r"|thoughts|any (?:thoughts|ideas?)|who (?:is|wrote)"
    r"|how (?:do|should|would) (?:i|we|you) (?:answer|reply|respond))\b[^\n]{0,60}"
    r"\b(?:this|that|it|they|them|these|mean|means|thoughts?|tl;?dr|ideas?)\b[^\n]{0,30}\Z"
    r"|\A[^\n]{0,14}(?:什么意思|靠谱吗|是真的吗|是诈骗|怎么回|讲的?什么|说的?什么"
    r"|写的?什么|谁写的|总结一?下|翻译一?下|解释一?下|帮我看看|怎么看)[^\n]{0,8}\Z",
    re.IGNORECASE,
)


def doubted(text: str) -> Iterator[Span]:
    """
    Give where in *text* (in half-width form) words stand that may be somebody else's.

    That is told from what is around them: below a line that asks about a text or hands
    one over, and above one that asks back, the words are not taken for the writer's own.
    """
    lines = [*re.finditer(r"[^\n]*\S[^\n]*", text)]
    for place, head in enumerate(lines[:_HEAD_LINES]):
        if _hands_over(head[0], [line[0] for line in lines[place + 1 :]]):
            yield head.end(), len(text)
            return
        if len(head[0]) > _LONGEST_HEAD or _OWN_FRAME.search(head[0]):
            break
    if len(lines) > 1 and _ASKS_BACK.search(lines[-1][0]):
        if is_block(text[: lines[-1].start()]):
            yield 0, lines[-1].start()
    elif lines and (begun := _INLINE.match(lines[0][0])) and _is_put_in_line(begun):
        yield lines[0].start() + begun.end("head"), len(text)


def announces(text: str) -> int:
    """Return how many of the writer's next messages are to hold a text, as *text* says."""
    if len(text) > _LONGEST_HEAD or _OWN_FRAME.search(text):
        return 0
    found = _ANNOUNCES.search(text)
    parts = _PARTS.search(text) if found else None
    return 0 if found is None else 1 if parts is None else 3 if parts["more"] else 2


def asks_back(text: str) -> bool:
    """Say whether all of *text* asks about what its writer has sent before."""
    return "\n" not in text.strip() and _ASKS_BACK.search(text.strip()) is not None


def is_block(text: str) -> bool:
    """Say whether *text* may be a paste as a whole: no short wish, and no first person."""
    if _FIRST_PERSON.search(text):
        return False
    is_long = "\n" in text.strip() or len(text) > _LONG_CHARS
    return is_long or _ADDRESS.search(text[:_READ_CHARS]) is not None


def _hands_over(head: str, block: list[str]) -> bool:
    """Say whether the line *head* is about the lines *block* below it."""
    if not block or len(head) > _LONGEST_HEAD or _OWN_FRAME.search(head):
        return False
    if all(signs.LISTED.match(line) for line in block) and "?" not in head:
        return False
    if len(block) == 1 and _SAME_VOICE.match(block[0]):
        return False
    whole = "\n".join(block)[:_READ_CHARS]
    hands = len(block) > 1 or _asks(head) or head.rstrip().endswith(":")
    is_remark = len(head) <= _LONGEST_REMARK and not _GREETS.match(head)
    return (
        (hands and _POINTS.search(head) is not None)
        or _in_other_language(head, whole)
        or (_asks(head) and len(whole) > _LONG_CHARS)
        or ((_asks(head) or is_remark) and _ADDRESS.search(whole) is not None)
    )


def _is_put_in_line(begun: re.Match[str]) -> bool:
    """Say whether a text is asked about that stands on the same line."""
    head, rest = begun["head"], begun["rest"][:_READ_CHARS]
    if not _asks(head) or not _POINTS.search(head) or _OWN_FRAME.search(head):
        return False
    return len(rest) > _LONG_CHARS or _ADDRESS.search(rest) is not None


def _asks(head: str) -> bool:
    asked = signs.WORKED_ON.search(head) or _ASKED_BEHIND.search(head)
    return asked is not None or "?" in head


def _in_other_language(head: str, block: str) -> bool:
    """Say whether the block is long, and in a language in which *head* has no word."""
    hanzi, words = (
        [len(pattern.findall(each)) for each in (head, block)]
        for pattern in (_HANZI, _LATIN)
    )
    to_english = hanzi[0] >= _SOME_HANZI and not hanzi[1] and words[1] >= _MANY
    to_chinese = words[0] >= _SOME_WORDS and not hanzi[0] and hanzi[1] >= 2 * _MANY
    return to_english or to_chinese
