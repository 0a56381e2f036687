"""The journal, folded: what was captured, decided, judged and written, for every job."""
