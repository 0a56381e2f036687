"""What the last sync saw is a cache: whatever is wrong with it, it costs time alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from strata.models import SessionKind
from strata.workspace.files import Workspace
from strata.workspace.seen import Glance, Seen

if TYPE_CHECKING:
    from pathlib import Path

GLANCE = Glance("f1", "b1", SessionKind.MAIN, "nothing new")


def saved(tmp_path: Path) -> Workspace:
    workspace = Workspace(tmp_path)
    seen = Seen(workspace, under="u")
    seen.remember("one", GLANCE)
    seen.save(last_sync="2026-11-20T12:00:00+00:00")
    return workspace


def test_glances_come_back(tmp_path: Path) -> None:
    """
    What was saved is there the next time; under other settings it does not count.
    """
    workspace = saved(tmp_path)

    assert Seen(workspace, under="u").glances == {"one": GLANCE}
    assert Seen(workspace, under="v").glances["one"].fingerprint == ""


def test_row_of_another_version_is_left_out(tmp_path: Path) -> None:
    """
    A kind of conversation that is not known here, or a row that is none.
    """
    workspace = saved(tmp_path)
    file = workspace.layout.sync_cache_file
    content = json.loads(file.read_text())
    content["sessions"] |= {"two": ["f", "b", "dream", "r"], "three": ["f"], "four": 4}
    file.write_text(json.dumps(content))

    assert Seen(workspace, under="u").glances == {"one": GLANCE}
