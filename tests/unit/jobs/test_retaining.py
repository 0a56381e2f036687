"""What an agent retains counts as far as it was said; the rest waits for the owner."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest
from builders import Conversation, tree
from builders_bank import bank_files
from builders_encryption import ALL_NOTES, KEY, holding, own_memory, use_key
from builders_memory import open_memory, statements_of
from builders_retain import (
    CHINESE,
    ENGLISH,
    INVENTED,
    SAID,
    SUMMARIES,
    TALKS,
    reflected,
    retained,
    talked,
    write_retain,
)
from builders_scopes import CANARIES, open_agent, populate

from strata.bank.pages import EXPERIENCE
from strata.cli import run
from strata.jobs.banking.knowing import known_lines
from strata.jobs.checks.memory import check_memory
from strata.jobs.deciding.verdict_list import statements
from strata.jobs.encryption import switch_on
from strata.jobs.forgetting.forget import forget
from strata.jobs.forgetting.target import Target
from strata.jobs.mentions import gather
from strata.jobs.reflect import reflect
from strata.jobs.retain import retain
from strata.jobs.review import review
from strata.jobs.sync import sync
from strata.jobs.tidy import tidy
from strata.jobs.trace import trace
from strata.jobs.undo import undo
from strata.jobs.why import why
from strata.models import Origin

if TYPE_CHECKING:
    from pathlib import Path

    from strata.memory import Memory

NEXT_DAY = "2026-11-20T03:00:00+00:00"
LATER = "2026-11-20T09:00:00+00:00"
WEEKS_LATER = "2026-12-10T03:00:00+00:00"


def waiting(memory: Memory) -> dict[str, str]:
    """
    What waits because an agent retained it, with its id.
    """
    return {
        each.text: each.id
        for each in statements(memory)
        if each.kind == "waiting" and each.record["dimension"] == "retained"
    }


def counted(memory: Memory) -> set[str]:
    """
    The lines of notes that agents retained and that are evidence.
    """
    return {each.entry for each in gather(memory) if each.retained}


def bank(memory: Memory) -> str:
    """
    All pages of the bank, as one text.
    """
    return b"".join(bank_files(memory.workspace.root).values()).decode()


def place_of(memory: Memory, path: str, words: str) -> str:
    """
    Where *words* stand below "Retain" in the note *path*, as a page cites it.
    """
    lines = memory.workspace.read(path).split("\n")
    after = next(n for n, line in enumerate(lines) if line.startswith("## Retain"))
    number = next(n for n in range(after, len(lines)) if words in lines[n]) + 1
    return f"{path.removeprefix('memory/').removesuffix('.md')}#L{number}"


def test_what_was_said_counts_and_the_rest_waits(tmp_path: Path) -> None:
    """
    In both languages: what is so, what the owner thinks, and what the agent did.
    """
    memory = reflected(retained(tmp_path, SAID, INVENTED, SUMMARIES))

    assert counted(memory) == {line for day in TALKS for line in SAID[day]}
    assert set(waiting(memory)) == {
        "Anna Kost moved to Lisbon.",
        "The user can't stand Tauri.",
        "I deleted the old backups.",
        "李雷搬到了深圳。",
        "用户喜欢红眼航班。",
        "我已经把所有备份都删掉了。",
    }
    pages = bank(memory)
    for path, words in (
        (ENGLISH, "Anna Kost moved to Porto."),
        (ENGLISH, "stand Electron"),
        (ENGLISH, "I updated Anna's address"),
        (CHINESE, "张伟搬到了深圳"),
        (CHINESE, "用户不喜欢红眼航班"),
        (CHINESE, "我已经把张伟的地址改成深圳"),
    ):
        assert place_of(memory, path, words) in pages
    assert "Lisbon" not in pages
    assert "李雷" not in pages
    assert "备份" not in pages


def test_line_stands_on_the_page_of_whom_it_is_tagged_with(tmp_path: Path) -> None:
    """
    With its tag, also where the words of the line name nobody.
    """
    memory = retained(tmp_path, SAID)
    write_retain(memory, 18, ["W @Anna Kost @Galp: works for Galp now."])

    reflected(memory)

    page = memory.workspace.read("memory/bank/people/anna-kost.md")
    assert "- @Anna Kost, @Porto: Anna Kost moved to Porto. (src: 2026-11-18#L" in page
    assert place_of(memory, ENGLISH, "works for Galp") in page
    (line,) = [each for each in known_lines(memory) if "@Porto" in each.text]
    assert line.kind == "W"
    assert line.sources == ("memory/2026-11-18.md:8",)


def test_agent_who_is_less_sure_makes_nothing_surer(tmp_path: Path) -> None:
    """
    Its confidence is a limit to that of the bank, and what was captured has none.
    """
    memory = retained(tmp_path, SAID)
    write_retain(memory, 19, ["O(c=0.2) @腾讯：张伟在腾讯上班。"])

    reflected(memory)

    by_text = {each.text: each.confidence for each in known_lines(memory)}
    (unsure,) = [sure for text, sure in by_text.items() if text.startswith("@腾讯")]
    (sure,) = [sure for text, sure in by_text.items() if "红眼" in text]
    assert unsure < sure == pytest.approx(0.67)


def test_retained_line_is_no_second_conversation(tmp_path: Path) -> None:
    """
    It repeats what was said: nothing gets surer by it, and no rule comes of it.
    """
    memory = talked(tmp_path)
    before = {each.text: each.confidence for each in known_lines(reflected(memory))}
    write_retain(memory, 19, [f"O：{TALKS[19][2]}"] * 3)

    reflected(memory)

    after = {each.text: each.confidence for each in known_lines(memory)}
    assert {text: after[text] for text in before} == before
    labels = {each.label for each in gather(memory) if "红眼" in each.text}
    assert labels == {"19871d67"}


def test_summary_is_no_evidence(tmp_path: Path) -> None:
    """
    It neither counts nor waits, though every word of it was said.
    """
    memory = reflected(retained(tmp_path, SUMMARIES))

    assert counted(memory) == set()
    assert waiting(memory) == {}
    assert "#L8" not in bank(memory)


def test_what_the_agent_did_is_never_a_rule(tmp_path: Path) -> None:
    """
    A line on what it did is the agent's, whoever bears it out.
    """
    memory = reflected(retained(tmp_path, SAID))

    origins = {each.entry[0]: each.origin for each in gather(memory) if each.retained}
    assert origins["B"] is Origin.AGENT
    assert origins["W"] is Origin.OWNER
    tidy(memory)
    assert not any("contacts.yaml" in line for line in statements_of(memory))


def test_agent_alone_cannot_say_that_it_did_something(tmp_path: Path) -> None:
    """
    It told so in a talk that nobody answered, or a tool said so: that waits.
    """
    memory = talked(tmp_path)
    talk = Conversation(tmp_path / "state", "5" * 8, "agent:main:other")
    talk.user("Look after the files, will you?").tool(
        "read", "The invoices were moved."
    )
    talk.agent("I moved the invoices to the archive.").save()
    note = memory.workspace.root / "memory/2026-11-20.md"
    note.write_text("## Retain\n- B I moved the invoices to the archive.\n")

    reflected(open_memory(tmp_path, LATER))

    assert list(waiting(memory)) == ["I moved the invoices to the archive."]


def test_second_run_changes_nothing(tmp_path: Path) -> None:
    """
    What was judged is not judged again.
    """
    memory = reflected(retained(tmp_path, SAID, INVENTED))
    before = tree(memory.workspace.root, without=".strata/locks")

    reflected(memory)

    assert tree(memory.workspace.root, without=".strata/locks") == before


def test_deleted_bank_comes_back_without_the_conversations(tmp_path: Path) -> None:
    """
    It is made of the notes and the journal; no transcript is needed any more.
    """
    memory = reflected(retained(tmp_path, SAID, INVENTED))
    before = bank_files(memory.workspace.root)
    shutil.rmtree(memory.workspace.root / "memory/bank")
    shutil.rmtree(memory.workspace.root / ".strata/cache")
    shutil.rmtree(tmp_path / "state")

    reflected(open_memory(tmp_path, "2026-11-19T20:00:00+00:00"))

    assert bank_files(memory.workspace.root) == before


def test_day_by_day_is_as_all_at_once(tmp_path: Path) -> None:
    """
    Lines that are judged one after the other make the same pages.
    """
    at_once = retained(tmp_path / "once", SAID, INVENTED)
    reflected(at_once)
    by_and_by = talked(tmp_path / "by")
    for day in TALKS:
        write_retain(by_and_by, day, ())
        for line in (*SAID[day], *INVENTED[day]):
            with (by_and_by.workspace.root / f"memory/2026-11-{day}.md").open("a") as f:
                f.write(f"- {line}\n")
            reflected(by_and_by)

    pages = [bank_files(each.workspace.root) for each in (at_once, by_and_by)]

    assert pages[0] == pages[1]


def test_dry_run_tells_the_same_and_writes_nothing(tmp_path: Path) -> None:
    """
    Neither a page nor the journal.
    """
    memory = retained(tmp_path, SAID, INVENTED)
    before = (memory.workspace.root / ".strata/journal.jsonl").read_bytes()

    told = reflect(retain(memory, dry_run=True), dry_run=True)

    assert (memory.workspace.root / ".strata/journal.jsonl").read_bytes() == before
    assert bank_files(memory.workspace.root) == {}
    assert told.new == reflect(retain(memory)).new


def test_accepted_line_counts_until_that_is_undone(tmp_path: Path) -> None:
    """
    The owner's word bears it out; declined, it does not come back.
    """
    memory = reflected(retained(tmp_path, SAID, INVENTED))
    named = waiting(memory)

    review(memory, "accept", [named["Anna Kost moved to Lisbon."]])
    review(memory, "decline", [named["李雷搬到了深圳。"]])
    review(memory, "accept", [named["I deleted the old backups."]])
    reflected(memory)

    assert "@Anna Kost: Anna Kost moved to Lisbon. (src: 2026-11-18#L" in bank(memory)
    assert "李雷" not in bank(memory)
    assert "Anna Kost moved to Lisbon." in statements_of(memory)
    # What the agent did is no line of MEMORY.md, whoever says so.
    assert "deleted the old backups" in memory.workspace.read(EXPERIENCE)
    assert "I deleted the old backups." not in statements_of(memory)
    assert len(waiting(memory)) == len(named) - 3
    later = open_memory(tmp_path, LATER)
    undo(later)
    reflected(later)
    assert "Lisbon" not in bank(later)
    assert "Anna Kost moved to Lisbon." in waiting(later)


def test_all_and_agents_accept_nothing_that_was_not_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    That needs the owner, and its id.
    """
    memory = reflected(retained(tmp_path, INVENTED))
    name = waiting(memory)["Anna Kost moved to Lisbon."]
    before = waiting(memory)
    options = ["--workspace", str(tmp_path / "workspace")]
    options += ["--state-dir", str(tmp_path / "state"), "--now", LATER]
    monkeypatch.setenv("OPENCLAW_SHELL", "exec")

    assert run([*options, "review", "accept", name]) == 1
    assert run([*options, "review", "accept", "all"]) == 1

    assert "its owner did not say so" in capsys.readouterr().err
    assert waiting(memory) == before


