"""
Debian's Chromium, and axe-core from npm into a cache beside the code, each installed once.

Runs on a bare Python, so that it can begin before Strata's own environment is made.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from openclaw_packages import alone, npm_install

CACHE = Path(__file__).resolve().parents[1] / ".browser-test"
CHROMIUM = Path("/usr/bin/chromium")
# It finds what a screen reader, a keyboard or weak eyes cannot use.
AXE = "axe-core@4.14.1"
_ROOT = 0
_APT = ("apt-get", "-o", "DPkg::Lock::Timeout=600", "--quiet", "--yes")
_INSTALL = ("install", "--no-install-recommends", "chromium")


class Missing(Exception):
    """
    There is no browser here, or nothing to judge its pages by, and none can be had.
    """


def browser() -> tuple[Path, str]:
    """
    Return the program Chromium and the script axe-core, once both are there.

    Whoever comes first installs them, and the others wait. Raise `Missing`, in one line.
    """
    CACHE.mkdir(exist_ok=True)
    with alone(CACHE / "lock"):
        try:
            return _chromium(), _axe().read_text("utf-8")
        except FileNotFoundError as error:
            raise Missing(f"there is no {error.filename}") from None
        except subprocess.CalledProcessError as error:
            command, told = " ".join(error.cmd), " ".join(str(error.stderr).split())
            raise Missing(f"{command}: {told[-300:]}") from None
        except subprocess.TimeoutExpired as error:
            raise Missing(str(error)) from None


def _chromium() -> Path:
    if not CHROMIUM.exists():
        if os.geteuid() != _ROOT or shutil.which("apt-get") is None:
            raise Missing(f"there is no {CHROMIUM}; install Debian's package chromium")
        # The lists of a fresh container are empty, and those of an old one are out of date.
        for command in (("update",), _INSTALL):
            subprocess.run(
                [*_APT, *command],
                env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=True,
                timeout=900,
            )
    return CHROMIUM


def _axe() -> Path:
    folder = CACHE / AXE
    if not (folder / "complete").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        npm_install(folder, AXE, first_on_path=folder)
        (folder / "complete").touch()
    return folder / "node_modules" / "axe-core" / "axe.min.js"


if __name__ == "__main__":
    browser()
