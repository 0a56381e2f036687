"""A question that names somebody is answered from the page of that one first."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from strata.hits import Hit, Tier
from strata.jobs.banking.asking import named_in, share_of, unnamed_terms
from strata.jobs.banking.knowing import known_entities, known_lines
from strata.notes.entries import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.hits import Answer
    from strata.jobs.banking.knowing import Known
    from strata.memory import Memory

_LONGEST = 700


def with_page(
    memory: Memory, wordings: Sequence[str], answer: Answer, limit: int
) -> Answer:
    """
    Return *answer* with the lines first that the page has of whom the question names.

    *wordings* are all the question's, of which one may name whom the others only mean. Of
    several that they name it is what tells of all of them that is asked for.
    Where it asks for more than the name, these are the lines that its words or the answer
    lead to. Where the page has not what was found first, the answer stays.
    """
    known = known_entities(memory)
    named = [each for text in wordings for each in named_in(known, text)]
    entities = {each.path: each for each in named}.values()
    paths = {each.path for each in entities}
    if not paths:
        return answer
    asked = unnamed_terms("\n".join(wordings), entities)
    found = _found(answer)
    rows = [
        (_worth(line, asked, found), line)
        for line in known_lines(memory)
        if paths.issubset(line.entities) and not line.until
    ]
    # Whoever asks for the name alone is shown what is newest.
    wanted = [row for row in rows if row[0] > 0 or not asked]
    if not wanted or not (_leads(answer, rows) or not asked):
        return answer
    wanted.sort(key=lambda row: row[1].last, reverse=True)
    wanted.sort(key=lambda row: -row[0])
    hit = _hit(memory, named[0].path, [line for _, line in wanted])
    if hit is None:
        return answer
    best = max((each.score for each in answer.hits), default=0.0)
    hits = (replace(hit, score=max(best, hit.score)), *answer.hits)[: max(limit, 1)]
    return replace(answer, hits=hits, closest=(), answerable=True, told_of="")


def _leads(answer: Answer, rows: list[tuple[float, Known]]) -> bool:
    """Tell whether *rows* have what the answer has first, or it has nothing."""
    if not answer.hits:
        return True
    first = answer.hits[0]
    lines = range(first.start_line, first.end_line + 1)
    places = {f"{first.path}:{number}" for number in lines}
    return any(not places.isdisjoint(line.sources) for _, line in rows)


def _found(answer: Answer) -> dict[str, float]:
    """Return which lines of notes the answer shows, the first ones most."""
    found: dict[str, float] = {}
    for place, hit in enumerate(answer.hits):
        for number in range(hit.start_line, hit.end_line + 1):
            found.setdefault(f"{hit.path}:{number}", 1.0 / (1 + place))
    return found


def _worth(line: Known, asked: dict[str, float], found: dict[str, float]) -> float:
    shown = max((found.get(source, 0.0) for source in line.sources), default=0.0)
    return share_of(line.text, asked) + shown


def _hit(memory: Memory, path: str, lines: list[Known]) -> Hit | None:
    """Return the lines of the page *path* that say *lines*, as one hit."""
    page = memory.workspace.read(path).split("\n")
    shown: list[str] = []
    numbers: list[int] = []
    for line in lines:
        # The last one: a summary above may say the same, and is no evidence.
        number = max(
            (n for n, each in enumerate(page, 1) if _says(each, line)), default=0
        )
        size = sum(map(len, shown)) + len(shown)
        if number and size + len(page[number - 1]) <= _LONGEST:
            shown.append(page[number - 1])
            numbers.append(number)
    if not numbers:
        return None
    snippet = "\n".join(shown)
    return Hit(path, min(numbers), max(numbers), 0.5, snippet, Tier.BANK, None)


def _says(shown: str, line: Known) -> bool:
    """Tell whether *shown* of a page is *line*, before which a day may stand."""
    path, _, number = line.sources[0].rpartition(":")
    source = f"{path.rpartition('/')[2].removesuffix('.md')}#L{number}"
    said, _, cited = shown.rpartition("(src: ")
    return (
        shown.startswith("- ") and f"{one_line(line.text)} " in said and source in cited
    )
