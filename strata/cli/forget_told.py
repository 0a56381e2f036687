"""What `strata forget` tells: what would go, what went, and the proof."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING

from strata.cli.printing import listed, printable
from strata.messages import worded
from strata.workspace.scopes import PRIVATE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from strata.jobs.forgetting.forget import Plan
    from strata.jobs.forgetting.receipt import Receipt
    from strata.models import Language

_ROWS = 40
TEXTS: dict[Language, dict[str, str]] = {
    "en": {
        "would": "would forget:",
        "none": "nothing in memory says that, so there is nothing to forget",
        "unlearned": "forgotten all the same, what was said of it is not learned later",
        "where": "  {0} lines in {1}",
        "private": "your own memory",
        "named": "  `strata --scope NAME forget … --dry-run` shows those of one memory",
        "records": "  and {0} records of the journal",
        "versions": "  git has it in {0} versions of files; only --git rewrites those",
        "rest": "  … and {0} more lines",
        "copy": "(a copy)",
        "copies": "({0} copies)",
        "yes": "repeat with --yes to forget this",
        "ask": "Forget this for good?",
        "kept": "nothing was changed",
        "gone": "forgotten: {0} lines in {1} files, {2} other places (receipt {3})",
        "proof": "proved: {0} files read again, for {1}; nothing of it is left",
        "lines": "lines that say it",
        "journal": "records of the journal",
        "files": "its bytes and words anywhere",
        "vectors": "what is near in meaning",
        "left": "NOT proved: it is still in {0}; repeat the command",
        "titled": (
            "NOT proved: the name of {0} says it; rename or remove that file and repeat "
            "the command"
        ),
        "unread": "too big to be read: {0}",
        "elsewhere": "not memory, so left alone: {0} says it; edit that file yourself",
        "near": "nearest in meaning that stays: {0} (cosine {1})",
        "git": "git: {0} versions, {1} commits and {2} refs rewritten, old ones destroyed",
        "remote": "git: {0} still has the old history; `git push --force {0}` replaces it",
        "history": "git: {0} versions still have it; `strata forget … --git` rewrites them",
        "transcript": (
            "OpenClaw keeps the conversation {0} ({1} messages say it); Strata only reads "
            "it and will not learn it again. To delete it: openclaw sessions delete {2}"
        ),
    },
    "zh": {
        "would": "将会忘记：",
        "none": "记忆里没有这个内容，没有什么要忘记的",
        "unlearned": "仍然忘记的话，到现在为止说过的也不会再被学到",
        "where": "  {1}里有 {0} 行",
        "private": "你自己的记忆",
        "named": "  `strata --scope 名称 forget … --dry-run` 列出其中一份记忆的行",
        "records": "  以及日志里的 {0} 条记录",
        "versions": "  git 里有 {0} 个文件版本含有它；只有 --git 才会改写历史",
        "rest": "  …… 还有 {0} 行",
        "copy": "（副本）",
        "copies": "（副本 {0} 份）",
        "yes": "加上 --yes 再运行一次才会忘记",
        "ask": "永久忘记这些内容吗？",
        "kept": "什么都没有改动",
        "gone": "已忘记：{1} 个文件里的 {0} 行，另有 {2} 处（回执 {3}）",
        "proof": "已证明：重新读了 {0} 个文件，查了{1}；没有任何残留",
        "lines": "说到它的行",
        "journal": "日志记录",
        "files": "任何位置的字节和词语",
        "vectors": "意思相近的内容",
        "left": "未能证明：{0} 里还有；请再运行一次",
        "titled": "未能证明：文件名 {0} 本身就是；请改名或删除这个文件，再运行一次",
        "unread": "太大，没有读：{0}",
        "elsewhere": "不属于记忆，没有动：{0} 里有这个内容；请自己修改那个文件",
        "near": "留下的内容里意思最接近的：{0}（余弦 {1}）",
        "git": "git：改写了 {0} 个版本、{1} 个提交、{2} 个引用，旧对象已销毁",
        "remote": "git：{0} 上还是旧历史；用 `git push --force {0}` 替换",
        "history": "git：还有 {0} 个版本含有它；`strata forget … --git` 会改写",
        "transcript": (
            "OpenClaw 还保存着对话 {0}（{1} 条消息提到）；Strata 只读它，也不会再学到。"
            "要删除：openclaw sessions delete {2}"
        ),
    },
}


def plan_lines(planned: Plan, language: Language, *, dry_run: bool) -> list[str]:
    """Return what *planned* would do, for people."""
    texts = TEXTS[language]
    if planned.is_empty:
        return [texts["none"], *([] if dry_run else [texts["unlearned"]])]
    rows = _plan_rows(planned, texts)
    told = [texts["would"], *rows[:_ROWS]]
    told += [texts["rest"].format(len(rows) - _ROWS)] if len(rows) > _ROWS else []
    # What a group says is shown to whoever names the group, and nowhere else.
    told += _by_scope(planned.counts, texts)
    told += [texts["named"]] if any(each.lines for each in planned.others) else []
    records = sum(each.records for each in planned.all)
    told += [texts["records"].format(records)] if records else []
    versions = sum(each.history.versions for each in planned.all)
    told += [texts["versions"].format(versions)] if versions else []
    objection = planned.objection
    return told + ([worded(objection, language)] if objection else [])


def _by_scope(counts: Mapping[str, int], texts: dict[str, str]) -> list[str]:
    """Say how many lines are in which memory, where others than the owner's have any."""
    if not any(count for scope, count in counts.items() if scope != PRIVATE):
        return []
    names = {PRIVATE: texts["private"]}
    return [
        texts["where"].format(count, names.get(scope, scope))
        for scope, count in counts.items()
        if count
    ]


