"""What is captured knows its project, and the owner has the last word on it."""

from __future__ import annotations

import json
import shutil
from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest
from builders import START
from builders_encryption import ALL_NOTES, KEY, holding, own_memory, use_key
from builders_exports import records_in
from builders_imports import chatgpt_talk, code_session, write_folder, write_zip
from builders_memory import open_memory
from builders_projects import LATER, repository, talk, worked

from strata.errors import NotFound, UsageError
from strata.hits import Tier
from strata.jobs.encryption import switch_on
from strata.jobs.exporting.export import export
from strata.jobs.exporting.restoring import restore
from strata.jobs.forgetting.forget import forget
from strata.jobs.forgetting.target import Target
from strata.jobs.importing.importing import import_from
from strata.jobs.project import name_projects, place, project_here, projects
from strata.jobs.projects.knowing import Known
from strata.jobs.projects.preferring import at_hand, named
from strata.jobs.query import Wish, query
from strata.jobs.reflect import reflect
from strata.jobs.sync import sync
from strata.jobs.tidy import tidy
from strata.jobs.undo import undo

if TYPE_CHECKING:
    from pathlib import Path

    from strata.memory import Memory

NOTE = "memory/2026-11-20.md"
BYE = "Thanks, that is all for today."
HERON, EGRET = "github.com/ada/heron", "github.com/ada/egret"


def again(root: Path) -> Memory:
    """
    The memory, opened anew.
    """
    return open_memory(root, LATER)


def line_of(memory: Memory, words: str) -> str:
    """
    The place of the line that says *words*.
    """
    lines = memory.workspace.read(NOTE).split("\n")
    (number,) = (at for at, line in enumerate(lines, 1) if words in line)
    return f"{NOTE}:{number}"


def project_of(memory: Memory, words: str) -> str:
    """
    What the project of the line that says *words* is called, "" for none.
    """
    number = int(line_of(memory, words).rpartition(":")[2])
    line = memory.workspace.read(NOTE).split("\n")[number - 1]
    known = Known(memory)
    found = known.of_line(Tier.DAILY, date(2026, 11, 20), line)
    return known.name_of(found) if found else ""


def test_folders_tell_the_project_where_the_words_do_not(tmp_path: Path) -> None:
    """
    A decision that does not name its project says it; a wish and other talk do not.
    """
    note = worked(tmp_path).workspace.read(NOTE)

    assert "in PostgreSQL 16, as the reports need ACID (about: heron)\n" in note
    assert "in MySQL 8, as the hoster has it (about: egret)\n" in note
    assert "heron" not in note.split("short commit messages in English")[1]
    assert "short commit messages in English.\n" in note
    assert "in the blue drawer.\n" in note


def test_no_secret_of_a_remote_is_kept(tmp_path: Path) -> None:
    """
    The user and the token in a remote stand in no file of the workspace.
    """
    memory = worked(tmp_path)
    files = (each for each in memory.workspace.root.rglob("*") if each.is_file())

    assert not [each for each in files if b"gh_secret" in each.read_bytes()]


def test_projects_are_listed_with_what_memory_has(tmp_path: Path) -> None:
    """
    Each is called by the last part of its repository, with entries and days.
    """
    found = {each.name: each for each in projects(worked(tmp_path))}

    assert {name: each.repository for name, each in found.items()} == {
        "heron": HERON,
        "egret": EGRET,
    }
    assert (found["heron"].entries, found["heron"].days) == (2, 1)


def test_two_of_one_name_are_told_apart(tmp_path: Path) -> None:
    """
    Where two repositories end alike, so much of each is named as tells them apart.
    """
    worked(tmp_path)
    other = repository(tmp_path / "other" / "heron", "https://gitlab.com/eve/heron")
    talk(tmp_path, 4, other, "We decided to keep logs for 30 days, as it is law.", BYE)
    sync(again(tmp_path))

    names = {each.name for each in projects(again(tmp_path))}

    assert names == {"ada/heron", "eve/heron", "egret"}
    with pytest.raises(NotFound):
        named(again(tmp_path), "heron", tmp_path)


