"""import: what another tool kept comes into memory, in one run that undo takes back."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager, nullcontext, suppress
from functools import cached_property
from typing import TYPE_CHECKING

from strata.errors import (
    NotAccepted,
    OpenClawNotFound,
    SourceUnreadable,
    UnsupportedStore,
    UsageError,
)
from strata.imports.bundles import Bundle
from strata.imports.formats import MODULES, NAMES, format_named, recognised
from strata.imports.json_streams import refuse_wide
from strata.imports.several import others_in, refuse_several
from strata.imports.talks import Derived, HasAccount, Skipped, Talk
from strata.jobs.importing.contradicting import ask
from strata.jobs.importing.derived import Pages
from strata.jobs.importing.keeping import LONGEST, Keeper
from strata.jobs.importing.report import ImportReport
from strata.jobs.sync import IMPORT, keep_forgotten_out, settle_imported
from strata.jobs.undoing.runs import alone, new_recording, recording_to, unfinished
from strata.progress import silent
from strata.workspace.folders import make_private_folder
from strata.workspace.openclaw import workspace_folder
from strata.workspace.replacing import remove_unpacked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from strata.imports.talks import Format, Read
    from strata.memory import Memory
    from strata.models import Block
    from strata.progress import Progress
    from strata.workspace.recording import Recording


def import_from(  # noqa: PLR0913 - one option each
    memory: Memory,
    source: Path,
    *,
    form: str = "",
    since: datetime | None = None,
    other_account: bool = False,
    dry_run: bool = False,
    reading: Progress = silent,
    settling: Progress = silent,
) -> ImportReport:
    """
    Bring what *source* holds into *memory*, and say what was done.

    *form* is the format, told by itself where it is "". Talks that ended before *since*
    are left out; so is, unless *other_account*, an export of another account than those
    before. What breaks in *source* is told, and what was read of it stays. It may be killed
    anywhere: the next import goes on, in the same run. Raise `SourceUnreadable` where
    nothing of *source* can be read.
    """
    _refuse_own(memory, source)
    scratch = None
    with ExitStack() as turns:
        if not dry_run:
            turns.enter_context(alone(memory.private, doing="importing"))
            if memory.parent:
                turns.enter_context(alone(memory, doing="importing"))
            keep_forgotten_out(memory)
            scratch = memory.workspace.layout.private / "drafts"
            make_private_folder(scratch)
            # No other import is running, so these were killed.
            remove_unpacked(scratch, older_than_seconds=0)
        bundle = turns.enter_context(Bundle(source, scratch))
        found = _format(bundle, form)
        importing = _Importing(memory, bundle, found, since=since, dry_run=dry_run)
        if not form:
            importing.report.others = others_in(bundle, found)
        if not other_account:
            importing.refuse_another()
        recording = unfinished(memory, IMPORT) or new_recording(memory, IMPORT)
        with nullcontext() if dry_run else _recorded(memory, recording, importing):
            importing.read(reading)
            if not dry_run:
                importing.settle(turns, recording.run.id, settling)
    return importing.report


class _Importing:
    """One export on its way into *memory*."""

    def __init__(
        self,
        memory: Memory,
        source: Bundle,
        found: Format,
        *,
        since: datetime | None,
        dry_run: bool,
    ) -> None:
        least = memory.settings.capture_user_messages
        self.report = ImportReport(found.name, least=least)
        self._memory = memory
        self._source = source
        self._format = found
        self._since = since
        self._dry_run = dry_run
        self._keeper = Keeper(memory, found.name, self._account())
        self._pages = Pages(memory, found.name, self.report)

    def _account(self) -> str:
        try:
            if isinstance(self._format, HasAccount):
                return self._format.account(self._source)
        except SourceUnreadable as error:
            # It tells no more than whose the conversations are.
            self.report.problems.append(error.told)
        return ""

    def refuse_another(self) -> None:
        if self._keeper.of_another():
            raise NotAccepted.of("import.of-another", format=self._format.name)

    def read(self, progress: Progress) -> None:
        for name in self._source.refused:
            self.report.leave_out(name, "leads-out")
        try:
            for each in self._format.read(self._source):
                self._take(each)
                progress(*self._source.progress)
        except SourceUnreadable as error:
            # What was read stays.
            self.report.problems.append(error.told)
        self._pages.write(dry_run=self._dry_run)
        progress(1, 1)

    def _take(self, each: Read) -> None:
        if isinstance(each, Skipped):
            self.report.leave_out(each.name, each.why)
        elif isinstance(each, Derived):
            if not self._is_older(each.at):
                self._pages.add(each)
        elif each.id in self._present:
            self.report.leave_out(each.id, "here-already")
        elif self._is_older(each.utterances[-1].at):
            self.report.leave_out(each.id, "older")
        else:
            self._keep(each)

    @cached_property
    def _present(self) -> frozenset[str]:
        """The conversations with our own agent, which a copy of its state has as well."""
        with suppress(OpenClawNotFound, UnsupportedStore):
            told = self._memory.private.transcripts().sessions()
            return frozenset(each.id for each in told if not each.home)
        return frozenset()

    def _keep(self, talk: Talk) -> None:
        kept = self._keeper.keep(talk, dry_run=self._dry_run)
        if any(len(each.text) > LONGEST for each in talk.utterances):
            self.report.leave_out(talk.id, "too-long")
        self.report.messages += kept.new
        said = sum(each.role == "user" for each in talk.utterances)
        if said < self.report.least and (kept.new or not kept.was):
            self.report.few += 1
        if not kept.was:
            self.report.fresh += 1
        elif kept.new:
            self.report.grown += 1
        else:
            self.report.same += 1
        if kept.new:
            zone = self._memory.timezone
            days = {each.at.astimezone(zone).date() for each in talk.utterances}
            self.report.days |= days

    def _is_older(self, at: datetime | None) -> bool:
        return bool(self._since and at and at < self._since)

    def settle(self, turns: ExitStack, run: str, progress: Progress) -> None:
        settled = settle_imported(self._memory, turns, progress)
        prefix = self._memory.path_in_private("")
        blocks: list[Block] = [block for _, block, _ in settled.captured]
        self.report.notes = [path.removeprefix(prefix) for path in settled.paths]
        self.report.entries = sum(len(block.entries) for block in blocks)
        self.report.problems += settled.problems
        self.report.asked = ask(self._memory, self._format.name, run, blocks)


@contextmanager
def _recorded(
    memory: Memory, recording: Recording, importing: _Importing
) -> Iterator[None]:
    """Let *recording* see what changes; what changes nothing is no run."""
    with recording_to(memory, recording):
        yield
    importing.report.run = recording.run.id if recording.is_begun else ""


def _refuse_own(memory: Memory, source: Path) -> None:
    """Let no memory become another tool's: what it holds would come back as if new."""
    own = [memory.private.workspace.root]
    with suppress(OpenClawNotFound):
        own.append(workspace_folder(None, memory.state_folder, memory.agent))
    named = source.resolve()
    for root in (each.resolve() for each in own):
        if named.is_relative_to(root) or root.is_relative_to(named):
            raise UsageError.of("import.own", source=source, workspace=root)


def _format(bundle: Bundle, form: str) -> Format:
    if form:
        if form not in MODULES:
            raise UsageError.of("import.no-format", form=form, formats=", ".join(NAMES))
        named = format_named(form)
        if not named.recognises(bundle):
            refuse_wide(bundle)
            raise UsageError.of("import.not-of", source=bundle.source, form=form)
        return named
    found = recognised(bundle)
    refuse_several(bundle.source, found)
    if found is None:
        refuse_wide(bundle)
        raise SourceUnreadable.of(
            "import.unknown", source=bundle.source, formats=", ".join(NAMES)
        )
    return found
