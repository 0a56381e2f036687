"""The plugin sends the page that Strata wrote, and nothing else, to OpenClaw's tab."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
NODE = shutil.which("node")
WORDS = "<!doctype html>\n<p>記憶"

# Loads the plugin as a gateway of the given version does, and asks what it registers.
HARNESS = """
import plugin from PLUGIN;
const [root, version, parts, methods] = JSON.parse(process.argv[1]);
const routes = [];
const tabs = [];
const api = {
  rootDir: root,
  runtime: { version },
  on: () => {},
  registerHttpRoute: (route) => routes.push(route),
  session: { controls: { registerControlUiDescriptor: (tab) => tabs.push(tab) } },
};
for (const part of parts) delete api[part];
plugin.register(api);
const said = [];
for (const method of methods) {
  const sent = { body: "" };
  const response = {
    writeHead: (status, headers) => Object.assign(sent, { status, headers }),
    end: (content) => { sent.body = String(content ?? ""); },
  };
  sent.handled = await routes[0].handler({ method, url: "/plugins/strata?x=1" }, response);
  said.push(sent);
}
console.log(JSON.stringify({ routes, tabs, said }));
"""

pytestmark = pytest.mark.skipif(
    NODE is None, reason="there is no Node.js on this machine"
)


def ask(
    root: Path, *methods: str, version: str = "2026.9.6", without: tuple[str, ...] = ()
) -> dict[str, Any]:
    """
    What the plugin in *root* registers, and answers to requests of these *methods*.
    """
    plugin = json.dumps((ROOT / "hooks" / "openclaw.js").as_uri())
    given = [str(root), version, without, methods]
    finished = subprocess.run(
        [
            *(str(NODE), "--input-type=module", "-e"),
            *(HARNESS.replace("PLUGIN", plugin), json.dumps(given)),
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    found: dict[str, Any] = json.loads(finished.stdout)
    return found


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    """
    The folder of the plugin, beside which a page lies.
    """
    (tmp_path / "strata" / "plugin").mkdir(parents=True)
    (tmp_path / "strata" / "tab.html").write_text(WORDS, encoding="utf-8")
    return tmp_path / "strata" / "plugin"


def test_tab_and_route_are_registered_for_whom_the_gateway_knows(plugin: Path) -> None:
    """
    The route asks for the gateway's own word, and the tab for the right to read.
    """
    found = ask(plugin)

    (route,), (tab,) = found["routes"], found["tabs"]
    assert route == {"path": "/plugins/strata", "match": "exact", "auth": "gateway"}
    assert tab["path"] == route["path"]
    assert tab["surface"] == "tab"
    assert tab["requiredScopes"] == ["operator.read"]


@pytest.mark.parametrize(
    ("version", "without"),
    [
        ("2026.7.1", ()),
        ("", ()),
        ("2026.9.6", ("session",)),
        ("2026.9.6", ("registerHttpRoute",)),
        ("2026.9.6", ("runtime",)),
    ],
)
def test_older_openclaws_get_neither(
    plugin: Path, version: str, without: tuple[str, ...]
) -> None:
    """
    Where a tab cannot be drawn, or its page not be sent, the plugin does without both.
    """
    found = ask(plugin, version=version, without=without)

    assert found["tabs"] == []
    assert found["routes"] == []


def test_page_is_sent_as_it_lies_there(plugin: Path) -> None:
    """
    It may be read and nothing else: no script, no form, no picture, kept by nobody.
    """
    get, head, post = ask(plugin, "GET", "HEAD", "POST")["said"]

    assert (get["status"], get["body"], get["handled"]) == (200, WORDS, True)
    assert (head["status"], head["body"]) == (200, "")
    assert (post["status"], post["body"]) == (405, "")
    for sent in (get, head, post):
        assert sent["headers"]["cache-control"] == "no-store"
        assert sent["headers"]["x-content-type-options"] == "nosniff"
        policy = sent["headers"]["content-security-policy"]
        assert policy.startswith("default-src 'none'; style-src 'unsafe-inline';")
        assert "script-src" not in policy


def test_without_a_page_it_says_so(plugin: Path) -> None:
    """
    Before the first run, and after the last, there is nothing to show, and no error.
    """
    (plugin.parent / "tab.html").unlink()

    (said,) = ask(plugin, "GET")["said"]

    assert said["status"] == 404
    assert "has written no page yet" in said["body"]
