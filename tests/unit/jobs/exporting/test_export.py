"""An export holds one memory, and nothing that must not leave it."""

from __future__ import annotations

import hashlib
import json
import re
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import jsonschema
import pytest
from builders import tree
from builders_encryption import ALL_NOTES, KEY, own_memory, use_key
from builders_exports import (
    every_form,
    everything_in,
    members,
    memory_in,
    records_in,
)
from builders_memory import NIGHT, captured, open_memory
from builders_scopes import CANARIES, LATER, OTHER, open_agent, populate

from strata.errors import PathNotAllowed, UsageError, WorkspaceUnavailable
from strata.jobs.encryption import switch_on
from strata.jobs.exporting.export import FORMS, export
from strata.jobs.forgetting.forget import forget
from strata.jobs.forgetting.target import Target
from strata.jobs.remember import remember
from strata.jobs.review import review
from strata.jobs.sync import sync
from strata.jobs.tidy import tidy, tidy_scopes
from strata.workspace.audit import AuditLog

if TYPE_CHECKING:
    from strata.memory import Memory

SCHEMA = Path(__file__).parents[4] / "docs" / "entries.schema.json"
DAILY = "memory/2026-11-20.md"
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
MORNING = "2026-11-21T09:00:00+00:00"


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """
    A memory on the morning after a night that wrote its page.
    """
    captured(tmp_path)
    tidy(open_memory(tmp_path, NIGHT))
    return open_memory(tmp_path, MORNING)


def test_notes_are_in_every_form(memory: Memory, tmp_path: Path) -> None:
    """
    Each form says what the notes say, and is its owner's alone to read.
    """
    found = every_form(memory, tmp_path / "out")

    for form in FORMS:
        assert "PostgreSQL 16, because the reports need ACID" in found[form]
        assert (tmp_path / "out" / form).stat().st_mode & 0o077 == 0
    assert memory_in(tmp_path / "out" / "markdown") == memory_in(memory.workspace.root)


def test_manifest_knows_each_file(memory: Memory, tmp_path: Path) -> None:
    """
    It tells the scope, the moment, the versions, and the SHA-256 of every other file.
    """
    export(memory, tmp_path / "a.zip")

    files = members(tmp_path / "a.zip")
    told = json.loads(files.pop("manifest.json"))
    assert told["kind"] == "strata-archive"
    assert told["version"] == 1
    assert (told["scope"], told["at"]) == ("private", MORNING)
    assert told["files"] == {
        name: {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
        for name, content in files.items()
    }
    assert files["journal.jsonl"] == memory.workspace.layout.journal_file.read_bytes()


def test_entries_follow_the_published_schema(memory: Memory, tmp_path: Path) -> None:
    """
    Each line is an entry or a line of the page as `docs/entries.schema.json` has it.
    """
    remember(memory, "The office closes at seven.")
    memory.workspace.update(
        DAILY, lambda text: f"{text}\n- By hand: water the cactus.\n"
    )
    memory.workspace.update("MEMORY.md", lambda text: f"{text}- By hand too.\n")
    review(memory, "pin", ["MEMORY.md:8"])
    check = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text("utf-8")))
    check.check_schema(check.schema)

    export(memory, tmp_path / "all", "jsonl")

    records = records_in(tmp_path / "all")
    assert [list(check.iter_errors(each)) for each in records] == [[]] * len(records)
    entries = {each["text"]: each for each in records if each["kind"] == "entry"}
    lines = {each["text"]: each for each in records if each["kind"] == "line"}
    kept = "We keep PostgreSQL 16, because the reports need ACID."
    (quoted,) = entries[kept]["evidence"]
    assert quoted["origin"] == "owner"
    assert quoted["sha256"] == hashlib.sha256(kept.encode()).hexdigest()
    assert [each["event"] for each in entries[kept]["verdicts"]] == ["promoted"]
    assert lines[kept]["entries"] == [entries[kept]["id"]]
    assert lines[kept]["days"] == ["2026-11-20"]
    assert entries["By hand: water the cactus."]["evidence"] == []
    assert entries["By hand: water the cactus."]["id"] == ""
    assert [each["event"] for each in lines["By hand too."]["verdicts"]] == ["adopted"]


