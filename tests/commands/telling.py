"""Files for commands to read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def written(file: Path, data: Any) -> Path:
    """The file, with `data` in it as JSON."""
    file.write_text(json.dumps(data), encoding="utf-8")
    return file
