"""What of an entry makes a line: its lasting words, shortened without a loss."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from strata.distillation.meaning.relations import Relation
from strata.distillation.meaning.succession import succession
from strata.distillation.text.wording import trim, with_dates
from strata.distillation.verification.dimensions import judge
from strata.distillation.verification.gist import gist_of
from strata.distillation.verification.leaning import points_outside
from strata.distillation.verification.tightening import first_words, tightened
from strata.distillation.verification.triggers import MOST_TRIGGERS, triggers_of
from strata.models import Claim, Mention, Origin, Tag


def mention(text: str, tag: Tag | None = Tag.PREFERENCE, day: int = 20) -> Mention:
    said = date(2026, 11, day)
    path = f"memory/{said}.md"
    return Mention(text, tag, said, "10:00:00", path, f"s{day}", text, "", Origin.OWNER)


@pytest.mark.parametrize(
    ("entry", "gist"),
    [
        ("Please remember: never call before nine.", "Never call before nine."),
        (
            "Tonight (2026-11-20) I am off. Always lock the archive after use.",
            "Always lock the archive after use.",
        ),
        ("记住,所有报告一律双面打印。", "所有报告一律双面打印。"),
        ("那盒一律单独放左边（所指：爸的无糖酸奶）", "那盒一律单独放左边"),
        ("那盒一律单独放左边(所指:爸的无糖酸奶)", "那盒一律单独放左边"),
        (
            "今晚(2026-11-20)我不在。以后所有报告一律双面打印。",
            "以后所有报告一律双面打印。",
        ),
    ],
)
def test_only_what_lasts_is_kept(entry: str, gist: str) -> None:
    """
    Lead-ins and sentences about one evening go, the rule stays in its own words.
    """
    assert gist_of(entry, Tag.PREFERENCE).text == gist


@pytest.mark.parametrize(
    "text",
    [
        "That's how it must be done.",
        "Send it to her first.",
        "Do it the way we said.",
        "Always ask him before the meeting.",
        "照上次说的那样改",
        "先问她再发",
        "按昨天(2026-11-20)说的那样做",
    ],
)
def test_dangling_words_are_named(text: str) -> None:
    """
    A line that needs something said before it does not stand by itself.
    """
    assert points_outside(text)


@pytest.mark.parametrize(
    "text",
    ["Ruben wants tickets; ask him first.", "找小白剪片,他下午才起床", "Use pnpm."],
)
def test_words_that_name_their_person_stand(text: str) -> None:
    """
    A pronoun whose person stands before it points nowhere else.
    """
    assert points_outside(text) == ""


@pytest.mark.parametrize(
    ("text", "shorter"),
    [
        ("Please always use pnpm. Keep that in mind.", "Always use pnpm."),
        ("所有译文数字后空一格,记牢了", "所有译文数字后空一格"),
        ("Ada leads sales and is very fed up with mail", "Ada leads sales"),
    ],
)
def test_filling_words_go(text: str, shorter: str) -> None:
    """
    Politeness, afterwords and feelings make a line longer and not truer.
    """
    assert tightened(text).rstrip(".") == shorter.rstrip(".")


@pytest.mark.parametrize(
    "text", ["Never use npm 9.1 with Node 20", "不要在 22 上编译", "Ask Ada, not Bob"]
)
def test_nothing_that_matters_is_lost(text: str) -> None:
    """
    Numbers, names and negations survive.
    """
    assert tightened(text) == text


@pytest.mark.parametrize(
    ("text", "shorter"),
    [
        ("So we decided to keep Redis.", "we decided to keep Redis."),
        ("那我们决定继续用 Redis", "我们决定继续用 Redis"),
        ("那么以后周报都用中文写", "以后周报都用中文写"),
        ("那个项目我们不做了", "那个项目我们不做了"),
    ],
)
def test_so_at_the_start_points_to_nothing(text: str, shorter: str) -> None:
    """
    "So" and 那 before who decides only join it to what was said; 那个 does point.
    """
    assert trim(text) == shorter


def test_triggers_are_few_and_from_the_words() -> None:
    """
    At most three phrases of the line itself, names first.
    """
    found = triggers_of("Use hx-login3 as the login node for every SLURM job")

    assert found[0] == "hx-login3"
    assert len(found) <= MOST_TRIGGERS
    assert all(
        each in "Use hx-login3 as the login node for every SLURM job" for each in found
    )


@pytest.mark.parametrize(
    ("text", "triggers"),
    [
        ("Vegetarian meals for me. No fish", ("vegetarian", "meals", "fish")),
        ("Use node.js and C++ in ~/src/x. Never Go", ("node.js", "C++", "~/src/x")),
    ],
)
def test_end_of_sentence_makes_no_name(text: str, triggers: tuple[str, ...]) -> None:
    """
    "me." is not an identifier: as a trigger it would match every message.
    """
    assert triggers_of(text) == triggers


@pytest.mark.parametrize(
    ("text", "shorter"),
    [
        ("We use polars, please don't use pandas", "We use polars, don't use pandas"),
        ("Use tabs, btw never spaces in make", "Use tabs, never spaces in make"),
        ("The port, I think, is 5433 here", "The port is 5433 here"),
    ],
)
def test_comma_stays_where_it_parts(text: str, shorter: str) -> None:
    """
    A filler takes its comma along only where nothing is left to part.
    """
    assert tightened(text) == shorter


@pytest.mark.parametrize(
    ("text", "shorter"),
    [
        (
            "Per cycle. For all degradation metrics, not only in this paper",
            "Per cycle. For all degradation metrics, not only in this paper",
        ),
        (
            "Always print labels on matt paper. The gloss was awful in May",
            "Always print labels on matt paper.",
        ),
    ],
)
def test_first_words_keep_what_the_rule_is_about(text: str, shorter: str) -> None:
    """
    Only what follows the last lasting sentence goes when memory is full.
    """
    assert first_words(text) == shorter


def test_spelt_name_stays_with_its_person() -> None:
    """
    A first sentence that says how a name is written is part of what lasts.
    """
    entry = "蒋勤学,学习的学!海石的甲方项目经理,我们都叫老蒋。"

    assert gist_of(entry, Tag.PREFERENCE).text == entry


@pytest.mark.parametrize(
    ("text", "triggers"),
    [
        ("统一回复:译栈不接任何在线机器翻译", {"在线机器翻译"}),
        ("发票和报销都找吴姐,她是我们的会计", {"发票", "报销", "吴姐"}),
        ("成品响度统一 -16 LUFS,别再出现忽大忽小", {"LUFS", "成品响度", "忽大忽小"}),
        ("海石的甲方项目经理,我们都叫老蒋", {"甲方项目经理", "海石", "老蒋"}),
    ],
)
def test_chinese_triggers_are_words(text: str, triggers: set[str]) -> None:
    """
    Small words part the phrases, but not where they belong to a longer word.
    """
    assert triggers <= set(triggers_of(text))


SUCCESSIONS = [
    (
        "From now on reports for Acme are in German",
        "From now on reports for Globex are in French",
        "different",
    ),
    ("以后给海石的报告一律用英文", "以后给蓝鲸的报告一律用日文", "different"),
    ("以后给海石的报告一律用英文", "以后给海石的报告一律用日文", "updates"),
    ("以后译栈的端口用 7710", "以后灯塔的端口用 8080", "different"),
    (
        "Ask before jobs over 30 minutes.",
        "Keep asking: jobs over half an hour.",
        "same",
    ),
    ("Export figures as SVG.", "PNG is out. Back to SVG for all figures.", "same"),
    ("日报晚上八点发,20:00", "日报改时间,改成早上 07:30", "updates"),
    ("对外落款用「方老师」", "落款别写方老师了,以后一律写阿澈", "updates"),
    (
        "Viewings are a Saturday thing.",
        "Not Saturdays any more, viewings on Wednesdays.",
        "updates",
    ),
    (
        "Never name the chemistry to customers.",
        "A cell is dead below 80 percent.",
        "different",
    ),
    ("周一上午录播客", "提交信息用英文", "different"),
]


@pytest.mark.parametrize(("older", "newer", "related"), SUCCESSIONS)
def test_loose_talk_is_understood(older: str, newer: str, related: str) -> None:
    """
    Half a sentence repeats a rule, or turns it around; another topic does neither.
    """
    found = succession(older, newer, said=newer, decides=True)

    assert found is Relation(related)


def test_reverse_check_names_the_mistake() -> None:
    """
    A judgement says in its own words what would go wrong without the line.
    """
    said = mention("From now on always use pnpm, never npm.")

    judgement = judge(Claim(said.text, (said,)))

    assert judgement.prevents_mistake.holds
    assert "standing instruction" in judgement.prevents_mistake.reason
    assert judgement.section == "User Preferences"


def test_repeating_makes_a_claim_surer() -> None:
    """
    Said in two conversations, a rule is more important and more certain.
    """
    once, twice = (mention("Always use pnpm, never npm.", day=day) for day in (20, 21))

    one = judge(Claim(once.text, (once,)))
    two = judge(Claim(once.text, (once, twice)))

    assert (two.importance, two.confidence) > (one.importance, one.confidence)


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("外卖就上一家,两头跑单后厨也整不过来", "两头"),
        ("每周发个访客量汇总,周一早上", "个访"),
        ("锅炉水位测到 22 就停", "测"),
        ("退款金额不许四舍五入", "许"),
        ("元旦去杭州那趟车买下铺", "元旦去"),
    ],
)
def test_triggers_begin_and_end_with_words(text: str, cut: str) -> None:
    """
    A measure word, half a ban or a verb is no end of a name.
    """
    assert not any(cut in each for each in triggers_of(text))


def test_night_that_is_tonight_has_one_date() -> None:
    """
    "Last night tonight" is the last of the nights.
    """
    said = datetime(2026, 11, 5, 9, tzinfo=UTC)

    assert with_dates("last night tonight", said) == "last night tonight (2026-11-05)"
    assert "2026-11-04" in with_dates("we left last night", said)
