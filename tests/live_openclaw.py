"""A real OpenClaw for tests, run with all of its own."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import live_client
import pytest
from live_mock_model import MockModel
from openclaw_packages import installed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[1]
TOKEN = "lab-token"
PINGED_SECONDS = 60.0
BOOT_SECONDS = 180.0


def require_openclaw(version: str) -> Path:
    """
    Return the folder with `openclaw` and `node` of *version*, installing it once.

    Where that is impossible the tests are skipped with the reason; in CI they fail.
    """
    if not {"CI", "STRATA_LIVE_TESTS"} & set(os.environ):
        pytest.skip(
            "REAL OPENCLAW NOT TESTED: scripts/test does, or STRATA_LIVE_TESTS=1"
        )
    try:
        return installed(version)
    except (OSError, subprocess.SubprocessError) as error:
        said = getattr(error, "stderr", "") or str(error)
        reason = f"OpenClaw {version} CANNOT BE INSTALLED HERE: {str(said)[-300:]}"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)


class Live:
    """One OpenClaw with a state directory, a workspace and a model of its own."""

    def __init__(self, root: Path, version: str, **configuration: Any) -> None:
        self._programs = require_openclaw(version)
        self.version = version
        self.state, self.workspace = root / "state", root / "workspace"
        self.state.mkdir(parents=True)
        self.workspace.mkdir()
        self.model = MockModel(self.notes)
        self.port = _free_port()
        self.probe = root / "probe.jsonl"
        self.log = root / "gateway.out"
        self.before: dict[str, bytes] = {}
        self.idle_since = 0.0
        self._process: subprocess.Popen[bytes] | None = None
        self._client: live_client.Client | None = None
        self.environment = self._environment(root)
        self.configuration_file = self.state / "openclaw.json"
        self.configuration_file.write_text(self._configuration(configuration))

    def start(self) -> None:
        """Start the gateway and wait until it answers."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [str(self._programs / "openclaw"), "gateway", "run", "--verbose"],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=self.environment
                | {
                    "NODE_OPTIONS": f"--require {ROOT}/tests/live_probe.cjs",
                    "STRATA_PROBE": str(self.probe),
                },
                cwd=self.state,
                start_new_session=True,
            )
        self._client = live_client.connected(self.port, TOKEN, seconds=BOOT_SECONDS)

    def stop(self) -> None:
        """Stop the gateway as a service manager does."""
        self._hang_up()
        if self._process:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(60)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None

    def close(self) -> None:
        """Stop everything."""
        self.stop()
        self.model.close()

    def call(self, method: str, **parameters: Any) -> Any:
        """Ask the gateway."""
        # A change of plugins may have closed the connection.
        try:
            return self._connected().call(method, **parameters)
        except (EOFError, OSError):
            self._hang_up()
            return self._connected().call(method, **parameters)

    def server(self) -> int:
        """Return the number of the process that answers the plugin, 0 where none is."""
        state = str(self.state).encode()
        for folder in Path("/proc").iterdir():
            try:
                words = (folder / "cmdline").read_bytes().split(b"\0")
                environment = (folder / "environ").read_bytes()
            except OSError:
                continue
            if b"serve" in words and b"strata" in words and state in environment:
                return int(folder.name)
        return 0

    def kill_server(self) -> None:
        """Kill the process that answers the plugin, once it is there."""
        self.wait(lambda: self.server() > 0, "it runs", 60)
        os.kill(self.server(), signal.SIGKILL)
        self.wait(lambda: not self.server(), "it is gone")

    def tabs(self) -> list[dict[str, Any]]:
        """Return the tabs that the gateway tells its Control UI of."""
        self._hang_up()
        found: list[dict[str, Any]] = self._connected().hello.get("controlUiTabs") or []
        return found

    def call_all(self, method: str, given: list[dict[str, Any]]) -> list[Any]:
        """Ask the gateway many things at once."""
        return self._connected().call_all(method, given)

    def say(self, *texts: str, session: str = "agent:main:main") -> None:
        """Let the user say *texts* in *session*, one after the other."""
        for text in texts:
            self._connected().turn(text, session)

    def use(self, tool: str, session: str, **given: Any) -> str:
        """Let the agent call *tool* in *session*, and return what that said."""
        before = len(self.model.requests)
        self.say(f"[[tool:{tool} {json.dumps(given)}]]", session=session)
        said = [
            json.dumps(message.get("content"))
            for request in self.model.requests[before:]
            for message in request.body.get("messages") or []
            if message.get("role") == "tool"
        ]
        assert said, f"{tool} was not called"
        return said[-1]

    def strata(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run Strata's command line beside this OpenClaw."""
        # The gateway drops a client that is silent for long, and when plugins change.
        self._hang_up()
        return subprocess.run(
            [str(ROOT / "scripts" / "strata"), *arguments],
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
            env=self.environment,
            cwd=ROOT,
            timeout=300,
        )

    @contextmanager
    def without_launcher(self) -> Iterator[None]:
        """Let Strata's Python be missing meanwhile."""
        launcher = self.state / "strata" / "plugin" / "scripts" / "strata"
        away = launcher.with_name("strata-away")
        launcher.rename(away)
        yield
        away.rename(launcher)

    @contextmanager
    def without_room(self) -> Iterator[None]:
        """Let no event be kept meanwhile, as on a full disk."""
        spool = self.workspace / ".strata" / "spool"
        away = spool.with_name("spool-away")
        spool.rename(away)
        # A file in its place: no right to write would not stop root.
        spool.write_text("in the way")
        yield
        spool.unlink()
        away.rename(spool)

    def steps(self) -> list[dict[str, Any]]:
        """Return how long each step of the plugin held the gateway, and for what."""
        lines = self.probe.read_text().splitlines() if self.probe.exists() else []
        return [json.loads(line) for line in lines]

    def others(self) -> dict[str, bytes]:
        """Return what belongs to others, byte for byte."""
        files = (self.configuration_file, self.workspace / "AGENTS.md")
        return {file.name: file.read_bytes() for file in files}

    def notes(self) -> str:
        """Return all daily notes."""
        files = sorted((self.workspace / "memory").glob("????-??-??.md"))
        return "\n".join(file.read_text(encoding="utf-8") for file in files)

    def wait_for_note(self, words: str, *, seconds: float = 30.0) -> float:
        """Return how many seconds it took until *words* stood in a note."""
        return self.wait(lambda: words in self.notes(), f"{words!r} in a note", seconds)

    def wait(
        self, holds: Callable[[], bool], what: str, seconds: float = 30.0
    ) -> float:
        """Return how many seconds it took until *holds*."""
        # A gateway hangs up on whoever leaves its pings unanswered for so long.
        if seconds > PINGED_SECONDS:
            self._hang_up()
        begin = time.monotonic()
        while not holds():
            if time.monotonic() - begin > seconds:
                tail = self.log.read_text(errors="replace")[-3000:]
                pytest.fail(f"{what}: not within {seconds} s\n{self.notes()}\n{tail}")
            time.sleep(0.05)
        return time.monotonic() - begin

    def settle(self) -> None:
        """Wait until everything that a start of this version puts off is done."""
        # 2026.7.1 answers before its scheduler has started, which then ends a job that
        # runs as interrupted; ten seconds later it loads every plugin anew, and no
        # command is there meanwhile.
        if self.version == "2026.7.1":
            self.wait(
                lambda: "pre-warmed" in self._since_start(), "plugins loaded again", 90
            )

    def _since_start(self) -> str:
        told = self.log.read_text(errors="replace")
        return told[told.rfind("loading configuration") :]

    def _hang_up(self) -> None:
        if self._client:
            self._client.close()
            self._client = None

    def _connected(self) -> live_client.Client:
        if self._client is None:
            self._client = live_client.connected(self.port, TOKEN, seconds=60)
        return self._client

    def _environment(self, root: Path) -> dict[str, str]:
        home = root / "home"
        home.mkdir()
        kept = {
            name: os.environ[name] for name in ("LANG", "TMPDIR") if name in os.environ
        }
        return kept | {
            "HOME": str(home),
            "PATH": f"{self._programs}{os.pathsep}{os.environ['PATH']}",
            "NO_COLOR": "1",
            "OPENCLAW_STATE_DIR": str(self.state),
            "TZ": "UTC",
        }

    def _configuration(self, more: dict[str, Any]) -> str:
        model = {"id": "mock-1", "name": "mock-1", "contextWindow": 200_000}
        model |= more.pop("model", {})
        provider = {
            "baseUrl": self.model.url,
            "apiKey": "mock",
            "api": "openai-completions",
            "models": [model | {"maxTokens": 4096}],
        }
        defaults = {
            "model": {"primary": "mock/mock-1"},
            "workspace": str(self.workspace),
            # One in thirty minutes would come into a test now and then.
            "heartbeat": {"every": "24h", "target": "none"},
        }
        configuration = {
            "gateway": {
                "mode": "local",
                "port": self.port,
                "bind": "loopback",
                "auth": {"mode": "token", "token": TOKEN},
            },
            "logging": {"file": str(self.state / "gateway.log")},
            "models": {"providers": {"mock": provider}},
            "agents": {"defaults": defaults},
            # All private conversations of the tests, and of bench/gateway.py, are theirs.
            "commands": {"ownerAllowFrom": [f"telegram:{n}" for n in range(2_000)]},
        }
        return json.dumps(configuration | more, indent=2) + "\n"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
