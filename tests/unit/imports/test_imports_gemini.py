"""What is read of Google's record of what was asked of Gemini."""

from __future__ import annotations

import json
import tracemalloc
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from builders_import_formats import (
    ACTIVITY,
    CHAT,
    OTHER_CHAT,
    gemini_cell,
    gemini_page,
    gemini_record,
)
from builders_imports import LONG_AGO, MINUTE, Json, write_folder, write_zip

from strata.imports.activity_prompts import Labels, labels_of
from strata.imports.bundles import Bundle
from strata.imports.formats import format_named
from strata.imports.talks import Skipped, Talk

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from strata.imports.talks import Read

JSON, HTML = f"{ACTIVITY}.json", f"{ACTIVITY}.html"


def read(folder: Path, **files: object) -> list[Read]:
    """
    All that is read of one file of activities, as JSON or HTML.
    """
    names = {"json": JSON, "html": HTML}
    write_folder(folder, {names[kind]: content for kind, content in files.items()})
    with Bundle(folder) as bundle:
        return list(format_named("gemini").read(bundle))


def talks(found: Iterable[Read]) -> list[Talk]:
    return [each for each in found if isinstance(each, Talk)]


def reasons(found: Iterable[Read]) -> list[str]:
    return [each.why for each in found if isinstance(each, Skipped)]


def said(talk: Talk) -> list[tuple[str, str]]:
    return [(each.role, each.text) for each in talk.utterances]


def test_conversation_is_put_together_by_its_id(tmp_path: Path) -> None:
    """
    Activities lie in any order; those of one conversation come in the order of time.
    """
    records = [
        gemini_record("Prompted b", "<p>B</p>", at=LONG_AGO + MINUTE, chats=[CHAT]),
        gemini_record("Prompted x", "<p>X</p>", at=LONG_AGO, chats=[OTHER_CHAT]),
        gemini_record("Prompted a", ["<p>A</p>", "<p>or C</p>"], chats=[CHAT]),
    ]

    other, found = talks(read(tmp_path, json=records))

    assert (OTHER_CHAT, "x") == (other.id, other.title)
    assert (CHAT, "a", "") == (found.id, found.title, found.project)
    assert [
        ("user", "a"),
        ("assistant", "A\n\nor C"),
        ("user", "b"),
        ("assistant", "B"),
    ] == said(found)
    assert LONG_AGO == found.utterances[0].at


def test_what_belongs_to_no_conversation_comes_by_days(tmp_path: Path) -> None:
    """
    Nothing tells more of older activities than when they were; a day's id stays.
    """
    records = [
        gemini_record("Prompted c", "<p>C</p>", at=LONG_AGO + timedelta(days=1)),
        gemini_record("Prompted b", "<p>B</p>", at=LONG_AGO + MINUTE),
        gemini_record("Prompted a"),
    ]

    found = talks(read(tmp_path, json=records))

    assert ["2025-03-10", "2025-03-11"] == [each.id for each in found]
    assert [("user", "a"), ("user", "b"), ("assistant", "B")] == said(found[0])


def test_turn_before_a_fork_is_told_once(tmp_path: Path) -> None:
    """
    It stays in the conversation that went on first when a later export has more of them.
    """
    shared = gemini_record("Branched a", "<p>A</p>", chats=[OTHER_CHAT, CHAT])
    first = gemini_record("Prompted b", at=LONG_AGO + MINUTE, chats=[CHAT])
    later = gemini_record("Prompted c", at=LONG_AGO + 2 * MINUTE, chats=[OTHER_CHAT])
    silent = "0" * 16
    forked = shared | {
        "details": [
            *shared["details"],
            {"url": f"https://gemini.google.com/app/{silent}"},
        ]
    }

    for records in ([shared, first, later], [forked, later, first]):
        fork, found = talks(read(tmp_path, json=records))

        assert [("user", "c")] == said(fork)
        assert (CHAT, [("user", "a"), ("assistant", "A"), ("user", "b")]) == (
            found.id,
            said(found),
        )


def test_page_and_json_say_the_same(tmp_path: Path) -> None:
    """
    Whoever chose HTML gets the same talks, and who has both gets them once.
    """
    page = gemini_page(
        gemini_cell("Used&nbsp;Gemini Apps", "Mar 10, 2025, 9:05:00 AM UTC"),
        gemini_cell(
            "Prompted&nbsp;Is <b>tea</b> &amp; milk<br>fine?",
            "Mar 10, 2025, 2:00:00\u202fAM PDT",
            "<p>It is.</p><ul><li>Hot</li></ul>",
            chats=[CHAT],
        ),
    )
    records = [
        gemini_record("Used Gemini Apps", at=LONG_AGO + 5 * MINUTE),
        gemini_record(
            "Prompted Is tea & milk\nfine?",
            "<p>It is.</p><ul><li>Hot</li></ul>",
            chats=[CHAT],
        ),
    ]

    from_page = read(tmp_path / "page", html=page)
    from_json = read(tmp_path / "json", json=records)
    from_both = read(tmp_path / "both", html=page, json=records)

    assert ["no-prompt"] == reasons(from_json)
    assert from_json == from_page
    assert talks(from_json) == talks(from_both)
    assert ["said-twice", "no-prompt"] == reasons(from_both)


