"""Where OpenClaw looks for the bundle after that was moved or renamed."""

from __future__ import annotations

from pathlib import Path

_BEFORE, _AFTER = "exec '", '\' "$@"'


def launching(target: Path) -> str:
    """Return the line of a shell script by which it becomes *target*."""
    quoted = str(target).replace("'", "'\\''")
    return f"{_BEFORE}{quoted}{_AFTER}"


def moved_from(state: Path) -> str:
    """Return where OpenClaw in *state* still looks for the bundle, "" where it is."""
    launcher = state / "strata" / "plugin" / "scripts" / "strata"
    try:
        *_, last = launcher.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError, ValueError):
        return ""
    if not (last.startswith(_BEFORE) and last.endswith(_AFTER)):
        return ""
    target = Path(last[len(_BEFORE) : -len(_AFTER)].replace("'\\''", "'"))
    return "" if target.exists() else str(target.parents[1])
