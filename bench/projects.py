"""
What it gains, and what it costs, to prefer the project at hand.

    python bench/projects.py

Three projects decide about the same forty matters, each in its own way, half in English and
half in Chinese, in words that name no project: only the folder tells. Beside them is what
belongs to no project. Asked with a project at hand, its own decision should come first
("own"); asked for what only another project has, or none, that should still be found
("other"). Each is told for several sizes of the preference, 0 being none.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from datetime import date, datetime, timedelta
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from strata.jobs.query import Wish, query  # noqa: E402 - the path
from strata.jobs.update import get_glosses  # noqa: E402 - the same
from strata.memory import Memory  # noqa: E402 - the same
from strata.notes.marks import line_key  # noqa: E402 - the same
from strata.search.answering import ranking  # noqa: E402 - the same

NOW = "2026-11-20T12:00:00+00:00"
SIZES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
PROJECTS = ("heron", "egret", "stork")
# What is asked, how a project says what it decided, and what each of the three decided.
SHARED = {
    "which database do we use": ("We keep the data in {}.", "PostgreSQL|MySQL|SQLite"),
    "where do the backups go": (
        "Backups go to {} every night.",
        "the old disk|a bucket in Oslo|the office server",
    ),
    "on which day do we release": ("We release on {}.", "Mondays|Wednesdays|Thursdays"),
    "who reviews the code": ("{} reads every change first.", "Mia|Oskar|Fatima"),
    "how long do we keep logs": ("Logs are deleted after {}.", "a week|30 days|a year"),
    "which tool builds the front end": (
        "The pages are built by {}.",
        "vite|webpack|esbuild",
    ),
    "how do we name branches": (
        "A branch is named after {}.",
        "the ticket|its author|the date",
    ),
    "what is the port of the service": ("It listens on port {}.", "8080|9000|3111"),
    "which licence do we publish under": (
        "The code is under {}.",
        "MIT|Apache-2.0|GPL-3",
    ),
    "where does the service run": (
        "It runs on {}.",
        "two old ThinkPads|a rented VM|Fly",
    ),
    "which test runner do we use": ("Tests are run by {}.", "pytest|unittest|nose"),
    "how are errors reported": ("Errors are sent to {}.", "Sentry|a mailbox|the chat"),
    "what is the time-out of a request": (
        "A request may take {}.",
        "2 s|10 s|a minute",
    ),
    "who pays the hosting": (
        "The hosting is paid by {}.",
        "the choir|Jonas|the school",
    ),
    "which language are the texts in": (
        "All texts are in {}.",
        "Danish|English|Polish",
    ),
    "how are dates written": ("Dates are written {}.", "ISO 8601|day first|in words"),
    "which queue do we use": ("Jobs wait in {}.", "Redis|RabbitMQ|a table"),
    "what is the target for coverage": ("Coverage must be {}.", "70 %|85 %|95 %"),
    "how are secrets kept": ("Secrets lie in {}.", "the keyring|a vault|an age file"),
    "which colour has the logo": ("The logo is {}.", "teal|amber|dark red"),
    "我们用哪个数据库存报表": ("报表存在{}里。", "PostgreSQL|MySQL|ClickHouse"),
    "备份放在哪里": ("备份每晚放到{}。", "旧硬盘|奥斯陆的云盘|办公室服务器"),
    "哪天发版": ("每{}发版。", "周一|周三|周四"),
    "代码由谁评审": ("代码都先给{}看。", "小林|建国|阿芳"),
    "日志留多久": ("日志保留{}。", "七天|三十天|一年"),
    "前端用什么打包": ("前端用{}打包。", "vite|webpack|rollup"),
    "分支怎么命名": ("分支按{}命名。", "工单号|作者|日期"),
    "服务听哪个端口": ("服务监听{}端口。", "8080|9000|3111"),
    "用什么许可证": ("代码用{}许可证。", "MIT|Apache|GPL"),
    "服务部署在哪里": ("服务部署在{}。", "两台旧电脑|租的虚拟机|学校机房"),
    "用什么跑测试": ("测试用{}跑。", "pytest|unittest|tox"),
    "报错发到哪里": ("报错发到{}。", "Sentry|邮箱|群里"),
    "请求超时是多少": ("请求最多等{}。", "两秒|十秒|一分钟"),
    "服务器费用谁出": ("服务器费用由{}出。", "合唱团|老周|学校"),
    "界面用哪种语言": ("界面文字用{}。", "丹麦语|英语|波兰语"),
    "日期怎么写": ("日期写成{}。", "年月日|日月年|星期"),
    "用哪个消息队列": ("任务排在{}里。", "Redis|RabbitMQ|Kafka"),
    "覆盖率要求多少": ("测试覆盖率要到{}。", "七成|八成五|九成五"),
    "密钥放在哪里": ("密钥放在{}里。", "钥匙串|保险库|加密文件"),
    "标志是什么颜色": ("标志是{}的。", "青色|琥珀色|深红色"),
}
# What only one project has, and what none has.
ALONE = {
    "heron": {
        "who sings the solo in the demo video": "The demo video has Mia's solo.",
        "how many sensors are on the roof": "Seven sensors are on the roof.",
        "鸟鸣录音是谁录的": "鸟鸣录音是阿芳录的。",
    },
    "egret": {
        "what does the invoice template look like": "Invoices have a grey footer.",
        "which bank does the payment go through": "Payments go through Nordea.",
        "发票抬头写什么": "发票抬头写合唱团全名。",
    },
    "stork": {
        "when does the nest camera start": "The nest camera starts in March.",
        "which font has the poster": "The poster is set in Alegreya.",
        "鸟巢摄像头装在哪里": "鸟巢摄像头装在水塔上。",
    },
    "": {
        "what is the user allergic to": "The user is allergic to peanuts.",
        "when is the rowing club": "The rowing club meets on Thursdays at six.",
        "where are the spare keys": "The spare keys are in the blue drawer.",
        "孩子的家长会是几点": "孩子的家长会改到了周三晚上七点。",
        "what does the user want for his birthday": "The user wants a kayak.",
    },
}
Case = tuple[str, str, str]


def said() -> dict[str, list[str]]:
    """Return what was said in each project, and in none."""
    found = {name: [*ALONE[name].values()] for name in (*PROJECTS, "")}
    for form, values in SHARED.values():
        for name, value in zip(PROJECTS, values.split("|"), strict=True):
            found[name].append(form.format(value))
    return found


def write(workspace: Path) -> None:
    """Write the notes of sixty days, and the journal that knows their projects."""
    (workspace / "memory").mkdir(parents=True)
    (workspace / ".strata").mkdir()
    days: dict[date, list[tuple[str, list[str]]]] = {}
    for shift, (name, lines) in enumerate(said().items()):
        for at in range(0, len(lines), 3):
            day = date(2026, 11, 18) - timedelta(days=(at * 5 + shift * 7) % 60)
            days.setdefault(day, []).append((name, lines[at : at + 3]))
    records = []
    for day, blocks in days.items():
        text = f"# {day}\n"
        for number, (name, lines) in enumerate(blocks):
            text += f"\n## 1{number}:00 session:{number}{day:%m%d}abc | 6 messages\n"
            text += "".join(f"- {line}\n" for line in lines)
            keys = [{"id": "", "line": line_key(f"- {line}")} for line in lines]
            record = {"event": "captured", "day": str(day), "entries": keys}
            records += [record | {"project": f"github.com/x/{name}"}] if name else []
        (workspace / "memory" / f"{day}.md").write_text(text, encoding="utf-8")
    journal = workspace / ".strata" / "journal.jsonl"
    journal.write_text("".join(f"{json.dumps(each)}\n" for each in records))


def cases() -> tuple[list[Case], list[Case]]:
    """Return question, project at hand and answer: of what is its own, and of others'."""
    own, other = [], []
    for text, (form, values) in SHARED.items():
        for name, value in zip(PROJECTS, values.split("|"), strict=True):
            own.append((text, name, form.format(value)))
    for owner, told in ALONE.items():
        for text, line in told.items():
            other += [(text, name, line) for name in PROJECTS if name != owner]
    return own, other


