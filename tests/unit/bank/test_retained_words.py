"""A retained line counts where a clause of what was said says it, of the same one."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from strata.bank.retained_words import is_said
from strata.models import Retained
from strata.notes.retain import parse_retained

AT = datetime(2026, 11, 18, 10, tzinfo=UTC)


def found(line: str, *said: str) -> bool:
    """
    Whether any of what was *said* says the retained *line*.
    """
    retained = parse_retained(line)
    assert isinstance(retained, Retained)
    return is_said(retained, [(each, AT) for each in said])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("W @张伟：张伟搬到深圳了。", "张伟搬到深圳了吗？"),
        ("W @张伟：张伟搬到深圳了。", "听说张伟搬到深圳了，不知道真假。"),
        ("W @张伟：张伟搬到深圳了。", "李雷说张伟搬到深圳了。"),
        ("W @张伟：张伟搬到深圳。", "要是张伟搬到深圳，我就把房子卖了。"),
        ("W @张伟：张伟搬到深圳了。", "张伟打算搬到深圳。"),
        ("W @李雷 @张伟：李雷欠张伟三百块。", "张伟欠李雷三百块。"),
        ("W @李雷：李雷住在深圳。", "张伟住在深圳，李雷住在广州。"),
        ("W @李雷：住在深圳。", "张伟住在深圳，李雷住在广州。"),
        ("O @Electron: The user likes Electron apps.", "I used to like Electron apps."),
        ("W @Tesla: The user bought a Tesla.", "I almost bought a Tesla."),
        (
            "W @Ben Adler: lives in Porto.",
            "Anna Kost lives in Porto and Ben Adler in Faro.",
        ),
        ("W @Anna: lives in Faro.", "Anna has a brother Ben Adler, he lives in Faro."),
        ("B I updated the address.", "Ben updated the address."),
        ("O: The user hates Electron apps.", "She hates Electron apps."),
        ("W: The roof leaks.", "The roof leaks, Tom says."),
        ("W: The roof leaks.", "The roof leaks, Tom told me yesterday."),
        ("W: The roof leaks.", "The roof leaks, according to Tom."),
        ("W @Anna: Anna moved to Porto.", "Anna moved to Porto, she says."),
        ("W: The roof leaks.", "They decided that the roof leaks."),
        ("W: The roof leaks.", "We haven't decided that the roof leaks."),
        ("W: We moved to Porto.", "We decided to move to Porto."),
    ],
)
def test_what_no_clause_says_waits(line: str, said: str) -> None:
    """
    A question, hearsay, a condition, a plan, who owes whom, another one's home or decision.
    """
    assert not found(line, said)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("W @张伟：张伟搬到深圳了。", "张伟上周搬到深圳了，现在在腾讯上班。"),
        ("W @张伟：张伟在腾讯上班。", "张伟上周搬到深圳了，现在在腾讯上班。"),
        ("W @李雷：住在广州。", "张伟住在深圳，李雷住在广州。"),
        ("O：用户不喜欢红眼航班。", "我不喜欢红眼航班，以后一律订白天的。"),
        ("O: The user likes Electron apps.", "I like Electron apps."),
        (
            "W @Ben Adler: lives in Faro.",
            "Anna lives in Porto. Ben Adler lives in Faro.",
        ),
        (
            "W @Anna Kost @Galp: works for Galp.",
            "Anna Kost moved to Porto last week, she works for Galp now.",
        ),
        ("B I updated the address.", "Done, I updated the address in the file."),
        ("W: The offsite is in Porto.", "We decided that the offsite is in Porto."),
        ("W: We use Tauri.", "Ok, I've decided that we use Tauri from now on."),
        ("W: 团建在杭州。", "我们商量好了，团建在杭州。"),
        ("W: The roof leaks.", "The roof leaks, Tom told me that the attic is wet."),
        ("W: The roof leaks.", "The roof leaks. I told Tom."),
    ],
)
def test_what_a_clause_says_counts(line: str, said: str) -> None:
    """
    Shortened, with the day left out, said of "she", or settled.
    """
    assert found(line, said)
