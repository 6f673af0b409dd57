"""What a config loses of a session, and what of it the session needed again."""

from memory_core.loss.figures import GAPS, Loss, Lost, Round, Rule, Share
from memory_core.loss.floor import coincidence
from memory_core.loss.index import Index, Item
from memory_core.loss.lifeline import Form, Lifeline, Span, Use, lifeline
from memory_core.loss.limits import Breach, Checked, Limits, check, retention
from memory_core.loss.lost import LostItem, lost_items
from memory_core.loss.measuring import measure
from memory_core.loss.needs import Action, Need, Needs, needs_of
from memory_core.loss.remedy import Remedy, remedies
from memory_core.loss.subject import Followed, Subject, Told, Words, follow, item_of, statement_of

__all__ = [
    "GAPS",
    "Action",
    "Breach",
    "Checked",
    "Followed",
    "Form",
    "Index",
    "Item",
    "Lifeline",
    "Limits",
    "Loss",
    "Lost",
    "LostItem",
    "Need",
    "Needs",
    "Remedy",
    "Round",
    "Rule",
    "Share",
    "Span",
    "Subject",
    "Told",
    "Use",
    "Words",
    "check",
    "coincidence",
    "follow",
    "item_of",
    "lifeline",
    "lost_items",
    "measure",
    "needs_of",
    "remedies",
    "retention",
    "statement_of",
]
