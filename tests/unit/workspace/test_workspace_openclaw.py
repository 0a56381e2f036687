"""OpenClaw's own configuration says where an agent's workspace is."""

from __future__ import annotations

from pathlib import Path

import pytest

from strata.errors import OpenClawNotFound
from strata.workspace.openclaw import (
    agent_at,
    configuration,
    first_agent,
    state_folder,
    user_timezone,
    workspace_folder,
)

CONFIG = """
{
  // written by hand
  agents: {
    defaults: { workspace: "~/agents/main", userTimezone: "Asia/Shanghai", },
    list: [ { id: "research", workspace: "/srv/research" }, { id: "plain" } ],
  },
}
"""


@pytest.fixture
def state(tmp_path: Path) -> Path:
    (tmp_path / "openclaw.json").write_text(CONFIG)
    return tmp_path


def test_workspace_given_by_hand_comes_first(state: Path) -> None:
    """
    --workspace beats the configuration.
    """
    assert workspace_folder("/srv/w", state, "research") == Path("/srv/w")


def test_each_agent_has_its_own_workspace(state: Path) -> None:
    """
    An agent's own entry counts, then the defaults.
    """
    shared = Path.home() / "agents" / "main"

    assert workspace_folder(None, state, "research") == Path("/srv/research")
    assert workspace_folder(None, state, "plain") == shared / "plain"
    assert agent_at(state, shared / "plain" / "memory") == "plain"


def test_workspace_behind_a_link_is_its_agents(tmp_path: Path) -> None:
    """
    Who stands there is told the place itself, and the configuration has the link.
    """
    (tmp_path / "disk" / "w" / "b").mkdir(parents=True)
    (tmp_path / "link").symlink_to("disk")
    (tmp_path / "openclaw.json").write_text(
        f"{{agents: {{defaults: {{workspace: '{tmp_path}/link/w'}}, "
        "list: [{id: 'a'}, {id: 'b'}]}}"
    )

    assert agent_at(tmp_path, tmp_path / "disk" / "w" / "b") == "b"
    assert agent_at(tmp_path, tmp_path / "link" / "w") == "a"


def test_nearest_workspace_says_whose_it_is(tmp_path: Path) -> None:
    """
    One agent's workspace may lie within another's.
    """
    (tmp_path / "openclaw.json").write_text(
        "{agents: {defaults: {workspace: '/srv/w'}, list: [{id: 'a'}, {id: 'b'}]}}"
    )

    assert agent_at(tmp_path, Path("/srv/w/memory")) == "a"
    assert agent_at(tmp_path, Path("/srv/w/b/memory")) == "b"
    assert agent_at(tmp_path, Path("/srv")) is None


@pytest.mark.parametrize(
    ("agents", "expected"),
    [
        ("list: [{id: 'a'}, {id: 'b'}]", {"a": "workspace", "b": "workspace-b"}),
        (
            "list: [{id: 'a'}, {id: 'b', default: true}]",
            {"a": "workspace-a", "b": "workspace"},
        ),
        ("entries: {bot: {}}", {"bot": "workspace"}),
        (
            "ownership: 'explicit', entries: {main: {}, b: {}}",
            {"main": "workspace-main", "b": "workspace-b"},
        ),
        (
            "defaults: {workspace: '/srv/w'}, list: [{id: 'a'}, {id: 'b'}]",
            {"a": "/srv/w", "b": "/srv/w/b"},
        ),
        (
            "defaults: {workspace: '/srv/w'}, entries: {a: {}, b: {}}",
            {"a": "/srv/w/a", "b": "/srv/w/b"},
        ),
    ],
)
def test_agents_without_a_workspace_have_those_of_openclaw(
    tmp_path: Path, agents: str, expected: dict[str, str]
) -> None:
    """
    As `openclaw agents list` says: one has the shared workspace, no two have the same.
    """
    (tmp_path / "openclaw.json").write_text(f"{{agents: {{{agents}}}}}")
    (tmp_path / "workspace").mkdir()

    found = {name: workspace_folder(None, tmp_path, name) for name in expected}

    assert found == {name: tmp_path / place for name, place in expected.items()}


