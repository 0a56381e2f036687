"""What is encrypted comes back as it was, under its own name and key, or not at all."""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING

import pytest
from builders_encryption import KEY, OTHER, PHRASE, holding, own_memory, use_key
from builders_memory import captured, open_memory

from strata.errors import DecryptionFailed, KeyUnavailable, StrataError, UsageError
from strata.jobs.encryption import switch_on
from strata.jobs.forgetting.forget import forget
from strata.jobs.forgetting.target import Target
from strata.jobs.remember import remember
from strata.jobs.sync import sync
from strata.model.cache import Cache
from strata.workspace import stored, vault
from strata.workspace.ciphers import Cipher
from strata.workspace.files import Workspace
from strata.workspace.forms import is_encrypted
from strata.workspace.journal import Journal
from strata.workspace.recalls import Recalls
from strata.workspace.vault import UserKey, new_vault, read_vault

if TYPE_CHECKING:
    from pathlib import Path

WORDS = "- 保留 PostgreSQL 16 作为唯一的数据库 canary-quokka\n"
CACHE = ".strata/cache"
NOTE = "memory/2026-11-20.md"


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """
    An encrypted workspace in which all notes are chosen.
    """
    use_key(monkeypatch, KEY)
    return encrypted(tmp_path, KEY)


def encrypted(root: Path, key: str) -> Workspace:
    (root / "memory").mkdir(exist_ok=True)
    made, _ = new_vault(UserKey(key, "the test"))
    (root / "memory/encryption.json").write_text(made.text(), "utf-8")
    workspace = Workspace(root)
    workspace.encrypted_notes = ("memory/*",)
    return workspace


def test_note_is_read_and_written_as_if_it_were_plain(workspace: Workspace) -> None:
    """
    On the disk stands a line for people and base64; `read` and `update` know the words.
    """
    workspace.update(NOTE, lambda _: WORDS)

    content = (workspace.root / NOTE).read_bytes()
    assert content.startswith(b"strata-encrypted-1 ")
    assert "strata get PATH" in content.decode().splitlines()[0]
    assert holding(workspace.root, "canary-quokka", "数据库") == []
    assert workspace.read(NOTE) == WORDS
    assert not workspace.update(NOTE, lambda text: text)
    assert workspace.update(NOTE, lambda text: text + "- more\n")
    assert workspace.read(NOTE) == f"{WORDS}- more\n"


def test_note_stays_encrypted_where_it_moves(workspace: Workspace) -> None:
    """
    In the archive it is read, changed and found encrypted, also when no pattern fits.
    """
    workspace.update(NOTE, lambda _: WORDS)
    workspace.encrypted_notes = (NOTE,)

    workspace.move(NOTE, "memory/archive/2026/2026-11-20.md")
    moved = "memory/archive/2026/2026-11-20.md"
    workspace.update(moved, lambda text: text * 2)

    assert workspace.read(moved) == WORDS * 2
    assert is_encrypted((workspace.root / moved).read_bytes())


@pytest.mark.parametrize(
    "path",
    [
        *("MEMORY.md", "AGENTS.md", "memory/encryption.json", "memory/state.json"),
        *("memory/.dreams/events.jsonl", "notes/a.md"),
    ],
)
def test_other_files_stay_plain(workspace: Workspace, path: str) -> None:
    """
    What OpenClaw itself reads, and what other programs keep beside notes, is not touched.
    """
    assert not workspace.is_chosen(path)


@pytest.mark.parametrize("place", ["before", "after"])
def test_what_others_add_to_an_encrypted_note_counts(
    workspace: Workspace, place: str
) -> None:
    """
    An agent that appends to a note it cannot read loses nothing, and neither do we.
    """
    workspace.update(NOTE, lambda _: WORDS)
    file = workspace.root / NOTE
    added, content = "- 加的一行 from the agent\n".encode(), file.read_bytes()
    parts = [added, content] if place == "before" else [content, added]
    file.write_bytes(b"".join(parts))

    said = workspace.read(NOTE)
    workspace.recode(NOTE)

    assert sorted(said.splitlines()) == sorted((WORDS + added.decode()).splitlines())
    assert workspace.read(NOTE) == said
    assert holding(workspace.root, "from the agent") == []


def test_windows_line_ends_do_no_harm(workspace: Workspace) -> None:
    """
    Git may change line ends on the way; the note is read all the same.
    """
    workspace.update(NOTE, lambda _: WORDS)
    file = workspace.root / NOTE
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))

    assert workspace.read(NOTE) == WORDS


