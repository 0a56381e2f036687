"""Chinese words and turns of phrase behind each cue, as sources of linear patterns."""

from __future__ import annotations

from strata.distillation.cues import zh_events as cues_zh_events
from strata.distillation.cues import zh_moods as cues_zh_moods
from strata.distillation.cues import zh_rules as cues_zh_rules

CUES = cues_zh_rules.CUES | cues_zh_events.CUES | cues_zh_moods.CUES
