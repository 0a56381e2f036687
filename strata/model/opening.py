"""The language model that the settings name, wired to what it may cost and keep."""

from __future__ import annotations

import os
from difflib import get_close_matches
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from strata.errors import SettingsError
from strata.messages import Notice
from strata.model.account import Account, Limits
from strata.model.asking import Model
from strata.model.breaker import Breaker
from strata.model.cache import Cache
from strata.model.ledger import Ledger
from strata.workspace.journal import Journal
from strata.workspace.own_folder import installed_openclaw

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from strata.model.provider import Provider
    from strata.settings import Settings
    from strata.workspace.files import Workspace

NONE = "none"
_OPENAI = "api.openai.com"
PROVIDERS = (NONE, "openclaw", "openai")


def open_model(  # noqa: PLR0913 - wired in one place
    provider: Provider,
    workspace: Workspace,
    settings: Settings,
    *,
    now: datetime,
    redact: Callable[[str], str],
    say: Callable[[str], None],
) -> Model:
    """Return *provider* within the limits of *settings*, with the memory of *workspace*."""
    return Model(
        provider,
        account=Account(limits(settings), ledger(workspace), now=now),
        cache=Cache(workspace.layout.model_cache_folder, workspace.write_private),
        breaker=breaker(provider, workspace, now=now),
        redact=redact,
        say=say,
    )


def bundled_provider(settings: Settings, state: Path, agent: str) -> Provider:
    """
    Return the provider that *settings* name, of those that Strata brings along.

    *state* and *agent* say whose OpenClaw it is.
    """
    name = settings.model_provider
    if name == "openclaw":
        return _openclaw(settings, state, agent)
    if name == "openai":
        return _openai(settings)
    near = get_close_matches(name, PROVIDERS, n=1)
    hint = (
        Notice("settings.provider-near", near=near[0])
        if near
        else Notice("settings.providers", known=list(PROVIDERS))
    )
    raise SettingsError(Notice("settings.no-provider", name=name, hint=hint))


def _openai(settings: Settings) -> Provider:
    from strata.model.openai import KEY_VARIABLE, OpenAI  # noqa: PLC0415 - one of several

    key = os.environ.get(KEY_VARIABLE, "").strip()
    # OpenAI's own variable holds a key of OpenAI's, which no other host may see.
    if not key and urlsplit(settings.model_url).hostname == _OPENAI:
        key = os.environ.get("OPENAI_API_KEY", "").strip()
    if not key.isascii() or not key.isprintable():
        raise SettingsError(Notice("settings.odd-key", variable=KEY_VARIABLE))
    return OpenAI(settings.model_url, settings.model_name, key)


def _openclaw(settings: Settings, state: Path, agent: str) -> Provider:
    from strata.model.openclaw import OpenClawModel  # noqa: PLC0415 - one of several

    return OpenClawModel(
        state, agent, settings.model_name, lambda: installed_openclaw(state)
    )


def limits(settings: Settings) -> Limits:
    """Return how much *settings* allow to ask."""
    return Limits(
        calls_per_run=settings.model_max_calls_per_run,
        tokens_per_day=settings.model_max_tokens_per_day,
        call_seconds=settings.model_timeout_seconds,
        run_seconds=settings.model_max_seconds_per_run,
        window_chars=settings.model_window_chars,
    )


def ledger(workspace: Workspace) -> Ledger:
    """Return what asking has cost in *workspace*."""
    return Ledger(Journal(workspace.layout.model_ledger_file))


def breaker(provider: Provider, workspace: Workspace, *, now: datetime) -> Breaker:
    """Return whether *provider* is left alone at *now*."""
    return Breaker(
        workspace.layout.model_breaker_file,
        workspace.write_private,
        model=f"{provider.name}/{provider.model}",
        now=now,
    )