def test_the_project_at_hand_comes_first_and_hides_nothing(tmp_path: Path) -> None:
    """
    The same question finds what is about the project at hand first, then the rest.
    """
    backups = "We decided to keep the backups on the old disk, as it is big."
    garden = "We decided to keep the old roses, as they are big."
    for days, (name, url, said) in enumerate(
        [("heron", HERON, backups), ("egret", EGRET, backups), ("x", "x", garden)], 1
    ):
        folder = repository(tmp_path / name, f"https://{url}")
        talk(tmp_path, days, folder, said, BYE, at=START - timedelta(days=days))
    memory = open_memory(tmp_path, LATER)
    sync(memory)

    for project, names in ((HERON, ["heron", "egret"]), (EGRET, ["egret", "heron"])):
        found = query(memory, "where are the backups", Wish(project=project))
        assert [each.projects for each in found.hits[:2]] == [(name,) for name in names]


def test_here_is_the_repository_around(tmp_path: Path) -> None:
    """
    "here" is the project of the folder; outside of any the error says so.
    """
    memory = worked(tmp_path)

    assert project_here(memory, tmp_path / "work" / "egret").name == "egret"
    with pytest.raises(NotFound, match="no repository"):
        project_here(memory, tmp_path)
    with pytest.raises(NotFound, match="egret"):
        named(memory, "nosuch", tmp_path)


def test_folder_that_is_gone_counts_as_before(tmp_path: Path) -> None:
    """
    What was said in a folder that is gone by now is of the project that it was.
    """
    worked(tmp_path)
    folder = tmp_path / "work" / "heron"
    shutil.rmtree(folder)
    talk(tmp_path, 5, folder, "We decided to drop Windows 10, as nobody has it.", BYE)
    sync(again(tmp_path))

    note = again(tmp_path).workspace.read(NOTE)

    assert "drop Windows 10, as nobody has it (about: heron)" in note


def test_the_workspace_is_no_project(tmp_path: Path) -> None:
    """
    Work in the agent's own folder is about no project, though git keeps it.
    """
    memory = open_memory(tmp_path, LATER)
    own = repository(memory.workspace.root / "x", "https://github.com/ada/own").parent
    shutil.move(own / "x" / ".git", own / ".git")
    talk(tmp_path, 1, own, "We decided to keep the notes in English, as all read it.")
    sync(memory)

    assert projects(again(tmp_path)) == []


def test_owner_says_of_which_project_a_line_is(tmp_path: Path) -> None:
    """
    The owner's word goes before folder and words, and undo takes it back.
    """
    memory = worked(tmp_path)
    drawer = line_of(memory, "blue drawer")

    assert place(memory, drawer, "heron", tmp_path) == ("heron", 1)
    assert project_of(again(tmp_path), "blue drawer") == "heron"
    assert place(again(tmp_path), drawer, "-", tmp_path) == ("", 1)
    assert project_of(again(tmp_path), "blue drawer") == ""
    undo(again(tmp_path))
    assert project_of(again(tmp_path), "blue drawer") == "heron"
    undo(again(tmp_path))
    assert project_of(again(tmp_path), "blue drawer") == ""


def test_owner_says_of_which_project_a_conversation_is(tmp_path: Path) -> None:
    """
    All its lines are of that project, and what is said in it later as well.
    """
    memory = worked(tmp_path)

    called, count = place(memory, "31871d67", "House", tmp_path)

    assert (called, count) == ("House", 2)
    assert project_of(again(tmp_path), "blue drawer") == "House"
    told = talk(
        tmp_path,
        3,
        None,
        "We decided to keep the spare keys in the blue drawer.",
        "Anna moved to Porto last week.",
        "We decided to paint the hall green, as it is dark.",
    )
    assert told.id.startswith("31871d67")
    sync(again(tmp_path))
    assert project_of(again(tmp_path), "paint the hall green") == "House"


