"""A memory's running state as frozen JSON: what is needed to go on exactly where it stopped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memory_core.behind import Masker
from memory_core.config import MemoryConfig, describe
from memory_core.errors import InvalidMemoryState
from memory_core.gauge import Gauge
from memory_core.messages import ChatMessage
from memory_core.pipeline import Planner
from memory_core.plan import Plan, Pruning, Receipt, Summary
from memory_core.texts import _

SCHEMA_VERSION = 1

Natural = Annotated[int, Field(ge=0)]


class MemoryState(BaseModel):
    """The decisions of a memory so far. The messages themselves stay in the caller's history.

    `seen` messages of the history were planned; `digest` is the SHA-256 over them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: int = SCHEMA_VERSION
    config: MemoryConfig
    seen: Natural
    digest: str
    anchor: ChatMessage | None
    skips_first: bool
    mark: Natural
    strikes: Natural
    ordinal: Natural
    given_up: tuple[tuple[int, int], ...]
    prunings: dict[int, Pruning]
    summary: Summary | None
    receipts: tuple[Receipt, ...]
    last: Plan | None
    """The newest plan, against which the next cached prefix is measured."""

    def to_json(self) -> str:
        return self.model_dump_json()


def parse_state(text: str | bytes) -> MemoryState:
    """The state in a JSON text; raises `InvalidMemoryState` naming the field and the reason."""
    try:
        state = MemoryState.model_validate_json(text)
    except ValidationError as error:
        # Not chained: the original error quotes the text it refuses.
        raise InvalidMemoryState(
            _("memory state: {reason}").format(reason=describe(error))
        ) from None
    if state.schema_version != SCHEMA_VERSION:
        reason = _("memory state: version {found}, and this library reads {known}")
        raise InvalidMemoryState(reason.format(found=state.schema_version, known=SCHEMA_VERSION))
    return state


def snapshot(planner: Planner, *, digest: str, skips_first: bool) -> MemoryState:
    """The planner's decisions after its newest call point."""
    ledger = planner.ledger
    return MemoryState(
        config=planner.config,
        seen=len(ledger.messages),
        digest=digest,
        anchor=planner.anchor,
        skips_first=skips_first,
        mark=ledger.mark,
        strikes=planner.strikes,
        ordinal=ledger.ordinal,
        given_up=tuple(sorted(ledger.pairing.given_up)),
        prunings=dict(ledger.prunings),
        summary=planner.summary,
        receipts=tuple(planner.receipts),
        last=planner.last,
    )


def restore(
    state: MemoryState,
    history: Sequence[ChatMessage],
    config: MemoryConfig,
    *,
    gauge: Gauge | None = None,
    mask: Masker | None = None,
) -> Planner:
    """A planner that goes on from `state`; `history` must hold the messages it was taken over."""
    planner = Planner(config, anchor=state.anchor, gauge=gauge, mask=mask, given_up=state.given_up)
    planner.strikes = state.strikes
    planner.receipts = list(state.receipts)
    if state.summary is not None:
        tokens = planner.gauge.measure(planner.carried(state.summary))
        planner.summary = replace(state.summary, tokens=tokens)
    planner.ledger.extend(history[: state.seen], skip=state.skips_first)
    _check_positions(state, len(planner.ledger.rows))
    planner.ledger.restore(state.prunings, mark=state.mark, ordinal=state.ordinal)
    planner.trimming.collect()
    if state.last is not None:
        planner.go_on_after(state.last)
    return planner


def _check_positions(state: MemoryState, rows: int) -> None:
    last = state.last
    named = [state.mark, *((last.exchanges, last.mark, last.drop_end) if last else ())]
    inner = [*last.held, *last.spared] if last else []
    if any(not 0 <= at <= rows for at in named) or any(not 0 <= at < rows for at in inner):
        reason = _("memory state: a position lies outside the {rows} exchanges of the history")
        raise InvalidMemoryState(reason.format(rows=rows))
