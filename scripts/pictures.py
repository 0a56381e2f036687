"""
Draw the pictures of `docs/dashboard.md`: four screens of the demo's data, in each language.

    .venv/bin/python scripts/pictures.py [--browser /usr/bin/chromium]

Needs what the tests need, and a font that has Chinese (fonts-noto-cjk).
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import sync_playwright  # noqa: E402 - after the path is set

from strata.jobs.install import SAMPLES, SAMPLES_END  # noqa: E402 - the same

PICTURES = ROOT / "docs" / "pictures"
LANGUAGES = ("en", "zh")
# Each with its address, and the width of the window: a phone's is one of them.
SCREENS = {
    "today": ("/", 1000),
    "story": ("/story?of=MEMORY.md:17", 1000),
    "search": ("/search?q=Which+database+did+we+choose%3F", 1000),
    "time": ("/time", 420),
}
_MORNING = SAMPLES_END.replace("2026-11-20", "2026-11-22")
_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


def main() -> None:
    """Make the demo's memory, and draw each screen of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--browser", default="/usr/bin/chromium")
    browser = parser.parse_args().browser
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(SAMPLES, folder / "state")
        (folder / "workspace").mkdir()
        for job in (["sync"], ["tidy"], ["reflect"]):
            subprocess.run(
                _command(folder, "en", *job), check=True, capture_output=True
            )
        for language in LANGUAGES:
            _draw(folder, language, browser)


def _command(folder: Path, language: str, *arguments: str) -> list[str]:
    shared = ["--workspace", f"{folder}/workspace", "--state-dir", f"{folder}/state"]
    settings = ["--set", "timezone=UTC", "--set", f"language={language}"]
    program = [sys.executable, "-m", "strata"]
    return [*program, *shared, "--now", _MORNING, *settings, *arguments]


def _draw(folder: Path, language: str, browser: str) -> None:
    command = _command(folder, language, "dashboard", "--no-open")
    with (
        subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, text=True
        ) as window,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=browser, args=_FLAGS) as started,
    ):
        address = window.stdout.readline().strip() if window.stdout else ""
        page = started.new_page()
        page.goto(address)
        here = page.url.rstrip("/")
        for name, (path, width) in SCREENS.items():
            page.set_viewport_size({"width": width, "height": 720})
            page.goto(here + path)
            page.screenshot(path=PICTURES / f"{name}.{language}.png")
        window.terminate()


if __name__ == "__main__":
    main()
