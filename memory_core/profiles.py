"""What a provider accepts: who carries the summary, how many system messages, who speaks first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from memory_core.exchanges import EMPTY, Entry, Exchange, as_user
from memory_core.messages import ChatMessage, Role

SYSTEM_MARK: Final = "[System message]\n"
OPENING: Final = ChatMessage(role="user", content="(earlier messages left out)")


@dataclass(frozen=True, slots=True)
class Profile:
    """Message rules of one family of providers."""

    summary_role: Role
    single_system: bool
    """One system message only, a user message behind it, and no message without content."""


PROFILES: Final[Mapping[str, Profile]] = {
    "openai": Profile(summary_role="system", single_system=False),
    "anthropic": Profile(summary_role="user", single_system=True),
    "strict": Profile(summary_role="user", single_system=True),
}


def adapt(exchange: Exchange, profile: Profile) -> Exchange:
    """`exchange` as the provider takes it: itself where nothing has to change."""
    if not profile.single_system:
        return exchange
    entries = tuple(_adapt_entry(entry) for entry in exchange.entries)
    return exchange if entries == exchange.entries else replace(exchange, entries=entries)


def opening_tokens(profile: Profile, first: Exchange, tokens: Callable[[ChatMessage], int]) -> int:
    """Tokens of `OPENING` where a request without a summary needs it before its first exchange."""
    is_needed = profile.single_system and first.entries[0].message.role != "user"
    return tokens(OPENING) if is_needed else 0


def _adapt_entry(entry: Entry) -> Entry:
    message = entry.message
    if message.is_system:
        return replace(entry, message=as_user(message, SYSTEM_MARK))
    if message.text.strip() or message.tool_calls or any(part.is_image for part in message.parts):
        return entry
    return replace(entry, message=message.model_copy(update={"content": EMPTY}))