def test_what_is_said_later_that_day_ends_the_waiting(tmp_path: Path) -> None:
    """
    A line is judged again while its day is young, and then waits for the owner.
    """
    reflected(retained(tmp_path, INVENTED))
    talk = Conversation(tmp_path / "state", "6" * 8, "agent:main:late")
    talk.at = talk.at.replace(day=19, hour=20)
    talk.user("还有，李雷也搬到了深圳。").agent("好的。").user("晚安").agent(
        "晚安"
    ).save()

    night = reflected(open_memory(tmp_path, NEXT_DAY))

    assert "李雷搬到了深圳。" not in waiting(night)
    assert "(src: 2026-11-19#L8)" in night.workspace.read("memory/bank/world.md")
    kinds = {each.text: each.kind for each in statements(night)}
    assert kinds["李雷搬到了深圳。"] == "merged"


def test_line_that_memory_knows_already_does_not_wait(tmp_path: Path) -> None:
    """
    It was said on another day: what stands in MEMORY.md is not asked about again.
    """
    memory = talked(tmp_path)
    tidy(memory)
    known = statements_of(memory)
    assert TALKS[19][2] in known
    write_retain(memory, 18, [f"O {TALKS[19][2]}"])

    reflected(memory)

    assert waiting(memory) == {}
    kinds = {each.text: each.kind for each in statements(memory)}
    assert kinds[TALKS[19][2]] == "promoted"
    assert statements_of(memory) == known


