"""The verdict on everything that was said: what deserves a line, and what does not."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from strata.history.ledger import statement_id
from strata.history.names import REWORDED
from strata.history.outcomes import Admitted, Considered, Refused
from strata.jobs.deciding.judging import judge_all
from strata.jobs.deciding.waiting import SAID_ANEW, known_from
from strata.judges.asked import TAKEN_BACK
from strata.judges.folding import Fold, Replaced, fold_claims
from strata.judges.holding import held_in
from strata.judges.law import PLACEHOLDER, refusal
from strata.judges.owner import taste_of
from strata.models import Claim, Judgement, Mention, Origin, Tag, Verdict
from strata.notes.entries import one_line
from strata.statements.expiry import valid_until
from strata.statements.lapsing import endings_in, lapsed
from strata.statements.relations import Relation, folded_terms, relation
from strata.statements.tightening import tightened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from datetime import date

    from strata.history.decisions import Decisions, Remembered
    from strata.history.opinions import Opinions
    from strata.jobs.deciding.judging import Consulted
    from strata.jobs.deciding.waiting import Known
    from strata.judges.asked import Opinion
    from strata.plugins import Hooks
    from strata.statements.lapsing import Ending

_IMPORTANCE_OF_EXPLICIT = 9
# So surely lasts a rule, whatever dates it names.
_STANDING = 0.9
_DIMENSIONS = ("broadly_applicable", "prevents_mistake", "self_contained")
_TAG_OF = {"User Preferences": Tag.PREFERENCE, "Key Decisions": Tag.DECISION}


def consider(  # noqa: PLR0913 - all that a verdict rests on
    mentions: Sequence[Mention],
    decided: Decisions,
    hook: Hooks,
    *,
    today: date,
    memory_lines: Sequence[str],
    consulted: Consulted,
) -> Considered:
    """Return the verdict on each thing that *mentions* say, as of *today*."""
    considered = Considered()
    explicit = {each.id: each for each in decided.remembered}
    owners, others = _by_origin([*mentions, *_unwritten(mentions, decided)])
    wanted = explicit.keys() | decided.accepted
    fold = fold_claims(
        sorted(owners, key=lambda m: m.moment),
        accepted=lambda m: bool(m.edited_at or ids_of(Claim(m.text, (m,))) & wanted),
    )
    fold = _confirmed(fold, wanted)
    waiting = [each.claim for each in fold.waiting]
    passing = [Claim(held_in(m).text, (m,)) for m in fold.passing]
    candidates = [*fold.current, *passing, *waiting]
    taste = taste_of(decided.wanted, decided.refused)
    judged, opinions = judge_all(candidates, hook, memory_lines, consulted, taste)
    known = known_from(owners, memory_lines)
    heirs = {each.by for each in fold.replaced}
    held = {
        each
        for each in heirs.intersection(fold.current)
        if known.why_it_waits(each, each.text)
        and not ids_of(each) & (wanted | decided.pinned)
    }
    fold, revived = _revived(fold, opinions, held)
    if revived:
        again, _ = judge_all(revived, hook, memory_lines, consulted, taste)
        candidates, judged = [*candidates, *revived], [*judged, *again]
    # What a model was asked about waits for nobody else.
    heard = [each for each in waiting if opinions.of(each)]
    fold = replace(fold, waiting=tuple(e for e in fold.waiting if e.claim not in heard))
    decidable = {*fold.current, *passing, *heard, *revived}
    lines = {
        claim: statement_id(_chosen(claim, explicit) or _line(judgement))
        for claim, judgement in zip(candidates, judged, strict=True)
    }
    considered.refused += _foreign(others)
    considered.refused += _replaced(fold, lines, opinions)
    endings = endings_in(owners)
    for plain, judgement in zip(candidates, judged, strict=True):
        if plain not in decidable:
            continue
        claim = opinions.worded(plain)
        chosen = next(
            (explicit[name] for name in ids_of(claim) if name in explicit), None
        )
        over = _over(claim, judgement, today, endings)
        ended = _end_of(chosen, over, today) if chosen else ""
        if chosen and ended and not ids_of(claim) & decided.pinned:
            considered.refused.append(
                Refused("expired", claim, one_line(chosen.text), "expiry", ended)
            )
        elif chosen:
            # Said in passing as well, it is still one statement and one line.
            explicit = {name: one for name, one in explicit.items() if one != chosen}
            considered.admitted.append(_explicit(claim, judgement, chosen, decided))
        else:
            _decide(considered, claim, judgement, decided, over, known=known)
    considered.admitted.sort(key=lambda each: each.claim.mentions[0].day)
    given = ((each, opinions.of(each)) for each in candidates)
    _end(considered, [(opinions.worded(c), o) for c, o in given if o and o.ends])
    return considered


@lru_cache(maxsize=8192)
def ids_of(claim: Claim) -> frozenset[str]:
    """Return the ids of every wording of *claim*."""
    wordings = wordings_of(claim)
    return frozenset(map(statement_id, {*wordings, *map(one_line, wordings)}))


def wordings_of(claim: Claim) -> set[str]:
    """Return every way in which *claim* may stand in a note or in MEMORY.md."""
    wordings = {claim.text, *claim.reworded, *map(tightened, claim.reworded)}
    for mention in claim.mentions:
        words = held_in(mention).text
        wordings |= {mention.text, words, tightened(words)}
    return wordings


def _decide(  # noqa: PLR0913 - all that a verdict rests on
    considered: Considered,
    claim: Claim,
    judgement: Judgement,
    decided: Decisions,
    over: tuple[str, str] | None,
    *,
    known: Known,
) -> None:
    names = ids_of(claim)
    text = _line(judgement)
    declined = _declined(claim, text, decided)
    accepted = bool(names & decided.accepted)
    anew = declined == SAID_ANEW
    wanted = names & (decided.pinned | decided.accepted)
    refused = (None if anew else declined) or refusal(claim, judgement.text)
    if not refused and not accepted:
        refused = _failed(judgement)
    if over and not refused and not wanted:
        event, reason = over
        considered.refused.append(
            Refused(event, claim, text, "expiry", reason, judgement=judgement)
        )
    elif refused:
        considered.refused.append(
            Refused("rejected", claim, text, *refused, judgement=judgement)
        )
    elif why := SAID_ANEW if anew else not wanted and known.why_it_waits(claim, text):
        considered.refused.append(
            Refused("waiting", claim, text, *why, judgement=judgement)
        )
    else:
        pinned = bool(names & decided.pinned)
        considered.admitted.append(
            Admitted(claim, judgement, text, explicit=accepted, pinned=pinned)
        )


def _end(considered: Considered, told: Sequence[tuple[Claim, Opinion]]) -> None:
    """
    Let go what a model found ended by something that was said later.

    What takes the place of a line must stand itself; the owner's own choices stay.
    """
    standing = {each.claim: each for each in considered.admitted}
    for claim, opinion in told:
        heir = standing.get(claim)
        if heir is None and opinion.keeps:
            continue
        for old in [*considered.admitted]:
            names = {old.id, *ids_of(old.claim)}
            kept = old.explicit or old.pinned or old.claim == claim
            if kept or names.isdisjoint(opinion.ends) or _newest(claim) <= _newest(old):
                continue
            considered.admitted.remove(old)
            considered.refused.append(_ended(old, claim, heir, opinion))


def _ended(
    old: Admitted, claim: Claim, heir: Admitted | None, opinion: Opinion
) -> Refused:
    when = claim.days[-1].isoformat()
    if heir is None:
        why = ("taken_back", f"{opinion.judge}: taken back on {when}: {claim.text}", "")
        event = "expired"
    else:
        why = ("consistent", f"replaced on {when} by: {heir.text}", heir.id)
        event = "superseded"
    return Refused(event, old.claim, old.text, *why, judgement=old.judgement)


def _newest(said: Claim | Admitted) -> tuple[date, str]:
    claim = said.claim if isinstance(said, Admitted) else said
    return claim.mentions[-1].day, claim.mentions[-1].time


def _line(judgement: Judgement) -> str:
    """Return the line; the words of a model are left as they are."""
    return one_line(judgement.text if judgement.prompt else tightened(judgement.text))


def _over(
    claim: Claim, judgement: Judgement, today: date, endings: Sequence[Ending]
) -> tuple[str, str] | None:
    """Return why *claim* holds no longer; a model says what is too short to enter."""
    over = lapsed(claim, judgement.text, today, endings, lasting=bool(judgement.prompt))
    if over and over[0] == "rejected" and _is_standing(claim):
        # A date in a rule is an example of it.
        return None
    return over


def _is_standing(claim: Claim) -> bool:
    """Say whether a judge is sure that *claim* holds for good, and bound to no date."""
    newest = held_in(claim.mentions[-1]).estimate
    return newest.lasts >= _STANDING and newest.until < 1 - _STANDING


def _failed(judgement: Judgement) -> tuple[str, str] | None:
    """Return the first dimension that does not hold, with the judge's reason."""
    for dimension in _DIMENSIONS:
        verdict = getattr(judgement, dimension)
        if not verdict.holds:
            return dimension, verdict.reason
    return None


