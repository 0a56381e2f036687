"""Strata's folder in OpenClaw's state: the plugin it loads, and what stood there before."""

from __future__ import annotations

import json
import os
import shutil
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from strata.bundle import BUNDLE
from strata.errors import Busy, NotInstalled, WorkspaceUnavailable
from strata.messages import Notice
from strata.workspace.folders import clear_errors, make_private_folder
from strata.workspace.locks import exclusive
from strata.workspace.moved import launching
from strata.workspace.openclaw_config import Change
from strata.workspace.openclaw_program import OpenClaw, find_openclaw
from strata.workspace.replacing import draft, swap, write_once

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from datetime import datetime

# The bundle itself would do as a plugin, but OpenClaw 2026.9 copies a plugin's whole
# folder at every start, and the bundle holds an environment and a model.
PLUGIN_FILES = (
    "openclaw.plugin.json",
    "package.json",
    "SKILL.md",
    "hooks/openclaw.js",
    "hooks/carrier.js",
    "hooks/native.js",
    "hooks/process.js",
    "hooks/tab.js",
    "scripts/listen",
)
# The plugin of the memory slot, and what of the bundle each of its files is.
SLOT_FILES = {
    "openclaw.plugin.json": "hooks/slot/openclaw.plugin.json",
    "package.json": "hooks/slot/package.json",
    "hooks/slot.js": "hooks/slot.js",
    "hooks/carrier.js": "hooks/carrier.js",
    "hooks/native.js": "hooks/native.js",
    "hooks/process.js": "hooks/process.js",
    "hooks/words.js": "hooks/words.js",
}
LAUNCHERS = ("strata", "install")
# So long one waits for another that installs.
_WAITS_SECONDS = 120.0
# Of each Linux system, made at its first start.
_MACHINE_FILE = Path("/etc/machine-id")


@dataclass(slots=True)
class Installation:
    """
    What `install` did, so that `uninstall` can undo it.

    *agents* maps each workspace with our block in AGENTS.md to what came before the block,
    None where the file was made for it. *after* is the digest of the configuration.
    *digest* is the chat that gets it, *link* where a shell finds `strata`. *slot* is the
    digest of the configuration since which the memory slot is ours.
    """

    program: str = ""
    version: str = ""
    changes: list[Change] = field(default_factory=list)
    after: str = ""
    schedules: str = ""
    agents: dict[str, str | None] = field(default_factory=dict)
    digest: str = ""
    link: str = ""
    slot: str = ""


