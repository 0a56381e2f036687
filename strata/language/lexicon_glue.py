"""Words that hold a sentence together, in English and Chinese."""

from __future__ import annotations

# They say nothing of their own.
_EMPTY_ENGLISH = """
a an the this that these those it its it's i i'm i'd i'll i've me my mine we we're
we've we'd we'll us our ours you you're you'll your yours they them their be is are
was were been being am do does did done has have had having will would shall can there
here to of and or so also too just really very quite well then as by with at into onto
via through about which who whom what please kindly s t d ll re ve m user owner thing
things something stuff ok okay etc than let let's per over own's from any every each
all own-self same that's
ourselves myself yourself yourselves themselves himself herself they're
they've they'll they'd who who's what's where where's still already yet
even both one ones us all's
"""
# They carry the sentence more than its meaning: two wordings may differ in them.
_WEAK_ENGLISH = """
decide decided decides decision decisions settled agreed schedule scheduled schedules
arrange arranged write writes writing written wrote retention retain retained kept
size issued issue-out sent send sends ever may straight direct ask-for prefer
preferred prefers preference like likes love loves want wants wanted need needs needed
always must should ought keep keeps kept make makes made get gets got go goes going
went take takes took taken set sets put puts happen happens happening hold held choose
chose chosen choice pick picked picks opt opted favour favourite favor favorite
remember rule rules strictly generally usually usual normally regular regularly say
says said tell told know mean means run runs ran ensure main preferably whenever
everything anything everywhere anywhere come comes came give gives gave given find
found think thought call start starts stay stays standard currently present current
goes have-to supposed required require requires requirement expected allowed fine good
best nice better enough sure actually rather whole entire own-way personally personal
directly simply
"""
# After these the reason follows, which may differ between two wordings of a rule.
_REASON_ENGLISH = "because since otherwise cos whereas"
# What narrows a statement: with one of them it is another statement.
_LIMITS_ENGLISH = """
some most wishfor he she his her him out off up down more most much less fewer least
could morethan lessthan if when unless except only before after until till while
during maybe might possibly perhaps sometimes occasionally mostly temporarily almost
probably first last next old new other another non outside without within instead-of
against nearly
"""
_SCOPE_ENGLISH = "in for on during inside under within"
_NEGATORS_ENGLISH = """
reject rejects rejected donewith not nolonger no never none nobody nothing neither
nor cannot don't doesn't didn't won't wouldn't can't couldn't shouldn't mustn't isn't
aren't wasn't weren't hasn't haven't dont cant wont avoid avoids avoiding refuse
refuses forbid forbids forbidden ban bans banned hate hates dislike dislikes detest
skip stop stops stopped ain't quit without drop dropped
"""
_CHANGES_ENGLISH = """
donewith shifting shifted now nolonger raised increased lowered reduced extended
shortened moved move switched switch switching changed change changes replaced replace
replacing instead actually correction migrated migrate renamed rename anymore
henceforth nowadays transitioned converted ditched ditch dropped abandoned abandon
stopped quit updated update rescheduled postponed upgraded upgrade downgraded became
becomes turns
"""

_EMPTY_CHINESE = """
号
的 了 吗 呢 吧 啊 呀 嘛 是 在 有 和 与 及 或 也 都 就 把 被 对 从 到 给 让 向 为 以
于 之 其 我 你 它 您 我们 你们 他们 她们 咱们 咱 自己 这 那 这个 那个 这些 那些 一下
一个 请 个 里 上 中 下 内 时 时候 会 能 着 过 地 得 很 还 再 已 已经 并 且 而 所 来 去
要 用户 麻烦 帮我 帮 跟 由 位 用于 进行 方面 这边 那边 里面 上面 家的 些 啦 哦 嗯 哈
哒 嘞 只要 目前 正 本 该 各 条 张 件 份 当 我的 你的 次 名为
"""
_WEAK_CHINESE = """
交 还是 继续 依旧 照旧 仍然 仍 依然 决定 决策 定了 定下来 安排 写 书写 撰写 保留 留存
开 发 发给 发送 发出 寄 喜欢 偏好 偏爱 更喜欢 爱 希望 需要 必须 应该 应当 一定 一律
总是 始终 永远 都要 务必 记得 记住 统一 坚持 保持 习惯 选择 选 作为 做 弄 搞 放 放在
设 设为 设成 定 定在 定为 安排在 举行 进行 开始 规定 要求 规矩 通常 一般 平时 全部
所有 最好 尽量 主要 直接 凡是 凡 可以 行 好 就行 即可 才 起来 位于 属于 完成 成
"""
_REASON_CHINESE = "因为 由于 免得 以免 否则 不然 以便 毕竟 因此 所以"
_LIMITS_CHINESE = """
想 想要 他 她 他的 她的 超过 大于 高于 以上 低于 小于 少于 不足 以下 更多 更少 如果
要是 若 除非 除了 除 只 只有 仅 以前 之前 前 之后 以后 后 直到 期间 可能 也许 或许
有时 有时候 偶尔 大多 部分 有些 暂时 临时 几乎 大概 第一 最后 下一个 旧 老 新 其他
另外 以外 之外 等 周末除外 除外
"""
_NEGATORS_CHINESE = """
不 不要 别 不用 不能 不得 不可 不可以 不许 不准 不会 不是 没 没有 勿 请勿 无 无需
禁止 严禁 拒绝 避免 从不 绝不 决不 讨厌 不喜欢 不爱 不想 不吃 忌 忌口 莫 甭 非 而不是
而非 不再 别再 不必 弃用 停止 杜绝 不该 不应 不应该 戒了 戒 不允许 不支持
"""
_CHANGES_CHINESE = """
现在 涨了 涨到 降到 降为 改用 改成 改为 改到 改在 改 换成 换为 换用 换到 换 不再 别再
换掉 迁到 迁移到 转到 转为 转用 切换到 切到 更正 纠正 其实 从此 今后 往后 从今以后
以后都 以后 搬到 搬去 搬 弃用 更新 更新为 升级到 升级 降到 推迟到 推迟 提前到 提前
调到 调整到 调整为 调整 变成 变为 取代 替换为 替换成 替换 代替 不是 说错了 记错了 更名
改名
"""

# What holds still is said again with these.
_RESTATED = (
    "still stays stay again remains remain ever always 还是 继续 依旧 照旧 仍然 仍 依然"
)

EMPTY = frozenset(_EMPTY_ENGLISH.split()) | frozenset(_EMPTY_CHINESE.split())
WEAK = frozenset(_WEAK_ENGLISH.split()) | frozenset(_WEAK_CHINESE.split())
REASONS = frozenset(_REASON_ENGLISH.split()) | frozenset(_REASON_CHINESE.split())
LIMITS = frozenset(_LIMITS_ENGLISH.split()) | frozenset(_LIMITS_CHINESE.split())
SCOPE = frozenset(_SCOPE_ENGLISH.split())
NEGATORS = frozenset(_NEGATORS_ENGLISH.split()) | frozenset(_NEGATORS_CHINESE.split())
CHANGES = frozenset(_CHANGES_ENGLISH.split()) | frozenset(_CHANGES_CHINESE.split())
RESTATED = frozenset(_RESTATED.split())
GLUE_CHINESE = frozenset(
    word
    for words in (EMPTY, WEAK, RESTATED, REASONS, LIMITS, NEGATORS, CHANGES)
    for word in words
    if word[0] >= "\u3400"
)
