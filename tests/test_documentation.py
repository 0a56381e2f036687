"""What the documents say is so."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest
import yaml

from strata import errors, hookspecs
from strata.bundle import VERSION
from strata.cli import BUG, COMMANDS, INTERRUPTED, commands
from strata.gateway import hookspecs as event_hookspecs
from strata.jobs.connection.slot import PLUGIN
from strata.settings import SEARCH_PARTS, Settings, names
from strata.templates import render

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
READMES = ["README.md", "README.zh-CN.md"]
DOCS = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))
PAGES = [*READMES, *DOCS]
LONGEST_README = 200
# The ten commands that one uses; the pages about commands name all.
DAILY = [
    *("sync", "query", "get", "remember", "review"),
    *("trace", "undo", "forget", "status", "doctor"),
]


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
    slot = [
        json.loads(text(f"hooks/slot/{name}"))
        for name in ("openclaw.plugin.json", "package.json")
    ]
    bundle = manifest()

    assert [slot[0]["id"], slot[1]["name"]] == [PLUGIN, PLUGIN]
    assert {each["version"] for each in slot} == {bundle["version"]}
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


def test_made_pages_are_as_the_code_says() -> None:
    """
    What scripts/document.py makes is what stands in docs/.
    """
    program = [sys.executable, "scripts/document.py", "--check"]
    done = subprocess.run(
        program, cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert ("", 0) == (done.stdout + done.stderr, done.returncode)


@pytest.mark.parametrize("readme", READMES)
def test_readme_is_short(readme: str) -> None:
    """
    A README is read in minutes, and shows the commands of every day.
    """
    told = text(readme)

    assert len(told.splitlines()) <= LONGEST_README
    assert [name for name in DAILY if f"strata {name}" not in told] == []


@pytest.mark.parametrize("page", ["docs/commands.md", "docs/zh/commands.md"])
def test_every_command_is_documented(page: str) -> None:
    """
    Each command, those within commands too, has a section of its own in both languages.
    """
    headings = re.findall(r"^##+ strata (.+)$", text(page), re.MULTILINE)

    assert set(COMMANDS) <= set(headings)
    assert [name for name, _ in every_command() if name and name not in headings] == []


@pytest.mark.parametrize("page", ["docs/commands.md", "docs/zh/commands.md"])
def test_every_option_is_documented(page: str) -> None:
    """
    Each option says what it does, in the section of its command.
    """
    sections = re.split(r"^##+ strata ?", text(page), flags=re.MULTILINE)
    told = {part.partition("\n")[0]: part for part in sections[1:]}
    lacking = [
        (name, option.opts)
        for name, command in every_command()
        for option in command.params
        if isinstance(option, click.Option)
        and not (option.help and f"`{max(option.opts, key=len)}" in told[name])
    ]

    assert [] == lacking


def every_command() -> Iterator[tuple[str, click.Command]]:
    """
    Each command by what stands behind `strata`, `audit log` too.
    """
    with click.Context(commands, info_name="strata") as context:
        yield "", commands
        for name in COMMANDS:
            command = commands.get_command(context, name)
            assert command is not None
            yield name, command
            if isinstance(command, click.Group):
                inner = command.commands.items()
                yield from ((f"{name} {own}", each) for own, each in inner)


@pytest.mark.parametrize("page", ["docs/settings.md", "docs/zh/settings.md"])
def test_every_setting_is_documented(page: str) -> None:
    """
    Each setting stands in both languages, with its default and what it means.
    """
    lines = text(page).splitlines()
    rows = [[cell.strip() for cell in line[1:-1].split(" | ")] for line in lines]
    told = {row[0]: row[1:] for row in rows if len(row) == 4}
    defaults = Settings()

    for name in names():
        kind, default, meaning = told[f"`{name}`"]
        value = getattr(defaults, name.replace(".", "_"))
        shown = str(value).lower() if isinstance(value, bool) else str(value)
        assert kind
        assert meaning
        assert default in (
            {f"`{shown}`"} if value or shown == "false" else {"none", "无"}
        )


def test_settings_explained_are_those_there_are() -> None:
    """
    What a setting means is told of no other than those of the code.
    """
    told = tomllib.loads(text("docs/settings.toml"))

    assert names() == list(told)
    assert {("en", "zh")} == {tuple(each) for each in told.values()}


@pytest.mark.parametrize("page", ["docs/recall.md", "docs/zh/recall.md"])
def test_every_part_of_a_search_is_documented(page: str) -> None:
    """
    Each part that `search.without` switches off is explained in both languages.
    """
    assert [part for part in SEARCH_PARTS if f"`{part}`" not in text(page)] == []


@pytest.mark.parametrize("page", ["docs/plugins.md", "docs/zh/plugins.md"])
def test_every_hook_is_documented(page: str) -> None:
    """
    Each hook that a plugin may implement is explained in both languages.
    """
    hooks = [
        name
        for specifications in (hookspecs, event_hookspecs)
        for name, value in vars(specifications).items()
        if hasattr(value, "strata_spec")
    ]

    assert hooks
    assert [name for name in hooks if f"`{name}" not in text(page)] == []


@pytest.mark.parametrize(
    "page", ["docs/troubleshooting.md", "docs/zh/troubleshooting.md"]
)
def test_every_exit_code_is_documented(page: str) -> None:
    """
    Each code with which a command may end is explained in both languages.
    """
    kinds = [each for each in vars(errors).values() if isinstance(each, type)]
    codes = {each.exit_code for each in kinds if issubclass(each, errors.StrataError)}
    codes |= {BUG, INTERRUPTED, 0}

    assert [code for code in sorted(codes) if f"\n| {code} |" not in text(page)] == []


def test_agent_is_told_the_same_everywhere() -> None:
    """
    Who writes what: the skill, the rules in AGENTS.md and the flush use the same words.
    """
    program = "{baseDir}/scripts/strata"
    skill = text("SKILL.md")
    rules = render("agents_md_snippets/recall.en.md.j2", strata=program)
    flush = render("prompts/memory_flush_prompt.md.j2")

    told = """\
