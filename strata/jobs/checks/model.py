"""Can the language model be asked: set up, reachable, not left alone, not used up."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from strata.errors import ModelError, NotAsked
from strata.jobs.checks.findings import Finding, note, ok, problem
from strata.jobs.connection.model_use import model_cost
from strata.messages import Notice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.memory import Memory
    from strata.model.asking import Model

NAME = "language model"


def check_model(memory: Memory, *, ask: bool) -> Iterator[Finding]:
    """Look at the set-up; *ask* also whether the provider answers, which costs nothing."""
    model = memory.model
    if model is None:
        yield ok(NAME, Notice("doctor.no-model"))
        return
    if until := model.left_alone_until:
        says = Notice("doctor.model-left-alone", until=until, reason=model.last_failure)
        yield note(NAME, says, fix=model.reopen)
    elif ask:
        yield _reached(model)
    yield from _spent(memory)
    yield from _open_way(memory)


def _reached(model: Model) -> Finding:
    try:
        how = model.examine()
    except ModelError as error:
        says = Notice("doctor.model-unreached", name=model.name, error=error)
        return problem(NAME, says)
    return ok(NAME, Notice("doctor.model-reached", name=model.name, how=how))


def _spent(memory: Memory) -> Iterator[Finding]:
    cost = model_cost(memory)
    try:
        if memory.model:
            memory.model.allow()
    except NotAsked as error:
        says = Notice("doctor.model-spent", error=error, cost=cost.today.told)
        yield note("model.max_tokens_per_day", says)


def _open_way(memory: Memory) -> Iterator[Finding]:
    parts = urlsplit(memory.settings.model_url)
    if parts.scheme == "http" and not _is_near(parts.hostname or ""):
        yield note("model.url", Notice("doctor.unencrypted", hostname=parts.hostname))


def _is_near(host: str) -> bool:
    """Say whether *host* is this machine, or one in its own network."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "." not in host or host.endswith((".local", ".lan", ".internal"))
    return address.is_private
