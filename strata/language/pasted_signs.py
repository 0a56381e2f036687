"""The signs by which text gives away that somebody else wrote it: a mail, a page, a log."""

from __future__ import annotations

import re

# All of them read text in its half-width form, so a Chinese colon is an ASCII one here.
_FLAGS = re.IGNORECASE | re.MULTILINE

_MAIL_FIELD = (
    r"(?:from|to|subject|date|sent|cc|bcc|reply-to|发件人|收件人|主题|抄送|发送时间"
    r"|日期|时间|寄件者|收件者|主旨)[ \t]*:"
)
_ROLE = (
    r"(?:system|assistant|user|human|ai|tool|developer|系统|助手|助理|用户|人类|工具)"
)
_STANDING = (
    r"(?:always|never|from now on|must|remember|prefer|ignore|以后|今后|从现在起|一律"
    r"|必须|务必|记住|永远|不用确认)"
)

_TO_THE_END = (
    # Mail: its fields, one of which no trip or form has; what a mail client puts before an
    # answered or forwarded one.
    (
        rf"^[ \t]*(?={_MAIL_FIELD})(?=(?:[^\n]*\n){{0,4}}?[ \t]*(?:(?:subject|reply-to"
        rf"|主题|主旨|发件人|寄件者)[ \t]*:|from[ \t]*:[^\n]*@))[^\n]*\n"
        rf"(?:[^\n]*\n)?[ \t]*{_MAIL_FIELD}"
    ),
    (
        r"^[ \t]*-{2,} ?(?:(?:forwarded|original) message|begin forwarded|转发的?邮件"
        r"|原始邮件|原邮件)"
    ),
    r"^[ \t]*begin forwarded message:",
    r"^[ \t>]*on [^\n]{6,90} wrote:[ \t]*$|^[^\n]{4,60}(?:写道|的原文):[ \t]*$",
    # Turns of a conversation that is not this one.
    rf"^[ \t*\[]*(?:system|系统)[\]*]* ?:[^\n]{{0,120}}?{_STANDING}",
    (
        r"^[ \t*\[]*(?:system|系统) ?(?:prompt|message|notice|override|update"
        r"|instructions?|提示|消息|通知|指令|公告)[\]*】]* ?:"
    ),
    (
        rf"^[ \t*\[]*{_ROLE}[\]*]*[ \t]*:[^\n]*\n(?:[^\n]*\n){{0,3}}?[ \t*\[]*{_ROLE}"
        r"[\]*]*[ \t]*:"
    ),
    (
        r"<\|\w{1,30}\|>|\[/?INST\]|<</?SYS>>|^#{2,} ?(?:instruction|system|response"
        r"|human|assistant)s?\b:?[ \t]*$|^[ \t]*[\[【]系统[^\]】\n]{0,8}[\]】]"
        r"|^[ \t]*\[system[^\]\n]{0,12}\]"
    ),
    (
        r"</?(?:system|assistant|tool_result|function_results?|instructions?"
        r"|system-reminder|important)\b[^>\n]{0,80}>"
    ),
    # The shape of memory itself, of a skill, of a managed block.
    (
        r"^##? ?\d\d:\d\d session:|^# long-term memory|^[ \t]*<!-- ?strata:"
        r"|^[^\n]{0,600}?\(src: ?20\d\d-|<!-- ?(?:importance|trigger|keep)\b"
    ),
    r"^[ \t]*[-*]? ?\[(?:preference|decision|finding|偏好|决策|发现)\] ",
    r"^---[ \t]*\n(?:[\w-]{1,40}:[^\n]*\n){1,20}---[ \t]*$",
    # A part of something longer.
    (
        r"^[ \t]*(?:part|page|chunk|teil) \d{1,2}(?: ?(?:of|/) ?\d{1,2})?[ \t]*:?[ \t]*$"
        r"|^[ \t]*第[一二三四五六七八九十\d]{1,3}(?:段|部分|页|节)[ \t]*:?[ \t]*$"
    ),
    # A command over the words that follow on the same line.
    (
        r"^(?:please |can you |could you )?(?:summari[sz]e|translate|proofread|rephrase"
        r"|paraphrase)(?: (?:this|the following)[^:\n]{0,30})?:[ \t]*(?=\S)"
    ),
    (
        r"^(?:请|帮我|麻烦)?(?:翻译|润色|校对|改写|概括)(?:一下|下)?[^:\n]{0,10}:"
        r"|^[^\n:]{0,12}这(?:条|封|个|段)[^\n:]{0,14}(?:吗|么|呢):"
        r"|(?:看看|看下|总结一?下|分析一?下|解释一?下)(?:这|下面|以下)[^:,。\n]{0,10}:"
    ),
)
TO_THE_END = tuple(re.compile(pattern, _FLAGS) for pattern in _TO_THE_END)
"""From where one of these matches on, nothing is the writer's own."""

