"""The bundled plugin: what is worth keeping, found by rules where no model is set up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.distillation.extraction.facts import extract_facts as found_by_rules
from strata.hookspecs import hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import tzinfo

    from strata.models import Fact, Message


@hookimpl(trylast=True)
def extract_facts(
    messages: Iterable[Message], timezone: tzinfo, floor: int
) -> list[Fact]:
    """Answer where no other plugin has."""
    return found_by_rules(messages, timezone=timezone, floor=floor)
