"""Gathers every text a person reads into the gettext catalogues: `make texts`."""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path
from typing import Final

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir, extract_from_file
from babel.messages.pofile import read_po, write_po

from memory_core.texts import DOMAIN, LOCALES
from tests.setup.folders import ROOT

PYTHON: Final = [("**.py", "python")]
TEMPLATE: Final = LOCALES / f"{DOMAIN}.pot"


def gathered() -> Catalog:
    """The texts in the sources, each with the files it stands in."""
    catalogue = Catalog(project="Memory Playground", domain=DOMAIN, fuzzy=False)
    for folder in ("memory_core", "pages"):
        for file, _, text, comments, context in extract_from_dir(ROOT / folder, PYTHON):
            place = f"{folder}/{file}"
            catalogue.add(text, locations=[(place, 0)], auto_comments=comments, context=context)
    app = ROOT / "app.py"
    if app.exists():
        for _, text, comments, context in extract_from_file("python", app):
            catalogue.add(text, locations=[("app.py", 0)], auto_comments=comments, context=context)
    return catalogue


def texts_of(catalogue: Catalog) -> set[str | tuple[str, ...]]:
    """What is to be translated: a text, or the forms of a plural."""
    ids = (message.id for message in catalogue if message.id)
    return {tuple(found) if isinstance(found, list | tuple) else found for found in ids}


def catalogues() -> list[Path]:
    """The template and the catalogue of every language."""
    return [TEMPLATE, *sorted(LOCALES.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))]


def read_catalogue(path: Path) -> Catalog:
    """The catalogue in the file at `path`."""
    with path.open("rb") as file:
        return read_po(file, locale=None if path == TEMPLATE else path.parts[-3])


def written(catalogue: Catalog) -> bytes:
    """`catalogue` as a .po file without dates and names: only texts change it."""
    lines = ["Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 8bit"]
    if catalogue.locale is not None:
        lines += [f"Language: {catalogue.locale}", f"Plural-Forms: {catalogue.plural_forms}"]
    header = "".join(f'"{line}\\n"\n' for line in lines)
    entries = BytesIO()
    write_po(
        entries,
        catalogue,
        width=100,
        omit_header=True,
        sort_output=True,
        ignore_obsolete=True,
        include_lineno=False,
    )
    return f'msgid ""\nmsgstr ""\n{header}\n'.encode() + entries.getvalue().strip() + b"\n"


def main() -> None:
    """Bring every catalogue up to date; translations of texts that stayed are kept."""
    source = gathered()
    for path in catalogues():
        catalogue = source
        if path != TEMPLATE:
            catalogue = read_catalogue(path)
            catalogue.update(source, no_fuzzy_matching=True)
        path.write_bytes(written(catalogue))
        sys.stdout.write(f"{path.relative_to(ROOT)}: {len(catalogue)} texts\n")


if __name__ == "__main__":
    main()
