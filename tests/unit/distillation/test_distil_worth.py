"""Which statements deserve a line, in the words of people with very different lives."""

from __future__ import annotations

from datetime import date

import pytest
from builders_talk import facts

from strata.distillation.verification.admission import refusal
from strata.distillation.verification.dimensions import judge
from strata.distillation.verification.gist import gist_of
from strata.distillation.verification.lapsing import lapsed
from strata.distillation.verification.tightening import first_words, tightened
from strata.models import Claim, Mention, Origin, Tag


def lines(text: str) -> list[str]:
    """
    The lines that *text*, said once, leaves on an empty page.
    """
    kept = []
    for fact in facts(f"U: {text}", "A: Ok"):
        day = fact.evidence[0].said_at.date()
        said = Mention(
            fact.text, fact.tag, day, "10:00:00", "", "", fact.text, "", Origin.OWNER
        )
        claim = Claim(fact.text, (said,))
        judgement = judge(claim)
        if not refusal(claim, judgement) and not lapsed(claim, judgement.text, day, ()):
            kept.append(tightened(judgement.text))
    return kept


@pytest.mark.parametrize(
    "text",
    [
        "Never put a learner's surname in any mail. The union would have my head",
        "The press room printer is called bruno.lan, queue two, if you ever need it",
        "Don't touch the lathe controller. It runs firmware 4, the tools won't talk to 5",
        "Sonja Brandt, she's the dispatcher for the north depot",
        "set the kiln ceiling at 1,240 degrees, that's our limit, every firing",
        "My daughter goes to Saint Roch on the hill, pickup is at 16:10 by the side gate",
        "The tractor takes only 15W-40, nothing thinner, the seals weep",
        "Anton does the payroll, he only reads Polish",
        "our bakery closes on Wednesdays, nobody gets an appointment that day",
        "no flash photography in the studio, ever, the pigments fade",
        "Rosa can't have lactose, so oat milk in anything she drinks",
        "The nightly export lives on depot-nas under /export/trips",
        "keep the dosing pump at 40 millilitres, more kills the basil, whole tunnel",
        "nothing under 80 dollars an hour, I don't care who asks",
        "every quote gets rounded to full tens",
        "Mum's Portuguese only, send her everything in Portuguese",
        "my van is 2.85 m high, any route has to clear that",
        "no client names in commits, not one, not anywhere. that's a firing offence",
        "The scale in the milk house is at scale.farm.local, login dairy",
        "Ewa Lindqvist is the night vet, she covers the whole valley",
        "alert me at 12 percent moisture, that's our line, all silos",
        "My son is coeliac, so nothing with wheat gets ordered, ever",
        "The shop is shut on Mondays, don't let anybody book me",
        "absolutely no drilling after eight in the evening, whichever flat it is",
        "Our ledger runs on MariaDB 10.6 on the box called heron",
        "nothing I write goes online without Miriam reading it first",
        "trailers over 12 metres never go via the old bridge, it is posted at 20 tonnes",
        "Kwame handles customs, mail him only, he never picks up",
        "my inhaler is blue, the purple one is my brother's",
        "page count in every proposal stays under ten",
        "Dr. Osei is my supervisor, she wants drafts in LaTeX only",
        "学生成绩一个都别往群里发,家长问也不行,这个可不能出岔子",
        "每周五我要接孩子放学,谁找我开会都别答应,这条你刻脑子里",
        "车间那台数控叫 lathe-02,地址 lathe.shop.local",
        "老韩对花生过敏,订饭的时候给他单点,这事不能含糊",
        "雕刻机固件别动,就停在 1.8,新的不认老刀库",
        "管仓库的是阿依古丽,她汉语一般,给她发消息得用维语",
        "大棚温度报警就设 6 度,咱们的线就是这个,所有棚都一样",
        "我闺女在三中念初二,下午五点十分放学",
        "样衣尺寸图对外一张都不能给,谁要也不给",
        "拖拉机只加 15W-40,稀的不行,油封漏",
        "货车限高 4.2 米,排线路都得绕开老桥",
        "工资的事归小崔,她只看邮件",
        "我妈只会说闽南话,给她留言用语音",
        "报价一律取整到十块",
        "房东姓闵,门文闵,别写成敏",
        "画室里谁都不许开闪光灯,颜料怕光",
        "客户名字一个都别写进提交记录,哪个仓库都不行,要丢饭碗的",
        "小顾乳糖不耐,点奶茶给她换燕麦的,别弄混",
        "加工中心系统就留在 2.8,升 3 后处理就崩,谁也别升",
        "粮仓水分到 12 就报警,咱家就卡这个数,哪个仓都一样",
        "我儿子对鸡蛋过敏,蛋糕面包都别给他订",
        "底价对谁都不许透,一分钱都不能漏,经销商问也不行",
        "账本跑在 heron 那台机器上,MariaDB 10.6",
        "我写的东西没让米姐看过,一个字都不许上网",
        "挂车超过 12 米的一概不走老桥,那桥限重 20 吨",
        "老裴管消防,打电话他从来不接,只能发短信",
        "称重那台机器在 scale.farm.local,账号 dairy",
        "每份标书不超过十页",
        "我外婆耳背,给她打电话得打座机",
        "导师姓欧阳,只收 LaTeX 的稿子",
        "Our choir room is booked by the scouts on Thursdays, keep it free, always",
        "Don't ever quote my grandmother's recipe in full, not to anybody",
        "Tariq is my apprentice, he has Fridays off",
        "The freezer logs live on frostbox.lan in /var/log/temps",
        "Anything over two hundred euros needs my husband's ok as well",
        "Use metric in every drawing, the yard in Gdynia won't read inches",
        "My blood group is A negative",
        "Grades go out on paper only, the head insists",
        "I teach 7b and 9c, nobody else",
        "合唱团每周四占着那间屋,那晚上谁来都不借",
        "我奶奶那方子不能整个儿发出去,谁问都不行",
        "投影仪只认 HDMI,VGA 发绿",
        "冷库日志在 frostbox.lan 的 /var/log/temps",
        "超过两千块的东西得我媳妇也点头",
        "图纸一律公制,船厂那边不认英寸",
        "我血型 A 型阴性",
        "成绩单只发纸质的,校长要求的",
        "我带七班和九班",
        "租车公司的联系人姓狄,电话转 6 号线",
    ],
)
def test_what_holds_gets_a_line(text: str) -> None:
    """
    Bans and rules, people with what they do and need, hosts, versions and limits.
    """
    assert lines(text)