def test_every_flipped_byte_is_noticed(workspace: Workspace) -> None:
    """
    Not one byte of an encrypted note can change without the file being named.
    """
    workspace.update(NOTE, lambda _: WORDS)
    file = workspace.root / NOTE
    content = file.read_bytes()

    for place in range(len(content.rstrip(b"\n"))):
        changed = bytearray(content)
        changed[place] ^= 1
        file.write_bytes(bytes(changed))
        with pytest.raises(StrataError, match=r"2026-11-20\.md"):
            workspace.read(NOTE)


def test_note_of_another_day_cannot_take_its_place(workspace: Workspace) -> None:
    """
    What was encrypted as one file is not read as another.
    """
    workspace.update(NOTE, lambda _: WORDS)
    (workspace.root / NOTE).rename(workspace.root / "memory/2026-11-21.md")

    with pytest.raises(DecryptionFailed, match="renamed"):
        workspace.read("memory/2026-11-21.md")


def test_private_file_is_encrypted_whole(workspace: Workspace) -> None:
    """
    A cache is nothing but ciphertext; settings, events and the audit log stay as they are.
    """
    private = workspace.layout.private
    for name in ("cache/sync.json", "spool/1.json", "config.toml", "backups/AGENTS.md"):
        workspace.write_private(private / name, WORDS.encode())

    plain = [".strata/backups/AGENTS.md", ".strata/config.toml", ".strata/spool/1.json"]
    assert holding(workspace.root, "canary-quokka") == plain
    assert stored.read(private / "cache/sync.json") == WORDS.encode()


def test_journal_is_appended_to_and_mended(workspace: Workspace) -> None:
    """
    Records are encrypted one by one; a line that a crash tore costs itself alone.
    """
    journal = Journal(workspace.layout.journal_file)
    journal.append([{"event": "a", "text": WORDS}, {"event": "b"}])
    with journal.path.open("rb+") as file:
        file.truncate(journal.path.stat().st_size - 9)
    journal.append([{"event": "c", "text": "第三"}])

    found = [record["event"] for record in journal.records("a", "b", "c")]

    assert found == ["a", "c"]
    (end, _), (_, last) = journal.placed("a", "c")
    assert [last] == [record for _, record in journal.placed("b", "c", start=end)]
    assert holding(workspace.root, "canary-quokka", "第三") == []
    assert len(journal.path.read_bytes().splitlines()) == 3


def test_journal_may_be_half_plain(workspace: Workspace) -> None:
    """
    Lines from before stay readable beside the new ones, and a rewrite encrypts them.
    """
    journal = Journal(workspace.layout.journal_file)
    journal.path.parent.mkdir()
    journal.path.write_bytes(b'{"event":"a","text":"canary-quokka"}\n')
    journal.append([{"event": "b"}])

    assert [r["event"] for r in journal.records("a", "b")] == ["a", "b"]
    said = stored.read(journal.path)
    workspace.write_private(journal.path, said)
    assert stored.read(journal.path) == said
    assert holding(workspace.root, "canary-quokka") == []


def test_recalls_are_counted_as_before(workspace: Workspace) -> None:
    """
    The keys of what was asked for are encrypted, and counted by day.
    """
    recalls = Recalls(workspace.layout.recalls_file)
    recalls.add(date(2026, 11, 19), ["0badcafe"])
    recalls.add(date(2026, 11, 20), ["0badcafe"])

    assert {"0badcafe": 2} == recalls.days(before=date(2026, 11, 21))
    assert holding(workspace.root, "0badcafe") == []


