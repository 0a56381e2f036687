"""What another person wishes is theirs: a page, a bank, and no rule for anybody else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from builders_encryption import KEY, own_memory, use_key
from builders_exports import everything_in, rewritten
from builders_imports import chatgpt_talk, write_zip
from builders_memory import statements_of
from builders_people import (
    FILE,
    GROUP,
    OWNERS,
    PERSON,
    PROFILE,
    THEIRS,
    assign,
    chosen,
    configure,
    distrust,
    link,
    merge,
    night,
    person,
    rename,
    sign_in,
    told,
    unlink,
)
from builders_scopes import LATER, OTHER, OWNER, open_agent
from killing import run_killed_at

from strata import warm
from strata.cli import run
from strata.errors import NotAccepted, NotFound
from strata.history.names import PERSONAL
from strata.jobs.checks.findings import Level
from strata.jobs.checks.prompt import check_prompt
from strata.jobs.checks.scopes import check_scopes
from strata.jobs.deciding.verdict_list import statements
from strata.jobs.encryption import switch_on
from strata.jobs.entity import decide
from strata.jobs.exporting.export import export
from strata.jobs.exporting.restoring import restore
from strata.jobs.forgetting.forget import forget
from strata.jobs.forgetting.target import Target
from strata.jobs.importing.importing import import_from
from strata.jobs.personal import answer, bring_up, why_not
from strata.jobs.reflect import reflect_on_all
from strata.jobs.review import review
from strata.jobs.undo import undo
from strata.notes.long_term import fits
from strata.workspace.own_folder import Installation, OwnFolder
from strata.workspace.scopes import Scope

if TYPE_CHECKING:
    from collections.abc import Callable

    from strata.history.statements import Statement
    from strata.memory import Memory

TESTS = Path(__file__).parents[2]
OWNERS_WISH = "Always answer me in English, never in German."
THEIR_WISH = "Always answer me in German, never in English."


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """
    The owner and another person wish the opposite, and the night has passed.
    """
    said = {OWNERS: [OWNERS_WISH], THEIRS: [THEIR_WISH], GROUP: [THEIR_WISH]}
    return told(tmp_path, said)


@pytest.fixture
def linked(world: Path) -> Path:
    """
    OpenClaw knows the other person, and their chat is assigned to them.
    """
    sign_in(world, ("whatsapp", OTHER))
    assign(world, THEIRS)
    return world


def waiting(memory: Memory) -> list[Statement]:
    return [each for each in statements(memory) if each.kind == "waiting"]


def words_below(memory: Memory, *, apart: bool = False) -> str:
    """
    All that the files of *memory* hold, without other people's where they are *apart*.
    """
    root = memory.workspace.root
    files = [file for file in root.rglob("*") if file.is_file()]
    kept = [file for file in files if not apart or "scopes" not in file.parts]
    return "".join(file.read_bytes().decode("utf-8", "replace") for file in kept)


def pages(memory: Memory) -> dict[str, str]:
    """
    The pages of the bank by their paths.
    """
    root = memory.workspace.root
    found = sorted((root / "memory" / "bank").rglob("*.md"))
    return {each.relative_to(root).as_posix(): each.read_text() for each in found}


def read_to_them(root: Path) -> str:
    return open_agent(root).workspace.read(FILE)


def test_each_has_a_page_of_own_wishes(world: Path) -> None:
    """
    The night distils the owner's words and another person's apart, and a group's not.
    """
    memory = open_agent(world, "main", LATER)
    group = memory.within(memory.scopes.find("group:-100123"))

    assert statements_of(memory) == [OWNERS_WISH]
    assert statements_of(person(world)) == [THEIR_WISH]
    assert statements_of(group) == []
    assert not waiting(memory), (
        "the opposite wish of another person is no contradiction"
    )


def test_page_keeps_its_limits(tmp_path: Path) -> None:
    """
    Who wishes far too much has a page of 80 lines and 5 KB, as the owner has.
    """
    wishes = [f"Always call ship number {n} by the name Vessel{n}." for n in range(150)]
    world = told(tmp_path, {OWNERS: [OWNERS_WISH], THEIRS: wishes})

    page = person(world).workspace.read("MEMORY.md")

    assert fits(page)
    assert page.count("Vessel") > 40
    assert "Vessel" not in open_agent(world).workspace.read("MEMORY.md")


def test_night_proposes_and_writes_nothing(linked: Path) -> None:
    """
    What a person wishes for good waits for the owner's word, before OpenClaw reads it.
    """
    night(linked, "2026-12-06T03:00:00+00:00")

    (found,) = waiting(person(linked))
    assert (found.text, found.record["path"]) == (THEIR_WISH, FILE)
    assert not (linked / "workspace" / "users").exists()
    assert not waiting(open_agent(linked)), "the owner's own review is of the owner"


def test_accepted_line_stands_beside_what_was_there(linked: Path) -> None:
    """
    The owner's word puts it into a block of that file, and undo takes it out again.
    """
    file = linked / "workspace" / FILE
    file.parent.mkdir(parents=True)
    file.write_text("- Prefer metric units.\n")
    (found,) = waiting(person(linked))

    review(person(linked), "accept", [found.id])
    with_line = file.read_text()
    left = waiting(person(linked))
    undo(person(linked))

    assert with_line.startswith("- Prefer metric units.\n\n<!-- strata:begin")
    dated = "<!-- observed: 2026-11-20 | status: active -->"
    assert f"{dated}\n\n- {THEIR_WISH}\n" in with_line
    assert left == []
    assert file.read_text() == "- Prefer metric units.\n"
    assert [each.text for each in waiting(person(linked))] == [THEIR_WISH]


def test_file_that_was_made_for_it_goes_with_it(linked: Path) -> None:
    """
    What is declined is not asked again; a file of ours alone goes when it is empty.
    """
    (found,) = waiting(person(linked))
    review(person(linked), "accept", [found.id])
    assert THEIR_WISH in read_to_them(linked)
    undo(person(linked))
    assert not (linked / "workspace" / FILE).exists()

    review(person(linked), "decline", [found.id])

    assert waiting(person(linked)) == []
    assert read_to_them(linked) == ""


def test_killed_before_the_file_was_written(linked: Path) -> None:
    """
    The word is journaled first, so that the next night writes what was cut off.
    """
    (found,) = waiting(person(linked))
    review(person(linked), "accept", [found.id])
    (linked / "workspace" / FILE).unlink()

    night(linked, "2026-12-06T03:00:00+00:00")

    assert THEIR_WISH in read_to_them(linked)


ACCEPTING = """
from pathlib import Path
from builders_people import person
from strata.jobs.review import review
root, name = sys.argv[1:]
review(person(Path(root)), "accept", [name])
"""


def test_killed_at_any_step(linked: Path) -> None:
    """
    However far an acceptance came, the next night reads to them what the journal says and
    nothing else, and undo takes it back.
    """
    (found,) = waiting(person(linked))
    program = f"sys.path.insert(0, {str(TESTS)!r})\n{ACCEPTING}"
    accepted, step = set(), 1

    while run_killed_at(step, linked / "workspace", program, str(linked), found.id):
        night(linked, "2026-12-06T03:00:00+00:00")
        was_accepted = not waiting(person(linked))
        assert (THEIR_WISH in read_to_them(linked)) == was_accepted
        accepted.add(was_accepted)
        if was_accepted:
            undo(person(linked))
        assert read_to_them(linked) == ""
        assert [each.id for each in waiting(person(linked))] == [found.id]
        step += 1

    assert THEIR_WISH in read_to_them(linked)
    assert accepted == {False, True}


def test_undo_tells_what_was_read(
    linked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    Which file followed is said, and in plain words what was taken back.
    """
    (found,) = waiting(person(linked))
    review(person(linked), "accept", [found.id])
    asked = ["--workspace", str(linked / "workspace")]
    asked += ["--state-dir", str(linked / "state"), "--scope", PERSON]

    assert run([*asked, "undo"]) == 0

    told = capsys.readouterr().out
    assert "undid the decision on what is read to a person of" in told
    assert f"from {FILE} followed" in told


