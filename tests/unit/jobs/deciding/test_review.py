"""The owner has the last word on every line."""

from __future__ import annotations

from json import loads
from typing import TYPE_CHECKING, Any

import pytest
from builders_life import new_life
from builders_memory import NIGHT, captured, open_memory, page, statements_of
from click.testing import CliRunner

from strata.cli import commands, run
from strata.errors import NotAccepted, NotFound, UsageError
from strata.jobs.deciding.asking import Mode
from strata.jobs.deciding.verdict_list import short_ids, statements
from strata.jobs.remember import remember
from strata.jobs.review import review
from strata.jobs.tidy import tidy
from strata.jobs.undo import undo

if TYPE_CHECKING:
    from pathlib import Path

    from strata.history.statements import Statement
    from strata.memory import Memory

LATER = "2026-11-22T03:00:00+00:00"


def of_kind(memory: Memory, kind: str) -> list[Statement]:
    return [each for each in statements(memory) if each.kind == kind]


def pnpm(memory: Memory) -> Statement:
    return next(each for each in statements(memory) if "pnpm" in each.text)


def command(root: Path, *arguments: str) -> Any:
    shown = CliRunner().invoke(
        commands,
        ["--workspace", str(root / "workspace"), "--json", *arguments],
    )
    assert shown.exit_code == 0, shown.output
    return loads(shown.output)


def test_everything_judged_is_listed(tmp_path: Path) -> None:
    """
    Each verdict of a night stands in the list with its reason, and JSON has the same.
    """
    memory = captured(tmp_path)
    tidy(open_memory(tmp_path, NIGHT))

    listed = command(tmp_path, "review")["entries"]

    assert len(listed) == len(statements(memory)) > 0
    assert {each["text"] for each in listed if each["line"]} == set(
        statements_of(memory)
    )
    assert all(each["reason"] for each in listed if each["kind"] == "rejected")


def test_ask_mode_only_proposes(tmp_path: Path) -> None:
    """
    With tidy.mode = ask nothing enters MEMORY.md; each candidate waits with its reason.
    """
    memory = captured(tmp_path)

    report = tidy(open_memory(tmp_path, NIGHT, "tidy.mode=ask"))

    assert report.paths == []
    assert page(memory) == ""
    assert "pnpm" in "".join(each.text for each in of_kind(memory, "waiting"))
    again = tidy(open_memory(tmp_path, LATER, "tidy.mode=ask"))
    assert again.distilled.of("waiting") == []


def test_ask_mode_is_an_option_too(tmp_path: Path) -> None:
    """
    ``tidy --mode ask`` does for one night what the setting does for all.
    """
    captured(tmp_path)

    proposed = command(tmp_path, "--now", NIGHT, "tidy", "--mode", "ask")

    assert proposed["promoted"] == []
    assert {each["dimension"] for each in proposed["waiting"]} == {"ask"}


def test_accepted_proposal_enters_at_once(tmp_path: Path) -> None:
    """
    Accepting puts the line into MEMORY.md, alone; a night in ask mode leaves it there.
    """
    memory = captured(tmp_path)
    tidy(open_memory(tmp_path, NIGHT), mode=Mode.ASK)

    report = review(memory, "accept", [pnpm(memory).id[:6]])

    assert statements_of(memory) == [report.statements[0].text]
    assert report.statements[0].line
    tidy(open_memory(tmp_path, LATER), mode=Mode.ASK)
    assert statements_of(memory) == [report.statements[0].text]


def test_all_that_waits_at_once(tmp_path: Path) -> None:
    """
    ``review accept all`` takes in every proposal, as one run that can be undone.
    """
    memory = captured(tmp_path)
    remember(memory, "Always reply to Anna in German.")
    tidy(open_memory(tmp_path, NIGHT), mode=Mode.ASK)
    before = page(memory)
    waiting = [each.text for each in of_kind(memory, "waiting")]

    decided = command(tmp_path, "review", "accept", "all")

    assert [each["text"] for each in decided["entries"]] == waiting != []
    assert set(statements_of(memory)) == {*waiting, "Always reply to Anna in German."}
    with pytest.raises(NotFound, match="nothing waits"):
        review(memory, "accept", ["all"])
    undo(memory)
    assert page(memory) == before


