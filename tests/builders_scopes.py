"""Two agents, two groups and another person: each said something that is theirs alone."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

from builders_transcripts import Script, Store

from strata.memory import Memory

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

NOON = "2026-11-20T18:00:00+00:00"
LATER = "2026-12-05T03:00:00+00:00"
OWNER, OTHER = "777", "+4915112345678"
GROUPS = {"group1": "telegram:group:-100123", "group2": "whatsapp:group:120363@g.us"}
KEYS = {
    "main": "agent:main:main",
    "group1": f"agent:main:{GROUPS['group1']}",
    "group2": f"agent:main:{GROUPS['group2']}",
    "other": f"agent:main:whatsapp:direct:{OTHER}",
    "agent b": "agent:b:main",
}
# A word of its own for each, that nothing else in the world holds.
CANARIES = {
    "main": "Quokkaville",
    "group1": "Wombatstein",
    "group2": "Numbatheim",
    "other": "Bilbyhausen",
    "agent b": "Pademelonia",
}
CONFIGURATION = {
    "commands": {"ownerAllowFrom": [f"telegram:{OWNER}"]},
    "agents": {"entries": {"main": {"default": True}, "b": {}}},
}


def talk(whose: str) -> Script:
    """
    A conversation about the office, the same for all but for the place.
    """
    number = list(KEYS).index(whose)
    place = CANARIES[whose]
    return (
        Script(id=f"{number}1871d67-1111-4222-8333-444444444444")
        .header()
        .user(f"We decided that the new office goes to {place}, because rents are low.")
        .agent(f"The new office goes to {place}.")
        .user(f"从现在起，周报一律寄到 {place}，不要寄到旧办公室。")
        .agent(f"好的，周报寄到 {place}。")
        .user(f"I found out why the move to {place} is late: the lease is not signed.")
        .agent("Noted.")
    )


def populate(
    root: Path, *, era: str, talks: Mapping[str, Script] | None = None
) -> None:
    """
    Write the conversations below *root* as OpenClaw did in that *era*.

    *talks* are those to write, by their keys, else everybody's about the office.
    """
    state = root / "state"
    write = _as_rows if era == "sqlite" else _as_files
    talks = talks or {key: talk(whose) for whose, key in KEYS.items()}
    of_b = {key for key in talks if key.startswith("agent:b:")}
    # The builders write for the agent main, whose folder then becomes that of b.
    write(root / "b", {key: talks[key] for key in of_b})
    write(state, {key: each for key, each in talks.items() if key not in of_b})
    shutil.move(root / "b" / "agents" / "main", state / "agents" / "b")
    places = {"main": root / "workspace", "b": root / "workspace-b"}
    for name, place in places.items():
        place.mkdir()
        CONFIGURATION["agents"]["entries"][name]["workspace"] = str(place)  # type: ignore[index]
    (state / "openclaw.json").write_text(json.dumps(CONFIGURATION))


def open_agent(
    root: Path, agent: str = "main", now: str = NOON, *settings: str
) -> Memory:
    """
    The private memory of *agent*, which captures groups too.
    """
    return Memory.open(
        state_dir=str(root / "state"),
        agent=agent,
        now=now,
        overrides=["timezone=UTC", "capture.groups=true", *settings],
    )


def _as_rows(state: Path, talks: Mapping[str, Script]) -> None:
    store = Store(state)
    for key, script in talks.items():
        store.add(script, key)
    store.db.close()


def _as_files(state: Path, talks: Mapping[str, Script]) -> None:
    folder = state / "agents" / "main" / "sessions"
    folder.mkdir(parents=True)
    index = {}
    for key, script in talks.items():
        (folder / f"{script.id}.jsonl").write_bytes(script.content())
        index[key] = {"sessionId": script.id}
    (folder / "sessions.json").write_text(json.dumps(index))