def test_schema_refuses_what_is_none(memory: Memory, tmp_path: Path) -> None:
    """
    The schema is no empty promise: a field too many, or one too few, is told.
    """
    check = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text("utf-8")))
    export(memory, tmp_path / "all", "jsonl")

    for record in records_in(tmp_path / "all"):
        assert not check.is_valid(record | {"more": 1})
        for name in record:
            assert not check.is_valid({k: v for k, v in record.items() if k != name})


def test_page_runs_and_fetches_nothing(memory: Memory, tmp_path: Path) -> None:
    """
    Whatever a note says, the readable file has no script, and asks nobody for anything.
    """
    hostile = (
        "- <script>alert(1)</script> <img src=https://evil.example/x.png>\n"
        "- ![x](https://evil.example/y.png) [z](javascript:alert(2)) \u202eabc\n"
        "```\n</pre><iframe src=//evil.example></iframe>\n```\n"
    )
    memory.workspace.update(
        "memory/2026-11-19.md", lambda _: f"# 2026-11-19\n\n{hostile}"
    )

    export(memory, tmp_path / "all", "html")

    page = (tmp_path / "all").read_text("utf-8")
    assert "&lt;script&gt;alert(1)" in page
    assert "\u202e" not in page
    tags = re.findall(r"<([a-z][a-z0-9]*)((?:\s[^>]*)?)>", page)
    assert {name for name, _ in tags} <= {
        *("html", "head", "meta", "title", "style", "body", "main", "section"),
        *("article", "h1", "h2", "h3", "h4", "p", "ul", "li", "pre"),
    }
    attributes = {each for _, told in tags for each in re.findall(r"([\w-]+)=", told)}
    assert attributes <= {
        "lang",
        "charset",
        "name",
        "content",
        "http-equiv",
        "class",
    } | {
        # The values of the policy and of the viewport.
        *("width", "initial-scale"),
    }
    assert "url(" not in page
    assert "@import" not in page
    assert "default-src 'none'" in page


def test_secret_of_a_hand_leaves_as_placeholder(memory: Memory, tmp_path: Path) -> None:
    """
    What somebody wrote into a note by hand is masked in every form, and counted.
    """
    line = f"- The token of the runner is {SECRET}.\n"
    memory.workspace.update(DAILY, lambda text: text + line)
    memory.workspace.update("MEMORY.md", lambda text: text + line)

    found = every_form(memory, tmp_path / "out")
    report = export(memory, tmp_path / "again", with_index=True)

    assert not any(SECRET in told for told in found.values())
    assert all("⟦" in told for told in found.values())
    assert report.masked == 2
    # Its vectors were made of the secret.
    assert str(report.index).startswith("without the index")
    assert "index/vectors.sqlite" not in members(tmp_path / "again")
    assert SECRET in memory.workspace.read(DAILY)


def test_file_named_after_a_secret_stays(memory: Memory, tmp_path: Path) -> None:
    """
    Its name would tell it, so it is left out whole, and named with a placeholder.
    """
    path = f"memory/{SECRET}.md"
    memory.workspace.update(path, lambda _: "# Runner\n\n- It runs.\n")

    found = every_form(memory, tmp_path / "out")
    report = export(memory, tmp_path / "again")

    assert not any(SECRET in told or "It runs" in told for told in found.values())
    (left,) = report.left_out
    assert left.startswith("memory/⟦")


@pytest.mark.usefixtures("memory")
def test_what_is_never_stored_never_leaves(tmp_path: Path) -> None:
    """
    Today's `trust.never_store` holds for what stands from before.
    """
    strict = open_memory(tmp_path, MORNING, "trust.never_store=PostgreSQL")

    found = every_form(strict, tmp_path / "out")

    assert not any("PostgreSQL" in told for told in found.values())