def test_attachments_are_no_part_of_a_prompt(tmp_path: Path) -> None:
    """
    The page counts files below a prompt and names each, in the account's language.
    """
    names = '<br>- <a href="a%203.png">a 3.png</a><br>- <a href="b.pdf">b.pdf</a>'
    page = gemini_page(
        gemini_cell(
            f"Eingegebener Prompt: Was zeigt Bild 3?<br>2 Dateien angehängt.{names}",
            "10.03.2025, 10:00:00 MEZ",
            "<p>Einen Kessel.</p>",
        )
    )

    (found,) = talks(read(tmp_path, html=page))

    assert [("user", "Was zeigt Bild 3?"), ("assistant", "Einen Kessel.")] == said(
        found
    )


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Prompted hello", "hello"),
        ("Prompted\u00a0hello", "hello"),
        ("Branched hello", "hello"),
        ("Asked Bard: hello", "hello"),
        ("Eingegebener Prompt: hallo", "hallo"),
        ("Prompt : bonjour", "bonjour"),
        ("Has dicho: hola", "hola"),
        ("送信したメッセージ: こんにちは", "こんにちは"),
        ("天気 と入力しました", "天気"),
        ("분기된 오늘 날씨 항목을 검색함", "오늘 날씨"),
        ("已提示 你好", "你好"),
        ("Υποβλήθηκε το ερώτημα γεια", "γεια"),
        ("Zadáno dotaz ahoj", "Zadáno dotaz ahoj"),
        ("Promptedness is no word", "Promptedness is no word"),
        ("Prompted ", ""),
        ("Prompted", ""),
        ("Gave feedback: Good response", ""),
        ("Created Gemini Canvas titled Tea", ""),
        ("猫 というタイトルの Gemini Canvas を作成しました", ""),
        ("使用: Gemini アプリ", ""),
    ],
)
def test_label_is_no_part_of_the_prompt(title: str, expected: str) -> None:
    """
    Titles say what was done, in the account's language; of one unknown all is kept.
    """
    assert expected == Labels().prompt_in(title, answered=True)


def test_unanswered_title_of_an_unknown_language_is_no_prompt() -> None:
    """
    It may as well say that the app was opened.
    """
    assert "" == Labels().prompt_in("Otevřena aplikace Gemini", answered=False)
    assert "hi" == Labels().prompt_in("Prompted hi", answered=False)


PROMPTS = ["Kdo", "Co", "Kde", "Kdy", "Proč", "Jak", "Kolik", "Čí", "Který", "Odkud"]


@pytest.mark.parametrize(
    "form", ["Zadaný dotaz: {}?", "Zadaný dotaz {}?", "{}? bylo zadáno", "发送了：{}?"]
)
def test_label_of_any_language_is_what_titles_share(tmp_path: Path, form: str) -> None:
    """
    Nobody has to have seen an account's language: it stands in nearly every title.
    """
    records = [
        gemini_record(form.format(each), "<p>x</p>", at=LONG_AGO + number * MINUTE)
        for number, each in enumerate(PROMPTS)
    ]
    records.append(gemini_record("Rozvětvené Aha?", "<p>x</p>", at=LONG_AGO - MINUTE))

    (found,) = talks(read(tmp_path, json=records))

    asked = [text for role, text in said(found) if role == "user"]
    assert ["Rozvětvené Aha?", *(f"{each}?" for each in PROMPTS)] == asked


def test_prompts_have_no_label_in_common() -> None:
    """
    A few titles, and titles that begin in ways of their own, share nothing.
    """
    alike = ["Please help", "Please go", "Please stay"]
    unlike = [f"{each} is it" for each in PROMPTS]

    assert Labels() == labels_of(alike)
    assert Labels(after=" is it") == labels_of(unlike)
    assert Labels() == labels_of([*unlike, *PROMPTS])


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    """
    Each is counted by its reason, and all else goes on.
    """
    records = [
        gemini_record("Prompted a", time="soon"),
        gemini_record("Watched", product="YouTube"),
        gemini_record("Prompted "),
        gemini_record("Prompted b", safeHtmlItem=[5, {"html": None}], details="x"),
        "no record",
        None,
        {"title": ["no text"]},
    ]

    found = read(tmp_path, json=records)

    assert [
        "no-date",
        "other-product",
        "unknown-shape",
        "unknown-shape",
        "unknown-shape",
        "no-prompt",
    ] == reasons(found)
    (talk,) = talks(found)
    assert [("user", "b")] == said(talk)