def test_line_that_a_hand_changes_is_judged_anew(tmp_path: Path) -> None:
    """
    What it says now was not said.
    """
    memory = reflected(retained(tmp_path, SAID))
    note = memory.workspace.root / ENGLISH
    told = note.read_text().replace("Kost moved to Porto.", "Kost moved to Rome.")
    note.write_text(told)

    reflected(memory)

    assert "Rome" not in bank(memory)
    assert "Porto: Anna Kost moved to Rome." in waiting(memory)
    assert "@Porto" not in bank(memory)


def test_archived_day_keeps_what_it_retained(tmp_path: Path) -> None:
    """
    The week says nothing of it, and the note is read where it lies.
    """
    memory = reflected(retained(tmp_path, SAID, INVENTED))
    before = counted(memory)
    later = open_memory(tmp_path, WEEKS_LATER)

    tidy(later)
    reflected(later)

    assert not (later.workspace.root / ENGLISH).exists()
    assert counted(later) == before
    assert "2026-11-18#L8" in bank(later)
    week = later.workspace.read("memory/weekly/2026-11-16.md")
    assert "Tauri" in week
    assert "@" not in week
    assert "Lisbon" not in week + bank(later) + later.workspace.read("MEMORY.md")


def test_trace_and_why_explain_a_line(tmp_path: Path) -> None:
    """
    With the words that bear it out, or why it waits.
    """
    memory = reflected(retained(tmp_path, SAID, INVENTED))

    found = trace(memory, "memory/2026-11-18.md:8")
    waits = why(memory, "memory/2026-11-18.md:11")
    by_id = trace(memory, waiting(memory)["Anna Kost moved to Lisbon."])

    assert found.is_intact
    assert (
        found.trails[0].words[0].text.startswith("Anna Kost moved to Porto last week")
    )
    assert next(each.reason for each in waits) == "noted"
    assert any("do not bear it out" in each.detail for each in waits)
    assert by_id.trails[0].daily
    assert by_id.trails[0].daily.line == 11


