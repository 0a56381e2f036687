"""An archive makes an empty workspace what it was written from, and harms no other."""

from __future__ import annotations

import json
import shutil
import zipfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from builders import tree
from builders_encryption import ALL_NOTES, KEY, own_memory, use_key
from builders_exports import everything_in, members, memory_in, rewritten
from builders_imports import LONG_AGO, MINUTE, chatgpt_talk, write_zip
from builders_memory import NIGHT, captured, open_memory
from builders_scopes import CANARIES, LATER, OTHER, open_agent, populate
from killing import run_killed_at

from strata.errors import NotAccepted, NotFound, SourceUnreadable, StrataError
from strata.jobs.deciding.verdict_list import statements
from strata.jobs.encryption import switch_on
from strata.jobs.exporting.export import export
from strata.jobs.exporting.restoring import holds_archive, restore
from strata.jobs.forgetting.forget import forget
from strata.jobs.forgetting.target import Target
from strata.jobs.importing.importing import import_from
from strata.jobs.query import Wish, query
from strata.jobs.reflect import reflect
from strata.jobs.remember import remember
from strata.jobs.sync import sync
from strata.jobs.tidy import tidy, tidy_scopes
from strata.jobs.trace import trace
from strata.jobs.undo import undo
from strata.jobs.update import update
from strata.workspace.layout import LONG_TERM, SHARED_COPIES
from strata.workspace.shared_pages import marked

if TYPE_CHECKING:
    from collections.abc import Callable

    from strata.memory import Memory

MORNING = "2026-11-21T09:00:00+00:00"
NEXT_NIGHT = "2026-12-04T03:00:00+00:00"
DAILY = "memory/2026-11-20.md"
RULE = "From now on always use pnpm, never npm, in acme-dashboard."
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
LATER_TALK = LONG_AGO + 99 * MINUTE
KEPT = "We keep PostgreSQL 16, because the reports need ACID."
QUESTIONS = ("which database do we keep", "pnpm or npm", "when does the office close")
RESTORING = """
import sys
from pathlib import Path
from builders_memory import open_memory
from strata.jobs.exporting.restoring import restore
restore(open_memory(Path(sys.argv[1]), sys.argv[2]), Path(sys.argv[3]))
"""


def lived_in(root: Path) -> Memory:
    """
    The memory of *root* after a talk, a night, a word of the owner's and a page by hand.
    """
    captured(root)
    remember(open_memory(root), "The office closes at seven.")
    tidy(open_memory(root, NIGHT))
    memory = open_memory(root, MORNING)
    memory.workspace.update(
        "memory/cactus.md", lambda _: "# Cactus\r\n\n- Water \udcff it."
    )
    reflect(memory)
    return memory


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """
    The root of a memory, with its archive beside the workspace.
    """
    root = tmp_path_factory.mktemp("origin")
    export(lived_in(root), root / "a.zip", with_index=True)
    return root


@pytest.fixture
def archive(origin: Path, tmp_path: Path) -> Path:
    """
    A copy of the archive.
    """
    copy = tmp_path / "a.zip"
    copy.write_bytes((origin / "a.zip").read_bytes())
    return copy


@pytest.fixture
def elsewhere(tmp_path: Path) -> Memory:
    """
    A new workspace, of another OpenClaw.
    """
    return open_memory(tmp_path / "elsewhere", MORNING)


def answers(memory: Memory) -> list[list[tuple[str, str, float]]]:
    """
    What *memory* answers to some questions, once all is indexed.
    """
    update(memory)
    return [
        [(hit.citation, hit.snippet, round(hit.score, 6)) for hit in answered.hits]
        for answered in (query(memory, each, Wish()) for each in QUESTIONS)
    ]


def test_notes_page_and_answers_are_the_same(
    origin: Path, archive: Path, elsewhere: Memory, tmp_path: Path
) -> None:
    """
    Elsewhere every note is the same to the byte, and so is every answer.
    """
    report = restore(elsewhere, archive)

    there = open_memory(tmp_path / "elsewhere", MORNING)
    here = open_memory(origin, MORNING)
    assert memory_in(there.workspace.root) == memory_in(here.workspace.root)
    assert report.notes == len(memory_in(here.workspace.root))
    assert answers(there) == answers(here)
    assert all(answers(there))


