"""HTML becomes text that a person would read off the page."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.imports.html_texts import plain


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("", ""),
        ("no markup", "no markup"),
        ("<p>One</p><p>two</p>", "One\n\ntwo"),
        ("<p>a\n  b&nbsp;c</p>", "a b c"),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("<ul><li>a</li><li><p>b</p><p>c</p></li></ul>", "- a\n- b\n\nc"),
        ("<h2>Title</h2>text", "Title\n\ntext"),
        ('<b>bold</b>, <a href="https://x">link</a>', "bold, link"),
        ("<b>bold</b> <i>and</i>", "bold and"),
        ("<tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr>", "a | b\n1 | 2"),
        ("<pre><code>if x:\n    y()</code></pre>ok", "```\nif x:\n    y()\n```\n\nok"),
        ("Tom &amp; Eve &lt;b&gt; &#8364;&unknown;", "Tom & Eve <b> €&unknown;"),
        ("<script>bad()</script><style>x{}</style>good", "good"),
        ("<img src=a.png alt=x>seen", "seen"),
        ("a<!-- hidden -->b<!-- and never closed", "ab"),
        ("<![if gte mso 9]>a<![endif]>", "a"),
        ("<![weird thing]>a", "a"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("<p>never closed", "never closed"),
        ("closed</p></div>", "closed"),
        ('<p title="a > b">c</p>', "c"),
        ("&#xffffffff;&#0;", "\ufffd\ufffd"),
    ],
)
def test_html_says(html: str, expected: str) -> None:
    """
    Paragraphs, items, rows and code keep their lines; what nobody sees is left out.
    """
    assert expected == plain(html)


@pytest.mark.parametrize(
    "piece",
    [
        "<",
        "<a ",
        "<!--",
        "<![",
        "</a ",
        "<a href='x> ",
        "&#",
        "<pre>",
        "<script>",
        "<a '",
    ],
)
def test_what_nobody_closed_takes_no_longer(piece: str) -> None:
    """
    Broken markup is read in time that grows with its length alone.
    """
    began = time.process_time()
    plain(piece * 50_000)

    assert time.process_time() - began < 5


@given(st.text(alphabet="<>/!-&#;'\"= apre\n[]", max_size=200))
def test_any_text_is_read(html: str) -> None:
    """
    There is no text that cannot be read as HTML.
    """
    assert isinstance(plain(html), str)
