"""However the notes came to be, the bank is what they say, and nothing else."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from builders import Conversation
from builders_bank import Listed, bank_caches, bank_files, said, write_note
from builders_memory import open_memory
from hypothesis import given, settings
from hypothesis import strategies as st

from strata.bank.directory import directory_of
from strata.bank.pages import bank_of
from strata.bank.statements import Kind
from strata.jobs.entity import decide
from strata.jobs.forgetting.forget import forget
from strata.jobs.forgetting.target import Target
from strata.jobs.reflect import reflect
from strata.jobs.sync import sync

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from strata.memory import Memory

NAMES = ("Anna Ruiz", "Anna", "Bob Lee", "Gloria/thing", "ASR1603/thing", "张伟")
SENTENCES = (
    "[finding] Anna Ruiz lives in Porto.",
    "[finding] Anna Ruiz lives in Faro now, no longer in Porto.",
    "[finding] Anna has the key of the shed.",
    "[preference] The user likes Bob Lee's bread.",
    "[preference] The user no longer likes Bob Lee's bread.",
    "[decision] Gloria stays in the yard, says Bob Lee.",
    "[finding] ASR1603 has a new belt.",
    "[finding] 张伟每周三来修水管。",
    "[finding] 张伟改成每周五来，不是周三。",
    "Bob Lee met Anna Ruiz at the club.",
    "[finding] The gate code is 4471.",
    "[finding] The gate code is 4472 now, not 4471.",
)
talks = st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=4)
# What is said in the talks of each day.
days = st.dictionaries(
    st.integers(2, 9), st.lists(talks, min_size=1, max_size=2), min_size=1, max_size=4
)


@contextmanager
def listed() -> Iterator[Path]:
    """
    An empty folder, and meanwhile a reading that knows the names.
    """
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as folder:
        patch.setattr(
            "strata.jobs.banking.remembering.PlainReading", lambda _cut: Listed(*NAMES)
        )
        # To empty an index that was never made takes seconds.
        patch.setattr("strata.jobs.forgetting.forget.purge", lambda _index: None)
        yield Path(folder)


def memory_with(root: Path, written: dict[int, list[list[str]]]) -> Memory:
    """
    The memory in which the talks of these days are *written*.
    """
    for day, blocks in written.items():
        write_note(root / "workspace", day, *blocks)
    return open_memory(root)


def all_of(memory: Memory) -> tuple[dict[str, bytes], dict[str, object]]:
    """
    The pages, and what is kept beside them.
    """
    return bank_files(memory.workspace.root), bank_caches(memory.workspace.root)


@settings(max_examples=8)
@given(written=days, data=st.data())
def test_rebuild_equals_incremental(
    written: dict[int, list[list[str]]], data: st.DataObject
) -> None:
    """
    A reflect after some of the notes, in any order, ends in the bytes of one at the end.
    """
    order = data.draw(st.permutations(sorted(written)))
    with listed() as root:
        for day in order:
            memory = memory_with(root / "bit by bit", {day: written[day]})
            if data.draw(st.booleans()):
                reflect(memory)
        reflect(memory)
        at_once = memory_with(root / "at once", written)
        reflect(at_once)

        assert all_of(memory) == all_of(at_once)
        before = all_of(memory)
        shutil.rmtree(memory.workspace.root / "memory/bank", ignore_errors=True)
        shutil.rmtree(memory.workspace.root / ".strata/cache")
        reflect(memory)
        assert all_of(memory) == before


@settings(max_examples=8)
@given(
    written=days, gone=st.sampled_from(["Anna Ruiz", "Bob Lee", "Gloria", "ASR1603"])
)
def test_forgetting_commutes_with_rebuilding(
    written: dict[int, list[list[str]]], gone: str
) -> None:
    """
    Pages from which somebody is forgotten are those of notes that never knew that one.
    """
    with listed() as root:
        before, after = (memory_with(root / name, written) for name in ("one", "two"))
        reflect(before)
        forget(before, Target(entity=gone))
        forget(after, Target(entity=gone))
        reflect(after)

        assert bank_files(before.workspace.root) == bank_files(after.workspace.root)
        assert gone not in str((all_of(before), all_of(after)))
        assert reflect(before).paths == []


@settings(max_examples=8)
@given(
    written=days,
    choices=st.lists(
        st.tuples(
            st.sampled_from(["merge", "split", "rename"]),
            st.permutations(["Anna Ruiz", "Bob Lee", "Gloria"]),
        ),
        max_size=3,
    ),
)
def test_decisions_are_part_of_what_is_rebuilt(
    written: dict[int, list[list[str]]],
    choices: list[tuple[str, list[str]]],
) -> None:
    """
    Whatever the owner decided about names, the deleted folder comes back as it was.
    """
    # Everybody has a page, so that every decision is about somebody.
    known = {20: [[SENTENCES[0], SENTENCES[9]], [SENTENCES[3], SENTENCES[5]]]}
    known[21] = [[SENTENCES[1], SENTENCES[9]], [SENTENCES[4], SENTENCES[5]]]
    with listed() as root:
        memory = memory_with(root, {**written, **known})
        reflect(memory)
        for action, (name, other, _) in choices:
            decide(memory, action, name, f"{other}s" if action == "rename" else other)
        before = all_of(memory)
        shutil.rmtree(memory.workspace.root / "memory/bank")
        shutil.rmtree(memory.workspace.root / ".strata/cache")

        reflect(open_memory(root))

        assert all_of(memory) == before


@settings(max_examples=4)
@given(order=st.permutations([0, 1, 2]))
def test_order_of_capture_does_not_matter(order: Sequence[int]) -> None:
    """
    Which of the talks of two days was captured first leaves no trace in the bank.
    """
    said_then = [
        "I found out that Bethany Tulley's boat leaks: the seal is torn.",
        "From now on always ask Bethany Tulley before the boat goes out.",
        "We decided that Bethany Tulley keeps the key of the boat house.",
    ]
    found = []
    with TemporaryDirectory() as folder:
        for name, places in (("in order", [0, 1, 2]), ("other", order)):
            root = Path(folder) / name
            memory = open_memory(root)
            for place in places:
                # The first two are of one day, an hour apart.
                at = datetime(2026, 11, 17 + place // 2, 10 + place, 0, tzinfo=UTC)
                session = f"{place}1871d67-1111-4222-8333-444444444444"
                talk = Conversation(root / "state", session, f"agent:main:d{place}", at)
                talk.user(said_then[place]).agent("Noted.").user("Thanks, bye")
                talk.agent("Bye.").save()
                sync(open_memory(root))
            reflect(memory)
            found.append(bank_files(memory.workspace.root))

    assert "memory/bank/people/bethany-tulley.md" in found[0]
    assert found[0] == found[1]


@settings(max_examples=30)
@given(
    told=st.lists(st.tuples(st.sampled_from(SENTENCES), st.integers(2, 9)), max_size=12)
)
def test_pages_are_made_of_the_statements_alone(told: list[tuple[str, int]]) -> None:
    """
    Every line cites a statement of its page, and each page has been named twice.
    """
    stated = sorted(
        (
            said(
                text.partition("] ")[2] or text,
                *NAMES,
                day=day,
                kind=Kind.OPINION if "preference" in text else Kind.WORLD,
                number=number,
            )
            for number, (text, day) in enumerate(told, 4)
        ),
        key=lambda each: each.moment,
    )
    reading = Listed(*NAMES)
    directory = directory_of(stated, reading.common)

    bank = bank_of(
        stated, directory, datetime(2026, 11, 20, tzinfo=UTC).date(), "en", reading
    )

    for entity, standing in bank.known.values():
        own = [stated[place] for place in entity.told]
        held = (*standing.now, *standing.opinions, *standing.past)
        assert len(own) >= 2
        assert {each.shown for each in own} >= {each.text for each in held}
        borne = sorted(each.moment for one in held for each in one.borne)
        assert borne == sorted(each.moment for each in own)