def test_undo_of_an_undo(linked: Path) -> None:
    """
    What was taken back is read to them again once that is taken back.
    """
    (found,) = waiting(person(linked))
    review(person(linked), "accept", [found.id])
    taken = undo(person(linked))

    undo(person(linked), taken.by)

    assert THEIR_WISH in read_to_them(linked)
    assert waiting(person(linked)) == []


def test_damaged_store_of_openclaw(linked: Path) -> None:
    """
    Where nobody can say who is who nothing is proposed, what leaves the page still leaves
    the file, and nothing else does.
    """
    (found,) = waiting(person(linked))
    review(person(linked), "accept", [found.id])
    (linked / "state" / "state" / "openclaw.sqlite").write_bytes(b"no database" * 99)

    night(linked, "2026-12-06T03:00:00+00:00")
    reason = why_not(person(linked))
    assert THEIR_WISH in read_to_them(linked)
    assert reason
    assert reason.key == "personal.unreadable"

    assert forget(open_agent(linked), Target(text=THEIR_WISH)).proof.holds
    assert not (linked / "workspace" / FILE).exists()


def test_two_accounts_of_one_person(linked: Path) -> None:
    """
    Each memory of theirs has a block of its own in the one file.
    """
    (found,) = waiting(person(linked))
    review(person(linked), "accept", [found.id])
    private = open_agent(linked, "main", LATER)
    other = private.within(private.scopes.name(Scope("user", "telegram", "888")))
    link(linked, PROFILE, ("telegram", "888"))

    night(linked, "2026-12-06T03:00:00+00:00")
    assert bring_up(other) == []

    assert read_to_them(linked).count(THEIR_WISH) == 1