def _chosen(claim: Claim, explicit: Mapping[str, Remembered]) -> str:
    """Return how the owner words *claim* in MEMORY.md, "" where that is left to a judge."""
    names = (name for name in ids_of(claim) if name in explicit)
    return next((one_line(explicit[name].text) for name in names), "")


def _declined(claim: Claim, text: str, decided: Decisions) -> tuple[str, str] | None:
    """Return why the owner keeps *claim* out, or has to be asked about it anew."""
    names = ids_of(claim)
    if names & decided.accepted:
        return None
    terms, said = folded_terms(text), "T".join(max(m.moment for m in claim.mentions))
    anew = None
    edited = any(mention.edited_at for mention in claim.mentions)
    for name, words in decided.declined.items():
        if edited and decided.refusals[name][0] == REWORDED:
            # It has the new wording.
            continue
        # Without a word in common two statements are different; comparing takes time.
        alike = name in names or not terms.isdisjoint(folded_terms(words))
        if alike and (name in names or relation(words, text) is Relation.SAME):
            deleted = decided.deleted.get(name)
            if not deleted or said <= deleted[: len(said)]:
                return decided.refusals[name]
            anew = SAID_ANEW
    return anew


def _by_origin(
    mentions: Iterable[Mention],
) -> tuple[list[Mention], list[Mention]]:
    owners: list[Mention] = []
    others: list[Mention] = []
    for mention in mentions:
        owned = mention.origin is Origin.OWNER and PLACEHOLDER not in mention.text
        (owners if owned else others).append(mention)
    return owners, others


