"""What the documents say is so."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import click
import pytest
import yaml

from strata import hookspecs
from strata.bundle import VERSION
from strata.cli import COMMANDS, commands
from strata.settings import names

ROOT = Path(__file__).parents[1]
READMES = ["README.md", "README.zh-CN.md"]


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def manifest() -> dict[str, object]:
    loaded = yaml.safe_load(text("skill.yaml"))
    assert isinstance(loaded, dict)
    return loaded


def test_manifests_agree() -> None:
    """
    Name, version and minimum Python are the same in every manifest.
    """
    project = tomllib.loads(text("pyproject.toml"))["project"]
    package = json.loads(text("package.json"))
    plugin = json.loads(text("openclaw.plugin.json"))
    skill = yaml.safe_load(text("SKILL.md").split("---")[1])
    bundle = manifest()

    assert {package["name"], plugin["id"], skill["name"]} == {bundle["name"]}
    versions = {project["version"], package["version"], plugin["version"], VERSION}
    assert versions == {bundle["version"]}
    assert project["requires-python"] == bundle["python"]


def test_manifest_names_files_that_exist() -> None:
    """
    Every script and hook of skill.yaml and package.json is there.
    """
    bundle = yaml.safe_load(text("skill.yaml"))
    named = [*bundle["events"].values(), *bundle["scripts"].values()]
    named += json.loads(text("package.json"))["openclaw"]["extensions"]

    assert [name for name in named if not (ROOT / name).is_file()] == []


@pytest.mark.parametrize("readme", READMES)
def test_every_command_is_documented(readme: str) -> None:
    """
    Each command of the command line stands in both READMEs.
    """
    assert [name for name in COMMANDS if f"`{name}" not in text(readme)] == []


@pytest.mark.parametrize("readme", READMES)
def test_every_setting_is_documented(readme: str) -> None:
    """
    Each setting stands in both READMEs.
    """
    assert [name for name in names() if f"`{name}`" not in text(readme)] == []


@pytest.mark.parametrize("readme", READMES)
def test_every_hook_is_documented(readme: str) -> None:
    """
    Each hook that a plugin may implement stands in both READMEs.
    """
    hooks = [
        name for name, value in vars(hookspecs).items() if hasattr(value, "strata_spec")
    ]

    assert hooks
    assert [name for name in hooks if f"`{name}" not in text(readme)] == []


@pytest.mark.parametrize("readme", READMES)
def test_links_lead_somewhere(readme: str) -> None:
    """
    Every relative link of a README leads to a file of the bundle.
    """
    targets = re.findall(r"\]\(([^)#:]+)\)", text(readme))

    assert [target for target in targets if not (ROOT / target).exists()] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_helps(name: str) -> None:
    """
    Each command loads and says what it does.
    """
    with click.Context(commands) as context:
        command = commands.get_command(context, name)

    assert command is not None
    assert command.help
