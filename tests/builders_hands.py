"""An owner who has talked for three days, and whose hand then changes memory's files."""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from builders_life import Life, new_life
from builders_model import FakeModel, ModelLife, verdicts, yes

from strata.notes.long_term import bare_lines

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PNPM = "From now on always use pnpm, never npm, in acme-dashboard."
FITS = "We decided to track the fits in MLflow, because it runs on our own server."
PORT = "The staging API always listens on port 8443, never on 8080."
RUBEN = "Please remember: anything about the cluster goes to Ruben at desk 44."
DEPLOY = "From now on deployments go out on Tuesdays, never on Fridays."
PAPER = "记住,以后所有报告一律用 A4 纸双面打印。"
MILK = "我乳糖不耐,以后点东西一律换燕麦奶。"
BRIEF = "Always answer me in short sentences, never with bullet points."
DAYS = ((PNPM, FITS), (PORT, RUBEN, DEPLOY), (PAPER, MILK, BRIEF))
# By then a model was asked about all of it: a few candidates wait for some days.
SETTLED = 7

Hand = tuple["Callable[..., str]", tuple[str, ...]]


def three_days(root: Path, model: FakeModel | None) -> Life:
    """
    What was said on three days is eight lines of MEMORY.md; *model* worded them, if any.
    """
    life = new_life(root)
    life = ModelLife(root, model=model) if model else life
    for said in DAYS:
        life.talk(*said)
        life.night()
    while life.day < SETTLED:
        life.night()
    assert len(life.lines) == sum(map(len, DAYS))
    return life


def copied(life: Life, root: Path) -> Life:
    """
    The same life in a folder of its own.
    """
    shutil.copytree(life.root, root, dirs_exist_ok=True)
    return replace(life, root=root)


def keen() -> FakeModel:
    """
    A model that wants every candidate, in other words than those that were said.
    """

    def line(text: str) -> dict[str, Any]:
        return yes(text, line=text.removeprefix("From now on ").removeprefix("以后"))

    return FakeModel(lambda prompt: verdicts(prompt, line))


def change(words: str, *lines: str) -> Hand:
    """
    The line with *words* becomes *lines*, none: it is deleted.
    """
    return _change, (words, *lines)


def add(heading: str, *lines: str) -> Hand:
    """
    Below *heading* somebody writes *lines*.
    """
    return _add, (heading, *lines)


def move(words: str, heading: str) -> Hand:
    """
    The line with *words* is put below *heading*.
    """
    return _move, (words, heading)


def apply(text: str, *hands: Hand) -> str:
    """
    What *text* is after all of *hands*.
    """
    for by, told in hands:
        text = by(text, *told)
    return text


def _change(text: str, words: str, *lines: str) -> str:
    old = _line(text, words)
    return text.replace(f"{old}\n", "".join(f"{line}\n" for line in lines), 1)


def _add(text: str, heading: str, *lines: str) -> str:
    new = "".join(f"{line}\n" for line in lines)
    assert f"{heading}\n" in text
    return text.replace(f"{heading}\n", f"{heading}\n{new}", 1)


def _move(text: str, words: str, heading: str) -> str:
    old = _line(text, words)
    return _add(text.replace(f"{old}\n", "", 1), heading, old)


def _line(text: str, words: str) -> str:
    (found,) = (line for line in bare_lines(text) if words in line)
    return found
