"""The user's settings: few keys, good defaults, and no key that is not known."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from strata.errors import SettingsError
from strata.messages import Notice, languages
from strata.sensitivity import rules_of, values_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

PREFIX = "STRATA_"
_OFF_AT_ZERO = {"capture_quiet_minutes", "recall_tokens"}
_TRUE = {"1", "true", "yes", "on"}
_FALSE = {"0", "false", "no", "off"}

# What `search.without` can switch off; docs/recall.md says what each does.
SEARCH_PARTS = (
    "abstaining",
    "closeness",
    "diversity",
    "joining",
    "keywords",
    "names",
    "occasions",
    "order",
    "recency",
    "supersession",
    "tiers",
    "time",
    "vectors",
)


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting with its default; docs/settings.toml explains each."""

    timezone: str = ""
    language: str = "auto"
    capture_groups: bool = False
    capture_user_messages: int = 2
    capture_quiet_minutes: int = 5
    tidy_mode: str = "auto"
    digest: bool = True
    bank: bool = True
    git: bool = False
    audit: bool = True
    embedding_model: str = "all-MiniLM-L6-v2"
    model_provider: str = "none"
    model_name: str = ""
    model_url: str = ""
    model_timeout_seconds: int = 60
    model_window_chars: int = 24_000
    model_max_calls_per_run: int = 20
    model_max_seconds_per_run: int = 300
    model_max_tokens_per_day: int = 200_000
    machines_folder: str = ""
    qdrant_url: str = ""
    qdrant_own_collection: bool = False
    search_results: int = 10
    search_half_life_days: int = 30
    search_without: str = ""
    search_reranker: str = ""
    search_native: bool = True
    recall_tokens: int = 300
    shared_read: bool = False
    trust_never_store: tuple[str, ...] = ()
    trust_never_secret: tuple[str, ...] = ()
    trust_masked: tuple[str, ...] = ()
    encryption_notes: tuple[str, ...] = ()
    encryption_key_file: str = ""
    schedule_sync: str = "0 10,14,18,22 * * *"
    schedule_tidy: str = "0 3 * * *"
    schedule_digest: str = "0 8 * * *"

    @property
    def parts_off(self) -> frozenset[str]:
        """The parts of a search that are switched off."""
        return frozenset(self.search_without.replace(",", " ").split())


# By the name that users write. A table of the settings file has one level; its keys are
# joined with a dot, and no key outside of a table is of two words.
_DOTTED = {each.name.replace("_", ".", 1): each.name for each in fields(Settings)}


class Source(StrEnum):
    """Where the value of a setting comes from; the later wins over the earlier."""

    DEFAULT = "default"
    FILE = "file"
    ENVIRONMENT = "environment"
    OVERRIDE = "override"


def names() -> list[str]:
    """Return the name of every setting as users write it: ``capture.groups``."""
    return list(_DOTTED)


def load_settings(
    file: Path,
    *,
    environment: Mapping[str, str] = os.environ,
    overrides: Iterable[str] = (),
) -> Settings:
    """
    Read *file*, then ``STRATA_…`` variables, then *overrides* of the form ``key=value``.

    Raise `SettingsError` for a key that is unknown or a value of the wrong type.
    """
    values = dict(_from_file(file))
    values.update(_from_environment(environment))
    values.update(_from_overrides(overrides))
    return _checked(Settings(**values))


def sources(
    file: Path,
    *,
    environment: Mapping[str, str] = os.environ,
    overrides: Iterable[str] = (),
) -> dict[str, Source]:
    """Return where each setting comes from, by the name that users write."""
    found = dict.fromkeys(_DOTTED.values(), Source.DEFAULT)
    told = {
        Source.FILE: _from_file(file),
        Source.ENVIRONMENT: _from_environment(environment),
        Source.OVERRIDE: _from_overrides(overrides),
    }
    for source, values in told.items():
        found.update({field: source for field, _ in values})
    return {name: found[field] for name, field in _DOTTED.items()}


def value_of(settings: Settings, name: str) -> Any:  # Any: of the setting's own type
    """Return the value of the setting *name*, as users write it."""
    return getattr(settings, _DOTTED[name])


def variable_of(name: str) -> str:
    """Return the environment variable that wins over the file for the setting *name*."""
    return PREFIX + _DOTTED[name].upper()


def least_of(name: str) -> int:
    """Return the least that the setting *name*, a whole number, may be."""
    return 0 if _DOTTED[name] in _OFF_AT_ZERO else 1


