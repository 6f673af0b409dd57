"""Files that are written whole or not at all."""

from __future__ import annotations

import stat
from pathlib import Path
from uuid import uuid4

from memory_core.errors import CannotWrite
from memory_core.texts import _


def write_whole(file: Path, text: str) -> None:
    """Put `text` into `file`, which is replaced only once the text is safe beside it.

    Raises `CannotWrite`; what was there before is then unchanged.
    """
    target = file.resolve()
    if target.exists() and not target.is_file():
        raise CannotWrite(_("{file}: not a regular file").format(file=file))
    draft = target.parent / f".{uuid4().hex}.tmp"
    try:
        draft.write_text(text, encoding="utf-8")
        if target.exists():
            draft.chmod(stat.S_IMODE(target.stat().st_mode))
        draft.replace(target)
    except OSError as error:
        raise CannotWrite(f"{file}: {error.strerror}") from error
    finally:
        draft.unlink(missing_ok=True)