def test_projects_are_renamed_and_made_one(tmp_path: Path) -> None:
    """
    A new name holds with the old one, two that are one share all, and undo works.
    """
    worked(tmp_path)

    name_projects(again(tmp_path), "rename", "heron", "The Bird")
    assert {e.name for e in projects(again(tmp_path))} == {"The Bird", "egret"}
    for name in ("heron", "the bird", HERON):
        assert named(again(tmp_path), name, tmp_path) == HERON
    with pytest.raises(UsageError):
        name_projects(again(tmp_path), "rename", "egret", "The Bird")

    for name in ("-", "here", " ", "x" * 101):
        with pytest.raises(UsageError, match="name of its own"):
            name_projects(again(tmp_path), "rename", "egret", name)
    name_projects(again(tmp_path), "rename", "heron", "The\nBird\x1b")

    name_projects(again(tmp_path), "merge", "egret", "The Bird")
    (one,) = projects(again(tmp_path))
    assert (one.name, one.entries) == ("The Bird", 4)
    assert named(again(tmp_path), "egret", tmp_path) == HERON
    with pytest.raises(UsageError):
        name_projects(again(tmp_path), "merge", "egret", "heron")

    for _ in range(3):
        undo(again(tmp_path))
    assert {e.name for e in projects(again(tmp_path))} == {"heron", "egret"}


def test_conversation_has_its_project_at_hand_for_a_week(tmp_path: Path) -> None:
    """
    What it was last about is at hand, by its id and by its key, and not for ever.
    """
    memory = worked(tmp_path)
    name = "11871d67-1111-4222-8333-444444444444"

    assert at_hand(memory, name) == HERON
    assert at_hand(memory, "agent:main:t2") == EGRET
    assert at_hand(memory, "agent:main:t3") == ""
    assert at_hand(open_memory(tmp_path, "2026-12-20T10:00:00+00:00"), name) == ""


def test_forgotten_project_leaves_with_its_name(tmp_path: Path) -> None:
    """
    Its name is in no file any more, its lines stay without it, and it does not come back.
    """
    worked(tmp_path)
    place(again(tmp_path), "31871d67", "heron", tmp_path)
    name_projects(again(tmp_path), "rename", "heron", "Heron Two")

    forget(again(tmp_path), Target(entity="heron"))
    sync(again(tmp_path))

    root = tmp_path / "workspace"
    files = [each for each in root.rglob("*") if each.is_file()]
    assert not [e for e in files if b"heron" in e.read_bytes().lower()]
    note = again(tmp_path).workspace.read(NOTE)
    assert "in PostgreSQL 16, as the reports need ACID" in note
    assert {e.name for e in projects(again(tmp_path))} == {"egret"}
    folder = tmp_path / "work" / "heron"
    talk(tmp_path, 6, folder, "We decided to drop Windows 10, as nobody has it.", BYE)
    sync(again(tmp_path))
    assert {e.name for e in projects(again(tmp_path))} == {"egret"}


def test_forgotten_line_leaves_no_key(tmp_path: Path) -> None:
    """
    The owner's word on a line goes with the line.
    """
    memory = worked(tmp_path)
    place(memory, line_of(memory, "blue drawer"), "heron", tmp_path)

    forget(
        again(tmp_path),
        Target(text="We decided to keep the spare keys in the blue drawer."),
    )

    told = list(again(tmp_path).journal.records("project"))
    assert [each["lines"] for each in told] == [[]]


def test_bank_has_a_page_of_the_project(tmp_path: Path) -> None:
    """
    What is about a project stands on its page, by whichever of its names it is asked for.
    """
    worked(tmp_path)
    folder = tmp_path / "work" / "heron"
    talk(tmp_path, 4, folder, "We decided to drop Windows 10, as nobody has it.", BYE)
    talk(
        tmp_path, 5, folder, "We decided to ship Heron on Fridays, as all are in.", BYE
    )
    sync(again(tmp_path))

    reflect(again(tmp_path))

    page = again(tmp_path).workspace.read("memory/bank/projects/heron.md")
    assert 'type: "project"' in page
    assert "PostgreSQL 16" in page
    assert "drop Windows 10" in page
    assert "MySQL" not in page
    (row,) = (each for each in projects(again(tmp_path)) if each.name == "heron")
    assert row.page == "memory/bank/projects/heron.md"
    first = query(again(tmp_path), "heron", Wish()).hits[0]
    assert (first.path, first.projects) == (row.page, ("heron",))


