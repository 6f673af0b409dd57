"""Generated histories and configs: parallel calls, repeated ids, orphans, open calls."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from memory_core.config import MemoryConfig
from memory_core.messages import ChatMessage


def _text_part(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


def _repeated(pair: tuple[str, int]) -> str:
    return f"{pair[0]} " * pair[1]


TEXTS: st.SearchStrategy[str] = st.one_of(
    st.sampled_from(
        [
            "",
            " ",
            "ok",
            "한국어로 답해 주세요. 주문 번호는 ORD-2024-117 입니다.",
            "🔬🎯✅ 완료",
            "مرحبا بالعالم",
            "<|endoftext|>",
            '{"error": "not found", "items": [1, 2, 3]}',
            "Traceback (most recent call last):\n  ValueError: bad",
        ]
    ),
    st.text(max_size=40),
    st.tuples(st.text(max_size=12), st.integers(1, 60)).map(_repeated),
)
CONTENT: st.SearchStrategy[Any] = st.one_of(
    TEXTS,
    TEXTS,
    st.none(),
    st.lists(TEXTS.map(_text_part), max_size=3),
    st.just([{"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}]),
    st.just([{"type": "thinking", "thinking": "가만 있자 " * 9}, {"type": "text", "text": "so"}]),
)
IDS = st.sampled_from(["a", "b", "c", "random_id", "", "한"])
NAMES = st.sampled_from(["read_file", "search", "run"])


ARGUMENTS = st.sampled_from(["{}", '{"path": "src/app.py"}', '{"query": "날씨", "n": 3}', "{"])


def _call(call_id: str, name: str, arguments: str = "{}") -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {"id": call_id, "type": "function", "function": function}


@st.composite
def _round(draw: st.DrawFn) -> list[dict[str, Any]]:
    """A calling message and some of its results, sometimes shuffled, doubled or missing."""
    calls = draw(st.lists(st.tuples(IDS, NAMES, ARGUMENTS), min_size=1, max_size=4))
    assistant: dict[str, Any] = {
        "role": "assistant",
        "content": draw(CONTENT),
        "tool_calls": [_call(*call) for call in calls],
    }
    results: list[dict[str, Any]] = [
        {"role": "tool", "tool_call_id": call_id or None, "name": name, "content": draw(CONTENT)}
        for call_id, name, _arguments in calls
    ]
    damage = draw(
        st.sampled_from(["none", "none", "none", "missing", "doubled", "shuffled", "late"])
    )
    if damage == "missing":
        results = results[: draw(st.integers(0, len(results)))]
    elif damage == "doubled":
        results = results + results[:1]
    elif damage == "shuffled":
        results = list(draw(st.permutations(results)))
    elif damage == "late":
        between = draw(_plain())
        return [assistant, *results[:1], between, *results[1:]]
    return [assistant, *results]


@st.composite
def _plain(draw: st.DrawFn) -> dict[str, Any]:
    role = draw(
        st.sampled_from(["user", "user", "assistant", "system", "developer", "critic", "tool"])
    )
    message: dict[str, Any] = {"role": role, "content": draw(CONTENT)}
    if role == "tool":
        message["tool_call_id"] = draw(IDS)
    return message


@st.composite
def histories(draw: st.DrawFn, *, max_rounds: int = 14) -> list[ChatMessage]:
    """A whole history, sometimes with a leading system message."""
    history: list[dict[str, Any]] = []
    if draw(st.booleans()):
        history.append({"role": "system", "content": "You are helpful. 항상 존댓말."})
    for chunk in draw(
        st.lists(st.one_of(_round(), _plain().map(lambda one: [one])), max_size=max_rounds)
    ):
        history += chunk
    if draw(st.booleans()):
        for number, message in enumerate(history):
            message["id"] = f"m{number % 9}"
    return [ChatMessage.model_validate(message) for message in history]


@st.composite
def well_formed(draw: st.DrawFn) -> list[ChatMessage]:
    """A history no provider would refuse: nothing to repair."""
    history: list[ChatMessage] = []
    for number in range(draw(st.integers(0, 8))):
        text = draw(st.sampled_from(["go on", "다음 단계로", "list the files"]))
        history.append(ChatMessage(role="user", content=text))
        count = draw(st.integers(0, 3))
        calls = [_call(f"c{number}_{slot}", "run") for slot in range(count)]
        if calls:
            history.append(
                ChatMessage.model_validate(
                    {"role": "assistant", "content": None, "tool_calls": calls}
                )
            )
            history += [
                ChatMessage(role="tool", tool_call_id=f"c{number}_{slot}", content=draw(TEXTS))
                for slot in range(count)
            ]
        history.append(ChatMessage(role="assistant", content="done"))
    return history


def _config(**fields: Any) -> MemoryConfig:
    return MemoryConfig.model_validate(fields)


def configs() -> st.SearchStrategy[MemoryConfig]:
    """Any valid config, small numbers more often."""
    return st.builds(
        _config,
        max_token_budget=st.one_of(st.integers(1, 400), st.integers(400, 20_000), st.just(10**9)),
        sliding_window_size=st.integers(0, 40),
        tool_pruning_threshold=st.one_of(st.integers(1, 400), st.just(10**6)),
        summary_trigger_ratio=st.sampled_from([0.01, 0.3, 0.8, 1.0]),
        threshold_unit=st.sampled_from(["characters", "tokens"]),
        prune_when=st.sampled_from(["always", "trigger", "never"]),
        keep_recent_messages=st.integers(0, 8),
        keep_recent_tool_outputs=st.integers(0, 4),
        pruning_style=st.sampled_from(["head", "head_tail", "json", "placeholder"]),
        protect_errors=st.booleans(),
        prune_min_clear=st.sampled_from([0, 0, 30, 500]),
        window_when=st.sampled_from(["trigger", "trigger", "every_call", "never"]),
        summarizer=st.sampled_from(["extractive", "extractive", "article", "none"]),
        max_summary_tokens=st.one_of(st.none(), st.integers(1, 400)),
        target_ratio=st.one_of(st.none(), st.sampled_from([0.2, 0.5, 0.9])),
        reply_reserve=st.sampled_from([0, 0, 50]),
        fixed_overhead_tokens=st.sampled_from([0, 0, 30]),
        provider_profile=st.sampled_from(["openai", "openai", "strict", "anthropic"]),
        pins=st.lists(
            st.one_of(st.integers(0, 20), st.sampled_from(["m1", "m4", "nowhere"])), max_size=3
        ).map(tuple),
        model=st.sampled_from(["gpt-5", "gpt-5", "gpt-4", "someone-else", "len // 3"]),
        unknown_model_factor=st.sampled_from([1.0, 1.3]),
        image_tokens=st.sampled_from([0, 85, 765]),
        keep_thinking=st.booleans(),
        summary_heading=st.sampled_from(["korean", "english"]),
    )
