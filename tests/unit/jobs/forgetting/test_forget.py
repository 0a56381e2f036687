"""What the owner forgets is gone from every place, stays gone, and nothing else is."""

from __future__ import annotations

import json
import multiprocessing
import shutil
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from builders import Conversation, tree
from builders_memory import open_memory
from click.testing import CliRunner
from killing import run_killed_at

from strata.cli import commands
from strata.errors import NotFound, UsageError
from strata.jobs.forgetting.forget import forget, plan
from strata.jobs.forgetting.target import Target
from strata.jobs.query import Wish, query
from strata.jobs.remember import remember
from strata.jobs.sync import sync
from strata.jobs.tidy import tidy
from strata.jobs.undo import undo
from strata.jobs.update import update
from strata.workspace.own_folder import OwnFolder

if TYPE_CHECKING:
    from click.testing import Result

    from strata.memory import Memory

TESTS = Path(__file__).parents[3]
SYNCED = "2026-11-20T12:00:00+00:00"
TIDIED = "2026-11-21T03:00:00+00:00"
FORGOTTEN = "2026-11-21T09:00:00+00:00"
NIGHTS = [f"2026-11-{day}T03:00:00+00:00" for day in (22, 23, 24)]
PAST, OLDER = (
    "61871d67-1111-4222-8333-444444444444",
    "abcdef01-1111-4222-8333-444444444444",
)
SECRET = "We keep PostgreSQL 16, because the reports need ACID."
DAILY, WEEKLY = "memory/2026-11-20.md", "memory/weekly/2026-11-02.md"
ARCHIVED = "memory/archive/2026/2026-11-08.md"


def talk(state: Path) -> None:
    """
    Two conversations, one of them in both languages, that share a decision.
    """
    recent = Conversation(state, id=PAST)
    recent.user("From now on always use pnpm, never npm, in acme-dashboard.").agent(
        "Ok."
    )
    recent.user(SECRET).agent("Fine.").save()
    at = datetime(2026, 11, 8, 10, 0, tzinfo=UTC)
    older = Conversation(state, id=OLDER, key="agent:main:older", at=at)
    older.user("记住：我的数据库用 PostgreSQL 16，因为报表需要事务。").agent("好的。")
    older.user("Call Bob Meyer on Mondays about the invoices, before noon.").agent(
        "Ok."
    )
    older.user("我以后都用深色主题，不要浅色。").agent("好。").save()


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    talk(tmp_path / "state")
    memory = open_memory(tmp_path, SYNCED)
    sync(memory)
    tidy(replace(memory, now=datetime.fromisoformat(TIDIED)))
    update(memory)
    return open_memory(tmp_path, FORGOTTEN)


def at(memory: Memory, now: str) -> Memory:
    return replace(memory, now=datetime.fromisoformat(now))


def root_of(memory: Memory) -> Path:
    return memory.workspace.root


def holding(memory: Memory, *words: str) -> list[str]:
    """
    The files of the workspace in whose bytes any of *words* stands.
    """
    files = tree(root_of(memory)).items()
    return [p for p, content in files if any(w.encode() in content for w in words)]


def lines_lost(
    before: dict[str, bytes], after: dict[str, bytes]
) -> dict[str, list[str]]:
    """
    Which lines each file has lost; anything else that differs is an error.
    """
    lost = {}
    for path, content in before.items():
        old, new = (
            content.decode().split("\n"),
            after.get(path, b"").decode().split("\n"),
        )
        gone = [line for line in old if line and line not in new]
        assert [line for line in old if line not in gone] == new
        if gone:
            lost[path] = gone
    assert before.keys() == after.keys()
    return lost


def notes(memory: Memory) -> dict[str, bytes]:
    return tree(root_of(memory), without=".strata")


