"""Every screen of the dashboard in a real browser, in both languages."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from builders_chromium import barriers, chromium, complaints, looks
from builders_window import lived, window
from english import english_in

from strata.dashboard.desk import PLACES
from strata.dashboard.site import MODULES, screens_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

LOOKS = [(width, scheme) for width in (360, 1280) for scheme in ("light", "dark")]
# What axe-core finds depends on width or scheme, on nothing that both make together.
FEW_LOOKS = [(360, "dark"), (1280, "light")]
pytestmark = pytest.mark.slow

# What a person reads, and what is read to them, but for what is marked as English.
TOLD = """() => [[...document.querySelectorAll('main [lang=en]')].reduce(
    (told, each) => told.replace(each.innerText, '·'), document.body.innerText),
    ...[...document.querySelectorAll('*')].flatMap(
    each => ['aria-label', 'title', 'alt', 'placeholder'].map(
        name => each.getAttribute(name) || ''))].join('\\n')"""


# Where all leads that a page links, loads or sends a form to.
LED = """() => [...document.querySelectorAll('[href], [src], form')].map(each =>
    new URL(['href', 'src', 'action'].map(name => each.getAttribute(name) || '')
        .join(''), document.baseURI).href)"""


@dataclass
class Tour:
    """
    A *page* that was let in, another without a CSP for *axe*, and what they complain of.
    """

    language: str
    here: str
    page: Page
    judged: Page
    axe: str
    complaints: list[str]
    addresses: list[str] = field(default_factory=list)


@pytest.fixture(scope="module", params=["en", "zh"])
def tour(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Tour]:
    """
    The dashboard of an owner of that language, and all kinds of pages that it links.
    """
    root = tmp_path_factory.mktemp("window")
    with chromium() as (browser, axe):
        lived(root, request.param)
        with window(root, request.param) as opened:
            context = browser.new_context()
            page = context.new_page()
            page.goto(opened.address)
            here = page.url.removesuffix("/")
            found = complaints(context, here)
            known = context.storage_state()
            judging = browser.new_context(storage_state=known, bypass_csp=True)
            tour = Tour(request.param, here, page, judging.new_page(), axe, found)
            tour.addresses = list(linked(page, here))
            yield tour


def linked(page: Page, here: str) -> Iterator[str]:
    """
    The screens of the navigation and one page of each kind to which they lead.

    Forms that only ask are sent too, about pnpm.
    """
    waiting = list(PLACES.values())
    seen: set[tuple[str, tuple[str, ...]]] = set()
    while waiting:
        address = waiting.pop(0)
        parts = urlsplit(address)
        kind = parts.path, tuple(sorted(parse_qs(parts.query)))
        if kind in seen or _is_to_come(parts.path):
            continue
        seen.add(kind)
        yield address
        page.goto(f"{here}{address}")
        links: list[str] = page.eval_on_selector_all(
            "main a", "all => all.map(each => each.href)"
        )
        waiting += [to.removeprefix(here) for to in (*links, *asked_for(page))]


def _is_to_come(path: str) -> bool:
    return path.split("/")[1] in MODULES and not screens_at(path)


def asked_for(page: Page) -> list[str]:
    """
    Where the forms of *page* lead that only ask.
    """
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll('form:not([method=post])')].map(form => {
            const told = new FormData(form);
            const first = form.querySelector(
                'input[type=search], input[type=text], input:not([type])');
            if (first && !told.get(first.name)) told.set(first.name, 'pnpm');
            const asked = new URLSearchParams(told);
            return form.action + '?' + asked; })"""
    )
    return found


def each_look(
    page: Page, tour: Tour, looks_at: list[tuple[int, str]] = LOOKS
) -> Iterator[str]:
    """
    Every address on *page* in each of the widths and schemes, as what to call it.
    """
    for address in tour.addresses:
        reply = page.goto(f"{tour.here}{address}")
        assert reply
        assert reply.status == 200, (address, page.inner_text("main"))
        for width, scheme in looks_at:
            looks(page, width, scheme)
            yield f"{address} {width} {scheme}"


def test_every_screen_fits_and_keeps_to_itself(tour: Tour) -> None:
    """
    Phone or desk, light or dark: nothing scrolls sideways, fails, or asks elsewhere.
    """
    too_wide = [
        look
        for look in each_look(tour.page, tour)
        if tour.page.evaluate("document.documentElement.scrollWidth > innerWidth")
    ]

    assert too_wide == []
    assert tour.complaints == []


def test_no_link_leads_out_of_the_path_or_tells_it(tour: Tour) -> None:
    """
    All that a page links, loads or sends to lies below the path, which it does not name.
    """
    for address in tour.addresses:
        reply = tour.page.goto(f"{tour.here}{address}")
        led = tour.page.evaluate(LED)

        assert reply
        assert len(led) > len(PLACES), address
        assert [to for to in led if not to.startswith(f"{tour.here}/")] == [], address
        assert urlsplit(tour.here).path not in reply.text(), address


def test_no_other_port_of_this_machine_gets_the_cookie(tour: Tour) -> None:
    """
    A server beside the dashboard, in the same browser, gets its own cookie and no other.

    Only the path keeps the cookie from it: who could guess that would get it.
    """
    page = tour.judged
    with neighbour() as (there, cookies):
        for path in ("/", "/", "/memory", "/style.css"):
            page.goto(f"{there}{path}")
            within = page.goto(f"{tour.here}/")
            assert within
            assert within.status == 200
        guessed = urlsplit(tour.here).path
        page.goto(f"{there}{guessed}/")

    heard = dict(cookies)
    assert heard.pop(f"{guessed}/").count("strata-") == 1
    assert set(heard) == {"/", "/memory", "/style.css"}
    assert set(heard.values()) == {"its=own"}


@contextmanager
def neighbour() -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """
    Another server on 127.0.0.1 that sets a cookie, and the cookies it got by the path.
    """
    got: list[tuple[str, str]] = []

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            got.append((self.path, self.headers.get("cookie", "")))
            self.send_response(200)
            self.send_header("set-cookie", "its=own; Path=/")
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(b"<link rel=icon href='data:,'>Hello")

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}", got
        server.shutdown()


def test_everybody_can_use_every_screen(tour: Tour) -> None:
    """
    axe-core finds nothing serious or critical, wide or narrow, light or dark.
    """
    found = {
        look: worst
        for look in each_look(tour.judged, tour, FEW_LOOKS)
        if (worst := barriers(tour.judged, tour.axe))
    }

    assert found == {}


def test_every_screen_speaks_the_owners_language(tour: Tour) -> None:
    """
    A page says in which language it is; a Chinese one has no English sentence.

    Why the rules decided is kept as they say it, in English, and is marked as that.
    """
    for address in tour.addresses:
        tour.page.goto(f"{tour.here}{address}")
        told = tour.page.evaluate(TOLD)

        marked = {"en": "en", "zh": "zh-CN"}[tour.language]
        assert marked == tour.page.get_attribute("html", "lang")
        if tour.language == "zh":
            assert english_in(told) == [], address


def test_every_page_has_one_heading_and_its_landmarks(tour: Tour) -> None:
    """
    Who cannot see a page finds its heading, its navigation and its content.
    """
    for address in tour.addresses:
        tour.page.goto(f"{tour.here}{address}")
        counts = [
            tour.page.locator(each).count()
            for each in ("h1", "main", "footer", "nav[aria-label]", "nav")
        ]

        # What moves on within a page is a navigation too, and says which.
        assert counts[:3] == [1, 1, 1], address
        assert counts[3] == counts[4] >= 1, address
