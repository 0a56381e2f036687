"""What the owner shares of one agent others may know, for as long as it holds there."""

from __future__ import annotations

import json
import stat
import subprocess
from typing import TYPE_CHECKING

import pytest
from builders_shared import (
    COPY,
    OFFICE,
    PAGE,
    PNPM,
    copy_in,
    line_of,
    open_agent,
    two_agents,
)

from strata.errors import NotAccepted, NotFound
from strata.jobs.before_turn import _lines as lines_before_turn
from strata.jobs.change_entry import delete, edit
from strata.jobs.deciding.verdict_list import statements
from strata.jobs.exporting.contents import contents
from strata.jobs.forgetting.forget import forget
from strata.jobs.forgetting.proving import kept_receipts, prove_again
from strata.jobs.forgetting.target import Target
from strata.jobs.query import Wish, query
from strata.jobs.recall import Sought, recall
from strata.jobs.reflect import reflect
from strata.jobs.remember import remember
from strata.jobs.review import review
from strata.jobs.sharing.listing import listing
from strata.jobs.sharing.share import share, unshare
from strata.jobs.tidy import tidy
from strata.jobs.undo import undo
from strata.jobs.update import refresh, update
from strata.progress import silent
from strata.search.answering.superseded import History
from strata.workspace.settings_file import change_setting

if TYPE_CHECKING:
    from pathlib import Path

    from strata.memory import Memory


def follow(memory: Memory) -> None:
    """
    What every command does after it has changed a memory.
    """
    refresh(memory, None, say=lambda _line: None)


def test_shared_line_is_found_by_the_other_agent_with_its_label(tmp_path: Path) -> None:
    """
    A line that is shared is found by the agent that opted in, and says from whom it is.
    """
    memory = two_agents(tmp_path)

    share(memory, place := line_of(memory, "Quokkaville"))

    hit = query(open_agent(tmp_path, "b"), "where does the new office go", Wish()).hits[
        0
    ]
    label = f"(shared from agent main, 2026-11-20, {place})"
    assert COPY == hit.path
    assert f"{OFFICE} {label}" in hit.snippet
    for file in (tmp_path / "state" / PAGE, tmp_path / "workspace-b" / COPY):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_nothing_is_read_without_the_setting(tmp_path: Path) -> None:
    """
    An agent that did not opt in holds nothing, and loses all once it opts out.
    """
    memory = two_agents(tmp_path, reading=())
    share(memory, line_of(memory, "Quokkaville"))

    assert not copy_in(tmp_path)

    change_setting(open_agent(tmp_path, "b").workspace, "shared.read", value=True)
    query(open_agent(tmp_path, "b"), "office", Wish())
    assert OFFICE in copy_in(tmp_path)

    change_setting(open_agent(tmp_path, "b").workspace, "shared.read", value=False)
    query(open_agent(tmp_path, "b"), "office", Wish())
    assert not copy_in(tmp_path)


@pytest.mark.parametrize(
    "configured", ["", "{", '{"agents": {"entries": {"main": {}}}}'], ids=repr
)
def test_unknown_identity_reads_nothing(tmp_path: Path, configured: str) -> None:
    """
    Where OpenClaw does not say whose workspace it is, nothing is held any more.
    """
    memory = two_agents(tmp_path)
    share(memory, line_of(memory, "Quokkaville"))
    other = open_agent(tmp_path, "b")
    assert copy_in(tmp_path)

    (tmp_path / "state" / "openclaw.json").write_text(configured)

    if configured == "{":
        # What cannot be read is said by whatever opens a memory anew.
        query(other, "office", Wish())
    else:
        query(other, "office", Wish())
    assert not copy_in(tmp_path)


def test_own_page_of_somebody_stays(tmp_path: Path) -> None:
    """
    What a person wrote where a copy would lie is not touched.
    """
    memory = two_agents(tmp_path)
    own = tmp_path / "workspace-b" / COPY
    own.parent.mkdir(parents=True)
    own.write_text("# My own\n\n- The key hangs behind the door.\n")

    share(memory, line_of(memory, "Quokkaville"))
    follow(open_agent(tmp_path, "b"))

    assert own.read_text() == "# My own\n\n- The key hangs behind the door.\n"


def test_no_repository_keeps_a_copy(tmp_path: Path) -> None:
    """
    A repository that somebody makes of the reading workspace has no copy in it.
    """
    memory = two_agents(tmp_path)
    share(memory, line_of(memory, "Quokkaville"))
    root = tmp_path / "workspace-b"
    (root / "memory" / "2026-11-20.md").write_text("# 2026-11-20\n")

    subprocess.run(["git", "init", "-q", str(root)], check=True)
    subprocess.run(["git", "-C", str(root), "add", "-A"], check=True)

    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files"], check=True, capture_output=True, text=True
    )
    assert ["memory/2026-11-20.md"] == listed.stdout.split()


