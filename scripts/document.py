"""
Write the pages of docs/ that are made from the code: commands.md and settings.md.

    .venv/bin/python scripts/document.py [--check]

With --check nothing is written; the exit code is 1 where a page is not as it would be.
Commands speak for themselves in English, and in Chinese by `messages/zh.toml`. What a
setting means stands in `docs/settings.toml`.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from strata.cli import commands as strata  # noqa: E402 - of this bundle
from strata.settings import Settings, names  # noqa: E402 - the same

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

DOCS = ROOT / "docs"


@dataclass(frozen=True, slots=True)
class Words:
    """What the pages say around what the code says, in one language."""

    commands: str
    options: str
    settings: str
    columns: str
    types: Mapping[type, str]
    nothing: str


ENGLISH = Words(
    commands="""\
# Commands

Made by `scripts/document.py` from the help of each command; edit that, and make it anew.

`scripts/strata COMMAND --help` prints the same.
The options of `strata` itself may stand before or after the command.
Exit codes are [in the page on troubleshooting](troubleshooting.md#exit-codes).
""",
    options="| option | does |\n|---|---|",
    settings="""\
# Settings

Made by `scripts/document.py` from the code and `docs/settings.toml`; edit those.

Settings stand in `.strata/config.toml` of the workspace.
An environment variable (`STRATA_CAPTURE_GROUPS=true`) wins over the file.
`--set capture.groups=true` on the command line wins over both.
There a list is parted by commas: `STRATA_TRUST_MASKED=a,b`.
A key that is not known, and a value of the wrong type, is an error that names it.
""",
    columns="| setting | type | default | meaning |\n|---|---|---|---|",
    types={str: "text", bool: "true or false", int: "whole number", tuple: "list"},
    nothing="none",
)
CHINESE = Words(
    commands="""\
# 命令

本页由 `scripts/document.py` 按各命令自己的帮助生成；要改就改那里，再重新生成。

`scripts/strata 命令 --help` 显示同样的内容。
`strata` 自己的选项放在命令前后都可以。
退出码见[出问题时](troubleshooting.md#退出码)。
""",
    options="| 选项 | 作用 |\n|---|---|",
    settings="""\
# 设置

本页由 `scripts/document.py` 按代码和 `docs/settings.toml` 生成；要改就改那两处。

设置写在工作区的 `.strata/config.toml` 里。
环境变量（`STRATA_CAPTURE_GROUPS=true`）优先于文件。
命令行上的 `--set capture.groups=true` 优先于两者。
在那里列表用逗号分开：`STRATA_TRUST_MASKED=a,b`。
不认识的键、类型不对的值都会报错并指明。
""",
    columns="| 设置 | 类型 | 默认值 | 含义 |\n|---|---|---|---|",
    types={str: "文字", bool: "true 或 false", int: "整数", tuple: "列表"},
    nothing="无",
)


def main() -> int:
    """Write the pages, or say which are stale."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args()
    stale = {path: text for path, text in pages().items() if _read(path) != text}
    for path, text in stale.items():
        if options.check:
            print(f"{path.relative_to(ROOT)} is stale; run scripts/document.py")
        else:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path.relative_to(ROOT)}")
    return 1 if stale and options.check else 0


def pages() -> dict[Path, str]:
    """Return every page that is made, by where it stands."""
    chinese = tomllib.loads(_read(ROOT / "messages" / "zh.toml"))["help"]
    return {
        DOCS / "commands.md": commands_page(ENGLISH, {}),
        DOCS / "settings.md": settings_page(ENGLISH, "en"),
        DOCS / "zh" / "commands.md": commands_page(CHINESE, chinese),
        DOCS / "zh" / "settings.md": settings_page(CHINESE, "zh"),
    }


def commands_page(words: Words, told: Mapping[str, Any]) -> str:
    """Return the help of all commands; *told* says it in another language than English."""
    context = click.Context(strata, info_name="strata")
    parts = [words.commands, *_explained(strata, context, words, [told])]
    return "\n".join(parts)


def settings_page(words: Words, language: str) -> str:
    """Return what every setting is, of what type, and what it is unless it is set."""
    meanings = tomllib.loads(_read(DOCS / "settings.toml"))
    lines = [words.settings, words.columns]
    for name in names():
        default = getattr(Settings(), field_of(name))
        shown = _default(default) or words.nothing
        kind = words.types[type(default)]
        lines.append(f"| `{name}` | {kind} | {shown} | {meanings[name][language]} |")
    return "\n".join([*lines, ""])


def field_of(name: str) -> str:
    """Return the field of `Settings` that holds the setting *name*."""
    return name.replace(".", "_")


def _explained(
    command: click.Command,
    context: click.Context,
    words: Words,
    told: list[Mapping[str, Any]],
) -> Iterator[str]:
    """Give the sections of *command* and those in it; the last of *told* is its own."""
    level = "##" if context.parent is None or context.parent.parent is None else "###"
    usage = " ".join(command.collect_usage_pieces(context))
    about = told[-1].get("about") or command.help or ""
    yield f"{level} {context.command_path}\n"
    yield _joined(about) + "\n"
    yield f"```\n{context.command_path} {usage}\n```\n"
    if options := _options(command, context):
        rows = [_option(each, context, told) for each in options]
        yield "\n".join([words.options, *rows, ""])
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None:
                own = click.Context(inner, info_name=name, parent=context)
                below = [*told, told[-1].get(name, {})]
                yield from _explained(inner, own, words, below)


def _options(command: click.Command, context: click.Context) -> list[click.Option]:
    return [
        each
        for each in command.get_params(context)
        if isinstance(each, click.Option)
        and each.get_help_record(context)
        # What stands at every command is told once, at the top.
        and ("--help" not in each.opts or context.parent is None)
    ]


def _option(
    option: click.Option, context: click.Context, told: list[Mapping[str, Any]]
) -> str:
    written, help_text = option.get_help_record(context) or ("", "")
    key = max(option.opts, key=len)
    known = [table[key] for table in (told[-1], told[0]) if key in table]
    about = str(known[0]) if known else help_text
    # A bar would end the cell.
    shown = written.replace("|", "\\|")
    return f"| `{shown}` | {about} |"


def _joined(text: str) -> str:
    """Return *text* with each paragraph on one line, as click fills them."""
    return "\n\n".join(" ".join(part.split()) for part in text.strip().split("\n\n"))


def _default(value: object) -> str:
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return f"`{value}`" if value else ""


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


if __name__ == "__main__":
    sys.exit(main())
