"""A name of a sign or two takes no other word along unless somebody has seen it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from builders_memory import open_memory
from click.testing import CliRunner

from strata.cli import commands
from strata.errors import NotAccepted
from strata.jobs.forgetting.forget import forget, plan
from strata.jobs.forgetting.planning import PlanChanged
from strata.jobs.forgetting.target import Target
from strata.messages import worded

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

    from strata.memory import Memory

PAGE = "memory/people.md"
LATIN = (
    "# People\n\nAl's desk is upstairs.\nSee Smith et al. for the al-Aqsa figures.\n"
)
CHINESE = "# 人\n\n国王是一部电影。\n王伟每周一开会。\n周五跟王说了价格。\n"


def people(root: Path, page: str) -> Memory:
    memory = open_memory(root, "2026-11-21T09:00:00+00:00")
    memory.workspace.update(PAGE, lambda _: page)
    return memory


def run(root: Path, *arguments: str) -> Result:
    options = (
        "--workspace",
        str(root / "workspace"),
        "--state-dir",
        str(root / "state"),
    )
    return CliRunner().invoke(commands, [*options, *arguments], standalone_mode=False)


@pytest.mark.parametrize(
    ("page", "target", "words"),
    [
        (CHINESE, Target(entity="王"), ["国王", "王伟"]),
        (CHINESE, Target(text="王"), ["国王", "王伟"]),
        ("那是现在的事。\n", Target(entity="现"), ["是现在"]),
        (LATIN, Target(entity="Al"), ["al", "al-Aqsa"]),
        ("The US office mails us.\n", Target(entity="US"), ["us"]),
        ("C++ here, C there, C# too.\n", Target(entity="C++"), ["C", "C#"]),
        ("Will writes. They will come.\n", Target(entity="Will"), ["will"]),
    ],
)
def test_other_words_are_named_and_stay(
    tmp_path: Path, page: str, target: Target, words: list[str]
) -> None:
    """
    Nothing is changed, no tombstone is set, and the message lists them in both languages.
    """
    memory = people(tmp_path, page)

    with pytest.raises(NotAccepted, match="give the whole name") as caught:
        forget(memory, target)

    assert plan(memory, target).other_words == words
    assert memory.workspace.read(PAGE) == page
    assert not memory.tombstones.exist
    assert ", ".join(words) in str(caught.value)
    assert f"{len(words)} 个别的词里（{'、'.join(words)}）" in worded(
        caught.value, "zh"
    )


@pytest.mark.parametrize(
    ("page", "name"),
    [
        ("周五跟王说了价格。\n王的电话在桌上。\n王：好。\n", "王"),
        ("Al's desk. *Al* (Al) is here. 请问Al在吗\n", "Al"),
        ("We use js, and JS it is.\n", "js"),
        ("王伟每周一开会。\n", "王伟"),
        ("Mail bob@example.com or Bob.\n", "Bob"),
    ],
)
def test_name_that_stands_by_itself_goes(tmp_path: Path, page: str, name: str) -> None:
    """
    Marks, small words and an owner's 's make no other word, nor does a longer name.
    """
    memory = people(tmp_path, f"{page}This stays.\n")

    assert forget(memory, Target(entity=name)).proof.holds
    assert memory.workspace.read(PAGE) == "This stays.\n"


def test_what_somebody_has_seen_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    At a terminal the words stand above the question; without one, a "yes" is refused.
    """
    memory = people(tmp_path, LATIN)

    wish = ("forget", "--entity", "Al")
    for asked in (wish, ("--json", *wish)):
        done = run(tmp_path, *asked)
        assert done.return_value == 1
        assert "2 other words" in done.output
        refused = run(tmp_path, *asked, "--yes").exception
        assert isinstance(refused, NotAccepted)
        assert refused.exit_code == 1
    shown = run(tmp_path, "--json", *wish, "--dry-run")
    assert json.loads(shown.stdout)["other_words"] == ["al", "al-Aqsa"]
    assert "2 other words" in run(tmp_path, *wish, "--dry-run").stdout
    assert memory.workspace.read(PAGE) == LATIN

    monkeypatch.setattr("strata.cli.forget._agreed", lambda *_: True)
    agreed = run(tmp_path, *wish)
    assert agreed.return_value == 0
    assert "2 other words" in agreed.stdout
    assert memory.workspace.read(PAGE) == "# People\n"


def test_what_came_since_somebody_has_looked_is_looked_at_first(
    tmp_path: Path,
) -> None:
    """
    A yes to one plan is none to another, and no tombstone is set.
    """
    memory = people(tmp_path, "Mail bob@example.com or Bob.\nThis stays.\n")
    seen = plan(memory, Target(entity="Bob")).fingerprint
    memory.workspace.update(PAGE, lambda text: text + "Bob pays in cash.\n")

    with pytest.raises(PlanChanged, match="look again"):
        forget(memory, Target(entity="Bob"), seen=seen)

    assert "Bob pays in cash." in memory.workspace.read(PAGE)
    assert not memory.tombstones.exist
    forget(
        memory,
        Target(entity="Bob"),
        seen=plan(memory, Target(entity="Bob")).fingerprint,
    )
    assert memory.workspace.read(PAGE) == "This stays.\n"
