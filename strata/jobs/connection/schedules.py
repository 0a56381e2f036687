"""The jobs that OpenClaw's scheduler runs for Strata, registered once however often."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from strata.errors import SettingsError
from strata.events import DIGEST, JOBS, SYNC, TIDY
from strata.jobs.connection.cron_times import mistake_in
from strata.messages import Notice
from strata.templates import render

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from strata.settings import Settings
    from strata.workspace.openclaw_program import OpenClaw
    from strata.workspace.owners import Chat

PREFIX = "strata/"
QUIET = "NO_REPLY"
# What memory-core writes into the description of its own job.
_DREAMS = "[managed-by=memory-core."
TIMEOUT_SECONDS = 900
_AT_THREE = "0 3 * * *"
_CLEAR_OF_THREE = "40 3 * * *"


@dataclass(frozen=True, slots=True)
class Schedule:
    """One job: what it is called, when it runs, and the chat that gets what it prints."""

    name: str
    cron: str
    chat: Chat | None = None

    @property
    def key(self) -> str:
        """What makes registering it twice the same as once."""
        return f"{PREFIX}{self.name}"


def names(settings: Settings, chat: Chat | None) -> tuple[str, ...]:
    """Return how the jobs are called; a digest needs the owner's wish, and a *chat*."""
    return (*JOBS, DIGEST) if settings.digest and chat else JOBS


def schedules(
    settings: Settings, *, dreaming: bool, chat: Chat | None
) -> list[Schedule]:
    """Return the jobs; tidy keeps clear of OpenClaw's *dreaming*, which runs at three."""
    check_times(settings)
    tidy = settings.schedule_tidy
    if tidy == _AT_THREE and dreaming:
        tidy = _CLEAR_OF_THREE
    known = {
        SYNC: Schedule(SYNC, settings.schedule_sync),
        TIDY: Schedule(TIDY, tidy),
        DIGEST: Schedule(DIGEST, settings.schedule_digest, chat),
    }
    return [known[name] for name in names(settings, chat)]


def check_times(settings: Settings) -> None:
    """Raise `SettingsError` where a setting says no time at which a job could run."""
    for name, cron in (
        ("schedule.sync", settings.schedule_sync),
        ("schedule.tidy", settings.schedule_tidy),
        ("schedule.digest", settings.schedule_digest),
    ):
        if mistake := mistake_in(cron):
            raise SettingsError(
                Notice("schedule.no-cron", name=name, cron=cron, mistake=mistake)
            )


def register(
    openclaw: OpenClaw,
    wanted: list[Schedule],
    launcher: Path,
    timezone: str,
    *,
    dreams: bool = True,
) -> None:
    """
    Put *wanted* into the scheduler of the running gateway; raise where there is none.

    What was wanted once is taken out. A digest that would cost a model's turn is no job.
    Without *dreams* memory-core's job goes too: once another plugin has the slot it cannot
    take it out itself, and the job would cost a model's turn each night.
    """
    command_payloads = "--command-argv" in openclaw.run("cron", "add", "--help")
    if not command_payloads:
        wanted = [schedule for schedule in wanted if not schedule.chat]
    listed = jobs(openclaw)
    present = {job.get("declarationKey"): job for job in listed}
    keys = {schedule.key for schedule in wanted}
    for job in listed:
        is_over = is_ours(job) and job["declarationKey"] not in keys
        if is_over or (not dreams and _DREAMS in str(job.get("description"))):
            openclaw.run("cron", "rm", str(job["id"]))
    for schedule in wanted:
        payload = (
            _command(schedule, launcher)
            if command_payloads
            else _agent_turn(schedule, launcher)
        )
        if _is_as_wanted(present.get(schedule.key), schedule, payload, timezone):
            continue
        zone = ["--tz", timezone] if timezone else []
        openclaw.run(
            *("cron", "add", "--name", schedule.name),
            *("--declaration-key", schedule.key),
            *("--cron", schedule.cron, "--exact", *zone),
            *payload,
            *("--timeout-seconds", str(TIMEOUT_SECONDS), *_delivery(schedule.chat)),
        )


def unregister(openclaw: OpenClaw) -> int:
    """Take our jobs out of the scheduler, and say how many there were."""
    ours = [job for job in jobs(openclaw) if is_ours(job)]
    for job in ours:
        openclaw.run("cron", "rm", str(job["id"]))
    return len(ours)


def jobs(openclaw: OpenClaw) -> list[dict[str, Any]]:
    """Return the jobs that the scheduler knows, disabled ones too."""
    listed = openclaw.json("cron", "list", "--all")
    found = listed.get("jobs") if isinstance(listed, dict) else listed
    return [job for job in found or [] if isinstance(job, dict)]


def is_ours(job: Mapping[str, Any]) -> bool:
    """Say whether Strata registered *job*."""
    return str(job.get("declarationKey") or "").startswith(PREFIX)


def _is_as_wanted(
    job: Mapping[str, Any] | None, schedule: Schedule, payload: list[str], timezone: str
) -> bool:
    if job is None:
        return False
    when, what = job.get("schedule") or {}, job.get("payload") or {}
    argv = what.get("argv")
    said = json.dumps(argv) if argv else what.get("message")
    where = (job.get("delivery") or {}).get("to") or ""
    return (
        when.get("expr") == schedule.cron
        and where == (schedule.chat.to if schedule.chat else "")
        and (when.get("tz") or "") == timezone
        and payload[-1] == said
    )


def _command(schedule: Schedule, launcher: Path) -> list[str]:
    job = ["event", "cron", "--job", schedule.name]
    if schedule.chat:
        job = ["digest", "--for", str(schedule.chat)]
    # The scheduler's working directory is the gateway's, wherever that was started.
    folder = ["--command-cwd", str(launcher.parent)]
    return [
        *folder,
        "--command-argv",
        json.dumps([str(launcher), *job, "--quiet-token", QUIET]),
    ]


def _delivery(chat: Chat | None) -> list[str]:
    if chat is None:
        return ["--no-deliver"]
    return ["--announce", "--channel", chat.channel, "--to", chat.to]


def _agent_turn(schedule: Schedule, launcher: Path) -> list[str]:
    template = f"prompts/{schedule.name.replace('-', '_')}.md.j2"
    message = render(template, strata=shlex.quote(str(launcher)), quiet_token=QUIET)
    options = ["--session", "isolated", "--light-context", "--tools", "exec"]
    return [*options, "--message", message]
