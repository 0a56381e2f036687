"""scripts/install and scripts/strata, run as a person runs them."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "samples" / "state"
PROGRAM = 'import sys\nprint("ran", *sys.argv[1:])\n'
AS_NOBODY = 65534


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


@pytest.fixture
def bundle(tmp_path: Path) -> Bundle:
    """
    A small bundle that has never been set up, in a folder with a blank in its name.
    """
    root = tmp_path / "my bundle"
    (root / "scripts").mkdir(parents=True)
    for name in ("install", "strata", "environment.py"):
        shutil.copy(ROOT / "scripts" / name, root / "scripts" / name)
    (root / "hooks").mkdir()
    (root / "strata").mkdir()
    (root / "strata" / "__init__.py").write_text("")
    (root / "strata" / "__main__.py").write_text(PROGRAM)
    made = Bundle(root, tmp_path / "wheels", tmp_path / "home")
    made.home.mkdir()
    made.wheels.mkdir()
    for version in ("1.0", "2.0"):
        _write_wheel(made.wheels, version)
    made.lock("1.0")
    return made


@pytest.fixture
def installed(bundle: Bundle) -> Bundle:
    """
    The same, set up.
    """
    done = bundle.install()
    assert (done.returncode, done.stdout) == (0, "ran setup\n"), done.stderr
    return bundle


def test_first_run_makes_the_environment(installed: Bundle):
    """
    One command on a bare Python, and everything is where it belongs.
    """
    assert installed.left == [".venv"]
    assert installed.leaf == "1.0"
    assert list(installed.home.iterdir()) == []
    assert list((installed.root / "strata" / "__pycache__").glob("__init__*.pyc"))


def test_second_run_changes_nothing(installed: Bundle):
    """
    A repeated run looks, says that all is in place, and goes on.
    """
    marker = installed.root / ".venv" / "strata.json"
    before = (marker.stat().st_ino, marker.stat().st_mtime_ns)

    done = installed.install("--demo", "--workspace", "a b", "--state-dir=c d")

    assert done.stdout == "ran setup --demo --workspace a b --state-dir=c d\n"
    assert done.stderr.startswith("Environment: in place (Python 3.")
    assert before == (marker.stat().st_ino, marker.stat().st_mtime_ns)


def test_bundle_may_be_moved(installed: Bundle, tmp_path: Path):
    """
    The environment still works after its folder got another name.
    """
    moved = installed.root.rename(tmp_path / "elsewhere")

    done = subprocess.run(
        [moved / "scripts" / "strata"], capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout) == (0, "ran\n")


def test_scripts_of_the_environment_name_their_place(installed: Bundle):
    """
    Pip runs by path, though it was installed in another folder.
    """
    pip = installed.root / ".venv" / "bin" / "pip"

    assert str(installed.root / ".venv") in pip.read_text()
    assert ".venv-partial" not in pip.read_text()


def test_new_lock_is_installed(installed: Bundle):
    """
    After an update of the bundle the next run brings the environment up to date.
    """
    installed.lock("2.0")

    done = installed.install()

    assert done.returncode == 0
    assert installed.leaf == "2.0"
    assert installed.left == [".venv"]


def test_failed_update_keeps_the_old_environment(installed: Bundle):
    """
    Where the new dependencies cannot be had, the old environment stays as it was.
    """
    installed.lock("2.0")

    done = installed.install(PIP_FIND_LINKS="/nowhere")

    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("strata: pip cannot get the depend")
    assert installed.leaf == "1.0"
    assert installed.left == [".venv"]


def test_wrong_hash_is_refused(bundle: Bundle):
    """
    A package with other bytes than locked is not installed, and nothing is left.
    """
    bundle.lock("1.0", digest="0" * 64)

    done = bundle.install()

    assert done.returncode == 1
    assert "leaf==1.0" in done.stderr
    assert "is not the one that is locked" in done.stderr.splitlines()[-1]
    assert bundle.left == []


@pytest.mark.parametrize(
    ("how", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 130), (signal.SIGHUP, 130)]
)
def test_interrupted_run_leaves_nothing(bundle: Bundle, how: signal.Signals, code: int):
    """
    Ctrl-C, or an end from outside, takes the half-made environment away.
    """
    process = _started(bundle)

    process.send_signal(how)

    _, said = process.communicate(timeout=30)
    assert process.returncode == code
    assert said.splitlines()[-1] == "strata: interrupted; run it again to go on"
    assert bundle.left == []


def test_killed_run_is_repaired(bundle: Bundle):
    """
    What `kill -9` left is not taken for an environment, and the next run removes it.
    """
    process = _started(bundle)
    process.kill()
    process.communicate(timeout=30)
    half = bundle.left

    done = bundle.install()

    assert [name.startswith(".venv-partial-") for name in half] == [True]
    assert done.returncode == 0
    assert bundle.left == [".venv"]
    assert bundle.leaf == "1.0"


def test_two_at_once_are_one(bundle: Bundle):
    """
    While one run makes the environment, another one says so and leaves.
    """
    process = _started(bundle)

    second = bundle.install()

    process.communicate(timeout=60)
    assert second.returncode == 75
    assert "another scripts/install is running" in second.stderr
    assert bundle.left == [".venv"]


def test_python_without_venv_is_told_what_to_install(bundle: Bundle, tmp_path: Path):
    """
    Debian splits venv off; the line names the package.
    """
    program = (
        "import runpy, sys; sys.modules['ensurepip'] = None; "
        "sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')"
    )
    python = tmp_path / "python"
    python.write_text(
        f'#!/bin/sh\n[ "$2" = -c ] && exec "{sys.executable}" "$@"\n'
        f'shift; exec "{sys.executable}" -I -c "{program}" "$@"\n'
    )
    python.chmod(0o755)

    done = bundle.install("--python", str(python))

    assert done.returncode == 1
    assert "cannot make environments; install " in done.stderr
    assert bundle.left == []


def test_old_python_is_refused(bundle: Bundle, tmp_path: Path):
    """
    A Python before 3.11 is named, not tried.
    """
    python = tmp_path / "python3.9"
    python.write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)

    done = bundle.install(f"--python={python}")

    assert done.returncode == 1
    assert done.stderr == f"strata: {python} is not Python 3.11 or newer\n"


def test_no_python_is_said(bundle: Bundle, tmp_path: Path):
    """
    Without any Python the line says which one is needed.
    """
    for tool in ("sh", "dirname", "uname", "cat"):
        (tmp_path / tool).symlink_to(shutil.which(tool) or tool)

    done = bundle.install(PATH=str(tmp_path), STRATA_PYTHON="")

    assert done.returncode == 1
    assert done.stderr.startswith("strata: Strata needs Python 3.11 or newer")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become nobody")
def test_folder_of_somebody_else_is_explained(bundle: Bundle, tmp_path: Path):
    """
    In a folder that cannot be written, the line says which and what to do.
    """
    for folder in (tmp_path, *list(tmp_path.parents)[:2]):
        folder.chmod(0o755)

    done = subprocess.run(
        [bundle.root / "scripts" / "install"],
        env=bundle.environment | {"STRATA_PYTHON": "/usr/bin/python3"},
        user=AS_NOBODY,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1
    assert f"{bundle.root} cannot be written" in done.stderr
    assert bundle.left == []


@pytest.mark.parametrize("option", ["--frobnicate", "setup", "--workspace"])
def test_wrong_option_is_usage(bundle: Bundle, option: str):
    """
    A mistyped option ends the run before anything is made.
    """
    done = bundle.install(option)

    assert done.returncode == 2
    assert bundle.left == []


@pytest.mark.usefixtures("installed")
def test_strata_runs_from_anywhere(tmp_path: Path):
    """
    The launcher follows links, keeps blanks, and ignores what the shell has set.
    """
    link = tmp_path / "bin" / "strata"
    link.parent.mkdir()
    link.symlink_to("../my bundle/scripts/strata")
    (tmp_path / "strata.py").write_text("raise SystemExit('the wrong strata')")

    done = subprocess.run(
        [link, "query", "two words"],
        cwd=tmp_path,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(tmp_path),
            "PYTHONHOME": "/",
        },
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.stdout == "ran query two words\n", done.stderr


def test_strata_without_environment_names_the_cure(bundle: Bundle):
    """
    Before scripts/install there is one line, and the exit code of a failure.
    """
    strata = bundle.root / "scripts" / "strata"

    done = subprocess.run([strata], capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert done.stderr == (
        f"strata: there is no environment yet; run {bundle.root}/scripts/install\n"
    )


def test_demonstration_is_answered_with_a_true_citation(tmp_path: Path):
    """
    Where there is no OpenClaw, the samples become notes, and a question finds its line.
    """
    before = set(ROOT.glob(".demo-*"))

    done = _set_up("--json", HOME=str(tmp_path))

    shown = json.loads(done.stdout)
    path, start, end = re.split("#L|-L", shown["answer"][0])
    cited = shown["notes"][path].splitlines()[int(start) - 1 : int(end)]
    assert "There is no OpenClaw here" in done.stderr
    assert any("PostgreSQL 16" in line for line in cited)
    assert len(shown["notes"]) == 4
    assert set(ROOT.glob(".demo-*")) == before
    assert list(tmp_path.iterdir()) == []


def test_first_sync_takes_in_all_conversations(tmp_path: Path):
    """
    Everything that was said becomes notes; a second run changes no byte of them.
    """
    arguments = ["--workspace", str(tmp_path), "--state-dir", str(SAMPLES)]

    first = _set_up(*arguments)

    notes = {path.name: path.read_bytes() for path in tmp_path.glob("memory/*.md")}
    _set_up(*arguments)
    again = {path.name: path.read_bytes() for path in tmp_path.glob("memory/*.md")}
    assert first.stdout.startswith("Captured 5 conversations into 4 notes.\n")
    assert len(notes) == 4
    assert notes == again


def _set_up(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """
    Do what scripts/install does in this checkout, once there is an environment.
    """
    return subprocess.run(
        [sys.executable, "-m", "strata", "setup", "--no-model", *arguments],
        cwd=ROOT,
        env=os.environ | {"STRATA_TIMEZONE": "UTC"} | settings,
        capture_output=True,
        text=True,
        check=True,
    )


def _started(bundle: Bundle) -> subprocess.Popen[str]:
    """
    Start scripts/install and wait until it has something half-made.
    """
    process = subprocess.Popen(
        [bundle.root / "scripts" / "install"],
        env=bundle.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    _wait_until(lambda: bool(list(bundle.root.glob(".venv-partial-*/pyvenv.cfg"))))
    return process


def _wait_until(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not happened():
        assert time.monotonic() < deadline, "it did not happen within 30 seconds"
        time.sleep(0.01)


def _write_wheel(folder: Path, version: str) -> None:
    about = f"leaf-{version}.dist-info"
    with zipfile.ZipFile(folder / f"leaf-{version}-py3-none-any.whl", "w") as wheel:
        wheel.writestr("leaf.py", f"VERSION = '{version}'\n")
        wheel.writestr(
            f"{about}/METADATA",
            f"Metadata-Version: 2.1\nName: leaf\nVersion: {version}\n",
        )
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr(f"{about}/RECORD", "")
