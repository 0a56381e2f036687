"""The index on a Qdrant server: one that speaks its HTTP, and a real one where given."""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
import warnings
from typing import TYPE_CHECKING

import pytest
import tiny_bilingual
from builders_search import (
    TODAY,
    ask,
    identity,
    paths,
    point,
    tiny_model,
    write_notes,
)
from builders_server import KINDS, Notes, Server, server_of
from fake_qdrant import KEY, FakeQdrant
from qdrant_client import models

from strata.embedding_models.download import build_model, probe_model
from strata.errors import StoreUnreachable
from strata.search.indexing.index import Index
from strata.search.indexing.purging import purge
from strata.search.stores import patience, qdrant
from strata.search.stores.server import new_client, open_server
from strata.search.stores.store import Remote, Scope, StoreDamaged

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

QUESTION = "which database do we keep?"


@pytest.fixture(params=KINDS)
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """
    A running server of each kind.
    """
    with server_of(request.param) as found:
        yield found


@pytest.fixture
def fake() -> Iterator[FakeQdrant]:
    """
    A server that can be made to fail.
    """
    with server_of("fake") as found:
        assert found.fake
        yield found.fake


@pytest.fixture
def failing(fake: FakeQdrant) -> Server:
    return Server(fake.url, KEY, fake, "test")


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Nobody waits half a minute for a server that is gone on purpose.
    """
    monkeypatch.setattr(patience, "_READ_SECONDS", 0.5)
    monkeypatch.setattr(patience, "_WRITE_SECONDS", 2.0)
    monkeypatch.setattr(patience, "_FIRST_PAUSE_SECONDS", 0.01)


def index_on(
    server: Server | None,
    workspace: Path,
    said: list[str] | None = None,
    *,
    own: bool = False,
    model: Path | None = None,
) -> Index:
    """
    The index of *workspace* on *server*, or in its own folder.
    """
    place = server.remote(workspace.name, own=own) if server else None
    folder = workspace / ".strata" / "index"
    say = ([] if said is None else said).append
    return Index(folder, workspace, model, remote=place, say=say)


def points_of(server: Server, name: str) -> dict[str, set[str]]:
    """
    Which paths the server holds of the workspace *name*, for each of its generations.
    """
    mine = models.MatchValue(value=server.remote(name).tenant)
    where = models.Filter(must=[models.FieldCondition(key="workspace", match=mine)])
    found: dict[str, set[str]] = {}
    # To open a client takes a tenth of a second.
    client = server.fake.engine if server.fake else server.client
    for collection in server.names():
        points, _ = client.scroll(collection, where, limit=10_000)
        for each in points:
            if each.payload and "generation" in each.payload:
                generation = found.setdefault(each.payload["generation"], set())
                generation.add(each.payload["path"])
    return found


@pytest.mark.parametrize("own", [False, True], ids=["shared", "own"])
def test_tenants_see_and_touch_only_theirs(server: Server, *, own: bool) -> None:
    """
    Two workspaces with the same chunk keep a point each, and neither sees the other's.
    """
    first, second = server.store("a", own=own), server.store("b", own=own)
    for store in (first, second):
        store.upsert([point(1, {1: 1.0}), point(2, {2: 1.0})])
    first.add_vectors({identity(1): [[1.0, 0.0, 0.0, 0.0]]})
    second.delete([identity(1)])

    found = first.search({1: 1.0}, [1.0, 0.0, 0.0, 0.0], Scope(since=TODAY), 10)

    assert [number for number, _ in found.sparse] == [identity(1)]
    assert [number for number, _ in found.dense] == [identity(1)]
    assert second.search({1: 1.0}, None, Scope(), 10).sparse == []
    assert second.terms_of([identity(1), identity(2)]) == {2}
    second.clear()
    assert first.count() == 2
    assert second.count() == 0 if not own else len(server.names()) == 1


def test_shared_collection_is_made_for_tenants(fake: FakeQdrant) -> None:
    """
    It goes by an alias, has a graph for each tenant and none of all, and its own indexes.
    """
    Server(fake.url, KEY, fake, "test").store()

    made = fake.made["strata_4_1"]
    assert fake.engine.get_aliases().aliases[0].alias_name == "strata_4"
    assert made.hnsw_config
    assert (made.hnsw_config.m, made.hnsw_config.payload_m) == (0, 16)
    assert set(fake.indexed["strata_4_1"]) == {
        "generation",
        "workspace",
        "tier",
        "date",
    }


def test_two_machines_may_begin_at_once(
    failing: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Who finds that another was faster to make the collection uses it.
    """
    assert failing.fake
    engine = failing.fake.engine
    failing.store("b")
    exists = engine.collection_exists

    def not_yet(_name: str) -> bool:
        monkeypatch.setattr(engine, "collection_exists", exists)
        return False

    monkeypatch.setattr(engine, "collection_exists", not_yet)
    slow = failing.store()
    slow.upsert([point(1, {1: 1.0})])

    assert slow.count() == 1
    assert list(failing.fake.made) == ["strata_4_1"]