def test_talks_of_other_tools_bring_their_projects(tmp_path: Path) -> None:
    """
    Claude Code tells the folder, Claude.ai the name, and ChatGPT an id that is no name.
    """
    folder = repository(tmp_path / "heron", HERON)
    said = [("user", "We decided to keep the logs for 30 days, as it is law.")]
    said += [("assistant", "Noted."), ("user", BYE), ("assistant", "Bye.")]
    source = tmp_path / "code"
    write_folder(source, {"s.jsonl": code_session("s", said, cwd=str(folder))})
    talk = chatgpt_talk("t", said, gizmo_id="g-p-68ab12")
    write_zip(tmp_path / "chat.zip", {"conversations.json": [talk]})
    for each in ("code", "chat.zip"):
        import_from(open_memory(tmp_path, LATER), tmp_path / each)

    note = again(tmp_path).workspace.read("memory/2025-03-10.md")

    assert note.count("as it is law (about: heron)\n") == 1
    assert note.count("as it is law.\n") == 1
    names = {each.name for each in projects(again(tmp_path))}
    assert names == {"heron", "g-p-68ab12"}


def test_week_and_page_know_the_project_of_a_line(tmp_path: Path) -> None:
    """
    Two projects that decide the same differently both keep it, in the week and the page.
    """
    worked(tmp_path)
    later = open_memory(tmp_path, "2026-12-09T03:00:00+00:00")
    tidy(later)
    known, day = Known(later), date(2026, 11, 16)

    for path, tier in (
        ("MEMORY.md", Tier.LONG_TERM),
        ("memory/weekly/2026-11-16.md", Tier.WEEKLY),
    ):
        lines = later.workspace.read(path).splitlines()
        found = {
            word: {known.of_line(tier, day, line) for line in lines if word in line}
            for word in ("PostgreSQL", "MySQL 8, as", "blue drawer")
        }
        assert found["PostgreSQL"] == {HERON}
        assert found["MySQL 8, as"] == {EGRET}
        assert found["blue drawer"] == {""}


def test_encrypted_memory_tells_no_project_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    With its key it knows them as before; without one no file has a name of theirs.
    """
    memory = worked(tmp_path)
    with own_memory(memory.workspace.root):
        use_key(monkeypatch, KEY)
        switch_on(open_memory(tmp_path, LATER, ALL_NOTES))
        place(again(tmp_path), "31871d67", "Osprey", tmp_path)

        assert {e.name for e in projects(again(tmp_path))} == {
            *("heron", "egret"),
            "Osprey",
        }
        assert project_of(again(tmp_path), "PostgreSQL") == "heron"
        assert not holding(memory.workspace.root, "github.com/ada", "osprey")


def test_export_names_the_project_and_an_archive_keeps_it(tmp_path: Path) -> None:
    """
    An entry as data says its project, and so does the memory that an archive becomes.
    """
    memory = worked(tmp_path)

    export(memory, tmp_path / "entries", "jsonl")

    told = [e for e in records_in(tmp_path / "entries") if e["kind"] == "entry"]
    assert [each["project"] for each in told] == [
        *("heron", "heron"),
        *("egret", "egret"),
        *(None, None),
    ]
    export(memory, tmp_path / "all.zip", "archive")
    there = open_memory(tmp_path / "other", LATER)
    restore(there, tmp_path / "all.zip")
    assert [each.repository for each in projects(there)] == [
        each.repository for each in projects(memory)
    ]


def test_a_broken_record_is_no_project(tmp_path: Path) -> None:
    """
    What a hand or a crash left in the journal neither counts nor stops anything.
    """
    memory = worked(tmp_path)
    broken = [
        {"event": "captured", "project": 7, "entries": [{"line": 5}], "day": None},
        {"event": "project", "project": None, "action": "merge", "other": 3},
        {"event": "project", "project": "a", "action": "set", "lines": [None]},
        {"event": "project", "project": HERON, "action": "merge", "other": HERON},
    ]
    file = memory.workspace.layout.journal_file
    with file.open("a") as journal:
        journal.writelines(json.dumps(each) + "\n" for each in broken)

    names = {each.name for each in projects(again(tmp_path))}

    assert {"heron", "egret"} <= names