def _foreign(mentions: Iterable[Mention]) -> Iterator[Refused]:
    for mention in mentions:
        claim = Claim(mention.text, (mention,))
        if PLACEHOLDER in mention.text:
            why = ("secret", "it holds a secret or a personal number")
        elif mention.origin is None:
            why = ("origin", "the journal does not know whose words these are")
        else:
            why = (
                "origin",
                f"these are words of the {mention.origin.value}, not the owner's",
            )
        yield Refused("rejected", claim, mention.text, *why)


def _revived(
    fold: Fold, opinions: Opinions, held: AbstractSet[Claim]
) -> tuple[Fold, list[Claim]]:
    """
    Return *fold* without what was replaced by something that a model found nothing in.

    Its no is a no: what is only said again, or in passing, takes no line's place unless
    the model says so. Neither does what is *held* back for the owner's word.
    """
    revived = [
        each for each in fold.replaced if each.by in held or _is_revived(each, opinions)
    ]
    left = tuple(each for each in fold.replaced if each not in revived)
    return replace(fold, replaced=left), [each.claim for each in revived]


def _is_revived(old: Replaced, opinions: Opinions) -> bool:
    opinion = opinions.of(old.by)
    if opinion is None or not opinion.trusted or opinion.keeps:
        return False
    return opinion.why != TAKEN_BACK and ids_of(old.claim).isdisjoint(opinion.ends)


def _replaced(
    fold: Fold, lines: Mapping[Claim, str], opinions: Opinions
) -> Iterator[Refused]:
    for old in fold.replaced:
        claim, when = opinions.worded(old.claim), old.by.days[0].isoformat()
        reason = f"replaced on {when} by: {old.by.text}"
        by = lines.get(old.by) or statement_id(one_line(tightened(old.by.text)))
        yield Refused("superseded", claim, claim.text, "consistent", reason, by)
    for new in fold.waiting:
        reason = f"it contradicts “{new.by.text}” and waits for a second conversation"
        claim = opinions.worded(new.claim)
        yield Refused("waiting", claim, claim.text, "consistent", reason)


def _explicit(
    claim: Claim, judgement: Judgement, chosen: Remembered, decided: Decisions
) -> Admitted:
    reason = "the owner asked for it to be remembered"
    said = Verdict(holds=True, reason=reason)
    judged = Judgement(
        text=chosen.text,
        section=chosen.section,
        importance=chosen.importance or _IMPORTANCE_OF_EXPLICIT,
        confidence=max(judgement.confidence, 0.95),
        prevents_mistake=said,
        broadly_applicable=said,
        self_contained=said,
    )
    pinned = bool(ids_of(claim) & decided.pinned)
    return Admitted(claim, judged, one_line(chosen.text), explicit=True, pinned=pinned)


def _end_of(chosen: Remembered, over: tuple[str, str] | None, today: date) -> str:
    """Return why what the owner asked for holds no longer, or ""; it may be a short one."""
    until = valid_until(chosen.text, chosen.day)
    if until is not None and until < today:
        return f"it held until {until.isoformat()}"
    return over[1] if over is not None and over[0] == "expired" else ""


def _confirmed(fold: Fold, wanted: AbstractSet[str]) -> Fold:
    """Let what the owner wants count although it contradicts something."""
    certain = [each for each in fold.waiting if ids_of(each.claim) & wanted]
    beaten = [each.by for each in certain]
    return Fold(
        (
            *(claim for claim in fold.current if claim not in beaten),
            *(each.claim for each in certain),
        ),
        (*fold.replaced, *(Replaced(each.by, each.claim) for each in certain)),
        tuple(each for each in fold.waiting if each not in certain),
        fold.passing,
    )


def _unwritten(mentions: Sequence[Mention], decided: Decisions) -> Iterator[Mention]:
    """Yield what the owner told and no note holds yet."""
    noted = {(statement_id(each.text), each.day) for each in mentions}
    for each in decided.remembered:
        if each.told and (each.id, each.day) not in noted:
            yield _as_mention(each)


def _as_mention(remembered: Remembered) -> Mention:
    return Mention(
        text=remembered.text,
        tag=_TAG_OF.get(remembered.section),
        day=remembered.day,
        time=remembered.at[11:19] or "23:59:59",
        path=f"memory/{remembered.day.isoformat()}.md",
        label="",
        entry=remembered.text,
        entry_id="",
        origin=Origin.OWNER,
    )
