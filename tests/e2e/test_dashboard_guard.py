"""Nobody but the browser that was let in sees or changes anything, whatever they send."""

from __future__ import annotations

import re
import socket
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest
from builders_encryption import contents
from builders_hostile import Answer, Changes, Client, send
from builders_window import lived, window

from strata.dashboard.guard import MOST_ADDRESS, MOST_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PNPM = "always use pnpm"
PINS = 'value="pin"'
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def inside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """
    A client that was let in; in the end the server has logged nothing of all that.
    """
    root = tmp_path_factory.mktemp("guard")
    lived(root, "en")
    with window(root) as opened:
        client = Client(opened)
        client.let_in()
        yield client
        _, told = opened.stop()
    assert [line.partition(" ")[0] for line in told.split("\n")] == [
        *("open", "", "strata:", "")
    ]


@pytest.fixture
def outside(inside: Client) -> Client:
    """
    A client of the same server that knows no cookie, but where the pages are.
    """
    return Client(inside.window, below=inside.below)


@pytest.fixture
def root(inside: Client) -> Path:
    """
    Where the memory is.
    """
    return inside.window.root


def shown(answers: dict[str, Answer]) -> list[str]:
    """
    Which of *answers* show something of memory, or lack a header.
    """
    return [
        name
        for name, answer in answers.items()
        if "pnpm" in answer.body or "root:" in answer.body or answer.lacks
    ]


def statuses(answers: dict[str, Answer]) -> dict[str, int]:
    return {name: answer.status for name, answer in answers.items()}


def test_key_is_good_once(tmp_path: Path) -> None:
    """
    Wrong, empty and used keys let nobody in, nor is one used up by who only looks.
    """
    lived(tmp_path, "en")
    with window(tmp_path) as opened:
        wrong = {
            target: Client(opened).ask(method, target)
            for method, target in (
                ("GET", "/"),
                ("GET", "/?key="),
                ("GET", "/?key=wrong"),
                ("GET", f"/?key={opened.key[:-1]}"),
                ("GET", f"/?key=%20{opened.key}"),
                ("GET", f"/?Key={opened.key}"),
                ("HEAD", f"/?key={opened.key}"),
                ("POST", f"/?key={opened.key}"),
            )
        }
        right = Client(opened)
        first = right.let_in()
        used = Client(opened).let_in()
        page = right.ask("GET", "/")

    assert set(statuses(wrong).values()) == {403}
    assert shown({**wrong, "used": used}) == []
    assert first.status == 303
    assert re.fullmatch(r"/[\w-]{22}/", first.headers["location"])
    assert (used.status, "set-cookie" in used.headers) == (403, False)
    assert PNPM in page.body
    name, _, flags = first.headers["set-cookie"].partition("=")
    assert name.startswith("strata-")
    assert {"HttpOnly", "SameSite=strict", f"Path={right.below}"} == set(
        flags.split("; ")[1:]
    )


def test_path_is_another_one_at_each_start(inside: Client, root: Path) -> None:
    """
    Where the pages stood before, there is nothing at the next start.
    """
    with window(root) as opened:
        client = Client(opened)
        client.let_in()
        before = replace(client, below=inside.below).ask("GET", "/")

    assert client.below != inside.below
    assert before.status == 403


def test_other_paths_are_told_what_a_wrong_key_is(inside: Client) -> None:
    """
    Who has the cookie, but not the path, cannot tell a near guess from any other.
    """
    root = inside.below
    guesses = [
        *("", root[:-1], f"{root}a", root.swapcase(), f"/{root}"),
        *(root[1:], f"/.{root}", f"/style.css{root}", f"/{'a' * len(root[1:])}"),
    ]
    answers = {
        f"{guess}{path}": replace(inside, below=guess).ask("GET", path)
        for guess in guesses
        for path in ("/", "/memory", "/nowhere")
        if (guess + path).startswith("/")
    }
    answers[root] = replace(inside, below="").ask("GET", root)
    form = inside.form(PNPM, PINS)
    answers["form"] = replace(inside, below="").post(form)
    wrong = replace(inside, below="").ask("GET", "/?key=wrong")
    for each in (*answers.values(), wrong):
        each.headers.pop("date")

    assert wrong.status == 403
    assert [at for at, each in answers.items() if each != wrong] == []
    assert root not in str(wrong)


