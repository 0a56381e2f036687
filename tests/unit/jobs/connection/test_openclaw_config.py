"""Every change to OpenClaw's configuration has a way back, and the user's own stay."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fake_openclaw import _merge

from strata.jobs.connection.neighbours import wanted_changes
from strata.workspace.openclaw_config import Change, backward, digest, forward

PLUGIN, BUNDLE = Path("/state/strata/plugin"), Path("/bundle")


def wanted(configuration: dict[str, Any], **given: str) -> list[Change]:
    options = {"version": "2026.9.6", "language": "auto"} | given
    return wanted_changes(configuration, plugin=PLUGIN, bundle=BUNDLE, **options)


def applied(configuration: dict[str, Any], patch: dict[str, Any]) -> dict[str, Any]:
    changed: dict[str, Any] = json.loads(json.dumps(configuration))
    _merge(changed, json.loads(json.dumps(patch)))
    return changed


CONFIGURATIONS: list[dict[str, Any]] = [
    {},
    {"agents": {"defaults": {"model": "m"}}},
    {"plugins": {"load": {"paths": ["/other"]}, "allow": ["telegram"]}},
    {"plugins": {"entries": {"memory-core": {"config": {"dreaming": {"cron": "x"}}}}}},
    {"plugins": {"entries": {"strata": {"enabled": False}}}},
    {"hooks": {"internal": {"enabled": True}}},
    {"hooks": {"internal": {"enabled": True, "entries": {"boot-md": {}}}}},
]


@pytest.mark.parametrize("before", CONFIGURATIONS)
@pytest.mark.parametrize("version", ["2026.7.1", "2026.9.6"])
def test_way_back_leads_to_what_was(before: dict[str, Any], version: str) -> None:
    """
    The changes and then their way back leave the configuration as it was.
    """
    changes = wanted(before, version=version, language="zh")

    after = applied(before, forward(changes))

    assert after != before
    assert applied(after, backward(changes, after)) == before
    assert wanted(after, version=version, language="zh") == []


def test_what_the_user_changes_later_stays() -> None:
    """
    Keys that somebody set after the installation, ours or others, survive its end.
    """
    before: dict[str, Any] = {"plugins": {"load": {"paths": ["/a"]}}}
    changes = wanted(before)
    after = applied(before, forward(changes))
    after["plugins"]["load"]["paths"].append("/b")
    after["plugins"]["entries"]["memory-core"]["config"]["dreaming"]["enabled"] = True
    after["gateway"] = {"port": 1}

    left = applied(after, backward(changes, after))

    assert left == {
        "plugins": {
            "load": {"paths": ["/a", "/b"]},
            "entries": {"memory-core": {"config": {"dreaming": {"enabled": True}}}},
        },
        "gateway": {"port": 1},
    }


def test_own_choice_of_the_user_is_asked_about() -> None:
    """
    Dreaming that the user has switched on is not switched off without a word.
    """
    on: dict[str, Any] = {
        "plugins": {"entries": {"memory-core": {"config": {"dreaming": {}}}}}
    }
    chosen = json.loads(json.dumps(on))
    chosen["plugins"]["entries"]["memory-core"]["config"]["dreaming"]["enabled"] = True

    # To read each message as it comes is asked about in any case.
    reads = "plugins.entries.strata.hooks.allowConversationAccess"
    assert [each.name for each in wanted(on) if each.asked] == [reads]
    assert [each.name for each in wanted(chosen) if each.asked] == [
        reads,
        "plugins.entries.memory-core.config.dreaming.enabled",
    ]


def test_bundle_itself_gives_way_to_the_small_folder() -> None:
    """
    A bundle that was linked by hand is taken off the list: OpenClaw would copy all of it.
    """
    linked = {"plugins": {"load": {"paths": ["/x", str(BUNDLE)]}}}

    assert applied(linked, forward(wanted(linked)))["plugins"]["load"]["paths"] == [
        "/x",
        str(PLUGIN),
    ]


def test_stamp_of_openclaw_does_not_count() -> None:
    """
    What OpenClaw writes about itself is no change by the user.
    """
    assert digest({"a": 1, "meta": {"x": 1}}) == digest({"a": 1})
    assert digest({"a": 1}) != digest({"a": 2})
