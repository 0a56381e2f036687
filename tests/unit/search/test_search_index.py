"""The index follows the files, whatever happens to it in between."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import date
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

import forking
import pytest
from builders_search import NOTES, ask, index_of, paths, tiny_model, write_notes

from strata.errors import IndexUnavailable, ModelUnavailable
from strata.hits import Tier
from strata.search.indexing import candidates
from strata.search.indexing.index import Index
from strata.search.indexing.reports import UpdateReport
from strata.search.language import keywords
from strata.search.stores.store import Scope
from strata.search.stores.vectors import VectorCache

if TYPE_CHECKING:
    from collections.abc import Callable

    from strata.search.indexing.manifest import Manifest

ROOT = Path(__file__).parents[3]
QUESTION = "Which database do we keep?"
NEWER = "PRAGMA user_version = 999"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """
    A workspace with the usual notes.
    """
    return write_notes(tmp_path / "workspace")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """
    A model with random weights.
    """
    return tiny_model(tmp_path / "tiny")


def contents(index: Index) -> set[tuple[str, int, int]]:
    """
    Every chunk that *index* finds: path and lines.
    """
    terms = {keywords.term_number(term): 1.0 for term in _all_terms(index)}
    found = index.search(terms, None, scope=Scope(), limit=1000)
    return {
        (
            found.rows[number].path,
            found.rows[number].start_line,
            found.rows[number].end_line,
        )
        for number, _ in found.found.sparse
    }


def _all_terms(index: Index) -> set[str]:
    text = "\n".join(
        path.read_text(encoding="utf-8", errors="replace")
        for path in index.workspace.rglob("*.md")
    )
    return set(keywords.document_terms(text)[0])


def test_update_takes_in_every_file(workspace: Path) -> None:
    """
    The first update reads all files, the second has nothing to do.
    """
    index = index_of(workspace)

    first, second = index.update(), index.update()

    assert (first.files, first.chunks, first.removed) == (len(NOTES), 7, 0)
    assert second == UpdateReport()


def test_changed_file_is_read_again(workspace: Path) -> None:
    """
    Only what changed is written: the new block, not the ones above it.
    """
    index = index_of(workspace)
    index.update()
    path = workspace / "memory/2026-11-20.md"
    path.write_text(
        path.read_text()
        + "\n## 18:00 session:55667788 | 3 messages\n- Bought a kayak.\n"
    )

    report = index.update()

    assert (report.files, report.chunks) == (1, 1)
    assert paths(ask(index, workspace, "kayak")) == ["memory/2026-11-20.md"]


def test_touched_file_costs_nothing(workspace: Path) -> None:
    """
    A file with another time and the same bytes is not indexed again.
    """
    index = index_of(workspace)
    index.update()
    os.utime(workspace / "MEMORY.md", (1, 1))

    assert index.update() == UpdateReport()
    assert index.status().stale == 0


def test_deleted_file_is_gone(workspace: Path) -> None:
    """
    What a deleted file said is not found any more.
    """
    index = index_of(workspace)
    index.update()
    (workspace / "memory/bank/world.md").unlink()

    assert index.update().removed == 1
    assert ask(index, workspace, "greenhouse").hits == ()


def test_paths_limit_the_update(workspace: Path) -> None:
    """
    Named paths alone are taken in.
    """
    index = index_of(workspace)

    report = index.update(["MEMORY.md"])

    assert report.files == 1
    assert index.status().stale == len(NOTES) - 1


def test_question_takes_in_what_changed(workspace: Path) -> None:
    """
    A note written a moment ago is found without an update.
    """
    index = index_of(workspace)
    index.update()
    write_notes(workspace, {"memory/2026-11-21.md": "- The kayak is red.\n"})

    assert paths(ask(index, workspace, "kayak")) == ["memory/2026-11-21.md"]


def test_moved_note_keeps_its_vectors(workspace: Path, model: Path) -> None:
    """
    A note that is archived is embedded no second time.
    """
    index = index_of(workspace, model)
    index.update(embed=True)
    shutil.rmtree(model / "model.onnx", ignore_errors=True)
    (model / "model.onnx").write_bytes(b"not to be opened")
    (workspace / "memory/archive/2026").mkdir(parents=True)
    (workspace / "memory/2026-11-19.md").rename(
        workspace / "memory/archive/2026/2026-11-19.md"
    )

    report = index_of(workspace, model).update(embed=True)

    assert (report.files, report.removed, report.embedded) == (1, 1, 2)


def test_rebuild_embeds_nothing_again(workspace: Path, model: Path) -> None:
    """
    A rebuilt index gets its vectors from those kept, not from the model.
    """
    index_of(workspace, model).update(embed=True)
    (model / "model.onnx").write_bytes(b"not to be opened")
    index = index_of(workspace, model)

    report = index.update(rebuild=True, embed=True)

    assert report.chunks == 7
    assert report.embedded == index.status().embedded > 0


def test_rebuild_forgets_old_texts(workspace: Path, model: Path) -> None:
    """
    The vectors of what stands nowhere any more go with a rebuild, and no others.
    """
    index = index_of(workspace, model)
    index.update(embed=True)
    before = _kept_vectors(workspace)
    (workspace / "memory/bank/world.md").unlink()
    index.update(embed=True)
    still = _kept_vectors(workspace)

    index.update(rebuild=True, embed=True)

    assert (before, still, _kept_vectors(workspace)) == (6, 6, 5)


def _kept_vectors(workspace: Path) -> int:
    with closing(sqlite3.connect(workspace / ".strata/index/vectors.sqlite")) as cache:
        count: int = cache.execute("SELECT count(*) FROM vectors").fetchone()[0]
    return count


def test_store_without_the_engine(
    workspace: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Where the engine has no wheel, Qdrant's client does the same work.
    """
    monkeypatch.setitem(sys.modules, "qdrant_edge", None)
    monkeypatch.delitem(sys.modules, "strata.search.stores.edge", raising=False)
    index = index_of(workspace, model)

    report = index.update(embed=True)

    assert (report.chunks, report.embedded) == (7, 6)
    assert paths(ask(index, workspace, "which version of better-sqlite3"))[0] == (
        "memory/2026-11-19.md"
    )