def test_other_hosts_get_nothing(inside: Client) -> None:
    """
    A name that somebody lets point to this machine is answered like no name at all.
    """
    port = inside.window.port
    hosts: dict[str, Changes] = {
        "foreign": {"host": "evil.example"},
        "foreign with port": {"host": f"evil.example:{port}"},
        "no port": {"host": "127.0.0.1"},
        "other port": {"host": f"127.0.0.1:{port + 1}"},
        "longer": {"host": f"127.0.0.1:{port}.evil.example"},
        "user": {"host": f"127.0.0.1:{port}@evil.example"},
        "every address": {"host": f"0.0.0.0:{port}"},
        "empty": {"host": ""},
        "none": {"host": None},
        "two": {"Host": f"127.0.0.1:{port}"},
    }

    answers = {name: inside.ask("GET", "/", each) for name, each in hosts.items()}

    assert statuses(answers) == dict.fromkeys(hosts, 421) | {"none": 400, "two": 400}
    assert shown(answers) == []


def test_forwarded_host_counts_for_nothing(inside: Client) -> None:
    """
    What a proxy would say of the host changes nothing, and old HTTP has to name it too.
    """
    forwarded = inside.ask("GET", "/nothing", {"x-forwarded-host": "evil.example"})
    old = send(inside.window.port, b"GET / HTTP/1.0\r\n\r\n")

    assert forwarded.status == 404
    assert "evil" not in str(forwarded)
    assert (old.status, shown({"old": old})) == (421, [])


def test_targets_that_are_no_page(inside: Client) -> None:
    """
    Ways out of the folder, whole addresses and unknown paths lead nowhere.
    """
    here = f"http://{inside.host}{inside.below}/"
    long = "/" + "a" * (MOST_ADDRESS + 1)
    whole = dict.fromkeys(("http://evil.example/", here, "*", "evil.example:80"), 400)
    targets = {
        **dict.fromkeys(
            ("//", "//evil.example/", "/%2f%2fevil.example", "/\\evil"), 404
        ),
        **dict.fromkeys(("/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd"), 404),
        **dict.fromkeys(("/style.css/../site.py", "/static/style.css", "/%00"), 404),
        **dict.fromkeys(
            ("/style.css%00", "/style.css%3f", "/today.py", "/%ff%fe"), 404
        ),
        "/?q=%00": 400,
        long: 414,
        "/?a=%e4%zz%": 200,
    }

    answers = {each: inside.ask("GET", each) for each in targets}
    bare = replace(inside, below="")
    answers |= {each: bare.ask("GET", each) for each in whole}

    assert targets | whole == statuses(answers)
    assert shown({n: a for n, a in answers.items() if a.status != 200}) == []
    assert not any("location" in each.headers for each in answers.values())


def test_without_the_cookie_there_is_only_the_style(outside: Client) -> None:
    """
    Every page refuses who has no cookie, a wrong one or another's; the style is for all.
    """
    cookies: dict[str, Changes] = {
        "none": {},
        "wrong": {"cookie": "strata-0000000000000000=wrong"},
        "empty": {"cookie": "=; ;;"},
        "no letters": {"cookie": "strata=\u00e4\u2603"},
    }
    paths = ("/", "/memory", "/review", "/nowhere", "/style.css%3f", "/icon.svg/")

    answers = {
        f"{name} {path}": outside.ask("GET", path, cookie)
        for name, cookie in cookies.items()
        for path in paths
    }
    style = replace(outside, below="").ask("GET", "/style.css")

    assert set(statuses(answers).values()) == {403}
    assert shown(answers) == []
    assert not any(outside.below in str(each) for each in (*answers.values(), style))
    assert (style.status, style.lacks) == (200, [])


