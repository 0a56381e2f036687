"""What an agent retained is answered for in `strata review`, and its owner is told how."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders_retain import INVENTED, reflected, retained

from strata.cli import run
from strata.jobs.deciding.verdict_list import statements

if TYPE_CHECKING:
    from pathlib import Path

    from strata.memory import Memory

LATER = "2026-11-20T09:00:00+00:00"
DONE = {"en": "I deleted the old backups", "zh": "我已经把所有备份都删掉了"}


def options(root: Path, language: str) -> list[str]:
    """
    Whose memory a command is about, in which language it answers.
    """
    (root / "workspace/.strata/config.toml").write_text(f'language = "{language}"\n')
    folders = [
        "--workspace",
        str(root / "workspace"),
        "--state-dir",
        str(root / "state"),
    ]
    return [*folders, "--now", LATER]


def id_of(memory: Memory, words: str) -> str:
    """
    The id of what says *words*.
    """
    return next(each.id for each in statements(memory) if words in each.text)


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "kept as what your agent did, in memory/bank/"),
        ("zh", "作为智能体做过的事留在 memory/bank/"),
    ],
)
def test_what_the_agent_did_is_kept_in_the_bank_and_it_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str, told: str
) -> None:
    """
    Accepted it is no line of MEMORY.md; declined, it is nowhere.
    """
    memory = reflected(retained(tmp_path, INVENTED))
    settings = options(tmp_path, language)

    run([*settings, "review", "accept", id_of(memory, DONE["en"])])
    run([*settings, "review", "decline", id_of(memory, DONE["zh"])])

    accepted, declined = capsys.readouterr().out.splitlines()
    assert DONE["en"] in accepted
    assert told in accepted
    assert DONE["zh"] in declined
    assert "memory/bank/" not in declined


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "6 wait and are accepted by their IDs alone"), ("zh", "有 6 条在等")],
)
def test_all_says_that_what_waits_is_accepted_by_its_id(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str, told: str
) -> None:
    """
    Where nothing else waits; and that nothing does once all is declined.
    """
    reflected(retained(tmp_path, INVENTED))
    settings = options(tmp_path, language)

    assert run([*settings, "review", "accept", "all"]) == 1

    assert told in capsys.readouterr().err
    assert run([*settings, "review", "decline", "all"]) == 0
    assert run([*settings, "review", "accept", "all"]) == 1
    assert told not in capsys.readouterr().err
