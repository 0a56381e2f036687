"""`strata reflect` and `strata review` with a language model, as their owner sees them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from builders_bank import write_note
from builders_described import TALKS, VET, VET_LINES, ZHANG, line, says
from scripted_model import answering

from strata.cli import run as strata

if TYPE_CHECKING:
    from pathlib import Path

PAIR = {"names": ["Zhang Wei", "张伟"], "lines": ["on the bill"]}
TOLD = {"Ruth Calloway": {"summary": [line(VET, *VET_LINES), line("She lies.")]}}


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["that no line bears out: 1", "are Zhang Wei and 张伟 one?"]),
        ("zh", ["没有哪一行能佐证的句子：1", "Zhang Wei和张伟是同一个吗？"]),
    ],
)
def test_commands_tell_what_a_model_made_of_pages(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    language: str,
    words: list[str],
) -> None:
    """
    What was dropped and what is asked; the review asks it, and takes the answer.
    """
    for day, blocks in TALKS.items():
        write_note(tmp_path / "workspace", day, *blocks)
    with answering(says(TOLD, [PAIR])) as model:

        def run(*command: str) -> str:
            settings = (
                "timezone=UTC",
                "embedding.model=none",
                f"language={language}",
                *model.settings,
            )
            chosen = [each for one in settings for each in ("--set", one)]
            place = ["--workspace", str(tmp_path / "workspace")]
            place += ["--state-dir", str(tmp_path / "state")]
            now = ["--now", "2026-11-20T12:00:00+00:00"]
            code = strata([*place, *now, *chosen, *command])
            out = capsys.readouterr()
            assert (code, out.err) == (0, "")
            return out.out

        told = run("reflect")
        assert all(each in told for each in words)
        listed = run("review")
        assert "on the bill.” (2026-11-06#L7)" in listed
        (waits,) = json.loads(run("--json", "review"))["entries"]
        document = json.loads(run("--json", "reflect"))
        assert document["model"]["calls"] == 0
        done = run("review", "accept", waits["id"])
        assert "Zhang Wei" in done
        assert "张伟" in done
    assert len(model.requests) == 1
    assert not (tmp_path / "workspace" / ZHANG).exists()