_OBJECT = (
    r"(?:e-?mails?|mails?|messages?|letters?|pages?|articles?|texts?|threads?|chats?"
    r"|conversations?|transcripts?|logs?|outputs?|files?|readmes?|notes?|tickets?"
    r"|issues?|comments?|reviews?|posts?|contracts?|documents?|snippets?|lines?"
    r"|skills?|prompts?|results?|reports?|invoices?|announcements?|newsletters?"
    r"|adverts?|descriptions?|paragraphs?|quotes?|tweets?|emails?|pdfs?|resumes?|cvs?)"
)
_ABOUT = (
    r"(?:about|say|says|mean|means|safe|right|ok|okay|fine|correct|any good|real|legit"
    r"|for me|please|up|down|now|briefly|in short|to me|all about)"
)
_CHINESE_OBJECT = (
    r"(?:邮件|来信|信|短信|消息|网页|页面|文章|段话|段文字|段|篇|文本|内容|聊天记录"
    r"|记录|日志|文件|合同|文档|帖子|公告|通知|笔记|行|条|技能|报告|评论|工单|简历"
    r"|原文|对话|截图|说明|条款)"
)
_INTRODUCED = (
    (
        rf"(?:this|these|that|the following|their)(?: \w+){{0,2}} {_OBJECT}"
        rf"(?: {_ABOUT}){{0,3}} ?[?:.!]*"
    ),
    (
        rf"(?:summari[sz]e|translate|parse|explain|proofread|rephrase|review|check|read"
        rf"|analy[sz]e|sum|fix|look at|what(?: is|'s| do you (?:make|think) of| about)"
        rf"|what does|is|why (?:does|did|is)|see)\b[^\n]{{0,30}}\b(?:this|these|it"
        rf"|the following|below|the (?:text|mail|message) below)"
        rf"(?: {_ABOUT}){{0,3}} ?[?:.!]*"
    ),
    (
        rf"(?:here(?: is|'s| are)|below(?: is| are)?|i (?:got|received|found|copied)) "
        rf"(?:the|a|an|this|their|some) (?:\w+ )?{_OBJECT}[^\n]{{0,40}}:"
    ),
    (
        rf"[^\n]{{0,20}}(?:这|那|下面|以下)(?:个|封|段|篇|行|条|份|些|张)?的?[^\n]{{0,8}}?"
        rf"(?:{_CHINESE_OBJECT})[^\n]{{0,14}}[?:。!]*"
    ),
    (
        r"[^\n]{0,6}(?:翻译|总结|润色|解析|校对|概括|改写|解释|分析|回复|看)(?:一下|下|看)?"
        rf"(?:{_CHINESE_OBJECT})?[?:。!]*"
    ),
    (
        r"(?:这(?:是|个|行|条|段)?)[^\n]{0,8}(?:靠谱|安全|对|正常|什么意思|什么|写了?啥"
        r"|讲什么|怎么样|怎么回)[^\n]{0,4}[?:。!]*"
    ),
    rf"[^\n]{{0,10}}(?:收到|转来|发来|贴)(?:了|的)?[^\n]{{0,6}}{_CHINESE_OBJECT}[^\n]{{0,6}}:",
)
INTRODUCED = re.compile(
    r"(?:^|(?<=[ \t,.;?!。:]))(?:" + "|".join(_INTRODUCED) + r")[ \t]*\Z", re.IGNORECASE
)
"""A first line that hands over a text to be worked on; the text is what follows it."""

