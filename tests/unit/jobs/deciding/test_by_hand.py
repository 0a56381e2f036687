"""What a hand changes in MEMORY.md stays so, in whatever words the old is said again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders_hands import (
    DEPLOY,
    FITS,
    MILK,
    PAPER,
    PNPM,
    PORT,
    RUBEN,
    Hand,
    add,
    apply,
    change,
    copied,
    keen,
    move,
    three_days,
)

from strata.history.decisions import decisions
from strata.jobs import distil
from strata.jobs.remember import remember
from strata.jobs.review import review
from strata.workspace import backups
from strata.workspace.files import Workspace

if TYPE_CHECKING:
    from pathlib import Path

    from builders_life import Life

LINE = f"- {PORT} (src: 2026-11-03)"
PREFERENCES, DECISIONS = "## User Preferences", "## Key Decisions"
NIGHTS = 3
# What the hand does before the first night, and what is said the day after.
EDITS: dict[str, tuple[list[Hand], list[str]]] = {
    "reword": (
        [change("pnpm", "- acme-dashboard: pnpm only")],
        ["Use pnpm, never npm, in acme-dashboard."],
    ),
    "reword without a word in common": (
        [change("short sentences", "- Be brief, in plain prose")],
        ["Answer me in short sentences, never with bullet points, please."],
    ),
    "reword and say more": (
        [change("MLflow", "- Fits are tracked in MLflow on dev-7, Mia runs it")],
        ["We track the fits in MLflow, because it runs on our own server."],
    ),
    "change a number": (
        [change("8443", "- The staging API always listens on port 9443.")],
        ["The staging API always listens on port 8443."],
    ),
    "change a number within its marks": (
        [change("8443", "- The staging API listens on port 9443. (src: 2026-11-03)")],
        [PORT],
    ),
    "change a name": (
        [change("Ruben", "- Anything about the cluster goes to Mia")],
        ["Anything about the cluster goes to Ruben."],
    ),
    "change a day": (
        [change("Tuesdays", "- Deployments go out on Wednesdays.")],
        ["Deployments go out on Tuesdays, never on Fridays."],
    ),
    "turn around": (
        [change("pnpm", "- Use npm in acme-dashboard, never pnpm.")],
        ["Always use pnpm in acme-dashboard, never npm."],
    ),
    "delete": (
        [change("Tuesdays")],
        ["Deployments always go out on Tuesdays and never on Fridays."],
    ),
    "delete three": (
        [change("Tuesdays"), change("pnpm"), change("A4")],
        ["Use pnpm, never npm, in acme-dashboard.", "所有报告一律用 A4 纸双面打印。"],
    ),
    "delete, and write about something else there": (
        [change("MLflow", "- My dentist is Dr. Kim, Bayview 12")],
        [FITS],
    ),
    "move": ([move("pnpm", DECISIONS)], []),
    "move three": (
        [move("pnpm", DECISIONS), move("A4", DECISIONS), move("Ruben", PREFERENCES)],
        [],
    ),
    "move and reword": (
        [change("MLflow"), add(DECISIONS, "- MLflow tracks the fits: our own server")],
        ["We track the fits in MLflow, because it runs on our own server."],
    ),
    "merge two": (
        [
            change("pnpm", "- pnpm in acme-dashboard; deployments on Tuesdays"),
            change("never on Fridays"),
        ],
        [DEPLOY, "Use pnpm, never npm, in acme-dashboard."],
    ),
    "merge three": (
        [
            change("8443", "- Staging: port 8443, MLflow for fits, Ruben for clusters"),
            change("track the fits"),
            change("desk 44"),
        ],
        [RUBEN, "The staging API always listens on port 8443."],
    ),
    "split": (
        [
            change(
                "8443",
                "- The staging API listens on port 8443.",
                "- Port 8080 is never used for the staging API.",
            )
        ],
        [PORT],
    ),
    "split over two sections": (
        [
            change("pnpm", "- Always pnpm in acme-dashboard."),
            add(DECISIONS, "- npm is banned from acme-dashboard."),
        ],
        [PNPM],
    ),
    "translate": (
        [change("Tuesdays", "- 部署一律安排在周二,周五不部署")],
        ["Deployments go out on Tuesdays, never on Fridays."],
    ),
    "translate without a name": (
        [change("short sentences", "- 回答简短,别用列表")],
        ["Always answer me in short sentences, never with bullet points."],
    ),
    "translate two at once": (
        [
            change("pnpm", "- acme-dashboard 里一律用 pnpm"),
            change("short sentences", "- 回答简短,别用列表"),
        ],
        [PNPM, "Always answer me in short sentences."],
    ),
    "add": (
        [add(PREFERENCES, "- Tea, never coffee, in meetings.")],
        ["From now on get me tea for every meeting, never coffee."],
    ),
    "add a section": (
        [add("## Active Projects", "", "## Mine", "* the attic leaks", "plain words")],
        [],
    ),
    "take the marks off": (
        [change("A4", "- 记住,以后所有报告一律用 A4 纸双面打印。")],
        ["报告一律用 A4 纸双面打印。"],
    ),
    "reword in Chinese": (
        [change("A4", "- 报告:A4,双面")],
        ["以后所有报告都用 A4 纸双面打印。"],
    ),
    "change a value in Chinese": (
        [change("A4", "- 所有报告一律用 B5 纸双面打印。")],
        ["所有报告一律用 A4 纸双面打印。"],
    ),
    "delete in Chinese": (
        [change("燕麦奶")],
        ["我乳糖不耐,点东西一律换燕麦奶。"],
    ),
    "merge in Chinese": (
        [change("A4", "- 报告用 A4 双面,点东西换燕麦奶"), change("乳糖不耐")],
        [PAPER, MILK],
    ),
    "split in Chinese": (
        [change("燕麦奶", "- 我乳糖不耐", "- 点东西一律换燕麦奶")],
        ["我乳糖不耐,以后点东西都换燕麦奶。"],
    ),
    "translate into English": (
        [change("燕麦奶", "- Lactose intolerant: oat milk in every order.")],
        ["我乳糖不耐,点东西一律换燕麦奶。"],
    ),
    "move in Chinese": ([move("燕麦奶", DECISIONS)], []),
}


MODELS = {"without a model": lambda: None, "with a model": keen}


@pytest.fixture(scope="module", params=MODELS)
def lived(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Life:
    root = tmp_path_factory.mktemp("three-days")
    return three_days(root, MODELS[request.param]())


@pytest.fixture
def life(lived: Life, tmp_path: Path) -> Life:
    return copied(lived, tmp_path)


def write(life: Life, text: str) -> None:
    (life.root / "workspace" / "MEMORY.md").write_text(text)


@pytest.mark.parametrize("kind", EDITS)
def test_edited_page_stays_as_it_is(life: Life, kind: str) -> None:
    """
    For three nights, and though the old is said again, no byte of the page changes.
    """
    hands, again = EDITS[kind]
    edited = apply(life.page, *hands)
    write(life, edited)

    for night in range(NIGHTS):
        life.night()
        assert life.page == edited
        if night == 0:
            life.talk(*again)
        elif night == 1:
            # A model is asked about few things only after some days.
            life.day += 4


# What the hand does and what is said, in turns; after each follow three nights.
TURNS: dict[str, list[tuple[list[Hand], list[str]]]] = {
    "change it twice": [
        ([change("8443", "- The staging API always listens on port 9443.")], []),
        ([change("9443", "- The staging API always listens on port 9553.")], []),
        ([], ["The staging API always listens on port 9443."]),
    ],
    "change it, then delete it": [
        ([change("8443", "- The staging API always listens on port 9443.")], []),
        ([], ["The staging API always listens on port 9443, never on 8080."]),
        ([change("9443")], []),
        ([], ["From now on the staging API always listens on port 9443."]),
    ],
    "change it, then back": [
        ([change("8443", "- The staging API always listens on port 9443.")], []),
        ([change("9443", f"- {PORT}")], []),
        ([], ["The staging API always listens on port 9443."]),
    ],
    "delete it, then put it back": [
        ([change("8443")], []),
        ([add(PREFERENCES, LINE)], []),
        ([change("8443")], []),
    ],
    "write what is said later, then delete it": [
        ([add(PREFERENCES, "- Meetings always need tea, never coffee.")], []),
        ([], ["Meetings always need tea, and never coffee."]),
        ([change("never coffee")], []),
        ([], ["Meetings always need tea, never coffee."]),
    ],
    "translate, and change one's mind": [
        ([change("short sentences", "- 回答简短,别用列表")], []),
        ([], ["From now on always answer me in long sentences, with bullet points."]),
    ],
    "reword, and change one's mind": [
        ([change("MLflow", "- Fits: see dev-7")], []),
        (
            [],
            ["From now on we track the fits in runs.parquet, no longer in MLflow."],
        ),
    ],
}


@pytest.mark.parametrize("kind", TURNS)
def test_hand_has_the_last_word(life: Life, kind: str) -> None:
    """
    Whatever was said and done before: what the hand left stands, and nothing beside it.
    """
    for hands, said in TURNS[kind]:
        edited = apply(life.page, *hands)
        write(life, edited)
        life.talk(*said)
        for _ in range(NIGHTS):
            life.night()
            assert life.page == edited
            life.day += 1


def test_what_was_remembered_can_be_deleted_by_hand(life: Life) -> None:
    """
    Of a line that the owner had asked for, the hand that deletes it is the newer word.
    """
    remember(life.memory(), "Milk is for the cat.")
    life.night()
    edited = apply(life.page, change("the cat"))
    write(life, edited)
    for _ in range(NIGHTS):
        life.night()
        assert life.page == edited

    remember(life.memory(), "Milk is for the cat.")
    life.night()
    assert "the cat" in life.page


@pytest.mark.parametrize("port", ["7000", "8443"])
def test_newer_word_waits_beside_what_was_written_by_hand(
    life: Life, port: str
) -> None:
    """
    What is said after the edit and contradicts it is asked about; what is older is not.

    That is so for what had stood there before as well.
    """
    write(
        life,
        apply(
            life.page, change("8443", "- The staging API always listens on port 9443.")
        ),
    )
    life.night()
    assert life.events("waiting") == []
    life.day += 5
    life.talk(f"From now on the staging API always listens on port {port}, as agreed.")
    for _ in range(NIGHTS):
        life.night()

    assert port not in life.page
    waiting = [(each["text"], each["id"]) for each in life.events("waiting")]
    ((_, name),) = (each for each in waiting if port in each[0])

    review(life.memory(), "accept", [name])

    for _ in range(NIGHTS):
        assert port in life.page
        assert "9443" not in life.page
        life.night()
    written = f"{life.page}- The staging API always listens on port 9443.\n"
    write(life, written)
    life.night()
    assert life.page == written


@pytest.mark.parametrize(
    ("hand", "again"),
    [
        (change("Tuesdays"), DEPLOY),
        (change("Tuesdays"), "Deployments always go out on Tuesdays, never Fridays."),
        (change("A4"), PAPER),
        (change("Ruben"), RUBEN),
    ],
)
def test_what_was_deleted_and_is_said_again_is_asked_about(
    life: Life, hand: Hand, again: str
) -> None:
    """
    It waits for a word, with the reason, and enters with a yes; a no is for good.
    """
    edited = apply(life.page, hand)
    write(life, edited)
    life.night()
    assert life.events("waiting") == []
    life.talk(again)
    for _ in range(NIGHTS):
        life.night()

    assert life.page == edited
    (waits,) = life.events("waiting")
    assert waits["reason"] == "you took it out by hand, and have said it again since"
    no = copied(life, life.root.with_name(f"{life.root.name}-no"))

    review(life.memory(), "accept", [waits["id"]])
    for _ in range(NIGHTS):
        assert waits["text"] in life.page
        life.night()

    review(no.memory(), "decline", [waits["id"]])
    no.talk(again)
    for _ in range(NIGHTS):
        no.night()
        assert no.page == edited
    assert len(no.events("waiting")) == 1


@pytest.mark.parametrize("kind", ["delete", "change a day"])
def test_hand_wins_that_changes_a_line_while_tidy_does(
    life: Life, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    A line that was said again gets a newer source in the night; just then a hand saves.
    """
    hands, _ = EDITS[kind]
    saved: list[str] = []

    def back_up(*told: Any, **more: Any) -> str | None:
        if not saved:
            saved.append(apply(life.page, *hands))
            write(life, saved[0])
        return backups.back_up(*told, **more)

    life.talk(DEPLOY)
    monkeypatch.setattr(distil, "back_up", back_up)
    for _ in range(NIGHTS):
        life.night()
        assert life.page == saved[0]


