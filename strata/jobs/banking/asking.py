"""Whom a question names, and what else it asks for."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from strata.bank.finding import Finder
from strata.bank.names import key_of, parts_of
from strata.errors import NotFound
from strata.messages import Notice
from strata.search.language.keywords import content_terms, document_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from strata.jobs.banking.knowing import KnownEntity

# So many names that are near are shown to whoever asks for one that has no page.
_NEAR = 5
# From 0 to 1, as difflib counts: what is alike by a letter or two.
_ALIKE = 0.75


def unnamed_terms(text: str, entities: Iterable[KnownEntity]) -> dict[str, float]:
    """Return the terms of the question *text* without the names of *entities*."""
    asked = dict(content_terms(text)) if text.strip() else {}
    for each in entities:
        for name in each.names:
            for term in document_terms(name)[0]:
                asked.pop(term, None)
    return asked


def share_of(text: str, asked: Mapping[str, float]) -> float:
    """Return how much of the terms *asked*, by their weights, stands in *text*."""
    terms = set(document_terms(text)[0])
    told = sum(weight for term, weight in asked.items() if term in terms)
    return told / (sum(asked.values()) or 1.0)


def named_in(known: Sequence[KnownEntity], text: str) -> list[KnownEntity]:
    """Return the entities that *text* names, each by the longest of its names there."""
    by_key: dict[str, list[KnownEntity]] = defaultdict(list)
    for each in known:
        for key in dict.fromkeys(map(key_of, each.names)):
            by_key[key].append(each)
    named = (each for key, _, _ in Finder(by_key).found(text) for each in by_key[key])
    return list(dict.fromkeys(named))


def sought_entities(
    known: Sequence[KnownEntity], name: str, heard: Iterable[str] = ()
) -> list[KnownEntity]:
    """
    Return those whom *name* means; raise `NotFound`, with who is near, for nobody.

    Near may also be one of the names *heard*, which have no page.
    """
    if found := meant(known, name):
        return found
    called = {form: each.names[0] for each in known for form in each.names}
    near = _near(name, {**{each: each for each in heard}, **called})
    if near:
        raise NotFound(Notice("bank.nobody-but", name=name, names=near[:_NEAR]))
    raise NotFound(Notice("bank.nobody", name=name))


def _near(name: str, called: Mapping[str, str]) -> list[str]:
    """Return what those are *called* who share a word with *name*, or look like it."""
    wanted = set(parts_of(key_of(name)))
    keys = {form: key_of(form) for form in called}
    near = [form for form, key in keys.items() if wanted & set(parts_of(key))]
    if not near:
        from difflib import get_close_matches  # noqa: PLC0415 - for a mistake alone

        alike = set(get_close_matches(key_of(name), keys.values(), _NEAR, _ALIKE))
        near = [form for form, key in keys.items() if key in alike]
    return list(dict.fromkeys(called[form] for form in near))


def meant(known: Sequence[KnownEntity], name: str) -> list[KnownEntity]:
    """Return those of *known* whom *name* means."""
    key = key_of(name)
    return [each for each in known if any(key_of(n) == key for n in each.names)]
