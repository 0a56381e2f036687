"""The bundled plugin: where no other finds what is worth a note, the local judge does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.hookspecs import hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import tzinfo

    from strata.models import Fact, Message


@hookimpl(trylast=True)
def extract_facts(messages: Iterable[Message], timezone: tzinfo) -> list[Fact]:
    """Answer where no other plugin has."""
    # Few commands judge anything, and the patterns take a tenth of a second to compile.
    from strata.judges.entries import extract_facts as found  # noqa: PLC0415 - cold start

    return found(messages, timezone=timezone)