def test_unshare_takes_it_back_everywhere(tmp_path: Path) -> None:
    """
    A line that is taken back is on no page, and no agent finds it, but its own.
    """
    memory = two_agents(tmp_path)
    share(memory, line_of(memory, "Quokkaville"))
    share(memory, line_of(memory, "pnpm"))

    unshare(memory, line_of(memory, "Quokkaville"))

    assert PNPM in copy_in(tmp_path)
    assert "Quokkaville" not in copy_in(tmp_path)
    assert "Quokkaville" not in (tmp_path / "state" / PAGE).read_text()
    answer = query(open_agent(tmp_path, "b"), "where does the new office go", Wish())
    assert not any("Quokkaville" in hit.snippet for hit in answer.hits)
    assert query(memory, "where does the new office go", Wish()).hits


def test_unshare_by_the_line_of_a_copy(tmp_path: Path) -> None:
    """
    Who reads a line can take it back where it is read.
    """
    memory = two_agents(tmp_path)
    share(memory, line_of(memory, "Quokkaville"))

    report = unshare(open_agent(tmp_path, "b"), f"{COPY}:5")

    assert ("main", OFFICE) == (report.agent, report.shared.text)
    assert not copy_in(tmp_path)
    with pytest.raises(NotFound):
        unshare(memory, OFFICE)


def test_only_the_owners_words(tmp_path: Path) -> None:
    """
    What the agent found, or nobody is known to have said, is not shared.
    """
    memory = two_agents(tmp_path)
    note = tmp_path / "workspace" / "memory" / "2026-11-20.md"
    note.write_text(f"{note.read_text()}- Agent found: The lease ends in May.\n")
    by_hand = tmp_path / "workspace" / "memory" / "2026-11-19.md"
    by_hand.write_text("# 2026-11-19\n\n- The blue key opens the cellar door.\n")

    for place in (line_of(memory, "lease"), "memory/2026-11-19.md:3"):
        with pytest.raises(NotAccepted, match="your own words"):
            share(memory, place)

    assert not (tmp_path / "state" / PAGE).exists()


def test_secret_is_refused(tmp_path: Path) -> None:
    """
    What holds a secret is not shared, wherever it came from.
    """
    memory = two_agents(tmp_path)
    file = tmp_path / "workspace" / "memory" / "2026-11-20.md"
    key = "AKIAQ7RZ2M4XW9KD3PVT"
    file.write_text(file.read_text().replace("rents are low", f"the key is {key}"))

    with pytest.raises(NotAccepted):
        share(memory, line_of(memory, "Quokkaville"))

    assert not (tmp_path / "state" / PAGE).exists()


def test_what_was_remembered_can_be_shared(tmp_path: Path) -> None:
    """
    What the owner told Strata itself is the owner's word.
    """
    memory = two_agents(tmp_path)
    report = remember(memory, "Always send invoices as PDF.")

    share(memory, f"MEMORY.md:{report.line}")

    assert "- Always send invoices as PDF. (shared from agent main" in copy_in(tmp_path)


def test_line_of_the_owners_hand_can_be_shared(tmp_path: Path) -> None:
    """
    What the owner wrote into MEMORY.md is theirs as soon as a night has read it.
    """
    memory = two_agents(tmp_path)
    tidy(memory)
    page = memory.workspace.root / "MEMORY.md"
    hand = "- The boiler is serviced each May."
    page.write_text(
        page.read_text().replace("## Key Decisions\n", f"## Key Decisions\n{hand}\n")
    )
    place = f"MEMORY.md:{page.read_text().splitlines().index(hand) + 1}"
    with pytest.raises(NotAccepted, match="your own words"):
        share(memory, place)

    tidy(open_agent(tmp_path, now="2026-11-21T03:00:00+00:00"))
    share(memory, place)

    assert f"{hand} (shared from agent main, 2026-11-20, {place})" in copy_in(tmp_path)


def test_line_of_the_page_is_shared_as_its_statement(tmp_path: Path) -> None:
    """
    A line of MEMORY.md is shared in the words that were judged, without marks.
    """
    memory = two_agents(tmp_path)
    tidy(memory)
    (said,) = [e for e in statements(memory) if "Quokkaville" in e.text and e.line]

    share(memory, f"MEMORY.md:{said.line}")

    assert f"- {said.text} (shared from agent main" in copy_in(tmp_path)


