"""What is no finding and no offer of the agent, whatever else it is."""

from __future__ import annotations

from strata.language.cues import cue

ADVICE = cue("results.advice", 0)
SECRETS = cue("results.secrets", 0)
# What the agent read somewhere, and does not vouch for.
RELAYED = cue("results.relayed", 0)
