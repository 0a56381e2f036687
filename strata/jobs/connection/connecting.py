"""install: Strata becomes part of OpenClaw, as shown before and nothing more."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from strata.bundle import BUNDLE
from strata.errors import OpenClawFailed, OpenClawNotFound
from strata.jobs.connection import agents_md
from strata.jobs.connection.neighbours import (
    DREAMING,
    is_dreaming,
    wanted_changes,
    wanted_server,
)
from strata.jobs.connection.schedules import Schedule, register, schedules
from strata.jobs.connection.slot import (
    PLUGIN,
    give_back,
    owner_of_slot,
    prepare,
    wanted_slot,
)
from strata.messages import Notice
from strata.workspace import openclaw as openclaw_files
from strata.workspace.openclaw_config import (
    Change,
    changed,
    digest,
    forward,
    value_without,
)
from strata.workspace.openclaw_program import OpenClaw
from strata.workspace.own_folder import OwnFolder
from strata.workspace.owners import owner_chat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from strata.memory import Memory
    from strata.settings import Settings
    from strata.workspace.openclaw_config import Values
    from strata.workspace.own_folder import Installation

    Say = Callable[[str], None]

REGISTERED = "registered"
# Registered at a time when there was a gateway, and not since.
OUTDATED = "outdated"
PENDING = "pending"


@dataclass(frozen=True, slots=True)
class Plan:
    """
    What `install` would do, for a person to look at first.

    *slot* says whether the memory slot is to be ours, None that it stays whose it is.
    """

    version: str
    changes: list[Change]
    schedules: list[Schedule]
    blocks: list[tuple[Memory, str]]
    slot: bool | None = None

    def allowed(self, consented: Iterable[str]) -> list[Change]:
        """Return the changes to make: what the user had set otherwise only if named."""
        named = set(consented)
        return [each for each in self.changes if not each.asked or each.name in named]


def plan(
    memories: Sequence[Memory], openclaw: OpenClaw, *, slot: bool | None = None
) -> Plan:
    """
    Look at OpenClaw's configuration and say what is to be changed in it.

    Raise `UsageError` where the *slot* is to be ours and is another plugin's.
    """
    configuration = _configuration(openclaw.state)
    first = memories[0]
    version = openclaw.version()
    own = OwnFolder(openclaw.state)
    changes = wanted_changes(
        configuration,
        plugin=own.plugin,
        bundle=BUNDLE,
        version=version,
        language=first.settings.language,
    )
    changes += wanted_server(configuration, memories, own.launcher)
    if slot:
        changes += wanted_slot(changed(configuration, changes), own.slot)
    blocks = [
        (memory, agents_md.block(memory))
        for memory in memories
        if not agents_md.is_current(memory)
    ]
    stays = all(change.path != DREAMING or change.asked for change in changes)
    dreaming = is_dreaming(configuration) and stays
    wanted = schedules(
        first.settings, dreaming=dreaming, chat=owner_chat(configuration)
    )
    return Plan(version, changes, wanted, blocks, slot)


def connect(
    memories: Sequence[Memory],
    openclaw: OpenClaw,
    made: Plan,
    *,
    consented: Iterable[str] = (),
    say: Say,
) -> Installation:
    """Do what *made* says; each step may be repeated, and is recorded before it is done."""
    own = OwnFolder(openclaw.state)
    with own.alone() as done:
        done.program, done.version = str(openclaw.program), made.version
        own.write_plugin()
        allowed = made.allowed(consented)
        if made.slot:
            file = openclaw_files.configuration_file(openclaw.state)
            prepare(own, allowed, file.read_bytes())
        _configure(openclaw, done, allowed, say)
        if made.slot:
            done.slot = done.after
            own.save(done)
        elif made.slot is False:
            give_back(openclaw, own, done)
        for memory in memories:
            _add_block(memory, done)
        _schedule(memories[0], openclaw, done, say)
    return done


def complete(memory: Memory) -> None:
    """
    Finish what could not be done when Strata was installed.

    Without a gateway no job can be scheduled, and an agent that has never run has no
    AGENTS.md yet. A block that somebody took out is not put back. A gateway that loads the
    plugin while it is being installed waits until that is done.
    """
    own = OwnFolder(memory.state_folder)
    if own.load() is None:
        return
    own.wake(memory.now)
    with own.installed() as done:
        if done is None:
            own.remove()  # what woke it may have stood in the way of who uninstalled
            return
        own.write_plugin()
        if str(memory.workspace.root) not in done.agents:
            _add_block(memory, done)
        _keep_scheduled(memory, done)


def keep_scheduled(memory: Memory) -> None:
    """
    Register the jobs again where some are not, or the owner's chat is another now.

    There is one digest for all agents, and the first of them says whether.
    """
    with OwnFolder(memory.state_folder).installed() as done:
        if done is not None:
            _keep_scheduled(memory, done)


def _keep_scheduled(memory: Memory, done: Installation) -> None:
    state = memory.state_folder
    chat = digest_goes_to(memory.settings, openclaw_files.configuration(state))
    leads = memory.agent == openclaw_files.agents(state)[0]
    if done.schedules != REGISTERED or (leads and done.digest != chat):
        _reschedule(memory, done)


def digest_goes_to(settings: Settings, configuration: Values) -> str:
    """Return the chat that gets the digest, "" where none does."""
    chat = owner_chat(configuration) if settings.digest else None
    return str(chat or "")


def reschedule(memory: Memory) -> None:
    """Register the jobs of an existing installation again."""
    with OwnFolder(memory.state_folder).installed() as done:
        if done is not None:
            _reschedule(memory, done)


def _reschedule(memory: Memory, done: Installation) -> None:
    openclaw = OpenClaw(Path(done.program), memory.state_folder)
    _schedule(memory, openclaw, done, lambda _line: None)


def _configuration(state: Path) -> dict[str, Any]:
    if not openclaw_files.configuration_file(state).exists():
        raise OpenClawNotFound(
            Notice("install.no-openclaw", file=openclaw_files.configuration_file(state))
        )
    return openclaw_files.configuration(state)


def _configure(
    openclaw: OpenClaw, done: Installation, changes: list[Change], say: Say
) -> None:
    if not changes:
        return
    own = OwnFolder(openclaw.state)
    say(Notice("install.configuring", count=len(changes)))
    file = openclaw_files.configuration_file(openclaw.state)
    now = digest(_configuration(openclaw.state))
    if not done.changes:
        own.keep_original(file.read_bytes())
    elif done.after != now:
        own.forget_original()
    done.changes = _merged(done.changes, changes)
    done.after = now
    own.save(done)
    openclaw.run("config", "patch", "--stdin", given=json.dumps(forward(changes)))
    done.after = digest(_configuration(openclaw.state))
    own.save(done)


def _merged(old: list[Change], new: list[Change]) -> list[Change]:
    """Keep what stood there before the first change, or what the user put there since."""
    merged = {change.path: change for change in old}
    for change in new:
        first = merged.get(change.path)
        before = value_without(first, change.before) if first else change.before
        merged[change.path] = replace(change, before=before)
    return list(merged.values())


def _add_block(memory: Memory, done: Installation) -> None:
    if agents_md.is_current(memory):
        return
    added = agents_md.put_in(memory)
    done.agents.setdefault(str(memory.workspace.root), added)
    OwnFolder(memory.state_folder).save(done)


def _schedule(memory: Memory, openclaw: OpenClaw, done: Installation, say: Say) -> None:
    own = OwnFolder(openclaw.state)
    say(Notice("install.registering"))
    configuration = openclaw_files.configuration(openclaw.state)
    wanted = schedules(
        memory.settings,
        dreaming=is_dreaming(configuration),
        chat=owner_chat(configuration),
    )
    earlier = done.schedules
    # Of several jobs one may be refused: `uninstall` takes out those that were not.
    done.schedules = OUTDATED
    own.save(done)
    try:
        # A host's zone may have no name; the scheduler then takes the host's by itself.
        zone = str(getattr(memory.timezone, "key", ""))
        dreams = owner_of_slot(configuration) != PLUGIN
        register(openclaw, wanted, own.launcher, zone, dreams=dreams)
        done.schedules = REGISTERED
        done.digest = digest_goes_to(memory.settings, configuration)
    except OpenClawFailed as error:
        if not error.no_gateway:
            raise
        done.schedules = OUTDATED if earlier in {REGISTERED, OUTDATED} else PENDING
    own.save(done)
