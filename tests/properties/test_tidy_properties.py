"""Whatever happens, in whatever order: limits hold, human lines stay, nothing is lost."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from builders_life import Life, new_life
from hypothesis import given, settings
from hypothesis import strategies as st
from killing import Killed, killed_before

from strata.jobs.tidy import tidy
from strata.notes.lines import said_by
from strata.notes.long_term import (
    Section,
    bare_lines,
    compose,
    fits,
    parse_long_term,
    render_long_term,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.models import Language

SAID = [
    "From now on always use pnpm, never npm, in acme-dashboard.",
    "Same as ever: pnpm, never npm, in acme-dashboard.",
    "We decided to track the fits in MLflow, because it runs on our own server.",
    "I'm giving up on MLflow. From now on we track the fits in runs.parquet.",
    "Please remember: anything about the cluster goes to Ruben at desk 44.",
    "Just this once, send the invoice to my private address.",
    "No merges into heliox until 20 November 2026, I want a stable base.",
    "记住,以后所有报告一律用 A4 纸双面打印。",
    "我乳糖不耐,以后点东西一律换燕麦奶。",
    "报告改成 B5 纸,以后都用 B5。",
]
talks = st.lists(st.sampled_from(SAID), min_size=1, max_size=2, unique=True)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("talk"), talks),
        st.tuples(st.just("tidy"), st.integers(0, 12)),
        st.tuples(st.just("jump"), st.sampled_from([1, 3, 9, -4, 40])),
        st.tuples(
            st.just("write"), st.sampled_from(["mine, leave it", "我的 <!-- x -->"])
        ),
        st.tuples(st.just("take out"), st.integers(0, 3)),
        st.tuples(st.just("edit"), st.integers(0, 3)),
        st.tuples(
            st.just("note"), st.sampled_from(["* by hand", "**Decisions**\n- x"])
        ),
    ),
    min_size=3,
    max_size=8,
)


@dataclass
class World:
    """
    A life, the lines that people wrote into it, and all that was ever captured.
    """

    life: Life
    theirs: list[str] = field(default_factory=list)
    captured: set[str] = field(default_factory=set)
    taken_out: set[str] = field(default_factory=set)
    settled: bool = True

    @property
    def page(self) -> Path:
        return self.life.root / "workspace" / "MEMORY.md"

    def step(self, what: str, value: object) -> None:
        if what == "talk" and isinstance(value, list):
            self.life.talk(*value)
        elif what == "tidy" and isinstance(value, int):
            self.settled = False
            with killed_before(value), suppress(Killed):
                tidy(self.life.memory(hours=17))
                self.settled = True
            self.life.day += 1
        elif what == "jump" and isinstance(value, int):
            self.life.day = max(0, self.life.day + value)
        elif what == "write":
            line = f"- {value} {len(self.theirs)}"
            self.page.write_text(f"{self.life.page}{line}\n")
            self.theirs.append(line)
        elif what in {"take out", "edit"} and isinstance(value, int):
            self._change_a_line(what, value)
        elif what == "note":
            name = self.life.memory().now.strftime("memory/%Y-%m-%d.md")
            self.life.memory().workspace.update(name, lambda text: f"{text}\n{value}\n")
        self.captured |= set(self._entries())

    def _change_a_line(self, what: str, place: int) -> None:
        ours = [line for line in self.life.lines if line not in self.theirs]
        if place >= len(ours):
            return
        edited = f"{ours[place]} (so I say)" if what == "edit" else None
        text = self.life.page.replace(
            f"{ours[place]}\n", f"{edited}\n" if edited else ""
        )
        self.page.write_text(text)
        self.theirs += [edited] if edited else []
        # A night that was killed may have written the line without having said so.
        self.taken_out |= {said_by(ours[place])} if self.settled else set()

    def _entries(self) -> Iterator[str]:
        workspace = self.life.memory().workspace
        for _, path in workspace.layout.daily_notes():
            yield from (
                line for line in workspace.read(path).split("\n") if line[:2] == "- "
            )

    def check(self) -> None:
        assert fits(self.life.page)
        lines = bare_lines(self.life.page)
        assert [line for line in self.theirs if line not in lines] == []
        assert self.captured - set(self._entries()) == set()
        ours = {said_by(line) for line in lines if line not in self.theirs}
        assert ours & self.taken_out == set()


@given(steps)
@settings(max_examples=12)
def test_any_sequence_keeps_limits_lines_and_entries(
    plan: list[tuple[str, object]],
) -> None:
    """
    After each step both limits hold, every human line and every entry is there.
    """
    with tempfile.TemporaryDirectory() as folder:
        world = World(new_life(Path(folder)))
        for what, value in plan:
            world.step(what, value)
            world.check()

        tidy(world.life.memory(hours=17))
        world.check()
        before = world.life.page
        report = tidy(world.life.memory(hours=17))

        assert world.life.page == before
        assert not report.distilled.changed
        told = {
            record["id"]
            for e in report.distilled.records
            for record in world.life.events(e)
        }
        assert told or not world.captured


pages = st.lists(
    st.one_of(
        st.text(max_size=20),
        st.sampled_from(
            [
                *(
                    "## Key Decisions",
                    "# KEY DECISIONS",
                    "## 用户偏好",
                    "##决策",
                    "# x",
                ),
                *("```", "```sh", "~~~", "````", "    ```", "  - ```", "> ```"),
                *(
                    "- a",
                    "- b",
                    "- a\r",
                    "  - b",
                    "\r",
                    "\ufeff",
                    "## Scratch",
                    "- [ ] x",
                ),
                *("## Key Decisions\r", "  ## Active Projects ##", "<!--", "-->"),
            ]
        ),
    ),
    max_size=12,
).flatmap(
    lambda lines: st.sampled_from(["\n", "\r\n"]).map(lambda end: end.join(lines))
)
wanted = st.dictionaries(
    st.sampled_from(list(Section)),
    st.lists(st.sampled_from(["- a", "- b", "- c"]), unique=True),
)


@given(st.text() | pages)
def test_page_is_read_and_written_as_it_is(text: str) -> None:
    """
    Parsing and rendering are inverses, whatever stands in the file.
    """
    assert render_long_term(parse_long_term(text)) == text


@given(pages | st.text(), wanted, st.sampled_from(["en", "zh"]))
def test_composing_changes_only_our_lines(
    text: str, lines: dict[Section, list[str]], language: Language
) -> None:
    """
    Every other line stays, in its order; composing the same again changes nothing.
    """
    ours = {"- a", "- b", "- c"}

    composed = compose(text, ours, lines, language=language)

    newline = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
    theirs = [each for each in _lines(text, newline) if each.rstrip("\r\n") not in ours]
    if "".join(theirs).strip("\ufeff \t\r\n"):
        assert _is_part(theirs, _lines(composed, newline))
    assert compose(composed, ours, lines, language=language) == composed


def _lines(text: str, newline: str) -> list[str]:
    """
    Lines with their ends; the last gets one, because another may follow it.
    """
    ended = text if text.endswith("\n") or not text else text + newline
    return [f"{line}\n" for line in ended.split("\n")[:-1]]


def _is_part(some: list[str], of: list[str]) -> bool:
    places = iter(of)
    return all(line in places for line in some)
