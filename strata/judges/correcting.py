"""What the owner's statement puts right, or takes the place of, of what was said before."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from strata.judges.acts import DOES
from strata.judges.candidates import CHATTER, UNSURE
from strata.judges.features import Remark, last_question
from strata.judges.local import local_judge
from strata.judges.succession import succession
from strata.judges.topics import LEANING, LONGEST, topic_of
from strata.language.similarity import terms_of
from strata.statements.corrections import correction_of, is_bare, is_short
from strata.statements.offers import asks_for_fact
from strata.statements.relations import Relation

if TYPE_CHECKING:
    from strata.judges.acts import Act
    from strata.judges.candidates import Candidate
    from strata.models import Estimate
    from strata.statements.antecedents import Stated, Talk
    from strata.statements.corrections import Correction
    from strata.statements.exchanges import Exchange

_SURE = 0.5
# More than a value of one sort must speak for a correction that is as unsure as this.
_HINTS = 0.2
# So plainly a value of the same sort must be meant, and the less so the surer the act.
_PLAIN, _MEANT = 6.0, 0.78
# So much worth a note, it speaks for itself.
SURELY = 0.85
# A statement so many messages back is another matter.
_FAR = 6
# As much as this, a hint must be clearer.
_LIKELY = 0.65


def corrected(
    exchange: Exchange, talk: Talk, candidate: Candidate, act: Act
) -> Candidate | None:
    """
    Return *candidate* as about the earlier statement of which it puts a value right.

    The owner's words stay as they were said: put into the place of another value they
    would say something that nobody did, were it the wrong place.
    """
    own, stands = candidate.estimate, _stands(candidate.estimate)
    firm = _is_firm(exchange, candidate, act)
    # What stands by itself alters nothing, unless it was learned that it does.
    if not firm and act.corrects < (DOES if stands else _HINTS):
        return None
    right = correction_of(talk, candidate.text, firm=firm)
    if right is None or act.corrects + right.weight / _PLAIN < _MEANT:
        return _succeeding(talk, candidate) or _replacing(
            exchange, talk, candidate, act
        )
    if not _is_about(exchange, talk, candidate, right):
        return None
    # The agent's words say less than the owner's that stand by themselves.
    bare = right.about and not (stands and not right.of.by_owner)
    about = right.about if bare else candidate.topic
    evidence = (*candidate.evidence, *right.of.evidence)
    return replace(
        candidate,
        estimate=_judged_anew(own, f"{candidate.text} {about}", right.of),
        topic=about,
        evidence=tuple(dict.fromkeys(evidence)),
        undoes=right.gone if act.corrects >= _SURE else (),
    )


def _is_about(
    exchange: Exchange, talk: Talk, candidate: Candidate, right: Correction
) -> bool:
    """Say whether *candidate* is about what it would put right, by its words as well."""
    topic = topic_of(talk.heard(exchange), candidate.text, leans=1.0)
    if topic is None:
        return True
    return not right.messages.isdisjoint(message.id for message, _ in topic.quotes)


def _is_firm(exchange: Exchange, candidate: Candidate, act: Act) -> bool:
    """Say whether a value of the same sort is enough for *candidate* to replace it."""
    own = candidate.estimate
    if own.keep <= CHATTER or not is_short(candidate.text):
        return False
    if act.corrects >= _SURE and not _stands(own):
        return True
    before = exchange.before.text if exchange.before else ""
    answers = asks_for_fact(last_question(before).lower())
    hints = own.leans >= LEANING and own.keep < _LIKELY and act.corrects >= _HINTS
    return hints and not answers and is_bare(candidate.text)


def _stands(own: Estimate, least: float = SURELY) -> bool:
    """Say whether what was judged so speaks for itself, as much worth as *least*."""
    return own.keep >= least and own.leans < LEANING


def _succeeding(talk: Talk, candidate: Candidate) -> Candidate | None:
    """Return *candidate* as what takes the place of statements of the owner, if any."""
    if candidate.estimate.keep < UNSURE or candidate.estimate.leans >= LEANING:
        return None
    gone = [
        each
        for each in talk.latest()
        if each.by_owner
        and each.worth >= UNSURE
        and each.message < candidate.position[0]
        and terms_of(each.text) & candidate.terms
        and succession(each.text, candidate.text)
        in {Relation.UPDATES, Relation.CONTRADICTS}
    ]
    if not gone:
        return None
    evidence = (*candidate.evidence, *(e for each in gone for e in each.evidence))
    return replace(
        candidate,
        evidence=tuple(dict.fromkeys(evidence)),
        undoes=tuple(each.position for each in gone),
    )


def _replacing(
    exchange: Exchange, talk: Talk, candidate: Candidate, act: Act
) -> Candidate | None:
    """
    Return *candidate* as about the whole statement of the owner that it puts right.

    Which of its words is wrong cannot be told. It is what shares a word with *candidate*;
    or else what was said just before, unless *candidate* is about something else.
    """
    here = candidate.position[0]
    if act.corrects < _SURE or not is_short(candidate.text):
        return None
    own = [
        each
        for each in talk.latest()
        if each.by_owner and each.worth >= UNSURE and 0 < here - each.message <= _FAR
    ]
    named = [each for each in talk.named_by(candidate.text) if each in own]
    last = [each for each in own if each.message == here - 1]
    of = next(iter(named or last), None)
    if of is None or len(of.text) > LONGEST:
        return None
    if not named and (
        _stands(candidate.estimate, _LIKELY)
        or topic_of(talk.heard(exchange), candidate.text, leans=1.0)
    ):
        return None
    return replace(
        candidate,
        estimate=_judged_anew(candidate.estimate, f"{candidate.text} {of.text}", of),
        topic=" / ".join(filter(None, (of.topic, of.text))),
        evidence=tuple(dict.fromkeys((*candidate.evidence, *of.evidence))),
        undoes=(of.position,),
    )


def _judged_anew(answer: Estimate, text: str, of: Stated) -> Estimate:
    """Return what a judge makes of a statement that puts *of* right."""
    [own] = local_judge().judge([Remark(text)])
    return replace(
        own,
        keep=max(answer.keep, own.keep, _SURE if of.worth >= UNSURE else 0.0),
        retracts=0.0,
        retracted=answer.retracted,
        leans=min(own.leans, 0.3),
    )
