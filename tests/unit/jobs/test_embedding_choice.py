"""The owner takes another embedding model, or first measures it on the notes."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest
import tiny_bilingual
from builders_search import named, write_notes
from fake_hub import serving_hub, silent_hub

from strata.bundle import BUNDLE
from strata.cli import run
from strata.embedding_models.catalogue import BILINGUAL, CATALOGUE
from strata.embedding_models.checking import known_pairs
from strata.embedding_models.folder import DEFAULT_NAME, find_model
from strata.embedding_models.glossing import FILE_NAME as GLOSSES
from strata.embedding_models.remembering import shared
from strata.errors import ModelUnavailable, UsageError
from strata.jobs.before_turn import Ahead
from strata.jobs.checks.memory import check_memory
from strata.jobs.comparing_models import compare_models
from strata.jobs.query import Wish, query
from strata.jobs.update import better_model, choose_model, embed, update
from strata.memory import Memory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from strata.jobs.checks.findings import Finding

NAME = "bilingual"
CHINESE = [line for line, _ in known_pairs("zh")]


@pytest.fixture
def bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """
    A bundle with the default model, in whose catalogue a small bilingual one stands.
    """
    default = find_model(BUNDLE)
    if default is None:
        pytest.skip("the embedding model is not there; scripts/test fetches it")
    root = tmp_path / "bundle"
    (root / ".models").mkdir(parents=True)
    shutil.copytree(default, root / ".models" / DEFAULT_NAME)
    for module in ("memory", "jobs.update", "jobs.comparing_models"):
        monkeypatch.setattr(f"strata.{module}.BUNDLE", root)
    published = tiny_bilingual.publish(tmp_path / "parts", name=NAME)
    monkeypatch.setitem(CATALOGUE, NAME, published)
    return root


@pytest.fixture
def hub(
    bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """
    A hub that serves it.
    """
    address = tiny_bilingual.REPOSITORY, tiny_bilingual.REVISION
    with serving_hub(tmp_path / "parts", *address) as endpoint:
        monkeypatch.setenv("HF_ENDPOINT", endpoint)
        yield bundle


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """
    Notes of which half are Chinese.
    """
    english = [line for line, _ in known_pairs("en")]
    lines = "\n".join(
        f"- {line}" for pair in zip(english, CHINESE, strict=True) for line in pair
    )
    text = f"# 2026-11-19\n\n## 10:12 session:0a1b2c3d | 6 messages\n{lines}\n"
    return write_notes(tmp_path / "workspace", {"memory/2026-11-19.md": text})


def opened(workspace: Path, *overrides: str) -> Memory:
    """
    The memory in *workspace*, on 2026-11-20.
    """
    return Memory.open(
        workspace=str(workspace),
        state_dir=str(workspace.parent / "state"),
        now="2026-11-20T20:00:00+08:00",
        overrides=["timezone=Asia/Shanghai", *overrides],
    )


def model_finding(memory: Memory) -> Finding:
    return next(each for each in check_memory(memory) if each.name == "model")


@pytest.mark.usefixtures("hub")
def test_model_is_taken_by_name(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    One command fetches, tests, embeds and changes the setting; the next question uses it.
    """
    update(opened(workspace))
    place = ["--workspace", str(workspace), "--state-dir", str(workspace.parent)]

    code = run([*place, "embed", "--model", NAME])

    printed = capsys.readouterr()
    memory = opened(workspace)
    answer = query(memory, "老人家绝对不能吃什么？", Wish(limit=1))
    assert (code, memory.settings.embedding_model) == (0, NAME)
    assert "Fetching the embedding model bilingual (about 1 MB)" in printed.err
    assert (named(memory.index), answer.mode) == (NAME, "hybrid")
    assert "walnuts" in answer.hits[0].snippet or "核桃" in answer.hits[0].snippet
    assert model_finding(memory).says == NAME


