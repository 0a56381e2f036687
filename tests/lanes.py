"""Which tests go to which worker, and in which order, when several share the work."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from xdist.scheduler import LoadScopeScheduling

if TYPE_CHECKING:
    import pytest

ROOT = Path(__file__).parents[1]
# Behind the tests that time a real OpenClaw, which is one of many on a user's machine too.
BEHIND = 10


def on_real_openclaw(item: pytest.Item) -> bool:
    """
    Whether *item* needs a real OpenClaw, which spends most of its time waiting.
    """
    return item.path.name.startswith("test_live")


class Lanes(LoadScopeScheduling):  # type: ignore[misc] # untyped where mypy looks
    """
    Each test goes to whoever is free; tests that share what is dear to make stay together.

    They are those of a file with a fixture for the whole of it. A variant of the fixture
    is a lane of its own, so that both versions of OpenClaw run side by side.
    """

    def _split_scope(self, nodeid: str) -> str:
        file, _, test = nodeid.partition("::")
        if not _shares(file):
            return nodeid
        _, _, parameters = test.partition("[")
        return f"{file} {parameters.rstrip(']').partition('-')[0]}"


@cache
def _shares(file: str) -> bool:
    return 'scope="module"' in (ROOT / file).read_text("utf-8")
