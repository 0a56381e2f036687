"""What was masked can be looked at without its value, and taken back for good."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import pytest
from builders import Conversation

from strata.cli import run
from strata.errors import NotAccepted, SettingsError
from strata.jobs.audit_scan import scan
from strata.jobs.deciding.verdict_list import statements
from strata.jobs.remember import remember
from strata.jobs.review import review
from strata.jobs.sync import sync
from strata.memory import Memory

if TYPE_CHECKING:
    from pathlib import Path

    from strata.history.statements import Statement

VALUE = "Kestrel-Bell-3307"
NOTE = "memory/2026-11-20.md"


def opened(tmp_path: Path, *overrides: str) -> Memory:
    (tmp_path / "w").mkdir(exist_ok=True)
    return Memory.open(
        workspace=str(tmp_path / "w"),
        state_dir=str(tmp_path / "state"),
        now="2026-11-20T20:00:00+00:00",
        overrides=["timezone=UTC", *overrides],
    )


def talked(tmp_path: Path, *overrides: str) -> Memory:
    (
        Conversation(tmp_path / "state")
        .user(f"From now on the password of the model railway is {VALUE}, write it so")
        .agent("Ok.")
        .user("Always use pnpm in the shop, and the pin of the toy safe is 4821")
        .agent("Ok.")
        .save()
    )
    memory = opened(tmp_path, *overrides)
    sync(memory)
    return memory


def masked(memory: Memory) -> dict[str, Statement]:
    """
    What is masked, by its kind.
    """
    found = (each for each in statements(memory) if each.kind == "redacted")
    return {str(each.record["masked"]): each for each in found}


def everything(folder: Path) -> bytes:
    files = (path for path in folder.rglob("*") if path.is_file())
    return b"".join(path.read_bytes() for path in files)


def test_the_journal_knows_what_was_masked(tmp_path: Path) -> None:
    """
    Place, kind and words are told, once however often; the value is nowhere.
    """
    memory = talked(tmp_path)
    sync(opened(tmp_path))

    found = masked(memory)

    assert set(found) == {"secret:password", "secret:passcode"}
    record = found["secret:password"].record
    assert "the model railway is ⟦secret:password⟧" in str(record["text"])
    assert record["session"].startswith("61871d67")
    assert record["message"]
    assert str(record["at"]).startswith("2026-11-20")
    assert len(str(record["digest"])) == 32
    assert found["secret:passcode"].record["digest"] == ""
    key = tmp_path / "w" / ".strata" / "never-secret.key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert VALUE.encode() not in everything(tmp_path / "w")


def test_an_accepted_value_is_kept(tmp_path: Path) -> None:
    """
    Later captures keep it, and so does a block that its owner cut out and sync captures.
    """
    memory = talked(tmp_path)
    note = tmp_path / "w" / NOTE
    assert "⟦secret:password⟧" in note.read_text()

    review(memory, "accept", [masked(memory)["secret:password"].id])
    note.write_text("# 2026-11-20\n")
    sync(opened(tmp_path))

    assert VALUE in note.read_text()
    assert "4821" not in note.read_text()
    assert VALUE.encode() not in (tmp_path / "w/.strata/journal.jsonl").read_bytes()
    assert not [f for f in scan(opened(tmp_path)).findings if f.kind == "secret"]
    assert remember(opened(tmp_path), f"The railway password is {VALUE}")


def test_declined_again_it_is_masked(tmp_path: Path) -> None:
    """
    The owner's latest word on a value holds.
    """
    memory = talked(tmp_path)
    name = masked(memory)["secret:password"].id

    accepted = review(memory, "accept", [name]).statements
    declined = review(memory, "decline", [name]).statements

    assert [each.kind for each in (*accepted, *declined)] == ["allowed", "redacted"]
    with pytest.raises(NotAccepted, match="secret"):
        remember(opened(tmp_path), f"The railway password is {VALUE}")


def test_a_short_value_needs_the_setting(tmp_path: Path) -> None:
    """
    No hash is kept of what could be guessed; the setting takes words and shapes.
    """
    memory = talked(tmp_path)

    with pytest.raises(NotAccepted, match=r"trust\.never_secret"):
        review(memory, "accept", [masked(memory)["secret:passcode"].id])

    for shape in ("4821", r"/48\d\d/"):
        other = talked(tmp_path / shape[:3].strip("/"), f"trust.never_secret={shape}")
        assert set(masked(other)) == {"secret:password"}
    with pytest.raises(SettingsError, match=r"trust\.never_secret"):
        opened(tmp_path, "trust.never_secret=person:Ada")


def test_only_the_owner_takes_it_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    It is listed only when asked for, never with its value, and no agent may accept it.
    """
    name = masked(talked(tmp_path))["secret:password"].id
    places = [
        "--workspace",
        str(tmp_path / "w"),
        "--state-dir",
        str(tmp_path / "state"),
    ]

    assert run([*places, "review"]) == 0
    assert "railway" not in capsys.readouterr().out
    assert run([*places, "review", "--kind", "redacted"]) == 0
    shown = capsys.readouterr().out
    assert "railway is ⟦secret:password⟧" in shown
    assert VALUE not in shown
    monkeypatch.setenv("OPENCLAW_SHELL", "exec")
    assert run([*places, "review", "accept", name]) != 0
    monkeypatch.delenv("OPENCLAW_SHELL")
    assert run([*places, "review", "accept", name]) == 0
    with pytest.raises(NotAccepted):
        review(opened(tmp_path), "pin", [name])


def test_a_group_has_the_key_of_its_owner(tmp_path: Path) -> None:
    """
    What was masked in another memory can be taken back there, and holds everywhere.
    """
    (
        Conversation(tmp_path / "state", key="agent:main:telegram:group:-100")
        .user(f"From now on the password of the model railway is {VALUE}, write it so")
        .agent("Ok.")
        .user("Always use pnpm in the shop")
        .agent("Ok.")
        .save()
    )
    sync(opened(tmp_path, "capture.groups=true"))
    (scope,) = opened(tmp_path).scopes.names()
    group = opened(tmp_path).within(scope)
    found = masked(group)["secret:password"]

    assert found.record["digest"] == opened(tmp_path).allowances.digest(VALUE)
    assert not opened(tmp_path).allowances(VALUE)
    review(group, "accept", [found.id])
    assert opened(tmp_path).allowances(VALUE)
