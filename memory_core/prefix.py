"""How much of a request a provider's prompt cache already knows from the call before."""

from __future__ import annotations

from memory_core.ledger import Ledger, Sent
from memory_core.plan import Plan


def shared_tokens(ledger: Ledger, before: Plan, now: Plan) -> int:
    """Tokens from the start of the request at `now` that equal the request at `before`.

    Exact by message: a message counts where it and all before it are the same. The reply reserve
    is no part of a request. `ledger.earlier` must hold the rows changed since `before`.
    """
    shared = now.parts.overhead + now.parts.system
    if _text(before) != _text(now) or before.parts.opening != now.parts.opening:
        return shared
    shared += now.parts.summary + now.parts.opening
    if _shape(before) == _shape(now):
        return shared + _same_shape(ledger, before)
    for old, new in zip(before.positions(), now.positions(), strict=False):
        if old != new:
            break
        same = _shared_entries(ledger, old)
        shared += same
        if same != _tokens_before(ledger, old):
            break
    return shared


def _shape(plan: Plan) -> tuple[object, ...]:
    return plan.mark, plan.held, plan.drop_end, plan.spared


def _text(plan: Plan) -> str | int:
    """What tells one summary from another: its text, or in a draft its version."""
    if plan.summary is None:
        return ""
    return plan.summary.version if plan.summary.is_reserved else plan.summary.text


def _same_shape(ledger: Ledger, before: Plan) -> int:
    tokens = before.parts.kept + before.parts.pruned
    for at in sorted(ledger.earlier):
        if not before.sends(at):
            continue
        same = _shared_entries(ledger, at)
        if same != _tokens_before(ledger, at):
            behind = range(at, before.exchanges)
            return (
                tokens
                + same
                - sum(_tokens_before(ledger, later) for later in behind if before.sends(later))
            )
    return tokens


def _tokens_before(ledger: Ledger, position: int) -> int:
    known = ledger.earlier.get(position)
    return ledger.sent[position] if known is None else sum([sent.tokens for sent in known])


def _earlier(ledger: Ledger, position: int) -> tuple[Sent, ...]:
    known = ledger.earlier.get(position)
    return ledger.sent_entries(position) if known is None else known


def _shared_entries(ledger: Ledger, position: int) -> int:
    tokens = 0
    for old, new in zip(_earlier(ledger, position), ledger.sent_entries(position), strict=False):
        is_same = old.message is new.message
        if not is_same and (old.tokens != new.tokens or old.message != new.message):
            break
        tokens += old.tokens
    return tokens
