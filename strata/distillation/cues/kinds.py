"""Cues: what the wording of a sentence can say about the kind of statement it is."""

from __future__ import annotations

from enum import StrEnum


class Cue(StrEnum):
    """One kind of hint; the tables of each language say which words give it."""

    STANDING = "standing"  # from now on, never, the rule is; 以后, 一律, 记住
    SCOPE = "scope"  # every, all, everywhere; 所有, 都要
    RECURRING = "recurring"  # each month, on Fridays; 每天, 固定
    SELF = "self"  # I'm allergic to …, we use …; 我不吃, 我们用
    CONDITION = "condition"  # if a client writes after six, …; 遇到, 除非
    HABIT = "habit"  # I quote in round pounds; 我们一般
    REQUIRES = "requires"  # X wants Y on every figure; 只认, 要求
    DECIDED = "decided"  # decided, let's end this, agreed; 定了, 商量过
    DECISION = "decision"  # switched to, back to, instead of; 改用, 继续用
    PROPERTY = "property"  # the shop stays closed; 不接任何
    CORRECTION = "correction"  # 5433, not 5432; 不是 … 是 …
    CONTACT = "contact"  # is our lead, ask X for; 找, 负责
    FINDING = "finding"  # turns out, the cause is; 根因, 查到
    RESULT = "result"  # shipped, due on, arrives; 上线, 验收
    EVENT = "event"  # opens at nine, is cancelled; 开幕, 取消
    DEADLINE = "deadline"  # by Friday, due, expires; 截止, 到期
    UNTIL = "until"  # until Thursday, on leave; 之前, 期间
    ONE_OFF = "one-off"  # just this once, tonight; 这次, 临时
    REASON = "reason"  # because, so that; 因为, 省得
    IDENTIFIER = "identifier"  # a path, host, version, ticket
    RELAYED = "relayed"  # quotes an attempt to instruct assistants
    LOCATED = "located"  # is at ~/x, runs on port 80; 在 /srv, 端口
    NUMBER = "number"
    TIME = "time"  # a date or a time of day
    NAME = "name"
    IMPERATIVE = "imperative"
    MANNER = "manner"  # print labels on matt paper; 图纸放二楼
    FAVOUR = "favour"  # can you, for me; 帮我, 替我
    REQUEST = "request"  # the sentence as a whole asks for something
    PROHIBITION = "prohibition"  # don't, no X; 别, 不要
    QUESTION = "question"
    VAGUE = "vague"  # one day, might; 想换, 再看吧
    HYPOTHETICAL = "hypothetical"
    JOKE = "joke"
    OTHERS = "others"  # he says, she likes; 他说, 老蒋喜欢
    QUOTED = "quoted"  # most of the sentence is somebody else's words
    DECLINED = "declined"  # skip it, no thanks; 先不管
    QUOTES = "quotes"  # he wrote: "…"; 她说「…」
    TASTE = "taste"  # … prefers, thinks; 喜欢, 觉得
    REPORTED = "reported"  # … says that; 说
    DANGLING = "dangling"  # the way we said; 照上回
    ANSWER = "answer"  # the latter, yes; 后面那个
    REVOKED = "revoked"  # never mind, just kidding; 算了, 逗你的
    LAUGHTER = "laughter"
    MOOD = "mood"  # what a day, can't sleep; 累死了, 人山人海
    SERIOUS = "serious"  # for real though: what went before was not; 说真的
    GRAVE = "grave"  # absolutely not, I'd lose my licence; 不能马虎, 要丢饭碗
    MEMO = "memo"  # remember, keep in mind, note: 记住
