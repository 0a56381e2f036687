"""`strata export`: what its owner is told, is asked, and may name."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from builders_encryption import KEY, own_memory, use_key
from builders_exports import everything_in, members
from builders_memory import NOON, captured, open_memory
from builders_scopes import CANARIES, LATER, OTHER, open_agent, populate

from strata import warm
from strata.cli import run
from strata.jobs.encryption import switch_on
from strata.jobs.sync import sync

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """
    A memory, and an empty folder in which its owner stands.
    """
    captured(tmp_path)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


def options(root: Path) -> list[str]:
    given = ["--workspace", str(root / "workspace"), "--state-dir", str(root / "state")]
    return [*given, "--now", NOON, "--set", "timezone=UTC"]


def test_archive_of_the_day_is_the_default(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    It lies where the owner stands, named by format and day, and the scan is told.
    """
    assert run([*options(root), "export"]) == 0

    (file,) = (root / "here").iterdir()
    assert file.name == "strata-archive-2026-11-20.zip"
    told = capsys.readouterr().out
    assert "1 note and 2 entries in " in told
    assert "no secret in it, and nothing that was forgotten" in told


def test_folder_or_name_can_be_given(root: Path) -> None:
    """
    A folder gets a file of that name in it; another path is the file itself.
    """
    assert run([*options(root), "export", "--format", "jsonl", str(root / "here")]) == 0
    assert run([*options(root), "export", "--format", "html", "page.html"]) == 0
    assert run([*options(root), "export", "--format", "markdown", "notes"]) == 0

    names = sorted(each.name for each in (root / "here").iterdir())
    assert names == ["notes", "page.html", "strata-jsonl-2026-11-20.jsonl"]


def test_what_was_masked_and_left_is_told(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    The number of lines, never the secret; what is no note by its name.
    """
    note = root / "workspace" / "memory" / "2026-11-20.md"
    note.write_text(f"{note.read_text()}- The token of the runner is {SECRET}.\n")
    for number in range(5):
        (note.parent / f"{number}.png").write_bytes(b"\0")

    run([*options(root), "export"])
    told = capsys.readouterr().out
    run([*options(root), "--json", "export", "again.zip"])
    document = json.loads(capsys.readouterr().out)

    assert "1 line held a secret" in told
    assert "memory/0.png, memory/1.png, memory/2.png, and 2 more" in told
    assert (document["masked"], len(document["left_out"])) == (1, 5)
    assert document["path"] == str(root / "here" / "again.zip")
    assert SECRET not in told


def test_encrypted_memory_is_decrypted_by_its_owners_word_alone(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Nobody who could answer: nothing leaves without --yes, and what it means is said.
    """
    use_key(monkeypatch, KEY)
    with own_memory(root / "workspace"):
        switch_on(open_memory(root))

        assert run([*options(root), "export"]) == 1
        refused = capsys.readouterr().err
        assert not any((root / "here").iterdir())
        assert run([*options(root), "export", "--yes"]) == 0
        agreed = capsys.readouterr().err

    for told in (refused, agreed):
        assert "memory is encrypted, and what is exported is not" in told
    assert "--yes" in refused
    (file,) = (root / "here").iterdir()
    assert b"pnpm" in members(file)["notes/memory/2026-11-20.md"]


def test_without_the_key_nothing_leaves(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    One line says which key is missing, with the exit code of that.
    """
    use_key(monkeypatch, KEY)
    with own_memory(root / "workspace"):
        switch_on(open_memory(root))
        use_key(monkeypatch)

        assert run([*options(root), "export", "--yes"]) == 77

    (line,) = capsys.readouterr().err.splitlines()
    assert "STRATA_KEY" in line
    assert not any((root / "here").iterdir())


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """
    The owner, groups and another person have talked; an empty folder to stand in.
    """
    populate(tmp_path, era="files")
    sync(open_agent(tmp_path))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(tmp_path / "state"))
    return tmp_path


def in_world(*more: str) -> list[str]:
    return ["--agent", "main", "--now", LATER, "--set", "capture.groups=true", *more]


def test_everything_about_a_person_is_one_file(world: Path) -> None:
    """
    Named by the owner, another person's memory alone is on the page to be handed over.
    """
    scope = ["--scope", f"user:whatsapp:{OTHER}"]

    assert run(in_world(*scope, "export", "--format", "html")) == 0

    (page,) = (world / "here").iterdir()
    assert page.name.startswith("strata-html-user-whatsapp-")
    assert OTHER.strip("+") not in page.name
    told = page.read_text("utf-8")
    assert {who for who, canary in CANARIES.items() if canary in told} == {"other"}


@pytest.mark.parametrize("now", ["1971-01-02T03:04:05+00:00", "8000-12-31T23:00:00Z"])
def test_odd_names_and_clocks_hinder_nothing(
    root: Path, capsys: pytest.CaptureFixture[str], now: str
) -> None:
    """
    A name that is no Unicode is told as far as it can be; a zip knows few years.
    """
    (root / "workspace" / "memory" / "b\udcff.png").write_bytes(b"\0")
    given = [*options(root), "--now", now]

    assert run([*given, "export", "a.zip"]) == 0
    assert run([*given, "--json", "export", "b.zip"]) == 0

    line = capsys.readouterr().out.splitlines()[-1]
    assert json.loads(line)["left_out"] == ["memory/b .png"]
    assert "notes/memory/2026-11-20.md" in members(root / "here" / "a.zip")


@pytest.mark.parametrize("form", ["archive", "jsonl", "markdown", "html"])
def test_private_is_what_nobody_named(world: Path, form: str) -> None:
    """
    Without a scope it is the owner's own memory, in which is nothing of anybody else's.
    """
    assert run(in_world("export", "out", "--format", form)) == 0

    told = everything_in(world / "here" / "out")
    assert {who for who, canary in CANARIES.items() if canary in told} == {"main"}


@pytest.mark.parametrize(
    ("chat", "scope"),
    [
        (OTHER, []),
        (OTHER, ["--scope", "private"]),
        ("-100123", []),
        ("-100123", ["--scope", "group:-100123"]),
        ("-100123", ["--scope", f"user:{OTHER}"]),
    ],
)
def test_nobody_else_exports_anything(
    world: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    chat: str,
    scope: list[str],
) -> None:
    """
    A command that is run in another's conversation gets one line, and no file.
    """
    told = {"sender": {"id": OTHER}, "chat": {"id": chat}}
    monkeypatch.setenv(warm.SHELL, "exec")
    monkeypatch.setenv(warm.CHANNEL, json.dumps(told))

    assert run(in_world(*scope, "export", "--format", "html")) == 1

    assert not any((world / "here").iterdir())
    assert len(capsys.readouterr().err.splitlines()) == 1