def test_longer_line_that_has_ours_in_it_stays(life: Life) -> None:
    """
    What a hand has moved gets its newer day where it is, and not where it is quoted.
    """
    quoted = f"> as agreed: {LINE}, says Mia"
    hands = [move("8443", DECISIONS), add("# Long-Term Memory", quoted)]
    edited = apply(life.page, *hands)
    write(life, edited)
    life.night()
    life.talk(PORT)
    life.night()

    assert f"{quoted}\n" in life.page
    newer = LINE.replace("2026-11-03", f"2026-11-{life.day + 1:02}")
    assert life.page == edited.replace(f"\n{LINE}\n", f"\n{newer}\n")


def test_line_that_was_never_written_is_not_declined(
    life: Life, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Just before the new page is swapped in, an editor swaps in one of its own.
    """
    page = life.root / "workspace" / "MEMORY.md"
    saved = f"{life.page}- Tea, never coffee, in meetings.\n"
    drafted = Workspace._draft

    def draft(workspace: Workspace, data: bytes, *, mode: int) -> Path:
        fresh = drafted(workspace, data, mode=mode)
        if b"Postgres" in data and b"Key Decisions" in data and b"Tea" not in data:
            beside = page.with_suffix(".new")
            beside.write_text(saved)
            beside.replace(page)
        return fresh

    life.talk("We decided to use Postgres 16 for every service, because of backups.")
    with monkeypatch.context() as patched:
        patched.setattr(Workspace, "_draft", draft)
        life.night()
    for _ in range(NIGHTS):
        assert "Tea" in life.page
        assert "Postgres" in life.page
        assert life.events("declined") == []
        life.night()


def test_secret_that_a_hand_wrote_is_on_the_page_alone(life: Life) -> None:
    """
    No record holds it, whether it stands, is changed, or is taken out again.
    """
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    hands = [
        add(DECISIONS, f"- The token for the mirror is {secret}"),
        change("the mirror", f"- The token of the mirror on dev-7 is {secret}"),
        change("the mirror"),
    ]
    for hand in hands:
        edited = apply(life.page, hand)
        write(life, edited)
        for _ in range(NIGHTS):
            life.night()
            assert life.page == edited
        assert secret not in life.memory().workspace.layout.journal_file.read_text()
    assert len(life.events("adopted")) == len(hands) - 1


def test_judge_learns_from_the_hand(life: Life) -> None:
    """
    What it wrote instead was wanted, what it took out was not; what it added says nothing.
    """
    hands = [
        change("8443", "- The staging API always listens on port 9443."),
        change("Tuesdays"),
        add(DECISIONS, "- Tea, never coffee, in meetings."),
    ]
    write(life, apply(life.page, *hands))
    life.night()

    decided = decisions(life.memory().journal)
    assert decided.wanted == ("The staging API always listens on port 9443.",)
    assert len(decided.refused) == 1
    assert "Tuesdays" in decided.refused[0]