What is said is noted by itself. What nobody said, and must be found again, you append \
to today's `memory/YYYY-MM-DD.md`, as a line at its end; you change no line of it.
`MEMORY.md` is Strata's alone."""
    with_a_user = f"""\
Asked to remember something for good, run \
`{program} remember "the statement, complete in itself"`.
Never edit it, whatever other advice says: with two writers OpenClaw silently leaves it \
out of your prompt.
In a group, write nothing into `memory/`: it is your user's alone."""
    for sentence in told.split("\n"):
        assert sentence in skill
        assert sentence in rules
        assert sentence in flush
    for sentence in with_a_user.split("\n"):
        assert sentence in skill
        assert sentence in rules


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    """
    Every relative link leads to a file of the bundle, and to a heading that is there.
    """
    targets = re.findall(r"\]\(([^):]+)\)", text(page))
    broken = []
    for target in targets:
        name, _, anchor = target.partition("#")
        file = (ROOT / page).parent / name if name else ROOT / page
        if not file.exists() or (anchor and anchor not in anchors(file)):
            broken.append(target)

    assert [] == broken


def anchors(file: Path) -> set[str]:
    """
    The headings of *file* as links name them.
    """
    headings = re.findall(r"^#+ (.+)$", file.read_text("utf-8"), re.MULTILINE)
    return {
        re.sub(r"[^\w\- ]", "", each).lower().replace(" ", "-") for each in headings
    }


@pytest.mark.parametrize("page", PAGES)
def test_files_that_are_named_are_there(page: str) -> None:
    """
    Every module and program that a page names is in the bundle.
    """
    named = re.findall(
        r"`((?:strata|training|scripts|bench|messages)/[\w/]+\.\w+)`", text(page)
    )

    assert [name for name in named if not (ROOT / name).is_file()] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_helps(name: str) -> None:
    """
    Each command loads and says what it does.
    """
    with click.Context(commands) as context:
        command = commands.get_command(context, name)

    assert command is not None
    assert command.help
