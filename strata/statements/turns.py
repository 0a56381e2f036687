"""The words with which people turn a rule around, repeat it, or go back to an old one."""

from __future__ import annotations

import re

# Words that say outright that something else holds from now on.
STRONG_TURN = re.compile(
    r"\b(?:change of (?:plans?|mind|heart)|switch\w*|(?:mov(?:e|es|ed|ing)"
    r"|shift(?:s|ed|ing)?) "
    r"(?:\w+ ){0,4}?(?:to|from|over|off)|migrat\w+|replac(?:e|es|ed|ing)|instead"
    r"|back to"
    r"|take back|had enough|lost faith|change[ds]? (?:\w+ ){0,4}?(?:to|from))\b"
    r"|改(?:成|为|用|到|时间|地方|主意|了)|换(?:成|到|掉|了|个|一下)|搬到"
    r"|不[\u4e00-\u9fff]了[,\uff0c]|挪到|改(?:名|叫|回|在|走|发)|换(?!句|算)|还是(?!老|那)",
    re.IGNORECASE,
)
# Words that may go with a change, and mean little alone.
TURN = re.compile(
    r"\b(?:change of (?:plans?|mind|heart)|chang(?:e|es|ed|ing)|switch\w*|mov(?:e"
    r"|es|ed|ing)"
    r"|migrat\w+|replac\w+|instead|make (?:it|that|them)|no longer"
    r"|not any ?more|any ?more|back to"
    r"|go(?:es|ing)? back"
    r"|g[ia]v(?:e|ing|en) up on|done with|forget|drop(?:s|ped|ping)?|ditch\w*"
    r"|retir\w+|after all"
    r"|from now on|as of|scrap\w*|abandon\w*|(?:is|are) (?:out|dead|history|gone"
    r"|off)|rejects?"
    r"|too (?:slow|heavy|expensive|often)|new \w+ (?:go|goes|are|run|use)"
    r"|this time it|never again"
    r"|says no|correction|actually|wrong|swap\w*|rather)\b"
    r"|改(?!天|日|动|善|进|稿)|换|不再|回(?=[\u4e00-\u9fffA-Za-z ]{1,8}(?:了|,"
    r"|\uff0c|。|$))|别(?:再|用|写|放|按|叫|发)"
    r"|还是|不用[^\u4e00-\u9fff]|弃用|停用|放弃|取消|太(?:慢|重|贵|亏|烦|麻烦)"
    r"|老(?:掉|断|出|卡|崩)|算了|最后定|搬"
    r"|(?:以后|今后)(?!都?[这那])|从[今下这明]",
    re.IGNORECASE,
)
# Words that call an earlier rule to mind.
REMINDER = re.compile(
    r"\b(?:same as (?:ever|always|usual)|as (?:ever|always|usual)"
    r"|you know the (?:drill|rule)"
    r"|the rule (?:stays|stands|holds)|still (?:holds|stands|applies)"
    r"|thanks for asking|how often"
    r"|like (?:i|we) (?:always )?sa(?:y|id))\b"
    r"|还是(?:老|那句)|老(?:要求|规矩|规格)|照(?:例|旧|样)|你懂的|再说一遍|再强调"
    r"|说过(?:了|多少|好几)|说了[^,\uff0c。]{1,4}遍|[也都]一样",
    re.IGNORECASE,
)
AGAIN = re.compile(
    r"\b(?:same as (?:ever|always|usual|before)|as (?:ever|always|usual"
    r"|i (?:always )?(?:said|say))"
    r"|you know the (?:drill|rule)|the rule (?:stays|stands|holds|is)"
    r"|still (?:holds|stands|applies)"
    r"|(?:stays?|remains?|keep)\b|again|once more|how often|like (?:i"
    r"|we) (?:always )?sa(?:y|id)"
    r"|remember|don't forget|thanks for asking|of course)\b"
    r"|还是(?:老|那|这)|老(?:要求|规矩|规格)|照(?:例|旧|样|常)|你懂的|再说一遍"
    r"|再强调|还是那句|说过|又来|别忘|记得|一样"
    r"|跟[^,\uff0c。]{1,6}(?:讲|说)(?:清楚|一声)?|继续",
    re.IGNORECASE,
)
REJECTED = re.compile(
    r"\b(?:forget|drop(?:ped|ping)?|ditch\w*|no more|g[ia]v(?:e|ing|en) up on"
    r"|done with|kill\w*"
    r"|retir(?:e|ed|ing)|against|stop using|no longer use"
    r"|rejects?)\s+(?:the |any |our |my "
    r"|using )?[\"“']?(?P<after>[\w&.+#/-]+(?: [\w&.+#-]+)?)"
    r"|(?-i:(?P<before>[A-Z][\w&.+#/-]*)) (?:is|are|was|were) (?:out|dead"
    r"|history|gone|too \w+)\b"
    r"|(?:不再?用|弃用|停用|放弃|别(?:再)?(?:用|写|放|按|叫|发)"
    r"|不要)\s*[「“]?(?P<zh_after>[A-Za-z][\w.+#-]*|[\u4e00-\u9fff]{2,4})"
    r"|(?P<zh_before>[A-Za-z][\w.+#-]*"
    r"|[\u4e00-\u9fff]{2,4})\s*(?:[\u4e00-\u9fff]{0,2}太[慢重贵亏烦]|老[掉断出卡崩]"
    r"|不用了)",
    re.IGNORECASE,
)
RETURNED = re.compile(
    r"\b(?:back to|return(?:ing|ed)? to|go(?:es|ing)? back to)\s+(?:the |our "
    r"|my )?([\w&.+#-]+(?: [\w&.+#-]+)?)"
    r"|(?:用|换|改|搬|转|还是|发|放|写|走|存|贴|挪|调|恢复)回?(?<=[回复])(?:到|去)?\s*([A-Za-z][\w.+#-]*|[\u4e00-\u9fff]{2,4})",
    re.IGNORECASE,
)
# Words that many statements share without being about the same.
_WIDE_WORDS = """
    use write send time day work thing people project job client customer ask new all make
    home table form app list data one two three four five six seven eight nine ten
    first second last
    back stay change switch move case rule way kind part server new old user
    file time of day frequency means tone number time daily weekly monthly month week year
    people person name document read go get put take keep good long short old team
    """