def test_damaged_cache_counts_for_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Whatever may be deleted at any time may be damaged too, and is made anew.
    """
    use_key(monkeypatch, KEY)
    memory = captured(tmp_path)
    with own_memory(memory.workspace.root):
        switch_on(memory)
        remember(memory, "Never use tabs in Python files")
        forget(memory, Target("Never use tabs in Python files"))
        sync(open_memory(tmp_path))
        answers = Cache(memory.workspace.root / CACHE, memory.workspace.write_private)
        answers.keep("an answer", "a question")
        caches = list((memory.workspace.root / CACHE).glob("*.json"))
        for file in caches:
            file.write_bytes(file.read_bytes().replace(b"\n", b"\nAAAA", 1))

        report = sync(open_memory(tmp_path))

        assert [reason for _, reason in report.skipped] == ["nothing new"]
        assert answers.find("a question") is None
    assert {"swept.json", "sync.json"} < {file.name for file in caches}


@pytest.mark.parametrize("key", [KEY, PHRASE])
def test_key_opens_and_no_other_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    """
    A random key and a passphrase in Chinese open memory; another key is refused.
    """
    workspace = encrypted(tmp_path, key)
    use_key(monkeypatch, key)
    workspace.update(NOTE, lambda _: WORDS)

    use_key(monkeypatch, key)
    assert workspace.read(NOTE) == WORDS
    for wrong in (OTHER, key[:-1], f"{key}x"):
        use_key(monkeypatch, wrong)
        with pytest.raises(KeyUnavailable, match="STRATA_KEY does not open"):
            workspace.read(NOTE)
    use_key(monkeypatch)
    with pytest.raises(
        KeyUnavailable, match="memory is encrypted, and there is no key"
    ):
        workspace.read(NOTE)


def test_memory_that_is_not_encrypted_is_not_called_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Who has no key yet is told how to make one.
    """
    use_key(monkeypatch)

    with pytest.raises(KeyUnavailable, match="no key yet; `strata encryption new-key`"):
        switch_on(open_memory(tmp_path, "2026-11-20T12:00:00+00:00"))


def test_key_is_the_same_in_either_spelling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    An é typed as one character or as two is the same key.
    """
    workspace = encrypted(tmp_path, "caf\u00e9 au lait 2026")
    use_key(monkeypatch, "cafe\u0301 au lait 2026")
    workspace.update(NOTE, lambda _: WORDS)

    assert workspace.read(NOTE) == WORDS


def test_key_may_lie_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    `encryption.key_file` holds the key; a file that is missing or empty is named.
    """
    workspace = encrypted(tmp_path, KEY)
    use_key(monkeypatch)
    file = tmp_path / "key"
    monkeypatch.setattr(vault, "_key_file", str(file))

    with pytest.raises(KeyUnavailable, match="cannot be read"):
        workspace.update(NOTE, lambda _: WORDS)
    file.write_text("\n")
    with pytest.raises(KeyUnavailable, match="is empty"):
        workspace.update(NOTE, lambda _: WORDS)
    file.write_text(f"{KEY}\n")
    assert workspace.update(NOTE, lambda _: WORDS)


def test_short_key_is_refused() -> None:
    """
    Twelve characters are the least.
    """
    with pytest.raises(UsageError, match="12 characters"):
        new_vault(UserKey("geheim", "STRATA_KEY"))


def test_vault_has_a_spare_copy(workspace: Workspace) -> None:
    """
    Where one of the two files is gone or damaged the other opens; both gone is told.
    """
    first = workspace.root / "memory/encryption.json"
    spare = workspace.layout.private / "encryption.json"
    workspace.update(NOTE, lambda _: WORDS)
    workspace.write_private(spare, first.read_bytes())

    first.write_text("{}")
    assert read_vault(workspace.root) is not None
    first.unlink()
    assert workspace.read(NOTE) == WORDS
    spare.unlink()
    vault._ciphers.clear()
    with pytest.raises(KeyUnavailable, match="bring that back from a backup"):
        workspace.read(NOTE)


def test_state_of_the_vault_cannot_be_forged(workspace: Workspace) -> None:
    """
    Who has no key cannot make Strata write plain files again by changing a word.
    """
    file = workspace.root / "memory/encryption.json"
    file.write_text(json.dumps({**json.loads(file.read_bytes()), "encrypts": False}))
    vault._ciphers.clear()

    forged = vault.vault_of(file)
    assert forged
    with pytest.raises(KeyUnavailable):
        forged.unlocked()


def test_workspace_within_another_is_not_encrypted(workspace: Workspace) -> None:
    """
    A scope uses the owner's key; an agent whose workspace lies in another's does not.
    """
    scope = workspace.root / "scopes/group-any-0123456789abcdef0123"
    other = workspace.root / "agents/second"
    for place in (scope, other):
        (place / "memory").mkdir(parents=True)
        inner = Workspace(place)
        inner.encrypted_notes = ("memory/*",)
        inner.update(NOTE, lambda _: WORDS)

    assert is_encrypted((scope / NOTE).read_bytes())
    assert not is_encrypted((other / NOTE).read_bytes())


def test_nonces_are_never_the_same() -> None:
    """
    The same words twice are different bytes.
    """
    cipher = Cipher("0", bytes(32))

    assert len({cipher.line(b"same", "a") for _ in range(100)}) == 100
