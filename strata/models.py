"""The nouns of Strata: what the stages hand to each other."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

# Apart, because a question needs no others and each class costs half a millisecond.
# ruff: noqa: PLC0414 - said again here, where all other nouns are
from strata.hits import Answer as Answer
from strata.hits import Chunk as Chunk
from strata.hits import Hit as Hit
from strata.hits import Tier as Tier

if TYPE_CHECKING:
    from datetime import date, datetime


Role = Literal["user", "assistant", "tool"]
Language = Literal["en", "zh"]


class Origin(StrEnum):
    """Whose words these are; the most restrictive one wins when words are merged."""

    OWNER = "owner"
    AGENT = "agent"
    UNTRUSTED = "untrusted"
    SYSTEM = "system"


class SessionKind(StrEnum):
    """What kind of conversation OpenClaw calls it; only the first two are captured."""

    MAIN = "main"
    DIRECT = "direct"
    GROUP = "group"
    CRON = "cron"
    HEARTBEAT = "heartbeat"
    SUBAGENT = "subagent"
    HOOK = "hook"
    PROBE = "probe"
    INTERNAL = "internal"
    INCOGNITO = "incognito"


class Tag(StrEnum):
    """What kind of statement an entry is; an entry without one is a request or event."""

    DECISION = "decision"
    FINDING = "finding"
    PREFERENCE = "preference"
    TASK = "task"


class Frame(StrEnum):
    """Who speaks in an entry that is no statement of its own; `notes` has the words."""

    NONE = ""
    REQUEST = "request"
    SAYING = "saying"
    FOUND = "found"
    READ = "read"
    HEARD = "heard"


# The channel, in its key, of a conversation that another tool had kept.
IMPORTED = "imported"
# ChatGPT exports the id of a project, which begins so, and not its name.
UNNAMED = "g-p-"


@dataclass(frozen=True, slots=True)
class Session:
    """
    One OpenClaw conversation, wherever its transcript lies.

    *fingerprint* changes whenever the transcript may have changed, and is cheap to take.
    *listed* is false for a transcript that OpenClaw no longer names in its session index.
    *updated_at* and *started_at* are aware datetimes in UTC; *started_at* is the earliest
    moment known without reading the transcript. *home* is the scope in whose memory an
    imported one is kept, "" for those that OpenClaw keeps.
    """

    id: str
    key: str
    kind: SessionKind
    agent: str
    listed: bool
    started_at: datetime
    updated_at: datetime
    fingerprint: str
    home: str = ""


@dataclass(frozen=True, slots=True)
class Masking:
    """
    A secret that gave way to a placeholder: its *kind*, and the *words* around it.

    *digest* is a keyed hash of the value, "" where the value could be guessed from one.
    """

    kind: str
    words: str
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """
    One visible message of a conversation, redacted and without envelopes.

    *number* counts the session's visible user and assistant messages from 1; a tool
    message carries the number of the message before it. *time* is aware, in UTC.
    *recalled* marks what the agent merely read back from memory. *text* of a tool message
    is empty: only the tool's name and outcome are of interest, its output is not trusted.
    Where that gives orders, *output* has it, for a person to see, and *source* the address
    or the file from which it is. *masked* tells what redaction took out of *text*. Where
    it is *doubted* whether the owner means it as his own word, no rule comes of it.
    """

    id: str
    number: int
    role: Role
    text: str
    time: datetime
    origin: Origin
    tool: str = ""
    failed: bool = False
    recalled: bool = False
    output: str = ""
    source: str = ""
    masked: tuple[Masking, ...] = ()
    doubted: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """The words that justify a fact: who said them, where, and the words themselves."""

    message_id: str
    quote: str
    said_at: datetime
    origin: Origin


@dataclass(frozen=True, slots=True)
class Proposer:
    """A model that proposes, and the prompt it was given: ``extract_facts@1a2b3c4d``."""

    model: str
    prompt: str


@dataclass(frozen=True, slots=True)
class Estimate:
    """
    What a judge makes of one sentence in its conversation; all but *kind* from 0 to 1.

    *keep* is how likely it is worth a note, *lasts* that it holds for good, *until* that
    it holds for some time only, *meant* that its speaker means it, and as his own.
    *leans*: it says nothing without what was said before it. *retracts*: it takes
    something back; *retracted*: it is itself taken back by what follows. *opens*: it
    tells what lets somebody in, pays, or identifies.
    """

    kind: str
    keep: float
    lasts: float
    until: float
    meant: float
    leans: float
    retracts: float
    retracted: float
    opens: float


@dataclass(frozen=True, slots=True)
class Subject:
    """
    Whom or what something tells of: a *name* as the talk spells it, and of what *sort*.

    *also* are other names that the talk gives it.
    """

    name: str
    sort: str
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """
    One thing worth remembering, in one line, with the words that justify it.

    *text* says neither who speaks (*frame*) nor what it refers to (*topic*). *proposer* is
    None where the local judge or a plugin found it, *estimate* where nobody judged it in
    its conversation. *terms* say it in other words, for the search alone; *of* is whom
    and what it tells of, where a model says so.
    """

    text: str
    tag: Tag | None
    language: Language
    evidence: tuple[Evidence, ...]
    proposer: Proposer | None = None
    estimate: Estimate | None = None
    frame: Frame = Frame.NONE
    topic: str = ""
    terms: tuple[str, ...] = ()
    of: tuple[Subject, ...] = ()

    @property
    def entry(self) -> Entry:
        """What of it stands in a note."""
        return Entry(self.text, self.tag, self.frame, self.topic, self.language)


@dataclass(frozen=True, slots=True)
class Entry:
    """
    One statement of a note, whoever wrote it, as data; `notes.entries` has its form.

    *days* are those that it names as its source.
    """

    text: str
    tag: Tag | None = None
    frame: Frame = Frame.NONE
    topic: str = ""
    language: Language = "en"
    days: tuple[date, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """
    What one session left in one daily note.

    *messages* is the watermark: how many visible messages of the session had been said
    when the block ends. *time* is the local wall clock of the last one, ``HH:MM``.
    """

    day: date
    time: str
    label: str
    messages: int
    entries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Retained:
    """
    What an agent wrote below a heading "Retain", as data; `notes.retain` has its form.

    *kind* is W, what is so; B, what the agent did; O, what the owner thinks; or S, a
    summary. *names* are those it is tagged with, *sure* how sure the agent is, 0 to 1.
    """

    kind: str
    text: str
    names: tuple[str, ...] = ()
    sure: float = 1.0


@dataclass(frozen=True, slots=True)
class Mention:
    """
    An entry of a note, as evidence: what was said, when, by whom, and where it stands.

    *text* is the entry without its tag. *origin* is None where the journal does not know
    whose words they are: somebody else wrote into the note. *estimate* is what a judge
    made of it in its conversation, where the journal knows. *edited_at* is when a hand
    put it as it is, in local time; "" where none has. *number* is its line in *path*.
    *retained* is what an agent wrote there for it to be kept, where one did. *of* is whom
    and what it tells of, where a model said so.
    """

    text: str
    tag: Tag | None
    day: date
    time: str
    path: str
    label: str
    entry: str
    entry_id: str
    origin: Origin | None
    estimate: Estimate | None = None
    edited_at: str = ""
    number: int = 0
    retained: Retained | None = None
    of: tuple[Subject, ...] = ()

    @property
    def moment(self) -> tuple[str, str]:
        """The day and the time of its newest word, which may be that of a hand."""
        said = self.day.isoformat(), self.time
        return max(said, (self.edited_at[:10], self.edited_at[11:19]))


@dataclass(frozen=True, slots=True)
class Claim:
    """
    What one or more entries state: a candidate for long-term memory.

    *text* is its best wording so far; *mentions* are in the order in which they were said,
    *reworded* is how a judge has put it, *turns* the entries whose place it took.
    """

    text: str
    mentions: tuple[Mention, ...]
    reworded: tuple[str, ...] = ()
    turns: tuple[Mention, ...] = ()

    @property
    def days(self) -> tuple[date, ...]:
        """The days on which it was said."""
        return tuple(sorted({mention.day for mention in self.mentions}))

    @property
    def conversations(self) -> int:
        """In how many conversations it was said."""
        return len({mention.label or mention.path for mention in self.mentions})


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a candidate passes one dimension, and why."""

    holds: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """
    What the judge of a candidate found; code has the last word.

    *prevents_mistake* answers the reverse check: its reason names the mistake that would
    happen without the line. *section* is the heading below which it belongs, *importance*
    goes from 1 to 10, *confidence* from 0 to 1. *text* is the line's wording, with nothing
    in it that the entries do not say; *triggers* are the words at which it is needed,
    found in *text* where there are none. *judge* found all that, asked by *prompt*.
    """

    text: str
    section: str
    importance: int
    confidence: float
    prevents_mistake: Verdict
    broadly_applicable: Verdict
    self_contained: Verdict
    triggers: tuple[str, ...] = ()
    judge: str = ""
    prompt: str = ""
