"""The bundled judge of candidates: rules, where no model is set up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.hookspecs import hookimpl

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.models import Claim, Judgement


@hookimpl(trylast=True)
def judge_candidates(candidates: Sequence[Claim]) -> list[Judgement | None]:
    """Answer where no other plugin has."""
    # Few commands judge anything, and the patterns take a tenth of a second to compile.
    from strata.distillation.verification.dimensions import judge  # noqa: PLC0415 - cold start

    return [judge(candidate) for candidate in candidates]
