"""Are Strata's jobs in OpenClaw's scheduler, each once, and do they run."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from strata.errors import OpenClawFailed, SettingsError, StrataError
from strata.events import DIGEST, JOBS
from strata.jobs.checks.findings import Finding, note, ok, problem
from strata.jobs.connection.connecting import REGISTERED, reschedule
from strata.jobs.connection.schedules import check_times, is_ours, jobs, names
from strata.messages import Notice
from strata.workspace.openclaw_program import OpenClaw
from strata.workspace.owners import owner_chat

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from strata.memory import Memory
    from strata.workspace.openclaw_config import Values
    from strata.workspace.own_folder import Installation
    from strata.workspace.owners import Chat

INSTALL = "strata install"
LATE_MS = 2 * 3600 * 1000


def check_times_set(memory: Memory) -> Iterator[Finding]:
    """Look at the settings that say when jobs run."""
    try:
        check_times(memory.settings)
    except SettingsError as error:
        yield problem(
            "schedule", error.told, Notice("doctor.mend-setting", install=INSTALL)
        )


def check_digest(memory: Memory, configuration: Values) -> Iterator[Finding]:
    """Look whether the digest has a chat to go to, if it is wanted."""
    chat = owner_chat(configuration)
    if memory.settings.digest and chat:
        yield ok("digest", Notice("doctor.digest-goes", chat=chat))
    elif memory.settings.digest:
        yield note("digest", Notice("doctor.digest-homeless"))


def check_schedules(
    memory: Memory, installed: Installation, configuration: Values
) -> Iterator[Finding]:
    """Look at the scheduler of the running gateway."""
    openclaw = OpenClaw(Path(installed.program), memory.state_folder)
    try:
        listed = jobs(openclaw)
    except OpenClawFailed as error:
        if error.no_gateway:
            yield note(
                "schedules", Notice("doctor.no-gateway"), "openclaw gateway start"
            )
        else:
            yield problem("schedules", error.told, "openclaw doctor")
        return
    except StrataError as error:
        yield problem("schedules", error.told, INSTALL)
        return
    ours = [job for job in listed if is_ours(job)]
    chat = owner_chat(configuration)
    # A scheduler that runs no commands has no digest: it would cost a model's turn.
    turns = any(not (job.get("payload") or {}).get("argv") for job in ours)
    wanted = JOBS if turns else names(memory.settings, chat)
    yield from _complete(memory, installed, ours, wanted)
    yield from (_astray(memory, job, chat) for job in ours if _is_astray(job, chat))
    yield from _double(listed)
    for job in ours:
        yield _job(job, int(memory.now.timestamp() * 1000))


def _complete(
    memory: Memory,
    installed: Installation,
    ours: Iterable[Values],
    wanted: tuple[str, ...],
) -> Iterator[Finding]:
    there = {str(job.get("name")) for job in ours}.intersection(wanted)
    if len(there) < len(wanted) or installed.schedules != REGISTERED:
        yield problem(
            "schedules",
            Notice("doctor.jobs-registered", names=len(there), jobs=len(wanted)),
            INSTALL,
            lambda: reschedule(memory),
        )


def _is_astray(job: Values, chat: Chat | None) -> bool:
    """Say whether somebody lets *job*, if it is the digest, go elsewhere than to *chat*."""
    return job.get("name") == DIGEST and chat is not None and _sent_to(job) != chat.to


def _sent_to(job: Values) -> str:
    return str((job.get("delivery") or {}).get("to") or "")


def _astray(memory: Memory, job: Values, chat: Chat | None) -> Finding:
    says = Notice("doctor.digest-astray", to=_sent_to(job) or "-", chat=chat)
    return problem("digest", says, INSTALL, lambda: reschedule(memory))


def _double(listed: Iterable[Values]) -> Iterator[Finding]:
    """Tell of jobs that somebody made by hand, or another bundle: not ours to remove."""
    called = defaultdict(list)
    for job in listed:
        if job.get("name") in {*JOBS, DIGEST} and job.get("enabled") is not False:
            called[str(job["name"])].append(job)
    for name, same in called.items():
        spare = sorted(same, key=is_ours)[:-1]
        if spare:
            yield problem(
                f"{name} twice",
                Notice("doctor.jobs-double", count=len(same), name=name),
                "; ".join(f"openclaw cron rm {job.get('id')}" for job in spare),
            )


def _job(job: Values, now_ms: int) -> Finding:
    name, state = str(job.get("name")), job.get("state") or {}
    if job.get("enabled") is False:
        says = Notice("doctor.job-off")
        return note(name, says, f"openclaw cron enable {job.get('id')}")
    if state.get("lastStatus") == "error" or state.get("lastRunStatus") == "error":
        reason = state.get("lastError") or Notice("doctor.see-runs")
        return problem(
            name,
            Notice("doctor.job-failed", reason=reason),
            f"openclaw cron runs {name}",
        )
    if reason := state.get("lastDeliveryError"):
        says = Notice("doctor.not-delivered", reason=reason)
        return problem(name, says, f"openclaw cron runs {name}")
    if (state.get("nextRunAtMs") or now_ms) < now_ms - LATE_MS:
        return problem(name, Notice("doctor.job-late"), "openclaw doctor")
    return ok(name, Notice("doctor.scheduled"))
