"""What the owner forgets is gone from the memories of groups and other people as well."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from builders import tree
from builders_scopes import CANARIES, NOON, open_agent, populate
from click.testing import CliRunner
from killing import Killed, killed_before, run_killed_at

from strata.cli import commands, run
from strata.jobs.forgetting.forget import forget, plan
from strata.jobs.forgetting.target import Target
from strata.jobs.query import Wish, query
from strata.jobs.sync import sync

if TYPE_CHECKING:
    from strata.memory import Memory

TESTS = Path(__file__).parents[3]
NEXT = "2026-11-21T09:00:00+00:00"
OFFICE = Target(entity="office")
GROUP = {"OPENCLAW_CHANNEL_CONTEXT": json.dumps({"chat": {"id": "telegram:-100123"}})}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """
    Two groups, another person and the owner have talked of an office, and it is captured.
    """
    populate(tmp_path, era="files")
    sync(open_agent(tmp_path))
    return tmp_path


def options(root: Path) -> list[str]:
    given = ["--state-dir", str(root / "state"), "--agent", "main", "--now", NEXT]
    return [*given, "--set", "timezone=UTC", "--set", "capture.groups=true"]


def holding(memory: Memory, words: str = "office") -> set[str]:
    """
    The scopes in whose folders *words* still stand.
    """
    found = set()
    for path, content in tree(memory.workspace.root).items():
        if words.encode() in content:
            apart = path.startswith("scopes/")
            found.add(path.split("/")[1].replace("-", ":", 1) if apart else "private")
    return found


def test_all_scopes_forget_with_one_receipt(root: Path) -> None:
    """
    The receipt counts the lines of each memory as the preview does, and proves them all.
    """
    memory = open_agent(root, now=NEXT)
    everyone = {"private", *memory.scopes.names()}
    assert holding(memory) == everyone
    planned = plan(memory, OFFICE)

    receipt = forget(memory, OFFICE)

    assert holding(open_agent(root, now=NEXT)) == set()
    assert receipt.proof.holds
    assert receipt.scopes.keys() == everyone
    assert receipt.scopes == planned.counts
    assert min(receipt.scopes.values()) > 0
    for scope in everyone:
        (tombstone,) = memory.within(scope).tombstones.all()
        assert tombstone.id == receipt.id
        assert memory.within(scope).tombstones.unfinished() == []


def test_nothing_is_learned_again_in_any_scope(root: Path) -> None:
    """
    A look at all conversations again brings nothing back, anywhere.
    """
    forget(open_agent(root, now=NEXT), OFFICE)
    memory = open_agent(root, now=NEXT)
    for path in memory.workspace.root.rglob("2026-*.md"):
        path.unlink()

    sync(memory, since=memory.now.replace(month=10))

    assert holding(memory) == set()


def test_scope_that_comes_later_forgets_too(tmp_path: Path) -> None:
    """
    Groups that are captured only from now on do not bring up what was forgotten.
    """
    populate(tmp_path, era="files")
    quiet = "capture.groups=false"
    sync(open_agent(tmp_path, "main", NOON, quiet))
    memory = open_agent(tmp_path, "main", NEXT, quiet)
    before = memory.scopes.names()
    forget(memory, OFFICE)

    sync(open_agent(tmp_path, now=NEXT), since=memory.now.replace(month=10))

    assert len(memory.scopes.names()) > len(before)
    assert holding(memory) == set()


PROGRAM = """
from pathlib import Path
from builders_scopes import open_agent
from strata.jobs.forgetting.forget import forget
from strata.jobs.forgetting.target import Target
forget(open_agent(Path(sys.argv[1]), now=sys.argv[2]), Target(entity="office"))
"""


@pytest.mark.parametrize("step", [25, 70])
def test_kill_is_made_good_in_all_scopes(root: Path, step: int) -> None:
    """
    Killed for real, the next run completes it in every scope, or it never began.
    """
    program = f"sys.path.insert(0, {str(TESTS)!r})\n{PROGRAM}"

    run_killed_at(step, root / "workspace", program, str(root), NEXT)

    assert_whole(root)


@pytest.mark.parametrize("change", [1, 2, 3, 4, 7, 11, 22])
def test_end_before_any_change_is_made_good(root: Path, change: int) -> None:
    """
    Nothing is forgotten in one scope and kept in another, wherever it ended.
    """
    with killed_before(change), suppress(Killed):
        forget(open_agent(root, now=NEXT), OFFICE)

    assert_whole(root)


def assert_whole(root: Path) -> None:
    """
    After the next run all scopes have forgotten, or none of them.
    """
    memory = open_agent(root, now=NEXT)
    began = memory.tombstones.exist
    sync(memory)
    everyone = {"private", *memory.scopes.names()}
    assert holding(memory) == (set() if began else everyone)
    assert memory.tombstones.unfinished() == []


def test_group_is_clean_before_the_owner_comes_back(root: Path) -> None:
    """
    Where it ended behind the owner's tombstone, a question in a group completes it there.
    """
    with killed_before(3), suppress(Killed):
        forget(open_agent(root, now=NEXT), OFFICE)
    memory = open_agent(root, now=NEXT)
    group = memory.scopes.find("group:-100123")
    assert memory.tombstones.unfinished()
    assert group in holding(memory)

    answer = query(
        memory.within(group), "Where does the new office go to?", Wish(limit=5)
    )

    assert not answer.hits
    assert group not in holding(memory)


def test_people_of_a_group_forget_nothing_of_the_owner(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    From a group nothing can be forgotten, and naming a scope reaches that one alone.
    """
    memory = open_agent(root, now=NEXT)
    everyone = {"private", *memory.scopes.names()}
    with monkeypatch.context() as asking:
        for name, value in GROUP.items():
            asking.setenv(name, value)
        asking.setenv("OPENCLAW_STATE_DIR", str(root / "state"))
        for scope in ([], ["--scope", "group:-100123"], ["--scope", "private"]):
            assert run([*options(root), *scope, "forget", "--yes", "office"]) == 1
    assert holding(memory) == everyone

    assert run([*options(root), "--scope", "group:-100123", *YES]) == 0
    left = everyone - {memory.scopes.find("group:-100123")}
    assert holding(memory) == left
    assert run([*options(root), "--scope", "private", *YES]) == 0
    assert holding(memory) == left - {"private"}


