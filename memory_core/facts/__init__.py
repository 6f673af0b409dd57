"""What a text says that can be lost: facts, statements, content words, and the units."""

from memory_core.facts.extraction import extract, message_facts
from memory_core.facts.fact import Fact, FactKind, MessageFact
from memory_core.facts.passages import fold, passages
from memory_core.facts.statement import Statement, StatementKind
from memory_core.facts.statements import statements
from memory_core.facts.units import Unit, all_units, call_units, line_units, units
from memory_core.facts.words import content_words

__all__ = [
    "Fact",
    "FactKind",
    "MessageFact",
    "Statement",
    "StatementKind",
    "Unit",
    "all_units",
    "call_units",
    "content_words",
    "extract",
    "fold",
    "line_units",
    "message_facts",
    "passages",
    "statements",
    "units",
]