def test_statement_goes_in_every_wording_and_nothing_else(memory: Memory) -> None:
    """
    An English statement takes its Chinese twin along, from day, week and MEMORY.md.
    """
    before = notes(memory)

    receipt = forget(memory, Target(SECRET))

    lost = lines_lost(before, notes(memory))
    assert sorted(lost) == sorted(["MEMORY.md", DAILY, ARCHIVED, WEEKLY])
    assert all(len(lines) == 1 and "PostgreSQL" in lines[0] for lines in lost.values())
    assert holding(memory, "PostgreSQL", "ACID", "报表需要事务") == []
    assert receipt.proof.holds
    assert receipt.lines == dict.fromkeys(lost, 1)


def test_nothing_comes_back(memory: Memory) -> None:
    """
    Nights, a lost journal, notes rebuilt from the transcripts, undo and a restored copy.
    """
    copy = root_of(memory).with_name("copy")
    shutil.copytree(root_of(memory), copy)
    forget(memory, Target("数据库用 PostgreSQL 16，因为报表需要事务"))
    assert holding(memory, "PostgreSQL") == []

    for night in NIGHTS:
        sync(at(memory, night), since=datetime(2026, 1, 1, tzinfo=UTC))
        tidy(at(memory, night))
    assert holding(memory, "PostgreSQL") == []

    undo(memory, force=True)
    assert holding(memory, "PostgreSQL") == []

    shutil.copytree(copy / "memory", root_of(memory) / "memory", dirs_exist_ok=True)
    shutil.copy(copy / "MEMORY.md", root_of(memory))
    assert holding(memory, "PostgreSQL") != []
    answer = query(memory, "PostgreSQL", Wish(5))
    assert holding(memory, "PostgreSQL") == []
    assert not [hit for hit in answer.hits if "PostgreSQL" in hit.snippet]

    for part in ("memory", ".strata"):
        shutil.rmtree(root_of(memory) / part)
    (root_of(memory) / "MEMORY.md").unlink()
    anew = open_memory(root_of(memory).parent, NIGHTS[-1])
    sync(anew)
    tidy(anew)
    assert holding(anew, "PostgreSQL") == []
    assert holding(anew, "pnpm") != []
    assert holding(anew, "深色主题") != []


def test_conversation_goes_as_a_whole(memory: Memory) -> None:
    """
    Its blocks and what only it supports go; what another conversation said too stays.
    """
    forget(memory, Target(session="abcdef01"))

    assert not memory.workspace.locate(ARCHIVED).exists()
    assert "Bob" not in str(notes(memory))
    assert "PostgreSQL 16" in memory.workspace.read(DAILY)
    assert "PostgreSQL 16" in memory.workspace.read("MEMORY.md")
    assert "abcdef01" not in memory.workspace.layout.journal_file.read_text()
    sync(at(memory, NIGHTS[0]), since=datetime(2026, 1, 1, tzinfo=UTC))
    tidy(at(memory, NIGHTS[0]))
    assert "Bob" not in str(notes(memory))


def test_lines_behind_the_block_of_a_conversation_stay(memory: Memory) -> None:
    """
    What the owner wrote below it is no part of it; blank lines between entries are.
    """
    text = memory.workspace.read(ARCHIVED)
    spaced = text.replace("\n- ", "\n\n- ")
    file = memory.workspace.locate(ARCHIVED)
    file.write_text(f"{spaced}\nMy own thought.\n- and a point\n", "utf-8")

    forget(memory, Target(session="abcdef01"))

    assert file.read_text("utf-8").endswith("\nMy own thought.\n- and a point\n")
    assert "Bob" not in str(notes(memory))
    assert "深色主题" not in str(notes(memory))