class OwnFolder:
    """The folder ``strata`` in the state directory *state*."""

    def __init__(self, state: Path) -> None:
        self.root = state / "strata"
        self.plugin = self.root / "plugin"
        self.launcher = self.plugin / "scripts" / "strata"
        self.slot = self.root / "slot"
        self._lock = self.root / "install.lock"
        self._state = state
        self._record = self.root / "install.json"
        self._before = self.root / "openclaw.json.before"
        self._before_slot = self.root / "openclaw.json.before-slot"
        # A gateway may tell of its start while `install` writes the record.
        self._woken = self.root / "woken"
        self._serving = self.root / "serving.lock"

    def load(self) -> Installation | None:
        """Return what was installed, None where nothing was; raise where it is unclear."""
        try:
            return _installation(json.loads(self._record.read_bytes()))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            raise NotInstalled.of(
                "openclaw.record-damaged", record=self._record
            ) from None

    def installation_id(self) -> str:
        """
        Return what tells this installation from every other; made where there is none.

        A copy of OpenClaw's state on another Linux machine is another one. The name of a
        machine would not do: containers share theirs, and that of a laptop changes.
        """
        file = self.root / "installation"
        with clear_errors(file):
            if not file.exists():
                make_private_folder(file.parent)
                write_once(file, os.urandom(16).hex().encode())
            made = file.read_text("ascii")
        machine = ""
        with suppress(OSError, ValueError):
            machine = _MACHINE_FILE.read_text("ascii").strip()
        return f"{made}:{machine}"

    @contextmanager
    def alone(self) -> Iterator[Installation]:
        """
        Let nobody else change the record, and give what it says; a new one where none is.

        Raise `Busy` where another process is still at it after two minutes.
        """
        with self._held(makes_folder=True):
            yield self.load() or Installation()

    @contextmanager
    def installed(self) -> Iterator[Installation | None]:
        """Do as `alone` does where Strata is installed, else give None and no file."""
        with ExitStack() as held:
            found = self.load()
            yield found and self._after_waiting(held)

    def _after_waiting(self, held: ExitStack) -> Installation | None:
        try:
            held.enter_context(self._held(makes_folder=False))
        except FileNotFoundError:
            return None
        found = self.load()
        if found is None:
            # Who was at it has uninstalled, and this lock may be left behind.
            self.remove()
        return found

    def _held(self, *, makes_folder: bool) -> AbstractContextManager[None]:
        return exclusive(
            self._lock,
            timeout_seconds=_WAITS_SECONDS,
            doing="installing",
            makes_folder=makes_folder,
        )

    def save(self, installation: Installation) -> None:
        """Keep *installation*, loaded by `alone` or `installed`: nobody else changes it."""
        text = json.dumps(asdict(installation), ensure_ascii=False, indent=1)
        self._write(self._record, text.encode())

    @property
    def is_installed(self) -> bool:
        """Whether there is a record of an installation, however it reads."""
        return self._record.exists()

    @property
    def slot_is_woken(self) -> bool:
        """Whether a gateway has loaded our plugin of the memory slot; it says so itself."""
        return (self.slot / "woken").exists()

    @property
    def is_woken(self) -> bool:
        """Whether a gateway has told of its start."""
        return self._woken.exists()

    def wake(self, now: datetime) -> None:
        """Keep that a gateway told of its start, where Strata has a folder still."""
        with suppress(WorkspaceUnavailable):
            if not self.root.is_dir() or self.is_woken:
                return
            _put(self._woken, f"{now.isoformat(timespec='seconds')}\n".encode())

    @contextmanager
    def serving(self) -> Iterator[None]:
        """Let others know that this process answers the plugin, where there is one."""
        with ExitStack() as held:
            # Another one, of an OpenClaw that runs without its gateway, is no matter.
            with suppress(Busy, FileNotFoundError, WorkspaceUnavailable):
                held.enter_context(self._held_by_server())
                # It goes where this process ends in order, and stays where it was killed.
                held.callback(self._serving.unlink, missing_ok=True)
            yield

    def lost_its_server(self) -> bool | None:
        """Say whether what answered the plugin was killed; None where nothing did."""
        if not self._serving.exists():
            return None
        try:
            with self._held_by_server():
                return True
        except Busy:
            return False

    def _held_by_server(self) -> AbstractContextManager[None]:
        return exclusive(
            self._serving, timeout_seconds=0, doing="answering", makes_folder=False
        )

    def write_plugin(self) -> bool:
        """Make the plugins' files what the bundle says; say whether any differed."""
        wanted = self._plugin_files()
        changed = {path for path in wanted if _stored(path) != wanted[path]}
        for path in sorted(changed):
            self._write(path, wanted[path])
            if path.parent.name == "scripts":
                path.chmod(0o755)
        return bool(changed)

    def plugin_is_current(self) -> bool:
        """Say whether the plugins' files are those of this bundle."""
        wanted = self._plugin_files()
        return all(_stored(path) == wanted[path] for path in wanted)

    def write_slot(self) -> None:
        """Write the plugin of the memory slot too, from now on."""
        make_private_folder(self.slot)
        self.write_plugin()

    def remove_slot(self) -> None:
        """Remove the plugin of the memory slot, and what was kept from before it."""
        shutil.rmtree(self.slot, ignore_errors=True)
        self._before_slot.unlink(missing_ok=True)

    def keep_before_slot(self, configuration: bytes | None) -> None:
        """Keep the bytes of OpenClaw's configuration from before the slot was ours."""
        if configuration is None:
            self._before_slot.unlink(missing_ok=True)
        else:
            self._write(self._before_slot, configuration)

    def before_slot(self) -> bytes | None:
        """Return those bytes, None where there are none."""
        return _stored(self._before_slot)

    def keep_original(self, configuration: bytes) -> None:
        """Keep the bytes of OpenClaw's configuration from before the first change."""
        self._write(self._before, configuration)

    def forget_original(self) -> None:
        """Drop those bytes: the user has changed other things since."""
        self._before.unlink(missing_ok=True)

    def original(self) -> bytes | None:
        """Return those bytes, None where they no longer say what was before."""
        return self._before.read_bytes() if self._before.exists() else None

    def replace_configuration(self, path: Path, content: bytes) -> None:
        """Put OpenClaw's configuration back as it was, at once and whole."""
        self._write(path, content, mode=path.stat().st_mode & 0o777)

    def remove(self) -> None:
        """Remove the folder, but not what keeps forgotten things from coming back."""
        # The record first: who waits for the lock may get it as soon as its file is gone.
        with (
            clear_errors(self._record),
            suppress(FileNotFoundError, NotADirectoryError),
        ):
            self._record.unlink()
        if not (self.root / "forgotten").is_dir():
            shutil.rmtree(self.root, ignore_errors=True)
            return
        for path in self.root.iterdir():
            if path.is_dir() and path.name != "forgotten":
                shutil.rmtree(path, ignore_errors=True)
            elif not path.is_dir():
                path.unlink(missing_ok=True)

    def _plugin_files(self) -> dict[Path, bytes]:
        files = {self.plugin / name: _bundled(name) for name in PLUGIN_FILES}
        if self.slot.is_dir():
            files |= {
                self.slot / name: _bundled(SLOT_FILES[name]) for name in SLOT_FILES
            }
        for name in LAUNCHERS:
            target = BUNDLE / "scripts" / name
            gone = Notice("openclaw.bundle-gone", bundle=BUNDLE)
            files[self.plugin / "scripts" / name] = (
                "#!/bin/sh\n# Written by `strata install`: the bundle stays where it is.\n"
                f": ${{OPENCLAW_STATE_DIR:={_quoted(str(self._state))}}}\n"
                "export OPENCLAW_STATE_DIR\n"
                f"[ -x {_quoted(str(target))} ] || "
                f"{{ echo {_quoted(f'strata: {gone}')} >&2; exit 127; }}\n"
                f"{launching(target)}\n"
            ).encode()
        return files

    def _write(self, path: Path, content: bytes, *, mode: int = 0o600) -> None:
        make_private_folder(path.parent)
        _put(path, content, mode=mode)


