"""Everything a job works with, wired once: workspace, transcripts, hooks and index."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from strata.bundle import BUNDLE
from strata.clock import clock, local_timezone
from strata.embedding_models.folder import find_model
from strata.messages import to_people
from strata.sensitivity import rules_of
from strata.settings import load_settings
from strata.workspace import openclaw
from strata.workspace.allowances import Allowances
from strata.workspace.files import Workspace
from strata.workspace.layout import SHARED, SHARED_COPIES, Layout, vault_root
from strata.workspace.scopes import PRIVATE, Scopes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime, tzinfo
    from pathlib import Path

    from strata.model.asking import Model
    from strata.models import SessionKind
    from strata.plugins import Plugins
    from strata.search.answering.reranking import Reranker
    from strata.search.indexing.index import Index
    from strata.search.stores.store import Remote
    from strata.sensitivity import Rules
    from strata.settings import Settings
    from strata.transcripts.openclaw import Transcripts
    from strata.transcripts.places import ImportedFolder
    from strata.workspace.journal import Journal
    from strata.workspace.machines import Machines
    from strata.workspace.snapshot import Snapshot
    from strata.workspace.tombstones import Tombstones


@dataclass(frozen=True)
class Memory:
    """One agent's memory; what a job does not use is never made."""

    workspace: Workspace
    state_folder: Path
    agent: str
    settings: Settings
    timezone: tzinfo
    now: datetime
    # The private memory, of which this one is a scope; and the name of that scope.
    parent: Memory | None = None
    scope: str = PRIVATE
    # What the command line sets, which wins over the settings file: ``key=value``.
    overrides: tuple[str, ...] = ()

    @classmethod
    def open(  # noqa: PLR0913 - one a shared option
        cls,
        *,
        workspace: str | None = None,
        state_dir: str | None = None,
        agent: str = "main",
        now: str | None = None,
        overrides: Iterable[str] = (),
        locked: bool = False,
    ) -> Memory:
        """
        Find the workspace and read its settings, as the command line names them.

        *now* is ISO 8601 and replaces the clock. Raise a `StrataError` where there is no
        workspace, a setting is wrong, or memory is encrypted and has no key; *locked* is
        for what can do without.
        """
        state = openclaw.state_folder(state_dir)
        folder = Workspace(openclaw.workspace_folder(workspace, state, agent))
        told = tuple(overrides)
        settings = load_settings(Layout(folder.root).settings_file, overrides=told)
        zone = _timezone(settings, state)
        folder.encrypted_notes = settings.encryption_notes
        moment = clock(now, zone)
        memory = cls(folder, state, agent, settings, zone, moment, overrides=told)
        if not locked:
            memory.unlock()
        return memory

    def unlock(self) -> None:
        """Raise `KeyUnavailable` where memory is encrypted and there is no key for it."""
        if vault_root(self.workspace.layout.private) is None:
            return
        from strata.workspace.vault import unlock  # noqa: PLC0415 - few encrypt

        unlock(self.workspace.layout.private, self.settings.encryption_key_file)

    @property
    def private(self) -> Memory:
        """The owner's own memory, which this one may be."""
        return self.parent or self

    @property
    def is_of_one(self) -> bool:
        """Whether one person speaks in it, the owner or another, whose page it can keep."""
        return self.parent is None or self.scope.startswith("user:")

    @cached_property
    def scopes(self) -> Scopes:
        """The memories of groups and of other people, beside the private one."""
        return self.parent.scopes if self.parent else Scopes(self.workspace.root)

    def within(self, scope: str, *, root: Path | None = None) -> Memory:
        """
        Return the memory of the *scope* of that name, in a workspace of its own.

        What is in one is nowhere in the other: notes, index, journal, caches and logs.
        *root* stands for its folder where that must not be made.
        """
        private = self.private
        if scope == PRIVATE:
            return private
        notes = private.settings.encryption_notes
        return replace(
            private,
            workspace=Workspace(root or private.scopes.make(scope), notes),
            # A repository of the owner's is no place for what others said.
            settings=replace(private.settings, git=False),
            parent=private,
            scope=scope,
        )

    def path_in_private(self, path: str) -> str:
        """Return *path* of this workspace as the private one names it."""
        if self.parent is None:
            return path
        place = self.scopes.place(self.scope)
        return f"{place.relative_to(self.parent.workspace.root).as_posix()}/{path}"

    def transcripts(
        self, known_kinds: Mapping[str, SessionKind] | None = None
    ) -> Transcripts:
        """Return the conversations; *known_kinds*, or else what the last sync learned."""
        from strata.transcripts.openclaw import Transcripts  # noqa: PLC0415

        if known_kinds is None:
            from strata.workspace.seen import Seen  # noqa: PLC0415 - not every job

            known_kinds = Seen(self.private.workspace, under="").kinds
        return Transcripts(
            self.state_folder,
            self.agent,
            known_kinds=known_kinds,
            never=self.never_stored,
            allowing=self.private.allowances,
            imported=self._imported_folders(),
        )

    def _imported_folders(self) -> list[ImportedFolder]:
        from strata.transcripts.places import ImportedFolder  # noqa: PLC0415 - as above

        roots = {PRIVATE: self.private.workspace.root}
        roots |= {name: self.scopes.place(name) for name in self.scopes.names()}
        return [
            ImportedFolder(name, Layout(root).imported_folder)
            for name, root in roots.items()
        ]

    @cached_property
    def never_stored(self) -> Rules:
        """What the user's own rules keep out."""
        return rules_of(self.settings.trust_never_store, setting="trust.never_store")

    @cached_property
    def allowances(self) -> Allowances:
        """What looks secret and may be kept."""
        return Allowances(self.private.workspace, self.settings, self.scopes)

    def masked(self, text: str) -> str:
        """Return *text*, whoever wrote it, without what no record and no line may hold."""
        from strata.transcripts.redaction import redact  # noqa: PLC0415 - patterns

        return self.never_stored.removed(redact(text, self.allowances))

    @cached_property
    def plugins(self) -> Plugins:
        """The plugins that take part in this run."""
        if self.parent:
            return self.parent.plugins
        from strata.plugins import plugin_manager  # noqa: PLC0415

        return plugin_manager(BUNDLE / "hooks")

    @cached_property
    def journal(self) -> Journal:
        """What happened so far."""
        from strata.workspace.journal import Journal  # noqa: PLC0415

        return Journal(self.workspace.layout.journal_file)

    @cached_property
    def model(self) -> Model | None:
        """The language model of this run, None where the settings name none."""
        if self.settings.model_provider == "none":
            return None
        if self.parent:
            # One budget for all; what was answered is kept apart.
            model = self.parent.model
            return model.keeping(self.workspace) if model else None
        from strata.model.opening import (  # noqa: PLC0415 - few runs ask a model
            bundled_provider,
            open_model,
        )
        from strata.transcripts.redaction import redact  # noqa: PLC0415 - the same

        named = self.plugins.hook.model_provider(
            name=self.settings.model_provider, settings=self.settings
        )
        return open_model(
            named or bundled_provider(self.settings, self.state_folder, self.agent),
            self.workspace,
            self.settings,
            now=self.now,
            redact=partial(redact, allowed=self.allowances),
            say=to_people,
        )

    @property
    def model_if_open(self) -> Model | None:
        """The language model, where this run has come to use it."""
        found: Model | None = self.__dict__.get("model")
        return found

    def watch_over(self, who: str, what: str) -> None:
        """Let the audit log know that *who* does *what*, unless the settings say no."""
        if self.settings.audit:
            from strata.workspace.audit import AuditLog, Witness  # noqa: PLC0415

            log = AuditLog(self.workspace.layout.audit_folder)
            self.workspace.witness = Witness(log, who, what)

    def saw(self, *places: str) -> None:
        """Let the audit log know that *places* were shown."""
        if self.workspace.witness:
            self.workspace.witness.read(*places)

    @cached_property
    def tombstones(self) -> Tombstones:
        """What was forgotten, and must not come back."""
        from strata.workspace.tombstones import Tombstones  # noqa: PLC0415 - few forget

        return Tombstones(self.workspace, self.state_folder)

    @cached_property
    def machines(self) -> Machines | None:
        """The machines that share this memory, None where it is on this one alone."""
        folder = self.settings.machines_folder
        if not folder or self.parent:
            # What groups and other people said stays on the machine that heard it.
            return None
        from strata.workspace.machines import Machines  # noqa: PLC0415 - few have several

        return Machines(self.workspace, self.state_folder, folder)

    @property
    def has_forgotten(self) -> bool:
        """Whether anything was ever forgotten here or everywhere; cheaply told."""
        both = (self, self.private)
        return any(each.workspace.layout.forgotten_file.exists() for each in both)

    @property
    def shares(self) -> bool:
        """Whether agents here share anything, or a copy is left; cheaply told."""
        copies = self.workspace.root / SHARED_COPIES
        return (self.state_folder / SHARED).is_dir() or copies.is_dir()

    @cached_property
    def index(self) -> Index:
        """The search index; what it had to mend goes to stderr."""
        return self.open_index(to_people)

    def open_index(self, say: Callable[[str], None]) -> Index:
        """Return the search index, which tells people by *say* what it had to mend."""
        from strata.search.indexing.index import Index  # noqa: PLC0415 - 20 ms

        snapshot = self.index_snapshot()
        return Index(
            snapshot.live if snapshot else self.workspace.layout.index_folder,
            self.workspace.root,
            self.model_folder,
            journal=self.workspace.layout.journal_file,
            remote=self.qdrant,
            snapshot=snapshot,
            say=say,
        )

    def index_snapshot(self) -> Snapshot | None:
        """Return where the index of an encrypted memory lives, None for any other."""
        if vault_root(self.workspace.layout.private) is None:
            return None
        from strata.workspace.snapshot import wanted_snapshot  # noqa: PLC0415 - few

        return wanted_snapshot(self.workspace)

    @cached_property
    def reranker(self) -> Reranker | None:
        """The cross-encoder that the settings name, opened when it is first used."""
        name = self.settings.search_reranker
        if not name:
            return None
        from strata.embedding_models.folder import reranker_folder  # noqa: PLC0415
        from strata.search.answering.reranking import Reranker  # noqa: PLC0415 - few have one

        return Reranker(name, reranker_folder(BUNDLE, name), to_people)

    @property
    def qdrant(self) -> Remote | None:
        """The server that keeps the index, None where this machine does."""
        if not (url := self.settings.qdrant_url):
            return None
        from strata.search.stores.store import remote_at  # noqa: PLC0415 - few have a server
        from strata.workspace.own_folder import OwnFolder  # noqa: PLC0415 - few have a server

        key, own = (
            os.environ.get("QDRANT_API_KEY", ""),
            self.settings.qdrant_own_collection,
        )
        installation = OwnFolder(self.state_folder).installation_id()
        return remote_at(url, key, self.workspace.root, installation, own=own)

    @property
    def model_folder(self) -> Path | None:
        """
        Where the embedding model lies, or None where there is none.

        One of the catalogue that could not be had yet is stood in for by the default one.
        """
        name = self.settings.embedding_model
        if folder := find_model(BUNDLE, name):
            return folder
        from strata.embedding_models.catalogue import CATALOGUE  # noqa: PLC0415 - rare

        return find_model(BUNDLE) if name in CATALOGUE else None

    def with_journal(self, journal: Journal) -> Memory:
        """Return the same memory with another *journal*; what is open stays so."""
        other = replace(self)
        other.__dict__.update(self.__dict__, journal=journal)
        return other

    def with_index(self, index: Index) -> Memory:
        """Return the same memory with an *index* that is open already."""
        other = replace(self)
        other.__dict__["index"] = index
        return other


def _timezone(settings: Settings, state: Path) -> tzinfo:
    if settings.timezone:
        return local_timezone(settings.timezone)
    told_by = "agents.defaults.userTimezone in OpenClaw's configuration"
    return local_timezone(openclaw.user_timezone(state), told_by=told_by)