def test_time_goes_as_a_whole(memory: Memory) -> None:
    """
    All of those days goes, and a rebuild does not bring it back.
    """
    since, until = datetime(2026, 11, 8, tzinfo=UTC), datetime(2026, 11, 9, tzinfo=UTC)

    receipt = forget(memory, Target(since=since, until=until))

    assert receipt.proof.holds
    assert holding(memory, "Bob", "深色主题") == []
    assert "PostgreSQL 16" in memory.workspace.read(DAILY)
    shutil.rmtree(root_of(memory) / "memory")
    sync(at(memory, NIGHTS[0]), since=datetime(2026, 1, 1, tzinfo=UTC))
    tidy(at(memory, NIGHTS[0]))
    assert holding(memory, "Bob", "深色主题") == []
    assert "pnpm" in memory.workspace.read(DAILY)


def test_name_goes_with_all_that_names_it(memory: Memory) -> None:
    """
    Also in notes that a person wrote, where a name is wrapped over two lines too.
    """
    mine = "# People\n\nLunch with Alice.\nThe dentist is Bob\nMeyer, upstairs.\n"
    (root_of(memory) / "memory/people.md").write_text(f"{mine}\nBobby stays.\n")

    forget(memory, Target(entity="Bob Meyer"))

    left = memory.workspace.read("memory/people.md")
    assert left == "# People\n\nLunch with Alice.\n\nBobby stays.\n"
    assert holding(memory, "Bob Meyer") == []
    assert holding(memory, "invoices") == []


def test_copies_and_what_undo_keeps_are_scrubbed(memory: Memory) -> None:
    """
    Backups and the bytes kept for undo lose it, and the run can still be undone.
    """
    remember(at(memory, FORGOTTEN), "Always answer in German on Sundays.")
    assert len(holding(memory, "PostgreSQL")) > len(notes_holding(memory, "PostgreSQL"))

    forget(memory, Target(SECRET))

    assert holding(memory, "PostgreSQL") == []
    assert "German" in memory.workspace.read("MEMORY.md")
    undo(memory)
    assert "German" not in memory.workspace.read("MEMORY.md")
    assert holding(memory, "PostgreSQL") == []


def test_nothing_is_left_of_a_note_of_what_was_remembered(memory: Memory) -> None:
    """
    No heading stays over nothing, and what else was remembered stays under its own.
    """
    remember(at(memory, FORGOTTEN), "Always answer in German on Sundays.")
    remember(at(memory, NIGHTS[0]), "Always book a seat by the window.")
    remember(at(memory, NIGHTS[0]), "Call the boat Marigold, never Daisy.")

    forget(at(memory, NIGHTS[1]), Target("Always answer in German on Sundays."))
    forget(at(memory, NIGHTS[1]), Target("Always book a seat by the window."))

    assert not (root_of(memory) / "memory" / "2026-11-21.md").exists()
    left = memory.workspace.read("memory/2026-11-22.md")
    assert left.count("remembered") == 1
    assert "Marigold" in left


def notes_holding(memory: Memory, word: str) -> list[str]:
    return [path for path, content in notes(memory).items() if word.encode() in content]


def test_preview_is_what_goes_and_writes_nothing(memory: Memory) -> None:
    """
    A plan changes no byte, not even of the key, and the receipt counts the same lines.
    """
    before = tree(root_of(memory).parent)

    planned = plan(memory, Target(SECRET))

    assert tree(root_of(memory).parent) == before
    told = {d.path: len(lines) for d, lines in planned.lines if d.place != "undo"}
    assert forget(memory, Target(SECRET)).lines == told


def test_receipt_counts_one_as_one(tmp_path: Path) -> None:
    """
    One line in one file is no "1 lines in 1 files".
    """
    memory = open_memory(tmp_path)
    file = memory.workspace.root / "memory" / "kiln.md"
    file.parent.mkdir()
    file.write_text("# Pots\n\n- The kiln is hot.\n- Lunch is at noon.\n")
    command = [
        "--workspace",
        str(memory.workspace.root),
        "forget",
        "kiln is hot",
        "--yes",
    ]

    told = CliRunner().invoke(commands, command, standalone_mode=False).output

    assert "forgotten: 1 line in 1 file, 0 other places (receipt " in told


