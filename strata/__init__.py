"""Strata: the memory of OpenClaw agents."""