def test_what_comes_before_the_damage_is_read(tmp_path: Path) -> None:
    """
    A download that broke off, or has another encoding from some place on, gives the rest.
    """
    records = [
        gemini_record(f"Prompted {number}", at=LONG_AGO + number * MINUTE)
        for number in range(3)
    ]
    whole = json.dumps(records).encode()
    cells = [
        gemini_cell(
            f"Prompted {number}", f"Mar 10, 2025, 9:0{number}:00 AM UTC", "<p>x"
        )
        for number in range(3)
    ]
    page = gemini_page(*cells)
    cases: list[tuple[str, bytes, str]] = [
        ("json", whole[:-100], "cut-off"),
        ("json", whole.replace(b"Prompted 2", b"Prompted \xff"), "not-utf8"),
        ("html", page[: page.rindex("<p>x")].encode(), "cut-off"),
    ]
    for number, (kind, content, why) in enumerate(cases):
        found = read(tmp_path / str(number), **{kind: content})

        assert [why] == reasons(found)
        (talk,) = talks(found)
        asked = [text for role, text in said(talk) if role == "user"]
        assert ["0", "1"] == asked


def test_page_in_another_encoding_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    """
    Letters that are no UTF-8 are marked, and a mark before everything does no harm.
    """
    cell = gemini_cell("Prompted caf\u00e9", "Mar 10, 2025, 9:00:00 AM UTC", "<p>x</p>")

    (found,) = talks(read(tmp_path / "a", html=gemini_page(cell).encode("latin-1")))
    (marked,) = talks(read(tmp_path / "b", html=gemini_page(cell).encode("utf-8-sig")))

    assert "caf\ufffd" == found.utterances[0].text
    assert "caf\u00e9" == marked.utterances[0].text


def test_date_that_nobody_can_read_ends_no_title(tmp_path: Path) -> None:
    """
    Rather than to be put on some day, it is left out, and told.
    """
    found = read(tmp_path, html=gemini_page(gemini_cell("Prompted a", "some day")))

    assert ["no-date"] == reasons(found)


def test_answer_of_a_page_may_hold_anything(tmp_path: Path) -> None:
    """
    Cells, dates and links to conversations in an answer are words of it.
    """
    answer = (
        '<div><div class="content-cell">inner</div>Mar 1, 2024, 9:00:00 AM UTC<br>'
        f'<a href="https://gemini.google.com/app/{CHAT}">it</a></div>'
    )
    page = gemini_page(
        gemini_cell("Prompted a", "Mar 10, 2025, 9:00:00 AM UTC", answer)
    )

    (found,) = talks(read(tmp_path, html=page))

    assert "2025-03-10" == found.id
    assert "inner" in said(found)[1][1]
    assert "Mar 1, 2024" in said(found)[1][1]


def test_halves_of_characters_are_no_obstacle(tmp_path: Path) -> None:
    """
    JSON may hold what no text can.
    """
    raw = json.dumps([gemini_record("Prompted a b", "<p>c</p>")])
    (found,) = talks(read(tmp_path, json=raw.replace("a b", "a \\ud83d b")))

    assert found.utterances[0].text in {"a \ufffd b", "a ? b"}


def test_zip_is_read_as_a_folder_is(tmp_path: Path) -> None:
    """
    With names of files in the account's language.
    """
    name = "Takeout/내 활동/Gemini 앱/내활동.json"
    record = gemini_record(
        "오늘 날씨 항목을 검색함", "<p>맑음</p>", product="Gemini 앱"
    )
    with Bundle(write_zip(tmp_path / "takeout.zip", {name: [record]})) as bundle:
        (found,) = talks(format_named("gemini").read(bundle))

    assert [("user", "오늘 날씨"), ("assistant", "맑음")] == said(found)


@pytest.mark.parametrize("kind", ["json", "html"])
def test_memory_stays_flat(tmp_path: Path, kind: str) -> None:
    """
    300 activities with long answers, 30 MB, take no more memory than some of them.
    """
    answer = "<p>" + "so it is, they say. " * 5000 + "</p>"
    begun = datetime(2025, 1, 1, tzinfo=UTC)
    with (tmp_path / f"MyActivity.{kind}").open("w", encoding="utf-8") as file:
        file.write("[" if kind == "json" else "<html><body>")
        for number in range(300):
            at = begun + number * timedelta(minutes=20)
            if kind == "json":
                record: Json = gemini_record(f"Prompted {number}", answer, at=at)
                file.write(("," if number else "") + json.dumps(record))
            else:
                date = f"{at:%d.%m.%Y, %H:%M:%S} UTC"
                file.write(gemini_cell(f"Prompted {number}", date, answer))
        file.write("]" if kind == "json" else "</body></html>")

    tracemalloc.start()
    with Bundle(tmp_path / f"MyActivity.{kind}") as bundle:
        found = format_named("gemini").read(bundle)
        read = sum(len(each.utterances) for each in found if isinstance(each, Talk))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert 600 == read
    assert most < 15e6