@pytest.mark.parametrize(
    "text",
    [
        "I hereby declare the fridge an independent republic",
        "I keep wondering whether goats would be fun",
        "maybe a sauna some day, who knows",
        "let's go with the blue one for now I guess, we'll see",
        "find me three cheap hotels in Ghent with parking",
        "what do you have about the boiler and the school?",
        "the neighbour's cat is called Captain and sleeps on my car",
        "write it in there so nobody asks again",
        "7 is wrong, 9 is right, change both",
        "the meeting dragged on, three hours, no coffee",
        "my boss would prefer I grew a second head",
        "put the invoice on the Amex, not the Mastercard",
        "all pigeons must pay rent from now on, I have spoken",
        "the delivery came, 14 boxes, two were wet",
        "same procedure, as DOCX into the shared folder",
        "sell the old tyres, 120 dollars for the set, ok from me",
        "I'd love to live in Lisbon one of these years",
        "I do so solemnly swear that spoons are forbidden",
        "kind of toying with the idea of a banjo",
        "might be fun to paint the gate orange",
        "I'd say we take the linen one, for the time being",
        "look up who won the derby in 1987",
        "do you remember what I told you about my shoes?",
        "the dog across the street howls at trams",
        "3 is a typo, it's 8, correct it everywhere in that sheet",
        "what a match, four to three, my voice is gone",
        "order two bags of lime for Thursday",
        "from this day forth the toaster shall be addressed as Your Majesty",
        "use the red folder, not the green one",
        "the printer jammed again, 40 pages of confetti",
        "my sister would rather I became a dentist",
        "book me the 9:40, window if they have one",
        "the parcel weighs 6 kilos, fine by me, send it",
        "颁布圣旨:从今天起所有鸽子都得交房租",
        "我老寻思着养两只羊挺有意思",
        "要不换个蓝的试试,先凑合用吧",
        "查查根特有啥便宜酒店,给我三个",
        "你都记了我哪些事",
        "对门那狗叫旺财,天天睡我车上",
        "加上去,省得老赵唠叨",
        "7 是写错的,应该 9,两处都改",
        "会开了仨钟头,咖啡都没有",
        "媳妇倒是巴不得我去学跳舞",
        "这单刷工行卡,别刷建行",
        "货到了,14 箱,湿了俩",
        "窗帘我看就灰的吧,回头再说",
        "帮我挑仨民宿,带停车的",
        "老样子,转成 PDF 放那个目录",
        "旧轮胎卖了,一套八百,我没意见",
        "本王宣布勺子即日起禁止入内",
        "心里老琢磨弄把二胡拉拉",
        "大门刷成橙色没准儿挺好看",
        "我觉着就亚麻的吧,暂时这么定",
        "瞅瞅 1987 年德比谁赢了",
        "我鞋的事儿你还记得多少",
        "对面楼那狗一听电车就嚎",
        "补上,叫老布别催了",
        "3 打错了,是 8,表里都给改了",
        "这球踢得,四比三,嗓子都喊哑了",
        "订两袋石灰,周四要",
        "用红的那个夹子,别用绿的",
        "打印机又卡了,吐了四十张纸",
        "我姐恨不得我去当牙医",
        "给我订 9:40 那趟,有靠窗要靠窗",
        "包裹六公斤,行,寄吧",
        "honestly the heron stole another koi",
        "ask the plumber if he can come at three",
        "hmm, red or blue for the boat?",
        "I could murder a curry",
        "print it twice and staple them",
        "the kids found a toad in the letterbox",
        "wonder if I should learn the harp",
        "tell Ida the parcel is here",
        "what's the weather doing on Saturday",
        "the second paragraph sounds stiff, loosen it up",
        "那只鹭又叼走一条锦鲤",
        "问问水暖工三点能不能来",
        "船刷红的还是蓝的好",
        "馋死了想吃咖喱",
        "打两份订一块儿",
        "孩子在信箱里逮着只蛤蟆",
        "寻思要不要学竖琴",
        "跟艾达说包裹到了",
        "周六天气咋样",
        "第二段太生硬,改顺点",
    ],
)
def test_what_passes_gets_none(text: str) -> None:
    """
    Errands, decrees in jest, musings, moods, questions, and what leans on other words.
    """
    assert not lines(text)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "You put the surgeon's name on a poster. No names on posters, ever",
            "No names on posters, ever",
        ),
        ("先说这个:样衣图一张都不许外传", "样衣图一张都不许外传"),
        ("Cap the oven at 260 degrees please, every batch", None),
    ],
)
def test_line_begins_with_what_holds(text: str, line: str | None) -> None:
    """
    What the agent did wrong and what leads up to a rule are no part of it.
    """
    assert lines(text) == [line or "Cap the oven at 260 degrees, every batch"]