WORKED_ON = re.compile(
    r"[?]\s*\Z"
    r"|^[ \t]*(?:please |can you |could you |pls )?(?:summari[sz]e|translate|proofread"
    r"|rephrase|explain|extract|clean up|tidy up|compare|convert|format|finish|complete"
    r"|catch me up|catch up|polish|fact-?check|verify|transcribe|decode"
    r"|write [^\n]{0,30}from"
    r"|parse|review|analy[sz]e|check|reply to|answer|sort|list|what|which|why|how|who|is"
    r"|are|does|do|did|anything|any|tl;?dr)\b"
    r"|^[ \t]*(?:请|帮我|麻烦)?(?:把|给)?[^\n]{0,12}?"
    r"(?:总结|翻译|润色|解释"
    r"|解析|提取|整理|对比|比一下"
    r"|转成|转换|排版|写完|补全|检查|看看|看下|回复|分析|核实|查证|念一下|查一下|列出)"
    r"|(?:吗|呢|什么|怎么办|为什么|怎么样|如何|啥)[^\n]{0,6}\Z",
    re.IGNORECASE,
)
"""A first line that asks something, and so is about the lines below it."""

SALUTATION = re.compile(
    r"^[ \t]*(?:dear|hello|hi|hey|good (?:morning|afternoon|evening|day)|greetings|你好"
    r"|您好|大家好|各位|尊敬的|亲爱的)[^\n]{0,20}?[,.!:。,]",
    _FLAGS,
)
"""How a letter or a voice message begins; its reader greets in the first line only."""

LISTED = re.compile(r"^[ \t]*(?:[-*+•]|\d{1,2}[.)、])[ \t]", re.MULTILINE)
ROW = re.compile(r"^[^\n,]{0,60}(?:,[^\s,][^\n,]{0,120}){1,20}$", re.MULTILINE)
FIELD = re.compile(r"^[A-Z][A-Z_-]{2,30}[;:=]\S", re.MULTILINE)

GOES_ON = re.compile(
    r"\s*(?:also|and|but|btw|by the way|plus|another thing|one more|otherwise|for the rest"
    r"|in future|另外|顺便|对了|还有|再就是|以后|其他的?|不过)[^\n]{0,200}\s*\Z",
    re.IGNORECASE,
)
"""A single line behind such a first one, in which the same person goes on."""

NAVIGATION = re.compile(
    r"^[ \t]*(?:(?:home|pricing|docs|blog|about(?: us)?|sign ?in|log ?in|sign ?up|contact"
    r"|products?|help|menu|news|shop|cart|search|features|support|首页|产品|帮助|登录|注册"
    r"|关于(?:我们)?|下载|新闻|论坛|搜索)[ \t|·•/>»,-]{0,5}){3,}$",
    _FLAGS,
)
FURNITURE = re.compile(
    r"^[^\n]{0,60}(?:accept (?:all )?cookies|we use cookies|all rights reserved"
    r"|(?:©|\(c\)|copyright) ?(?:20|19)\d\d|skip to (?:main )?content|cookie (?:policy"
    r"|settings|preferences)|subscribe to our newsletter|related (?:articles|posts)"
    r"|share (?:this|on) (?:\w+)|\b\d{1,2} min read|leave a (?:comment|reply)|sponsored"
    r"|unsubscribe|view in (?:your )?browser|terms (?:of service|and conditions) "
    r"|page \d{1,4} (?:of|/) ?\d{1,4}|add to cart|customers also|第 ?\d{1,4} ?页"
    r"|加入购物车|版权所有|ICP备|上一篇|下一篇|阅读原文|点击(?:关注|展开|查看)|相关(?:推荐|文章|阅读)"
    r"|责任编辑|免责声明|退订|隐私政策|扫码关注|转载请注明)[^\n]{0,60}$",
    _FLAGS,
)
"""What stands around the words of a web page or a newsletter."""

