"""What a better redaction finds in what already stands, the first night after it came."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from strata.errors import StrataError
from strata.jobs.audit_scan import scan
from strata.jobs.forgetting.scrubbing import dumped, parsed
from strata.json_texts import with_texts
from strata.transcripts.redaction import redact
from strata.transcripts.redaction.versions import version
from strata.workspace import stored

if TYPE_CHECKING:
    from strata.memory import Memory

# In the journal: so many lines hold what is a secret by the rules of that version.
RESCANNED = "rescanned"


def look_again(memory: Memory) -> int:
    """
    Go over all that stands where redaction is another; count the lines with secrets.

    What a model answered is masked. Notes may be a hand's, so they are only told of, for
    `strata audit scan --fix`. Whatever goes wrong waits for the next night.
    """
    marker = memory.workspace.layout.redaction_file
    with suppress(OSError, StrataError):
        if stored.read(marker) == version():
            return 0
    try:
        found = sum(each.kind == "secret" for each in scan(memory).findings)
        _mask_answers(memory)
        memory.journal.append([_record(found)])
        memory.workspace.write_private(marker, version())
    except (OSError, StrataError):
        return 0
    return found


def _record(found: int) -> dict[str, object]:
    told = {"lines": found, "by": version().decode()}
    return {"event": RESCANNED, "version": 1, **told}


def _mask_answers(memory: Memory) -> None:
    masked = partial(redact, allowed=memory.allowances)
    for file in memory.workspace.layout.model_cache_folder.glob("*.json"):
        answer = parsed(stored.read(file))
        if answer is not None and (left := with_texts(answer, masked)) != answer:
            memory.workspace.write_private(file, dumped(left))
