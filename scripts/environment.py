"""
The bundle's own Python environment: made whole, kept current, never left half-made.

Runs on a bare Python, before there is anything to import. It is built beside its place and
renamed into it, so that a kill at any moment leaves the old one or none.
"""

from __future__ import annotations

import argparse
import errno
import hashlib
import importlib.util
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import sysconfig
import venv
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pip_install import InstallFailed, install
from telling import tell

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

BUNDLE = Path(__file__).resolve().parents[1]
PLACE = BUNDLE / ".venv"
PARTIAL = ".venv-partial-"
MARKER = "strata.json"
LOCKS = {"runtime": "requirements.lock", "tests": "requirements-test.lock"}
INTERRUPTED = 130
BUSY = 75


class SetupFailed(Exception):
    """The environment cannot be made; the message says why and what to do."""

    exit_code = 1


class AlreadyRunning(SetupFailed):
    """Another process makes it right now."""

    exit_code = BUSY


def main() -> int:
    """Make what is missing; say in one line what went wrong."""
    parser = argparse.ArgumentParser(description="Make the bundle's own environment.")
    parser.add_argument("--tests", action="store_true", help="with what tests need")
    parser.add_argument("--this-python", action="store_true", help="not another one")
    parser.add_argument(
        "--then", nargs=argparse.REMAINDER, help="a command of Strata to go on with"
    )
    options = parser.parse_args()
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _interrupt)
    try:
        with _alone():
            ensure(tests=options.tests, this_python=options.this_python)
    except SetupFailed as failure:
        return _say(f"strata: {failure}", failure.exit_code)
    except OSError as error:
        return _say(f"strata: {_explained(error)}", SetupFailed.exit_code)
    except KeyboardInterrupt:
        return _say(f"strata: {tell('interrupted')}", INTERRUPTED)
    if options.then:
        strata = str(BUNDLE / "scripts" / "strata")
        os.execv(strata, [strata, *options.then])  # noqa: S606 - our own launcher
    return 0


def ensure(*, tests: bool, this_python: bool) -> None:
    """Build the environment unless the one in place is the wanted one, and works."""
    for leftover in BUNDLE.glob(f"{PARTIAL}*"):
        shutil.rmtree(leftover, ignore_errors=True)
    marker = _read_marker()
    if _usable(marker, this_python=this_python):
        _say(tell("in-place", python=marker["python"]))
        _compile(PLACE)
    else:
        marker = _build()
    if tests and marker.get("tests") != _digest("tests"):
        _install(PLACE, "tests")
        _write_marker(PLACE, marker | {"tests": _digest("tests")})


def _usable(marker: dict[str, str], *, this_python: bool) -> bool:
    if marker.get("runtime") != _digest("runtime"):
        return False
    if this_python and marker.get("python") != platform.python_version():
        return False
    # The Python that it was made with may have been upgraded away.
    works = subprocess.run(
        [_python(PLACE), "-I", "-c", "import ssl, strata"],
        capture_output=True,
        check=False,
    )
    return works.returncode == 0


def _build() -> dict[str, str]:
    _require_venv()
    partial = BUNDLE / f"{PARTIAL}{os.getpid()}"
    partial.mkdir()
    try:
        _say(tell("making", python=platform.python_version()))
        _create(partial)
        _install(partial, "runtime")
        _add_bundle(partial)
        _compile(partial)
        _move_paths(partial)
        marker = {
            "python": platform.python_version(),
            "runtime": _digest("runtime"),
        }
        _write_marker(partial, marker)
        _publish(partial)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return marker


def _require_venv() -> None:
    if importlib.util.find_spec("ensurepip") is not None:
        return
    package = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
    debian = Path("/etc/debian_version").exists()
    cure = f"`sudo apt install {package}`" if debian else tell("packages")
    raise SetupFailed(tell("no-venv", python=sys.executable, cure=cure))


def _create(folder: Path) -> None:
    try:
        venv.EnvBuilder(with_pip=True, symlinks=os.name != "nt").create(folder)
    except subprocess.CalledProcessError as error:
        lines = (error.output or b"").decode(errors="replace").strip().splitlines()
        reason = lines[-1] if lines else tell("status", code=error.returncode)
        raise SetupFailed(
            tell("not-created", python=sys.executable, reason=reason)
        ) from None


def _install(folder: Path, group: str) -> None:
    try:
        install(_python(folder), BUNDLE / LOCKS[group], tell(f"installing-{group}"))
    except InstallFailed as failure:
        raise SetupFailed(str(failure)) from None


def _add_bundle(folder: Path) -> None:
    """Make `import strata` find the bundle; relative, so that it may be moved."""
    packages = Path(sysconfig.get_path("purelib", "venv", {"base": str(folder)}))
    path = os.path.relpath(folder.parent, packages)
    (packages / "strata.pth").write_text(path + "\n", encoding="utf-8")


def _compile(folder: Path) -> None:
    """Compile the bundle now: its folder may be read-only when it is used."""
    command = [_python(folder), "-I", "-m", "compileall", "-q", "strata", "hooks"]
    subprocess.run(command, cwd=BUNDLE, capture_output=True, check=False)


def _move_paths(folder: Path) -> None:
    """Let scripts and settings name the final place instead of the one of building."""
    old, new = os.fsencode(folder), os.fsencode(PLACE)
    scripts = Path(_python(folder)).parent
    for path in [folder / "pyvenv.cfg", *scripts.iterdir()]:
        if path.is_symlink() or not path.is_file():
            continue
        content = path.read_bytes()
        if old in content and b"\0" not in content:
            path.write_bytes(content.replace(old, new))


def _publish(partial: Path) -> None:
    old = partial.with_name(f"{partial.name}-old")
    if PLACE.exists():
        PLACE.rename(old)
    partial.rename(PLACE)
    shutil.rmtree(old, ignore_errors=True)


def _read_marker() -> dict[str, str]:
    try:
        found = json.loads((PLACE / MARKER).read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _write_marker(folder: Path, marker: dict[str, str]) -> None:
    fresh = folder / f"{MARKER}.new"
    with fresh.open("w", encoding="utf-8") as file:
        json.dump(marker, file)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(folder / MARKER)


def _digest(group: str) -> str:
    return hashlib.sha256((BUNDLE / LOCKS[group]).read_bytes()).hexdigest()


def _python(folder: Path) -> str:
    inside = "Scripts/python.exe" if os.name == "nt" else "bin/python"
    return str(folder / inside)


@contextmanager
def _alone() -> Iterator[None]:
    """Hold a lock that the system drops with the process; the lock file is its own."""
    try:
        import fcntl  # noqa: PLC0415 - Windows has none, and nobody to race with
    except ImportError:
        yield
        return
    with (BUNDLE / LOCKS["runtime"]).open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise AlreadyRunning(tell("running")) from None
        yield


def _explained(error: OSError) -> str:
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return tell("disk-full")
    if error.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
        return tell("not-writable", folder=BUNDLE)
    return tell("not-made", error=error)


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _say(line: str, exit_code: int = 0) -> int:
    with suppress(OSError):
        print(line, file=sys.stderr, flush=True)
    return exit_code


if __name__ == "__main__":
    sys.exit(main())
