"""`python -m memory_core`: the command line."""

from __future__ import annotations

from memory_core.commands import main

if __name__ == "__main__":
    main()
