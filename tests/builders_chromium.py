"""A real browser without a screen: Debian's Chromium, and what axe-core says of a page."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from browser_packages import Missing, browser
from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import (
        Browser,
        BrowserContext,
        ConsoleMessage,
        Page,
        Request,
    )

# Nothing that a browser does of its own accord may be taken for what a page asks.
_OPTIONS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update"),
    "--disable-sync",
)
_GRAVE = {"serious", "critical"}
_SAME_HEIGHT = 900


@contextmanager
def chromium() -> Iterator[tuple[Browser, str]]:
    """
    A running Chromium, and the script of axe-core; skip the test where there is none.

    Where a change has to pass before it lands, none is a failure.
    """
    try:
        program, axe = browser()
    except Missing as missing:
        if "CI" in os.environ:
            pytest.fail(f"no test in a real browser: {missing}", pytrace=False)
        pytest.skip(str(missing))
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=program, args=list(_OPTIONS)
        )
        yield running, axe
        running.close()


def looks(
    page: Page, width: int, scheme: Any
) -> None:  # Any: a literal of Playwright's
    """
    Have *page* so wide from now on, in the colour *scheme* light or dark.
    """
    page.set_viewport_size({"width": width, "height": _SAME_HEIGHT})
    # Colours that are still on their way from one to the other are nobody's.
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")


def complaints(context: BrowserContext, here: str) -> list[str]:
    """
    A list that from now on is told of console errors, and of requests beyond *here*.
    """
    found: list[str] = []

    def heard(told: ConsoleMessage) -> None:
        if told.type == "error":
            found.append(f"console: {told.text}")

    def asked(request: Request) -> None:
        if not request.url.startswith(f"{here}/"):
            found.append(f"asked: {request.url}")

    context.on("console", heard)
    context.on("request", asked)
    return found


def barriers(page: Page, axe: str) -> list[str]:
    """
    What axe-core finds serious or critical on *page*, with the element.
    """
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{each['id']}: {each['nodes'][0]['html'][:120]}"
        for each in found["violations"]
        if each["impact"] in _GRAVE
    ]


# What has the focus: a field by what it is, all else by its name.
NAME = """(at => at.matches('input, textarea, select') ? at.tagName
    : at.getAttribute('aria-label') || at.textContent)(document.activeElement)"""


def reach(page: Page, name: str) -> None:
    """
    Press Tab until the element is in focus that a screen reader calls *name*.
    """
    seen = []
    for _ in range(300):
        page.keyboard.press("Tab")
        seen.append(" ".join(page.evaluate(NAME).split()))
        if seen[-1] == name:
            return
    raise AssertionError(
        f"no Tab leads to {name!r}, but to {list(dict.fromkeys(seen))}"
    )
