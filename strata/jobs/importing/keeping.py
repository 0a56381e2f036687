"""A talk of another tool is kept as OpenClaw would have kept it, redacted."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections import Counter
from dataclasses import dataclass
from datetime import UTC
from functools import cached_property
from typing import TYPE_CHECKING, Any

from strata.models import IMPORTED
from strata.notes.entries import one_line
from strata.transcripts.archives import open_transcript
from strata.transcripts.disclosure import Disclosure, header_of, stamp
from strata.workspace.folders import PRIVATE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime
    from pathlib import Path

    from strata.imports.talks import Talk, Utterance
    from strata.jobs.forgetting.recognition import Recogniser
    from strata.memory import Memory

# Any: it is JSON.
Line = dict[str, Any]

_VERSION = 3
_TITLE_CHARS = 200
# More is no talk: somebody's whole file, of which nothing would be noted.
LONGEST = 1_000_000


@dataclass(frozen=True, slots=True)
class Kept:
    """How many messages of a talk are *new*, and whether it *was* there before."""

    new: int
    was: bool


class Keeper:
    """Keeps the talks of the tool *form*, of one *account* there, in *memory*."""

    def __init__(self, memory: Memory, form: str, account: str = "") -> None:
        self._memory = memory
        self._form = form
        self._account = sealed_account(account)
        self._folder = memory.workspace.layout.imported_folder / form

    def keep(self, talk: Talk, *, dry_run: bool = False) -> Kept:
        """Write *talk*, or what is new in it, and say how much that is."""
        name = session_id(self._form, talk.id)
        file = self._folder / f"{name}.jsonl"
        workspace, path = self._memory.workspace, self._path(file)
        header, before = self._header(talk, name), header_of(file)
        ended = talk.utterances[-1].at
        if before.get(IMPORTED) == header[IMPORTED]:
            if not dry_run:
                # One that was killed may have come no further than to write it.
                workspace.date(path, ended)
            return Kept(0, was=True)
        known = _ids(file) if before else set()
        if dry_run:
            ids = (own for own, _ in _told(talk, name))
            return Kept(sum(each not in known for each in ids), bool(before))
        lines = [*self._remembered(name, [header, *self._messages(talk, name)])]
        text = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in lines)
        workspace.update(path, lambda _before: text)
        workspace.date(path, ended)
        return Kept(sum(each["id"] not in known for each in lines[1:]), bool(before))

    def _path(self, file: Path) -> str:
        return f"{PRIVATE}/{file.relative_to(self._folder.parents[1]).as_posix()}"

    def of_another(self) -> bool:
        """Say whether all that is kept of this tool is of other accounts than this one."""
        if not self._account or not self._folder.is_dir():
            return False
        accounts = (
            header_of(each).get(IMPORTED, {}).get("account")
            for each in sorted(self._folder.glob("*.jsonl"))
        )
        known = False
        for each in accounts:
            if each == self._account:
                return False
            known = known or bool(each)
        return known

    def _header(self, talk: Talk, name: str) -> Line:
        """Return the first line, which tells whether the talk has gone on since."""
        said = [each for _, each in _told(talk, name)]
        title, project = (self._line(each) for each in (talk.title, talk.project))
        source = {
            "format": self._form,
            "id": talk.id,
            "title": title,
            **({"project": project} if project else {}),
            **({"account": self._account} if self._account else {}),
            "messages": len(said),
            "letters": sum(len(each.text) for each in said),
            "until": _time(talk.utterances[-1].at),
            "redaction": self._stamp,
        }
        return {
            "type": "session",
            "version": _VERSION,
            "id": name,
            "timestamp": _time(talk.utterances[0].at),
            IMPORTED: source,
        }

    @cached_property
    def _stamp(self) -> str:
        return stamp(self._memory.private.allowances)

    def _line(self, text: str) -> str:
        return self._memory.masked(one_line(text))[:_TITLE_CHARS]

    def _messages(self, talk: Talk, name: str) -> Iterator[Line]:
        never, allowed = self._memory.never_stored, self._memory.private.allowances
        disclosure, parent = Disclosure(never, allowed), None
        for own, each in _told(talk, name):
            by_owner = each.role == "user"
            heard = disclosure.privacy.heard(each.text, by_owner=by_owner)
            told = disclosure.told(each.role, heard) if heard else ""
            disclosure.hear(each.role, heard)
            if told:
                content = [{"type": "text", "text": told}]
                yield {
                    "type": "message",
                    "id": own,
                    "parentId": parent,
                    "timestamp": _time(each.at),
                    "message": {"role": each.role, "content": content},
                }
                parent = own

    def _remembered(self, name: str, lines: Iterable[Line]) -> Iterator[Line]:
        """Yield *lines* without what the owner has had forgotten."""
        if self._forgotten is None:
            yield from lines
            return
        from strata.jobs.forgetting.talks import (  # noqa: PLC0415 - few forget
            scrubbed_lines,
        )

        yield from filter(None, scrubbed_lines(name, lines, self._forgotten))

    @cached_property
    def _forgotten(self) -> Recogniser | None:
        if not self._memory.tombstones.exist:
            return None
        from strata.jobs.forgetting.recognition import (  # noqa: PLC0415 - as above
            recogniser,
        )

        return recogniser(self._memory)


def session_id(form: str, talk: str) -> str:
    """Return the id under which a *talk* of the tool *form* is known here, and a file's."""
    told = f"{form}\x1f{talk}".encode("utf-8", "surrogatepass")
    return str(uuid.UUID(bytes=hashlib.sha256(told).digest()[:16]))


def sealed_account(account: str) -> str:
    """Return what tells *account* from others without naming it."""
    return hashlib.sha256(account.encode()).hexdigest()[:12] if account else ""


def _told(talk: Talk, name: str) -> Iterator[tuple[str, Utterance]]:
    """Yield what was said, each with an id that what else is exported does not change."""
    alike: Counter[tuple[str, datetime]] = Counter()
    for each in talk.utterances:
        kind = (each.role, each.at)
        alike[kind] += 1
        if len(each.text) <= LONGEST:
            # Not of the words: they may be forgotten, and an id stays in the journal.
            when = each.at.astimezone(UTC).isoformat()
            told = f"{name}\x1f{each.role}\x1f{when}\x1f{alike[kind]}"
            yield hashlib.sha256(told.encode()).hexdigest()[:12], each


def _ids(file: Path) -> set[str]:
    with open_transcript(file) as stream:
        next(stream, None)
        return {str(json.loads(line).get("id")) for line in stream}


def _time(at: datetime) -> str:
    told = at.astimezone(UTC).isoformat(timespec="milliseconds")
    return told.replace("+00:00", "Z")