def test_requests_stay_small(failing: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    No request holds more than a few hundred points, or more numbers than it may.
    """
    assert failing.fake
    store = failing.store()

    store.upsert([point(number, {1: 1.0}) for number in range(600)])

    assert failing.fake.calls.count("PUT points") == 3
    assert store.count() == 600
    monkeypatch.setattr(qdrant, "_MOST_NUMBERS", 2000)
    failing.fake.largest = 0
    window = [0.123456789012345678, 0.5, -0.25, 0.75]
    store.add_vectors({identity(number): [window] * 100 for number in range(40)})
    assert failing.fake.calls.count("PUT points/vectors") == 8
    assert failing.fake.largest < 2000 * 11 + 8000
    store.add_vectors({identity(1): [window] * 900})
    assert failing.fake.calls.count("PUT points/vectors") == 9


def test_restarting_server_is_waited_for(failing: Server) -> None:
    """
    What fails for a moment is tried again, and a point is there once.
    """
    assert failing.fake
    store = failing.store()
    failing.fake.failures = 3

    store.upsert([point(1, {1: 1.0})])

    assert store.count() == 1


@pytest.mark.parametrize("status", [429, 503])
def test_busy_server_says_when(
    failing: Server, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    A server that has too much to do is asked again when it wants, and not before.
    """
    assert failing.fake
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    store = failing.store()
    failing.fake.failures, failing.fake.failure = 2, status
    failing.fake.headers = {"Retry-After": "1"}

    store.upsert([point(1, {1: 1.0})])

    assert slept == [1.0, 1.0]
    assert store.count() == 1


def test_pause_longer_than_patience_is_told(failing: Server) -> None:
    """
    Who is to come back in an hour gives up at once; what was to be written stays noted.
    """
    assert failing.fake
    store = failing.store()
    failing.fake.failures, failing.fake.failure = 1, 429
    failing.fake.headers = {"Retry-After": "3600"}

    with pytest.raises(StoreUnreachable, match="429"):
        store.upsert([point(1, {1: 1.0})])


def test_wrong_key_is_told_at_once(failing: Server) -> None:
    """
    An answer that will not change is not waited for, and says what to look at.
    """
    with pytest.raises(StoreUnreachable, match="QDRANT_API_KEY"):
        open_server(Remote(failing.url, "wrong", "a"), 4, Notes())


@pytest.mark.parametrize(
    "stranger", [b"<html>Log in</html>", b"[]", b"\xff", b'{"result":1}']
)
def test_another_program_in_its_place(
    failing: Server, tmp_path: Path, stranger: bytes
) -> None:
    """
    A network that wants a login answers with a page: the files are searched, at once.
    """
    assert failing.fake
    said: list[str] = []
    index_on(failing, write_notes(tmp_path)).update()
    failing.fake.stranger = stranger

    answer = ask(index_on(failing, tmp_path, said), tmp_path, QUESTION)

    assert answer.index == "down"
    assert paths(answer)
    assert "does not answer as Qdrant does" in said[0]
    assert len(said[0].splitlines()) == 1


def test_key_over_http_warns_nobody_at_each_command(failing: Server) -> None:
    """
    The client would say so, with a place in our code, whenever it is made.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        new_client(failing.url, KEY).close()


@pytest.mark.parametrize("own", [False, True], ids=["shared", "own"])
def test_answers_are_those_of_the_own_engine(
    server: Server, tmp_path: Path, *, own: bool
) -> None:
    """
    The index finds the same on a server as in its folder, whoever else is there.
    """
    write_notes(tmp_path / "one")
    write_notes(tmp_path / "two")
    write_notes(tmp_path / "b", {"MEMORY.md": "# All\n\n" + "- database keep\n" * 9})
    near = index_on(None, tmp_path / "one")
    far = index_on(server, tmp_path / "two", own=own)
    for index in (near, far, index_on(server, tmp_path / "b")):
        index.update()

    for text in (QUESTION, "数据库迁移", "better-sqlite3"):
        own_answer = ask(near, tmp_path / "one", text)
        other = ask(far, tmp_path / "two", text)
        assert paths(own_answer) == paths(other)
        assert [hit.score for hit in other.hits] == pytest.approx(
            [hit.score for hit in own_answer.hits], rel=1e-3
        )
        assert other.index == "current"


def test_server_that_went_away_costs_nothing(failing: Server, tmp_path: Path) -> None:
    """
    While it is gone the files are searched; what was written meanwhile is there later.
    """
    assert failing.fake
    said: list[str] = []
    index = index_on(failing, write_notes(tmp_path), said)
    index.update()
    failing.fake.down = True
    note = "# 2026-11-18\n\n- The heliostat was calibrated to 41 degrees.\n"
    (tmp_path / "memory" / "2026-11-18.md").write_text(note, encoding="utf-8")

    gone = ask(index, tmp_path, "heliostat degrees")
    failing.fake.down = False
    back = ask(index, tmp_path, "heliostat degrees")

    assert paths(gone) == paths(back) == ["memory/2026-11-18.md"]
    assert (gone.index, back.index) == ("down", "current")
    assert "the files were searched instead" in said[0]


def test_index_moves_in_any_direction(server: Server, tmp_path: Path) -> None:
    """
    It is made anew where it belongs now, and nothing of it stays in the other collection.
    """
    said: list[str] = []
    write_notes(tmp_path / "a")
    index_on(None, tmp_path / "a", said).update()
    before = server.names()

    moved = ask(index_on(server, tmp_path / "a", said), tmp_path / "a", "database")
    alone = ask(
        index_on(server, tmp_path / "a", said, own=True), tmp_path / "a", "database"
    )
    own = [name for name in server.names() if server.remote("a").tenant in name]
    held = points_of(server, "a")
    home = ask(index_on(None, tmp_path / "a", said), tmp_path / "a", "database")
    again = index_on(server, tmp_path / "a", said)
    again.update()

    assert paths(moved) == paths(alone) == paths(home) != []
    assert len(own) == len(held) == 1
    assert set(server.names()) - set(before) <= {"strata_384", "strata_384_1"}
    assert len(points_of(server, "a")) == 1
    assert all("another place" in line for line in said)


@pytest.mark.parametrize("own", [False, True], ids=["shared", "own"])
def test_moved_folder_leaves_nothing_behind(
    server: Server, tmp_path: Path, *, own: bool
) -> None:
    """
    Nobody would ever remove, or forget from, what stays under the name of the old place.
    """
    index_on(server, write_notes(tmp_path / "a"), own=own).update()
    assert len(points_of(server, "a")) == 1
    (tmp_path / "a").rename(tmp_path / "b")

    answer = ask(index_on(server, tmp_path / "b", own=own), tmp_path / "b", QUESTION)

    assert answer.index == "current"
    assert points_of(server, "a") == {}
    assert len(points_of(server, "b")) == 1
    assert not [each for each in server.names() if server.remote("a").tenant in each]


def test_copy_of_a_folder_costs_the_first_one_an_update(
    server: Server, tmp_path: Path
) -> None:
    """
    Each has its own points after that, and answers from them.
    """
    first, second = write_notes(tmp_path / "a"), tmp_path / "b"
    index_on(server, first).update()
    shutil.copytree(first, second)
    for _ in range(2):
        for workspace in (second, first):
            answer = ask(index_on(server, workspace), workspace, QUESTION)
            assert paths(answer)
    kept = (points_of(server, "a"), points_of(server, "b"))

    said: list[str] = []
    for workspace in (first, second):
        ask(index_on(server, workspace, said), workspace, QUESTION)

    assert not said
    assert (points_of(server, "a"), points_of(server, "b")) == kept
    assert all(len(each) == 1 for each in kept)


@pytest.mark.parametrize("own", [False, True], ids=["shared", "own"])
def test_rebuild_is_beside_what_answers(
    server: Server, tmp_path: Path, *, own: bool
) -> None:
    """
    Whoever asks meanwhile finds all there was, and in the end one generation is left.
    """
    workspace = write_notes(tmp_path / "a")
    for number in range(40):
        text = f"# Note\n\n- The heliostat number {number} was calibrated.\n"
        (workspace / "memory" / "bank" / f"n{number}.md").write_text(text)
    index_on(server, workspace, own=own).update()
    (before,) = points_of(server, "a")
    answers: list[tuple[list[str], str]] = []
    done = threading.Event()

    def keep_asking() -> None:
        reader = index_on(server, workspace, own=own)
        while not done.is_set() or not answers:
            answer = ask(reader, workspace, QUESTION)
            answers.append((paths(answer), answer.index))

    thread = threading.Thread(target=keep_asking)
    thread.start()
    report = index_on(server, workspace, own=own).update(rebuild=True)
    done.set()
    thread.join()

    (after,) = points_of(server, "a").items()
    assert (report.files, len(after[1])) == (45, 45)
    assert after[0] != before
    assert len({str(each) for each in answers}) == 1
    assert answers[0][1] == "current"
    assert not (workspace / ".strata/index/next").exists()


def test_rebuild_killed_anywhere_leaves_what_answers(
    failing: Server, tmp_path: Path
) -> None:
    """
    Whichever request was the last, the old index or the new one answers, and the next
    update leaves one generation on the server and nothing beside the index.
    """
    assert failing.fake
    workspace = write_notes(tmp_path / "a")
    index_on(failing, workspace).update()
    expected = ask(index_on(failing, workspace), workspace, QUESTION)
    last, was_killed = 0, True

    while was_killed:
        last += 1
        was_killed = _rebuild_killed_at(last, failing, workspace)

        said: list[str] = []
        index = index_on(failing, workspace, said)
        meanwhile = ask(index, workspace, QUESTION)
        index.update()
        assert (paths(meanwhile), meanwhile.index) == (paths(expected), "current")
        assert said == []
        assert len(points_of(failing, "a")) == 1
        assert not (workspace / ".strata/index/next").exists()
    assert last > 15


def _rebuild_killed_at(number: int, server: Server, workspace: Path) -> bool:
    """
    Rebuild in a process that is killed at its request *number*; say whether it was.
    """
    assert server.fake
    begun = threading.Event()
    child: list[int] = []
    left = [number]

    def kill(_call: int) -> None:
        begun.wait()
        left[0] -= 1
        if left[0] == 0:
            os.kill(child[0], signal.SIGKILL)

    server.fake.before = kill
    child.append(os.fork())
    if child[0] == 0:
        try:
            index_on(server, workspace).update(rebuild=True)
            os._exit(0)
        finally:
            os._exit(1)
    begun.set()
    status = os.waitstatus_to_exitcode(os.waitpid(child[0], 0)[1])
    server.fake.before = lambda _call: None
    assert status in {0, -signal.SIGKILL}
    return status != 0


def test_forgotten_points_are_gone_from_the_server(
    server: Server, tmp_path: Path
) -> None:
    """
    A purge leaves the server one generation, made of what the files say now.
    """
    workspace = write_notes(tmp_path / "a")
    index = index_on(server, workspace)
    index.update()
    (workspace / "memory" / "2026-11-19.md").unlink()

    purge(index)

    (held,) = points_of(server, "a").values()
    assert "memory/2026-11-19.md" not in held


def test_purge_without_the_server_is_made_good(failing: Server, tmp_path: Path) -> None:
    """
    Nothing of it stays here, and there it goes as soon as the server is back.
    """
    assert failing.fake
    workspace = write_notes(tmp_path / "a")
    index = index_on(failing, workspace)
    index.update()
    (workspace / "memory" / "2026-11-19.md").unlink()
    failing.fake.down = True
    with pytest.raises(StoreUnreachable):
        purge(index)
    left = (workspace / ".strata/index/manifest.sqlite").exists()
    failing.fake.down = False

    answer = ask(index_on(failing, workspace), workspace, QUESTION)

    assert not left
    assert "memory/2026-11-19.md" not in paths(answer)
    (held,) = points_of(failing, "a").values()
    assert "memory/2026-11-19.md" not in held


def test_question_waits_no_longer_than_it_may(
    failing: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Where all must be made anew, a question does not wait as a writer would.
    """
    assert failing.fake
    monkeypatch.setattr(patience, "_WRITE_SECONDS", 60.0)
    workspace = write_notes(tmp_path / "a")
    index = index_on(failing, workspace)
    index.update()
    with index.shelf.locked(1.0):
        index.shelf.wipe()
    hurried = open_server(failing.remote("b"), 4, Notes(), "", 0.2)
    failing.fake.down = True
    began = time.monotonic()

    answer = ask(index_on(failing, workspace), workspace, QUESTION)
    with pytest.raises(StoreUnreachable):
        hurried.upsert([point(1, {1: 1.0})])

    assert paths(answer)
    assert time.monotonic() - began < 15


def test_snapshot_brings_nothing_forgotten_back(server: Server, tmp_path: Path) -> None:
    """
    After a snapshot was restored the notes decide: what they do not say goes again.
    """
    said: list[str] = []
    workspace, index = _with_a_secret(server, tmp_path)
    client = server.client
    shot = client.create_snapshot("strata_384")
    assert shot
    (workspace / SECRET).unlink()
    purge(index)
    (kept,) = points_of(server, "a")
    expected = paths(ask(index, workspace, QUESTION))
    source = f"{server.url}/collections/strata_384_1/snapshots/{shot.name}"
    client.recover_snapshot("strata_384_1", source, api_key=server.key, wait=True)
    returned = points_of(server, "a")

    answer = ask(index_on(server, workspace, said), workspace, QUESTION)

    assert any(SECRET in each for each in returned.values())
    assert "another state" in said[0]
    assert paths(answer) == expected
    (held,) = points_of(server, "a").items()
    assert held[0] != kept
    assert SECRET not in held[1]


def test_alias_moves_all_without_a_pause(server: Server, tmp_path: Path) -> None:
    """
    Once the name stands for another collection, which may be a restored snapshot, the
    old one answers until the next update has filled the new one.
    """
    said: list[str] = []
    workspace, index = _with_a_secret(server, tmp_path)
    client = server.client
    shot = client.create_snapshot("strata_384")
    assert shot
    (workspace / SECRET).unlink()
    purge(index)
    expected = paths(ask(index, workspace, QUESTION))
    source = f"{server.url}/collections/strata_384_1/snapshots/{shot.name}"
    client.recover_snapshot("strata_384_2", source, api_key=server.key, wait=True)
    _stand_for(server, "strata_384_2")

    before = ask(index_on(server, workspace, said), workspace, QUESTION)
    old = points_of(server, "a")
    index_on(server, workspace, said).update()
    after = ask(index_on(server, workspace, said), workspace, QUESTION)

    assert (before.index, after.index) == ("current", "current")
    assert paths(before) == paths(after) == expected
    assert len(old) == 2
    (held,) = points_of(server, "a").values()
    assert SECRET not in held
    found, _ = client.scroll("strata_384_2", limit=100)
    assert len(found) == 8
    assert said == []
    _stand_for(server, "strata_384_1")
    client.delete_collection("strata_384_2")


SECRET = "memory/2026-11-18.md"


def _with_a_secret(server: Server, tmp_path: Path) -> tuple[Path, Index]:
    """
    A workspace on *server* with a note that is to be forgotten.
    """
    workspace = write_notes(tmp_path / "a")
    text = "# 2026-11-18\n\n- The heliostat belongs to Quillfeather.\n"
    (workspace / SECRET).write_text(text)
    index = index_on(server, workspace)
    index.update()
    return workspace, index


def _stand_for(server: Server, collection: str) -> None:
    alias = models.CreateAlias(collection_name=collection, alias_name="strata_384")
    server.client.update_collection_aliases(
        [models.CreateAliasOperation(create_alias=alias)]
    )


def test_store_that_was_put_back_is_not_written_to(server: Server) -> None:
    """
    A process that has it open all along hears of it before its next write is done.
    """
    notes = Notes()
    store = server.store(notes=notes)
    store.upsert([point(1, {1: 1.0})])
    store.settle(optimize=False)
    other = open_server(server.remote(), 4, Notes(notes))
    other.upsert([point(2, {1: 1.0})])
    other.settle(optimize=False)

    store.upsert([point(3, {1: 1.0})])

    assert not store.is_as_left()
    with pytest.raises(StoreDamaged, match="another state"):
        store.settle(optimize=False)


def test_other_model_takes_over_without_a_pause(
    failing: Server, tmp_path: Path
) -> None:
    """
    Its index is filled in a collection of its size while the old one answers, then that
    has no more of this workspace.
    """
    assert failing.fake
    workspace = write_notes(tmp_path / "a")
    old = tiny_model(tmp_path / ".models" / "old")
    old = old.rename(tmp_path / ".models" / "tiny")
    new = tmp_path / ".models" / "next"
    made = tiny_bilingual.publish(tmp_path / "parts")
    new = tmp_path / ".models" / made.name
    build_model(made, tmp_path / "parts", new, source="hub")
    if not made.probe_vector:
        probe_model(made, new)
    index_on(failing, workspace, model=old).update(embed=True)
    said: list[str] = []
    waiting = index_on(failing, workspace, said, model=new)
    before = ask(waiting, workspace, QUESTION)

    index_on(failing, workspace, said, model=new).update(embed=True)

    after = ask(index_on(failing, workspace, said, model=new), workspace, QUESTION)
    assert waiting.coming
    assert before.mode == after.mode == "hybrid"
    assert said == []
    counts = {name: failing.fake.engine.count(name).count for name in failing.fake.made}
    assert counts["strata_64_1"] == 0
    assert counts["strata_48_1"] == 8