def _plan_rows(planned: Plan, texts: dict[str, str]) -> list[str]:
    """Return a row for each line that would go; copies that say the same share one."""
    times = Counter(
        (document.path, said.number, document.place != "note", said.raw.strip())
        for document, lines in planned.lines
        for said in lines
    )
    return [
        f"  {path}:{number} {_copies(texts, times[row]) if copied else ''}{printable(said)}"
        for row in times
        for path, number, copied, said in [row]
    ]


def _copies(texts: dict[str, str], count: int) -> str:
    told = texts["copy"] if count == 1 else texts["copies"].format(count)
    return f"{told} "


def plan_document(planned: Plan) -> dict[str, object]:
    """Return what *planned* would do, for programs."""
    return {
        "dry_run": True,
        "kind": planned.target.kind,
        "lines": [
            {
                "path": document.path,
                "line": said.number,
                "text": said.raw,
                "place": document.place,
            }
            for document, lines in planned.lines
            for said in lines
        ],
        "other_words": planned.other_words,
        "scopes": planned.counts,
        "journal_records": sum(each.records for each in planned.all),
        "git_versions": sum(each.history.versions for each in planned.all),
        "transcripts": [asdict(each) for each in planned.transcripts],
    }


def receipt_lines(receipt: Receipt, language: Language) -> list[str]:
    """Return what *receipt* says, for people."""
    texts, proof = TEXTS[language], receipt.proof
    lines, more = sum(receipt.lines.values()), sum(receipt.more.values())
    told = [texts["gone"].format(lines, len(receipt.lines), more, receipt.id)]
    told += _by_scope(receipt.scopes, texts)
    if proof.holds:
        checks = listed((texts[check] for check in proof.checks), language)
        told.append(texts["proof"].format(proof.files, checks))
    told += [texts["titled"].format(path) for path in proof.named]
    told += [texts["left"].format(place) for place in proof.left]
    told += [texts["unread"].format(path) for path in proof.unread]
    told += [texts["elsewhere"].format(path) for path in proof.elsewhere]
    told += [texts["near"].format(*each) for each in proof.neighbours[:1]]
    if receipt.rewritten:
        done = receipt.rewritten
        told.append(texts["git"].format(done.versions, done.commits, done.refs))
        told += [texts["remote"].format(remote) for remote in done.remotes]
    elif receipt.history:
        told.append(texts["history"].format(receipt.history))
    told += [
        texts["transcript"].format(each.session[:8], each.messages, each.key)
        for each in receipt.transcripts
    ]
    return told
