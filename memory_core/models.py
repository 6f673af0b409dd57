"""Model names, and how the tokens of each are counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from memory_core.texts import _

ENCODINGS: Final = (
    "o200k_base",
    "o200k_harmony",
    "cl100k_base",
    "p50k_base",
    "p50k_edit",
    "r50k_base",
    "gpt2",
)
FALLBACK_ENCODING: Final = "o200k_base"
HOSTS_OF_OPENAI_MODELS: Final = frozenset({"openai", "azure"})

ESTIMATORS: Final[Mapping[str, Callable[[str], int]]] = {
    "len // 3": lambda text: len(text) // 3,
    "chars / 4": lambda text: -(-len(text) // 4),
}
"""Rules of thumb to compare with, selectable as a model name; `len // 3` is the first article's."""


@dataclass(frozen=True, slots=True)
class CountedModel:
    """How one model's tokens are counted.

    `encoding` is a tiktoken encoding or the name of an estimator. `factor` multiplies its counts
    and is 1 where `exact`. `label` tells a person which of the two a number is.
    """

    name: str
    encoding: str
    exact: bool
    factor: float
    label: str


def counted_model(name: str, *, unknown_model_factor: float = 1.0) -> CountedModel:
    """How a model of tiktoken's table, an encoding, an estimator or any other name is counted."""
    if name in ESTIMATORS:
        return CountedModel(
            name, name, exact=False, factor=1.0, label=_("estimate: {rule}").format(rule=name)
        )
    encoding = _encoding(name.strip().lower())
    if encoding is not None:
        label = _("exact: {encoding}").format(encoding=encoding)
        return CountedModel(name, encoding, exact=True, factor=1.0, label=label)
    label = _("estimate: {encoding} x {factor:g}").format(
        encoding=FALLBACK_ENCODING, factor=unknown_model_factor
    )
    return CountedModel(
        name, FALLBACK_ENCODING, exact=False, factor=unknown_model_factor, label=label
    )


def _encoding(name: str) -> str | None:
    from tiktoken.model import encoding_name_for_model

    if name in ENCODINGS:
        return name
    *hosts, model = name.split("/")
    if hosts and hosts[-1] not in HOSTS_OF_OPENAI_MODELS:
        return None
    try:
        return encoding_name_for_model(model)
    except KeyError:
        return None
