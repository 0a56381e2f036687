"""The tab in a real OpenClaw of both eras: told of, shown to whom it knows, taken out."""

from __future__ import annotations

from http.client import HTTPConnection
from typing import TYPE_CHECKING

import pytest
from live_openclaw import ROOT, TOKEN, Live
from openclaw_packages import VERSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

REMEMBERED = "The boat is called Marigold and lies in the harbour of Malmö."
# 2026.7.1 draws a tab, but lets its frame see no page that the gateway guards.
DRAWN = {"2026.9.6"}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (ROOT / ".venv").exists(), reason="run scripts/install, the plugin needs it"
    ),
]


@pytest.fixture(scope="module", params=VERSIONS)
def live(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Live]:
    """
    A running OpenClaw with Strata, which was told one thing.
    """
    openclaw = Live(tmp_path_factory.mktemp("tab"), request.param)
    try:
        openclaw.start()
        openclaw.say("hello")
        done = openclaw.strata("install", "--yes")
        assert done.returncode == 0, done.stderr
        if "restart" in done.stderr:
            openclaw.stop()
            openclaw.start()
        woken = openclaw.state / "strata" / "woken"
        openclaw.wait(woken.exists, "the plugin is loaded", 60)
        openclaw.settle()
        assert openclaw.strata("remember", REMEMBERED).returncode == 0
        yield openclaw
    finally:
        openclaw.close()


def ask(live: Live, token: str = "", method: str = "GET") -> tuple[int, str]:
    """
    What the gateway answers to who has *token*: the status, and the page.
    """
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    connection = HTTPConnection("127.0.0.1", live.port, timeout=30)
    try:
        connection.request(method, "/plugins/strata", headers=headers)
        reply = connection.getresponse()
        return reply.status, reply.read().decode()
    finally:
        connection.close()


def test_tab_is_announced_where_it_can_be_drawn(live: Live) -> None:
    """
    The gateway tells its Control UI of our tab and where the page is.
    """
    ours = [each for each in live.tabs() if each["pluginId"] == "strata"]

    paths = [each["path"] for each in ours]
    assert paths == (["/plugins/strata"] if live.version in DRAWN else [])


def test_page_is_shown_to_whom_the_gateway_knows(live: Live) -> None:
    """
    Who has the gateway's token may read the page, and do nothing to it.
    """
    if live.version not in DRAWN:
        assert REMEMBERED not in ask(live, TOKEN)[1]
        pytest.skip("there is no tab in this version")

    known, page = ask(live, TOKEN)

    assert known == 200
    assert "<h2>Agent main</h2>" in page
    assert '<span class="tag">remember</span>' in page
    assert ask(live, TOKEN, "POST")[0] == 405


@pytest.mark.parametrize("token", ["", "wrong"])
def test_nobody_else_is_shown_anything(live: Live, token: str) -> None:
    """
    Without the gateway's token there is no page.
    """
    status, said = ask(live, token)

    assert status in {401, 403} if live.version in DRAWN else status != 200
    assert "Agent main" not in said


def test_uninstall_takes_it_out(live: Live) -> None:
    """
    Tab, page and what the page was made of are gone.
    """
    assert _page(live).exists()
    assert live.strata("uninstall", "--yes").returncode == 0
    if live.version not in DRAWN:
        live.stop()
        live.start()

    live.wait(
        lambda: not [each for each in live.tabs() if each["pluginId"] == "strata"],
        "the tab is gone",
    )

    assert not _page(live).exists()
    assert "Agent main" not in ask(live, TOKEN)[1]


def _page(live: Live) -> Path:
    return live.state / "strata" / "tab.html"
