"""What Strata says: every sentence in every language, and every sentence asked for."""

from __future__ import annotations

import ast
import copy
import json
import re
import string
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import pytest

from strata import messages
from strata.cli import commands
from strata.cli.help import ABOUT, key_of, table_of_path
from strata.errors import NotFound, SettingsError
from strata.messages import FOLDER, Notice, Voice, table_of, text, worded
from strata.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
LANGUAGES = sorted(file.stem for file in FOLDER.glob("*.toml"))


def sentences(language: str) -> dict[str, str | dict[str, str]]:
    """
    Every sentence of *language* by its whole key.
    """
    file = FOLDER / f"{language}.toml"
    return dict(_flat("", tomllib.loads(file.read_text(encoding="utf-8"))))


def _flat(under: str, table: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        key = f"{under}.{name}" if under else name
        if isinstance(value, dict) and "other" not in value:
            yield from _flat(key, value)
        else:
            yield key, value


def explained() -> dict[str, str]:
    """
    What `--help` says, which in English stands in the code, by its key.
    """
    return dict(_explained(commands, click.Context(commands, info_name="strata")))


def _explained(
    command: click.Command, context: click.Context
) -> Iterator[tuple[str, str]]:
    table = table_of_path(context.command_path)
    yield f"{table}.{ABOUT}", command.help or ""
    for option in command.get_params(context):
        # Those that say the same wherever they stand are explained once.
        shared = key_of(option) in {"--help", "--dry-run", "--quiet-token"}
        if isinstance(option, click.Option):
            own = sentences("zh").get(f"{table}.{key_of(option)}")
            place = "help" if shared and own is None else table
            yield f"{place}.{key_of(option)}", option.help or ""
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            own_context = click.Context(inner, info_name=name, parent=context)
            yield from _explained(inner, own_context)


def forms(sentence: str | dict[str, str]) -> list[str]:
    return [sentence] if isinstance(sentence, str) else list(sentence.values())


def names(sentence: str | dict[str, str]) -> set[str]:
    """
    What is filled in, in any of the forms.
    """
    return {
        name
        for form in forms(sentence)
        for _, name, _, _ in string.Formatter().parse(form)
        if name is not None
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_every_sentence(language: str) -> None:
    """
    A key of one language is a key of all, and speaks of the same.
    """
    english, other = sentences("en") | explained(), sentences(language)
    if language == "en":
        other |= explained()

    assert set(other) == set(english)
    for key in set(other) - set(explained()):
        sentence = other[key]
        assert names(sentence) == names(english[key]), key


def remedy_of(key: str) -> str:
    """
    Under which key the remedy is, if there is any for what doctor says.
    """
    return key.replace("doctor.", "remedies.", 1)


def asked_for() -> Iterator[tuple[str, str, set[str]]]:
    """
    Where in the code which sentence is named, and what it is given.
    """
    for path in sorted((ROOT / "strata").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "Notice"
                and node.args
                and isinstance(node.args[0], ast.Constant)
                and all(each.arg for each in node.keywords)
            ):
                place = f"{path.relative_to(ROOT)}:{node.lineno}"
                given = {str(each.arg) for each in node.keywords}
                yield place, str(node.args[0].value), given


def test_every_message_of_the_code_is_a_sentence() -> None:
    """
    No code names a key that is not there, or lacks what the sentence speaks of.
    """
    english = sentences("en")
    known = {place: key for place, key, _ in asked_for() if key not in english}

    assert known == {}
    remedies = {key for key in english if key.startswith("remedies.")}
    assert remedies <= {remedy_of(key) for key in english if key not in remedies}
    for place, key, given in asked_for():
        needed = names(english[key]) | names(english.get(remedy_of(key), ""))
        needed |= {"count"} if isinstance(english[key], dict) else set()
        assert given == needed, f"{place}: {key}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_is_read_alone_as_with_all_others(language: str) -> None:
    """
    What is parsed by the table is what TOML says the file holds.
    """
    heads = re.findall(
        r"^\[(.+)\]$",
        (FOLDER / f"{language}.toml").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    alone = {
        f"{head}.{key}": value
        for head in heads
        for key, value in table_of(language, head).items()
    }

    assert alone == sentences(language)
    assert len(heads) == len(set(heads))


def test_a_message_reads_as_english_and_is_said_in_any_language() -> None:
    """
    For logs and programs it is English text; for a person it is worded when it is said.
    """
    message = Notice("sync.no-conversation", id="4711")

    assert (
        message == "there is no conversation 4711; `strata sync --json` lists their ids"
    )
    assert message.said("zh") == "没有对话 4711；`strata sync --json` 列出它们的编号"
    assert json.loads(json.dumps([message])) == [str(message)]
    assert copy.deepcopy(message) == str(message)


def test_an_error_keeps_its_message() -> None:
    """
    An error is English in a log, Chinese for its owner, also within another sentence.
    """
    error = NotFound(Notice("get.no-file", path="memory/x.md"))

    assert str(error) == "there is no memory/x.md"
    assert worded(error, "zh") == "没有 memory/x.md"
    assert worded(NotFound("as it is"), "zh") == "as it is"


def test_numbers_have_their_forms() -> None:
    """
    One of a thing is said in another form where the language has one.
    """
    told = {"name": "陈", "words": ["陈列", "陈述"]}

    assert "1 other word (陈列, 陈述)" in Notice(
        "forget.part-of-words", count=1, **told
    )
    assert "2 other words" in Notice("forget.part-of-words", count=2, **told)
    zh = Notice("forget.part-of-words", count=1, **told).said("zh")
    assert "1 个别的词里（陈列、陈述）" in zh


def test_what_a_language_lacks_is_said_in_english(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    A third language is one more file; a language without one is English.
    """
    (tmp_path / "fr.toml").write_text('[get]\nno-file = "pas de {path}"\n')
    (tmp_path / "en.toml").write_bytes((FOLDER / "en.toml").read_bytes())
    monkeypatch.setattr(messages, "FOLDER", tmp_path)
    try:
        messages._sources.cache_clear()
        table_of.cache_clear()

        assert text("fr", "get.no-file", path="x") == "pas de x"
        assert text("fr", "get.from-one") == "lines count from 1"
        assert Voice("get", "tlh")("from-one") == "lines count from 1"
        assert (
            "fr" == load_settings(tmp_path / "none", overrides=["language=fr"]).language
        )
        with pytest.raises(SettingsError, match="one of en, fr, not 'zh'"):
            load_settings(tmp_path / "none", overrides=["language=zh"])
    finally:
        messages._sources.cache_clear()
        table_of.cache_clear()
