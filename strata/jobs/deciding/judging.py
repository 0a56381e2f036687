"""The judgement of each candidate: of a plugin, else of the local judge or a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from strata.history.opinions import Opinions, read_opinions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.history.outcomes import Admitted
    from strata.judges.owner import OwnerTaste
    from strata.models import Claim, Judgement
    from strata.plugins import Hooks
    from strata.workspace.journal import Journal


class Consulted(Protocol):
    """Who is consulted about candidates, beside the rules."""

    def opinions_on(self, ruled: Sequence[tuple[Claim, Judgement]]) -> Opinions:
        """Return what is known of each candidate that the rules have judged."""

    def shorten(self, admitted: Sequence[Admitted]) -> None:
        """Find shorter words for *admitted*, the most valuable first, and journal them."""


class Remembered:
    """Models that were asked on an earlier night."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def opinions_on(self, _: Sequence[tuple[Claim, Judgement]]) -> Opinions:
        """Return every opinion that the journal knows."""
        return read_opinions(self._journal)

    def shorten(self, _: Sequence[Admitted]) -> None:
        """Leave it to the wordings that the journal knows."""


def judge_all(
    claims: Sequence[Claim],
    hook: Hooks,
    memory_lines: Sequence[str],
    consulted: Consulted,
    taste: OwnerTaste,
) -> tuple[list[Judgement], Opinions]:
    """
    Return the judgement of each of *claims*, and all opinions of models.

    What a plugin has judged is left alone. The local judge knows the owner's *taste*.
    """
    from strata.judges.echoes import echoes_of  # noqa: PLC0415 - cold start
    from strata.judges.verdicts import LOCAL, judge  # noqa: PLC0415 - cold start

    answers = hook.judge_candidates(candidates=claims, memory_lines=memory_lines) or []
    given = [*answers, *[None] * (len(claims) - len(answers))][: len(claims)]
    judged = [
        answer or judge(claim, taste, echoes)
        for claim, answer, echoes in zip(claims, given, echoes_of(claims), strict=True)
    ]
    pairs = list(zip(claims, judged, strict=True))
    opinions = consulted.opinions_on([each for each in pairs if each[1].judge == LOCAL])
    return [_weighed(claim, own, opinions) for claim, own in pairs], opinions


def _weighed(claim: Claim, judgement: Judgement, opinions: Opinions) -> Judgement:
    from strata.judges.verdicts import LOCAL  # noqa: PLC0415 - cold start

    opinion = opinions.of(claim) if judgement.judge == LOCAL else None
    if opinion is None:
        return judgement
    from strata.judges.asked import weighed  # noqa: PLC0415 - few have a model

    return weighed(opinions.worded(claim), judgement, opinion)
