"""Nothing of a benchmark stands in the product, nor in what the judge learned from."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared/bench/planted/scenarios"
SCENARIOS = sorted([*(ROOT / "bench/scenarios").glob("*.yaml"), *SHARED.glob("*.yaml")])
HANZI, WORDS = 12, 6
_SAID = re.compile(r"^\s*U(?:\{[^}]*\})?: (.*)$", re.MULTILINE)


def phrases(text: str) -> set[str]:
    """
    Every run of *HANZI* ideographs, and of *WORDS* English words.
    """
    found = set()
    for run in re.findall(rf"[\u3400-\u9fff]{{{HANZI},}}", text):
        found |= {run[at : at + HANZI] for at in range(len(run) - HANZI + 1)}
    for line in text.splitlines():
        words = re.findall(r"[a-z']+", line.lower())
        found |= {
            " ".join(words[at : at + WORDS]) for at in range(len(words) - WORDS + 1)
        }
    return found


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_no_phrase_of_a_scenario_is_in_the_product(path: Path) -> None:
    """
    What a scenario's owner says stands in no module, table, prompt or training talk.
    """
    said = phrases("\n".join(_SAID.findall(path.read_text(encoding="utf-8"))))
    files = [
        *(ROOT / "strata").rglob("*.py"),
        *(ROOT / "strata").rglob("*.toml"),
        *(ROOT / "prompts").glob("*.j2"),
        *(ROOT / "training/statements").rglob("*.jsonl"),
    ]

    shared = {
        (file.relative_to(ROOT).as_posix(), phrase)
        for file in files
        for phrase in phrases(file.read_text(encoding="utf-8")) & said
    }

    assert shared == set()
