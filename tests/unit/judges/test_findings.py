"""What the agent found out because the owner asked is kept, as the agent's finding."""

from __future__ import annotations

from dataclasses import replace

import pytest
from builders_talk import facts, texts

from strata.language.origins import with_origins
from strata.models import Frame, Origin, Tag
from strata.notes.entries import parse_entry, render_entry

FOUND = (
    ("U: count the jars again", "A: Counted: 212 jars, 14 of them without a label."),
    ("U: which version is on the server?", "A: Version 4.2 is on the server."),
    (
        "U: why does the scale drop out at night",
        "A: The drop-outs come from the battery, not the SIM: 3.1 V at night.",
    ),
    ("U: 秤怎么老是掉线", "A: 电池只剩3.1伏，是它断的。"),
)
TALKED = (
    ("U: why does it restart", "A: Shall I set the timeout to 10 s?"),
    ("U: send it to joe", "A: Sent."),
    ("U: cups or a scale?", "A: You should always weigh 500 g of flour."),
    ("U: 发给老周", "A: 已发送。"),
    (
        "U: what does the page say",
        "A: According to the page the version must be 4.2.",
    ),
)


@pytest.mark.parametrize("said", FOUND)
def test_what_the_agent_found_out_is_noted_as_its_finding(
    said: tuple[str, str],
) -> None:
    """
    A count, a version or a cause is an entry, under the agent's name, by its own words.
    """
    [fact] = [f for f in facts(*said) if f.evidence[0].origin is Origin.AGENT]
    entry = render_entry(with_origins(fact, {}).entry)

    assert entry.startswith(("[finding] Agent found: ", "[发现] 助手查到："))
    assert parse_entry(entry).text in said[1]


@pytest.mark.parametrize("said", TALKED)
def test_the_agents_talk_is_no_finding(said: tuple[str, str]) -> None:
    """
    Offers, confirmations, advice, and what it merely read somewhere are no findings.
    """
    assert all(fact.evidence[0].origin is Origin.OWNER for fact in facts(*said))


def test_a_finding_tells_what_was_asked() -> None:
    """
    It stands with the owner's question, and with what that was about.
    """
    told = facts(
        "U: the 28 inch tubes are nearly gone",
        "A: Shall I order more?",
        "U: what did we pay for them last time?",
        "A: 2.35 euro a piece, by the August invoice.",
    )
    [fact] = [each for each in told if each.evidence[0].origin is Origin.AGENT]

    assert "28 inch tubes" in fact.topic
    assert fact.topic.endswith("what did we pay for them last time?")


def test_one_reply_is_one_finding() -> None:
    """
    What was found is one line with what stands beside it, by the words that were said.
    """
    reply = "Lindner has them at 0.71 euros apiece. From 100 pieces it is 0.64 euros."
    [fact] = [
        each
        for each in facts(
            "U: what does a jar cost at lindner?", "T: web", f"A: {reply}"
        )
        if each.evidence[0].origin is Origin.AGENT
    ]

    assert fact.text == reply
    assert fact.evidence[0].quote == reply


def test_what_the_agent_says_unasked_is_no_finding() -> None:
    """
    Where the owner has said nothing yet, nothing was asked for.
    """
    assert texts("A: Version 4.2 is on the server.") == []


def test_no_finding_of_the_agent_is_a_rule() -> None:
    """
    Whatever finds it, the agent's words alone are a finding.
    """
    [fact] = [f for f in facts(*FOUND[0]) if f.evidence[0].origin is Origin.AGENT]
    told = with_origins(replace(fact, tag=Tag.PREFERENCE), {})

    assert (told.tag, told.frame) == (Tag.FINDING, Frame.FOUND)


def test_what_rests_on_no_words_is_no_rule() -> None:
    """
    Nor is what cites nothing at all.
    """
    [fact] = [f for f in facts(*FOUND[0]) if f.evidence[0].origin is Origin.AGENT]

    assert (
        with_origins(replace(fact, tag=Tag.DECISION, evidence=()), {}).tag
        is Tag.FINDING
    )
