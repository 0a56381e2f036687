"""What every test stands on: the checkout on the path, and nobody's real home."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from lanes import BEHIND, Lanes, on_real_openclaw

if TYPE_CHECKING:
    from xdist.remote import Producer

# A shell starts what runs in the background deaf to Ctrl-C, and so would be every child.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A busy machine is slow; that says nothing about the code. What has to pass before a
# change lands gives the same verdict twice; by hand, each run looks at other examples.
settings.register_profile(
    "strata",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="CI" in os.environ,
)
settings.load_profile("strata")
sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Lanes:
    """
    Share the work in lanes, whatever ``--dist`` says.
    """
    return Lanes(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """
    Begin with a real OpenClaw: what waits longest.
    """
    items.sort(key=lambda item: not on_real_openclaw(item))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """
    Let a worker make way for those whose tests time a real OpenClaw.
    """
    if "PYTEST_XDIST_WORKER" in os.environ and not on_real_openclaw(item):
        os.nice(max(0, BEHIND - os.nice(0)))


@pytest.fixture(autouse=True)
def own_home(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    A home of its own, and none of the user's settings.
    """
    monkeypatch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
    for name in ("OPENCLAW_STATE_DIR", "OPENCLAW_CONFIG_PATH", "STRATA_TIMEZONE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """
    An empty state directory, as of an OpenClaw where nobody has said anything.
    """
    (tmp_path / "state").mkdir()
    return tmp_path / "state"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """
    An empty workspace.
    """
    (tmp_path / "workspace").mkdir()
    return tmp_path / "workspace"


@pytest.fixture(autouse=True)
def _asked_about_one(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Where tests are about what a model says, it is asked about a single candidate too.
    """
    if {"deciding", "test_model_properties.py"} & {*request.path.parts}:
        monkeypatch.setattr("strata.jobs.deciding.consulting._FEWEST", 1)


@pytest.fixture(autouse=True)
def _nobody_is_spoken_to() -> None:
    """
    A command of an earlier test has left no owner whose language is spoken.
    """
    from strata.cli import speaking  # noqa: PLC0415 - the lanes need no Strata

    speaking.OPENED.set(None)
    speaking.MEANT.set(None)
    speaking.WISHED.set(lambda: "auto")
