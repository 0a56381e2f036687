"""Chinese words and turns of phrase behind each cue, as sources of linear patterns."""

from __future__ import annotations

from strata.distillation import cues_zh_events, cues_zh_moods, cues_zh_rules

CUES = cues_zh_rules.CUES | cues_zh_events.CUES | cues_zh_moods.CUES
