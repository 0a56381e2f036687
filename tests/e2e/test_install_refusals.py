"""What scripts/install says where it cannot go on, and that it leaves nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from small_bundle import Bundle, small_bundle

if TYPE_CHECKING:
    from pathlib import Path

AS_NOBODY = 65534


@pytest.fixture
def bundle(tmp_path: Path) -> Bundle:
    """
    A small bundle that has never been set up.
    """
    return small_bundle(tmp_path)


def test_wrong_hash_is_refused(bundle: Bundle) -> None:
    """
    A package with other bytes than locked is not installed, and nothing is left.
    """
    bundle.lock("1.0", digest="0" * 64)

    done = bundle.install()

    assert done.returncode == 1
    assert "leaf==1.0" in done.stderr
    assert "is not the one that is locked" in done.stderr.splitlines()[-1]
    assert bundle.left == []


def test_python_without_venv_is_told_what_to_install(
    bundle: Bundle, tmp_path: Path
) -> None:
    """
    Debian splits venv off; the line names the package.
    """
    program = (
        "import runpy, sys; sys.modules['ensurepip'] = None; "
        "sys.argv = sys.argv[1:]; sys.path.insert(0, sys.argv[0].rpartition('/')[0]); "
        "runpy.run_path(sys.argv[0], run_name='__main__')"
    )
    python = tmp_path / "python"
    python.write_text(
        f'#!/bin/sh\n[ "$2" = -c ] && exec "{sys.executable}" "$@"\n'
        f'shift 2; exec "{sys.executable}" -E -s -c "{program}" "$@"\n'
    )
    python.chmod(0o755)

    done = bundle.install("--python", str(python))

    assert done.returncode == 1
    assert "cannot make environments; install " in done.stderr
    assert bundle.left == []


def test_old_python_is_refused(bundle: Bundle, tmp_path: Path) -> None:
    """
    A Python before 3.11 is named, not tried.
    """
    python = tmp_path / "python3.9"
    python.write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)

    done = bundle.install(f"--python={python}")

    assert done.returncode == 1
    assert done.stderr == f"strata: {python} is not Python 3.11 or newer\n"


def test_no_python_is_said(bundle: Bundle, tmp_path: Path) -> None:
    """
    Without any Python the line says which one is needed.
    """
    for tool in ("sh", "dirname", "uname", "cat"):
        (tmp_path / tool).symlink_to(shutil.which(tool) or tool)

    done = bundle.install(PATH=str(tmp_path), STRATA_PYTHON="")

    assert done.returncode == 1
    assert done.stderr.startswith("strata: Strata needs Python 3.11 or newer")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become nobody")
def test_folder_of_somebody_else_is_explained(bundle: Bundle, tmp_path: Path) -> None:
    """
    In a folder that cannot be written, the line says which and what to do.
    """
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_mode & 0o005 != 0o005:
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
def test_wrong_option_is_usage(bundle: Bundle, option: str) -> None:
    """
    A mistyped option ends the run before anything is made.
    """
    done = bundle.install(option)

    assert done.returncode == 2
    assert bundle.left == []


@pytest.mark.parametrize("name", ["LC_ALL", "LANG"])
def test_wrong_option_is_told_in_chinese(bundle: Bundle, name: str) -> None:
    """
    Where the machine speaks Chinese, so do the installer and its help.
    """
    spoken = {name: "zh_CN.UTF-8"}

    wrong = bundle.install("--wrong", **spoken)
    helped = bundle.install("--help", **spoken)

    assert (wrong.returncode, helped.returncode) == (2, 0)
    assert wrong.stderr == "strata: 没有选项 --wrong；见 scripts/install --help\n"
    assert helped.stdout.startswith("用法：scripts/install [选项]\n")


def test_help_has_the_same_options_in_each_language(bundle: Bundle) -> None:
    """
    No option is told in one language alone.
    """
    told = [
        [
            line.split()[0]
            for line in bundle.install("--help", LANG=locale).stdout.split("\n")
            if line.startswith("  ")
        ]
        for locale in ("en_US.UTF-8", "zh_CN.UTF-8")
    ]

    assert told[0] == told[1] != []


def test_environment_is_told_of_in_chinese(bundle: Bundle) -> None:
    """
    What goes wrong with a package is, too; the most specific setting has the last word.
    """
    bundle.lock("1.0", digest="0" * 64)

    chinese = bundle.install(LANG="zh_CN.UTF-8")
    english = bundle.install(LANG="zh_CN.UTF-8", LC_ALL="C.UTF-8")

    assert chinese.stderr.startswith("正在用 Python 3.")
    assert "与锁定的不一致" in chinese.stderr.splitlines()[-1]
    assert "is not the one that is locked" in english.stderr.splitlines()[-1]