def test_undo_takes_back_and_brings_back(tmp_path: Path) -> None:
    """
    Each is a run: sharing, and taking back.
    """
    memory = two_agents(tmp_path)
    share(memory, line_of(memory, "Quokkaville"))
    with_it = copy_in(tmp_path)

    undo(memory)
    follow(memory)
    assert not copy_in(tmp_path)

    share(memory, line_of(memory, "Quokkaville"))
    unshare(memory, line_of(memory, "Quokkaville"))
    undo(memory)
    follow(memory)
    assert with_it == copy_in(tmp_path)


def test_what_is_deleted_leaves(tmp_path: Path) -> None:
    """
    A line that its owner takes out of memory is not shared any more.
    """
    memory = two_agents(tmp_path)
    share(memory, place := line_of(memory, "Quokkaville"))

    delete(memory, place)
    follow(memory)

    assert not copy_in(tmp_path)


def test_what_is_declined_leaves(tmp_path: Path) -> None:
    """
    A statement that its owner declines in the review is not shared any more.
    """
    memory = two_agents(tmp_path)
    report = remember(memory, "Always send invoices as PDF.")
    share(memory, f"MEMORY.md:{report.line}")
    assert copy_in(tmp_path)

    review(memory, "decline", [report.id])
    follow(memory)

    assert not copy_in(tmp_path)


def test_what_is_superseded_leaves(tmp_path: Path) -> None:
    """
    A line of which the owner has said otherwise since is not shared any more.
    """
    memory = two_agents(tmp_path)
    report = remember(memory, "The staging server listens on port 8080.")
    share(memory, f"MEMORY.md:{report.line}")
    assert "8080" in copy_in(tmp_path)
    later = open_agent(tmp_path, now="2026-11-22T03:00:00+00:00")

    remember(later, "The staging server listens on port 9090 now.")
    follow(later)

    assert "8080" not in later.workspace.read("MEMORY.md")
    assert not copy_in(tmp_path)


def test_forgetting_takes_it_from_everybody_and_proves_it(tmp_path: Path) -> None:
    """
    What is forgotten of the agent that shares it is on no page and in no copy.
    """
    memory = two_agents(tmp_path)
    share(memory, line_of(memory, "Quokkaville"))
    share(memory, line_of(memory, "pnpm"))
    query(open_agent(tmp_path, "b"), "office", Wish())

    receipt = forget(memory, Target(text="Quokkaville"))

    assert receipt.proof.holds
    for place in ("state/strata", "workspace", "workspace-b"):
        for file in (tmp_path / place).rglob("*"):
            assert not file.is_file() or b"Quokkaville" not in file.read_bytes(), file
    follow(memory)
    assert PNPM in copy_in(tmp_path)
    assert "Quokkaville" not in copy_in(tmp_path)


def test_proof_fails_where_a_copy_is_left(tmp_path: Path) -> None:
    """
    The proof of a forgetting looks at what is shared as well.
    """
    memory = two_agents(tmp_path)
    share(memory, line_of(memory, "Quokkaville"))
    page = (tmp_path / "state" / PAGE).read_text()
    forget(memory, Target(text="Quokkaville"))
    name = kept_receipts(memory)[0].id
    assert prove_again(memory, name).holds

    (tmp_path / "workspace-b" / COPY).write_text(page)

    assert not prove_again(memory, name).holds


def test_reader_forgets_for_itself(tmp_path: Path) -> None:
    """
    What a reading agent has forgotten does not come back to it with the next page.
    """
    memory = two_agents(tmp_path)
    share(memory, line_of(memory, "Quokkaville"))
    share(memory, line_of(memory, "pnpm"))

    receipt = forget(open_agent(tmp_path, "b"), Target(text="Quokkaville"))
    follow(memory)
    query(open_agent(tmp_path, "b"), "office", Wish())

    assert receipt.proof.holds
    assert PNPM in copy_in(tmp_path)
    assert "Quokkaville" not in copy_in(tmp_path)
    assert OFFICE in memory.workspace.read("memory/2026-11-20.md")


def test_reader_never_keeps_what_its_settings_name(tmp_path: Path) -> None:
    """
    The rules of a reading agent hold for what is shared with it.
    """
    memory = two_agents(tmp_path)
    settings = tmp_path / "workspace-b" / ".strata" / "config.toml"
    settings.write_text(
        f'{settings.read_text()}\n[trust]\nnever_store = ["Quokkaville"]\n'
    )

    share(memory, line_of(memory, "Quokkaville"))
    share(memory, line_of(memory, "pnpm"))

    assert PNPM in copy_in(tmp_path)
    assert "Quokkaville" not in copy_in(tmp_path)


