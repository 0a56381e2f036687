"""What a question found is noted, so that tidy knows which lines are in use."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from strata.errors import StrataError
from strata.notes.markdown import heading
from strata.search.language.keywords import query_terms
from strata.search.language.terms import Finder
from strata.workspace.recalls import Recalls, recall_key

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from strata.hits import Answer, Hit
    from strata.memory import Memory

# Who asks reads on until there is an answer, which is seldom far down.
_READ = 3


def note_recall(memory: Memory, question: str, answer: Answer) -> None:
    """
    Note which statements *answer* shows for *question*.

    What cannot be written down costs nothing but a little of their value.
    """
    if not answer.answerable:
        return
    read = [hit for hit in answer.hits[:_READ] if not hit.unsure]
    note_use(memory, dict.fromkeys(_keys(query_terms(question), read)))


def note_use(memory: Memory, keys: Collection[str]) -> None:
    """Note that the statements with these *keys* were of use today."""
    layout = memory.workspace.layout
    if keys and layout.private.is_dir():
        with suppress(StrataError, OSError):
            Recalls(layout.recalls_file).add(memory.now.date(), keys)


def _keys(terms: Mapping[str, float], hits: Sequence[Hit]) -> Iterator[str]:
    """Yield the key of the line of each hit that says most of what was asked for."""
    finder = Finder(terms)
    for hit in hits:
        said = {
            line: sum(terms[term] for term in finder.present(line))
            for line in hit.snippet.splitlines()
            if not heading(line)
        }
        best = max(said, key=lambda line: said[line], default="")
        if best and said[best]:
            yield recall_key(best)
