"""`python -m strata`: the command line."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command line, in a process that is warm where there is one."""
    # A terminal that cannot show a character, as in GBK, must not stop the output.
    _open_what_is_closed()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    from strata import warm  # noqa: PLC0415 - nothing before it that takes time

    code = warm.answered(sys.argv[1:])
    if code is not None:
        sys.exit(code)
    from strata.cli import main as run  # noqa: PLC0415 - 60 ms, saved where one is warm

    run()


def _open_what_is_closed() -> None:
    """Let a command that was started without one of its streams talk to nobody."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            mode = "w" if number else "r"
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123 - as long as the process lives


if __name__ == "__main__":
    main()
