"""A browser without a screen: asks the dashboard's pages, and sends their forms."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from hashlib import sha256
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from starlette.testclient import TestClient

from strata.cli.showing import Showing
from strata.dashboard.desk import Desk
from strata.dashboard.site import guarded_site

if TYPE_CHECKING:
    from collections.abc import Callable

    import httpx2

    from strata.memory import Memory

PORT = 4321
HERE = f"http://127.0.0.1:{PORT}"
_ADDRESS = re.compile(r'(?<= )(href|src|action)="([^"]*)"')
_LINK = re.compile(r'<a [^>]*?href="([^"]*)"[^>]*>([^<]*)</a>')
_FORM = re.compile(r"<form\b[^>]*>.*?</form>", re.DOTALL)
_FIELD = re.compile(
    r'<input[^>]*?name="([^"]*)"(?:[^>]*?value="([^"]*)")?'
    r'|<textarea[^>]*?name="([^"]*)"[^>]*>(.*?)</textarea>',
    re.DOTALL,
)


@dataclass
class Browser:
    """
    A browser that was let in; *page* is the last page it got, as text, *status* its number.

    Addresses are those below *here*, also in the page.
    """

    client: TestClient
    here: str
    page: str = ""
    status: int = 0
    at: str = field(default="/")

    def open(self, address: str) -> str:
        """
        Read the page at *address*.
        """
        return self._took(self.client.get(address, follow_redirects=True))

    def forms(self, *holding: str) -> list[dict[str, str]]:
        """
        The forms of the page, each as its fields and its ``action``, that hold all texts.
        """
        found = []
        for form in _FORM.findall(self.page):
            if all(each in unescape(form) for each in holding):
                fields = {
                    unescape(name or area): unescape(value or text)
                    for name, value, area, text in _FIELD.findall(form)
                }
                action = re.search(r'action="([^"]*)"', form)
                found.append({**fields, "to": unescape(action[1]) if action else ""})
        return found

    def send(self, *holding: str, **fields: str) -> str:
        """
        Send the first form that holds all of *holding*, with *fields* filled in.
        """
        form = {**self.forms(*holding)[0], **fields}
        return self.post(form.pop("to"), form)

    def post(self, address: str, form: dict[str, str]) -> str:
        """
        Send *form* to *address* as one of our own pages would.
        """
        headers = {"sec-fetch-site": "same-origin", "origin": "null"}
        reply = self.client.post(
            address, data=form, headers=headers, follow_redirects=True
        )
        return self._took(reply)

    def links(self) -> dict[str, str]:
        """
        Every link of the page: its words and where it leads.
        """
        found = _LINK.findall(self.page)
        return {unescape(words): unescape(to) for to, words in found}

    def _took(self, reply: httpx2.Response) -> str:
        def below(address: re.Match[str]) -> str:
            name, to = address.groups()
            whole = to if to.startswith("#") else urljoin(str(reply.url), to)
            return f'{name}="{whole.removeprefix(self.here)}"'

        self.page = _ADDRESS.sub(below, reply.text)
        self.status = reply.status_code
        self.at = reply.url.path.removeprefix(self.client.base_url.path.rstrip("/"))
        return self.page


def page_of(path: str) -> str:
    """
    The address of the page of the bank at *path*, which does not tell whose it is.
    """
    return f"/people/page?page={sha256(path.encode()).hexdigest()[:12]}"


def browser(open_memory: Callable[[], Memory], *, alone: bool = False) -> Browser:
    """
    A browser that the dashboard of the memory that *open_memory* opens has let in.

    It is *alone* where that memory was named.
    """
    guard = guarded_site(Desk(open_memory, Showing.by, alone=alone), PORT)
    client = TestClient(guard, base_url=HERE)
    let_in = client.get(f"/?key={guard.key}", follow_redirects=False)
    client.base_url = f"{HERE}{let_in.headers['location']}"
    found = Browser(client, str(client.base_url).removesuffix("/"))
    found.open("/")
    return found
