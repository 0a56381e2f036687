"""Settings are few, checked, and can be given in three ways."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from strata.errors import SettingsError
from strata.settings import Settings, Source, load_settings, names, sources

if TYPE_CHECKING:
    from pathlib import Path


def test_no_file_means_defaults(tmp_path: Path) -> None:
    """
    Without a file every setting has its default.
    """
    assert load_settings(tmp_path / "config.toml", environment={}) == Settings()


def test_flag_beats_environment_beats_file(tmp_path: Path) -> None:
    """
    The nearer to the command a value is given, the more it counts.
    """
    file = tmp_path / "config.toml"
    file.write_text(
        'timezone = "Europe/Lisbon"\n[capture]\ngroups = true\n[search]\nresults = 5\n'
    )

    settings = load_settings(
        file,
        environment={"STRATA_SEARCH_RESULTS": "7", "STRATA_CAPTURE_GROUPS": "false"},
        overrides=["capture.groups=on"],
    )

    assert settings == Settings(
        timezone="Europe/Lisbon", capture_groups=True, search_results=7
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[capture]\ngroup = true\n", "did you mean capture.groups"),
        ("[search]\nresults = 'ten'\n", "search.results must be a whole number"),
        ("[search]\nresults = true\n", "search.results must be a whole number"),
        ("[search]\nresults = 0\n", "search.results must be at least 1"),
        ("language = 'fr'\n", "language must be auto or one of en, zh"),
        ("timezone = \n", "no valid TOML"),
    ],
)
def test_mistake_is_named(tmp_path: Path, text: str, message: str) -> None:
    """
    A wrong key or value is refused with what to do.
    """
    file = tmp_path / "config.toml"
    file.write_text(text)

    with pytest.raises(SettingsError, match=message):
        load_settings(file, environment={})


def test_every_setting_can_be_given_by_each_name(tmp_path: Path) -> None:
    """
    No setting is out of reach of the environment or of --set.
    """
    file = tmp_path / "config.toml"
    for name in names():
        field = name.replace(".", "_")
        default = getattr(Settings(), field)
        text = "en" if name == "language" else str(default)
        text = "memory/*" if isinstance(default, tuple) else text

        by_flag = load_settings(file, environment={}, overrides=[f"{name}={text}"])
        by_variable = load_settings(file, environment={f"STRATA_{field.upper()}": text})

        assert by_flag == by_variable


def test_byte_order_mark_is_no_setting(tmp_path: Path) -> None:
    """
    A file that an editor of Windows wrote is read like any other.
    """
    file = tmp_path / "config.toml"
    file.write_bytes(b'\xef\xbb\xbflanguage = "zh"\r\n')

    assert load_settings(file, environment={}) == Settings(language="zh")


def test_settings_in_another_encoding_say_what_to_do(tmp_path: Path) -> None:
    """
    So does a file that is no text at all.
    """
    file = tmp_path / "config.toml"
    file.write_bytes('language = "中"'.encode("gbk"))

    with pytest.raises(SettingsError, match="save it as UTF-8"):
        load_settings(file, environment={})


def test_parts_of_a_search_are_switched_off_by_name(tmp_path: Path) -> None:
    """
    Several names stand beside each other; one that is unknown is refused, and so is
    switching off both ways to find anything.
    """
    file = tmp_path / "config.toml"
    file.write_text('[search]\nwithout = "diversity, recency"\n')

    assert load_settings(file, environment={}).parts_off == {"diversity", "recency"}
    with pytest.raises(SettingsError, match="not 'decay'"):
        load_settings(file, environment={"STRATA_SEARCH_WITHOUT": "decay"})
    with pytest.raises(SettingsError, match="nothing would be found"):
        load_settings(file, overrides=["search.without=keywords vectors"])


def test_a_file_that_nests_without_end_is_refused(tmp_path: Path) -> None:
    """
    A bomb of brackets is one clear line, like any other file that is no TOML.
    """
    file = tmp_path / "config.toml"
    file.write_text("a = " + "[" * 100_000)

    with pytest.raises(SettingsError, match="nests too deeply"):
        load_settings(file, environment={})


def test_each_value_is_known_by_where_it_comes_from(tmp_path: Path) -> None:
    """
    The command line wins over the environment, that over the file, and that over none.
    """
    file = tmp_path / "config.toml"
    file.write_text("digest = false\n[search]\nresults = 5\n[recall]\ntokens = 9\n")
    environment = {"STRATA_RECALL_TOKENS": "8", "STRATA_SEARCH_RESULTS": "6"}

    found = sources(file, environment=environment, overrides=["search.results=7"])

    assert list(found) == names()
    assert {
        "digest": Source.FILE,
        "recall.tokens": Source.ENVIRONMENT,
        "search.results": Source.OVERRIDE,
    } == {name: each for name, each in found.items() if each != Source.DEFAULT}
