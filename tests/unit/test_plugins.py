"""A plugin that is wrong is named, so that a person knows what to mend."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from strata.cli import run
from strata.errors import StrataError
from strata.events import EVENTS
from strata.gateway import hookspecs
from strata.plugins import plugin_manager, specify

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    "source",
    [
        "def (:",
        "import nothing_of_that_name",
        "from strata import hookimpl\n\n@hookimpl\ndef drop_message(msg):\n    ...\n",
        "from strata import hookimpl\n\n@hookimpl\ndef drop_massage():\n    ...\n",
    ],
)
def test_plugin_that_cannot_be_loaded_is_one_clear_line(
    tmp_path: Path, source: str
) -> None:
    """
    Whatever is wrong with it.
    """
    (tmp_path / "mine.py").write_text(source)

    with pytest.raises(StrataError, match="cannot be loaded") as raised:
        plugin_manager(tmp_path)

    assert "\n" not in str(raised.value)


def test_plugin_that_misreads_an_event_is_named(tmp_path: Path) -> None:
    """
    It is told with the first event, of whatever name; others of its hooks are found.
    """
    source = "from strata import hookimpl\n\n@hookimpl\ndef cron(evnt):\n    ...\n"
    (tmp_path / "mine.py").write_text(source)
    manager = plugin_manager(tmp_path)

    with pytest.raises(StrataError, match=r"plugin hooks/mine\.py cannot be loaded"):
        specify(manager, hookspecs)


def test_each_event_has_a_hook() -> None:
    """
    A plugin may take part in whatever the gateway tells, and in nothing else.
    """
    specified = [
        name for name, value in vars(hookspecs).items() if hasattr(value, "strata_spec")
    ]

    assert sorted(specified) == sorted(EVENTS)


def test_plugin_that_fails_is_named_and_not_taken_for_a_bug(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """
    The line says which file and where.
    """
    (tmp_path / "hooks").mkdir()
    plugin = tmp_path / "hooks" / "mine.py"
    plugin.write_text("def fails(*_):\n    raise KeyError('x')\n")
    namespace: dict[str, object] = {}
    exec(compile(plugin.read_text(), str(plugin), "exec"), namespace)  # noqa: S102 - the plugin
    monkeypatch.setattr("strata.cli.BUNDLE", tmp_path)
    monkeypatch.setattr("strata.cli.commands.main", _calls(namespace["fails"]))

    assert run(["status"]) == 1

    assert "the plugin hooks/mine.py:2 failed (KeyError" in capsys.readouterr().err


def _calls(function: object) -> object:
    def main(*_: object, **__: object) -> None:
        function()  # type: ignore[operator]

    return main


@pytest.mark.parametrize("group", ["strata", "pytest11"])
def test_installed_package_joins_by_its_entry_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, group: str
) -> None:
    """
    A package with an entry point of ours is a plugin, and no other is.
    """
    hook = "from strata import hookimpl\n\n@hookimpl\ndef drop_message(message):\n    ...\n"
    (tmp_path / "chatter.py").write_text(hook)
    about = tmp_path / "chatter-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: chatter\nVersion: 1.0\n"
    )
    (about / "entry_points.txt").write_text(f"[{group}]\nchatter = chatter\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "chatter", raising=False)

    manager = plugin_manager(tmp_path / "none")

    assert manager.has_plugin("chatter") == (group == "strata")
