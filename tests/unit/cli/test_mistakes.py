"""What is called the wrong way is answered in the owner's language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from builders_memory import captured

from strata.cli import run

if TYPE_CHECKING:
    from pathlib import Path

_CODE = re.compile(r"`[^`]*`|'[^']*'|“[^”]*”")


@pytest.mark.parametrize(
    "mistake",
    [
        "sync --since foo",
        "sync --session zzz",
        "query pnpm --since foo",
        "query pnpm --since 2026-11-20 --until 2026-11-19",
        "forget --between 2026-11-20 2026-11-19",
        "get MEMORY.md:99",
        "get memory/2026-11-20.md:0",
        "get memory/2026-11-02.md",
        "get ../secret.md",
        "trace zzz",
        "trace memory/2026-11-20.md:1",
        "review accept zzz",
        "review accept MEMORY.md:1",
        "forget --session zzz",
        "undo --run zzz",
    ],
)
def test_mistake_is_told_in_chinese(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], mistake: str
) -> None:
    """
    An owner who writes Chinese reads one line of it, and of English only names.
    """
    root = captured(tmp_path).workspace.root
    (root / "MEMORY.md").write_text("# mine\n", encoding="utf-8")
    chosen = ["--workspace", str(root), "--state-dir", str(tmp_path / "state")]

    code = run([*chosen, "--set", "language=zh", *mistake.split()])

    told = capsys.readouterr().err.strip()
    assert code in {1, 2}
    assert "\n" not in told
    assert re.search(r"[\u4e00-\u9fff]", told)
    assert not re.search(r"[a-z]+ [a-z]+ [a-z]+", _CODE.sub("", told))


def test_day_may_begin_and_end_a_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    From some hour of a day up to that day is no mistake.
    """
    root = ["--workspace", str(captured(tmp_path).workspace.root)]

    given = ["--since", "2026-11-20T10", "--until", "2026-11-20"]
    code = run([*root, "query", "pnpm", *given])

    assert (code, capsys.readouterr().err) == (0, "")
