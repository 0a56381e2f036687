"""update: what changed on the disk reaches the search index."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from strata.bundle import BUNDLE
from strata.embedding_models.folder import (
    DEFAULT_NAME,
    find_model,
    models_folder,
    read_model,
    usable_model,
)
from strata.errors import IndexUnavailable, ModelUnavailable, StrataError
from strata.jobs.language import has_chinese
from strata.messages import Notice, to_people
from strata.workspace.folders import for_everybody
from strata.workspace.settings_file import change_setting

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from strata.embedding_models.catalogue import EmbeddingModel
    from strata.memory import Memory
    from strata.progress import Progress
    from strata.search.indexing.reports import IndexStatus, UpdateReport

    Say = Callable[[str], None]


def update(
    memory: Memory, *, rebuild: bool = False, progress: Progress | None = None
) -> UpdateReport:
    """Take in what changed, or everything anew with *rebuild*; embed what is missing."""
    if memory.has_forgotten:
        from strata.jobs.forgetting.keeping import (  # noqa: PLC0415 - few forget
            notice_forgotten,
        )

        notice_forgotten(memory)
    if memory.shares:
        _with_shared(memory, None, to_people)
    get_glosses(memory.model_folder)
    return memory.index.update(rebuild=rebuild, embed=True, progress=progress)


def embed(
    memory: Memory, *, progress: Progress | None = None, say: Say
) -> UpdateReport:
    """
    Get the models where they are missing, then embed what is not embedded yet.

    Where another model was chosen the old one answers until that is done. Raise
    `ModelUnavailable` where it cannot be had.
    """
    get_model(memory.settings.embedding_model, say)
    get_glosses(memory.model_folder)
    if memory.settings.search_reranker:
        from strata.embedding_models.download import (  # noqa: PLC0415 - few have one
            ensure_reranker,
        )

        with for_everybody():
            ensure_reranker(BUNDLE, memory.settings.search_reranker, say=say)
    return memory.open_index(say).update(embed=True, progress=progress)


def refresh(memory: Memory, paths: Sequence[str] | None, *, say: Say) -> None:
    """
    Take in *paths* after they were written, or with None whatever has changed; those of
    each scope go into its own index.

    A few vectors wait for the next question, which opens the model anyway: that takes
    longer than all the rest. The notes are safe by then, and the question would take them
    in as well: a failure is said and nothing else.
    """
    if memory.parent:
        _refresh(memory, paths, say)
        return
    if memory.shares:
        paths = _with_shared(memory, paths, say)
    for scope, theirs in memory.scopes.by_scope(paths).items():
        _refresh(memory.within(scope), theirs, say)


def _with_shared(
    memory: Memory, paths: Sequence[str] | None, say: Say
) -> Sequence[str] | None:
    """Bring up what agents share; add to *paths* what changed of it in this memory."""
    from strata.jobs.sharing.publishing import publish  # noqa: PLC0415 - few share

    try:
        changed = publish(memory)
    except StrataError as error:
        say(Notice("share.behind", error=error))
        changed = []
    return None if paths is None else [*paths, *changed]


def _refresh(memory: Memory, paths: Sequence[str] | None, say: Say) -> None:
    get_glosses(memory.model_folder)
    try:
        memory.open_index(say).update(paths, embed=True, few_wait=True)
    except StrataError as error:
        say(Notice("update.behind", error=error))


def index_state(memory: Memory, *, compare: bool = True) -> str:
    """Say in one line what the index holds, and how many files changed if *compare*."""
    try:
        found = memory.index.status(compare=compare)
    except IndexUnavailable as error:
        return error.told
    if not found.chunks and not found.stale:
        return Notice("status.index-empty")
    counts = {
        "embedded": found.embedded,
        "foreign": found.chunks - found.embedded - found.pending,
        "pending": found.pending,
        "stale": found.stale,
    }
    parts = [
        Notice(f"status.index-{name}", count=count)
        for name, count in counts.items()
        if count or name == "embedded"
    ]
    return Notice("words.list", parts=[held_in(found), *parts])


def held_in(index: IndexStatus) -> Notice:
    """Say how much the *index* holds."""
    return Notice(
        "status.index-chunks",
        chunks=Notice("count.chunks", count=index.chunks),
        files=Notice("count.files", count=index.files),
    )


def model_state(memory: Memory) -> str:
    """Say in one line which embedding model there is."""
    folder = memory.model_folder
    if folder is None:
        return Notice("status.embedding-none")
    try:
        model = read_model(folder)
    except StrataError as error:
        return error.told
    languages = list(model.languages) or Notice("status.every-language")
    return Notice("status.embedding", name=model.name, languages=languages)


def get_glosses(model: Path | None) -> None:
    """Make the dictionary with which the *model* in a folder reads Chinese, if need be."""
    from strata.embedding_models.dictionary import ensure_glosses  # noqa: PLC0415 - rare

    found = usable_model(model, lambda _line: None)
    if found is not None and found.needs_glosses:
        with for_everybody():
            ensure_glosses(found.path)


def choose_model(memory: Memory, name: str, say: Say) -> Memory:
    """
    Return *memory* with the embedding model *name*, once that is there and passed its test.

    Raise `ModelUnavailable`, and change nothing, where it does not.
    """
    get_model(name, say)
    if name != memory.settings.embedding_model:
        change_setting(memory.private.workspace, "embedding.model", name)
    settings = replace(memory.settings, embedding_model=name)
    return replace(memory, settings=settings)


def better_model(memory: Memory) -> EmbeddingModel | None:
    """Return a model that reads the owner's languages, where the one in use does not."""
    from strata.embedding_models.catalogue import BILINGUAL  # noqa: PLC0415 - rare

    # Whoever has chosen one is not told to choose another.
    if memory.settings.embedding_model != DEFAULT_NAME:
        return None
    return BILINGUAL if has_chinese(memory) else None


def get_model(name: str, say: Say) -> Path:
    """Return the folder of the model *name*, which is fetched where it is missing."""
    from strata.embedding_models.catalogue import CATALOGUE  # noqa: PLC0415 - rare

    if model := CATALOGUE.get(name):
        from strata.embedding_models.download import ensure_model  # noqa: PLC0415 - rare

        with for_everybody():
            return ensure_model(BUNDLE, say=say, model=model)
    if folder := find_model(BUNDLE, name):
        return folder
    path = models_folder(BUNDLE) / name
    known = list(CATALOGUE)
    raise ModelUnavailable(Notice("update.no-model-there", path=path, known=known))
