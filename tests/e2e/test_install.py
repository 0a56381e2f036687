"""scripts/install is run, repeated, updated, interrupted and killed."""

from __future__ import annotations

import signal
import subprocess
import time
from typing import TYPE_CHECKING

import pytest
from small_bundle import Bundle, copied, installed_once, small_bundle

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def bundle(tmp_path: Path) -> Bundle:
    """
    A small bundle that has never been set up.
    """
    return small_bundle(tmp_path)


@pytest.fixture
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """
    One that was set up and that nobody has touched since: only for looking at.
    """
    return installed_once(tmp_path_factory)


@pytest.fixture
def installed(fresh: Bundle, tmp_path: Path) -> Bundle:
    """
    One that was set up and is this test's own.
    """
    return copied(fresh, tmp_path)


def test_first_run_makes_the_environment(fresh: Bundle) -> None:
    """
    One command on a bare Python, and everything is where it belongs.
    """
    assert fresh.left == [".venv"]
    assert fresh.leaf == "1.0"
    assert list(fresh.home.iterdir()) == []
    assert list((fresh.root / "strata" / "__pycache__").glob("__init__*.pyc"))


def test_second_run_changes_nothing(installed: Bundle) -> None:
    """
    A repeated run looks, says that all is in place, and goes on.
    """
    marker = installed.root / ".venv" / "strata.json"
    before = (marker.stat().st_ino, marker.stat().st_mtime_ns)

    done = installed.install("--demo", "--workspace", "a b", "--state-dir=c d")

    assert done.stdout == "ran setup --demo --workspace a b --state-dir=c d\n"
    assert done.stderr.startswith("Environment: in place (Python 3.")
    chinese = installed.install(LANG="zh_CN.UTF-8")
    assert chinese.stderr.startswith("运行环境：已就绪（Python 3.")
    assert before == (marker.stat().st_ino, marker.stat().st_mtime_ns)


def test_bundle_may_be_moved(installed: Bundle, tmp_path: Path) -> None:
    """
    The environment still works after its folder got another name.
    """
    moved = installed.root.rename(tmp_path / "elsewhere")

    done = subprocess.run(
        [moved / "scripts" / "strata"], capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout) == (0, "ran\n")


def test_scripts_of_the_environment_name_their_place(fresh: Bundle) -> None:
    """
    Pip runs by path, though it was installed in another folder.
    """
    pip = fresh.root / ".venv" / "bin" / "pip"

    assert str(fresh.root / ".venv") in pip.read_text()
    assert ".venv-partial" not in pip.read_text()


def test_new_lock_is_installed(installed: Bundle) -> None:
    """
    After an update of the bundle the next run brings the environment up to date.
    """
    installed.lock("2.0")

    done = installed.install()

    assert done.returncode == 0
    assert installed.leaf == "2.0"
    assert installed.left == [".venv"]


def test_failed_update_keeps_the_old_environment(installed: Bundle) -> None:
    """
    Where the new dependencies cannot be had, the old environment stays as it was.
    """
    installed.lock("2.0")

    done = installed.install(PIP_FIND_LINKS="/nowhere")

    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("strata: pip cannot get the depend")
    assert installed.leaf == "1.0"
    assert installed.left == [".venv"]


@pytest.mark.parametrize(
    ("how", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 130), (signal.SIGHUP, 130)]
)
def test_interrupted_run_leaves_nothing(
    bundle: Bundle, how: signal.Signals, code: int
) -> None:
    """
    Ctrl-C, or an end from outside, takes the half-made environment away.
    """
    process = _started(bundle)

    process.send_signal(how)

    _, said = process.communicate(timeout=30)
    assert process.returncode == code
    assert said.splitlines()[-1] == "strata: interrupted; run it again to go on"
    assert bundle.left == []


def test_killed_run_is_repaired(bundle: Bundle) -> None:
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


def test_two_at_once_are_one(bundle: Bundle) -> None:
    """
    While one run makes the environment, another one says so and leaves.
    """
    process = _started(bundle)

    second = bundle.install()

    process.communicate(timeout=60)
    assert second.returncode == 75
    assert "another scripts/install is running" in second.stderr
    assert bundle.left == [".venv"]


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