_CLOCK = r"\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?"
_NAME = r"[^\W\d_][\w.'-]{0,15}(?: [^\W_][\w.'-]{0,15})?"
STAMPED_SPEAKER = re.compile(
    rf"^[ \t]*(?:\[?(?:\d[\d/.-]{{3,9}}[ ,T]+)?{_CLOCK}\]?[ \t,-]{{0,3}}"
    rf"<?@?{_NAME}>?[ \t]?:"
    rf"|<?@?{_NAME}>? {{1,3}}[\[(]?"
    r"(?:(?:today|yesterday|今天|昨天|上午|下午|周.)[^\n:]{0,12})?"
    rf"(?:\d[\d/.-]{{3,9}}[ ,T]+)?{_CLOCK}[\])]?[ \t]*:?[ \t]*$|<{_NAME}> )",
    _FLAGS,
)
SPEAKER = re.compile(rf"^[ \t]*(?P<name>@?{_NAME})[ \t]?: ?\S", _FLAGS)
"""How the lines of a chat begin, with the time or without."""

LOG_LINE = re.compile(
    r"^[ \t]*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d[\],. ]"
    r"|\[?(?:INFO|WARN(?:ING)?|ERROR|DEBUG|FATAL|TRACE)\b[\]: ]"
    r"|\w{3} {1,2}\d{1,2} \d\d:\d\d:\d\d |Traceback \(most|[ \t]+File \"|[ \t]+at [\w.$]+\("
    r"|[\w.]*(?:Error|Exception)\b[^\n:]{0,80}:)[^\n]*",
    re.MULTILINE,
)
CLAUSE = re.compile(
    r"^[ \t]*(?:(?:section|article|clause|chapter) \d{1,3}\b|\d{1,2}\.\d{1,2}(?:\.\d{1,2})?"
    r"\.?[ \t]+\S|§ ?\d|第[一二三四五六七八九十百\d]{1,4}[条章节款]\s)",
    _FLAGS,
)
GREETING = re.compile(
    r"^[ \t]*(?:dear [^\n]{1,40}|hello[^\n]{0,24}|hi[^\n]{0,24}"
    r"|good (?:morning|day)[^\n]{0,20}|to whom it may concern"
    r"|尊敬的[^\n]{1,20}|各位[^\n]{0,8}|您好|亲爱的[^\n]{1,12})[,:!。]?[ \t]*$",
    _FLAGS,
)
SIGNATURE = re.compile(
    r"^[ \t]*(?:(?:kind |best |warm |many )?(?:regards|wishes)|best|sincerely|cheers|yours"
    r"[^\n]{0,12}|respectfully|此致|敬礼|祝好|顺颂[^\n]{0,4}|敬上)[,.!]?[ \t]*(?:$|\n)",
    _FLAGS,
)
MARKUP = re.compile(
    r"<(?P<tag>[a-z][a-z0-9-]{0,20})(?:\s[^<>]{0,300})?>", re.IGNORECASE
)
OPEN_BRACE = re.compile(r"^[ \t]*[\[{][ \t]*$", re.MULTILINE)
CLOSED_BRACE = re.compile(r"^[ \t]*[\]}][ \t]*[,;]?[ \t]*$", re.MULTILINE)
INLINE_OBJECT = re.compile(r"\{[^{}\n]{0,2000}\":[^{}\n]{0,2000}\}")
INJECTION = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b (?:all |any )?(?:of )?(?:the |your )?"
    r"(?:previous|prior|earlier|above|preceding|existing|system)\b[^\n.]{0,20}\b"
    r"(?:instructions?|rules?|prompts?|directives?|guidelines?|messages?|context)\b"
    r"|(?:忽略|无视|忘记|忘掉|跳过|推翻)(?:掉)?(?:之前|以上|上述|前面|此前|先前|所有|系统)的?(?:所有|全部)?的?"
    r"[^\n。]{0,6}(?:指令|规则|提示|要求|设定|约束|内容)",
    re.IGNORECASE,
)
"""A sentence after which a text speaks to machines."""
