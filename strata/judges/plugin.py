"""The bundled plugin: where no other judges, the local judge does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.hookspecs import hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import tzinfo

    from strata.models import Claim, Fact, Judgement, Message


@hookimpl(trylast=True)
def extract_facts(
    messages: Iterable[Message], timezone: tzinfo, floor: int
) -> list[Fact]:
    """Answer where no other plugin has."""
    # Few commands judge anything, and the patterns take a tenth of a second to compile.
    from strata.judges.entries import extract_facts as found  # noqa: PLC0415 - cold start

    return found(messages, timezone=timezone, floor=floor)


@hookimpl(trylast=True)
def judge_candidates(candidates: Sequence[Claim]) -> list[Judgement | None]:
    """Answer where no other plugin has."""
    from strata.judges.verdicts import judge  # noqa: PLC0415 - cold start

    return [judge(candidate) for candidate in candidates]
