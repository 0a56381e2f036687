"""Which plugins take part: our own, the folder of hooks, and installed packages."""

from __future__ import annotations

import importlib.util
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pluggy

from strata import hookspecs
from strata.errors import StrataError
from strata.events import EVENTS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType


# As those call them who need not know which library it is.
Plugins = pluggy.PluginManager
Hooks = pluggy.HookRelay
Hook = pluggy.HookCaller


def plugin_manager(hooks_folder: Path) -> Plugins:
    """
    Return a manager with every plugin registered and checked.

    *hooks_folder* holds plugins as single files; installed packages join through the
    entry-point group ``strata``. A plugin that cannot be loaded is an error that names it.
    What it does with events is checked by `specify`, which comes with the first of them.
    """
    from strata.judges import plugin  # noqa: PLC0415 - only capture and tidy need it

    manager = pluggy.PluginManager("strata")
    manager.add_hookspecs(hookspecs)
    manager.register(plugin, name="local judge")
    for file in sorted(hooks_folder.glob("*.py")):
        with _named(f"hooks/{file.name}"):
            manager.register(_load(file), name=f"hooks/{file.name}")
    with _named("of an installed package"):
        if any(map(_may_have_plugins, sys.path)):
            manager.load_setuptools_entrypoints("strata")
        _check_names(manager)
    return manager


def _may_have_plugins(folder: str) -> bool:
    """
    Tell whether a package that is installed in *folder* may be a plugin.

    To ask each package for its entry points takes 16 ms, to look for ours in files 2 ms.
    """
    try:
        found = list(Path(folder).iterdir())
    except FileNotFoundError:
        return False
    except OSError:
        # Of an archive, say, Python knows what is in it.
        return True
    return any(
        each.suffix == ".egg" or (each.name.endswith("-info") and _names_us(each))
        for each in found
    )


def _names_us(package: Path) -> bool:
    try:
        return b"[strata]" in (package / "entry_points.txt").read_bytes()
    except OSError:
        return False


def specify(manager: Plugins, specifications: ModuleType) -> None:
    """Hold the plugins of *manager* to more *specifications* than those of every run."""
    try:
        manager.add_hookspecs(specifications)
    except pluggy.PluginValidationError as error:
        with _named(str(manager.get_name(error.plugin))):
            raise


def _check_names(manager: Plugins) -> None:
    """Raise where a plugin has a hook that nobody will ever call."""
    for name, plugin in manager.list_name_plugin():
        for hook in manager.get_hookcallers(plugin) or ():
            if not hook.has_spec() and hook.name not in EVENTS:
                raise pluggy.PluginValidationError(
                    plugin, f"unknown hook {hook.name!r} in plugin {name}"
                )


@contextmanager
def _named(plugin: str) -> Iterator[None]:
    """Say which plugin it was, whatever went wrong with it."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - somebody else's code, at its edge
        reason = " ".join(str(error).split())
        raise StrataError.of(
            "usage.broken-plugin",
            plugin=plugin,
            kind=type(error).__name__,
            reason=reason,
        ) from None


def _load(file: Path) -> ModuleType:
    name = f"strata_hooks_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise StrataError.of("usage.no-plugin", file=file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