def test_foreign_chunks_are_left_to_keywords(workspace: Path, model: Path) -> None:
    """
    Chunks in a language that the model does not read get no vector, and are not pending.
    """
    index = index_of(workspace, model)

    report = index.update(embed=True)

    assert (report.embedded, index.status().pending) == (6, 0)
    assert paths(ask(index, workspace, "数据库迁移"))[0] == "memory/2026-11-20.md"


def test_words_come_before_vectors(workspace: Path, model: Path) -> None:
    """
    Chunks are found by their words while they wait for vectors.
    """
    index = index_of(workspace, model)
    index.update()

    assert index.status().pending == 7
    assert not index.has_vectors()
    assert ask(index, workspace, QUESTION).mode == "keyword"


@pytest.mark.parametrize(("number", "pending"), [(4, 4), (5, 0)])
def test_few_vectors_wait_for_a_question(
    tmp_path: Path, model: Path, number: int, pending: int
) -> None:
    """
    For a few chunks the model is not opened; more of them are embedded at once.
    """
    write_notes(tmp_path / "few", _days(number))
    index = index_of(tmp_path / "few", model)

    index.update(embed=True, few_wait=True)

    assert index.status().pending == pending
    assert ("encoder" in index.__dict__) == (not pending)


def test_question_embeds_the_newest_in_passing(tmp_path: Path, model: Path) -> None:
    """
    A question by meaning gives a few chunks their vectors, and the rest their turn.
    """
    workspace = write_notes(tmp_path / "few", _days(8))
    index = index_of(workspace, model)
    index.update(["memory/2026-11-01.md"], embed=True)
    index.update()
    write_notes(workspace, {"MEMORY.md": "- Greenhouses are heated with wood.\n"})

    first = ask(index, workspace, "Which database do we keep?")
    waiting = index.shelf.peek(_pending, otherwise=set[str]())
    second = ask(index_of(workspace, model), workspace, "Which database do we keep?")

    assert (first.mode, first.index) == ("hybrid", "behind")
    assert waiting == {f"memory/2026-11-0{day}.md" for day in (2, 3, 4, 5)}
    assert (second.mode, second.index) == ("hybrid", "current")
    assert index.status().pending == 0


