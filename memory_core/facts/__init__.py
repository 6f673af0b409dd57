"""What a text says that can be lost: facts, content words, and the units they stand in."""

from memory_core.facts.extraction import extract, message_facts
from memory_core.facts.fact import Fact, FactKind, MessageFact
from memory_core.facts.passages import fold
from memory_core.facts.units import Unit, units
from memory_core.facts.words import content_words

__all__ = [
    "Fact",
    "FactKind",
    "MessageFact",
    "Unit",
    "content_words",
    "extract",
    "fold",
    "message_facts",
    "units",
]
