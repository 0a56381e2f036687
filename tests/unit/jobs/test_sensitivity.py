"""The user's own rules keep words out of memory, and others off the screen."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest
from builders import Conversation
from hypothesis import given
from hypothesis import strategies as st

from strata.cli import run
from strata.cli.showing import Showing, printable
from strata.errors import NotAccepted, SettingsError
from strata.jobs.remember import remember
from strata.jobs.sync import sync
from strata.linear_patterns import objection
from strata.memory import Memory
from strata.sensitivity import NEVER_STORED, rules_of

if TYPE_CHECKING:
    from pathlib import Path


def removed(text: str, *lines: str) -> str:
    return rules_of(lines, setting="trust.never_store").removed(text)


@pytest.mark.parametrize(
    ("rule", "text", "left"),
    [
        ("Nightfall", "Project nightfall ships", f"Project {NEVER_STORED} ships"),
        ("night fall", "the Night\n fall plan", f"the {NEVER_STORED} plan"),
        ("Nightfall", "Nightfalls ship", "Nightfalls ship"),
        ("夜幕", "项目夜幕要上线", f"项目{NEVER_STORED}要上线"),
        (r"/ACME-\d{4,6}/", "see acme-20114 now", f"see {NEVER_STORED} now"),
        (
            "person:Weber",
            "Ok. I met Weber today. Use tabs",
            f"Ok. {NEVER_STORED}. Use tabs",
        ),
        (
            "person:老陈",
            "好的。老陈要离职了。用 pnpm",
            f"好的。{NEVER_STORED}。用 pnpm",
        ),
        ("channel:discord", "discord is up", "discord is up"),
    ],
)
def test_what_a_rule_takes_away(rule: str, text: str, left: str) -> None:
    """
    Words and patterns go, of a person the whole sentence, and nothing else does.
    """
    assert removed(text, rule) == left


def test_masked_words_keep_their_first_letter() -> None:
    """
    What is shown masked can still be told from other masked words.
    """
    rules = rules_of(["Nightfall", "夜幕"], setting="trust.masked")

    assert rules.masked("Nightfall 即夜幕") == "N••• 即夜•••"


@pytest.mark.parametrize(
    "pattern",
    [
        "(",
        "(a+)+b",
        "(a|aa)+b",
        "(a?b?)*c",
        r"(\w+)\1",
        ".*x.*y.*z",
        r"\d{0,90}\d{0,90}x",
        "((a{0,9}){0,9}){0,9}x",
        "a*",
        "x" * 400,
        "(?(1)a|b)",
    ],
)
def test_a_pattern_that_may_run_away_is_refused(pattern: str) -> None:
    """
    What is wrong or would take too long is refused in one line when settings are read.
    """
    with pytest.raises(SettingsError, match=r"trust\.never_store") as caught:
        rules_of([f"/{pattern}/"], setting="trust.never_store")

    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "pattern",
    [
        r"ACME-\d{4}",
        r"\bproj-\w+",
        "(?:one|two) way",
        r"[A-Z]{2,5}-\d+",
        "a{3}b",
        "colou?r",
    ],
)
def test_ordinary_patterns_are_taken(pattern: str) -> None:
    """
    What people write to name their tickets and projects is taken.
    """
    assert objection(pattern) == ""


@given(
    st.lists(
        st.sampled_from(
            [
                "a",
                "b",
                ".",
                "*",
                "+",
                "?",
                "{0,9}",
                "(",
                ")",
                "|",
                "[ab]",
                r"\w",
                "(?:",
                "{2}",
            ]
        ),
        max_size=12,
    )
)
def test_no_pattern_that_is_taken_takes_long(parts: list[str]) -> None:
    """
    Whatever pattern is taken, a long message without line ends is done in a second.
    """
    pattern = "".join(parts)
    if objection(pattern):
        return
    rules = rules_of([f"/{pattern}/"], setting="x")
    start = time.process_time()

    for text in ("a" * 16_000, "ab" * 8_000):
        rules.removed(text + "!")

    assert time.process_time() - start < 2


@given(st.text(max_size=900), st.text(alphabet="ab夜 \n", min_size=1, max_size=3))
def test_nothing_is_left_of_a_word(text: str, word: str) -> None:
    """
    Wherever the word stands, also across the windows of a long line, it goes.
    """
    if not word.strip():
        return
    rules = rules_of([word], setting="x")

    assert not rules.holds(rules.removed(text + word + text))


def opened(tmp_path: Path, *overrides: str) -> Memory:
    (tmp_path / "w").mkdir(exist_ok=True)
    return Memory.open(
        workspace=str(tmp_path / "w"),
        state_dir=str(tmp_path / "state"),
        now="2026-11-20T20:00:00+00:00",
        overrides=["timezone=UTC", *overrides],
    )


def test_never_stored_words_reach_no_file(tmp_path: Path) -> None:
    """
    A sync leaves no byte of them, and the owner's own order is refused too.
    """
    (
        Conversation(tmp_path / "state")
        .user("Always deploy zorvane on Fridays, never on Mondays")
        .agent("zorvane on Fridays.")
        .user("From now on use pnpm in the shop")
        .agent("Ok.")
        .save()
    )
    memory = opened(tmp_path, "trust.never_store=zorvane")

    sync(memory)

    left = b"".join(p.read_bytes() for p in (tmp_path / "w").rglob("*") if p.is_file())
    assert b"pnpm" in left
    assert b"zorvane" not in left
    with pytest.raises(NotAccepted, match=r"trust\.never_store"):
        remember(memory, "Always deploy zorvane on Fridays")


def test_a_channel_that_is_never_stored(tmp_path: Path) -> None:
    """
    A conversation on it is left out, and the reason says so.
    """
    talk = Conversation(tmp_path / "state", key="agent:main:telegram:direct:1")
    talk.user("Always use tabs").agent("Ok").user("and pnpm").save()
    commands = {"ownerAllowFrom": ["telegram:1"]}
    configuration = tmp_path / "state" / "openclaw.json"
    configuration.write_text(json.dumps({"commands": commands}), encoding="utf-8")

    report = sync(opened(tmp_path, "trust.never_store=channel:telegram"))

    assert report.captured == []
    assert report.skipped == [(talk.id, "never stored")]


def test_a_terminal_obeys_nothing_of_it() -> None:
    """
    Escapes and lone carriage returns are marked; the ends of lines stay.
    """
    assert (
        printable("a\r\nb\rc\x1b]0;x\x07\td\u202e")
        == "a\nb\ufffdc\ufffd]0;x\ufffd\td\ufffd"
    )


def test_what_parts_or_turns_letters_unseen_is_marked() -> None:
    """
    Marks of width zero and of direction; joiners, which scripts and emoji need, stay.
    """
    assert printable("\ufeff# a\u200bb\u200ec\u200fd\u061ce\ufefff") == (
        "# a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf"
    )
    assert printable("می\u200cخواهم 👩\u200d💻") == "می\u200cخواهم 👩\u200d💻"


@pytest.mark.parametrize(
    "unseen", ["\u200b", "\u200c", "\u200d", "\u200e", "\u061c", "\ufeff", "\u00ad"]
)
def test_what_nobody_sees_keeps_no_word_from_being_masked(
    tmp_path: Path, unseen: str
) -> None:
    """
    A word with one within is masked as it would be without; others keep their marks.
    """
    rules = ("trust.masked=zorvane", "trust.never_store=quokka")
    showing = Showing.by(opened(tmp_path, *rules).settings)

    assert showing.shown(f"The zor{unseen}vane ships.") == "The z••• ships."
    assert showing.shown(f"A quok{unseen}ka eats.") == f"A {NEVER_STORED} eats."
    assert showing.shown(f"A wal{unseen}rus.") == printable(f"A wal{unseen}rus.")


def test_every_way_out_masks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    Text and JSON alike show no masked word, and no control that a terminal obeys.
    """
    note = tmp_path / "w" / "memory" / "2026-11-20.md"
    note.parent.mkdir(parents=True)
    note.write_text(
        "# 2026-11-20\n\n- zorvane ships \x1b[31mred\x1b[0m on Friday \u202e\n"
    )
    (tmp_path / "w" / ".strata").mkdir()
    (tmp_path / "w" / ".strata" / "config.toml").write_text(
        '[trust]\nmasked = ["zorvane"]\n'
    )
    (tmp_path / "state").mkdir()
    shared = [
        "--workspace",
        str(tmp_path / "w"),
        "--state-dir",
        str(tmp_path / "state"),
    ]

    run([*shared, "get", "memory/2026-11-20.md"])
    run([*shared, "query", "what ships on Friday"])
    run([*shared, "--json", "get", "memory/2026-11-20.md"])

    shown = capsys.readouterr().out
    assert "z•••" in shown
    assert "zorvane" not in shown
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert json.loads(shown.splitlines()[-1])["text"].startswith("# 2026-11-20")