def test_verdicts_and_trails_are_the_same(
    origin: Path, archive: Path, elsewhere: Memory, tmp_path: Path
) -> None:
    """
    What was decided is known elsewhere, and a line leads back to its conversation.
    """
    restore(elsewhere, archive)

    there = open_memory(tmp_path / "elsewhere", MORNING)
    here = open_memory(origin, MORNING)
    assert statements(there) == statements(here)
    (trail,) = trace(there, KEPT).trails
    (known,) = trace(here, KEPT).trails
    assert trail.session == known.session != ""
    assert [each.sha256 for each in trail.words] == [e.sha256 for e in known.words]
    assert [each.state for each in trail.words] == ["unreadable"]


def test_next_night_writes_the_same_page(elsewhere: Memory, tmp_path: Path) -> None:
    """
    After a fortnight both fold their history to the same weeks and the same MEMORY.md.
    """
    own = tmp_path / "own"
    export(lived_in(own), tmp_path / "own.zip")
    restore(elsewhere, tmp_path / "own.zip")

    for root in (own, tmp_path / "elsewhere"):
        tidy(open_memory(root, NEXT_NIGHT))

    here, there = own / "workspace", tmp_path / "elsewhere" / "workspace"
    assert memory_in(there) == memory_in(here)
    assert (there / "memory" / "archive" / "2026" / "2026-11-20.md").exists()


def test_conversations_that_come_along_are_known(
    elsewhere: Memory, tmp_path: Path
) -> None:
    """
    Where OpenClaw's own files were moved as well, a sync finds nothing new in them.
    """
    own = tmp_path / "own"
    export(lived_in(own), tmp_path / "own.zip")
    shutil.copytree(own / "state", tmp_path / "elsewhere" / "state", dirs_exist_ok=True)
    restore(elsewhere, tmp_path / "own.zip")

    report = sync(open_memory(tmp_path / "elsewhere", MORNING))

    assert report.captured == []
    notes = memory_in(tmp_path / "elsewhere" / "workspace")
    assert notes == memory_in(own / "workspace")
    (trail,) = trace(open_memory(tmp_path / "elsewhere", MORNING), KEPT).trails
    assert [each.state for each in trail.words] == ["ok"]


def test_talks_of_other_tools_come_along(elsewhere: Memory, tmp_path: Path) -> None:
    """
    Strata alone has them: they move, are known, lead back to the words, and can be undone.
    """
    own = tmp_path / "own"
    talk = chatgpt_talk("t1", [("user", KEPT), ("user", RULE), ("assistant", "Ok.")])
    said = [("user", f"The token of the runner is {SECRET}."), ("assistant", "Ok.")]
    told = {"conversations.json": [talk, chatgpt_talk("t2", said, at=LATER_TALK)]}
    memory = open_memory(own, MORNING)
    import_from(memory, write_zip(tmp_path / "chatgpt.zip", told))
    export(open_memory(own, MORNING), tmp_path / "own.zip")
    names = [
        name for name in members(tmp_path / "own.zip") if name.startswith("talks/")
    ]

    report = restore(elsewhere, tmp_path / "own.zip")

    there = open_memory(tmp_path / "elsewhere", MORNING)
    assert (len(names), report.talks) == (2, 2)
    assert SECRET not in everything_in(tmp_path / "own.zip")
    assert sync(there).captured == []
    assert memory_in(there.workspace.root) == memory_in(memory.workspace.root)
    (trail,) = trace(open_memory(tmp_path / "elsewhere", MORNING), KEPT).trails
    assert [each.state for each in trail.words] == ["ok"]
    undo(open_memory(tmp_path / "elsewhere", MORNING))
    assert list(there.workspace.layout.imported_folder.rglob("*.jsonl")) == []


