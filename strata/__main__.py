"""`python -m strata`: the command line."""

from __future__ import annotations

from strata.cli import main

if __name__ == "__main__":
    main()