def test_forgotten_is_in_no_form(memory: Memory, tmp_path: Path) -> None:
    """
    Neither is it where copies keep it, nor where a backup brought note and journal back.
    """
    before = {
        path: (memory.workspace.root / path).read_bytes()
        for path in ("MEMORY.md", DAILY, ".strata/journal.jsonl")
    }
    assert all(b"PostgreSQL" in content for content in before.values())
    forget(memory, Target(text="We keep PostgreSQL 16, because the reports need ACID."))

    at_once = every_form(open_memory(tmp_path, MORNING), tmp_path / "at once")
    for path, content in before.items():
        (memory.workspace.root / path).write_bytes(content)
    brought_back = every_form(open_memory(tmp_path, MORNING), tmp_path / "back")

    for found in (at_once, brought_back):
        assert not any("PostgreSQL" in told for told in found.values())
        assert all("pnpm" in told for told in found.values())


def test_file_named_after_what_was_forgotten_stays(
    memory: Memory, tmp_path: Path
) -> None:
    """
    A file of somebody's hand keeps its name, which is in no export.
    """
    memory.workspace.update(
        "memory/Cactus.md", lambda _: "# Plants\n\n- Two of them.\n"
    )
    memory.workspace.update(DAILY, lambda text: f"{text}- Cactus is ill.\n")
    forget(open_memory(tmp_path, MORNING), Target(entity="Cactus"))

    found = every_form(open_memory(tmp_path, MORNING), tmp_path / "out")
    report = export(open_memory(tmp_path, MORNING), tmp_path / "again")

    assert (memory.workspace.root / "memory" / "Cactus.md").exists()
    assert not any("Cactus" in told or "Two of" in told for told in found.values())
    assert report.left_out == ("memory/⟦forgotten⟧.md",)


def test_copies_are_not_exported(memory: Memory, tmp_path: Path) -> None:
    """
    Backups, what undo keeps, caches, the audit log and keys stay where they are.
    """
    memory.workspace.update(
        "memory/archive/MEMORY.md.bak-2026-11-01", lambda _: "copied"
    )
    memory.workspace.update("memory/sketch.svg", lambda _: "drawn")
    (memory.workspace.root / "memory" / ".hidden.md").write_text("hidden")

    report = export(memory, tmp_path / "a.zip")

    names = [
        name for name in members(tmp_path / "a.zip") if not name.startswith("notes/")
    ]
    assert sorted(names) == ["entries.jsonl", "journal.jsonl", "manifest.json"]
    told = everything_in(tmp_path / "a.zip")
    assert not any(words in told for words in ("copied", "drawn", "hidden"))
    assert report.left_out == ("memory/sketch.svg",)


def test_since_keeps_to_the_days(memory: Memory, tmp_path: Path) -> None:
    """
    Only notes of those days are read out, with their entries; an archive is whole.
    """
    old = "# 2026-11-03\n\n- Water the cactus.\n"
    memory.workspace.update("memory/2026-11-03.md", lambda _: old)

    for form in ("jsonl", "markdown", "html"):
        export(memory, tmp_path / form, form, since=date(2026, 11, 20))
        told = everything_in(tmp_path / form)
        assert "pnpm" in told
        assert "cactus" not in told
    with pytest.raises(UsageError, match="whole"):
        export(memory, tmp_path / "a.zip", since=date(2026, 11, 20))
    assert not (tmp_path / "a.zip").exists()


def test_export_changes_no_note(memory: Memory, tmp_path: Path) -> None:
    """
    Memory is the same afterwards, and the same again is exported.
    """
    before = memory_in(memory.workspace.root)
    first = every_form(memory, tmp_path / "first")

    second = every_form(memory, tmp_path / "second")

    assert memory_in(memory.workspace.root) == before
    assert first == second


@pytest.mark.parametrize("place", ["memory/out", ".strata/out", "scopes/out"])
def test_nothing_is_exported_into_memory(memory: Memory, place: str) -> None:
    """
    There a search would find it, or the next export.
    """
    target = memory.workspace.root / place
    target.parent.mkdir(exist_ok=True)

    with pytest.raises(PathNotAllowed):
        export(memory, target)

    assert not target.exists()


