"""A line leads back to the words, or the trail says where it ends."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from builders import Conversation, small_talk
from click.testing import CliRunner

from strata.cli import commands
from strata.cli.entry import shown_trace
from strata.errors import NotFound, UsageError
from strata.jobs.sync import sync
from strata.jobs.tidy import tidy
from strata.jobs.trace import trace
from strata.memory import Memory

if TYPE_CHECKING:
    from pathlib import Path

DAILY = "memory/2026-11-20.md"
ENTRY = "Use pnpm, never npm, in acme-dashboard."


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "workspace").mkdir()
    small_talk(tmp_path / "state").save()
    sync(open_memory(tmp_path))
    return tmp_path


def open_memory(root: Path, now: str = "2026-11-20T12:00:00+00:00") -> Memory:
    return Memory.open(
        workspace=str(root / "workspace"),
        state_dir=str(root / "state"),
        now=now,
        overrides=["timezone=UTC"],
    )


def line_of(memory: Memory, path: str, word: str) -> tuple[int, str]:
    lines = memory.workspace.read(path).split("\n")
    return next((n, line) for n, line in enumerate(lines, 1) if word in line)


def write_long_term(memory: Memory, entry: str, *, journal: bool = True) -> str:
    """
    A line in MEMORY.md as tidy writes it, with its record.
    """
    line = f"- {ENTRY} (src: 2026-11-20) <!-- importance: 7 -->"
    memory.workspace.update("MEMORY.md", lambda _: f"# Long-Term Memory\n\n{line}\n")
    source = {"day": "2026-11-20", "path": DAILY, "label": "61871d67", "entry": entry}
    record = {
        "event": "promoted",
        "version": 1,
        "at": "2026-11-21T03:00:00+00:00",
        "run": "r" * 12,
        "id": "abcdef012345",
        "text": ENTRY,
        "line": line,
        "sources": [{**source, "entry_id": ""}],
    }
    if journal:
        memory.journal.append([record])
    return line


def test_daily_line_leads_to_the_words(root: Path) -> None:
    """
    An entry of a daily note leads to the message it was taken from, word for word.
    """
    memory = open_memory(root)
    number, line = line_of(memory, DAILY, "pnpm")

    found = trace(memory, f"{DAILY}:{number}")

    (trail,) = found.trails
    assert found.is_intact
    assert line.endswith(found.text.split("] ")[-1])
    assert trail.session == "61871d67-1111-4222-8333-444444444444"
    assert [(each.state, each.origin) for each in trail.words] == [("ok", "owner")]
    assert trail.words[0].text.startswith("From now on always use pnpm")


def test_long_term_line_leads_through_week_and_archive(root: Path) -> None:
    """
    The trail of a line of MEMORY.md goes through the summary and the archived note.
    """
    memory = open_memory(root, "2026-12-05T03:00:00+00:00")
    _, line = line_of(memory, DAILY, "pnpm")
    write_long_term(memory, line[2:])
    tidy(memory, distill=False)

    found = trace(memory, "MEMORY.md:3")

    (trail,) = found.trails
    assert found.is_intact
    assert [record["event"] for record in found.history] == ["promoted"]
    assert trail.weekly
    assert trail.weekly.path == "memory/weekly/2026-11-16.md"
    assert trail.weekly.line
    assert trail.daily
    assert trail.daily.path == "memory/archive/2026/2026-11-20.md"
    assert trail.daily.text == line


@pytest.mark.parametrize(
    "what", ["abcdef0", "never NPM, in acme", "MEMORY.md:3", "MEMORY.md#L3"]
)
def test_ways_to_name_a_line(root: Path, what: str) -> None:
    """
    The start of its id, a piece of its text in any case, or its place name a line.
    """
    memory = open_memory(root)
    write_long_term(memory, line_of(memory, DAILY, "pnpm")[1][2:])

    found = trace(memory, what)

    assert found.place
    assert (found.place.path, found.place.line) == ("MEMORY.md", 3)
    assert found.is_intact


def test_late_words_do_not_hide_the_archived_note(root: Path) -> None:
    """
    Where a day has a new note beside its archived one, the trail goes to either.
    """
    memory = open_memory(root, "2026-12-05T03:00:00+00:00")
    _, line = line_of(memory, DAILY, "pnpm")
    tidy(memory, distill=False)
    late = "# 2026-11-20\n\n## 22:10 session:ff1b2c3d | 4 messages\n- Too late.\n"
    memory.workspace.update(DAILY, lambda _: late)
    week = "memory/weekly/2026-11-16.md"

    found = trace(memory, f"{week}:{line_of(memory, week, 'pnpm')[0]}")

    (trail,) = found.trails
    assert found.is_intact
    assert trail.daily
    assert trail.daily.path == "memory/archive/2026/2026-11-20.md"
    assert trail.daily.text == line


def test_weekly_line_leads_to_its_day(root: Path) -> None:
    """
    A line of a weekly summary leads to the note of its section's day.
    """
    memory = open_memory(root, "2026-12-05T03:00:00+00:00")
    tidy(memory, distill=False)
    path = "memory/weekly/2026-11-16.md"
    number, _ = line_of(memory, path, "pnpm")

    (trail,) = trace(memory, f"{path}:{number}").trails

    assert trail.daily
    assert trail.daily.path == "memory/archive/2026/2026-11-20.md"
    assert not trail.broken


def test_lost_journal_does_not_break_a_shortened_line(root: Path) -> None:
    """
    A line's words are shorter than its entry's; without the journal it is found by sense.
    """
    memory = open_memory(root)
    number, line = line_of(memory, DAILY, "pnpm")
    words = line[2:].split("] ")[-1].rstrip(".")
    shorter = f"- Apparently {words} (src: 2026-11-20)\n"
    memory.workspace.update("MEMORY.md", lambda _: shorter)
    memory.journal.path.unlink()

    (trail,) = trace(memory, "MEMORY.md:1").trails

    assert trail.daily
    assert trail.daily.line == number
    assert trail.broken == ["unknown-words"]


def test_lost_journal_leaves_the_notes(root: Path) -> None:
    """
    Without the journal the line's own source still leads to the note, and says so.
    """
    memory = open_memory(root)
    number, line = line_of(memory, DAILY, "pnpm")
    words = line[2:].split("] ")[-1]
    memory.workspace.update("MEMORY.md", lambda _: f"- {words} (src: 2026-11-20)\n")
    memory.journal.path.unlink()

    found = trace(memory, "MEMORY.md:1")

    (trail,) = found.trails
    assert trail.daily
    assert trail.daily.line == number
    assert trail.broken == ["unknown-words"]
    assert not found.is_intact


def test_broken_links_are_named(root: Path) -> None:
    """
    A note that is gone, an entry that is gone, a transcript that is gone: each is said.
    """
    memory = open_memory(root)
    write_long_term(memory, line_of(memory, DAILY, "pnpm")[1][2:])
    transcript = next((root / "state").rglob("61871d67*.jsonl"))
    transcript.rename(root / "elsewhere")

    assert trace(memory, "MEMORY.md:3").trails[0].broken == ["gone"]

    memory.workspace.update(DAILY, lambda text: text.replace("pnpm", "yarn"))
    assert "entry-gone" in trace(memory, "MEMORY.md:3").trails[0].broken

    (memory.workspace.root / DAILY).unlink()
    assert "note-gone" in trace(memory, "MEMORY.md:3").trails[0].broken


def test_changed_words_are_noticed(root: Path) -> None:
    """
    Words in the transcript that are no longer those that were captured are told apart.
    """
    transcript = next((root / "state").rglob("61871d67*.jsonl"))
    transcript.write_text(transcript.read_text().replace("use pnpm", "use yarn"))
    memory = open_memory(root)

    (trail,) = trace(memory, "pnpm").trails

    assert trail.broken == ["changed"]
    assert "use yarn" in trail.words[0].text


def test_every_entry_of_a_long_talk_is_traced(tmp_path: Path) -> None:
    """
    Whatever extraction made of a conversation, in either language, its words are found.
    """
    (tmp_path / "workspace").mkdir()
    talk = Conversation(tmp_path / "state")
    for owner, agent in (
        (
            "The port of the staging database is 5433, not 5432. Write that down.",
            "Noted.",
        ),
        (
            "以后所有报告都用中文写，不要用英文。还有，周会改到每周三上午十点。",
            "好的。",
        ),
        ("Which one, A (Redis) or B (Postgres LISTEN)?", "I would take B."),
        ("Ok, B then, because we have no Redis anywhere.", "B it is."),
        ("我对花生过敏，订餐的时候注意。", "记住了。"),
    ):
        talk.user(owner).agent(agent)
    talk.save()
    memory = open_memory(tmp_path)
    sync(memory)
    lines = memory.workspace.read(DAILY).split("\n")
    entries = [n for n, line in enumerate(lines, 1) if line.startswith("- ")]

    traces = [trace(memory, f"{DAILY}:{number}") for number in entries]

    assert len(traces) >= 3
    assert [found.is_intact for found in traces] == [True] * len(traces)


def test_line_that_somebody_wrote_into_a_note(root: Path) -> None:
    """
    An entry that stands outside our blocks ends there: nothing behind it is broken.
    """
    memory = open_memory(root)
    memory.workspace.update(
        DAILY, lambda text: f"{text}\n## Mine\n- Water the ficus.\n"
    )

    (trail,) = trace(memory, "ficus").trails

    assert trail.by_hand
    assert trail.broken == []


def test_human_line_has_no_trail(root: Path) -> None:
    """
    A line that a person wrote, without a source, has no trail; that is no error.
    """
    memory = open_memory(root)
    memory.workspace.update("MEMORY.md", lambda _: "- Call me Robin.\n")

    found = trace(memory, "call me robin")

    assert (found.trails, found.is_intact) == ([], False)


def test_what_was_masked_since_keeps_its_history(root: Path) -> None:
    """
    The id of a verdict is that of the words as they were, and still leads to it.
    """
    memory = open_memory(root)
    told = {
        "at": "2026-11-20T03:00:00+00:00",
        "text": "The key is ⟦masked⟧.",
        "run": "r",
    }
    memory.journal.append([{"event": "rejected", "id": "abcdef012345", **told}])

    for what in ("abcdef012345", "abcdef", "The key is"):
        (found,) = trace(memory, what).history
        assert found["id"] == "abcdef012345"


def test_unknown_text_gets_a_clear_line(root: Path) -> None:
    """
    What no line says, and what no statement stands at, is said in one line.
    """
    memory = open_memory(root)

    with pytest.raises(NotFound, match="no line of memory says 'flamingo'"):
        trace(memory, "flamingo")
    with pytest.raises(NotFound, match="holds no statement"):
        trace(memory, f"{DAILY}:1")
    with pytest.raises(UsageError):
        trace(memory, "  ")


@pytest.mark.parametrize(("language", "told"), [("en", "61871d67"), ("zh", "对话 ")])
def test_conversation_without_a_key_has_no_empty_brackets(
    tmp_path: Path, language: str, told: str
) -> None:
    """
    OpenClaw's index forgets the key of a conversation that another one replaced.
    """
    (tmp_path / "workspace").mkdir()
    small_talk(tmp_path / "state").save().with_name("sessions.json").unlink()
    memory = open_memory(tmp_path)
    sync(memory)
    where = f"{DAILY}:{line_of(memory, DAILY, 'pnpm')[0]}"
    root = ["--workspace", str(tmp_path / "workspace")]
    root += ["--state-dir", str(tmp_path / "state"), "--set", f"language={language}"]

    shown = CliRunner().invoke(commands, [*root, "trace", where]).output

    assert told in shown
    assert "()" not in shown
    assert "（）" not in shown


@pytest.mark.parametrize("language", ["en", "zh"])
def test_command_prints_a_tree(root: Path, language: str) -> None:
    """
    The command shows line, note, conversation and words, and the same as JSON.
    """
    arguments = [
        "--workspace",
        str(root / "workspace"),
        "--state-dir",
        str(root / "state"),
    ]
    arguments += ["--set", "timezone=UTC", "--set", f"language={language}"]
    write_long_term(open_memory(root), line_of(open_memory(root), DAILY, "pnpm")[1][2:])

    shown = CliRunner().invoke(commands, [*arguments, "trace", "MEMORY.md:3"])
    document = CliRunner().invoke(
        commands, [*arguments, "--json", "trace", "MEMORY.md:3"]
    )

    assert shown.exit_code == document.exit_code == 0
    first, *_, last = shown.output.rstrip().split("\n")
    assert first.startswith(f"MEMORY.md:3  {ENTRY}")
    assert {"en": "you, 2026-11-20 10:03", "zh": "你, 2026-11-20 10:03"}[
        language
    ] in last
    assert {"en": "✓ unchanged", "zh": "✓ 未变"}[language] in last
    assert json.loads(document.output)["intact"] is True


def test_weekly_line_stands_once_in_its_tree(root: Path) -> None:
    """
    The line that the tree begins with is not shown again as its first step.
    """
    memory = open_memory(root, "2026-12-05T03:00:00+00:00")
    tidy(memory, distill=False)
    week = "memory/weekly/2026-11-16.md"
    place = f"{week}:{line_of(memory, week, 'pnpm')[0]}"

    shown = "\n".join(shown_trace(trace(memory, place), memory))

    assert shown.count(place) == 1
    assert "memory/archive/2026/2026-11-20.md:" in shown
