"""What is read of an Obsidian vault, and of any folder of Markdown."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

import pytest
from builders_import_formats import VAULT
from builders_imports import write_folder, write_zip
from hypothesis import given
from hypothesis import strategies as st

from strata.imports.bundles import Bundle
from strata.imports.formats import recognised
from strata.imports.note_files import day_in, fields_of, told_in
from strata.imports.talks import Derived, Skipped

if TYPE_CHECKING:
    from pathlib import Path

    from strata.imports.talks import Read

FIRST_OF_MARCH = datetime(2026, 3, 1, 12, tzinfo=UTC)


def read(source: Path) -> list[Read]:
    with Bundle(source) as bundle:
        found = recognised(bundle)
        assert found is not None
        assert "markdown" == found.name
        return list(found.read(bundle))


def texts(source: Path) -> list[str]:
    return [each.text for each in read(source) if isinstance(each, Derived)]


def note(folder: Path, text: object, name: str = "a.md") -> Path:
    return write_folder(folder, {name: text})


def test_vault_is_read_without_what_is_no_note(tmp_path: Path) -> None:
    """
    Its settings say which folder has templates; attachments are told, and not read.
    """
    folder = write_folder(tmp_path / "vault", VAULT)
    packed = write_zip(
        tmp_path / "a.zip", {f"My vault/{name}": each for name, each in VAULT.items()}
    )

    found = read(folder)

    assert [
        ("Rowed on the fjord", FIRST_OF_MARCH, "note"),
        ("My sister.", datetime(2025, 12, 24, 12, tzinfo=UTC), "note"),
    ] == [
        (each.text, each.at, each.kind) for each in found if isinstance(each, Derived)
    ]
    assert [
        Skipped("Files/photo.png", "attachment"),
        Skipped("Forms/Daily.md", "template"),
    ] == [each for each in found if isinstance(each, Skipped)]
    assert [each.text for each in found if isinstance(each, Derived)] == texts(packed)


def test_id_of_a_line_stays_while_others_come_and_go(tmp_path: Path) -> None:
    """
    It is the note's name and the words, so a later import adds what is new alone.
    """
    before = read(note(tmp_path, "- One\n- Two\n- One\n"))
    after = read(note(tmp_path, "# Title\n\nZero\n\n- Two\n- One\n"))

    assert 2 == len(before)
    assert {each.id for each in before if isinstance(each, Derived)} < {
        each.id for each in after if isinstance(each, Derived)
    }


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("2026-03-01.md", date(2026, 3, 1)),
        ("2026-03-01 A walk.md", date(2026, 3, 1)),
        ("Walk 20260301.md", date(2026, 3, 1)),
        ("2026_03_01.md", date(2026, 3, 1)),
        ("2026.03.01-1504.md", date(2026, 3, 1)),
        ("2026年3月1日.md", date(2026, 3, 1)),
        ("Journal/2026/03/01.md", date(2026, 3, 1)),
        ("2026/2026-03/01.md", date(2026, 3, 1)),
        ("2026-01-01/2026-03-01.md", date(2026, 3, 1)),
        ("2026-13-01.md", None),
        ("2026-02-30.md", None),
        ("2026-0301.md", None),
        ("120260301.md", None),
        ("2026-03.md", None),
        ("Kettle.md", None),
    ],
)
def test_name_tells_the_day(name: str, expected: date | None) -> None:
    """
    In whatever way people write it, if it is one.
    """
    assert expected == day_in(name)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("date: 2026-03-01", FIRST_OF_MARCH),
        ("Created: 2026-03-01T14:00:00+02:00", FIRST_OF_MARCH),
        ("created: '2026-03-01'", FIRST_OF_MARCH),
        ("date created: 2026-03-01 12:00", FIRST_OF_MARCH),
        ("date: soon\ncreated: 2026-03-01", FIRST_OF_MARCH),
        ("title: A walk", None),
        ("date: [2026, 3]", None),
        ("date: 0001-01-01", None),
        ("date: 2026-03-01: no YAML: [", None),
    ],
)
def test_front_matter_tells_the_day(head: str, expected: datetime | None) -> None:
    """
    Where the name does not, under the names that people give it; broken YAML says nothing.
    """
    fields, text = fields_of(f"---\n{head}\n---\nA walk.\n")

    assert "A walk.\n" == text
    assert expected == told_in(fields)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("![[photo.png]] Seen", ["Seen"]),
        ("With [[People/Anna|Anna]] and [[Bob]]", ["With Anna and Bob"]),
        ("Tea %% a thought %% is fine", ["Tea is fine"]),
        ("%%\nhidden\n%%\nshown", ["shown"]),
        ("> [!warning]- Beware\n> of milk", ["Beware > of milk"]),
        ("A ==bright== day ^block-1", ["A bright day"]),
        ("- [ ] Buy tea\n- [x] Buy milk", ["Buy tea", "Buy milk"]),
        ("```\ncode\n```\nText", ["Text"]),
        ("50% of 100% %% gone", ["50% of 100% %% gone"]),
        ("**Name:**\n\n- **Age:** \n- **Home:** Oslo", ["**Home:** Oslo"]),
    ],
)
def test_what_only_obsidian_understands_becomes_plain(
    tmp_path: Path, text: str, expected: list[str]
) -> None:
    """
    Links are their words, and comments, embedded files and marks of blocks go.
    """
    assert expected == texts(note(tmp_path, text))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Templates/a.md", "- x"),
        ("_templates/sub/a.md", "- x"),
        ("99 模板/a.md", "- x"),
        ("a.md", "# {{title}}\n- x"),
        ("a.md", "- {{date:YYYY-MM-DD}}"),
        ("a.md", "- <% tp.date.now() %>"),
    ],
)
def test_template_is_no_note(tmp_path: Path, name: str, text: str) -> None:
    """
    By its folder, or by what waits to be filled in.
    """
    assert [Skipped(name, "template")] == read(note(tmp_path, text, name))


def test_templater_says_where_templates_are(tmp_path: Path) -> None:
    """
    And settings that are broken say nothing.
    """
    files: dict[str, object] = {
        ".obsidian/plugins/templater-obsidian/data.json": {"templates_folder": "T/a/"},
        ".obsidian/templates.json": b"{broken",
        "T/a/one.md": "- form",
        "T/b.md": "- note",
    }

    assert ["note"] == texts(write_folder(tmp_path, files))


def test_drawing_in_the_form_of_a_note_is_an_attachment(tmp_path: Path) -> None:
    """
    What a plugin keeps in Markdown is not what somebody wrote.
    """
    text = "---\nexcalidraw-plugin: parsed\n---\n==Warning==\n- x\n"

    assert [Skipped("a.md", "attachment")] == read(note(tmp_path, text))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("Café".encode(), ["Café"]),
        ("Café".encode("utf-8-sig"), ["Café"]),
        ("Café".encode("utf-16"), ["Café"]),
        ("Café".encode("utf-16-be"), []),
        ("Café".encode("latin-1"), []),
        ("喝茶".encode("gb18030"), []),
        (b"\xff\xfe\x00", []),
        (b"a\r\n\r\nb", ["a", "b"]),
    ],
)
def test_encodings(tmp_path: Path, content: bytes, expected: list[str]) -> None:
    """
    What is in neither UTF-8 nor marked UTF-16 is told rather than guessed.
    """
    source = note(tmp_path, content)

    assert expected == texts(source)
    if not expected:
        assert [Skipped("a.md", "not-utf8")] == read(source)


def test_empty_and_endless_notes_are_told(tmp_path: Path) -> None:
    """
    A heading says nothing, and no note is as long as this.
    """
    files: dict[str, object] = {
        "a.md": "",
        "b.md": "# Title\n\n---\n",
        "c.md": b"x" * (17 * 1024 * 1024),
    }

    assert [
        Skipped("a.md", "empty"),
        Skipped("b.md", "empty"),
        Skipped("c.md", "note-too-long"),
    ] == read(write_folder(tmp_path, files))


@pytest.mark.parametrize(
    "piece",
    [
        "-",
        " ",
        "\t",
        "\n",
        "<!--",
        "[[",
        "%%",
        "%",
        "==",
        "{{",
        "<%",
        "> ",
        "|-",
        "```\n",
    ],
)
def test_what_nobody_closed_takes_no_longer(tmp_path: Path, piece: str) -> None:
    """
    A note is read in time that grows with its length alone, whatever repeats in it.
    """
    source = note(tmp_path, f"---\n{piece * 20_000}x")
    began = time.process_time()
    read(source)

    assert time.process_time() - began < 5


@pytest.mark.parametrize(
    "head",
    [
        "a: &a [x, x, x, x]\n" + "".join(f"b{n}: &b{n} [*a, *a]\n" for n in range(9)),
        "a: " + "[" * 5000,
        "? [a]\n: b",
        "a: !!python/object/apply:os.system [exit]",
        "a: b\n" * 20_000,
    ],
)
def test_front_matter_of_any_kind_does_no_harm(tmp_path: Path, head: str) -> None:
    """
    It is looked at for a date and no more, and what is longer than any is not looked at.
    """
    assert "Tea" == texts(note(tmp_path, f"---\n{head}\n---\nTea\n"))[-1]


def test_text_between_two_lines_is_no_front_matter(tmp_path: Path) -> None:
    """
    Whoever begins a note with a line loses nothing of it.
    """
    assert ["One", "Two", "Three"] == texts(
        note(tmp_path, "---\n\nOne\n\n- Two\n---\nThree")
    )


def test_comments_are_no_words_of_a_note(tmp_path: Path) -> None:
    """
    What was never closed is none.
    """
    text = "One<!-- hidden\n\nlines --> and\n\nTwo <!-- shown\n"

    assert ["One and", "Two shown"] == texts(note(tmp_path, text))


def test_many_notes_are_read_in_order(tmp_path: Path) -> None:
    """
    A vault of years, each note by its name.
    """
    files = {f"{number:05}.md": f"Note {number}" for number in range(3000)}

    found = texts(write_zip(tmp_path / "a.zip", files))

    assert [f"Note {number}" for number in range(3000)] == found


@given(st.text(max_size=300))
def test_any_text_has_front_matter_or_not(text: str) -> None:
    """
    Whatever stands at the head of a note, the rest of it is kept.
    """
    fields, rest = fields_of("---\n" + text)

    assert ("---\n" + text).endswith(rest)
    assert told_in(fields) is None or told_in(fields)
