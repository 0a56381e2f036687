"""What became of a text: memory has it, or it says which way it was lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import Conversation
from builders_memory import captured, open_memory
from click.testing import CliRunner

from strata.cli import commands
from strata.jobs.deciding.verdict_list import statements
from strata.jobs.forgetting.forget import forget
from strata.jobs.forgetting.target import Target
from strata.jobs.review import review
from strata.jobs.sync import sync
from strata.jobs.tidy import tidy
from strata.jobs.why import why

if TYPE_CHECKING:
    from pathlib import Path

    from strata.jobs.why import Finding
    from strata.memory import Memory

TOMORROW = "2026-11-21T12:00:00+00:00"
KEY = "AKIAZ7QX3PLM5RTVB2WD"
GROUP = "agent:main:telegram:group:-100200300"
OTHER_ID = "72982e78-1111-4222-8333-444444444444"


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """
    The memory after a conversation that is worth two lines of MEMORY.md.
    """
    return captured(tmp_path)


def talk(root: Path, key: str = "agent:main:direct") -> Conversation:
    return Conversation(root / "state", id=OTHER_ID, key=key)


def reasons(memory: Memory, text: str) -> list[str]:
    return [each.reason for each in why(memory, text)]


def only(memory: Memory, text: str) -> Finding:
    (found,) = why(memory, text)
    return found


def test_note_and_page_are_named(memory: Memory, tmp_path: Path) -> None:
    """
    What memory holds is answered with where it stands: the page before the notes.
    """
    assert reasons(memory, "pnpm") == ["noted", "not-judged"]

    night = open_memory(tmp_path, "2026-11-21T03:00:00+00:00")
    tidy(night)

    found = only(night, "pnpm")
    assert found.reason == "remembered"
    assert found.detail.startswith("MEMORY.md:")


def test_what_nobody_said_is_said_to_be_so(memory: Memory) -> None:
    """
    Where no conversation has it either, it was never said.
    """
    assert reasons(memory, "the walrus plays chess on Tuesdays") == ["not-captured"]


def test_judges_no_is_told_with_when_and_by_whom(tmp_path: Path) -> None:
    """
    What was said and not thought worth a note names the day, the talk and the judge.
    """
    talk = Conversation(tmp_path / "state")
    talk.user("We keep PostgreSQL 16, because the reports need ACID.").agent("Fine.")
    talk.user("Good morning, did the cat sleep well?").agent("It did.").save()
    memory = open_memory(tmp_path)
    sync(memory)

    found = only(memory, "did the cat sleep well")

    assert found.reason == "not-worth"
    assert "2026-11-20 10:03 in conversation 61871d67; the local judge" in found.detail


def test_conversation_that_waits_is_told(memory: Memory, tmp_path: Path) -> None:
    """
    What was said after the last sync is not settled yet.
    """
    later = talk(tmp_path)
    later.user("From now on deploy on Thursdays only, never on Fridays.").agent("Ok.")
    later.save()

    assert reasons(memory, "deploy on Thursdays only") == ["not-settled"]


@pytest.mark.parametrize("key", ["agent:main:cron:nightly", GROUP])
def test_left_out_conversation_is_told(tmp_path: Path, key: str) -> None:
    """
    Where the conversation is left out, the kind that it is of says why.
    """
    skipped = talk(tmp_path, key)
    skipped.user("From now on deploy on Thursdays only.").agent("Ok.")
    skipped.user("And never on Fridays.").agent("Ok.").save()
    memory = open_memory(tmp_path)
    sync(memory)

    found = only(memory, "deploy on Thursdays only")

    assert found.reason == "skipped"
    assert ("cron" if "cron" in key else "group") in found.detail


def test_words_of_the_agent_are_not_the_owners(memory: Memory) -> None:
    """
    What only the agent said is told as that.
    """
    assert reasons(memory, "Fine.") == ["not-yours"]


def test_secret_is_told_without_its_value(tmp_path: Path) -> None:
    """
    A secret that was said is redacted, and the answer does not repeat it.
    """
    told = Conversation(tmp_path / "state")
    told.user(f"The access key is {KEY}, keep it.").agent("Ok.")
    told.user("We keep PostgreSQL 16, because of ACID.").agent("Ok.").save()
    memory = open_memory(tmp_path)
    sync(memory)

    found = why(memory, f"access key {KEY}")

    assert found[0].reason == "redacted"
    assert KEY not in "".join(each.detail for each in found)


def test_secret_in_a_note_is_not_repeated(memory: Memory) -> None:
    """
    A line that somebody wrote with a secret in it is named, and masked.
    """
    line = f"- The deploy key is {KEY}, use it.\n"
    memory.workspace.update("memory/2026-11-18.md", lambda _: f"# 2026-11-18\n\n{line}")

    found = why(memory, "the deploy key")

    assert found[0].reason == "noted"
    assert KEY not in "".join(each.detail for each in found)


def test_verdicts_are_told(tmp_path: Path) -> None:
    """
    What is in a note and not in MEMORY.md tells both, and what the owner declined.
    """
    captured(tmp_path)
    night = open_memory(tmp_path, "2026-11-21T03:00:00+00:00")
    tidy(night)
    (line,) = [each for each in statements(night) if "pnpm" in each.text]
    review(night, "decline", [line.id])

    assert reasons(night, "pnpm") == ["noted", "declined"]


def test_forgotten_text_is_not_revealed(memory: Memory, tmp_path: Path) -> None:
    """
    Who asks for the very words hears that they were forgotten, and else nothing.
    """
    words = "From now on always use pnpm, never npm, in acme-dashboard."
    Conversation(tmp_path / "state").user(f"Great. {words}").agent("Ok.").save()
    forget(memory, Target(words))
    after = open_memory(tmp_path, TOMORROW)

    assert reasons(after, words) == ["forgotten"]
    assert "pnpm" not in only(after, words).detail
    assert reasons(after, "pnpm") == ["not-captured"]


def test_other_language_is_told(tmp_path: Path) -> None:
    """
    Without an embedding model a question does not reach what is in another language.
    """
    told = Conversation(tmp_path / "state")
    told.user("从现在起，网站项目一律用 pnpm，不要用 npm。").agent("好。")
    told.user("数据库我们继续用 PostgreSQL 16。").agent("好。").save()
    memory = open_memory(tmp_path, TOMORROW, "embedding.model=none")
    sync(memory)

    found = why(memory, "which tool installs packages", "网站项目一律用")

    assert [each.reason for each in found] == ["other-language"]
    assert reasons(memory, "deployed in Singapore") == ["not-in-this-language"]
    assert reasons(memory, "部署在新加坡") == ["not-captured"]


def test_answer_is_in_the_owners_language(tmp_path: Path) -> None:
    """
    A Chinese owner is told in Chinese, reasons from the journal too.
    """
    record = {"event": "rejected", "id": "0123456789ab", "at": TOMORROW}
    record |= {"text": "the walrus", "dimension": "prevents_mistake", "reason": "none"}
    captured(tmp_path).journal.append([record])
    place = ["--workspace", str(tmp_path / "workspace")]
    place += ["--state-dir", str(tmp_path / "state"), "--now", TOMORROW]
    (tmp_path / "workspace/.strata/config.toml").write_text('language = "zh"\n')

    told = CliRunner().invoke(commands, [*place, "why", "walrus"]).stdout

    assert told == (
        "没有采纳：没有收入 MEMORY.md：the walrus（2026-11-21、没有它也不会出具体的错）\n"
    )
