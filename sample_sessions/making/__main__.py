"""Make the sample sessions anew: `python -m sample_sessions.making`."""

from __future__ import annotations

import sys

from sample_sessions.making.files import FOLDER, MAKERS, make

if __name__ == "__main__":
    for name in MAKERS:
        (FOLDER / name).write_bytes(make(name))
        sys.stdout.write(f"wrote {name}\n")
