"""A week of talk of which a model says what the pages tell."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

from builders_bank import bank_files, write_note
from builders_memory import NOON, open_memory
from builders_model import FakeModel, shown_in

from strata.jobs.reflect import reflect

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from builders_model import Reply

    from strata.memory import Memory

RUTH, WEI, ZHANG = (
    f"memory/bank/people/{name}.md" for name in ("ruth-calloway", "zhang-wei", "张伟")
)
# What an owner says of a vet, and of a plumber in two scripts.
TALKS: dict[int, list[list[str]]] = {
    2: [
        [
            "[finding] Ruth Calloway is the vet in Hexham.",
            "[finding] Ruth Calloway is married to Bethany Tulley, who keeps bees.",
        ]
    ],
    4: [
        [
            "[finding] Ruth Calloway charges 45 for a visit.",
            "[preference] The user likes Ruth Calloway's calm way with horses.",
            "[finding] Zhang Wei repairs the boiler on Fridays.",
        ]
    ],
    6: [
        [
            "[finding] Zhang Wei wants cash for the boiler.",
            "[finding] 张伟每周三来修水管。",
            "[finding] 张伟的电话写在门上。",
            "[finding] Zhang Wei, that's how the bank writes it, and 张伟 on the bill.",
        ]
    ],
}
VET = "Ruth Calloway is the vet in Hexham and charges 45 for a visit."
VET_LINES = ("is the vet", "charges 45")


def described(root: Path, reply: Callable[[str], Reply]) -> tuple[Memory, FakeModel]:
    """
    The memory of that week below *root*, with a model that gives *reply*.
    """
    for day, blocks in TALKS.items():
        write_note(root / "workspace", day, *blocks)
    model = FakeModel(reply)
    return with_model(root, model), model


def with_model(root: Path, model: FakeModel, now: str = NOON, *settings: str) -> Memory:
    """
    The memory below *root* at *now*, in which *model* is asked.
    """
    memory = open_memory(root, now, f"model.provider={model.name}", *settings)
    memory.plugins.register(model)
    return memory


def says(
    told: Mapping[str, Mapping[str, Any]], same: list[dict[str, Any]] | None = None
) -> Callable[[str], str]:
    """
    A model that says of the page of each name what *told* has for it.

    It cites the lines of that page in which the words stand that are given for lines, or
    for a line that is over and the one by which it is; those of *same* it looks for on all
    pages.
    """

    def reply(prompt: str) -> str:
        pages, name, rows = (
            list[dict[str, Any]](),
            "",
            dict[str, list[dict[str, Any]]](),
        )
        for row in shown_in(prompt):
            if "page" in row:
                name = row["name"]
                pages.append({"page": row["page"], "name": name})
            elif "id" in row:
                rows.setdefault(name, []).append(row)
        every = [row for own in rows.values() for row in own]
        answers = [
            {"page": page["page"], **_cited(told[page["name"]], rows[page["name"]])}
            for page in pages
            if page["name"] in told
        ]
        pairs = [_cited(each, every) for each in same or ()]
        return json.dumps({"pages": answers, "same": pairs}, ensure_ascii=False)

    return reply


def _cited(told: Any, rows: list[dict[str, Any]]) -> Any:
    """
    What is *told*, in which words stand for the ids of the *rows* that have them.
    """
    if isinstance(told, list):
        return [_cited(each, rows) for each in told]
    if not isinstance(told, dict):
        return told
    found = {key: _cited(each, rows) for key, each in told.items() if key != "lines"}
    if "lines" in told:
        words = told["lines"]
        ids = [r["id"] for w in words for r in rows if w in r["says"]]
        found["lines"] = list(dict.fromkeys(ids))
    if "holds" in told:
        found["holds"] = [
            r["id"] for w in told["holds"] for r in rows if w in r["says"]
        ]
    for key in {"line", "by"} & told.keys():
        found[key] = next((r["id"] for r in rows if told[key] in r["says"]), 99)
    return found


def line(text: str, *words: str) -> dict[str, Any]:
    """
    A sentence of a model, with words of the lines that it cites.
    """
    return {"text": text, "lines": list(words)}


def vet(*sentences: dict[str, Any], **more: Any) -> Callable[[str], str]:
    """
    A model that says these *sentences* of the vet, and nothing of anybody else.
    """
    return says({"Ruth Calloway": {"summary": list(sentences), **more}})


def page_without_summary(text: str) -> str:
    """
    A page without what a model said on it.
    """
    before, heading, after = text.partition("## Summary\n")
    return before + after.partition("\n\n")[2] if heading else text


def made_anew(root: Path, now: str) -> dict[str, bytes]:
    """
    The pages of the bank, made again at *now* without them, without a cache and a model.
    """
    shutil.rmtree(root / "workspace/memory/bank")
    shutil.rmtree(root / "workspace/.strata/cache")
    memory = open_memory(root, now)
    reflect(memory)
    return bank_files(memory.workspace.root)