def test_forgotten_is_in_no_talk_of_an_archive(tmp_path: Path) -> None:
    """
    Neither where it was exported, nor where an older archive is restored.
    """
    own = tmp_path / "own"
    talk = chatgpt_talk("t1", [("user", KEPT), ("user", RULE), ("assistant", "Ok.")])
    source = write_zip(tmp_path / "chatgpt.zip", {"conversations.json": [talk]})
    import_from(open_memory(own, MORNING), source)
    export(open_memory(own, MORNING), tmp_path / "before.zip")
    kept = tree(own / "workspace" / ".strata" / "imported")
    forget(open_memory(own, MORNING), Target(text=KEPT))
    for path, content in kept.items():
        (own / "workspace" / ".strata" / "imported" / path).write_bytes(content)

    export(open_memory(own, MORNING), tmp_path / "after.zip")
    shutil.rmtree(own / "workspace" / ".strata" / "imported")
    shutil.rmtree(own / "workspace" / "memory")
    (own / "workspace" / ".strata" / "journal.jsonl").unlink()
    restore(open_memory(own, MORNING), tmp_path / "before.zip")

    assert "PostgreSQL" in everything_in(tmp_path / "before.zip")
    after = everything_in(tmp_path / "after.zip")
    restored = tree(own / "workspace" / ".strata" / "imported")
    assert "PostgreSQL" not in after
    assert "pnpm" in after
    assert not any(b"PostgreSQL" in content for content in restored.values())
    assert any(b"pnpm" in content for content in restored.values())


def test_vectors_come_along(origin: Path, archive: Path, elsewhere: Memory) -> None:
    """
    What was embedded is not embedded again, where the archive was made with its vectors.
    """
    with zipfile.ZipFile(archive) as opened:
        stored = "index/vectors.sqlite" in opened.namelist()

    report = restore(elsewhere, archive)

    file = elsewhere.workspace.layout.index_folder / "vectors.sqlite"
    assert report.vectors == stored == file.exists()
    if stored:
        assert (
            file.read_bytes()
            == open_memory(origin).index.shelf.vectors_file.read_bytes()
        )


def test_same_archive_again_adds_nothing(
    archive: Path, elsewhere: Memory, tmp_path: Path
) -> None:
    """
    It is known again, also after the restored memory has gone on.
    """
    first = restore(elsewhere, archive)
    before = tree(elsewhere.workspace.root, without=".strata/locks")

    second = restore(open_memory(tmp_path / "elsewhere", MORNING), archive)

    assert first.notes > 0
    assert (second.notes, second.run) == (0, "")
    assert tree(elsewhere.workspace.root, without=".strata/locks") == before


def test_undo_takes_it_back(archive: Path, elsewhere: Memory, tmp_path: Path) -> None:
    """
    One run undoes it, pages of the bank too, and it can be restored anew.
    """
    first = restore(elsewhere, archive)
    whole = memory_in(elsewhere.workspace.root)

    report = undo(open_memory(tmp_path / "elsewhere", MORNING))

    assert report.run.id == first.run
    assert memory_in(elsewhere.workspace.root) == {}
    restore(open_memory(tmp_path / "elsewhere", MORNING), archive)
    assert memory_in(elsewhere.workspace.root) == whole


@pytest.mark.parametrize("step", [1, 3, 7, 12, 20, 30])
def test_killed_restoring_goes_on(
    origin: Path, archive: Path, tmp_path: Path, step: int
) -> None:
    """
    Wherever it is killed, the next one makes the workspace the same as without.
    """
    root = tmp_path / "elsewhere"
    (root / "workspace").mkdir(parents=True)
    given = (str(root), MORNING, str(archive))

    killed = run_killed_at(step, root / "workspace", RESTORING, *given)
    restore(open_memory(root, MORNING), archive)

    assert killed
    assert memory_in(root / "workspace") == memory_in(origin / "workspace")
    journal = open_memory(origin).workspace.layout.journal_file.read_bytes()
    assert open_memory(root).workspace.layout.journal_file.read_bytes() == journal