def rank(memory: Memory, case: Case) -> int:
    """Return at which place the answer is shown, 0 where it is not."""
    text, name, line = case
    found = query(memory, text, Wish(limit=10, project=f"github.com/x/{name}"))
    hits = found.hits or found.closest
    return next((at for at, hit in enumerate(hits, 1) if line in hit.snippet), 0)


def main() -> None:
    """Print a table: for each size, how often the answer is first, and among five."""
    with tempfile.TemporaryDirectory() as folder:
        workspace = Path(folder) / "workspace"
        write(workspace)
        memory = Memory.open(
            workspace=str(workspace),
            state_dir=folder,
            now=datetime.fromisoformat(NOW).isoformat(),
            overrides=["timezone=UTC"],
        )
        get_glosses(memory.model_folder)
        memory.index.update(embed=memory.model_folder is not None)
        print("| preference | own R@1 | own R@5 | other R@1 | other R@5 |")
        print("|---" * 5 + "|")
        for size in SIZES:
            ranking.PROJECT_BONUS = size
            cells = []
            for part in cases():
                ranks = [rank(memory, case) for case in part]
                for most in (1, 5):
                    share = sum(0 < each <= most for each in ranks) / len(ranks)
                    cells.append(f"{share:.3f}")
            print(f"| {size} | {' | '.join(cells)} |", flush=True)
        print(f"{len(cases()[0])} of its own, {len(cases()[1])} of others")


if __name__ == "__main__":
    main()
