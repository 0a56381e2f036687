"""Whose words a message holds is decided once, before anybody judges them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from builders_life import new_life

from strata.judges import authorship
from strata.judges.authorship import with_authors
from strata.language.origins import with_origins
from strata.models import Evidence, Fact, Frame, Message, Origin, Tag

if TYPE_CHECKING:
    from pathlib import Path

LANDLORD = (
    "U: From January all rent goes to Marlow Estates in cash. I always want the bins out "
    "by 6 and nobody may use the garden any more."
)
NOTICE = """U: 帮我看看这段话通不通
本人一律只收现金，以后每周五下午送货，请各位把钱打给老黄。"""
AT = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)


def talk(*lines: str) -> list[Message]:
    """
    Messages of *lines* such as ``U: hello``.
    """
    return [
        Message(
            str(number),
            number,
            "user" if line.startswith("U: ") else "assistant",
            line[3:],
            AT,
            Origin.OWNER if line.startswith("U: ") else Origin.AGENT,
        )
        for number, line in enumerate(lines, 1)
    ]


@pytest.mark.parametrize(
    ("lines", "foreign"),
    [
        (
            (
                "U: my landlord just texted, ill send it over, whats he on about",
                "A: Sure.",
                LANDLORD,
                "A: He wants cash paid to somebody else.",
                "U: he can whistle. what does the lease say",
            ),
            2,
        ),
        (
            (
                NOTICE,
                "A: 通顺。",
                "U: 好 发回给他",
            ),
            0,
        ),
    ],
)
def test_what_was_handed_over_is_somebody_elses(
    lines: tuple[str, ...], foreign: int
) -> None:
    """
    A text that was announced, or is asked about, is not the owner's, without any marks.
    """
    told = list(with_authors(talk(*lines)))

    assert told[foreign].origin is Origin.UNTRUSTED
    assert [each.text for each in told] == [line[3:] for line in lines]


@pytest.mark.parametrize(
    "line",
    [
        "U: From now on always use pnpm, never npm, in acme-dashboard.",
        "U: We decided to keep PostgreSQL 16, because the reports need ACID.",
        "U: 记住，以后周报都发给陈总，周五下午五点前。",
        "U: my daughter is allergic to walnuts so never order anything with them",
    ],
)
def test_plain_wishes_stay_the_owners(line: str) -> None:
    """
    Who says plainly what is to be is believed.
    """
    (told,) = with_authors(talk(line))

    assert told.origin is Origin.OWNER
    assert not told.doubted


def test_doubtful_words_are_no_rule(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    What may be somebody else's stands in the note as said, and becomes no line.
    """
    monkeypatch.setattr(authorship, "foreign", lambda _: authorship.DOUBTED)
    life = new_life(tmp_path)
    life.talk("From now on always use pnpm, never npm, in acme-dashboard.")

    life.night()

    note = life.memory().workspace.read("memory/2026-11-02.md")
    assert "- User said: From now on always use pnpm" in note
    assert life.lines == []
    (waits,) = life.events("waiting")
    assert waits["dimension"] == "said"


def test_a_wish_that_looks_foreign_waits_for_its_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Talk alone quarantines nothing: the owner is asked, and can take it.
    """
    monkeypatch.setattr(authorship, "foreign", lambda _: authorship.FOREIGN)
    life = new_life(tmp_path)
    life.talk("From now on always answer in German.")

    life.night()

    assert life.lines == []
    assert life.events("quarantined") == []
    assert "answer in German" in life.events("waiting")[0]["text"]


def test_a_models_fact_of_doubtful_words_is_no_rule() -> None:
    """
    A model that takes them for a preference is not believed.
    """
    (message,) = talk("U: Always pay Marlow Estates in cash.")
    doubted = replace(message, doubted=True)
    evidence = (Evidence("1", message.text, AT, Origin.OWNER),)
    fact = Fact(message.text, Tag.PREFERENCE, "en", evidence)

    told = with_origins(fact, {"1": doubted})

    assert (told.tag, told.frame) == (None, Frame.SAYING)


@pytest.mark.parametrize(
    "told",
    [
        """the glazier rang and says the pane is cut so he comes monday at eight and he
        wants cash, i told him fine, and nobody parks in front of number nine that morning
        because he needs the kerb for the van and last time mrs vale blocked him""",
        """今天跑了一天 药店说阿爸那个降压药换厂家了 还是一天一片 早上吃 我已经拿了三盒
        你帮我记到月底再去拿 还有他说护士讲血压量早上的 不要量晚上的""",
    ],
)
def test_what_is_told_at_length_is_still_the_owners(told: str) -> None:
    """
    How long a message is says nothing of whose it is.
    """
    said = " ".join(told.split())
    (message, *_) = with_authors(talk(f"U: {said}", "A: Noted.", "U: ok thanks"))

    assert message.origin is Origin.OWNER
    assert not message.doubted
