"""OpenClaw's own command line, for what only OpenClaw may change."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from strata.errors import OpenClawFailed, OpenClawNotFound
from strata.messages import Notice

if TYPE_CHECKING:
    from collections.abc import Sequence

TIMEOUT_SECONDS = 180.0
# What a gateway that is not running makes the command line say, in either version.
_NOT_RUNNING = re.compile(
    r"ECONNREFUSED|not reachable|gateway (closed|not running|connect failed)|"
    r"could ?n[o']t (reach|connect)|connection (refused|failed)|is the gateway running",
    re.IGNORECASE,
)
_COMPLAINT = re.compile(r"error|invalid|fail", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OpenClaw:
    """The program *program*, run on the state directory *state*."""

    program: Path
    state: Path

    def run(
        self,
        *arguments: str,
        given: str | None = None,
        timeout_seconds: float = TIMEOUT_SECONDS,
    ) -> str:
        """Return what it prints; raise `OpenClawFailed` where it fails."""
        try:
            with self._started(arguments) as process:
                printed, complained = _communicate(process, given, timeout_seconds)
        except subprocess.TimeoutExpired:
            raise OpenClawFailed(
                Notice("openclaw.silent", command=arguments[0]),
                timed_out=True,
            ) from None
        except OSError as error:
            raise OpenClawNotFound.of(
                "openclaw.cannot-run", program=self.program, strerror=error.strerror
            ) from None
        if process.returncode:
            raise self._failure(arguments, printed + complained)
        return printed

    def _started(self, arguments: Sequence[str]) -> subprocess.Popen[str]:
        return subprocess.Popen(  # noqa: S603 - the user's own program
            [str(self.program), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            env=self._environment(),
            start_new_session=True,
        )

    def json(
        self, *arguments: str, timeout_seconds: float = TIMEOUT_SECONDS
    ) -> Any:  # Any: OpenClaw's own JSON
        """Return the JSON document that it prints, whatever stands before it."""
        printed = self.run(*arguments, "--json", timeout_seconds=timeout_seconds)
        begin = re.search(r"^[\[{]", printed, re.MULTILINE)
        try:
            return json.loads(printed[begin.start() :] if begin else "")
        except ValueError:
            name = " ".join(arguments[:2])
            raise OpenClawFailed(Notice("openclaw.no-json", name=name)) from None

    def version(self) -> str:
        """Return the version, like 2026.9.6."""
        found = re.search(r"\d{4}\.\d+\.\d+\S*", self.run("--version"))
        return found[0] if found else ""

    def _environment(self) -> dict[str, str]:
        # Node lies beside OpenClaw where both came from npm; a scheduler's PATH may not
        # lead there.
        path = f"{self.program.parent}{os.pathsep}{os.environ.get('PATH', '')}"
        return {
            **os.environ,
            "PATH": path,
            "NO_COLOR": "1",
            "OPENCLAW_STATE_DIR": str(self.state),
        }

    @staticmethod
    def _failure(arguments: Sequence[str], said: str) -> OpenClawFailed:
        lines = [line.strip() for line in said.splitlines() if line.strip()]
        name = " ".join(arguments[:2])
        if _NOT_RUNNING.search(said):
            return OpenClawFailed(
                f"`openclaw {name}` needs the gateway, which is not running",
                no_gateway=True,
            )
        reason = _told(said) or next(filter(_COMPLAINT.search, lines), None)
        reason = reason or (lines[-1] if lines else "it ended without a word")
        return OpenClawFailed(f"`openclaw {name}` failed: {reason[:300]}")


def _told(said: str) -> str | None:
    """Return the message of the error that `--json` prints as a document."""
    begin = re.search(r"^\{", said, re.MULTILINE)
    try:
        document, _ = json.JSONDecoder().raw_decode(
            said[begin.start() :] if begin else ""
        )
        return "; ".join(str(document["error"]["message"]).splitlines()) or None
    except (ValueError, KeyError, TypeError):
        return None


def _communicate(
    process: subprocess.Popen[str], given: str | None, timeout_seconds: float
) -> tuple[str, str]:
    """Return what *process* prints on both; on any way out nothing of it is left."""
    try:
        return process.communicate(given, timeout_seconds)
    except BaseException:
        # Node starts processes of its own, which would go on and hold the pipes.
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        raise


def find_openclaw(state: Path, given: str | None = None) -> OpenClaw:
    """Return OpenClaw's program: *given*, else STRATA_OPENCLAW, else the one on PATH."""
    chosen = given or os.environ.get("STRATA_OPENCLAW") or shutil.which("openclaw")
    if not chosen:
        raise OpenClawNotFound.of("openclaw.no-program")
    return OpenClaw(Path(chosen).expanduser().absolute(), state)
