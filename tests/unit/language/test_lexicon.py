"""The words that statements are compared by: a file for each language."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING

import pytest

from strata.language.lexicon import FOLDER, lexicon, phrase_root, read_lexicon

if TYPE_CHECKING:
    from pathlib import Path

GERMAN = """
[glue]
empty = "der die das ein eine ich wir uns unser unsere ist sind"
negators = "kein keine nicht"

[kinds]
"hot drink" = "tea/Tee coffee/Kaffee"

[concepts]
some = '''
deploy: ausliefern, auslieferung
weekly report: wochenbericht
kitchen: küche
monday: montag, montags
tuesday: dienstag, dienstags
'''
"""
COMPARED = """
import sys
from pathlib import Path
from strata.language import lexicon
lexicon.FOLDER = Path(sys.argv[1])
from strata.language.pieces import pieces
from strata.statements.relations import relation
print(*(each.key for each in pieces("die Küche")), sep=",")
said = "Wochenbericht am Montag"
for other in ("The weekly report is on Monday", "Wochenbericht am Dienstag"):
    print(relation(other, said))
"""


def concepts(language: str) -> list[str]:
    table = tomllib.loads((FOLDER / f"{language}.toml").read_text(encoding="utf-8"))
    lines = "".join(table["concepts"].values()).splitlines()
    return [line.partition(":")[0] for line in lines]


@pytest.mark.parametrize("language", [file.stem for file in FOLDER.glob("*.toml")])
def test_every_concept_has_one_line(language: str) -> None:
    """A second line of a concept would hide from who looks for its words."""
    named = concepts(language)

    assert sorted(set(named)) == sorted(named)


def test_other_languages_name_concepts_as_english_does() -> None:
    """What is misspelled would be a concept of its own, and compare with nothing."""
    assert set(concepts("zh")) <= set(concepts("en"))


def test_the_same_thing_has_one_concept() -> None:
    """A word, its forms and what another language calls it mean the same."""
    known = lexicon()

    assert known.words["deploy"] == known.hanzi["部署"] == "deploy"
    assert known.kinds["postgresql"] == known.kinds["sqlite"] == "database"
    assert {"不", "not"} <= known.glue.negators


@pytest.fixture
def german(tmp_path: Path) -> Path:
    """Return a folder with a third language."""
    shutil.copytree(FOLDER, tmp_path / "lexicon")
    (tmp_path / "lexicon" / "de.toml").write_text(GERMAN, encoding="utf-8")
    return tmp_path / "lexicon"


def test_a_third_language_is_a_file(german: Path) -> None:
    """Its words join those of the others, and take nothing away from them."""
    three, two = read_lexicon(german), lexicon()

    assert three.words["kuche"] == "kitchen"
    assert three.words[phrase_root("kaffee")] == "coffee"
    assert "nicht" in three.glue.negators
    assert three.words | two.words == three.words
    assert three.hanzi == two.hanzi


def test_statements_in_a_third_language_are_compared(german: Path) -> None:
    """What English says is said again, and another day is another value."""
    done = subprocess.run(
        [sys.executable, "-c", COMPARED, german],
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.splitlines() == ["die,kitchen", "same", "contradicts"]