WIDE = frozenset(_WIDE_WORDS.split())
# Words that put something in the place of another, or begin something new.
TURNED = re.compile(
    r"\b(?:instead|back (?:to|in|on|at|with)|from (?:now|today|tonight|tomorrow|here"
    r"|this \w+|next \w+) on|from (?:now|today|this \w+|next \w+)|as of|now(?=[,.;!]|$)"
    r"|chang(?:e|es|ed|ing)|switch\w*|mov(?:e|es|ed|ing)|migrat\w+"
    r"|replac\w+|turn(?:s|ed)? into|becomes?|rather|make (?:it|that|them)"
    r"|it is(?=[,.;!]| then)|gets? \w+ed|renamed?|correction|after all"
    r"|change of (?:plans?|mind|heart))\b"
    r"|改(?!天|日|动|善|进|稿|一?下|时间)(?=[^,\uff0c。!了])|换|挪|搬|移到|转到"
    r"|归(?!档)|(?<![退返])回(?=[A-Za-z ]|[到归去])"
    r"|(?:用|放|写|走|发|存)回|往后|以后(?!都?(?:这|那))|今后|从[今下这明]|得了|还是(?!老|那)"
    r"|全(?=[\u4e00-\u9fff])",
    re.IGNORECASE,
)
# Words of trouble with what there was, of leaving it, of things that are no longer so.
TROUBLE = re.compile(
    r"\b(?:too \w+|useless|pointless|no (?:good|use|more|longer)|any ?(?:more|longer)"
    r"|enough|fed up|sick of|tired of|hates?"
    r"|(?:ca|wo|do|does|did|is|are|was|were|has|have|had)n't|cannot|nobody|no ?one"
    r"|never again|nope|out|off|down|gone|dead|over|full|broken?|old|closed?|blocks?"
    r"|blocked|retired?|left|sold|los(?:t|es?)|ate|eats?|eating|crash\w*|fail\w*|jam\w*"
    r"|forbids?|forbidden|collides?|costs?|price|expensive|raised|wrong|freezing"
    r"|another|third|twice|scrap|drop(?:s|ped|ping)?|ditch\w*|forget|stop \w+ing|quit"
    r"|makes? (?:me|us)|sounds?|needs?|let (?:me|us|him|her|them) down|had it with)\b"
    r"|了(?=[,\uff0c。!]|$)|又|太|老(?:是|掉|断|出|卡|崩)|没|不(?!错)|别|满|坏|丢|吵|卡"
    r"|闪退|断货|涨|忒|听着|似的|取消|停用|弃用|放弃|撤|拉倒|算了",
    re.IGNORECASE,
)
# Words that close a matter.
FINAL = re.compile(
    r"\b(?:final(?:ly)?|settled|that's (?:that|it|our)|for good|last time|once and for all"
    r"|done|decided|agreed|not discussing|end of|don't look back)\b"
    r"|定死|定了|就这么|最后一|不改了|不变|不折腾|说定|这回|得了|拉倒",
    re.IGNORECASE,
)
