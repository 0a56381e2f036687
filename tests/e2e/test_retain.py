"""A note with a section "Retain", in both languages, from the command line."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from builders import tree
from builders_bank import bank_files
from builders_retain import EVENING, INVENTED, SAID, SUMMARIES, TALKS, retained
from killing import ROOT, run_killed_at

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Strata = Callable[..., Any]

PROGRAM = """
import sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from builders_memory import open_memory
from builders_retain import EVENING, reflected
reflected(open_memory(Path(sys.argv[1]), EVENING))
""".format(tests=str(ROOT / "tests"))


@pytest.fixture
def strata(tmp_path: Path) -> Strata:
    """
    Runs a command in a process of its own, in the workspace of two days of talk.
    """
    retained(tmp_path, SAID, INVENTED, SUMMARIES)

    def call(*arguments: str, language: str = "en", plain: bool = False) -> Any:
        options = ["--workspace", str(tmp_path / "workspace")]
        options += ["--state-dir", str(tmp_path / "state"), "--now", EVENING]
        found = subprocess.run(
            [sys.executable, "-m", "strata", *options, *arguments]
            + ([] if plain else ["--json"]),
            cwd=ROOT,
            env={
                "HOME": str(tmp_path),
                "PATH": "/usr/bin:/bin",
                "STRATA_LANGUAGE": language,
            },
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        assert found.returncode in {0, 1}, found.stderr
        assert "Traceback" not in found.stderr
        return found.stdout if plain else json.loads(found.stdout)

    return call


def test_section_in_both_languages(tmp_path: Path, strata: Strata) -> None:
    """
    What was said is in the bank with its place; what was not waits in review.
    """
    told = strata("reflect")

    assert "memory/bank/people/anna-kost.md" in told["new"]
    (page,) = strata("entity", "Anna Kost")["pages"]
    line = "- @Anna Kost, @Porto: Anna Kost moved to Porto. (src: 2026-11-18#L8)"
    assert line in page["text"].split("\n")
    done = strata("recall", "地址", "--kind", "B")["results"]
    assert done[0]["text"] == "我已经把张伟的地址改成深圳。"
    entries = strata("review")["entries"]
    waits = {each["text"] for each in entries if each["kind"] == "waiting"}
    assert waits == {
        *("Anna Kost moved to Lisbon.", "The user can't stand Tauri."),
        *("I deleted the old backups.", "李雷搬到了深圳。"),
        *("用户喜欢红眼航班。", "我已经把所有备份都删掉了。"),
    }
    pages = b"".join(bank_files(tmp_path / "workspace").values()).decode()
    assert not [each for each in ("Lisbon", "李雷", "backups") if each in pages]


def test_owner_reads_why_a_line_waits_and_decides(strata: Strata) -> None:
    """
    In the owner's language, by the id that review shows.
    """
    strata("reflect")

    english = strata("review", plain=True)
    chinese = strata("review", language="zh", plain=True)

    assert "an agent retained it, and your words of that day do not bear it" in english
    assert "是智能体写在 Retain 下面的，你当天没有这么说" in chinese
    (name,) = [e["id"] for e in strata("review")["entries"] if "李雷" in e["text"]]
    strata("review", "accept", name)
    strata("reflect")
    assert "李雷" in json.dumps(strata("recall", "李雷"), ensure_ascii=False)


def test_deleted_folder_comes_back_byte_for_byte(
    tmp_path: Path, strata: Strata
) -> None:
    """
    Without the conversations, and without a model.
    """
    strata("reflect")
    before = bank_files(tmp_path / "workspace")
    shutil.rmtree(tmp_path / "workspace/memory/bank")
    shutil.rmtree(tmp_path / "state")

    strata("reflect")

    assert before
    assert bank_files(tmp_path / "workspace") == before


def test_killed_anywhere_the_next_run_ends_in_the_same(tmp_path: Path) -> None:
    """
    Between the verdicts and the pages, and within either.
    """
    retained(tmp_path / "whole", SAID, INVENTED)
    run_killed_at(0, tmp_path / "whole", PROGRAM, str(tmp_path / "whole"))
    expected = tree(tmp_path / "whole/workspace", without=".strata")
    for step in range(1, 200, 15):
        root = tmp_path / str(step)
        retained(root, SAID, INVENTED)
        killed = run_killed_at(step, root / "workspace", PROGRAM, str(root))
        run_killed_at(0, root / "workspace", PROGRAM, str(root))

        assert tree(root / "workspace", without=".strata") == expected
        if not killed:
            break

    assert not killed
    assert step > 1
    assert len(TALKS) == len(expected) - len(bank_files(tmp_path / "whole/workspace"))