@pytest.mark.usefixtures("bundle")
def test_silent_hub_changes_nothing(
    workspace: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """
    Where the model cannot be had one line says so, and search goes on as it was.
    """
    update(opened(workspace))
    place = ["--workspace", str(workspace), "--state-dir", str(workspace.parent)]
    with silent_hub() as endpoint:
        monkeypatch.setenv("HF_ENDPOINT", endpoint)
        code = run([*place, "embed", "--model", NAME])

    last = capsys.readouterr().err.splitlines()[-1]
    memory = opened(workspace)
    assert code == 1
    assert "bilingual could not be fetched" in last
    assert "`strata embed --model bilingual` tries again" in last
    assert memory.settings.embedding_model == DEFAULT_NAME
    assert query(memory, "Which food must grandma avoid?", Wish(1)).mode == "hybrid"


@pytest.mark.usefixtures("bundle")
def test_setting_by_hand_goes_on_with_what_is_there(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """
    A model that is wanted and not there is missed by `doctor`; `embed` mends that.
    """
    update(opened(workspace))
    memory = opened(workspace, f"embedding.model={NAME}")

    missed = model_finding(memory)
    mode = query(memory, "Which food must grandma avoid?", Wish(1)).mode
    address = tiny_bilingual.REPOSITORY, tiny_bilingual.REVISION
    with serving_hub(tmp_path / "parts", *address) as endpoint:
        monkeypatch.setenv("HF_ENDPOINT", endpoint)
        embed(memory, say=print)

    assert missed.says == f"{NAME} is not there yet, {DEFAULT_NAME} stands in for it"
    assert (missed.remedy, mode) == (f"strata embed --model {NAME}", "hybrid")
    after = opened(workspace, f"embedding.model={NAME}")
    assert named(after.index) == NAME


@pytest.mark.usefixtures("hub")
def test_doctor_says_that_a_model_is_on_its_way(workspace: Path) -> None:
    """
    Between the setting and the vectors the old model is in use, and named.
    """
    memory = opened(workspace)
    update(memory)

    memory = choose_model(memory, NAME, print)

    finding = model_finding(memory)
    assert (named(memory.index), finding.remedy) == (DEFAULT_NAME, "strata embed")
    assert finding.says.startswith(f"the index is still that of {DEFAULT_NAME}")


@pytest.mark.usefixtures("bundle")
def test_one_that_reads_both_is_proposed_where_notes_are_chinese(
    workspace: Path, tmp_path: Path
) -> None:
    """
    Half the notes are Chinese: a model is named, with its size; English ones need none.
    """
    english = "\n".join(f"- {line}" for line, _ in known_pairs("en"))
    other = write_notes(tmp_path / "english", {"memory/2026-11-19.md": english})

    proposed = better_model(opened(workspace))
    finding = model_finding(opened(workspace))

    assert proposed is not None
    assert finding.remedy == f"strata embed --model {proposed.name}"
    assert f"({proposed.parts_megabytes} MB)" in finding.says
    assert better_model(opened(other)) is None


@pytest.mark.usefixtures("bundle")
def test_install_proposes_it_with_its_size(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    Once the notes are read, one line names the model and both commands.
    """
    (workspace.parent / "agents" / "main" / "sessions").mkdir(parents=True)
    place = ["--workspace", str(workspace), "--state-dir", str(workspace.parent)]

    run([*place, "--set", "language=en", "setup", "--no-model"])

    said = capsys.readouterr().err
    assert f"{BILINGUAL.name} ({BILINGUAL.parts_megabytes} MB)" in said
    assert f"embed --compare {BILINGUAL.name}" in said


@pytest.mark.usefixtures("hub")
def test_what_comes_before_a_turn_stays_with_its_model(
    bundle: Path, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    The net has learned from the default model's vectors, and gets no others.
    """
    monkeypatch.setattr("strata.jobs.before_turn.BUNDLE", bundle)
    memory = choose_model(opened(workspace), NAME, print)
    embed(memory, say=print)

    note = memory.workspace.root / "memory" / "2026-11-19.md"
    note.write_text("- The hoe is in the shed.\n", encoding="utf-8")
    Ahead().read(memory, 1000)

    assert named(memory.index) == NAME
    default = bundle / ".models" / DEFAULT_NAME
    assert shared(default).knows("The hoe is in the shed.")


@pytest.mark.usefixtures("hub")
def test_model_that_reads_chinese_gets_no_dictionary(
    bundle: Path, workspace: Path
) -> None:
    """
    Glosses are made for a model that needs them, and lie beside no other.
    """
    embed(choose_model(opened(workspace), NAME, print), say=print)

    assert not (bundle / ".models" / NAME / GLOSSES).exists()


@pytest.mark.usefixtures("bundle")
def test_unknown_model_names_those_there_are(workspace: Path) -> None:
    """
    A name that nobody knows is told, with the names of the catalogue.
    """
    with pytest.raises(ModelUnavailable, match="gte-multilingual-base"):
        choose_model(opened(workspace), "nobody", pytest.fail)


@pytest.mark.usefixtures("hub")
def test_models_are_compared_on_the_notes(workspace: Path) -> None:
    """
    The one that knows the notes by heart finds the other halves; the setting stays.
    """
    memory = opened(workspace)

    found = compare_models(memory, NAME, progress=lambda *_: None, say=print)

    names = [score.name for score in found.groups[-1].scores]
    best = {group.kind: group.scores[1].five for group in found.groups}
    assert names == [DEFAULT_NAME, NAME]
    assert [group.better for group in found.groups if group.kind == "all"] == [NAME]
    assert best["chinese"] > 0.9
    assert memory.settings.embedding_model == DEFAULT_NAME


@pytest.mark.usefixtures("hub")
def test_comparison_is_told_in_the_owners_language(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    Figures and a verdict, for people and for programs.
    """
    place = ["--workspace", str(workspace), "--state-dir", str(workspace.parent)]
    embedding = ["embed", "--compare", NAME]

    run([*place, "--set", "language=zh", *embedding])
    said = capsys.readouterr().out
    run([*place, "--json", *embedding])
    told = json.loads(capsys.readouterr().out)

    assert "bilingual 更好。" in said
    assert 20 <= told["many"] <= 2 * len(CHINESE)
    assert {score["name"] for group in told["groups"] for score in group["scores"]} == {
        DEFAULT_NAME,
        NAME,
    }


@pytest.mark.usefixtures("hub")
def test_few_notes_compare_nothing(tmp_path: Path) -> None:
    """
    Before anything is fetched it is said that a dozen lines show nothing.
    """
    workspace = write_notes(tmp_path / "few", {"MEMORY.md": "- One line.\n"})

    with pytest.raises(UsageError, match="only 0 lines"):
        compare_models(
            opened(workspace), NAME, progress=lambda *_: None, say=pytest.fail
        )
