"""What the owner takes up of what the agent offered: a proposal, or one of several."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from strata.judges.acts import offered
from strata.judges.candidates import UNSURE, quoted, repeats
from strata.judges.features import Remark, last_question
from strata.judges.local import local_judge
from strata.judges.protocol import KEEPS
from strata.judges.topics import LEANING
from strata.language.mentioned import values_in
from strata.language.sentences import language_of
from strata.language.similarity import terms_of
from strata.language.vocabulary import content_words
from strata.language.wording import trim
from strata.statements.answers import Meaning, answer_of, is_report, only_answers
from strata.statements.offers import offers_one_of, options_in, proposes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.judges.acts import Act
    from strata.judges.candidates import Candidate
    from strata.models import Estimate
    from strata.statements.answers import Answer
    from strata.statements.antecedents import Talk
    from strata.statements.exchanges import Exchange

_OWN_KINDS = ("preference", "decision", "fact", "contact")
_PROPOSED = ("preference", "decision")
# So likely the agent offered something, where it did not ask, and the owner took it.
_OFFERS, _TAKES = 0.28, 0.6
# So likely an answer takes something up, and so much likelier than that it declines.
_SURE, _MARGIN = 0.5, 0.1
# So much worth a note, it speaks for itself.
_LIKELY = 0.65
# What adds no more words than these that carry meaning is read with the proposal.
_FEW = 2
# So many words that carry meaning are a proviso.
_PROVISO = 5


def taken_up(
    exchange: Exchange,
    talk: Talk,
    candidates: Sequence[Candidate],
    act: Act,
    *,
    does: str,
) -> Candidate | None:
    """
    Return what the owner took up, with what was added, as one statement.

    *candidates* are what the message states, *act* what the first does, and the message
    *does* as a whole; if that is nothing, only what was chosen of several counts.
    """
    first = candidates[0]
    more = [each for each in candidates[1:] if goes_with(each)]
    said = " ".join(each.evidence[0].quote for each in (first, *more))
    answer = None if "?" in said else answer_of(exchange, said)
    if answer is None or not (answer.chosen or only_answers(said)):
        return None
    speaks = first.estimate.keep >= _LIKELY > act.takes
    if answer.chosen and is_asked_to_choose(exchange):
        # Who says what speaks against one of them has not chosen it.
        chooses = act.takes >= max(_SURE, act.declines)
        taken = chooses and (only_answers(said) or not speaks)
    else:
        taken = does != "" and not speaks and _is_taken(exchange, answer, act)
    if not taken:
        return None
    own = _tells(answer)
    return _as_statement(exchange, talk, (first, *more), answer, said if own else "")


def _tells(answer: Answer) -> bool:
    """Say whether the owner's words tell more than that something was taken up."""
    if answer.chosen:
        return answer.named
    added = answer.added
    return content_words(added.lower()) > _FEW or bool(values_in(added))


def goes_with(candidate: Candidate) -> bool:
    """Say whether a further statement of a message belongs to the answer before it."""
    return candidate.estimate.leans >= LEANING or candidate.estimate.keep < UNSURE


def is_asked_to_choose(exchange: Exchange) -> bool:
    """Say whether the agent has just offered one of several things."""
    before = exchange.before
    if before is None:
        return False
    asked = last_question(before.text).lower()
    return bool(options_in(before)) or offers_one_of(asked)


def _is_taken(exchange: Exchange, answer: Answer, act: Act) -> bool:
    """Say whether one thing was offered, and little more than a proviso added."""
    text = answer.meaning.text
    if act.takes < max(_SURE, act.declines + _MARGIN):
        return False
    if answer.chosen:
        return _proposes(exchange)
    several = offers_one_of(text.lower())
    if several or content_words(answer.added.lower()) > _PROVISO:
        return False
    return answer.offered or (act.takes >= _TAKES and _is_offer(exchange, text))


def _proposes(exchange: Exchange) -> bool:
    """Say whether the agent asked or offered anything at all."""
    said = exchange.before.text if exchange.before else ""
    asked = "?" in said or "\uff1f" in said or proposes(said.lower())
    return asked or offered(said) >= _OFFERS


def _is_offer(exchange: Exchange, text: str) -> bool:
    """Say whether *text* of the agent, which asks nothing, proposes something."""
    earlier = exchange.earlier.text if exchange.earlier else ""
    # What the agent reports, or says again, and the owner nods at, was no proposal.
    if repeats(text, earlier) or is_report(text) or offered(text) < _OFFERS:
        return False
    [told] = local_judge().judge([Remark(text)])
    return told.kind in _PROPOSED and told.keep >= KEEPS


def _as_statement(
    exchange: Exchange,
    talk: Talk,
    parts: Sequence[Candidate],
    answer: Answer,
    said: str,
) -> Candidate:
    """
    Return what was taken up as one statement.

    Where the owner *said* more than that, the words stay as they are, and what they take
    up is what they are about: put together they might say what nobody did.
    """
    meaning = answer.meaning
    joint = "。" if language_of(meaning.text) == "zh" else ". "
    added = joint + answer.added if answer.added else ""
    text = meaning.text.rstrip("。. ") + added
    evidence = [each for part in parts for each in part.evidence]
    evidence.append(quoted(meaning.message, meaning.quote))
    about = [answer.about] if answer.about else []
    if said and answer.chosen and not about and exchange.before:
        asked = last_question(exchange.before.text)
        about += [Meaning(asked, exchange.before, asked)] if asked else []
    told = " ".join((said, *(each.text for each in about)))
    if said and not terms_of(meaning.text) <= terms_of(told):
        about.append(meaning)
    evidence += [quoted(each.message, each.quote) for each in about]
    # The offer itself, and the question, tell nothing any more.
    settled = {each.id for each in (meaning.message, answer.settles) if each}
    return replace(
        parts[0],
        estimate=_decided(exchange, parts[0].estimate, text),
        text=trim(said) or text,
        topic=" / ".join(trim(each.text) for each in about),
        evidence=tuple(dict.fromkeys(evidence)),
        undoes=tuple(
            each.position
            for each in talk.latest()
            if any(e.message_id in settled for e in each.evidence)
            and (answer.chosen or repeats(each.text, meaning.text))
        ),
    )


def _decided(exchange: Exchange, answer: Estimate, text: str) -> Estimate:
    """Return what a judge makes of a proposal that the owner took up by *answer*."""
    before, earlier = (m.text if m else "" for m in (exchange.before, exchange.earlier))
    remarks = [Remark(text), Remark(text, before=before, earlier=earlier)]
    proposal, answered = local_judge().judge(remarks)
    least = UNSURE if values_in(text) else 0.0
    return replace(
        proposal,
        # What an agent offers to do, and its owner takes up, is decided.
        kind=proposal.kind if proposal.kind in _OWN_KINDS else "decision",
        keep=max(answer.keep, proposal.keep, answered.keep, least),
        lasts=(answer.lasts + proposal.lasts) / 2,
        until=(answer.until + proposal.until) / 2,
        meant=max(proposal.meant, _SURE),
        leans=min(answer.leans, proposal.leans, 0.3),
        retracts=0.0,
        retracted=answer.retracted,
    )
