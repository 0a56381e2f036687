"""The folder of a finished model: what it says about itself, and whether that is true."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from strata.errors import ModelUnavailable
from strata.messages import Notice

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from strata.embedding_models.catalogue import EmbeddingModel, Pooling
    from strata.embedding_models.glossing import Glossary

DEFAULT_NAME = "all-MiniLM-L6-v2"

ENGLISH, CHINESE = "en", "zh"
# What `checking` finds of the default model.
DEFAULT_LEVELS = (0.061, 0.448)

_DESCRIPTION = "model.json"


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """
    A model that is ready to be opened, as its `model.json` describes it.

    The vectors are made of `model.onnx`'s output by *pooling*, the mean over the tokens or
    the first one's, and scaled to length one. *max_tokens* counts the two that frame a
    text. *native* are the languages that it was trained on, none where it reads all.
    *asking* and *telling* stand before questions and before what is searched. *files* maps
    each file to the SHA-256 that it had when it was put there. *levels* are the cosines
    that it gives to a question with what does not answer it, and with what does.
    """

    path: Path
    name: str
    dimensions: int
    max_tokens: int
    native: tuple[str, ...]
    source: str
    files: dict[str, str]
    pooling: Pooling = "mean"
    asking: str = ""
    telling: str = ""
    levels: tuple[float, float] | None = None

    def question(self, text: str) -> str:
        """Return the question *text* as it is to be embedded."""
        return f"{self.asking}{text}"

    def passage(self, text: str) -> str:
        """Return *text*, which is to be found, as it is to be embedded."""
        return f"{self.telling}{self.readable(text)}"

    def level(self, cosine: float) -> float:
        """
        Return *cosine* on the scale of the default model, on which limits were measured.

        To one model everything is near by 0.7, to another by nothing.
        """
        if self.levels is None:
            return cosine
        strange, fitting = self.levels
        low, high = DEFAULT_LEVELS
        level = low + (high - low) * (cosine - strange) / (fitting - strange)
        return min(level, 1.0)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that it reads, Chinese by a dictionary where there is one."""
        return (*self.native, CHINESE) if self._glossary else self.native

    @property
    def glosses(self) -> str:
        """What decides the English of Chinese texts; nothing where they stay Chinese."""
        return self._glossary.fingerprint if self._glossary else ""

    def readable(self, text: str) -> str:
        """Return *text* as it is given to the model."""
        glossary = None if text.isascii() else self._glossary
        return glossary.english(text) if glossary else text

    @property
    def needs_glosses(self) -> bool:
        """Whether Chinese is to become English for it: it reads that, and no Chinese."""
        return ENGLISH in self.native and CHINESE not in self.native

    @property
    def _glossary(self) -> Glossary | None:
        if not self.needs_glosses:
            return None
        from strata.embedding_models.glossing import (  # noqa: PLC0415 - not for English
            FILE_NAME,
            opened,
        )

        return opened(self.path / FILE_NAME)

    @property
    def fingerprint(self) -> str:
        """
        What decides the vector of a text; stored ones with another one are worthless.

        Glosses are no part of it: another dictionary gives the model another text.
        """
        parts = (self.files["model.onnx"], self.files["tokenizer.json"])
        # Those of the default model are older than the rest.
        how = f"{self.pooling}|{self.asking}|{self.telling}"
        return "-".join(
            [
                self.name,
                str(self.max_tokens),
                *(part[:12] for part in parts),
                *([how] if how != "mean||" else []),
            ]
        )


def models_folder(root: Path) -> Path:
    """Say where the models of the bundle at *root* live."""
    return root / ".models"


def reranker_folder(root: Path, name: str) -> Path:
    """Say where the re-ranker *name* lies in the bundle at *root*, if it is there."""
    return models_folder(root) / "rerankers" / name.replace("/", "--")