def _bundled(name: str) -> bytes:
    return (BUNDLE / name).read_bytes()


def _stored(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _put(path: Path, content: bytes, *, mode: int = 0o600) -> None:
    with clear_errors(path):
        swap(draft(path.parent, content, mode=mode, prefix=f".{path.name}."), path)


def installed_openclaw(state: Path) -> OpenClaw:
    """Return the OpenClaw that Strata was installed into, else the one that is found."""
    installed = OwnFolder(state).load()
    known = Path(installed.program) if installed else None
    return find_openclaw(state, str(known) if known and known.is_file() else None)


def _installation(stored: dict[str, Any]) -> Installation:
    known = {each.name for each in fields(Installation)}
    found = Installation(**{k: v for k, v in stored.items() if k in known})
    found.changes = [_change(each) for each in stored["changes"]]
    told = (found.program, found.version, found.after, found.schedules)
    texts = (*told, found.digest, found.link, found.slot)
    separators = [each for each in found.agents.values() if each is not None]
    if not all(isinstance(each, str) for each in (*texts, *separators)):
        raise TypeError("something is no text")
    return found


def _change(stored: dict[str, Any]) -> Change:
    path = stored["path"]
    if not isinstance(path, list) or not all(isinstance(each, str) for each in path):
        raise TypeError("a path is a list of words")
    return Change(**{**stored, "path": tuple(path)})


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