def test_forgotten_person_leaves_no_retained_line(tmp_path: Path) -> None:
    """
    Neither one that counted nor one that waited, and no word of either.
    """
    memory = reflected(retained(tmp_path, SAID, INVENTED))

    receipt = forget(memory, Target(entity="Anna"))

    assert receipt.proof.holds
    assert holding(memory.workspace.root, "Kost", "kost", "Lisbon") == []
    reflected(memory)
    assert holding(memory.workspace.root, "Kost", "kost", "Lisbon") == []
    assert counted(memory) == {SAID[18][1], *SAID[19]}


def test_forgotten_conversation_takes_what_rests_on_it(tmp_path: Path) -> None:
    """
    The lines of an agent that it bore out go with it.
    """
    memory = reflected(retained(tmp_path, SAID))

    forget(memory, Target(session="18871d67"))
    reflected(memory)

    assert counted(memory) == set(SAID[19])
    assert holding(memory.workspace.root, "Kost", "Electron") == []
    # Nor does it bear out what is written anew.
    write_retain(memory, 18, ["W The user can't stand Electron apps."])
    reflected(memory)
    assert "The user can't stand Electron apps." in waiting(memory)


def test_line_of_what_was_forgotten_does_not_come_back(tmp_path: Path) -> None:
    """
    Who writes it again gets it neither into the bank nor into the journal.
    """
    memory = reflected(retained(tmp_path, SAID))
    forget(memory, Target(entity="Anna"))
    write_retain(memory, 18, [SAID[18][0], "W @Anna Kost: Anna Kost has a boat."])

    retain(memory)

    journal = (memory.workspace.root / ".strata/journal.jsonl").read_text()
    assert "Kost" not in journal
    assert SAID[18][0] not in counted(memory)


def test_secret_in_a_line_reaches_no_record_and_no_page(tmp_path: Path) -> None:
    """
    It waits, masked as everywhere; accepted, it is masked on the page.
    """
    secret = "sk-proj-" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ"
    memory = retained(tmp_path, SAID)
    write_retain(memory, 19, [f"W @Galp: The key of Galp is {secret}."])

    reflected(memory)
    (text, name) = next(iter(waiting(memory).items()))
    review(memory, "accept", [name])
    reflected(memory)

    assert "⟦secret:" in text
    assert "⟦secret:" in bank(memory)
    assert [
        each
        for each in holding(memory.workspace.root, secret)
        if "11-19" not in str(each)
    ] == []


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_malformed_lines_break_nothing_and_are_told(tmp_path: Path, end: str) -> None:
    """
    In one line of the doctor's, with the first place and what is wrong there.
    """
    memory = talked(tmp_path)
    broken = ["X @Anna: no", "O(c=7) @Anna: no", "W", "W @Anna no", "just words"]
    write_retain(memory, 18, [*SAID[18], *broken], end)
    many = [f"W @Anna Kost: Anna Kost has {n} boats." for n in range(10_000)]
    write_retain(memory, 19, [*SAID[19], *many], end)

    reflected(memory)
    tidy(memory)

    assert counted(memory) == {line for day in TALKS for line in SAID[day]}
    assert len(waiting(memory)) == 47
    (finding,) = [each for each in check_memory(memory) if each.name == "retain"]
    assert finding.says == (
        '9958 lines below "Retain" say nothing to Strata; the first is '
        "memory/2026-11-18.md:11, where a line begins with W, B, O or S"
    )