def test_dry_run_writes_nothing(archive: Path, elsewhere: Memory) -> None:
    """
    It says how many notes would come.
    """
    report = restore(elsewhere, archive, dry_run=True)

    assert report.notes > 0
    assert memory_in(elsewhere.workspace.root) == {}
    assert not elsewhere.workspace.layout.journal_file.exists()


def test_memory_that_is_there_is_left_alone(archive: Path, tmp_path: Path) -> None:
    """
    A workspace with a note, a page or a history of its own is named, and not changed.
    """
    for name, path in (("a", "memory/2026-11-19.md"), ("b", LONG_TERM), ("c", DAILY)):
        memory = open_memory(tmp_path / name, MORNING)
        memory.workspace.update(path, lambda _: "- mine\n")
        with pytest.raises(NotAccepted, match=path):
            restore(memory, archive)
        assert memory_in(memory.workspace.root) == {path: b"- mine\n"}
    talked = captured(tmp_path / "d")
    talked.workspace.remove(DAILY, text=talked.workspace.read(DAILY))
    with pytest.raises(NotAccepted, match="journal"):
        restore(talked, archive)


def test_what_other_agents_share_is_no_memory_of_its_own(
    archive: Path, elsewhere: Memory
) -> None:
    """
    Their copies lie in a workspace before anything of its own does.
    """
    shared = f"{SHARED_COPIES}/shared.md"
    page = f"{marked('Shared')}\n\n- The office closes at 6 pm.\n"
    elsewhere.workspace.update(shared, lambda _: page)

    report = restore(elsewhere, archive)

    assert report.notes
    assert "6 pm" in elsewhere.workspace.read(shared)


def test_openclaws_own_page_is_left_alone(origin: Path, tmp_path: Path) -> None:
    """
    A new workspace has a USER.md of OpenClaw's; it stays, and the report says so.
    """
    memory = open_memory(origin, MORNING)
    memory.workspace.update("USER.md", lambda _: "Kim\n")
    export(memory, tmp_path / "a.zip")
    memory.workspace.remove("USER.md", text="Kim\n")
    new = open_memory(tmp_path / "new", MORNING)
    fresh = open_memory(tmp_path / "fresh", MORNING)
    new.workspace.update("USER.md", lambda _: "a form to fill in\n")

    told = restore(new, tmp_path / "a.zip")
    quiet = restore(fresh, tmp_path / "a.zip")

    assert new.workspace.read("USER.md") == "a form to fill in\n"
    assert fresh.workspace.read("USER.md") == "Kim\n"
    assert any("USER.md" in each for each in told.remarks)
    assert quiet.remarks == []


def test_upkeep_is_no_history(archive: Path, elsewhere: Memory) -> None:
    """
    A journal that tells of nothing but its own upkeep is in nobody's way.
    """
    elsewhere.journal.append([{"event": "rescanned", "version": 1, "lines": 0}])

    assert restore(elsewhere, archive).notes > 0
    assert [r["lines"] for r in elsewhere.journal.records("rescanned")][-1] == 0


def flipped(name: str, files: dict[str, bytes]) -> None:
    files[name] = files[name][:-1] + bytes([files[name][-1] ^ 1])


def lacking(name: str, files: dict[str, bytes]) -> None:
    del files[name]


def with_file(name: str, files: dict[str, bytes]) -> None:
    files[name] = b"- theirs\n"


def with_told(told: dict[str, Any], manifest: dict[str, Any]) -> None:
    manifest.update(told)