def test_markup_is_no_wish(tmp_path: Path) -> None:
    """
    What would end a block, or hide what comes after it, becomes no line of a page.
    """
    said = [
        "Always sign with <!-- strata:end --> in my letters.",
        "Always end my letters with <!-- and nothing else.",
    ]
    world = told(tmp_path, {OWNERS: [OWNERS_WISH], THEIRS: [*said, THEIR_WISH]})

    assert statements_of(person(world)) == [THEIR_WISH]


def test_encrypted_memory_shows_no_more(
    linked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    What OpenClaw reads has to be plain; the owner's word on it is not.
    """
    pytest.importorskip("cryptography")
    use_key(monkeypatch, KEY)
    with own_memory(linked / "workspace"):
        switch_on(open_agent(linked, "main", LATER))
        (found,) = waiting(person(linked))

        review(person(linked), "accept", [found.id])

        assert THEIR_WISH in (linked / "workspace" / FILE).read_text()
        journal = person(linked).workspace.layout.journal_file
        assert PROFILE.encode() not in journal.read_bytes()


def test_owners_words_are_never_read_to_somebody_else(linked: Path) -> None:
    """
    A line that the owner words on a person's page is not that person's wish.
    """
    memory = person(linked)
    (line,) = (e for e in statements(memory) if e.line and e.kind == "promoted")

    review(memory, "edit", [line.id], "Always answer me in French, at length.")

    assert statements_of(person(linked)) == ["Always answer me in French, at length."]
    assert waiting(person(linked)) == []


def test_reworded_line_is_read_no_more(linked: Path) -> None:
    """
    What leaves the page leaves the file, without another word of the owner's.
    """
    (found,) = waiting(person(linked))
    review(person(linked), "accept", [found.id])
    (line,) = (e for e in statements(person(linked)) if e.line)

    review(person(linked), "decline", [line.id])

    assert statements_of(person(linked)) == []
    assert not (linked / "workspace" / FILE).exists()


def test_forgotten_line_is_gone_from_the_file(linked: Path) -> None:
    """
    Forgetting reaches what OpenClaw reads to a person, and the proof holds.
    """
    (found,) = waiting(person(linked))
    review(person(linked), "accept", [found.id])

    receipt = forget(open_agent(linked, "main", LATER), Target(text=THEIR_WISH))

    assert receipt.proof.holds
    assert receipt.proof.elsewhere == []
    assert not (linked / "workspace" / FILE).exists()
    assert found.record["of"] not in words_below(person(linked))


def test_forgotten_line_in_the_hand_of_others_is_named(linked: Path) -> None:
    """
    What somebody wrote into that file beside our block is left, and the proof says so.
    """
    file = linked / "workspace" / FILE
    file.parent.mkdir(parents=True)
    file.write_text(f"- {THEIR_WISH}\n")

    receipt = forget(open_agent(linked, "main", LATER), Target(text=THEIR_WISH))

    assert receipt.proof.elsewhere == [FILE]


def test_profile_that_is_no_longer_theirs_loses_it(linked: Path) -> None:
    """
    Whose account it is no longer hears nothing of it from the next night on.
    """
    (found,) = waiting(person(linked))
    review(person(linked), "accept", [found.id])

    unlink(linked)
    night(linked, "2026-12-06T03:00:00+00:00")

    assert not (linked / "workspace" / FILE).exists()


def test_merged_profile_is_asked_about_anew(linked: Path) -> None:
    """
    OpenClaw reads the file of the profile that is left; the owner's word was on another.
    """
    (found,) = waiting(person(linked))
    review(person(linked), "accept", [found.id])

    sign_in(linked, profile="p_left")
    merge(linked, PROFILE, "p_left")
    night(linked, "2026-12-06T03:00:00+00:00")

    (again,) = waiting(person(linked))
    assert again.record["path"] == "users/p_left/USER.md"
    assert not (linked / "workspace" / "users" / PROFILE / "USER.md").exists()


def too_old(root: Path) -> None:
    (root / "state" / "state" / "openclaw.sqlite").unlink()


def installed_in_an_older(root: Path) -> None:
    own = OwnFolder(root / "state")
    with own.alone():
        own.save(Installation(program="openclaw", version="2026.9.5"))


def of_the_owner(root: Path) -> None:
    link(root, PROFILE, ("telegram", OWNER))


def of_two(root: Path) -> None:
    sign_in(root, profile="p_two")
    link(root, "p_two", ("whatsapp", OTHER), account="second")


def nobodys_conversation(root: Path) -> None:
    assign(root, THEIRS, "somebody-else")


def begun_in_the_chat(root: Path) -> None:
    # Who merely writes is an actor of the channel, also under an id that is a profile's.
    creator = {"type": "human", "source": "channel", "id": PROFILE}
    chosen(root, THEIRS, creator)


def an_agents_conversation(root: Path) -> None:
    chosen(root, THEIRS, {}, kind="agent", owner=PROFILE)


def owners_conversation_too(root: Path) -> None:
    assign(root, OWNERS)


def owners_direct_chat_too(root: Path) -> None:
    rename(root, OWNERS, f"agent:main:telegram:direct:{OWNER}")
    assign(root, f"agent:main:telegram:direct:{OWNER}")


def untrusted(root: Path) -> None:
    distrust(root, FILE)


def linked_elsewhere(root: Path) -> None:
    folder = root / "workspace" / "users"
    (folder / "other").mkdir(parents=True)
    (folder / PROFILE).symlink_to(folder / "other")


def linked_out_of_the_workspace(root: Path) -> None:
    folder = root / "workspace" / "users"
    folder.mkdir()
    (root / "outside").mkdir()
    (folder / PROFILE).symlink_to(root / "outside")
    (root / "outside" / "USER.md").write_text("- Mine.\n")


@pytest.mark.parametrize(
    ("change", "because"),
    [
        (too_old, "personal.too-old"),
        (installed_in_an_older, "personal.too-old"),
        (unlink, "personal.not-linked"),
        (of_two, "personal.not-linked"),
        (of_the_owner, "personal.owners"),
        (nobodys_conversation, "personal.no-conversation"),
        (begun_in_the_chat, "personal.no-conversation"),
        (an_agents_conversation, "personal.no-conversation"),
        (owners_conversation_too, "personal.owners-conversation"),
        (owners_direct_chat_too, "personal.owners-conversation"),
        (untrusted, "personal.left-out"),
        (linked_elsewhere, "personal.left-out"),
        (linked_out_of_the_workspace, "personal.left-out"),
    ],
)
def test_nothing_is_written_that_would_not_be_read(
    linked: Path, change: Callable[[Path], None], because: str
) -> None:
    """
    Where OpenClaw would read it to nobody, or to the owner, it is refused with the reason.
    """
    (found,) = waiting(person(linked))

    change(linked)

    assert waiting(person(linked)) == []
    reason = why_not(person(linked))
    assert reason
    assert reason.key == because
    with pytest.raises(NotAccepted) as refused:
        answer(person(linked), found, "accept")
    assert refused.value.told == reason
    night(linked, "2026-12-06T03:00:00+00:00")
    everything = (linked / "workspace").rglob("USER.md")
    assert not any(THEIR_WISH in file.read_text() for file in everything)


def owners_profile_merged(root: Path) -> None:
    sign_in(root, ("telegram", OWNER), profile="p_owner")
    merge(root, "p_owner", PROFILE)


@pytest.mark.parametrize("change", [owners_profile_merged, owners_conversation_too])
def test_wish_that_would_reach_the_owner_leaves_the_file(
    linked: Path, change: Callable[[Path], None]
) -> None:
    """
    What was accepted is no rule for the owner who shares the profile, or the chat, later.
    """
    (found,) = waiting(person(linked))
    review(person(linked), "accept", [found.id])
    assert THEIR_WISH in read_to_them(linked)

    change(linked)
    night(linked, "2026-12-06T03:00:00+00:00")

    assert THEIR_WISH not in read_to_them(linked)


def test_conversation_that_a_person_began_signed_in_is_theirs(linked: Path) -> None:
    """
    OpenClaw reads it there without an assignment, and where an agent was assigned.
    """
    creator = {"type": "human", "source": "profile", "id": PROFILE}

    chosen(linked, THEIRS, creator, kind="agent", owner="main")

    assert why_not(person(linked)) is None


def test_file_that_would_be_left_out_whole_is_refused(linked: Path) -> None:
    """
    OpenClaw reads no personal file of more than 4,000 characters, or its setting's.
    """
    file = linked / "workspace" / FILE
    file.parent.mkdir(parents=True)
    file.write_text("- Prefer short answers.\n" * 160)
    (found,) = waiting(person(linked))

    with pytest.raises(NotAccepted, match="more than 4000 characters"):
        review(person(linked), "accept", [found.id])
    assert "strata:begin" not in file.read_text()

    file.write_text("")
    configure(linked, bootstrapMaxChars=100)
    with pytest.raises(NotAccepted, match="more than 100 characters"):
        review(person(linked), "accept", [found.id])


def test_doctor_names_a_file_that_is_left_out(linked: Path) -> None:
    """
    What grew too long since, or is no longer trusted, OpenClaw leaves out in silence.
    """
    (found,) = waiting(person(linked))
    review(person(linked), "accept", [found.id])
    file = linked / "workspace" / FILE
    assert FILE not in complaints_about(linked)

    file.write_text(file.read_text() + "- Prefer short answers.\n" * 160)
    assert "shows 4000 of them" in complaints_about(linked)[FILE]

    distrust(linked, FILE)
    assert "leaves it out" in complaints_about(linked)[FILE]


def test_doctor_says_what_of_the_owners_others_are_shown(tmp_path: Path) -> None:
    """
    OpenClaw puts the owner's page into other people's chats: the owner hears of it.
    """
    mine = {OWNERS: [OWNERS_WISH], GROUP: [THEIR_WISH]}
    alone = told(tmp_path / "alone", mine)
    shared = told(tmp_path / "shared", {**mine, THEIRS: [THEIR_WISH]})

    assert "other people" not in {e.name for e in check_scopes(open_agent(alone))}
    (found,) = check_scopes(open_agent(shared))
    assert found.name == "other people"
    assert "1 other person" in str(found.says)
    assert str(found.says).endswith("your MEMORY.md")
    assert "agents add" in str(found.remedy)

    (shared / "workspace" / "USER.md").write_text("The owner lives in Graz.\n")
    (found,) = check_scopes(open_agent(shared))
    assert "USER.md, MEMORY.md" in str(found.says)


def complaints_about(root: Path) -> dict[str, str]:
    found = check_prompt(open_agent(root))
    return {each.name: str(each.says) for each in found if each.level is not Level.OK}


def test_only_a_named_one_is_accepted(linked: Path) -> None:
    """
    "All that waits" is no word on what goes into the prompts of somebody else.
    """
    with pytest.raises(NotFound):
        review(person(linked), "accept", ["all"])

    assert read_to_them(linked) == ""


def test_agent_accepts_nothing_for_others(
    linked: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    Neither the owner's agent nor the person's may let OpenClaw read it.
    """
    (found,) = waiting(person(linked))
    monkeypatch.chdir(linked / "workspace")
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(linked / "state"))
    monkeypatch.setenv(warm.SHELL, "exec")

    for session in (OWNERS, THEIRS):
        monkeypatch.setenv(warm.SESSION, session)
        command = ["--scope", PERSON, "review", "accept", found.id]
        assert run(["--now", LATER, *command]) == NotAccepted.exit_code
        assert "owner" in capsys.readouterr().err

    assert read_to_them(linked) == ""