YES = ("forget", "--yes", "--entity", "office")


def test_preview_counts_what_it_does_not_show(root: Path) -> None:
    """
    The words of a group stand in no preview of the owner's; how many lines there are does.
    """
    command = [*options(root), "forget", "--entity", "office", "--dry-run"]
    shown = CliRunner().invoke(commands, command, standalone_mode=False).output
    told = CliRunner().invoke(commands, ["--json", *command], standalone_mode=False)

    assert CANARIES["main"] in shown
    others = [CANARIES[each] for each in ("group1", "group2", "other")]
    assert not any(word in shown + told.output for word in others)
    scopes = json.loads(told.output)["scopes"]
    names = open_agent(root).scopes.names()
    assert scopes.keys() == {"private", *names}
    for name in names:
        noun = "line" if scopes[name] == 1 else "lines"
        assert f"{scopes[name]} {noun} in {name}" in shown


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "nothing in memory says that, so there is nothing to forget\n"),
        ("zh", "记忆里没有这个内容，没有什么要忘记的\n"),
    ],
)
def test_dry_run_without_a_match_says_so(
    root: Path, language: str, sentence: str
) -> None:
    """
    A plain sentence, and nothing is written.
    """
    before = tree(root)
    command = [*options(root), "--set", f"language={language}", "forget", "--dry-run"]

    shown = CliRunner().invoke(commands, [*command, "zeppelin"], standalone_mode=False)

    assert shown.output == sentence
    assert tree(root) == before
