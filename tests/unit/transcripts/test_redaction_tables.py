"""The tables of redaction are whole: patterns compile and are used, sources are named."""

from __future__ import annotations

import datetime as dt
import random
import re
import string
import tomllib
from pathlib import Path

import pytest

import strata.transcripts.redaction
from strata.transcripts.redaction import redact
from strata.transcripts.redaction.proofs import TESTS
from strata.transcripts.redaction.tables import Patterns, rows

ROOM = Path(strata.transcripts.redaction.__file__).parent
TABLES = ["formats", "personal", "told"]
CODE = "\n".join(path.read_text("utf-8") for path in ROOM.glob("*.py"))
CHANCE = random.Random("tables")  # noqa: S311 - made up
CALLED = re.compile(r'^([A-Z_]+) = Patterns\("(\w+)", "(\w+)"\)', re.MULTILINE)


def made(signs: str, length: int) -> str:
    """
    So many signs, drawn at random, a digit among them.
    """
    return "7" + "".join(CHANCE.choices(signs, k=length - 1))


LETTERS = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
# What the public rule sets know, as the services make them.
KEYS = [
    f"p8e-{made(LETTERS, 32)}",
    f"A3TX{made('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16)}",
    f"cmVm{made(LETTERS, 60)}",
    f"4b1dK{made(LETTERS, 37)}",
    f"CLOJARS_{made(HEX, 60)}",
    f"dnkey-{made(LETTERS, 26)}-{made(LETTERS, 52)}",
    f"duffel_live_{made(LETTERS, 43)}",
    f"dt0c01.{made(LETTERS, 24)}.{made(LETTERS, 64)}",
    f"EZAK{made(LETTERS, 54)}",
    f"FLWSECK-{made(HEX, 32)}-X",
    f"fio-u-{made(LETTERS, 64)}",
    f"live_A{made(LETTERS, 39)}",
    f"pat.{made(LETTERS, 22)}.{made(LETTERS, 24)}.{made(LETTERS, 20)}",
    f"ico-{made(LETTERS, 32)}",
    f"s-s4t2ud-{made(HEX, 64)}",
    f"test_{made(HEX, 35)}",
    f"{made(LETTERS, 6)}_{made(LETTERS, 29)}_mmk",
    f"API-{made(string.ascii_uppercase + string.digits, 26)}",
    f"sha256~{made(LETTERS, 43)}",
    f"rdme_{made(string.ascii_lowercase + string.digits, 70)}",
    f"tk-us-{made(LETTERS, 48)}",
    f"sm_pat_{made(LETTERS, 16)}",
    f"sgp_{made(HEX, 16)}_{made(HEX, 40)}",
    f"tfp_{made(LETTERS, 59)}",
    f"t1.{made(LETTERS, 40)}.{made(LETTERS, 86)}",
]


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key[:6])
def test_keys_of_the_public_rule_sets(key: str) -> None:
    """
    Each is known by its form, wherever it stands and whatever it is called.
    """
    told = redact(f"we saw {key} in the output")

    assert re.fullmatch(r"we saw ⟦secret:[a-z0-9-]+⟧ in the output", told)


@pytest.mark.parametrize(
    "text",
    [
        "see API-REFERENCE-AND-MORE-OF-IT in the wiki",
        "the branch live_update_of_the_search_results_page_for_all is merged",
        "call test_everything_that_may_go_wrong_today first",
        "sha256~ is a prefix, and pat. Smith wrote it",
        "the layer cmVmbGVjdGlvbnM is base64",
    ],
)
def test_what_only_begins_like_a_key(text: str) -> None:
    """
    A beginning alone, or words behind it, is no key.
    """
    assert redact(text) == text


def test_formats_say_when_and_whence() -> None:
    """
    The list has the day of its last check, and each format the source that knows it.
    """
    table = tomllib.loads((ROOM / "formats.toml").read_text("utf-8"))

    assert dt.date.fromisoformat(table["checked"]) >= dt.date(2026, 11, 22)
    formats = table["keys"]["formats"]
    assert [
        row for row in formats if len(row) != 4 or not set(row[3]) <= set("gdo")
    ] == []
    assert len({(begins, rest) for _, begins, rest, _ in formats}) == len(formats)


@pytest.mark.parametrize(
    ("constant", "table", "section"), CALLED.findall(CODE), ids=lambda each: each
)
def test_patterns_compile_and_are_used(constant: str, table: str, section: str) -> None:
    """
    Each entry is a pattern that some rule, or another entry, asks for.
    """
    entries = rows(table, section)
    patterns = Patterns(table, section)
    texts = {name: "".join(entry) for name, entry in entries.items()}
    named = {part for text in texts.values() for part in re.findall("⟨(\\w+)⟩", text)}

    used = set(re.findall(rf"\b{constant}\.(\w+)", CODE))
    used |= {
        row[key]
        for row in rows("told", "telling")
        for key in ("leads", "follows")
        if row["language"] == section and key in row
    }

    if section == "values":
        used |= set(re.findall(r'is_a\(\s*"(\w+)"', CODE)) | (asked() & set(entries))

    assert set(entries) - used - named == set()
    assert all(getattr(patterns, name).pattern for name in used)


@pytest.mark.parametrize("table", TABLES)
def test_no_section_is_left_over(table: str) -> None:
    """
    Each section is read by a rule.
    """
    sections = {
        name for name, value in rows_of(table).items() if isinstance(value, dict)
    }

    assert {name for name in sections if f'"{table}", "{name}"' not in CODE} <= {
        "words",
        "phrases",
        "common",
    }
    for kind, call in (("words", "words"), ("phrases", "phrases")):
        names = rows_of(table).get(kind, {})
        text = CODE + (ROOM / f"{table}.toml").read_text("utf-8")
        called = (f'{call}("{table}", "%s")', "⟨%s⟩")
        assert [n for n in names if not any(c % n in text for c in called)] == []


def rows_of(table: str) -> dict[str, dict[str, object]]:
    """
    All of a table.
    """
    return tomllib.loads((ROOM / f"{table}.toml").read_text("utf-8"))


@pytest.mark.parametrize("table", TABLES)
def test_rules_have_a_way_to_be_found(table: str) -> None:
    """
    Each has clues, names or signs.
    """
    assert all({"clues", "names", "signs"} & set(rule) for rule in rows(table, "rule"))


def test_rules_ask_what_is_known() -> None:
    """
    Each test that a row names is known.
    """
    assert asked() <= set(TESTS)


def asked() -> set[str]:
    """
    The names of tests in all rows.
    """
    each = [row for table in TABLES for row in rows(table, "rule")]
    each += rows("told", "telling")
    return {
        test for row in each for key in ("needs", "unless") for test in row.get(key, ())
    }