def test_owners_review_says_that_something_waits_elsewhere(
    linked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    How much, and the command that shows it: of the words themselves it says nothing.
    """
    given = ["--state-dir", str(linked / "state"), "--now", LATER]

    assert run([*given, "review"]) == 0

    said = capsys.readouterr().out
    scope = person(linked).scope
    assert (
        f"1 more waits in the memory of somebody else: strata --scope {scope}" in said
    )
    assert THEIR_WISH not in said
    assert run([*given, "--scope", scope, "review", "-n", "1"]) == 0
    shown = capsys.readouterr().out
    assert f"to be read to them: {THEIR_WISH}" in shown
    assert f"strata --scope {scope} review accept" in shown


def test_review_says_why_nothing_is_proposed(
    world: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    The list of that person's memory ends with the reason, in one line.
    """
    given = ["--state-dir", str(world / "state"), "--now", LATER, "--scope", PERSON]

    assert run([*given, "review"]) == 0

    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("Nothing is proposed for this person's USER.md: OpenClaw")


def test_archive_brings_no_consent(linked: Path, tmp_path: Path) -> None:
    """
    An archive of a person lets OpenClaw read nothing where it is imported, whoever made
    it: that needs the word of the owner there.
    """
    (found,) = waiting(person(linked))
    review(person(linked), "accept", [found.id])
    records = [*person(linked).journal.records(PERSONAL)]
    archive = tmp_path / "person.zip"
    export(person(linked), archive, "archive")
    honest = everything_in(archive)

    def forge(files: dict[str, bytes]) -> None:
        files["journal.jsonl"] += f"{json.dumps(records[0])}\n".encode()

    rewritten(archive, forge)
    signed_in = "agent:main:dashboard:5e0c"
    there = told(tmp_path / "there", {OWNERS: [OWNERS_WISH], signed_in: ["Hello."]})
    sign_in(there, ("whatsapp", OTHER))
    assign(there, signed_in)
    private = open_agent(there, "main", LATER)
    memory = private.within(private.scopes.name(Scope("user", "whatsapp", OTHER)))

    restore(memory, archive)
    night(there, "2026-12-06T03:00:00+00:00")

    assert len(records) == 1
    assert PROFILE not in honest
    assert statements_of(memory) == [THEIR_WISH]
    assert read_to_them(there) == ""
    assert [each.text for each in waiting(person(there))] == [THEIR_WISH]


def test_import_into_a_persons_memory_makes_no_rule_for_the_owner(world: Path) -> None:
    """
    What a person told another tool becomes a line of that person's page, of no other.
    """
    wish = "Always write me letters in Portuguese, never in Spanish."
    talk = chatgpt_talk("t1", [("user", wish), ("assistant", "Noted.")] * 2)
    source = write_zip(world / "theirs.zip", {"conversations.json": [talk]})

    import_from(person(world), source)
    night(world, "2026-12-06T03:00:00+00:00")

    assert wish in statements_of(person(world))
    assert statements_of(open_agent(world)) == [OWNERS_WISH]
    assert "Portuguese" not in words_below(open_agent(world), apart=True)


def test_bank_of_a_person_is_theirs(tmp_path: Path) -> None:
    """
    Whom a person speaks of has a page in that person's bank; merging it changes no other.
    """
    known = [
        "My colleague {0} leads the greenhouse project.",
        "{0} is allergic to walnuts.",
        "{0} moved to {1}, and {0} sails.",
    ]
    hers = [each.format("Anna Kowalska", "Porto") for each in known]
    theirs = [each.format("Anna Lindqvist", "Malmö") for each in known]
    world = told(tmp_path, {OWNERS: hers, THEIRS: theirs})
    reflect_on_all(open_agent(world, "main", LATER))
    before = pages(open_agent(world))

    decide(person(world), "rename", "Anna Lindqvist", "Anni")

    assert "Malmö" in "".join(pages(person(world)).values())
    assert "Anni" in "".join(pages(person(world)).values())
    assert pages(open_agent(world)) == before
    assert "Malmö" not in "".join(before.values())