def test_what_is_there_is_asked_about_before_work(
    memory: Memory, tmp_path: Path
) -> None:
    """
    A file that is there stays until its owner says otherwise.
    """
    target = tmp_path / "a.zip"
    target.write_bytes(b"mine")

    with pytest.raises(WorkspaceUnavailable, match="--overwrite"):
        export(memory, target)
    assert target.read_bytes() == b"mine"
    export(memory, target, overwrite=True)

    assert "manifest.json" in members(target)


def test_audit_log_notes_it(memory: Memory, tmp_path: Path) -> None:
    """
    Who exported, and which files.
    """
    memory.watch_over("cli", "export")

    export(memory, tmp_path / "a.zip")

    (record,) = AuditLog(memory.workspace.layout.audit_folder).records()
    assert (record["who"], record["what"]) == ("cli", "export")
    assert record["read"] == ["MEMORY.md", DAILY]


def test_encrypted_memory_leaves_as_it_reads(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    With the key the notes and the journal are plain in it; the index is not in it.
    """
    use_key(monkeypatch, KEY)
    plain = every_form(memory, tmp_path / "plain")
    with own_memory(memory.workspace.root):
        chosen = open_memory(tmp_path, MORNING, ALL_NOTES)
        switch_on(chosen)
        encrypted = open_memory(tmp_path, MORNING, ALL_NOTES)
        assert b"pnpm" not in (memory.workspace.root / DAILY).read_bytes()

        found = every_form(encrypted, tmp_path / "out")
        report = export(encrypted, tmp_path / "again", with_index=True)

    assert found == plain
    assert "encrypted" in str(report.index)


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """
    The owner, two groups and another person have talked, and two nights have passed.
    """
    populate(tmp_path, era="files")
    sync(open_agent(tmp_path))
    later = open_agent(tmp_path, now=LATER)
    tidy(later)
    tidy_scopes(later)
    return tmp_path


def test_only_one_scope_leaves(world: Path) -> None:
    """
    Each memory's export has its own canary in every form, and nobody else's.
    """
    main = open_agent(world, now=LATER)
    scopes = {
        "main": main,
        "group1": main.within(main.scopes.find("group:-100123")),
        "group2": main.within(main.scopes.find("group:whatsapp:120363@g.us")),
        "other": main.within(main.scopes.find(f"user:{OTHER}")),
    }

    for whose, memory in scopes.items():
        for form, told in every_form(memory, world / whose).items():
            seen = {name for name, canary in CANARIES.items() if canary in told}
            assert (whose, form, seen) == (whose, form, {whose})


def test_links_lead_to_nobody_elses_memory(world: Path) -> None:
    """
    A note that is a link into a scope or into `.strata` stays where it is.
    """
    main = open_agent(world, now=LATER)
    theirs = main.scopes.place(main.scopes.find(f"user:{OTHER}"))
    notes = main.workspace.root / "memory"
    (notes / "theirs").symlink_to(theirs / "memory")
    (notes / "2026-11-01.md").symlink_to(next(theirs.rglob("2026*.md")))
    (notes / "journal.md").symlink_to(main.workspace.layout.journal_file)

    for told in every_form(main, world / "out").values():
        assert CANARIES["other"] not in told
    assert "journal.md" not in tree(world / "out" / "markdown")


def test_index_goes_along(memory: Memory, tmp_path: Path) -> None:
    """
    Asked for, the vectors of what is there are in the archive, where a model made any.
    """
    report = export(memory, tmp_path / "a.zip", with_index=True)

    assert report.index is None
    made = memory.index.shelf.vectors_file.exists()
    assert ("index/vectors.sqlite" in members(tmp_path / "a.zip")) == made
    with pytest.raises(UsageError, match="archive"):
        export(memory, tmp_path / "b", "html", with_index=True)