def test_tombstone_cannot_be_read(memory: Memory) -> None:
    """
    Neither the words nor a plain hash of them is kept, and the key is in another place.
    """
    forget(memory, Target(SECRET))

    kept = (root_of(memory) / ".strata/forgotten.jsonl").read_text()
    receipts = list((root_of(memory) / ".strata/receipts").iterdir())
    told = kept + receipts[0].read_text()
    assert not any(
        word in told.casefold() for word in ("postgres", "acid", "报表", "report")
    )
    state = root_of(memory).parent / "state/strata/forgotten"
    assert (state / "key").stat().st_mode & 0o777 == 0o600
    assert state.stat().st_mode & 0o777 == 0o700


def test_transcripts_are_named_and_not_changed(memory: Memory) -> None:
    """
    OpenClaw's files stay as they are; the receipt says where the words remain.
    """
    state = root_of(memory).parent / "state" / "agents"
    before = tree(state)

    receipt = forget(memory, Target(SECRET))

    assert tree(state) == before
    assert {each.session for each in receipt.transcripts} == {PAST, OLDER}


def test_what_the_owner_says_anew_is_learned(memory: Memory) -> None:
    """
    The agent's echo of it is not, the owner's own new words are, and they stay.
    """
    wish = "From now on always use pnpm, never npm, in acme-dashboard."
    forget(memory, Target(wish))
    talked = Conversation(
        root_of(memory).parent / "state",
        id="0badf00d-1111-4222-8333-444444444444",
        key="agent:main:anew",
        at=datetime(2026, 11, 22, 10, 0, tzinfo=UTC),
    )
    talked.user("What do I use there?").agent(f"As you told me: {wish}")
    talked.user("Thanks, and which theme?").agent("Dark.").save()
    sync(at(memory, "2026-11-22T12:00:00+00:00"))
    assert holding(memory, "pnpm") == []

    talked.user(wish).agent("Noted.").save()
    sync(at(memory, "2026-11-23T12:00:00+00:00"))
    tidy(at(memory, NIGHTS[2]))

    assert "pnpm" in memory.workspace.read("memory/2026-11-22.md")
    assert "pnpm" in memory.workspace.read("MEMORY.md")
    assert "pnpm" not in memory.workspace.read(DAILY)


def test_remembering_it_again_lets_it_stand(memory: Memory) -> None:
    """
    The owner's explicit word counts at once, on the same day too.
    """
    forget(memory, Target(SECRET))

    remember(memory, SECRET)
    sync(at(memory, NIGHTS[0]))
    tidy(at(memory, NIGHTS[0]))

    assert "ACID" in memory.workspace.read("MEMORY.md")


def test_what_was_never_captured_is_not_learned_later(tmp_path: Path) -> None:
    """
    A statement can be forgotten before the first sync has seen it.
    """
    talk(tmp_path / "state")
    memory = open_memory(tmp_path, FORGOTTEN)

    forget(memory, Target(SECRET))
    sync(memory)

    assert holding(memory, "ACID") == []
    assert "pnpm" in memory.workspace.read(DAILY)


PROGRAM = """
from pathlib import Path
from builders_memory import open_memory
from strata.jobs.forgetting.forget import forget
from strata.jobs.forgetting.target import Target
root, now, text = sys.argv[1:]
forget(open_memory(Path(root), now), Target(text))
"""


@pytest.mark.parametrize("step", [1, 4, 9, 14, 19, 26, 35, 50, 80, 120])
def test_kill_at_any_step_is_made_good(
    memory: Memory, tmp_path: Path, step: int
) -> None:
    """
    Killed for real, the next sync completes it, from hashes alone.
    """
    untouched = notes(memory)
    before = {path for path in untouched if b"PostgreSQL" in untouched[path]}
    program = f"sys.path.insert(0, {str(TESTS)!r})\n{PROGRAM}"

    run_killed_at(step, root_of(memory), program, str(tmp_path), FORGOTTEN, SECRET)
    planned = (root_of(memory) / ".strata/forgotten.jsonl").exists()
    sync(open_memory(tmp_path, NIGHTS[0]))

    if planned:
        assert holding(memory, "PostgreSQL") == []
        assert lines_lost(untouched, notes(memory)).keys() == before
    else:
        assert notes(memory) == untouched