def _from_file(file: Path) -> Iterable[tuple[str, Any]]:
    try:
        # Some editors put a byte order mark before the text.
        text = file.read_text(encoding="utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return
    except UnicodeDecodeError:
        raise SettingsError.of("settings.no-utf8", file=file) from None
    except OSError as error:
        raise SettingsError.of(
            "settings.unreadable", file=file, strerror=error.strerror
        ) from None
    import tomllib  # noqa: PLC0415 - 20 ms that most runs do not need

    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError.of("settings.no-toml", file=file, error=error) from None
    except RecursionError:
        raise SettingsError.of("settings.too-deep", file=file) from None
    for name, value in _flatten(tables):
        yield _field(name, where=str(file)), _typed(name, value)


def _flatten(tables: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    for key, value in tables.items():
        if isinstance(value, dict):
            for inner, inner_value in value.items():
                yield f"{key}.{inner}", inner_value
        else:
            yield key, value


def _from_environment(environment: Mapping[str, str]) -> Iterable[tuple[str, Any]]:
    for name, field in _DOTTED.items():
        text = environment.get(variable_of(name))
        if text is not None:
            yield field, _typed(name, text)


def _from_overrides(overrides: Iterable[str]) -> Iterable[tuple[str, Any]]:
    for override in overrides:
        name, equals, text = override.partition("=")
        if not equals:
            raise SettingsError.of("settings.set", override=override)
        yield _field(name.strip(), where="--set"), _typed(name.strip(), text.strip())


def _field(name: str, *, where: str) -> str:
    if name in _DOTTED:
        return _DOTTED[name]
    from difflib import get_close_matches  # noqa: PLC0415 - only after a mistake

    near = get_close_matches(name, _DOTTED, n=1, cutoff=0.4)
    hint = (
        Notice("settings.near", near=near[0])
        if near
        else Notice("settings.known", known=list(_DOTTED))
    )
    raise SettingsError.of("settings.none", where=where, name=name, hint=hint)


def _typed(name: str, value: Any) -> Any:  # Any: TOML's own types, or text
    wanted = type(getattr(Settings(), _DOTTED.get(name, ""), ""))
    if wanted is tuple:
        return _listed(name, value)
    if isinstance(value, wanted) and isinstance(value, bool) == (wanted is bool):
        return value
    if isinstance(value, str):
        parsed = _from_text(value, wanted)
        if parsed is not None:
            return parsed
    kind = {bool: "truth", int: "number", str: "text"}[wanted]
    raise SettingsError(Notice(f"settings.no-{kind}", name=name, value=value))


def _listed(name: str, value: Any) -> tuple[str, ...]:  # Any: TOML's own types, or text
    if isinstance(value, str):
        # A pattern may hold commas of its own.
        alone = value.startswith("/") and value.endswith("/")
        value = [value] if alone else [part.strip() for part in value.split(",")]
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return tuple(part for part in value if part)
    raise SettingsError.of("settings.list", name=name, value=value)


def _from_text(text: str, wanted: type) -> bool | int | None:
    if wanted is bool and text.lower() in _TRUE | _FALSE:
        return text.lower() in _TRUE
    if wanted is int and text.removeprefix("-").isdecimal():
        return int(text)
    return None


def _checked(settings: Settings) -> Settings:
    if settings.language != "auto" and settings.language not in languages():
        known = ", ".join(languages())
        told = Notice("settings.language", language=settings.language, known=known)
        raise SettingsError(told)
    if settings.tidy_mode not in {"auto", "ask"}:
        raise SettingsError.of("settings.tidy-mode", tidy_mode=settings.tidy_mode)
    _check_model(settings)
    _check_parts(settings.parts_off)
    _check_notes(settings.encryption_notes)
    rules_of(settings.trust_never_store, setting="trust.never_store")
    rules_of(settings.trust_masked, setting="trust.masked")
    values_of(settings.trust_never_secret, setting="trust.never_secret")
    for name, field in _DOTTED.items():
        value = getattr(settings, field)
        least = least_of(name)
        if isinstance(value, int) and not isinstance(value, bool) and value < least:
            told = Notice("settings.at-least", name=name, least=least, value=value)
            raise SettingsError(told)
    return settings


def _check_parts(parts: frozenset[str]) -> None:
    unknown = sorted(parts.difference(SEARCH_PARTS))
    if unknown:
        known = ", ".join(SEARCH_PARTS)
        raise SettingsError.of("settings.without", known=known, unknown=unknown[0])
    if parts.issuperset({"keywords", "vectors"}):
        raise SettingsError.of("settings.without-all")


def _check_notes(patterns: tuple[str, ...]) -> None:
    for pattern in patterns:
        if not pattern.startswith("memory/"):
            raise SettingsError.of("settings.encryption-notes", pattern=pattern)


def _check_model(settings: Settings) -> None:
    if settings.model_url:
        _check_url(settings.model_url)
    if settings.model_provider == "openclaw" and settings.model_name:
        provider, slash, model = settings.model_name.partition("/")
        if not (provider and slash and model):
            raise SettingsError.of(
                "settings.model-name", model_name=settings.model_name
            )
    if settings.model_provider == "openai" and not (
        settings.model_url and settings.model_name
    ):
        raise SettingsError.of("settings.openai")


def _check_url(url: str) -> None:
    from urllib.parse import urlsplit  # noqa: PLC0415 - few settings hold one

    try:
        parts = urlsplit(url)
        has_place = bool(parts.hostname) and parts.port != 0
    except ValueError:
        raise SettingsError.of("settings.no-url") from None
    if parts.username is not None or parts.password is not None:
        # The URL is not repeated: what is in it would end in a log.
        raise SettingsError.of("settings.url-secret")
    if parts.scheme not in {"http", "https"} or not has_place or parts.query:
        raise SettingsError.of("settings.url-long")
