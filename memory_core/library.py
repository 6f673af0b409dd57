"""The presets a person saved, one JSON file each, beside those that come with the library."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from platformdirs import user_data_path
from pydantic import BaseModel, ConfigDict, StrictStr, ValidationError

from memory_core.config import MemoryConfig, describe
from memory_core.errors import CannotWrite, InvalidPreset
from memory_core.files import write_whole
from memory_core.presets import ARTICLE, PRESETS, Preset, differing
from memory_core.texts import _, ngettext

LONGEST_NAME: Final = 80
"""Characters a name may have."""
LARGEST_FILE: Final = 1_000_000
"""Bytes of a file that is read at all."""

_SEEN: Final = "LNPS"
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode categories of characters that a list of names cannot show, or shows as another name."""
_JOINERS: Final = "\u200c\u200d"
"""Unseen, and needed: between letters of Persian and Hindi, and within emoji."""
_NOT_IN_FILE_NAMES: Final = re.compile(r"[^A-Za-z0-9]+")


class _Content(BaseModel):
    """What a file of the library holds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: StrictStr
    config: MemoryConfig


@dataclass(frozen=True, slots=True)
class Shelf:
    """All presets there are: built-in ones first, then the saved ones by name."""

    presets: Mapping[str, Preset]
    files: Mapping[str, Path]
    """Where each saved preset lies."""
    problems: tuple[str, ...] = ()
    """Files that could not be used, each with its name and the reason."""

    def pick(self, name: str) -> Preset:
        """The preset of a name; raises `InvalidPreset` naming those there are."""
        if name not in self.presets:
            known = ", ".join(repr(one) for one in self.presets)
            reason = _("there is no preset {name!r}; choose one of {known}")
            raise InvalidPreset(reason.format(name=name, known=known))
        return self.presets[name]

    def named(self, name: str) -> str:
        """`name`, or the article's where there is no such preset any more."""
        return name if name in self.presets else ARTICLE

    def like(self, config: MemoryConfig) -> str:
        """The name of the first preset with the same values (pins aside), else the article's."""
        same = (name for name, one in self.presets.items() if not differing(config, one.config))
        return next(same, ARTICLE)


def preset_folder(environment: Mapping[str, str]) -> Path:
    """Where presets are saved: `$PLAYGROUND_HOME/presets`, else in the person's data folder."""
    home = environment.get("PLAYGROUND_HOME")
    data = Path(home) if home else user_data_path("memory-playground", appauthor=False)
    return data / "presets"


def read_shelf(folder: Path) -> Shelf:
    """Every preset, those saved in `folder` too; a file that cannot be read spoils no other."""
    saved: dict[str, Preset] = {}
    files: dict[str, Path] = {}
    problems: list[str] = []
    for file in _files(folder, problems):
        try:
            content = _read(file)
            if content.name in saved:
                raise InvalidPreset(_("another preset has its name"))
        except InvalidPreset as error:
            problems.append(f"{file}: {error}")
        else:
            saved[content.name] = Preset(content.name, _story(content.config), content.config)
            files[content.name] = file
    in_order = {name: saved[name] for name in sorted(saved, key=str.casefold)}
    return Shelf({**PRESETS, **in_order}, files, tuple(problems))


def save_preset(folder: Path, name: str, config: MemoryConfig, *, replace: bool = False) -> str:
    """Keep a config, without its pins, under a name of up to 80 characters; the name as kept.

    Raises `InvalidPreset` for a name that cannot be used, or that a saved preset has unless
    `replace`; `CannotWrite` where the file cannot be written.
    """
    name = _checked(name)
    taken = read_shelf(folder).files
    if name in taken and not replace:
        raise InvalidPreset(_("there is a preset {name!r} already").format(name=name))
    content = {"name": name, "config": json.loads(config.portable())}
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotWrite(f"{folder}: {error.strerror}") from error
    write_whole(taken.get(name, folder / _file_name(name)), json.dumps(content, indent=2) + "\n")
    return name


def delete_preset(folder: Path, name: str) -> None:
    """Forget a saved preset; raises `InvalidPreset` if there is none, `CannotWrite` if it stays."""
    file = read_shelf(folder).files.get(name)
    if file is None:
        raise InvalidPreset(_("there is no saved preset {name!r}").format(name=name))
    try:
        file.unlink()
    except OSError as error:
        raise CannotWrite(f"{file}: {error.strerror}") from error


def tidy(name: str) -> str:
    """A name as it is kept: composed characters, single spaces."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def _checked(name: str) -> str:
    name = tidy(name)
    unseen = [one for one in name if unicodedata.category(one) in _UNSEEN and one not in _JOINERS]
    if unseen:
        reason = _("a name cannot hold the unseen character U+{code:04X}")
        raise InvalidPreset(reason.format(code=ord(unseen[0])))
    if not any(unicodedata.category(one)[0] in _SEEN for one in name):
        raise InvalidPreset(_("a preset needs a name"))
    if len(name) > LONGEST_NAME:
        reason = _("a name may have {most} characters, and this one has {n}")
        raise InvalidPreset(reason.format(most=LONGEST_NAME, n=len(name)))
    if _is_built_in(name):
        reason = _("{name!r} comes with the app; choose another name")
        raise InvalidPreset(reason.format(name=name))
    return name


def _is_built_in(name: str) -> bool:
    taken = {*PRESETS, *(one.label for one in PRESETS.values())}
    return name.casefold() in {one.casefold() for one in taken}


def _files(folder: Path, problems: list[str]) -> list[Path]:
    try:
        return sorted(folder.glob("*.json")) if folder.is_dir() else []
    except OSError as error:
        problems.append(f"{folder}: {error.strerror}")
        return []


def _read(file: Path) -> _Content:
    try:
        if not file.is_file():
            raise InvalidPreset(_("not a regular file"))
        if file.stat().st_size > LARGEST_FILE:
            raise InvalidPreset(_("larger than {n:,} bytes").format(n=LARGEST_FILE))
        content = _Content.model_validate(json.loads(file.read_text(encoding="utf-8-sig")))
    except OSError as error:
        raise InvalidPreset(str(error.strerror)) from error
    except ValidationError as error:
        raise InvalidPreset(describe(error)) from None
    except (ValueError, RecursionError) as error:
        raise InvalidPreset(_("not JSON: {reason}").format(reason=error)) from error
    config = content.config.model_copy(update={"pins": ()})
    return content.model_copy(update={"name": _checked(content.name), "config": config})


def _file_name(name: str) -> str:
    """A name of letters and digits that no other preset has, whatever the file system folds."""
    readable = _NOT_IN_FILE_NAMES.sub("-", name).strip("-")[:40].lower()
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{readable}-{digest}.json".lstrip("-")


def _story(config: MemoryConfig) -> str:
    changed = len(differing(config, MemoryConfig()))
    return ngettext(
        "Saved by you; {n} value differs from the article.",
        "Saved by you; {n} values differ from the article.",
        changed,
    ).format(n=changed)
