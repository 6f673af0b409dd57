"""What the windows kept of what the session needed, as one strip that opens to what was lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from streamlit.delta_generator import DeltaGenerator

from memory_core.facts import FactKind, StatementKind
from memory_core.loss import GAPS, Loss, LostItem, Share, lost_items
from memory_core.replay import Replay
from memory_core.texts import _, ngettext
from pages.ui import changes, losses
from pages.ui.current import Current
from pages.ui.kinds import kind_name
from pages.ui.losses import Measured
from pages.ui.parts import part
from pages.ui.plain import brief
from pages.ui.states import BLUE, SKY, VERMILION

RETENTION: Final = "retention"
MOST_OF_KIND: Final = 8
"""Lost items of one kind that are listed."""
LONGEST: Final = 60
"""Characters of an item that are shown."""

_part = part("retention", '<div class="frame"></div>')


def kept(now: Current, replay: Replay, place: DeltaGenerator) -> None:
    """The strip of a replay, as the last element of `place`; call it when the page is drawn.

    Without figures it says that they are coming. It sends `cell` (the call of a need and the
    message that said the item) and `fact` (the item and the call) to `changes.act`.
    """
    found = None
    if replay.is_draft:
        losses.book(now).want(None)
    else:
        found = losses.measured(now, replay)
    data = retention_data(found) if found else {"wait": losses.coming(now)}
    with place:
        _part(
            key=RETENTION,
            data={"of": f"{now.opened.digest} {now.session.id}", **data},
            height="content",
            on_action_change=lambda: changes.act(RETENTION),
        )
    if found is None and not replay.is_draft:
        losses.redraw_when_known(now, replay)


def retention_data(measured: Measured) -> dict[str, Any]:
    """The strip in words, shares and colours."""
    reading, loss, before = measured.reading, measured.loss, measured.before
    lost = lost_items(loss, reading.index)
    totals = Counter(one.kind for one in lost)
    return {
        "tiles": list(_tiles(loss, before)),
        "gaps": [_bar(_gap_name(gap), loss.by_gap[gap]) for gap in GAPS],
        "gaps_title": _("Needed items kept, by messages since last said"),
        "note": _(
            "A lower bound of the harm: the session is replayed as recorded. In brackets: "
            "percentage points against the config before."
        ),
        "open": _opener(loss),
        "kinds": [_kind(loss, kind, said) for kind, said in loss.kinds().items()],
        "kinds_title": _("Kept by kind of item"),
        "legend": [_("of what was needed"), _("of all said, at the last call")],
        "colours": [BLUE, SKY, VERMILION],
        "rest": _rest(loss),
        "lost": _lost(lost),
        "lost_title": _("Lost, and needed again"),
        "none": _("Nothing that the session needed again was lost."),
        "all": _("all kinds ({n:,})").format(n=len(lost)),
        "filters": [[kind, f"{kind_name(kind)} ({n:,})"] for kind, n in totals.most_common()],
        "more": _("The {n} lost most often of each kind; all are on the page Fact.").format(
            n=MOST_OF_KIND
        )
        if max(totals.values(), default=0) > MOST_OF_KIND
        else "",
        "words": {
            "kind": _("Kind"),
            "go": _("Go to the call, and look at the message that said it"),
            "follow": _("follow"),
            "follow_title": _("Follow it through the session, and find what would keep it"),
        },
    }


def _tiles(loss: Loss, before: Loss | None) -> Iterator[dict[str, str]]:
    """The two figures that tell most of such a session."""
    if loss.is_agent:
        yield _tile(_("Needed items kept"), loss.needs, before and before.needs)
        yield _tile(_("Tool calls fully supported"), loss.actions, before and before.actions)
        return
    recall, was = loss.word_recall, before.word_recall if before else None
    yield {
        "label": _("Content words kept"),
        "value": _percent(recall),
        "change": _change(recall, was),
        "unit": _("by weight, mean of all calls"),
    }
    yield _tile(_("Rare words needed again"), loss.rare_words, before and before.rare_words)


def _tile(label: str, share: Share, before: Share | None) -> dict[str, str]:
    return {
        "label": label,
        "value": _percent(share.ratio),
        "change": _change(share.ratio, before.ratio if before else None),
        "unit": _of(share) if share.of else _("none was needed"),
    }


def _bar(name: str, share: Share) -> dict[str, Any]:
    """One bar: its name, the share from 0 to 1 or None, and both in words."""
    ratio = None if share.ratio is None else round(share.ratio, 3)
    told = f"{_percent(share.ratio)} · {_of(share)}" if share.of else _("none")
    return {"name": name, "share": ratio, "told": told}


def _kind(loss: Loss, kind: FactKind | StatementKind, said: Share) -> dict[str, Any]:
    needed = next((share for one, share in loss.by_kind.items() if one == kind), Share(0, 0))
    return {"name": kind_name(kind), "bars": [_bar("", needed), _bar("", said)]}


def _lost(lost: Sequence[LostItem]) -> list[list[Any]]:
    """Rows: item, its text, kind, message and call of the first need, and all that in words."""
    rows: list[list[Any]] = []
    listed: Counter[str] = Counter()
    for one in lost:
        need = one.first.need
        listed[one.kind] += 1
        if listed[one.kind] <= MOST_OF_KIND:
            text = brief(one.text, longest=LONGEST)
            rows.append([need.item, text, one.kind, need.last, need.call + 1, _told(one)])
    return rows


def _told(lost: LostItem) -> str:
    need, more = lost.first.need, lost.times - 1
    told = _("said in #{message}, needed at call {call:,}").format(
        message=need.last, call=need.call + 1
    )
    if more:
        told += " " + ngettext("and {n:,} time more", "and {n:,} times more", more).format(n=more)
    return told


def _gap_name(gap: str) -> str:
    return gap.replace("-", "\N{EN DASH}")


def _opener(loss: Loss) -> str:
    if not loss.needs.of:
        return _("By kind of item: nothing said long before was needed again")
    return _("By kind, and what was lost: {lost:,} of {n:,} needs").format(
        lost=loss.needs.lost, n=loss.needs.of
    )


def _rest(loss: Loss) -> str:
    """The figures that are no headline of such a session."""
    if loss.is_agent:
        line = _(
            "Content words kept: {words}; rare words needed again: {rare}. Getting lost items back "
            "would cost at least {again:,} tokens of tool calls and {asked:,} of asking."
        )
    else:
        line = _(
            "Needed items kept: {needs}. Getting lost items back would cost at least {again:,} "
            "tokens of tool calls and {asked:,} of asking."
        )
    line += " " + _("An agent that had lost something would have gone on otherwise than recorded.")
    return line.format(
        words=_percent(loss.word_recall),
        rare=_percent(loss.rare_words.ratio),
        needs=_percent(loss.needs.ratio),
        again=loss.refetch_tokens,
        asked=loss.question_tokens,
    )


def _of(share: Share) -> str:
    return _("{kept:,} of {n:,}").format(kept=share.kept, n=share.of)


def _percent(ratio: float | None) -> str:
    return "\N{EN DASH}" if ratio is None else f"{100 * ratio:.0f} %"


def _change(ratio: float | None, before: float | None) -> str:
    """The change in percentage points; "" where there is none to tell."""
    if ratio is None or before is None:
        return ""
    points = round(100 * ratio) - round(100 * before)
    return f"({points:+d})".replace("-", "\N{MINUS SIGN}") if points else "(±0)"