@pytest.mark.parametrize("json", [True, False])
def test_contradictions_are_accepted_by_name(tmp_path: Path, *, json: bool) -> None:
    """
    What would replace a line on one weak word is listed, and waits for its own id.
    """
    memory = captured(tmp_path)
    weak = {
        "event": "waiting",
        "version": 1,
        "at": NIGHT,
        "run": "r",
        "text": "Use npm.",
    }
    weak |= {
        "id": "abcdef012345",
        "dimension": "consistent",
        "reason": "it contradicts",
    }
    tidy(open_memory(tmp_path, NIGHT), mode=Mode.ASK)
    memory.journal.append([weak])
    options = [
        "--workspace",
        str(tmp_path / "workspace"),
        *(["--json"] if json else []),
    ]

    first = CliRunner().invoke(commands, [*options, "review", "accept", "all"])
    second = CliRunner().invoke(
        commands, [*options, "review", "accept", "all"], standalone_mode=False
    )

    assert "pnpm" in page(memory)
    assert "abcdef012345"[:4] in first.output
    assert "Use npm." in first.output
    assert [each.text for each in of_kind(memory, "waiting")] == ["Use npm."]
    assert second.return_value == 1


def test_what_was_replaced_is_accepted_in_vain(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    Something newer holds, so the command says so and fails, as where it refuses.
    """
    life = new_life(tmp_path)
    life.talk("We decided to track the fits in MLflow, because it runs on our server.")
    life.night()
    life.talk(
        "I'm giving up on MLflow. We track the fits in runs.parquet from now on, because "
        "nobody looked at the server."
    )
    life.night()
    (old,) = of_kind(life.memory(), "superseded")
    named = ["--workspace", str(tmp_path / "workspace")]

    code = run([*named, "review", "accept", old.id])

    assert "not in MEMORY.md (replaced on" in capsys.readouterr().out
    assert code == 1


def test_outcome_ends_a_sentence_once(tmp_path: Path) -> None:
    """
    The full stop of a statement is not followed by a colon.
    """
    memory = captured(tmp_path)
    tidy(open_memory(tmp_path, NIGHT), mode=Mode.ASK)
    options = ["--workspace", str(memory.workspace.root)]

    shown = CliRunner().invoke(commands, [*options, "review", "accept", "all"]).output

    assert ": line 8 of MEMORY.md" in shown
    assert ".:" not in shown


def test_refusals_speak_the_owners_language(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    Who writes Chinese is refused in Chinese; a program reads English.
    """
    memory = open_memory(tmp_path)
    options = ["--workspace", str(memory.workspace.root), "--set", "language=zh"]

    assert run([*options, "remember", "最近用深色主题"]) == 1
    told = capsys.readouterr().err
    assert run([*options, "review", "accept", "all", "--json"]) == 1
    out, err = capsys.readouterr()

    assert told.startswith("strata: 以后没人知道“最近”是哪天")
    assert "没有等你点头的内容" in err
    assert loads(out)["error"] == "nothing waits for your word"


def test_declined_line_leaves_and_stays_away(tmp_path: Path) -> None:
    """
    A declined line is gone at once and no night brings it back, until it is accepted.
    """
    memory = captured(tmp_path)
    tidy(open_memory(tmp_path, NIGHT))

    review(memory, "decline", [pnpm(memory).id])
    assert "pnpm" not in page(memory)

    tidy(open_memory(tmp_path, LATER))
    assert "pnpm" not in page(memory)
    assert pnpm(memory).kind == "declined"

    review(memory, "accept", [pnpm(memory).id])
    assert "pnpm" in page(memory)


def test_pin_and_unpin(tmp_path: Path) -> None:
    """
    That a line is pinned stands in the journal; unpinning and declining end it.
    """
    memory = captured(tmp_path)
    tidy(open_memory(tmp_path, NIGHT))
    before = page(memory)
    line = pnpm(memory).line

    review(memory, "pin", [f"MEMORY.md:{line}"])
    assert page(memory) == before
    assert pnpm(memory).pinned

    review(memory, "unpin", [pnpm(memory).id])
    assert page(memory) == before
    assert not pnpm(memory).pinned

    review(memory, "pin", [pnpm(memory).id])
    review(memory, "decline", [pnpm(memory).id])
    assert "pnpm" not in page(memory)


def test_edit_changes_the_wording(tmp_path: Path) -> None:
    """
    A new wording replaces the old one, rests on today's note, and survives the night.
    """
    memory = captured(tmp_path)
    tidy(open_memory(tmp_path, NIGHT))

    report = review(
        open_memory(tmp_path, LATER),
        "edit",
        [pnpm(memory).id],
        "Use yarn in acme-dashboard.",
    )

    assert report.statements[0].text == "Use yarn in acme-dashboard."
    assert "pnpm" not in page(memory)
    assert "Use yarn in acme-dashboard. (src: 2026-11-22)" in page(memory)
    after = page(memory)
    tidy(open_memory(tmp_path, "2026-11-23T03:00:00+00:00"))
    assert page(memory) == after


def test_edit_is_verified(tmp_path: Path) -> None:
    """
    A wording with a secret is refused as it would be in remember.
    """
    memory = captured(tmp_path)
    tidy(open_memory(tmp_path, NIGHT))
    before = page(memory)

    with pytest.raises(NotAccepted, match="secret"):
        review(memory, "edit", [pnpm(memory).id], "The password is Tr0ub4dor&3xyz")

    assert page(memory) == before


def test_undone_tidy_waits_for_acceptance(tmp_path: Path) -> None:
    """
    What an undone night had promoted waits; accepted, it enters again.
    """
    memory = captured(tmp_path)
    tidy(open_memory(tmp_path, NIGHT))
    undo(memory)
    assert page(memory) == ""

    tidy(open_memory(tmp_path, LATER))
    assert "pnpm" not in page(memory)
    assert pnpm(memory).kind == "waiting"
    rejected = [
        record
        for record in memory.journal.records("rejected")
        if record["id"] == pnpm(memory).id
    ]
    assert [record["dimension"] for record in rejected] == ["undone"]

    review(memory, "accept", [pnpm(memory).id])
    assert "pnpm" in page(memory)


def test_undone_compression_waits_for_acceptance(tmp_path: Path) -> None:
    """
    A day that an undo brought back stays until the owner lets it go.
    """
    memory = captured(tmp_path)
    winter = "2026-12-05T03:00:00+00:00"
    tidy(open_memory(tmp_path, winter))
    undo(memory)
    tidy(open_memory(tmp_path, winter))
    note = memory.workspace.root / "memory/2026-11-20.md"
    assert note.exists()

    day = next(
        each for each in of_kind(memory, "waiting") if each.wanted == "compressed"
    )
    review(memory, "accept", [day.id])
    tidy(open_memory(tmp_path, winter))

    assert not note.exists()


def test_day_that_an_undo_gave_back_has_its_statements_in_its_week(
    tmp_path: Path,
) -> None:
    """
    They wait for a place in MEMORY.md, which keeps them out of no week.
    """
    memory = captured(tmp_path)
    winter = "2026-12-05T03:00:00+00:00"
    week = "memory/weekly/2026-11-16.md"
    tidy(open_memory(tmp_path, winter))
    before = memory.workspace.read(week)
    undo(memory)

    [day] = [e for e in of_kind(memory, "waiting") if e.wanted == "compressed"]
    review(memory, "accept", [day.id])
    tidy(open_memory(tmp_path, winter))

    assert "pnpm" in before
    assert memory.workspace.read(week) == before
    assert "pnpm" not in memory.workspace.read("MEMORY.md")


def test_review_can_be_undone(tmp_path: Path) -> None:
    """
    Undoing a review gives the line back, and the decision no longer counts.
    """
    memory = captured(tmp_path)
    tidy(open_memory(tmp_path, NIGHT))
    before = page(memory)
    review(memory, "decline", [pnpm(memory).id])

    undo(memory)

    assert page(memory) == before
    tidy(open_memory(tmp_path, LATER))
    assert page(memory) == before


def test_line_removed_by_hand_is_no_riddle(tmp_path: Path) -> None:
    """
    A line that a person deleted is listed as declined, with the reason.
    """
    memory = captured(tmp_path)
    tidy(open_memory(tmp_path, NIGHT))
    kept = [line for line in page(memory).split("\n") if "pnpm" not in line]
    (memory.workspace.root / "MEMORY.md").write_text("\n".join(kept))

    tidy(open_memory(tmp_path, LATER))

    assert pnpm(memory).kind == "declined"
    assert "by hand" in pnpm(memory).record["reason"]


def test_names_must_be_clear(tmp_path: Path) -> None:
    """
    An unknown id, an id that fits two, and a line of a person each get one line.
    """
    memory = captured(tmp_path)
    tidy(open_memory(tmp_path, NIGHT))

    with pytest.raises(NotFound, match="there is no entry 'zzz'"):
        review(memory, "accept", ["zzz"])
    with pytest.raises(NotFound, match="no line that Strata wrote"):
        review(memory, "pin", ["MEMORY.md:1"])
    with pytest.raises(NotAccepted, match="already, line"):
        review(memory, "accept", [pnpm(memory).id])
    review(memory, "decline", [pnpm(memory).id])
    with pytest.raises(NotAccepted, match="accept it first"):
        review(memory, "pin", [pnpm(memory).id])
    with pytest.raises((UsageError, NotFound)):
        review(memory, "accept", [""])


def test_ids_are_as_short_as_they_can_be() -> None:
    """
    The shortest start that no other id shares, of four digits at least.
    """
    assert short_ids(["abcdef012345", "abcdff012345", "999999999999"]) == {
        "abcdef012345": "abcde",
        "abcdff012345": "abcdf",
        "999999999999": "9999",
    }


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "line 8 of MEMORY.md, pinned"), ("zh", "在 MEMORY.md 第 8 行，已固定")],
)
def test_pin_is_confirmed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str, told: str
) -> None:
    """
    What is pinned is called so; taken back, it is not.
    """
    memory = open_memory(tmp_path)
    remember(memory, "Use pnpm, never npm, in acme-dashboard")
    root = ["--workspace", str(memory.workspace.root), "--set", f"language={language}"]

    run([*root, "review", "pin", "MEMORY.md:8"])
    pinned = capsys.readouterr().out
    run([*root, "review", "unpin", "MEMORY.md:8"])

    assert pinned.rstrip().endswith(told)
    assert told not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("language", "word", "sum_of_all"),
    [("en", "promoted", "1 promoted; strata"), ("zh", "已记住", "已记住 1 条；strata")],
)
def test_table_speaks_the_owners_language(
    tmp_path: Path, language: str, word: str, sum_of_all: str
) -> None:
    """
    The table names kinds and reasons in the owner's language.
    """
    memory = open_memory(tmp_path)
    remember(memory, "Use pnpm, never npm, in acme-dashboard")

    shown = CliRunner().invoke(
        commands,
        [
            "--workspace",
            str(memory.workspace.root),
            "--set",
            f"language={language}",
            "review",
        ],
    )

    assert word in shown.output
    assert sum_of_all in shown.output
    assert shown.exit_code == 0


def test_ask_mode_does_not_propose_what_was_taken_out(tmp_path: Path) -> None:
    """
    A line that the owner deleted from the page is decided: no report asks about it.
    """
    memory = captured(tmp_path)
    tidy(open_memory(tmp_path, NIGHT))
    assert "pnpm" in page(memory)
    memory.workspace.update(
        "MEMORY.md",
        lambda text: "".join(
            line for line in text.splitlines(keepends=True) if "pnpm" not in line
        ),
    )

    report = tidy(open_memory(tmp_path, LATER), mode=Mode.ASK)

    assert report.distilled.of("waiting") == []
    assert "pnpm" not in page(memory)
    assert "pnpm" in "".join(each.text for each in of_kind(memory, "declined"))
