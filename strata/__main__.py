"""`python -m strata`: the command line."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line, in a process that is warm where there is one."""
    # A terminal that cannot show a character, as in GBK, must not stop the output.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    from strata import warm  # noqa: PLC0415 - nothing before it that takes time

    code = warm.answered(sys.argv[1:])
    if code is not None:
        sys.exit(code)
    from strata.cli import main as run  # noqa: PLC0415 - 60 ms, saved where one is warm

    run()


if __name__ == "__main__":
    main()