def test_copy_is_changed_where_it_is_said(tmp_path: Path) -> None:
    """
    A line of a copy is neither edited nor deleted nor shared on.
    """
    memory = two_agents(tmp_path)
    share(memory, line_of(memory, "Quokkaville"))
    other = open_agent(tmp_path, "b")

    for change in (
        lambda: edit(other, f"{COPY}:5", "The office stays where it is."),
        lambda: delete(other, f"{COPY}:5"),
        lambda: share(other, f"{COPY}:5"),
    ):
        with pytest.raises(NotAccepted):
            change()

    assert OFFICE in copy_in(tmp_path)


def test_bank_and_reminder_know_it(tmp_path: Path) -> None:
    """
    The reading agent recalls it from its bank, and may be reminded of it before a turn.
    """
    memory = two_agents(tmp_path)
    share(memory, line_of(memory, "Quokkaville"))
    other = open_agent(tmp_path, "b")
    reflect(other)

    [found] = recall(other, "Where does the new office go?", Sought())
    reminded = lines_before_turn(
        other, "Where does the new office go?", "1", History(), None
    )

    assert found.line.text.startswith(f"{OFFICE} (shared from agent main")
    assert any(each.path == COPY and OFFICE in each.text for each in reminded)


def test_copy_with_other_ends_of_lines_is_taken_back(tmp_path: Path) -> None:
    """
    A copy that an editor saved in its own way is still one, and goes.
    """
    memory = two_agents(tmp_path)
    share(memory, line_of(memory, "Quokkaville"))
    file = tmp_path / "workspace-b" / COPY
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))

    unshare(memory, OFFICE)

    assert not file.exists()


def test_own_page_beside_the_copies_is_like_any_other(tmp_path: Path) -> None:
    """
    What a person keeps beside the copies is theirs: not shared, exported, and changed.
    """
    memory = two_agents(tmp_path)
    share(memory, line_of(memory, "Quokkaville"))
    other = open_agent(tmp_path, "b")
    path = "memory/shared/doors.md"
    (tmp_path / "workspace-b" / path).write_text(
        "# Doors\n\n- The key to the cellar hangs behind the door (as ever)\n"
    )

    notes = contents(other, None, silent).notes
    listed = listing(other).others
    delete(other, f"{path}:3")

    assert {path} == {*notes}
    assert {COPY} == {each.path for each in listed}
    assert "cellar" not in other.workspace.read(path)


def test_place_of_two_shared_lines_takes_none_back(tmp_path: Path) -> None:
    """
    Where another shared line stands by now than then, the owner says which is meant.
    """
    memory = two_agents(tmp_path)
    place = line_of(memory, "Quokkaville")
    share(memory, place)
    share(memory, line_of(memory, "pnpm"))
    path, _, number = place.partition(":")
    lines = memory.workspace.read(path).split("\n")
    [office] = [each for each in lines if "Quokkaville" in each]
    [pnpm] = [each for each in lines if "pnpm" in each]
    lines = [{office: pnpm, pnpm: office}.get(each, each) for each in lines]
    memory.workspace.update(path, lambda _text: "\n".join(lines))
    assert pnpm == lines[int(number) - 1]

    with pytest.raises(NotFound, match="by its id"):
        unshare(memory, place)

    assert {OFFICE, PNPM} == {each.shared.text for each in listing(memory).own}


def test_line_deleted_in_an_editor_leaves_with_the_next_update(tmp_path: Path) -> None:
    """
    Who changes a note by hand and runs `strata update` has the line off all pages.
    """
    memory = two_agents(tmp_path)
    share(memory, line_of(memory, "Quokkaville"))
    note = tmp_path / "workspace" / "memory" / "2026-11-20.md"
    note.write_text(
        "\n".join(e for e in note.read_text().split("\n") if "Quokkaville" not in e)
    )

    update(open_agent(tmp_path))

    assert not copy_in(tmp_path)


@pytest.mark.parametrize("away", ["unshare", "forget"])
def test_agents_of_one_memory_share_on_one_page(tmp_path: Path, away: str) -> None:
    """
    Where the agent that shared is not the first of its workspace any more, all is one.
    """
    memory = two_agents(tmp_path)
    share(memory, line_of(memory, "Quokkaville"))
    config = tmp_path / "state" / "openclaw.json"
    entries = json.loads(config.read_text())["agents"]["entries"]
    first = {"a": {"workspace": str(memory.workspace.root), "default": True}}
    entries["main"].pop("default")
    config.write_text(json.dumps({"agents": {"entries": first | entries}}))
    memory = open_agent(tmp_path, "a")

    if away == "unshare":
        unshare(memory, OFFICE)
    else:
        assert forget(memory, Target(text=OFFICE)).proof.holds

    for folder in ("workspace-b/memory/shared", "state/strata/shared"):
        pages = (tmp_path / folder).glob("*.md")
        assert not [each for each in pages if "Quokkaville" in each.read_text()]
    assert not query(open_agent(tmp_path, "b"), "where does the office go", Wish()).hits