def test_what_a_killed_run_kept_and_did_not_tell_is_gone(memory: Memory) -> None:
    """
    A copy for undo that no log names yet, as a kill leaves it, holds nothing either.
    """
    log = next(memory.workspace.layout.undo_folder.glob("*/log.jsonl"))
    (log.parent / "77.before").write_text(f"# 2026-11-20\n- {SECRET}\n")

    forget(memory, Target(SECRET))

    assert holding(memory, "PostgreSQL") == []


def _forget_in_process(root: Path, text: str) -> None:
    forget(open_memory(root, FORGOTTEN), Target(text))


def test_two_at_once(memory: Memory, tmp_path: Path) -> None:
    """
    Two processes forget different things at the same time, and both are gone.
    """
    spawn = multiprocessing.get_context("spawn")
    texts = [SECRET, "Bob Meyer"]
    workers = [
        spawn.Process(target=_forget_in_process, args=(tmp_path, text))
        for text in texts
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    assert [worker.exitcode for worker in workers] == [0, 0]
    assert holding(memory, "PostgreSQL", "Bob Meyer") == []
    assert "pnpm" in memory.workspace.read("MEMORY.md")


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(commands, arguments, standalone_mode=False)


def test_command_asks_first(memory: Memory) -> None:
    """
    Without --yes it shows what would go and changes nothing; with it, it tells.
    """
    options = ["--workspace", str(root_of(memory)), "--state-dir"]
    options += [str(root_of(memory).parent / "state"), "--now", FORGOTTEN]
    before = tree(root_of(memory).parent)

    asked = invoke(*options, "forget", SECRET)
    dry = invoke(*options, "--json", "forget", "--dry-run", SECRET)

    assert (asked.return_value, dry.return_value) == (1, 0)
    assert "MEMORY.md:" in asked.output
    assert {each["path"] for each in json.loads(dry.output)["lines"]} >= {DAILY, WEEKLY}
    assert tree(root_of(memory).parent) == before
    done = invoke(*options, "forget", "--yes", SECRET)
    assert done.return_value == 0
    assert "proved" in done.output
    warning, _, command = done.output.partition("openclaw sessions delete")
    assert command
    assert "as a whole, with everything else that was said in it" in warning


def test_what_was_never_said_has_no_places(memory: Memory) -> None:
    """
    Where nothing said it, the receipt counts no line and no other place.
    """
    options = ["--workspace", str(root_of(memory)), "--state-dir"]
    options += [str(root_of(memory).parent / "state"), "--now", FORGOTTEN]

    done = invoke(*options, "forget", "--yes", "the walrus plays chess in Reykjavik")

    assert done.return_value == 0
    assert done.output.startswith("nothing in memory said that")


def test_copies_that_say_the_same_are_one_row(memory: Memory) -> None:
    """
    What undo keeps of several runs holds the line as often; it is shown once, counted.
    """
    remember(at(memory, FORGOTTEN), "Always answer in German on Sundays.")
    remember(at(memory, FORGOTTEN), "Always book a seat by the window.")
    root = root_of(memory)
    options = ["--workspace", str(root), "--state-dir", str(root.parent / "state")]

    asked = invoke(*options, "--now", FORGOTTEN, "forget", "--dry-run", SECRET)

    rows = asked.output.splitlines()
    assert "(2 copies)" in asked.output
    assert len(rows) == len(set(rows))


def test_wrong_wishes_are_refused(memory: Memory) -> None:
    """
    Nothing, two things at once, no word, and a conversation that is not there.
    """
    for wrong in (("", ""), ("a", "b"), ("…", "")):
        with pytest.raises(UsageError):
            forget(memory, Target(*wrong))
    with pytest.raises(NotFound):
        forget(memory, Target(session="ffff"))


def test_start_of_an_id_that_fits_several_conversations_is_refused(
    tmp_path: Path,
) -> None:
    """
    The wrong conversation would be gone for good; the whole id always means itself.
    """
    ids = [
        "61871d67-1111-4222-8333-444444444444",
        "6187ffff-1111-4222-8333-444444444444",
    ]
    for place, id_ in enumerate(ids):
        chat = Conversation(tmp_path / "state", id=id_, key=f"agent:main:{place}")
        chat.user(f"We decided to use Kafka {place} for events.").agent("Ok.").save()
    memory = open_memory(tmp_path, FORGOTTEN)

    with pytest.raises(UsageError, match=f"{ids[0]}, {ids[1]}"):
        plan(memory, Target(session="6187"))

    assert plan(memory, Target(session="61871")).chosen.sessions == {ids[0]}
    assert plan(memory, Target(session=ids[1])).chosen.sessions == {ids[1]}


@pytest.mark.parametrize(
    ("wanted", "other"),
    [
        (
            "Anna likes coffee with milk and sugar",
            "Anne likes coffee with milk and sugar",
        ),
        (
            "Deploys on Friday are allowed for the api",
            "Deploys on Friday are not allowed for the api",
        ),
        (
            "王小明的办公室在北京朝阳区三里屯附近",
            "王小红的办公室在北京朝阳区三里屯附近",
        ),
        ("周五可以部署支付服务到生产环境", "周五不可以部署支付服务到生产环境"),
    ],
)
def test_nearly_the_same_letters_of_another_name_or_a_denial_stay(
    wanted: str, other: str
) -> None:
    """
    What goes is gone for good, so likeness of letters alone takes nothing along.
    """
    assert not Target(wanted).is_said_by(other)


def test_inflection_and_small_words_make_no_other_statement() -> None:
    """
    The owner need not write the line as the note has it.
    """
    assert Target("Call Bob about the invoices").is_said_by("Call Bob about an invoice")
    assert Target("我们的数据库使用PostgreSQL").is_said_by("我们数据库用的PostgreSQL")


def test_large_file_that_is_not_memory_leaves_the_proof_whole(memory: Memory) -> None:
    """
    It is named as unread; else the forgetting would begin anew with every sync.
    """
    with (root_of(memory) / "video.mp4").open("wb") as file:
        file.truncate(65 * 1024 * 1024)

    receipt = forget(memory, Target(SECRET))

    assert receipt.proof.unread == ["video.mp4"]
    assert receipt.proof.holds
    assert memory.tombstones.unfinished() == []


@pytest.mark.parametrize("end", [b"", SECRET.encode()])
def test_large_file_of_memory_is_read_to_its_end(memory: Memory, end: bytes) -> None:
    """
    The index of a large memory has files of hundreds of megabytes, mostly holes.
    """
    with (root_of(memory) / ".strata" / "large.bin").open("wb") as file:
        file.seek(65 * 1024 * 1024 - 7)
        file.write(end or b"\0")

    proof = forget(memory, Target(SECRET)).proof

    assert proof.unread == []
    assert proof.left == [".strata/large.bin"] * bool(end)


def test_uninstalling_lets_nothing_come_back(memory: Memory) -> None:
    """
    What OpenClaw's state holds of Strata goes, but for the key and the tombstones.
    """
    forget(memory, Target(SECRET))
    folder = OwnFolder(root_of(memory).parent / "state")
    folder.write_plugin()

    folder.remove()

    assert {path.name for path in folder.root.iterdir()} == {"forgotten"}
    shutil.rmtree(root_of(memory) / "memory")
    sync(at(memory, NIGHTS[0]))
    assert holding(memory, "ACID") == []