def test_doctor_says_nothing_where_all_is_read(tmp_path: Path) -> None:
    """
    No section, or a sound one, is no finding.
    """
    memory = retained(tmp_path, SAID, INVENTED, SUMMARIES)

    assert not [each for each in check_memory(memory) if each.name == "retain"]


def test_words_of_others_bear_nothing_out(tmp_path: Path) -> None:
    """
    What the owner pasted, or a group said, is not the owner's.
    """
    memory = talked(tmp_path)
    talk = Conversation(tmp_path / "state", "7" * 8, "agent:main:pasted")
    talk.user("Summarise this mail:\n> Bob Lee sold the blue boat to Carl.\n\nThanks")
    talk.agent("Bob Lee sold the boat.").user("ok, bye").agent("Bye.").save()
    group = Conversation(tmp_path / "state", "8" * 8, "agent:main:telegram:group:-100")
    group.user("Dana Fox bought the red boat.").agent("I see.").user("yes").save()
    note = memory.workspace.root / "memory/2026-11-20.md"
    lines = ["W @Bob Lee: Bob Lee sold the blue boat to Carl."]
    lines += ["W @Dana Fox: Dana Fox bought the red boat."]
    note.write_text("## Retain\n" + "".join(f"- {line}\n" for line in lines))

    reflected(open_memory(tmp_path, LATER))

    assert len(waiting(memory)) == 2
    assert "boat" not in bank(memory)


def test_talk_of_one_person_bears_out_nothing_for_another(tmp_path: Path) -> None:
    """
    What an agent retains for the owner, or for somebody else, is held to their own.
    """
    populate(tmp_path, era="files")
    memory = open_agent(tmp_path)
    sync(memory)
    (theirs,) = (
        each
        for each in map(memory.within, memory.scopes.names())
        if CANARIES["other"] in each.workspace.read(path_in(each))
    )
    places = [CANARIES["main"], CANARIES["other"]]
    for each in (memory, theirs):
        lines = [
            f"- W We decided that the new office goes to {place}." for place in places
        ]
        with (each.workspace.root / path_in(each)).open("a") as file:
            file.write("\n".join(["", "## Retain", *lines, ""]))

    for each in (memory, theirs):
        retain(each)

    assert [list(waiting(each)) for each in (memory, theirs)] == [
        [f"We decided that the new office goes to {place}."]
        for place in reversed(places)
    ]
    assert [len(counted(each)) for each in (memory, theirs)] == [1, 1]


def path_in(memory: Memory) -> str:
    """
    The note of the only day of *memory*.
    """
    (path,) = (path for _, path in memory.workspace.layout.daily_notes())
    return path


def test_encrypted_note_is_read_with_the_key_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    What it retains counts and waits as ever, and no word of it lies about in plain.
    """
    use_key(monkeypatch, KEY)
    memory = retained(tmp_path, SAID, INVENTED)
    with own_memory(memory.workspace.root):
        switch_on(memory)
        memory = open_memory(tmp_path, NEXT_DAY, ALL_NOTES)
        for path in (ENGLISH, CHINESE):
            memory.workspace.recode(path)

        reflected(memory)

        assert counted(memory) == {line for day in TALKS for line in SAID[day]}
        assert len(waiting(memory)) == 6
        assert holding(memory.workspace.root, "Lisbon", "Kost", "李雷") == []


def test_night_judges_what_was_retained(tmp_path: Path) -> None:
    """
    Tidy does, so that a rule which was said may be a line by the morning.
    """
    memory = retained(tmp_path, SAID, INVENTED)

    tidy(memory)

    assert counted(memory) == {line for day in TALKS for line in SAID[day]}
    assert len(waiting(memory)) == 6
    records = [json.loads(line) for line in journal_lines(memory)]
    assert all(
        "run" not in each for each in records if each.get("dimension") == "retained"
    )


def journal_lines(memory: Memory) -> list[str]:
    """
    The journal as it stands on disk.
    """
    return (memory.workspace.root / ".strata/journal.jsonl").read_text().splitlines()
