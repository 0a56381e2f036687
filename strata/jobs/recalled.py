"""What a question found is noted, so that tidy knows which lines are in use."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from strata.errors import StrataError
from strata.search.keywords import query_terms
from strata.search.terms import Finder

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from strata.memory import Memory
    from strata.models import Answer, Hit

# Who asks reads on until there is an answer, which is seldom far down.
_READ = 3


def note_recall(memory: Memory, question: str, answer: Answer) -> None:
    """
    Note which statements *answer* shows for *question*.

    What cannot be written down costs nothing but a little of their value.
    """
    layout = memory.workspace.layout
    if not answer.answerable or not layout.private.is_dir():
        return
    ids = list(_statements(query_terms(question), answer.hits[:_READ]))
    if ids:
        from strata.workspace.recalls import Recalls  # noqa: PLC0415 - only if found

        with suppress(StrataError, OSError):
            Recalls(layout.recalls_file).add(memory.now.date(), dict.fromkeys(ids))


def _statements(terms: Mapping[str, float], hits: tuple[Hit, ...]) -> Iterator[str]:
    """Yield the id of the line of each hit that says most of what was asked for."""
    from strata.jobs.ledger import statement_id  # noqa: PLC0415 - only if found
    from strata.notes.lines import said_by  # noqa: PLC0415 - the same

    finder = Finder(terms)
    for hit in hits:
        said = {
            line: sum(terms[term] for term in finder.present(line))
            for line in hit.snippet.splitlines()
            if not line.startswith("#")
        }
        best = max(said, key=lambda line: said[line], default="")
        if best and said[best]:
            yield statement_id(said_by(best))