def test_value_stays_with_what_it_belongs_to() -> None:
    """
    A clause that leans may go, but not with the right number in it.
    """
    gist = gist_of(
        "The bank mixed it up. It's 40-2051, not 40-2015, by the letter", None
    )
    assert "2051" in gist.text


@pytest.mark.parametrize(
    ("text", "shorter"),
    [
        (
            "No agency lets my rooms, ever, I've seen what they charge for a lightbulb",
            "No agency lets my rooms, ever",
        ),
        ("车间里一律戴护目镜,上回有人差点出事儿", "车间里一律戴护目镜"),
        ("Never ship on Fridays, I answer to 40 shops", None),
        ("Mails are always bilingual, English on top, French below", None),
    ],
)
def test_aside_goes_where_memory_is_full(text: str, shorter: str | None) -> None:
    """
    A last clause about why may go; one with a figure, or of a list, stays.
    """
    assert first_words(text) == (shorter or text)


def test_grave_words_weigh_more() -> None:
    """
    What a job hangs on is worth more than any other rule.
    """
    plain, grave = (
        judge(Claim(text, (_said(text),))).importance
        for text in (
            "Never name a client in a commit",
            "Never name a client in a commit, that's a firing offence",
        )
    )
    assert grave > plain


def _said(text: str) -> Mention:
    day = date(2026, 11, 20)
    return Mention(
        text, Tag.PREFERENCE, day, "10:00:00", "", "", text, "", Origin.OWNER
    )


@pytest.mark.parametrize("head", ["博客两条规矩：", "写邮件的规矩："])
def test_head_of_a_list_is_no_line(head: str) -> None:
    """
    What only announces its points says nothing without them.
    """
    assert not any(head in line for line in lines(f"{head}\n- 不用图库照片\n- 署全名"))