@pytest.mark.parametrize(
    ("change", "sealed", "expected"),
    [
        (partial(flipped, "notes/MEMORY.md"), False, "notes/MEMORY.md is not what"),
        (partial(flipped, "journal.jsonl"), False, "journal.jsonl is not what"),
        (partial(lacking, "notes/MEMORY.md"), False, "notes/MEMORY.md is not what"),
        (partial(with_file, "notes/memory/2026-11-19.md"), False, "does not name"),
        (partial(with_file, "../../evil.md"), True, "evil.md"),
        (partial(with_file, "notes/../AGENTS.md"), True, "AGENTS.md"),
        (partial(with_file, "notes/memory/../../AGENTS.md"), True, "AGENTS.md"),
        (partial(with_file, "notes/memory\\..\\..\\AGENTS.md"), True, "AGENTS.md"),
        (partial(with_file, "notes/AGENTS.md"), True, "AGENTS.md"),
        (partial(with_file, "notes//etc/cron.md"), True, "cron.md"),
        (partial(with_file, "notes/memory/.hidden/x.md"), True, "hidden"),
        (partial(with_file, "notes/.strata/config.toml"), True, "config.toml"),
        (partial(with_file, "notes/memory/encryption.json"), True, "encryption.json"),
        (partial(with_file, "config.toml"), True, "config.toml"),
        (partial(with_file, "index/points/x"), True, "points"),
        (partial(with_file, "talks/../../config.toml"), True, "config.toml"),
        (partial(with_file, "talks/chatgpt/x.jsonl"), True, "x.jsonl"),
        (partial(with_file, "/etc/passwd"), True, "passwd"),
    ],
)
def test_changed_archive_is_refused(
    archive: Path,
    elsewhere: Memory,
    change: Callable[[dict[str, bytes]], None],
    sealed: bool,  # noqa: FBT001 - a case
    expected: str,
) -> None:
    """
    A flipped byte, a missing or a strange file, one that leads out: one line, and no file.
    """
    rewritten(archive, change, sealed=sealed)
    before = tree(elsewhere.workspace.root.parent)

    with pytest.raises(SourceUnreadable, match=expected):
        restore(elsewhere, archive)

    assert tree(elsewhere.workspace.root.parent) == before


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({"version": 2, "strata": "9.9"}, r"newer Strata \(9\.9\)"),
        ({"version": "x"}, "no archive"),
        ({"kind": "another"}, "no archive"),
        ({"files": []}, "no archive"),
        ({"files": {"notes/MEMORY.md": 1}}, "no archive"),
        ({"at": "yesterday"}, "no archive"),
        ({"at": 5}, "no archive"),
        ({"scope": "group:telegram-3f2a"}, "--scope"),
    ],
)
def test_manifest_that_is_none_is_refused(
    archive: Path, elsewhere: Memory, told: dict[str, Any], expected: str
) -> None:
    """
    One of a newer Strata says to update, a broken one to export again.
    """
    rewritten(archive, dict, partial(with_told, told))

    with pytest.raises(StrataError, match=expected):
        restore(elsewhere, archive)

    assert memory_in(elsewhere.workspace.root) == {}


