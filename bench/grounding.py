"""
How many falsified facts reach a note, and how many true ones are lost on the way.

    python bench/grounding.py [--split dev|seen|held|fresh|unseen|chat] [--verbose]

A model's facts are true statements of a conversation in other words, each with the
messages that it cites. *dev* are the notes of the planted scenarios, which a person wrote
with all of a conversation in mind; *seen* are facts of short conversations that were
looked at while the checks were written, *held*, *fresh* and *unseen* of such that were
not, until they had been measured once; *chat* are what a careful reader answered to the
prompt for four evenings, typed as one types on a phone. Each is proposed as it is, and
then again falsified in every way that applies: another number, unit, name or day, a
negation turned round, two names or values that change places, somebody else's words.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

import capture  # noqa: E402 - a program beside this one
import falsifying  # noqa: E402 - the same
import snippets  # noqa: E402 - the same

from strata.language.material import Line, line_of  # noqa: E402 - the same
from strata.language.statement import read  # noqa: E402 - this checkout
from strata.models import Tag  # noqa: E402 - the same
from strata.statements.grounding.proposals import (  # noqa: E402 - the same
    Proposal,
    Refused,
    ground,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import tzinfo

    from strata.models import Message

TAGS = {tag.value: tag for tag in Tag}


@dataclass(frozen=True)
class Case:
    """A true fact of the conversation *lines*."""

    name: str
    language: str
    timezone: tzinfo
    lines: dict[int, Line]
    proposal: Proposal


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--split",
        choices=("dev", "seen", "held", "fresh", "unseen", "chat"),
        default="dev",
    )
    parser.add_argument("--verbose", action="store_true", help="name what went wrong")
    options = parser.parse_args()
    cases = list(planted() if options.split == "dev" else written(options.split))
    for language in ("en", "zh"):
        chosen = [each for each in cases if each.language == language]
        _report(f"{language} {options.split}", chosen, verbose=options.verbose)


def _report(title: str, cases: list[Case], *, verbose: bool) -> None:
    lost, reasons = 0, Counter[str]()
    made, leaked = Counter[str](), Counter[str]()
    for case in cases:
        told = ground(case.proposal, case.lines, timezone=case.timezone)
        if isinstance(told, Refused):
            lost += 1
            reasons[told.reason] += 1
            if verbose:
                print(f"LOST {case.name} {told.reason}\n     {case.proposal.text}")
        for kind, proposal in falsified(case):
            made[kind] += 1
            fact = ground(proposal, case.lines, timezone=case.timezone)
            if not isinstance(fact, Refused):
                leaked[kind] += 1
                if verbose:
                    print(f"LEAK {case.name} {kind}\n     {proposal.text}")
                    print(f"     {case.proposal.text}")
    kept = len(cases) - lost
    print(f"{title}: true facts kept {kept}/{len(cases)} ({kept / len(cases):.0%})")
    total, through = sum(made.values()), sum(leaked.values())
    print(
        f"  falsified facts in a note {through}/{total} ({through / total:.1%}): ",
        end="",
    )
    print(", ".join(f"{kind} {leaked[kind]}/{made[kind]}" for kind in sorted(made)))


def falsified(case: Case) -> Iterator[tuple[str, Proposal]]:
    """Give the case's proposal with one thing in it changed."""
    told = "\n".join(line.text for line in case.lines.values())
    for kind, text in falsifying.falsify(case.proposal.text, told):
        yield kind, replace(case.proposal, text=text)
    first = case.lines[case.proposal.cited[0]]
    standing = case.proposal.tag in {Tag.DECISION, Tag.PREFERENCE}
    agents = [each.id for each in case.lines.values() if not each.by_owner]
    if standing and first.by_owner:
        for number in agents:
            if abs(number - first.id) == 1:
                yield "speaker", replace(case.proposal, cited=(number,))


def planted() -> Iterator[Case]:
    """Give the notes of the planted scenarios, cited as a careful reader would."""
    library = capture.plantlib()
    paths = [
        *sorted((capture.PLANTED / "scenarios").glob("*.yaml")),
        *sorted((ROOT / "bench" / "scenarios").glob("*.yaml")),
    ]
    for path in paths:
        scenario = library.Scenario(path)
        told = {
            session.sid: _numbered(capture.messages_of(scenario, session))
            for session in scenario.sessions
            if session.noise not in capture.SKIPPED and session.lines
        }
        for mark, state in scenario.states().items():
            if state["capture"]:
                yield from _planted_case(library, scenario, told, mark, state)


def _planted_case(
    library: Any, scenario: Any, told: dict[str, Any], mark: str, state: dict[str, Any]
) -> Iterator[Case]:
    stated = scenario.stated.get(state["mark"], [])
    lines = told.get(stated[0][1], {}) if stated else {}
    at = next((i for i, line in lines.items() if _says(line, stated[0][3])), None)
    if at is None:
        return
    tags = sorted(state["tags"] or library.TAGS[state["kind"]])
    cited = _cited(lines, at, state["note"])
    proposal = Proposal(state["note"], TAGS.get(tags[0]), False, cited)  # noqa: FBT003 - no request
    yield Case(f"{scenario.id}.{mark}", scenario.id[-2:], scenario.tz, lines, proposal)


def _says(line: Line, text: str) -> bool:
    return (
        line.message.text.strip()[:40] in text or text.strip()[:40] in line.message.text
    )


def _cited(lines: dict[int, Line], at: int, text: str) -> tuple[int, ...]:
    """Return *at* and those neighbours that say more of *text*."""
    told, cited = read(text).terms, [at]
    known = read(lines[at].text).terms
    for number in (at - 1, at + 1, at - 2, at + 2):
        said = read(lines[number].text).terms if number in lines else frozenset()
        if (said & told) - known:
            cited.append(number)
            known |= said
    return tuple(cited)


def written(split: str) -> Iterator[Case]:
    """Give the facts of `grounding/SPLIT.tsv`."""
    paths = (
        *(ROOT / "bench/snippets").glob("*.jsonl"),
        *(ROOT / "bench/grounding").glob("*.jsonl"),
    )
    known = {each.id: each for path in paths for each in snippets.read_snippets(path)}
    with (ROOT / f"bench/grounding/{split}.tsv").open(encoding="utf-8") as rows:
        for name, kind, cited, text in csv.reader(rows, "excel-tab", quoting=3):
            snippet = known[name]
            lines = _numbered(snippets._messages(snippet))  # noqa: SLF001 - a twin program
            ids = tuple(int(each) for each in cited.split(","))
            proposal = Proposal(text, TAGS.get(kind), kind == "request", ids)
            yield Case(name, name[:2], snippet.at.tzinfo or UTC, lines, proposal)


def _numbered(messages: Iterable[Message]) -> dict[int, Line]:
    """Return the messages as lines, each under its own number."""
    lines = (line for message in messages if (line := line_of(message)))
    return {
        line.message.number: Line(line.message.number, line.message) for line in lines
    }


if __name__ == "__main__":
    main()
