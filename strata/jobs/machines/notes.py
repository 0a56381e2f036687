"""What this machine did to a note since it told the others of it."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from strata.notes.parts import (
    Edit,
    folded_note,
    label_of,
    merged_texts,
    parts_of,
    title_of,
)
from strata.workspace.machines import NOTE, VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from strata.memory import Memory
    from strata.notes.parts import Part
    from strata.workspace.machines import Log

    # Any: it is what JSON holds.
    Record = dict[str, Any]


class Known(NamedTuple):
    """A part as it stood in the file: the edits it came from, and a digest of its text."""

    heads: tuple[str, ...]
    digest: str


class Seen(NamedTuple):
    """A note as it stands here: its *text*, by the parts of which it is made."""

    text: str
    parts: tuple[Known, ...]

    def record(self, edits: Sequence[Edit], own: str) -> Record:
        """Return what is kept of it, no words, after all *edits*, some of machine *own*."""
        return {
            "digest": digest(self.text),
            "parts": [[list(each.heads), each.digest] for each in self.parts],
            "edits": len(edits),
            "last": max((e.number for e in edits if e.machine == own), default=0),
        }


def shared_notes(memory: Memory) -> dict[str, str]:
    """
    Return where each note lies that machines share, by the name that all of them know.

    A day that lies both in the archive and before it waits until a tidy made one of them.
    """
    layout = memory.workspace.layout
    places: dict[str, list[str]] = defaultdict(list)
    for day, path in layout.daily_notes():
        places[layout.daily(day)].append(path)
    for path in layout.weekly_notes():
        places[path].append(path)
    return {name: paths[0] for name, paths in places.items() if len(paths) == 1}


def waiting_notes(memory: Memory) -> set[str]:
    """Return the names of the notes that lie in two places."""
    layout = memory.workspace.layout
    names = [layout.daily(day) for day, _ in layout.daily_notes()]
    return {each for each in names if names.count(each) > 1}


def edits_in(logs: Iterable[Log]) -> dict[str, list[Edit]]:
    """Return what all *logs* tell of each note."""
    found: dict[str, list[Edit]] = defaultdict(list)
    for log in logs:
        for each in log.of(NOTE):
            found[str(each["note"])].append(
                Edit(
                    log.machine,
                    int(each["n"]),
                    str(each["at"]),
                    str(each["text"]),
                    tuple(each["replaces"]),
                    str(each["after"]),
                )
            )
    return found


def record_of(edit: Edit, note: str) -> Record:
    """Return the record of *edit* to *note* for the log of its machine."""
    return {
        "event": NOTE,
        "version": VERSION,
        "n": edit.number,
        "at": edit.at,
        "note": note,
        "text": edit.text,
        "replaces": list(edit.replaces),
        "after": edit.after,
    }


def seen_in(parts: Sequence[Part]) -> Seen:
    """Return the note that consists of *parts*."""
    known = (Known(each.heads, digest(each.text)) for each in parts)
    return Seen("".join(each.text for each in parts), tuple(known))


def digest(text: str) -> str:
    """Return what tells *text* from another, and nothing of its words."""
    content = text.encode("utf-8", "surrogateescape")
    return hashlib.sha256(content).hexdigest()[:20]


class Comparing:
    """
    Finds out what happened to a note here since it was *known*.

    *edits* are those that all machines have told of it, *own* among them; *make* makes
    one of this machine, from a text, the edits it replaces, and the one it stands behind.
    Without a *known* state, as after `.strata` was lost, nothing counts as taken out.
    """

    def __init__(
        self,
        edits: Sequence[Edit],
        known: Record | None,
        own: str,
        make: Callable[[str, tuple[str, ...], str], Edit],
    ) -> None:
        self._make = make
        self._texts = {each.id: each.text for each in edits}
        # Told before a run was killed that would have kept what it knew.
        last = known["last"] if known else 0
        self._pending = [e for e in edits if e.machine == own and e.number > last]
        self._told = {(e.text, e.replaces, e.after): e for e in self._pending}
        self._folded = folded_note(edits)
        self._part_of = {head: each for each in self._folded for head in each.heads}
        self._is_known = known is not None
        told = known["parts"] if known else ()
        self._known = [Known(tuple(heads), each) for heads, each in told]
        self._claimed = {each.heads for each in self._known}
        self.new: list[Edit] = []

    def seen(self, text: str) -> Seen:
        """Return the note *text* by its parts; what is new of it is in `new` then."""
        parts = parts_of(text)
        olds = self._matched(parts)
        found: list[Known] = []
        after = ""
        for part, old in zip(parts, olds, strict=True):
            heads = self._heads(part, old, after)
            found.append(Known(heads, digest(part)))
            after = heads[0]
        stay = {old.heads for old in olds if old}
        for gone in self._known:
            if gone.heads not in stay and any(map(self._part_of.get, gone.heads)):
                self._edit("", gone.heads, "")
        return Seen(text, tuple(found))

    def _heads(self, part: str, old: Known | None, after: str) -> tuple[str, ...]:
        """Return the edits that say *part*, of which one may be new."""
        if old is None:
            return self._heads_of_new(part, after)
        if old.digest == digest(part):
            return old.heads
        stands = next((e for h in old.heads if (e := self._part_of.get(h))), None)
        if stands and stands.text == part:
            return stands.heads
        for told in self._pending:
            if told.replaces == old.heads and told.text != part:
                # It was told before a run was killed, and went on since.
                return (self._edit(part, (told.id,), ""),)
        return (self._edit(part, old.heads, ""),)

    def _heads_of_new(self, part: str, after: str) -> tuple[str, ...]:
        # A run that was killed may have written what others told, and kept no state.
        free = [each for each in self._folded if each.heads not in self._claimed]
        for each in free:
            if each.text == part:
                self._claimed.add(each.heads)
                return each.heads
        told = {each.id for each in self._pending}
        for each in free:
            # What others did to it since is not in the file yet.
            own = tuple(sorted(told.intersection(each.heads)))
            if own and title_of(each.text) == title_of(part):
                self._claimed.add(each.heads)
                if any(self._texts[name] == part for name in own):
                    return own
                return (self._edit(part, own, ""),)
        if not self._is_known:
            alike = [e for e in self._folded if title_of(e.text) == title_of(part)]
            if alike:
                both = merged_texts([part, alike[0].text], [(), ()])
                if both == alike[0].text:
                    return alike[0].heads
                return (self._edit(both, alike[0].heads, ""),)
        return (self._edit(part, (), after),)

    def _edit(self, text: str, replaces: tuple[str, ...], after: str) -> str:
        edit = self._told.pop((text, replaces, after), None)
        if edit is None:
            edit = self._make(text, replaces, after)
            self.new.append(edit)
        return edit.id

    def _matched(self, parts: Sequence[str]) -> list[Known | None]:
        """Return for each of *parts* the one known before that it was, if any."""
        left = list(self._known)
        found: list[Known | None] = []
        for part in parts:
            same = (each for each in left if each.digest == digest(part))
            found.append(_taken(left, next(same, None)))
        for named in (title_of, _label_or_none):
            for place, part in enumerate(parts):
                wanted = named(part) if found[place] is None else None
                if wanted is not None:
                    alike = (e for e in left if named(self._text(e)) == wanted)
                    found[place] = _taken(left, next(alike, None))
        return found

    def _text(self, known: Known) -> str:
        stands = (self._part_of.get(each) for each in known.heads)
        texts = [each.text for each in stands if each]
        texts += [self._texts.get(each, "") for each in known.heads]
        return next(filter(None, texts), "")


def _taken(left: list[Known], found: Known | None) -> Known | None:
    if found:
        left.remove(found)
    return found


def _label_or_none(part: str) -> str | None:
    return label_of(part) or None