def test_cut_and_swollen_archives_are_refused(
    archive: Path, elsewhere: Memory, tmp_path: Path
) -> None:
    """
    A download that broke off, and a zip that would fill the disk, are told as such.
    """
    content = archive.read_bytes()
    for length in (0, 10, len(content) // 2, len(content) - 1):
        (tmp_path / "cut.zip").write_bytes(content[:length])
        with pytest.raises(SourceUnreadable):
            restore(elsewhere, tmp_path / "cut.zip")
    rewritten(archive, lambda files: files.update({"entries.jsonl": bytes(80_000_000)}))
    with pytest.raises(SourceUnreadable, match="would grow"):
        restore(elsewhere, archive)
    for other in ("nothing.zip", "workspace"):
        with pytest.raises(SourceUnreadable):
            restore(elsewhere, tmp_path / other)

    assert memory_in(elsewhere.workspace.root) == {}


def test_archives_are_told_from_other_exports(archive: Path, tmp_path: Path) -> None:
    """
    By the manifest, in a zip and in a folder; a manifest of something else is none.
    """
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(tmp_path / "unpacked")
    (tmp_path / "manifest.json").write_text(json.dumps({"kind": "extension"}))
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as other:
        other.writestr("manifest.json", '{"name": "strata"}')

    assert holds_archive(archive)
    assert holds_archive(tmp_path / "unpacked")
    assert not holds_archive(tmp_path / "other.zip")
    assert not holds_archive(tmp_path / "manifest.json")


def test_unpacked_archive_is_one_too(
    origin: Path, archive: Path, elsewhere: Memory, tmp_path: Path
) -> None:
    """
    Whoever had to unpack it imports the folder.
    """
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(tmp_path / "unpacked")

    restore(elsewhere, tmp_path / "unpacked")

    assert memory_in(elsewhere.workspace.root) == memory_in(origin / "workspace")


def test_forgotten_here_does_not_come_back(tmp_path: Path) -> None:
    """
    An archive from before a forgetting brings nothing of it back, in no file.
    """
    root = tmp_path / "own"
    memory = lived_in(root)
    export(memory, tmp_path / "before.zip")
    forget(open_memory(root, MORNING), Target(text=KEPT))
    for path in memory_in(memory.workspace.root):
        (memory.workspace.root / path).unlink()
    memory.workspace.layout.journal_file.unlink()

    report = restore(open_memory(root, MORNING), tmp_path / "before.zip")

    assert report.notes > 0
    holding = [
        path
        for path, content in tree(memory.workspace.root).items()
        if b"PostgreSQL" in content
    ]
    assert holding == []
    assert "pnpm" in open_memory(root).workspace.read(LONG_TERM)


def test_encrypted_workspace_takes_it_encrypted(
    origin: Path, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    What was exported plain lies encrypted again where its new owner encrypts.
    """
    use_key(monkeypatch, KEY)
    memory = open_memory(tmp_path / "locked", MORNING, ALL_NOTES)
    with own_memory(memory.workspace.root):
        (memory.workspace.root / "memory").mkdir()
        switch_on(memory)
        restore(open_memory(tmp_path / "locked", MORNING, ALL_NOTES), archive)

        there = open_memory(tmp_path / "locked", MORNING, ALL_NOTES)
        holding = [
            path
            for path, content in tree(there.workspace.root).items()
            if b"PostgreSQL" in content
        ]
        assert holding == [LONG_TERM]
        assert there.workspace.read(DAILY) == open_memory(origin).workspace.read(DAILY)


def test_scopes_stay_apart(tmp_path: Path) -> None:
    """
    A person's memory is put into a person's alone, and the owner's into the owner's.
    """
    populate(tmp_path, era="files")
    sync(open_agent(tmp_path))
    tidy_scopes(open_agent(tmp_path, now=LATER))
    main = open_agent(tmp_path, now=LATER)
    theirs = main.within(main.scopes.find(f"user:{OTHER}"))
    group = main.within(main.scopes.find("group:-100123"))
    export(theirs, tmp_path / "theirs.zip")
    export(main, tmp_path / "mine.zip")
    new = open_memory(tmp_path / "new", LATER)
    person = new.within("user:whatsapp-0123456789abcdef0123")

    for target, source in (
        (new, "theirs.zip"),
        (group, "theirs.zip"),
        (person, "mine.zip"),
    ):
        with pytest.raises(NotAccepted):
            restore(target, tmp_path / source)
    restore(person, tmp_path / "theirs.zip")

    assert memory_in(person.workspace.root) == memory_in(theirs.workspace.root)
    assert CANARIES["other"] in " ".join(
        person.workspace.read(path) for path in memory_in(person.workspace.root)
    )
    assert memory_in(new.workspace.root) == {}


def test_other_clock_and_model_are_told(archive: Path, tmp_path: Path) -> None:
    """
    What may change an answer here is said, and hinders nothing.
    """
    other = open_memory(tmp_path / "other", MORNING, "timezone=Asia/Shanghai")

    report = restore(other, archive)

    (remark,) = report.remarks
    assert "UTC" in remark
    assert "Asia/Shanghai" in remark


def test_nothing_is_undone_where_nothing_was_put(elsewhere: Memory) -> None:
    """
    A refused archive leaves no run behind.
    """
    with pytest.raises(SourceUnreadable):
        restore(elsewhere, Path("nowhere"))
    with pytest.raises(NotFound):
        undo(elsewhere)
