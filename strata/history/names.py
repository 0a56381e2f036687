"""What the journal calls what happened, and which of its events belong together."""

from __future__ import annotations

# Of statements: what tidy and the owner wrote, what left, what never had a line, and what
# the owner decided about it.
WRITTEN = ("promoted", "merged", "edited", "remembered")
DEPARTED = ("superseded", "expired", "evicted")
REJECTED = "rejected"
VERDICTS = (REJECTED, "waiting")
# Why a statement waits that would make an agent use something.
ACTS = "acts"
ANSWERS = ("accepted", "declined", "pinned", "unpinned")
# Of lines and entries that the owner's hand changed, took out, put back, or wrote.
REWORDED, DELETED, RESTORED, ADOPTED = HANDS = (
    *("reworded", "deleted", "restored", "adopted"),
)
OF_STATEMENTS = (*WRITTEN, *DEPARTED, *VERDICTS, *ANSWERS, *HANDS)
# Nine of ten verdicts are that something is not worth a line: few who ask need those.
MORE_THAN_REJECTED = tuple(event for event in OF_STATEMENTS if event != REJECTED)
# What a run does to a line that stands in MEMORY.md.
DEPARTURES = frozenset({"merged", *DEPARTED})

# Of runs: its lines are about to reach the file, have reached it, or were taken back.
WRITING, SETTLED, UNDONE = OF_RUNS = ("writing", "settled", "undone")

# Of conversations and their days.
CAPTURED, COMPRESSED = "captured", "compressed"
QUARANTINED, MASKED = "quarantined", "redacted"
# What was kept out of notes, and what the owner said of it.
SET_APART = (QUARANTINED, MASKED, "allowed", "disallowed")

# What the owner decided about names of people and things; which two of them a model takes
# for one, and what it would make of these.
ENTITY, PROPOSED = OF_NAMES = "entity", "proposed"
ONE_NAME = "one_name"
# What the owner decided about projects: of which one something is, how one is called.
PROJECT = "project"

# What the owner shared among agents and took back, and what might be worth sharing.
SHARED, UNSHARED, OFFERED = OF_SHARING = "shared", "unshared", "offered"
# The runs in which the owner did either.
SHARE, UNSHARE = "share", "unshare"

# What the owner lets OpenClaw read to another person, of what that person said.
PERSONAL = "personal"

# What models said of entries, lines and pages of the bank, in words of their own.
OPINION, SUMMARISED, SHORTENED = "judged", "summarised", "shortened"
DESCRIBED = "described"
WORDED = (OPINION, SUMMARISED, SHORTENED, DESCRIBED)

# Why a statement waits that the owner has not surely said: an agent asked for it, or it
# may have been pasted, or an agent wrote it below "Retain".
BY_AGENT, DOUBTFUL, RETAINED = "by_agent", "doubtful", "retained"
SAID_ELSEWHERE = "said_elsewhere"
UNSURE = frozenset({BY_AGENT, DOUBTFUL, RETAINED, SAID_ELSEWHERE})
# Why something is out that no verb took out.
BY_HAND = "by_hand"

# In a record that another machine wrote: which one.
MACHINE = "machine"
