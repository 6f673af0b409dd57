"""`loss`: the library's figures and the items that were lost and needed, never one number alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from memory_core.commands import main
from memory_core.loss import Index, Loss, LostItem, lost_items, measure, needs_of
from memory_core.replay import replay
from memory_core.sessions import load_file
from tests.commands.telling import written
from tests.endpoint.model_server import Streamed, in_turn, running
from tests.saying import settings
from tests.setup.folders import ROOT

SAMPLES = ROOT / "sample_sessions"
CODING, CHAT = SAMPLES / "coding_agent.json", SAMPLES / "long_chat_ko.json"
CONFIG: dict[str, Any] = {"max_token_budget": 3_000, "sliding_window_size": 6}
BOUND = "lower bound: the session is replayed as recorded"


def loss(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["loss", *(str(one) for one in arguments)])


def measured(file: Path, **config: Any) -> tuple[Loss, tuple[LostItem, ...]]:
    messages = load_file(file).sessions[0].messages
    index = Index(messages)
    found = measure(replay(messages, settings(**config)), index, needs_of(index))
    return found, lost_items(found, index)


@pytest.fixture
def config_file(tmp_path: Path) -> Path:
    return written(tmp_path / "config.json", CONFIG)


@pytest.mark.parametrize("name", ["broken", "coding_agent", "long_chat_ko"])
def test_as_json_it_gives_the_librarys_figures_and_every_lost_item(
    name: str, config_file: Path
) -> None:
    file = SAMPLES / f"{name}.json"
    done = loss(file, "--config", config_file, "--json")
    found, lost = measured(file, **CONFIG)
    data = json.loads(done.stdout)
    assert (data.pop("session"), data.pop("config")) == ("session-0", CONFIG)
    assert data.pop("lost_items") == [item.to_dict() for item in lost]
    assert data == json.loads(json.dumps(found.to_dict()))
    assert BOUND in done.stderr


def test_lost_items_share_out_all_lost_needs_and_stand_most_lost_first() -> None:
    found, lost = measured(CODING)
    assert len(lost) < len(found.lost)
    assert [item.times for item in lost] == sorted((one.times for one in lost), reverse=True)
    assert sorted((one.need.at, one.need.item) for item in lost for one in item.losses) == sorted(
        (one.need.at, one.need.item) for one in found.lost
    )
    for item in lost:
        first = item.to_dict()
        assert first["call"] == min(one.need.call for one in item.losses) + 1
        assert first["needed"] - first["said"] == first["gap"] >= 4


@pytest.mark.parametrize(
    ("file", "heads"),
    [
        (CODING, ("needed items kept", "tool calls with all they need")),
        (CHAT, ("words kept, mean of all calls", "rare words kept")),
    ],
)
def test_the_two_figures_that_tell_most_stand_first(file: Path, heads: tuple[str, str]) -> None:
    lines = loss(file).stdout.splitlines()
    assert [line[: len(head)] for line, head in zip(lines[1:], heads, strict=False)] == list(heads)
    assert all(line.endswith(" %") for line in lines[1:3])


def test_the_table_says_what_the_figures_are() -> None:
    done = loss(CODING)
    found, lost = measured(CODING)
    rows = [" ".join(line.split()) for line in done.stdout.splitlines()]
    heads = (found.needs, found.actions, found.rare_words, found.salience, found.rule_survival)
    for share in (*heads, *found.by_gap.values()):
        told = f"{share.kept:,} of {share.of:,} {100 * (share.ratio or 0):.1f} %"
        assert any(told in row for row in rows), told
    for kind in found.by_kind:
        assert any(row.startswith(f"{kind} ") for row in rows)
    last = len(found.rounds) - 1
    for number in (0, last // 2, last):
        start = f"{number + 1}, call {found.rounds[number].call + 1} "
        assert any(row.startswith(start) for row in rows)
    assert (
        f"{found.refetch_tokens:,} tokens of tool calls, {found.question_tokens:,} of"
        in " ".join(rows)
    )
    assert f"{len(lost)} lost items were needed" in done.stdout
    assert done.stdout.splitlines()[-1].startswith(BOUND)


def test_the_ten_items_needed_most_are_listed_each_with_kind_place_gap_and_call() -> None:
    _found, lost = measured(CODING)
    lines = loss(CODING).stdout.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("  times "))
    rows = [line.split(maxsplit=5) for line in lines[start + 1 :] if line.startswith("  ")]
    needs = [item.first.need for item in lost[:10]]
    assert rows == [
        [str(item.times), f"#{need.last}", str(need.gap), str(need.call + 1), item.kind, item.text]
        for item, need in zip(lost, needs, strict=False)
    ]
    assert len(rows) == 10


def test_with_room_for_everything_nothing_is_lost(tmp_path: Path) -> None:
    config = written(tmp_path / "config.json", {"max_token_budget": 500_000, "prune_when": "never"})
    done = loss(CODING, "--config", config)
    assert "nothing that was needed is lost" in done.stdout
    assert "compaction" not in done.stdout
    assert BOUND in done.stdout


def test_a_hostile_item_of_any_language_stays_on_its_line(tmp_path: Path) -> None:
    path = "C:\\주문\u202e\\a.txt"
    filler = [{"role": "user", "content": f"다음 질문 {n}: " + "말 " * 60} for n in range(30)]
    file = written(
        tmp_path / "hostile.json",
        {
            "id": "세션\x1b[31m\n2",
            "messages": [
                {"role": "user", "content": f"파일 {path} 그리고 ORD-2024-117을 기억해 주세요."},
                *filler,
                {"role": "assistant", "content": f"{path} 와 ORD-2024-117입니다."},
            ],
        },
    )
    config = written(
        tmp_path / "config.json",
        {"max_token_budget": 400, "sliding_window_size": 2, "summarizer": "none"},
    )
    done = loss(file, "--config", config)
    assert done.exit_code == 0
    assert "  id        ORD-2024-117" in done.stdout
    assert "  path      C:\\주문\\u202e\\a.txt" in done.stdout
    assert done.stdout.startswith("세션\\x1b[31m\\n2: 1 call\n")
    assert not {"\x1b", "\u202e"} & set(done.output)


def test_summaries_of_a_model_are_measured_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    config = written(tmp_path / "config.json", {**CONFIG, "summarizer": "model"})
    refused = loss(CODING, "--config", config)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "--endpoint URL" in refused.stderr
    with running(in_turn(Streamed(["* [#38] leave SHOP-1190 alone"]))) as server:
        done = loss(CODING, "--config", config, "--endpoint", server.base_url, "--json")
    assert done.exit_code == 0
    assert len(server.asked) > 2
    assert json.loads(done.stdout)["config"]["summarizer"] == "model"
