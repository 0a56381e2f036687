"""The search index of one workspace: kept up to date, searched, and never the truth."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from functools import cached_property, partial
from typing import TYPE_CHECKING, Literal, TypeVar

from strata.embedding_models.folder import neighbour, usable_model
from strata.errors import (
    Busy,
    IndexUnavailable,
    ModelUnavailable,
    StoreUnreachable,
    StrataError,
    WorkspaceUnavailable,
)
from strata.messages import Notice
from strata.search.indexing import comparing
from strata.search.indexing.candidates import Candidates, gathered
from strata.search.indexing.manifest import PARAPHRASED, PENDING
from strata.search.indexing.paraphrases import Paraphrases, has_terms, paraphrases
from strata.search.indexing.reports import IndexStatus, UpdateReport, changes, status_of
from strata.search.indexing.session import DIMENSIONS, Damaged, Shelf
from strata.search.indexing.watching import Watch
from strata.search.stores.store import Found

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from strata.embedding_models.encoder import Encoder
    from strata.embedding_models.folder import ModelFolder
    from strata.embedding_models.remembering import RememberingEncoder
    from strata.progress import Progress
    from strata.search.indexing.manifest import Manifest
    from strata.search.indexing.scan_search import Scanned
    from strata.search.indexing.times import Times
    from strata.search.stores.store import Remote, Scope
    from strata.workspace.snapshot import Snapshot

T = TypeVar("T")
OfDays = tuple[Candidates, bool]

WRITER_PATIENCE_SECONDS = 60.0
READER_PATIENCE_SECONDS = 10.0
# A question does not wait for vectors that somebody else keeps it from.
ASKED_PATIENCE_SECONDS = 0.5
# So many are read while others wait for the index.
_FEW_FILES = 4


class Index:
    """
    The index in the folder *root* over the memory files of *workspace*.

    *encoder_folder* holds the embedding model; without it, keywords do all the work. An
    index that another model has made, one beside that folder, goes on with it until
    `update` has embedded everything anew: *model* is that in use, *coming* the other one.
    What *journal* tells of entries in other words is searched like what they say.
    *snapshot* is the copy of an encrypted one. *say*
    gets a line where the index is made anew or a file cannot be read. Any number of
    processes may use one index; each holds its lock while it has the store open.
    """

    def __init__(  # noqa: PLR0913 - what there may be beside the files
        self,
        root: Path,
        workspace: Path,
        encoder_folder: Path | None,
        *,
        journal: Path | None = None,
        remote: Remote | None = None,
        snapshot: Snapshot | None = None,
        say: Callable[[str], None] = lambda _line: None,
    ) -> None:
        self.workspace = workspace
        self._journal = journal
        self.say = say
        self.condition: Literal["current", "behind", "down"] = "current"
        self.coming: ModelFolder | None = None
        self.model = model = usable_model(encoder_folder, say)
        self.watch = Watch(workspace)
        made = (model.fingerprint, model.dimensions) if model else ("", DIMENSIONS)
        self.shelf = Shelf(root, *made, say, remote, snapshot)
        if model and (standing := neighbour(model, self.shelf.made_by)):
            self.coming = model
            self._use(standing)

    def _use(self, model: ModelFolder) -> None:
        self.model = model
        self.__dict__.pop("encoder", None)
        self.shelf.model, self.shelf.dimensions = model.fingerprint, model.dimensions

    def use_coming(self) -> None:
        """Go on with the model that was chosen, where another one is in use yet."""
        if self.coming:
            self._use(self.coming)
            self.coming = None

    def is_like(self, other: Index) -> bool:
        """Tell whether *other* would open the same files, with the same model."""
        return self.shelf.origin == other.shelf.origin

    def keep_open(self, *, watch: bool) -> None:
        """
        Stay open from the first question on, until another process wants the index.

        With *watch*, files are looked at only where the system tells of a change.
        """
        from strata.search.indexing.keeping import KeptShelf  # noqa: PLC0415 - rare

        self.shelf = KeptShelf.like(self.shelf)
        self.watch.enabled = watch

    def update(
        self,
        paths: Sequence[str] | None = None,
        *,
        rebuild: bool = False,
        embed: bool = False,
        few_wait: bool = False,
        progress: Progress | None = None,
    ) -> UpdateReport:
        """
        Take in what changed on the disk, of *paths* alone where they are given.

        *rebuild* starts from nothing; *embed* computes the vectors that are missing, if
        there is a model, and *progress* hears how many of how many are done. Where *few*
        are, they *wait* for the next question. Raise `Busy`, `WorkspaceUnavailable`, or
        `IndexUnavailable` where a newer Strata made it.
        """
        from strata.search.indexing import rebuilding  # noqa: PLC0415 - not for questions

        begun = rebuilding.begin(self, rebuild=rebuild, embed=embed, progress=progress)
        with self.watch.renewed(whole=paths is None):
            take_in = partial(self._take_in, patience_seconds=WRITER_PATIENCE_SECONDS)
            report = begun + self._mended(lambda: take_in(paths))
            if embed and self.coming and self._change_over(self.coming, progress):
                report = begun + self._mended(lambda: take_in(None))
        waits = few_wait and self.shelf.peek(_few_are_pending, otherwise=True)
        if embed and self.model and not waits:
            # On a server the vectors of other texts are forgotten by now.
            forget = rebuild and not self.shelf.remote
            report += UpdateReport(embedded=self._fill(progress, forget=forget))
        if report.embedded or report.files > _FEW_FILES:
            self._mended(self._grow_graph)
        if report.chunks or report.removed or report.embedded:
            self.shelf.save_copy(WRITER_PATIENCE_SECONDS)
        return report

    def _change_over(self, coming: ModelFolder, progress: Progress | None) -> bool:
        """Embed all by the model *coming*, and then use it; tell whether that was done."""
        from strata.search.indexing.succession import embed_ahead  # noqa: PLC0415 - rare

        known = self.shelf.peek(self._paraphrases, Paraphrases())
        ahead = partial(embed_ahead, self.shelf, self.workspace, coming, known)
        if self._mended(lambda: ahead(WRITER_PATIENCE_SECONDS, progress)):
            if self.shelf.remote:
                from strata.search.indexing import rebuilding  # noqa: PLC0415 - rare

                rebuilding.replace_index(self, embed=True)
            self.use_coming()
        return self.coming is None

    def embed(self, *, progress: Progress | None = None, forget: bool = False) -> int:
        """
        Compute the vectors that are missing, and return how many chunks got one.

        With *forget*, those of texts that are nowhere any more go. Raise
        `ModelUnavailable` where there is no model, and as `update` does.
        """
        embedded = self._fill(progress, forget=forget)
        if embedded:
            self._mended(self._grow_graph)
        return embedded

    def _fill(
        self,
        progress: Progress | None = None,
        *,
        forget: bool = False,
        most: int | None = None,
        patience: float = WRITER_PATIENCE_SECONDS,
    ) -> int:
        from strata.search.indexing.writing import fill_vectors  # noqa: PLC0415 - not for questions

        fill = partial(fill_vectors, self.shelf, self.workspace, self._needed())
        return self._mended(
            lambda: fill(
                lambda: self.encoder,
                patience,
                progress,
                paraphrased=self.shelf.peek(self._paraphrases, Paraphrases()),
                forget=forget,
                most=most,
            )
        )

    def _paraphrases(self, manifest: Manifest) -> Paraphrases:
        """Return what the journal says of entries in other words, if it does of any."""
        # Most say nothing, and to read one takes longer than a question.
        told = has_terms(manifest.meta(PARAPHRASED))
        return paraphrases(self._journal) if told else Paraphrases()

    @cached_property
    def encoder(self) -> Encoder:
        """The embedding model, opened once; raises `ModelUnavailable`."""
        from strata.embedding_models.encoder import load_encoder  # noqa: PLC0415 - 0.1 s

        return load_encoder(self._needed().path)

    def remembering(self) -> RememberingEncoder:
        """Return the model, which from now on embeds no line twice in this process."""
        from strata.embedding_models.remembering import shared  # noqa: PLC0415 - one process

        encoder = shared(self._needed().path)
        # One model is enough for all memories of a process.
        self.encoder = encoder
        return encoder

    def vector_of(self, question: str) -> list[float]:
        """Embed *question*; raises `ModelUnavailable`."""
        asked = self._needed().question(question)
        vector: list[float] = self.encoder.encode([asked])[0].tolist()
        return vector

    def _needed(self) -> ModelFolder:
        if self.model is None:
            raise ModelUnavailable(Notice("index.no-model"))
        return self.model

    def compares(self, text: str) -> bool:
        """Tell whether *text* can be compared by its meaning with what there is."""
        return comparing.compares(self.shelf, self.model, text)

    def has_vectors(self) -> bool:
        """Tell whether there is a model, and chunks that it has embedded or soon will."""
        return comparing.has_vectors(self.shelf, self.model)

    def search(
        self,
        sparse: Mapping[int, float],
        dense: Sequence[float] | None,
        *,
        scope: Scope,
        limit: int,
        times: Sequence[Scope] = (),
    ) -> Candidates:
        """
        Find the *limit* best chunks by keywords, and by vector where *dense* is given.

        As many more come from each of *times*, parts of *scope*. What changed on the disk
        is taken in first, and for *dense* so are a few vectors that are missing. Where the
        index cannot be opened the files are searched instead, by keywords alone. Raise
        `IndexUnavailable` where a newer Strata made it.
        """
        search = partial(self._search, sparse, dense, (scope, *times), limit)

        def ask() -> Candidates:
            if dense:
                self.embed_some()
            return self._mended(search)

        return self._or_files(ask, lambda scan: scan.search(sparse, scope, limit))

    def notes_of(self, times: Times, scope: Scope, limit: int) -> OfDays:
        """Return chunks of the days of *times*, or else of the nearest, and false."""
        from strata.search.indexing.times import notes_of  # noqa: PLC0415 - few questions

        read = partial(notes_of, times=times, scope=scope, limit=limit)
        nothing = Candidates(Found([], []), {}), False
        return self._or_files(lambda: self.shelf.peek(read, nothing), read)

    def status(self, *, compare: bool = True) -> IndexStatus:
        """Say what the index holds, changing nothing; *compare* it with the files too."""
        return self.shelf.peek(
            lambda manifest: status_of(manifest, self.workspace, compare=compare),
            IndexStatus(0, 0, 0, 0, 0),
        )

    def _take_in(
        self, paths: Sequence[str] | None, patience_seconds: float
    ) -> UpdateReport:
        from strata.search.indexing import writing  # noqa: PLC0415 - not for questions

        with self.shelf.opened(patience_seconds) as session:
            found = changes(self.workspace, session.manifest, paths, self._journal)
            told = has_terms(found.mark)
            known = paraphrases(self._journal) if told else Paraphrases()
            prepared = partial(
                writing.prepared, self.workspace, known=known, say=self.say
            )
            removed = writing.remove_files(session, found.removed)
            # Reading a few takes less time than opening the store once more.
            few = len(found.stale) <= _FEW_FILES
            written = [
                writing.write_files(session, batch)
                for batch in prepared(found.stale if few else ())
            ]
            if few:
                session.manifest.keep_meta(**{PARAPHRASED: found.mark})
        for batch in prepared(() if few else found.stale):
            with self.shelf.opened(patience_seconds) as session:
                written.append(writing.write_files(session, batch))
        if not few:
            with self.shelf.opened(patience_seconds) as session:
                session.manifest.keep_meta(**{PARAPHRASED: found.mark})
        files, chunks = (sum(numbers) for numbers in zip((0, 0), *written, strict=True))
        return UpdateReport(files, chunks, 0, removed)

    def _or_files(self, ask: Callable[[], T], instead: Callable[[Scanned], T]) -> T:
        """*ask* once the index is up to date, *instead* where it cannot be opened."""
        self.condition = "current"
        try:
            if not self.watch.is_quiet():
                with self.watch.renewed():
                    self._look_at_files()
            return ask()
        except (Busy, WorkspaceUnavailable, StoreUnreachable) as error:
            from strata.search.indexing.scan_search import Scanned  # noqa: PLC0415 - rare

            self.say(Notice("index.files-searched", error=error))
            self.condition = "down"
            known = paraphrases(self._journal)
            return instead(Scanned(self.workspace, known, self.say))

    def _look_at_files(self, patience_seconds: float = READER_PATIENCE_SECONDS) -> None:
        if not self.shelf.peek(
            lambda manifest: bool(
                changes(self.workspace, manifest, journal=self._journal)
            ),
            otherwise=True,
        ):
            return
        self._mended(lambda: self._take_in(None, patience_seconds))

    def open(self) -> None:
        """Open the store where nobody else has it, so that the next question need not."""
        with suppress(StrataError, Damaged), self.shelf.opened(ASKED_PATIENCE_SECONDS):
            pass

    def take_in_if_free(self) -> None:
        """Take in what changed on the disk, unless another process is at the index."""
        with suppress(Busy), self.watch.renewed():
            self._look_at_files(ASKED_PATIENCE_SECONDS)

    def embed_some(self) -> None:
        """Give the newest chunks their vectors; what fails leaves them to their words."""
        if self.shelf.peek(lambda manifest: manifest.has(PENDING), otherwise=False):
            with suppress(StrataError, sqlite3.DatabaseError, OSError, ValueError):
                self._fill(most=comparing.WHILE_ASKED, patience=ASKED_PATIENCE_SECONDS)

    def _search(
        self,
        sparse: Mapping[int, float],
        dense: Sequence[float] | None,
        scopes: Sequence[Scope],
        limit: int,
    ) -> Candidates:
        with self.shelf.opened(READER_PATIENCE_SECONDS) as session:
            if session.anew:
                raise Damaged("it was made anew")
            known = self._paraphrases(session.manifest)
            candidates = gathered(session, sparse, dense, scopes, limit, known)
            if dense and self.model and self.model.levels:
                candidates = candidates.on_scale(self.model.level)
            behind = dense and session.manifest.has(PENDING)
            self.condition = "behind" if behind else "current"
            return candidates

    def _grow_graph(self) -> None:
        with suppress(ImportError):  # the engine has no wheel here
            from strata.search.indexing.graphing import build_graph  # noqa: PLC0415 - 20 ms

            build_graph(self.shelf, WRITER_PATIENCE_SECONDS)

    def _mended(self, action: Callable[[], T]) -> T:
        """Do *action*, once more after damage was found, from the files themselves."""
        try:
            return action()
        except Damaged:
            pass
        try:
            self._take_in(None, WRITER_PATIENCE_SECONDS)
            return action()
        except Damaged as error:
            raise IndexUnavailable(
                Notice("index.breaks", error=error, root=self.shelf.root)
            ) from None


def _few_are_pending(manifest: Manifest) -> bool:
    return manifest.count(PENDING) <= comparing.WHILE_ASKED