def test_question_of_a_misfit_index_takes_all_in_first(
    tmp_path: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    An index that another version made, with a vector waiting, answers as before.
    """
    workspace = write_notes(tmp_path / "few", _days(3))
    index_of(workspace, model).update(embed=True, few_wait=True)
    before = ask(index_of(workspace, model), workspace, QUESTION)
    write_notes(workspace, {"MEMORY.md": "- Greenhouses are heated with wood.\n"})
    index_of(workspace, model).update(embed=True, few_wait=True)
    monkeypatch.setattr("strata.search.indexing.session.MADE", "other")

    after = ask(index_of(workspace, model), workspace, QUESTION)

    assert before.hits
    assert after.hits


def test_question_in_words_alone_waits_for_no_vector(
    workspace: Path, model: Path
) -> None:
    """
    For a question that the model does not read, an index without vectors is up to date.
    """
    index = index_of(workspace, model)
    index.update()

    assert ask(index, workspace, "数据库迁移").index == "current"
    assert index.status().pending == 7


def test_question_is_answered_where_nothing_can_be_embedded(
    workspace: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    A disk that is full leaves new chunks to their words.
    """
    index = index_of(workspace, model)
    index.update(embed=True)
    write_notes(workspace, {"memory/2026-11-21.md": "- The kayak is red.\n"})

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(VectorCache, "keep", full)

    answer = ask(index, workspace, "Which colour has the kayak?")

    assert paths(answer)[0] == "memory/2026-11-21.md"
    assert (answer.index, index.status().pending) == ("behind", 1)


def _pending(manifest: Manifest) -> set[str]:
    return {row.path for row in manifest.pending()}


def _days(number: int) -> dict[str, str]:
    return {
        f"memory/2026-11-{day:02}.md": f"- We keep database {day} in the cellar.\n"
        for day in range(1, number + 1)
    }


def test_progress_is_told(workspace: Path, model: Path) -> None:
    """
    Embedding says how far it is, up to the end.
    """
    seen: list[tuple[int, int]] = []

    index_of(workspace, model).update(
        embed=True, progress=lambda done, total: seen.append((done, total))
    )

    assert seen[-1] == (6, 6)


def test_embedding_needs_a_model(workspace: Path) -> None:
    """
    Without a model `embed` says so, and `update` goes on by keywords.
    """
    index = index_of(workspace)

    with pytest.raises(ModelUnavailable):
        index.embed()
    assert index.update(embed=True).embedded == 0


def test_other_model_starts_anew(workspace: Path, model: Path, tmp_path: Path) -> None:
    """
    Vectors of two models are never compared: the index is made anew, and says so.
    """
    index_of(workspace, model).update(embed=True)
    said: list[str] = []
    index = index_of(workspace, tiny_model(tmp_path / "other", seed=8), said)

    report = index.update(embed=True)

    assert (report.chunks, report.embedded) == (7, 6)
    assert said == ["the search index is made anew (another embedding model is in use)"]


def test_model_that_goes_leaves_the_vectors(workspace: Path, model: Path) -> None:
    """
    Without its model an index answers by keywords, and is whole when the model is back.
    """
    index_of(workspace, model).update(embed=True)

    assert ask(index_of(workspace), workspace, QUESTION).mode == "keyword"
    assert ask(index_of(workspace, model), workspace, QUESTION).mode == "hybrid"


def test_other_way_to_cut_starts_anew(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    An index made by other rules is made anew by itself.
    """
    index_of(workspace).update()
    monkeypatch.setattr("strata.search.indexing.session.MADE", "other")
    said: list[str] = []

    answer = ask(index_of(workspace, said=said), workspace, QUESTION)

    assert answer.hits
    assert said == [
        "the search index is made anew (notes are cut or read in a new way)"
    ]


def test_newer_index_is_left_alone(workspace: Path) -> None:
    """
    An index of a newer Strata raises an error that says what to do; a rebuild mends it.
    """
    index = index_of(workspace)
    index.update()
    manifest = workspace / ".strata/index/manifest.sqlite"
    with closing(sqlite3.connect(manifest)) as connection:
        connection.execute(NEWER)

    for action in (index.update, lambda: ask(index, workspace, QUESTION)):
        with pytest.raises(IndexUnavailable, match="--rebuild"):
            action()
    assert index.update(rebuild=True).chunks == 7


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _garbage(file: Path) -> None:
    with file.open("r+b") as opened:
        opened.write(b"\xff" * min(file.stat().st_size, 4096))


def _cut(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


@pytest.mark.slow
def test_damaged_index_mends_itself(workspace: Path) -> None:
    """
    Whichever file of the index is damaged, the next question is answered as before.
    """
    index = index_of(workspace)
    index.update()
    expected = str(sorted(contents(index)))
    damages: list[Callable[[Path], None]] = [_garbage, _cut, Path.unlink]
    ways = cycle(damages)
    folder = workspace / ".strata" / "index"
    for number in range(len(_files(folder))):
        files = _files(folder)
        file, damage = files[number % len(files)], next(ways)
        damage(file)

        # In a process of its own, because a bad map of a file can end the process.
        found = _contents_elsewhere(workspace)

        assert found == expected, (file, damage)


def _contents_elsewhere(workspace: Path) -> str:
    code = (
        "sys.path[:0] = sys.argv[2:];"
        "from pathlib import Path;"
        "from builders_search import index_of;"
        "from test_search_index import contents;"
        "print(sorted(contents(index_of(Path(sys.argv[1])))))"
    )
    done = forking.run(code, workspace, Path(__file__).parent)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


WRITE = """
import random, sys
sys.path[:0] = sys.argv[3:]
from pathlib import Path
from builders_search import index_of
workspace, randomly = Path(sys.argv[1]), random.Random(int(sys.argv[2]))
index = index_of(workspace)
print("started", flush=True)
while True:
    note = workspace / "memory" / f"2026-10-{randomly.randrange(1, 9):02}.md"
    if note.exists() and randomly.random() < 0.3:
        note.unlink()
    else:
        note.parent.mkdir(exist_ok=True)
        words = [f"## {n:02}:00 session:{n:08x} | 2 messages\\n- word{randomly.random()}"
                 for n in range(randomly.randrange(1, 20))]
        note.write_text("\\n\\n".join(words))
    index.update()
    print("updated", flush=True)
"""


def _writer(workspace: Path, seed: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITE, workspace, str(seed), ROOT, ROOT / "tests"],
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.slow
def test_killed_update_is_made_good(workspace: Path) -> None:
    """
    After a kill at any moment the index holds exactly what the files say.
    """
    randomly = random.Random(7)  # noqa: S311 - moments, not secrets
    for seed in range(8):
        with _writer(workspace, seed) as process:
            assert process.stdout is not None
            for _ in range(1 + randomly.randrange(4)):
                process.stdout.readline()
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(timeout=randomly.random() * 0.05)
            process.send_signal(signal.SIGKILL)
        index = index_of(workspace)

        found = contents(index)

        fresh = Index(workspace / ".strata" / "fresh", workspace, None)
        assert found == contents(fresh)
        shutil.rmtree(workspace / ".strata" / "fresh")


@pytest.mark.slow
def test_many_processes_share_the_index(workspace: Path) -> None:
    """
    While one process writes, others ask and get answers, with no error.
    """
    asking = (
        "import sys; sys.path[:0] = sys.argv[2:];"
        "from pathlib import Path;"
        "from builders_search import ask, index_of;"
        "workspace = Path(sys.argv[1]);"
        "index = index_of(workspace);"
        f"print(all(ask(index, workspace, {QUESTION!r}).hits for _ in range(8)))"
    )
    folders = [str(workspace), str(ROOT), str(ROOT / "tests")]
    command = [sys.executable, "-c", asking, *folders]
    index_of(workspace).update()
    with _writer(workspace, 1) as writer:
        askers = [
            subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            for _ in range(5)
        ]
        answers = [asker.communicate()[0] for asker in askers]
        running = writer.poll() is None
        writer.kill()

    assert running
    assert answers == ["True\n"] * 5


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_read_only_workspace_is_searched(workspace: Path) -> None:
    """
    Where no index can be written, the files themselves are searched, and that is said.
    """
    workspace.chmod(0o500)
    said: list[str] = []

    answer = ask(index_of(workspace, said=said), workspace, QUESTION)

    workspace.chmod(0o700)
    assert answer.hits
    assert len(said) == 1


@pytest.mark.parametrize("question", [QUESTION, "what happened yesterday?"])
def test_unusable_folder_is_searched_around(question: str, workspace: Path) -> None:
    """
    Where the index has no place, the files themselves are searched, and that is said.
    """
    (workspace / ".strata").write_text("a file where a folder should be")
    said: list[str] = []

    answer = ask(index_of(workspace, said=said), workspace, question)

    assert (answer.mode, answer.index) == ("keyword", "down")
    assert paths(answer)[0] in {"MEMORY.md", "memory/2026-11-19.md"}
    assert len(said) == 1
    assert "the files were searched instead" in said[0]


def test_busy_index_is_searched_around(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    While another handle keeps the index, a question is answered from the files.
    """
    monkeypatch.setattr("strata.search.indexing.index.READER_PATIENCE_SECONDS", 0.05)
    said: list[str] = []
    index = index_of(workspace, said=said)
    index.update()

    with index.shelf.locked(1):
        answer = ask(index, workspace, QUESTION)

    assert answer.hits
    assert "try again" in said[0]


FULL = """
import resource, signal, sys
sys.path[:0] = sys.argv[2:]
from pathlib import Path
from builders_search import ask, index_of
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
said = []
index = index_of(Path(sys.argv[1]), said=said)
print(bool(ask(index, Path(sys.argv[1]), "Which database do we keep?").hits))
print(len(said), said[0])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on file sizes")
def test_full_disk_is_searched_around(workspace: Path) -> None:
    """
    Where a file cannot grow, a question is answered from the files, in one line.
    """
    folders = [str(workspace), str(ROOT), str(ROOT / "tests")]

    done = subprocess.run(
        [sys.executable, "-c", FULL, *folders],
        capture_output=True,
        text=True,
        check=True,
    )

    found, line = done.stdout.splitlines()
    assert found == "True"
    assert line.startswith("1 the search index cannot be written (file too large)")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable_file_is_left_out(workspace: Path) -> None:
    """
    A file that may not be read is named, and the others are indexed.
    """
    (workspace / "MEMORY.md").chmod(0)
    said: list[str] = []

    report = index_of(workspace, said=said).update()

    assert report.files == len(NOTES) - 1
    assert said == ["MEMORY.md cannot be read (Permission denied); it is left out"]


def test_text_that_is_no_unicode_is_read(workspace: Path) -> None:
    """
    Bytes that are no UTF-8 become marks, and the words around them are found.
    """
    (workspace / "memory/latin.md").write_bytes(b"caf\xe9 kayak\r\n")
    index = index_of(workspace)

    assert paths(ask(index, workspace, "kayak")) == ["memory/latin.md"]


def test_status_of_nothing(workspace: Path) -> None:
    """
    Before the first update the index is empty, and asking that changes nothing.
    """
    status = index_of(workspace).status()

    assert (status.files, status.chunks) == (0, 0)
    assert not (workspace / ".strata").exists()


@pytest.mark.parametrize("few", [0, 1000])
def test_narrow_scope_finds_the_same(
    workspace: Path, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Whether a scope is looked up by ids or by the engine, it holds the same chunks.
    """
    for number in range(1, 8):
        note = workspace / "memory" / f"2026-10-{number:02}.md"
        note.write_text(f"- Service {number} was moved to Valkey.\n")
    monkeypatch.setattr(candidates, "_FEW", few)
    index = index_of(workspace)
    terms = {keywords.term_number("valkey"): 1.0}
    scopes = {
        Scope(since=date(2026, 10, 3)): {3, 4, 5, 6, 7},
        Scope(until=date(2026, 10, 2)): {1, 2},
        Scope(Tier.DAILY, date(2026, 10, 2), date(2026, 10, 4)): {2, 3, 4},
        Scope(Tier.WEEKLY): set(),
    }

    found = {
        scope: {
            row.day.day
            for row in index.search(terms, None, scope=scope, limit=50).rows.values()
            if row.day
        }
        for scope in scopes
    }

    assert found == scopes