def test_only_showing_and_forms(inside: Client, root: Path) -> None:
    """
    Other methods are refused, asking does nothing, and a preflight permits nothing.
    """
    before = contents(root)
    fields = urlencode(inside.form(PNPM, PINS))
    preflight: Changes = {
        "origin": "http://evil.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type",
    }
    methods = ("PUT", "DELETE", "PATCH", "TRACE", "OPTIONS", "BREW", "get")
    answers = {each: inside.ask(each, "/", preflight) for each in methods}
    answers["GET /review"] = inside.ask("GET", f"/review?{fields}")

    assert statuses(answers) == dict.fromkeys(methods, 405) | {"GET /review": 404}
    assert shown(answers) == []
    assert not any(
        name.startswith("access-control-")
        for each in answers.values()
        for name in each.headers
    )
    assert before == contents(root)


def test_forms_from_elsewhere_do_nothing(inside: Client, root: Path) -> None:
    """
    With the cookie, but from another site, or without the token of the page: refused.
    """
    before = contents(root)
    fields = inside.form(PNPM, PINS)
    unnamed: Changes = {"sec-fetch-site": None}
    origins: dict[str, Changes] = {
        "foreign": {"origin": "http://evil.example"},
        "foreign, old browser": {"origin": "http://evil.example", **unnamed},
        "null, old browser": {"origin": "null", **unnamed},
        "none": {"origin": None},
        "none, old browser": {"origin": None, **unnamed},
        "another port": {"origin": "http://127.0.0.1:1", **unnamed},
        "another name": {"origin": f"http://localhost:{inside.window.port}", **unnamed},
        "another scheme": {"origin": f"https://{inside.host}", **unnamed},
        "cross-site": {"sec-fetch-site": "cross-site"},
        "same-site": {"sec-fetch-site": "same-site"},
        "by hand": {"sec-fetch-site": "none"},
        "empty": {"sec-fetch-site": ""},
    }
    answers = {name: inside.post(fields, each) for name, each in origins.items()}
    tokens = {
        "wrong": "wrong",
        "empty": "",
        "short": fields["form"][:-1],
        "odd": "\u2603",
    }
    answers |= {n: inside.post({**fields, "form": t}) for n, t in tokens.items()}
    answers["missing"] = inside.post({n: t for n, t in fields.items() if n != "form"})
    answers["no cookie"] = inside.post(fields, {"cookie": None})

    assert set(statuses(answers).values()) == {403}
    assert shown(answers) == []
    assert before == contents(root)


def test_bodies_that_are_no_form_of_ours(inside: Client, root: Path) -> None:
    """
    What is too large, of another kind or broken is refused and changes nothing.
    """
    before = contents(root)
    fields = inside.form(PNPM, PINS)
    form = urlencode(fields).encode()
    much = form + b"&text=" + b"a" * MOST_BYTES
    chunk = b"%x\r\n%b\r\n0\r\n\r\n"
    chunked: Changes = {"transfer-encoding": "chunked", "content-length": None}
    kinds = ("text/plain", "application/json", "multipart/form-data; boundary=x", "")
    answers = {each: inside.post(form, {"content-type": each}) for each in kinds}
    answers["no kind"] = inside.post(form, {"content-type": None})
    expected = dict.fromkeys(answers, 415)
    answers |= {
        "large": inside.post(much),
        "large in parts": inside.post(chunk % (len(much), much), chunked),
        "many fields": inside.post(form + b"&a=b" * 1000),
        "no letters": inside.post(form + b"&a=\xff\xfe"),
        "nothing": inside.post(form + b"&text=%00"),
        "broken": inside.post({**fields, "id": "%zz%e4%"}),
        "half letters": inside.post(form.replace(b"id=", b"id=%e4%")),
        "no chunk": inside.post(b"zz\r\n" + form, chunked),
        "less than nothing": inside.post(form, {"content-length": "-1"}),
    }
    expected |= {"large": 413, "large in parts": 413, "many fields": 400}
    expected |= {"no letters": 400, "nothing": 400, "broken": 404, "half letters": 404}
    expected |= {"no chunk": 400, "less than nothing": 400}

    assert expected == statuses(answers)
    assert [name for name, answer in answers.items() if answer.lacks] == []
    assert before == contents(root)