def test_agent_that_is_meant_where_none_is_named(tmp_path: Path) -> None:
    """
    main, the one that is called otherwise, or the one that is marked.
    """
    for agents, expected in (
        ("entries: {a: {}, main: {}}", "main"),
        ("entries: {bot: {}}", "bot"),
        ("list: [{id: 'a'}, {id: 'b', default: true}]", "b"),
    ):
        (tmp_path / "openclaw.json").write_text(f"{{agents: {{{agents}}}}}")
        assert first_agent(tmp_path) == expected


def test_time_zone_is_read_from_json5(state: Path) -> None:
    """
    Comments, bare keys and trailing commas are no obstacle.
    """
    assert user_timezone(state) == "Asia/Shanghai"


def test_unconfigured_workspace_lies_below_the_state_directory(tmp_path: Path) -> None:
    """
    OpenClaw 2026.9 puts it there; without one, it is below the home directory.
    """
    default = Path.home() / ".openclaw" / "workspace"
    assert workspace_folder(None, tmp_path, "main") == default

    (tmp_path / "workspace").mkdir()

    assert workspace_folder(None, tmp_path, "main") == tmp_path / "workspace"


def test_broken_configuration_is_named(tmp_path: Path) -> None:
    """
    A file that is no JSON5 gives one line that says how to mend it.
    """
    (tmp_path / "openclaw.json").write_text("{ agents: ")

    with pytest.raises(OpenClawNotFound, match="openclaw doctor"):
        user_timezone(tmp_path)


def test_state_directory_comes_from_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """
    OPENCLAW_STATE_DIR counts where no option is given.
    """
    monkeypatch.setenv("OPENCLAW_STATE_DIR", "/srv/state")

    assert state_folder(None) == Path("/srv/state")
    assert state_folder("/other") == Path("/other")


def test_configuration_in_another_encoding_is_named(tmp_path: Path) -> None:
    """
    One clear line, and no traceback.
    """
    (tmp_path / "openclaw.json").write_bytes('{"a": "中"}'.encode("gbk"))

    with pytest.raises(OpenClawNotFound, match="openclaw doctor"):
        workspace_folder(None, tmp_path, "main")


def test_workspace_may_stand_in_an_included_file(tmp_path: Path) -> None:
    """
    OpenClaw's own example includes the agents; what stands beside counts more.
    """
    (tmp_path / "parts").mkdir()
    (tmp_path / "openclaw.json").write_text(
        '{"agents": {"$include": ["./parts/a.json5", "parts/b.json"],'
        ' "defaults": {"userTimezone": "Asia/Tokyo"}}}'
    )
    (tmp_path / "parts" / "a.json5").write_text(
        "{defaults: {workspace: '/srv/a', userTimezone: 'UTC'}}"
    )
    (tmp_path / "parts" / "b.json").write_text('{"list": {"$include": "c.json"}}')
    (tmp_path / "parts" / "c.json").write_text('[{"id": "x", "workspace": "/srv/x"}]')

    assert workspace_folder(None, tmp_path, "y") == Path("/srv/a/y")
    assert workspace_folder(None, tmp_path, "x") == Path("/srv/x")
    assert user_timezone(tmp_path) == "Asia/Tokyo"


def test_file_that_includes_itself_is_named(tmp_path: Path) -> None:
    """
    One clear line, and no recursion without end.
    """
    (tmp_path / "openclaw.json").write_text('{"$include": "openclaw.json"}')

    with pytest.raises(OpenClawNotFound, match="includes itself"):
        user_timezone(tmp_path)


def test_variable_in_the_workspace_is_filled_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    As OpenClaw does it; one that is not set here is named.
    """
    (tmp_path / "openclaw.json").write_text(
        '{"agents": {"defaults": {"workspace": "${CLAW_BASE}/w"}}}'
    )
    with pytest.raises(OpenClawNotFound, match="CLAW_BASE"):
        workspace_folder(None, tmp_path, "main")

    monkeypatch.setenv("CLAW_BASE", "/srv")

    assert workspace_folder(None, tmp_path, "main") == Path("/srv/w")


@pytest.mark.parametrize("text", ["[]", "null", "5", '"text"'])
def test_configuration_that_is_no_table_is_named(tmp_path: Path, text: str) -> None:
    """
    What OpenClaw could not start with is no empty configuration.
    """
    (tmp_path / "openclaw.json").write_text(text)

    with pytest.raises(OpenClawNotFound, match="no table of settings"):
        configuration(tmp_path)
