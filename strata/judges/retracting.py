"""What the owner takes back: the statement that was named, or the last one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from strata.judges.candidates import repeats, worthless
from strata.judges.features import Remark
from strata.judges.local import local_judge
from strata.language.cues import cue
from strata.language.similarity import terms_of
from strata.language.vocabulary import content_words
from strata.language.wording import trim
from strata.statements.choosing import place_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.judges.candidates import Candidate
    from strata.statements.antecedents import Stated, Talk

# Two statements of one sentence, each of which holds by itself.
_BESIDE = cue("corrections.beside")
# So much worth a note, what takes something back tells something else as well.
_TELLS = 0.9
# So likely a statement was taken back, where it was one of several.
_TAKEN_BACK = 0.5
# A statement so many messages back is another matter.
_FAR = 6
# And what is taken back unnamed was said just now.
_NEAR = 2


def taken_back(talk: Talk, by: Candidate) -> Candidate | None:
    """Return what is left of what was said in *talk* once *by* took it back, if it does."""
    gone = _gone(talk, by)
    if not gone:
        return None
    undoes = tuple(dict.fromkeys(each.position for each in gone))
    if left := _rest_of(gone[0], by):
        [own] = local_judge().judge([Remark(left)])
        evidence = gone[0].evidence
        return replace(by, estimate=own, text=left, evidence=evidence, undoes=undoes)
    if by.estimate.keep >= _TELLS:
        return replace(by, undoes=undoes)
    return replace(by, estimate=worthless(by.estimate), undoes=undoes)


def _gone(talk: Talk, by: Candidate) -> list[Stated]:
    here = by.position[0]
    near = [each for each in talk.latest() if each.message >= here - _FAR]
    meant = _named(talk, near, by) or _last(near, by)
    return [*meant, *(e for each in meant for e in _told_of(each, near))]


def _named(talk: Talk, near: Sequence[Stated], by: Candidate) -> list[Stated]:
    """Return the owner's statement of a while that *by* names, if it names one."""
    own = [each for each in near if each.by_owner and each.worth > 0]
    named = [each for each in talk.named_by(by.text) if each in near]
    # The agent may have said again what it names.
    again = frozenset[str]().union(*(terms_of(each.text) for each in named))
    echoed = (each for each in own if len(terms_of(each.text) & again) > 1)
    return [each for each in own if each in named][:1] or list(echoed)[:1]


def _last(near: Sequence[Stated], by: Candidate) -> list[Stated]:
    """Return what the owner stated last, where the first words of a message undo it."""
    here, place = by.position
    own = [e for e in near if e.by_owner and e.worth > 0 and e.message < here]
    if place or not own or own[0].message < here - _NEAR:
        return []
    last = [each for each in own if each.message == own[0].message][::-1]
    at = place_in(by.text, len(last))
    if at is not None or len(last) == 1:
        return [last[at or 0]]
    sure = [each for each in last if each.retracted >= _TAKEN_BACK]
    return sure or [max(last, key=lambda each: each.worth)]


def _told_of(stated: Stated, near: Sequence[Stated]) -> list[Stated]:
    """Return what else was said of what was *stated*, by the agent or again."""
    later = (each for each in near if each.message >= stated.message)
    return [e for e in later if e != stated and repeats(e.text, stated.text)]


def _rest_of(gone: Stated, by: Candidate) -> str | None:
    """Return the one of two things in *gone* that *by* does not take back, if any."""
    parts = [each for each in _BESIDE.split(gone.text) if each]
    left = [each for each in parts if not terms_of(each) & by.terms]
    if not gone.by_owner or not 0 < len(left) < len(parts):
        return None
    text = trim(max(left, key=content_words))
    return text if content_words(text.lower()) > 1 else None