def test_back_leads_to_a_page_of_ours(inside: Client) -> None:
    """
    Wherever a form says that it came from, the browser stays here and gets no header.
    """
    backs = [
        *("https://evil.example", "//evil.example", "/\\evil.example", "evil.example"),
        *(
            "/\t/evil.example",
            "/\n/evil.example",
            "/a\\..\\\\evil",
            "javascript:alert(1)",
        ),
        *("/\r\nset-cookie: a=b", "/%0d%0aset-cookie: a=b", "/\u2028/evil"),
        *("/../evil", "/memory/../../evil", "/.", "/%2e%2e/evil", "/%2fevil"),
        *("//" * 9_999, "\x00"),
    ]
    sent = {}
    for number, back in enumerate(backs):
        action = ("pin", "unpin")[number % 2]
        fields = {**inside.form(PNPM, f'value="{action}"'), "back": back}
        sent[back] = inside.post(fields)

    left = {"\x00": 400}
    assert statuses(sent) == dict.fromkeys(backs, 303) | left
    for answer in sent.values():
        assert "set-cookie" not in answer.headers
        if answer.status == 303:
            assert re.fullmatch(r"\./\?told=\w+", answer.headers["location"])
    fields = {**inside.form(PNPM, 'value="unpin"'), "back": "/memory#L8"}
    ours = inside.post(fields).headers["location"]
    assert re.fullmatch(r"\./memory\?told=\w+#L8", ours)


def test_only_this_machine_is_answered(inside: Client) -> None:
    """
    The port is open on 127.0.0.1 and on no other address of this machine.
    """
    for family, address in ((socket.AF_INET, "127.0.0.2"), (socket.AF_INET6, "::1")):
        with socket.socket(family) as other, pytest.raises(OSError):  # noqa: PT011 - refused, or no such network
            other.connect((address, inside.window.port))


def test_twenty_tabs_at_once(inside: Client) -> None:
    """
    All of them are answered.
    """
    with ThreadPoolExecutor(20) as tabs:
        answers = list(tabs.map(lambda _: inside.ask("GET", "/"), range(20)))

    assert [answer.status for answer in answers] == [200] * 20
    assert all(PNPM in answer.body for answer in answers)


def test_silent_and_slow_connections_keep_nobody_waiting(inside: Client) -> None:
    """
    With 200 that say nothing and some that say it slowly, the browser is answered.
    """
    where = ("127.0.0.1", inside.window.port)
    silent = [socket.create_connection(where) for _ in range(200)]
    slow = [socket.create_connection(where) for _ in range(20)]
    try:
        for letter in b"GET / H":
            for each in slow:
                each.send(bytes([letter]))
        answer = inside.ask("GET", "/")
    finally:
        for each in (*silent, *slow):
            each.close()

    assert answer.status == 200
    assert PNPM in answer.body


def test_who_leaves_in_the_middle_changes_nothing(inside: Client, root: Path) -> None:
    """
    Half a form is no form, and half a question holds nobody up.
    """
    before = contents(root)
    fields = urlencode(inside.form(PNPM)).encode()
    long: Changes = {"content-length": str(len(fields) + 9), "sec-fetch-site": None}
    whole = inside.raw(
        "POST", "/review", {**long, "origin": f"http://{inside.host}"}, b""
    )
    for part in (whole + fields, whole[:40], inside.raw("GET", "/", {}, b"")):
        with socket.create_connection(("127.0.0.1", inside.window.port)) as leaving:
            leaving.sendall(part)

    assert inside.ask("GET", "/").status == 200
    assert before == contents(root)


def test_right_form_is_taken(inside: Client, root: Path) -> None:
    """
    What the others are refused is done for the form of a page, old browser or new.
    """
    before = contents(root)
    pinned = inside.post(inside.form(PNPM, PINS))
    after = contents(root)
    old: Changes = {"sec-fetch-site": None, "origin": f"http://{inside.host}"}
    again = inside.post(inside.form(PNPM, 'value="unpin"'), old)

    assert (pinned.status, again.status) == (303, 303)
    assert pinned.lacks == []
    assert before != after
