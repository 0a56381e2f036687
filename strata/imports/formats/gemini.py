"""
What Google Takeout gives of Gemini: "My Activity", as JSON or as a page of HTML.

The shape is that of exports of 2025 and 2026: each activity is one prompt with its answer,
the newest first, and everything about it is in the account's language, the names of files
too. Since 2026 activities say which conversation they belong to; what says nothing is put
together by days, for that is all that is known.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from itertools import groupby
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from strata.errors import SourceUnreadable
from strata.imports.activity_pages import Activity, activities_on, chat_of
from strata.imports.activity_prompts import Labels, labels_of
from strata.imports.html_texts import plain
from strata.imports.json_streams import values
from strata.imports.moments import moment
from strata.imports.talks import Skipped, Talk, Utterance

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.imports.bundles import Bundle
    from strata.imports.json_streams import Json
    from strata.imports.talks import Read

# A page begins with 150 KB of styles.
_GLANCE_BYTES = 1024 * 1024
# A Takeout has a file a product, and thousands of attachments.
_MOST_GLANCES = 200
_LONGEST_TITLE = 60
_SAMPLE = 2000
# The one word that no language translates; Japanese and Korean put no space after it.
_WORD = r"(?<![a-z])(?:gemini|bard)(?![a-z])"
_PRODUCT = re.compile(_WORD, re.IGNORECASE)
_RECORD = re.compile(rf'"header"\s*:\s*"[^"]*{_WORD}'.encode(), re.IGNORECASE)
_CELL = re.compile(
    rf'class="[^"]*\bheader-cell\b[^>]*>(?:\s*<[^<>]*>)*[^<]*{_WORD}'.encode(),
    re.IGNORECASE,
)
_TABLES = """
create table activity (number integer primary key, at real, title text, answer text);
create table belongs (chat text, number integer);
"""
# A turn from before a fork is part of every branch. It is told once, in that which went on
# first, as it stays where a later export has more branches.
_TURNS = """
with own as (
  select chat, min(at) as first from belongs join activity using (number)
  where number in (select number from belongs group by number having count(*) = 1)
  group by chat),
ranked as (
  select number, chat, row_number() over (
    partition by number order by own.first is null, own.first, chat) as rank
  from belongs left join own using (chat))
select coalesce(chat, date(at, 'unixepoch')) as talk, at, title, answer
from activity left join (select * from ranked where rank = 1) using (number)
order by chat is null, talk, at, number desc
"""


class Gemini:
    """Google's record of what was asked of Gemini, and of Bard as it was called before."""

    name = "gemini"

    def recognises(self, source: Bundle) -> bool:
        """Say whether a file holds activities of Gemini."""
        return bool(_files(source)[:1])

    def read(self, source: Bundle) -> Iterator[Read]:
        """Yield a talk a conversation, and one a day of what belongs to none."""
        # Activities of one conversation lie anywhere in files of any size, so they are put
        # in order on disk, in a file that SQLite removes.
        with closing(sqlite3.connect("")) as store:
            store.executescript(_TABLES)
            for name in _files(source):
                if _has_twin(name, source):
                    yield Skipped(name, "said-twice")
                    continue
                yield from _stored(store, _activities(source, name), name)
            sample = store.execute(
                f"select title from activity where answer != '' limit {_SAMPLE}"  # noqa: S608 - a number of ours
            )
            yield from _talks(store, labels_of(title for (title,) in sample))


def _files(source: Bundle) -> list[str]:
    """Return the names of the files that hold activities of Gemini."""
    names = [
        name
        for name in source.names()
        if PurePosixPath(name).suffix.lower() in {".json", ".html"}
    ]
    names.sort(key=lambda name: (not _PRODUCT.search(name), name))
    return [each for each in names[:_MOST_GLANCES] if _glance(source, each)]


def _glance(source: Bundle, name: str) -> bool:
    try:
        with source.open(name) as stream:
            seen = stream.read(_GLANCE_BYTES)
    except SourceUnreadable:
        return False
    if name.lower().endswith(".json"):
        return seen.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"[" and bool(
            _RECORD.search(seen)
        )
    return b"outer-cell" in seen and bool(_CELL.search(seen))


def _has_twin(name: str, source: Bundle) -> bool:
    """Say whether the page *name* lies beside the same activities as JSON."""
    path = PurePosixPath(name)
    twin = str(path.with_suffix(".json"))
    return path.suffix.lower() == ".html" and twin in source.names(path.stem + ".json")


def _activities(source: Bundle, name: str) -> Iterator[Activity]:
    if name.lower().endswith(".json"):
        for told in values(source, name):
            yield _activity(told if isinstance(told, dict) else {})
    else:
        with source.open(name) as page:
            yield from activities_on(page, name)


def _activity(told: dict[str, Json]) -> Activity:
    answers = (_text(each, "html") for each in _tables(told, "safeHtmlItem"))
    links = [_text(each, "url") for each in _tables(told, "details")]
    chats = map(chat_of, [*links, _text(told, "titleUrl")])
    products = told.get("products")
    return Activity(
        product=f"{told.get('header')} {products if isinstance(products, list) else ''}",
        title=_text(told, "title"),
        answer="\n\n".join(filter(None, map(plain, answers))),
        at=moment(told.get("time")),
        chats=tuple(dict.fromkeys(filter(None, chats))),
    )


def _stored(
    store: sqlite3.Connection, activities: Iterator[Activity], name: str
) -> Iterator[Skipped]:
    """Keep *activities* of Gemini in *store*; yield what cannot be kept of them."""
    try:
        for each in activities:
            if not _PRODUCT.search(each.product):
                yield Skipped(name, "other-product" if each.title else "unknown-shape")
            elif each.at is None:
                yield Skipped(name, "no-date")
            else:
                row = (each.at.timestamp(), _clean(each.title), _clean(each.answer))
                number = store.execute(
                    "insert into activity (at, title, answer) values (?, ?, ?)", row
                ).lastrowid
                store.executemany(
                    "insert into belongs values (?, ?)",
                    ((chat, number) for chat in each.chats),
                )
    except SourceUnreadable as error:
        yield Skipped.of(name, error)


def _talks(store: sqlite3.Connection, labels: Labels) -> Iterator[Read]:
    rows = store.execute(_TURNS)
    for talk, turns in groupby(rows, key=lambda row: str(row[0])):
        said: list[Utterance] = []
        for _, seconds, title, answer in turns:
            at = datetime.fromtimestamp(seconds, UTC)
            prompt = labels.prompt_in(title, answered=bool(answer))
            if not prompt:
                yield Skipped(talk, "no-prompt")
                continue
            said.append(Utterance("user", prompt, at))
            if answer:
                said.append(Utterance("assistant", answer, at))
        if said:
            first = said[0].text.partition("\n")[0]
            yield Talk(talk, first[:_LONGEST_TITLE].strip(), tuple(said))


def _tables(told: dict[str, Json], key: str) -> list[dict[str, Json]]:
    found = told.get(key)
    found = found if isinstance(found, list) else [found]
    return [each for each in found if isinstance(each, dict)]


def _text(told: dict[str, Json], key: str) -> str:
    found = told.get(key)
    return found if isinstance(found, str) else ""


def _clean(text: str) -> str:
    # SQLite keeps no half of a character.
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


FORMAT = Gemini()
