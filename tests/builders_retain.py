"""Two days of talk, in English and in Chinese, and what an agent retains of them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from builders import Conversation
from builders_memory import open_memory

from strata.jobs.reflect import reflect
from strata.jobs.retain import retain
from strata.jobs.sync import sync

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from strata.memory import Memory

EVENING = "2026-11-19T20:00:00+00:00"
ENGLISH, CHINESE = "memory/2026-11-18.md", "memory/2026-11-19.md"
TALKS = {
    18: (
        "Anna Kost moved to Porto last week, she works for Galp now. Update her address?",
        "Done, I updated Anna's address in contacts.yaml to Porto.",
        "Great. And I really can't stand Electron apps, use Tauri for everything new.",
        "Noted: Tauri it is.",
        "Thanks, bye",
        "Bye.",
    ),
    19: (
        "张伟上周搬到深圳了，现在在腾讯上班。",
        "好的，我已经把张伟的地址改成深圳。",
        "我不喜欢红眼航班，以后一律订白天的。",
        "记下了。",
        "谢谢",
        "不客气",
    ),
}
# What was said that day, and what was not.
SAID = {
    18: (
        "W @Anna Kost @Porto: Anna Kost moved to Porto.",
        "O(c=0.8) @Electron: The user can't stand Electron apps.",
        "B I updated Anna's address in contacts.yaml.",
    ),
    19: (
        "W @张伟：张伟搬到了深圳。",
        "Ｏ（ｃ＝0.9）：用户不喜欢红眼航班。",
        "B 我已经把张伟的地址改成深圳。",
    ),
}
INVENTED = {
    18: (
        "W @Anna Kost: Anna Kost moved to Lisbon.",
        "O(c=0.9) @Tauri: The user can't stand Tauri.",
        "B I deleted the old backups.",
    ),
    19: (
        "W @李雷：李雷搬到了深圳。",
        "O：用户喜欢红眼航班。",
        "B 我已经把所有备份都删掉了。",
    ),
}
SUMMARIES = {18: ("S Anna Kost moved to Porto.",), 19: ("S 张伟搬到了深圳。",)}


def talked(root: Path) -> Memory:
    """
    The memory after both days, on the evening of the second, captured.
    """
    for day, said in TALKS.items():
        session = f"{day}871d67-1111-4222-8333-444444444444"
        at = datetime(2026, 11, day, 10, tzinfo=UTC)
        talk = Conversation(root / "state", session, f"agent:main:d{day}", at)
        for place, text in enumerate(said):
            (talk.agent if place % 2 else talk.user)(text)
        talk.save()
    memory = open_memory(root, EVENING)
    sync(memory)
    return memory


def write_retain(
    memory: Memory, day: int, lines: Sequence[str], end: str = "\n"
) -> None:
    """
    The agent writes *lines* below a heading at the end of that *day*'s note.
    """
    path = memory.workspace.root / f"memory/2026-11-{day}.md"
    told = [f"{end}## Retain", *(f"- {line}" for line in lines), ""]
    with path.open("ab") as file:
        file.write(end.join(told).encode())


def retained(root: Path, *lines: Mapping[int, tuple[str, ...]]) -> Memory:
    """
    The memory after both days with *lines* of each retained; nobody has judged them.
    """
    memory = talked(root)
    for day in TALKS:
        write_retain(memory, day, [line for each in lines for line in each[day]])
    return memory


def reflected(memory: Memory) -> Memory:
    """
    The *memory* after what `strata reflect` does.
    """
    reflect(retain(memory))
    return memory
