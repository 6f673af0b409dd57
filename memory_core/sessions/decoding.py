"""From bytes to UTF-8: byte order marks, and contents that are no text at all."""

from __future__ import annotations

import codecs
from io import BytesIO
from typing import BinaryIO, Final

from memory_core.errors import SessionError
from memory_core.texts import _

_SNIFFED_BYTES: Final = 4096

_SIGNATURES: Final = {
    b"PK\x03\x04": "zip",
    b"PK\x05\x06": "zip",
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"7z\xbc\xaf": "7z",
    b"SQLite format 3\x00": "SQLite",
    b"%PDF-": "PDF",
    b"\x89PNG": "PNG",
    b"\xff\xd8\xff": "JPEG",
    b"GIF8": "GIF",
    b"PAR1": "Parquet",
    b"ARROW1": "Arrow",
}

_WIDE_MARKS: Final = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def utf8_stream(stream: BinaryIO) -> BinaryIO:
    """`stream` as UTF-8 without byte order mark, from its start.

    Only UTF-16 and UTF-32 are held in memory. Raises `SessionError` for binary content, named where
    it is known; nothing is ever decompressed.
    """
    start = stream.read(_SNIFFED_BYTES)
    stream.seek(0)
    for mark, encoding in _WIDE_MARKS.items():
        if start.startswith(mark):
            return _recoded(stream, encoding)
    for signature, kind in _SIGNATURES.items():
        if start.startswith(signature):
            reason = _("this is a {kind} file, not a session: unpack or export it first")
            raise SessionError(reason.format(kind=kind))
    if b"\x00" in start:
        raise SessionError(_("binary content, or UTF-16 text without a byte order mark"))
    if start.startswith(codecs.BOM_UTF8):
        stream.seek(len(codecs.BOM_UTF8))
    return stream


def _recoded(stream: BinaryIO, encoding: str) -> BinaryIO:
    try:
        text = stream.read().decode(encoding, "surrogatepass")
    except UnicodeDecodeError as error:
        reason = _("not {encoding} text, although it starts like it: byte {position}")
        raise SessionError(reason.format(encoding=encoding, position=error.start)) from None
    return BytesIO(text.encode("utf-8", "surrogatepass"))
