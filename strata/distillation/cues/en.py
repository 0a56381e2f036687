"""English words and turns of phrase behind each cue, as sources of linear patterns."""

from __future__ import annotations

from strata.distillation.cues import en_events as cues_en_events
from strata.distillation.cues import en_moods as cues_en_moods
from strata.distillation.cues import en_rules as cues_en_rules

# Every alternative begins at a word boundary: the compiler then tries them there only,
# which makes the search ten times as fast.
CUES = cues_en_rules.CUES | cues_en_events.CUES | cues_en_moods.CUES
