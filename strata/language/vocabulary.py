"""How much a sentence says once greetings, thanks and small words are gone."""

from __future__ import annotations

import re

from strata.language.quotes import TERM

_WORD = re.compile(r"[a-z0-9][a-z0-9'_./-]*|[\u3400-\u9fff]+", re.IGNORECASE)
_TERMS = re.compile(f"{TERM}+")
_HANZI = re.compile(r"[\u3400-\u9fff]")

_SMALL_WORDS = """
    a about after again ah all alright also am an and any anyway are as at awesome
    aye back be been before bit brilliant but by bye can cheers come cool could dear
    did do does doing done don't else enough er even ever every excellent exactly
    fab fair fantastic fine for from fun get go goes going good goodness got great
    ha haha hahaha hang has have haven't having he hello her here hey hi him his hm
    hmm hold how hurray i i'd i'll i'm i've if in indeed is isn't it it's its jesus
    just k kind know later let let's like lol look lot lovely magic many maybe me
    mine mm moment more morning much my nah neat never next nice night no nope not
    now of off oh ok okay on once one ooh oops or other our out over perfect please
    pls ps quite really right same see seen shall she should sleep so some something
    soon sorry splendid still super sure ta thank thanks that that's the their them
    then there there's these they thing things think this those though thx till to
    today too true try ty uh um up us very want was wasn't way we we'll we're
    weekend well went were what what's when where which who why will with won't work
    works would wow ya yay yeah yep yes yet you you're your yours yup
    """
_SMALL = frozenset(_SMALL_WORDS.split())
_CHINESE_SMALL = re.compile(
    r"好的|好嘞|好吧|好|嗯+|哦+|噢|啊+|呀|吧|吗|呢|嘛|哈+|嘿+|谢谢|多谢|谢了|谢"
    r"|辛苦了?|收到|知道了?|可以|行了?|要得|巴适|对了|对|是的|没事|没问题|没有|没了"
    r"|就这样|这样|那样|晚安|早安|早|睡了?|睡吧|拜拜|再见|你好|您好|在吗|还行|不错"
    r"|发吧|发|开工|收工|厉害|棒|赞|牛|OK|ok|你|我|他|她|它|的|了|都|就|也|还|那|这"
    r"|个|一下|吧|嘞|哟|诶|欸|喂|哎|唉|呃|这就|有道理|逗|绝了|完美|够了|看看"
)


def content_words(plain: str) -> int:
    """
    Return how many words of *plain* (lower case) carry meaning.

    Two hanzi count as one word, a quoted term as two.
    """
    count = 2 * len(_TERMS.findall(plain))
    for word in _WORD.findall(plain):
        if _HANZI.match(word):
            count += (len(_CHINESE_SMALL.sub("", word)) + 1) // 2
        elif word not in _SMALL:
            count += 1
    return count
