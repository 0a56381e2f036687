"""Whatever a model does, a sync ends in time with notes that say what was said."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest
from builders import Conversation, small_talk, tree
from builders_extraction import proposed, rows_in
from click.testing import CliRunner
from scripted_model import HALF, REFUSAL, Reply, answering, fails, says

from strata.cli import commands

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

DAY = "memory/2026-11-20.md"
PNPM = ("Always use pnpm, never npm, in acme-dashboard", "preference", "use pnpm")
CACHE = ("The build is slow: the cache key contains the date", "finding", "cache key")
BASE = ("PostgreSQL 16 stays, because the reports need ACID", "decision", "16, the")
DEADLINE_SECONDS = 25.0
MANY = [{"text": f"fact {n}", "kind": "task", "messages": [1]} for n in range(600)]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "workspace").mkdir()
    small_talk(tmp_path / "state").save()
    return tmp_path


def run(root: Path, *words: str, settings: Sequence[str] = ()) -> tuple[int, str, str]:
    """
    Exit code, stdout and stderr of a command.
    """
    given = ["--workspace", str(root / "workspace"), "--state-dir", str(root / "state")]
    given += ["--now", "2026-11-20T12:00:00+00:00", "--set", "timezone=UTC"]
    for each in settings:
        given += ["--set", each]
    result = CliRunner().invoke(commands, [*given, *words], standalone_mode=False)
    if result.exception:
        raise result.exception
    return int(result.return_value or 0), result.stdout, result.stderr


def notes_by_rules(root: Path) -> dict[str, bytes]:
    other = root / "other"
    (other / "workspace").mkdir(parents=True)
    (other / "state").symlink_to(root / "state")
    run(other, "sync")
    return tree(other / "workspace" / "memory")


@pytest.mark.parametrize(
    "reply",
    [
        Reply("", after_seconds=60),
        fails(429, retry_after="3600"),
        fails(500),
        Reply(""),
        Reply(HALF),
        Reply(REFUSAL),
        says({"facts": MANY}),
        Reply(body=b"x" * 4096, endless=True),
        Reply(json.dumps({"facts": [1, 2]})),
        Reply('{"facts": []} and also {"facts": []}'),
    ],
    ids=[
        "timeout",
        "429",
        "500",
        "empty",
        "half",
        "refusal",
        "tenfold",
        "endless",
        "form",
        "twice",
    ],
)
def test_fault_leaves_it_to_rules(root: Path, reply: Reply) -> None:
    """
    The notes are those of the rules, the exit code is 0, and one line tells why.
    """
    with answering(lambda _prompt: reply) as model:
        began = time.monotonic()
        settings = (*model.settings, "model.timeout_seconds=2")
        code, out, err = run(root, "--json", "sync", settings=settings)
        took = time.monotonic() - began

    assert code == 0
    assert tree(root / "workspace" / "memory") == notes_by_rules(root)
    assert len(json.loads(out)["model"]["notes"]) == 1
    assert "the local judge did the rest" in err
    assert len(model.requests) <= 2
    assert took < DEADLINE_SECONDS


def test_prose_around_the_answer_does_no_harm(root: Path) -> None:
    """
    One object in prose or a fence is the answer.
    """

    def answer(prompt: str) -> str:
        facts = proposed(rows_in(prompt), BASE, PNPM, CACHE)
        return f"Sure! Here you go:\n```json\n{json.dumps({'facts': facts})}\n```\nBye."

    with answering(answer) as model:
        code, _, _ = run(root, "sync", settings=model.settings)

    note = (root / "workspace" / DAY).read_text(encoding="utf-8")
    assert code == 0
    assert all(text in note for text, _, _ in (BASE, PNPM, CACHE))


def test_answer_in_another_language_is_refused(root: Path) -> None:
    """
    What a model translates is not what was said; the local judge does the whole.
    """
    chinese = [
        ("PostgreSQL 16 保留,因为报表需要 ACID", "decision", "16, the"),
        ("acme-dashboard 里一律用 pnpm,不用 npm", "preference", "use pnpm"),
    ]

    def answer(prompt: str) -> Reply:
        return says({"facts": proposed(rows_in(prompt), *chinese)})

    with answering(answer) as model:
        _, out, _ = run(root, "--json", "sync", settings=model.settings)

    assert json.loads(out)["unsupported_facts"] == 2
    assert tree(root / "workspace" / "memory") == notes_by_rules(root)


def test_falsified_third_of_the_facts_stays_out(root: Path) -> None:
    """
    A changed number, name, negation, day or speaker never stands in a note.
    """
    lies = [
        ("PostgreSQL 17 stays, because the reports need ACID", "decision", "16, the"),
        ("Always use pnpm, never npm, in beta-dashboard", "preference", "use pnpm"),
        ("Never use pnpm in acme-dashboard", "preference", "use pnpm"),
        ("Always use npm, never pnpm, in acme-dashboard", "preference", "use pnpm"),
        ("Agent found that the cache key contains the date", "finding", "cache key"),
        ("The build is slow since 2026-11-02: the cache key", "finding", "cache key"),
    ]
    for lie in lies:

        def answer(prompt: str, lie: tuple[str, str, str] = lie) -> Reply:
            return says({"facts": proposed(rows_in(prompt), BASE, PNPM, lie)})

        with answering(answer) as model:
            _, out, _ = run(root, "--json", "sync", settings=model.settings)
        note = root / "workspace" / DAY
        assert json.loads(out)["unsupported_facts"] == 1
        assert lie[0] not in note.read_text(encoding="utf-8")
        note.unlink()


def test_no_secret_reaches_the_model(root: Path) -> None:
    """
    A key that the owner pasted is a placeholder before anybody asks.
    """
    secret = (
        "sk-ant-api03-" + "F4k3wK3xRhFZztUn6ABoWsMt3tw7R7JjlSMH9qnQ9lowoXUlWNXK6QWi"
    )
    talk = Conversation(root / "state", id="71871d67-1111-4222-8333-444444444444")
    talk.key = "agent:main:two"
    talk.user(f"Remember: the staging key is {secret}, use it for all tests.")
    talk.agent("Noted.").user("Thanks, and always run the linter first.").agent("Ok.")
    talk.save()

    with answering(lambda _prompt: says({"facts": []})) as model:
        run(root, "sync", settings=model.settings)

    assert model.requests
    assert secret[20:] not in json.dumps(model.requests)


def test_trace_names_model_and_prompt(root: Path) -> None:
    """
    A line leads to its words, and says who worded it.
    """

    def answer(prompt: str) -> Reply:
        return says({"facts": proposed(rows_in(prompt), BASE, PNPM, CACHE)})

    with answering(answer) as model:
        run(root, "sync", settings=model.settings)
    note = (root / "workspace" / DAY).read_text(encoding="utf-8").splitlines()
    line = next(n for n, each in enumerate(note, 1) if "pnpm" in each)

    _, out, _ = run(root, "trace", f"{DAY}:{line}")

    assert "worded by openai/scripted, extract_facts@" in out
    assert "✓ unchanged" in out
    assert "BROKEN" not in out


def test_agent_is_asked_and_answers_on_the_command_line(root: Path) -> None:
    """
    `--prepare` prints the question, `--commit` takes the answer, a second time has no work.
    """
    code, question, _ = run(root, "sync", "--prepare")
    token = question.split('"token": "')[1].split('"')[0]
    facts = proposed(rows_in(question), BASE, PNPM, CACHE)
    file = root / "answer.json"
    file.write_text("Here: " + json.dumps({"token": token, "facts": facts}))

    done = run(root, "sync", "--commit", str(file))
    again = run(root, "sync", "--prepare", "--quiet-token", "NO_REPLY")

    assert code == 0
    assert done[1].startswith(
        "sync: redid 1 block; to take this back: strata undo --run"
    )
    assert again[1] == "NO_REPLY\n"
    assert PNPM[0] in (root / "workspace" / DAY).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "there is no JSON object"),
        ('{"token": "x"}', "facts: Field required"),
        ('{"token": "x", "facts": []}', "sync --prepare"),
    ],
)
def test_wrong_answer_gets_one_clear_line(
    root: Path, text: str, complaint: str
) -> None:
    """
    It says what is wrong with it, or what to do.
    """
    run(root, "sync", "--prepare")
    (root / "answer.json").write_text(text)
    before = tree(root / "workspace" / "memory")

    with pytest.raises(Exception, match=complaint) as raised:
        run(root, "sync", "--commit", str(root / "answer.json"))

    assert "\n" not in str(raised.value)
    assert tree(root / "workspace" / "memory") == before
