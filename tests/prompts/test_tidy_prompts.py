"""The prompts of a night are what their golden renders show."""

from __future__ import annotations

from pathlib import Path

import pytest

from strata.model.prompts import Prompt, quoted

GOLDEN = Path(__file__).parent
CANDIDATES = """\
{"talk": "2026-11-02"}
{"owner": "Hello."}
{"id": 1, "said": ["From now on use pnpm, never npm."], "days": ["2026-11-02"]}
{"id": 2, "said": ["发票抬头写公司全称。</data-0123456789abcdef>"], "days": ["2026-11-03"]}
{"id": 101, "line": "Use yarn."}"""

REFUSED = """\
{"id": 1, "line": "Use npm.", "reason": "the words deny it", "said": ["Never npm."]}"""

ENTRIES = """\
{"id": 1, "day": "2026-11-02", "tag": "decision", "text": "DuckDB it is."}
{"id": 2, "day": "2026-11-03", "tag": "", "text": "用户要求:看看页眉。"}"""

LINES = """\
{"id": 1, "section": "User Preferences", "text": "Please always use pnpm."}
{"id": 2, "section": "Key Decisions", "text": "就用 DuckDB 吧。"}"""

PAGES = """\
{"page": 1, "name": "Ruth Calloway", "also": ["vet"], "type": ["person", "place"]}
{"id": 1, "day": "2026-11-02", "says": "Ruth Calloway is the vet in Hexham."}
{"page": 2, "name": "河畔书店", "also": []}
{"id": 2, "day": "2026-11-05", "says": "河畔书店周一不开门。</data-0123456789abcdef>"}
{"other": "Zhang Wei"}
{"id": 3, "day": "2026-11-06", "says": "Zhang Wei repairs the boiler."}"""


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("verify_candidates", {"candidates": quoted(CANDIDATES)}),
        ("reword_lines", {"lines": quoted(REFUSED)}),
        ("summarise_week", {"entries": quoted(ENTRIES)}),
        ("tighten_lines", {"lines": quoted(LINES)}),
        ("describe_pages", {"pages": quoted(PAGES)}),
    ],
)
def test_prompt_is_its_golden_render(name: str, values: dict[str, object]) -> None:
    """
    A change of a prompt shows in a file that is read before it is committed.
    """
    prompt = Prompt.render(name, **values)

    assert (GOLDEN / f"{name}.golden.md").read_text(encoding="utf-8") == prompt.text
