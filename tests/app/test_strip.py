"""The strip says every stage in words, and how it differs from the one before."""

from __future__ import annotations

import time

from memory_core.config import MemoryConfig
from memory_core.replay import replay
from memory_core.sessions import load_file
from memory_core.stages import StageName, stages
from pages.ui.samples import FOLDER
from pages.ui.strip import strip_data
from tests.app.opening import opened, protos

BROKEN = load_file(FOLDER / "broken.json").sessions[0].messages
CONFIG = MemoryConfig(max_token_budget=600, reply_reserve=100, sliding_window_size=4)


def test_every_stage_has_its_tokens_messages_and_change() -> None:
    found = replay(BROKEN, CONFIG)
    steps = stages(found, found.plans[-1])
    boxes = {stage.name: box for stage, box in zip(steps, strip_data(steps)["boxes"], strict=True)}
    by_name = {stage.name: stage for stage in steps}
    repaired, recorded = by_name[StageName.REPAIRED], by_name[StageName.RECORDED]
    assert list(boxes) == list(StageName)
    assert boxes[StageName.RECORDED]["change"] == []
    assert boxes[StageName.REPAIRED]["tokens"] == f"{repaired.tokens:,} tokens"
    assert boxes[StageName.REPAIRED]["change"] == [
        f"+{repaired.tokens - recorded.tokens} tokens",
        "+1 message",
    ]
    assert boxes[StageName.ASSEMBLED]["change"] == ["\N{MINUS SIGN}100 tokens"]
    assert max(box["share"] for box in boxes.values()) == 1
    assert boxes[StageName.ASSEMBLED]["share"] < 0.5


def test_a_time_that_nobody_took_is_not_made_up() -> None:
    silent = replay(BROKEN, CONFIG)
    boxes = strip_data(stages(silent, silent.plans[-1]))["boxes"]
    assert [box["time"] for box in boxes] == ["", *["not measured"] * 6]
    timed = replay(BROKEN, CONFIG, clock=time.perf_counter)
    steps = stages(timed, timed.plans[-1], clock=time.perf_counter)
    assert all(box["time"].endswith(" ms") for box in strip_data(steps)["boxes"][1:])


def test_the_page_shows_the_strip_of_the_chosen_call() -> None:
    found = [
        proto.json
        for kind, proto in protos(opened())
        if kind == "bidi_component" and "assembled" in proto.json
    ]
    assert len(found) == 1
    assert len(found[0]) < 4000
