"""The regions of the session page: what the session holds, each told in a title and a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

import streamlit as st

from memory_core.exchanges import Repair
from memory_core.languages import RoleScripts
from memory_core.messages import ChatMessage
from memory_core.repeats import Repeat
from memory_core.scripts import Kind, Scripts
from memory_core.sessions.session import Loaded
from memory_core.texts import _, ngettext
from memory_core.totals import Large
from pages.ui import session_figures, tables
from pages.ui.audit_figures import kind_name
from pages.ui.findings import Findings
from pages.ui.titles import titled

FIRST_CHARACTERS: Final = 90
MOST_PLACES: Final = 12
"""Messages named in one cell."""
PLAIN: Final = {"displayModeBar": False}


def growth(found: Findings) -> None:
    """How the session grew, by whom."""
    whole = found.tokens or 1
    by_role: Counter[str] = Counter()
    for total in found.growth.totals:
        by_role[_("tool outputs") if total.role == "tool" else total.role] += total.tokens
    shares = ", ".join(f"{role} {tokens / whole:.0%}" for role, tokens in by_role.most_common())
    titled(
        _("{tokens:,} tokens: {shares}").format(tokens=found.tokens, shares=shares),
        _(
            "All messages as they stand in the file, those after the last call too. Drawn are the "
            "tokens that had come together by each message, stacked by role and by the tool that "
            "answered: a steep step is one large message."
        ),
    )
    st.plotly_chart(
        session_figures.growth_chart(found.growth),
        key="growth",
        config=PLAIN,
        alt=_("Tokens of the session up to each message, stacked by role and tool"),
    )


def roles(found: Findings) -> None:
    """Totals by role and tool."""
    titled(_("Tokens by role and tool"), _("Every message counts once, its frame included."))
    tables.roles_table(found.growth.totals)


def largest(found: Findings, messages: Sequence[ChatMessage]) -> None:
    """The messages with most tokens."""
    shown, whole = found.largest, found.tokens or 1
    outputs = sum(one.role == "tool" for one in shown)
    titled(
        ngettext(
            "The largest message holds {share:.0%} of all tokens",
            "The {n:,} largest messages hold {share:.0%} of all tokens; {outputs:,} of them are "
            "tool outputs",
            len(shown),
        ).format(n=len(shown), share=sum(one.tokens for one in shown) / whole, outputs=outputs),
        _("What a pruning threshold would shorten first. The number names the message."),
    )
    tables.table(
        {
            _("message"): [f"#{one.index}" for one in shown],
            _("said by"): [_source(one) for one in shown],
            _("tokens"): [one.tokens for one in shown],
            _("share of all, %"): [round(100 * one.tokens / whole, 1) for one in shown],
            _("first words"): [first_words(messages[one.index]) for one in shown],
        },
        key="largest",
    )


def repeats(found: Sequence[Repeat], tokens: int) -> None:
    """Calls that were made again."""
    if not found:
        titled(
            _("No call was made twice"),
            _("No tool was called again with the same arguments, whatever their order."),
        )
        return
    again = sum(one.again for one in found)
    titled(
        ngettext(
            "{n:,} call was made again; {again:,} tokens of results said the same word for word",
            "{n:,} calls were made again; {again:,} tokens of results said the same word for word",
            len(found),
        ).format(n=len(found), again=again),
        _(
            "The same tool with the same arguments (JSON compared by value). All results of these "
            "calls have {tokens:,} tokens, {share:.1%} of the session."
        ).format(
            tokens=sum(one.tokens for one in found),
            share=sum(one.tokens for one in found) / (tokens or 1),
        ),
    )
    tables.table(
        {
            _("tool"): [one.tool for one in found],
            _("times"): [len(one.calls) for one in found],
            _("tokens of the results"): [one.tokens for one in found],
            _("of these said before"): [one.again for one in found],
            _("results"): [_results(one) for one in found],
            _("called at message"): [_places(one.calls) for one in found],
            _("arguments"): [one.arguments[: 2 * FIRST_CHARACTERS] for one in found],
        },
        key="repeats",
    )


def scripts(found: Sequence[RoleScripts]) -> None:
    """Which scripts the roles write in."""
    whole = sum((one.scripts for one in found), Scripts())
    titled(
        _("{hangul:.0%} of the letters are Hangul, {latin:.0%} Latin").format(
            hangul=whole.hangul / (whole.letters or 1), latin=whole.latin / (whole.letters or 1)
        ),
        _(
            "A share of scripts, not of languages: every character is told by its Unicode script, "
            "so that English and the words of source code are both Latin."
        ),
    )
    st.plotly_chart(
        session_figures.scripts_chart(found),
        key="scripts",
        config=PLAIN,
        alt=_("Characters of each role by Unicode script, in percent"),
    )
    st.caption(
        _(
            "Tokens by kind, each message taken whole: Korean from a quarter of its letters on, "
            "other scripts likewise; else code and data where a fifth of all but the spaces are "
            "digits and marks; else Latin."
        )
    )
    tables.table(
        {
            _("role"): [one.role for one in found],
            _("messages"): [one.messages for one in found],
            _("tokens"): [one.all_tokens for one in found],
            **{
                _("{kind}: tokens").format(kind=kind_name(kind)): [
                    one.tokens[kind] for one in found
                ]
                for kind in Kind
            },
        },
        key="kinds",
    )


def repairs(made: Sequence[Repair]) -> None:
    """Every repair of the session."""
    if not made:
        titled(_("Nothing to repair"), _("At every call calls have results, results have calls."))
        return
    titled(
        ngettext("{n:,} repair", "{n:,} repairs", len(made)).format(n=len(made)),
        _(
            "What a provider would have refused, and what stands in for it, as an agent running "
            "through this session would have met it call by call. The command `lint` judges the "
            "file as a whole instead, so its list may differ."
        ),
    )
    tables.repairs_table(made)


def unknown_roles(found: Mapping[int, str]) -> None:
    """Messages of the session whose role is not known; nothing where there are none."""
    if not found:
        return
    titled(
        ngettext(
            "{n:,} message has an unknown role",
            "{n:,} messages have an unknown role",
            len(found),
        ).format(n=len(found)),
        _("Their own role stays beside them, but a provider is sent them as the user's."),
    )
    tables.unknown_roles_table(found)


def load(loaded: Loaded) -> None:
    """What the load did with the file."""
    report = loaded.report
    titled(
        _("{used:,} of {read:,} records were used").format(
            used=report.records_used, read=report.records_read
        ),
        _(
            "Every record of the file was used, ignored for its type, or skipped for a reason; of "
            "one that was used, single messages may have been skipped. "
            "One record may give several messages (parallel tool results, a whole conversation), "
            "and several records one (an answer recorded in pieces)."
        ),
    )
    tables.load_table(loaded)
    if report.skipped:
        titled(_("Skipped"), _("Where each one stands, and why it gave no message."))
        tables.skipped_table(report)


def first_words(message: ChatMessage) -> str:
    """The start of a message on one line: its text, else its first call."""
    text = message.text[: 4 * FIRST_CHARACTERS]
    if not text.strip() and message.tool_calls:
        call = message.tool_calls[0]
        text = f"{call.name} {call.arguments[: 4 * FIRST_CHARACTERS]}"
    return " ".join(text.split())[:FIRST_CHARACTERS]


def _source(one: Large) -> str:
    return f"{one.role}: {one.tool}" if one.tool else one.role


def _results(one: Repeat) -> str:
    if one.is_identical:
        return _("all the same")
    if len(one.results) < 2:
        return ngettext("{n} recorded", "{n} recorded", len(one.results)).format(n=len(one.results))
    return _("{n:,} different").format(n=one.different)


def _places(calls: Sequence[int]) -> str:
    named = ", ".join(f"#{index}" for index in calls[:MOST_PLACES])
    return f"{named} …" if len(calls) > MOST_PLACES else named
