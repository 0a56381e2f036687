"""A bundle as small as can be: our scripts, an empty library, one locked dependency."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock

if TYPE_CHECKING:
    import pytest

ROOT = Path(__file__).parents[1]
PROGRAM = 'import sys\nprint("ran", *sys.argv[1:])\n'
SCRIPTS = ("install", "strata", "environment.py", "pip_install.py", "telling.py")


@dataclass(frozen=True)
class Bundle:
    """
    A bundle as small as can be: our scripts, an empty library, one locked dependency.
    """

    root: Path
    wheels: Path
    home: Path

    def install(
        self, *arguments: str, **settings: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.root / "scripts" / "install", *arguments],
            env=self.environment | settings,
            capture_output=True,
            text=True,
            check=False,
        )

    @property
    def environment(self) -> dict[str, str]:
        return {
            # The system's own only: pip starts any rustc it finds, to tell its version.
            "PATH": "/usr/bin:/bin",
            "HOME": str(self.home),
            "STRATA_PYTHON": sys.executable,
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_NO_INDEX": "1",
            "PIP_NO_CACHE_DIR": "1",
            "PIP_FIND_LINKS": str(self.wheels),
        }

    def lock(self, version: str, *, digest: str = "") -> None:
        wheel = self.wheels / f"leaf-{version}-py3-none-any.whl"
        digest = digest or hashlib.sha256(wheel.read_bytes()).hexdigest()
        pinned = f"leaf=={version} --hash=sha256:{digest}\n"
        (self.root / "requirements.lock").write_text(pinned)

    @property
    def left(self) -> list[str]:
        return sorted(path.name for path in self.root.glob(".venv*"))

    @property
    def leaf(self) -> str:
        python = self.root / ".venv" / "bin" / "python"
        program = "import leaf; print(leaf.VERSION)"
        done = subprocess.run(
            [python, "-I", "-c", program], capture_output=True, text=True, check=True
        )
        return done.stdout.strip()


def small_bundle(folder: Path) -> Bundle:
    """
    Make a bundle below *folder* that has never been set up, with a blank in its name.
    """
    root = _bundle(folder).root
    (root / "scripts").mkdir(parents=True)
    for name in SCRIPTS:
        shutil.copy(ROOT / "scripts" / name, root / "scripts" / name)
    shutil.copytree(ROOT / "messages", root / "messages")
    (root / "hooks").mkdir()
    (root / "strata").mkdir()
    (root / "strata" / "__init__.py").write_text("")
    (root / "strata" / "__main__.py").write_text(PROGRAM)
    made = _bundle(folder)
    made.home.mkdir()
    made.wheels.mkdir()
    for version in ("1.0", "2.0"):
        _write_wheel(made.wheels, version)
    made.lock("1.0")
    return made


def _bundle(folder: Path) -> Bundle:
    return Bundle(folder / "my bundle", folder / "wheels", folder / "home")


def installed_once(shared: pytest.TempPathFactory) -> Bundle:
    """
    Return the one bundle that was set up for all tests, whichever worker needs it first.

    It is for looking at; who changes something takes a copy.
    """
    place = shared.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        place = place.parent
    folder = place / "installed"
    with FileLock(place / "installed.lock"):
        if not (folder / "complete").exists():
            shutil.rmtree(folder, ignore_errors=True)
            done = small_bundle(folder).install()
            assert (done.returncode, done.stdout) == (0, "ran setup\n"), done.stderr
            (folder / "complete").touch()
    return _bundle(folder)


def copied(model: Bundle, folder: Path) -> Bundle:
    """
    Make a bundle below *folder* with the environment of *model*, as if set up there.
    """
    bundle = small_bundle(folder)
    old, new = os.fsencode(model.root), os.fsencode(bundle.root)

    def copy(source: str, target: str) -> None:
        content = Path(source).read_bytes() if "/bin/" in source else b""
        if old in content:
            Path(target).write_bytes(content.replace(old, new))
            shutil.copystat(source, target)
        else:
            # Nothing is changed in place: what is new gets a file of its own.
            os.link(source, target)

    shutil.copytree(
        model.root / ".venv", bundle.root / ".venv", symlinks=True, copy_function=copy
    )
    return bundle


def _write_wheel(folder: Path, version: str) -> None:
    about = f"leaf-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: leaf\nVersion: {version}\n"
    content = {
        "leaf.py": f"VERSION = '{version}'\n",
        f"{about}/METADATA": metadata,
        f"{about}/WHEEL": "Wheel-Version: 1.0\nTag: py3-none-any\n",
        f"{about}/RECORD": "",
    }
    with zipfile.ZipFile(folder / f"leaf-{version}-py3-none-any.whl", "w") as wheel:
        for name, text in content.items():
            # Of no date, so that the same wheel has the same hash in every bundle.
            wheel.writestr(zipfile.ZipInfo(name), text)