def find_model(root: Path, name: str = DEFAULT_NAME) -> Path | None:
    """
    Find the folder of model *name* in the bundle at *root*, without reading its files.

    A folder appears there whole or not at all, so that its description stands for it.
    """
    folder = models_folder(root) / name
    return folder if (folder / _DESCRIPTION).is_file() else None


def models_in(root: Path) -> list[Path]:
    """Return the folders of all models in the bundle at *root*."""
    found = models_folder(root).glob(f"[!.]*/{_DESCRIPTION}")
    return sorted(each.parent for each in found)


def read_model(folder: Path) -> ModelFolder:
    """Read the description of the model in *folder*; raise `ModelUnavailable`."""
    try:
        # No shape is known before this has been read.
        found: dict[str, Any] = json.loads((folder / _DESCRIPTION).read_bytes())
        return ModelFolder(
            path=folder,
            name=found["name"],
            dimensions=int(found["dimensions"]),
            max_tokens=int(found["max_tokens"]),
            native=tuple(found["languages"]),
            source=found["source"],
            files=dict(found["files"]),
            pooling=found["pooling"],
            asking=found.get("asking", ""),
            telling=found.get("telling", ""),
            levels=tuple(found["levels"]) if "levels" in found else None,
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        problem = Notice("embedding.unusable", file=folder / _DESCRIPTION, error=error)
        raise ModelUnavailable.of("embedding.fetch-again", problem=problem) from None


def usable_model(folder: Path | None, say: Callable[[str], None]) -> ModelFolder | None:
    """Read the model in *folder*, if there is one; *say* hears why it is of no use."""
    if folder is None:
        return None
    try:
        return read_model(folder)
    except ModelUnavailable as error:
        say(Notice("embedding.until-then", error=error))
        return None


def neighbour(model: ModelFolder, made_by: Callable[[], str]) -> ModelFolder | None:
    """Return the model beside *model* whose fingerprint *made_by* tells, if any is it."""
    others = [each for each in models_in(model.path.parents[1]) if each != model.path]
    made = made_by() if others else ""
    if made in {"", model.fingerprint}:
        return None
    found = (usable_model(each, lambda _line: None) for each in others)
    return next((each for each in found if each and each.fingerprint == made), None)


def write_description(model: EmbeddingModel, folder: Path, source: str) -> None:
    """Write `model.json` for *model*, which came from *source*, into *folder*."""
    described = {
        "name": model.name,
        "fastembed_name": model.fastembed_name,
        "dimensions": model.dimensions,
        "max_tokens": model.max_tokens,
        "pooling": model.pooling,
        "normalize": True,
        "languages": list(model.languages),
        "source": source,
        "files": dict(model.files),
        "asking": model.asking,
        "telling": model.telling,
    }
    _write(folder, described)


def write_levels(folder: Path, levels: tuple[float, float]) -> None:
    """Add the *levels* that were measured to the description in *folder*."""
    described = json.loads((folder / _DESCRIPTION).read_bytes())
    _write(folder, described | {"levels": levels})


def _write(folder: Path, described: Mapping[str, object]) -> None:
    text = json.dumps(described, indent=2) + "\n"
    (folder / _DESCRIPTION).write_text(text, encoding="utf-8")


def verify_model(folder: Path) -> ModelFolder:
    """Read every byte of the model in *folder*; raise `ModelUnavailable` if one is off."""
    model = read_model(folder)
    wrong = mismatches(folder, model.files)
    if wrong:
        raise ModelUnavailable.of("embedding.damaged", folder=folder, wrong=list(wrong))
    return model


def mismatches(folder: Path, pins: Mapping[str, str]) -> list[str]:
    """List the files in *folder* that are missing or have another SHA-256 than pinned."""
    return [name for name in sorted(pins) if _sha256(folder / name) != pins[name]]


def _sha256(path: Path) -> str | None:
    import hashlib  # noqa: PLC0415 - queries find the model and never hash it

    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
