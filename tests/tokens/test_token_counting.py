"""Promises about counting: exact, total, bounded, cheap the second time."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor

import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core.errors import VocabularyMissing
from memory_core.tokens.counting import LONGEST_PIECE, pieces, text_counter
from memory_core.tokens.vocabulary import encoder

MODELS = ("gpt-5", "gpt-4", "gpt-oss-20b")
ANY_TEXT = st.text(st.characters(codec=None))
KOREAN = (
    "지난주에 배포한 결제 모듈에서 오류가 세 번 발생했습니다. 로그를 확인한 뒤 원인을 알려 주세요.",
    "회의는 내일 오후 두 시에 열리고, 예산은 백이십만 원을 넘지 않아야 합니다.",
    "메모리 요약이 너무 짧으면 중요한 결정과 파일 경로가 사라집니다.",
)
ORDINARY = {
    "korean prose": "\n".join(KOREAN) * 3_000,
    "minified json": '{"id":17,"name":"단가표","path":"src/app.py","ok":true},' * 6_000,
    "a log": "2026-01-01 12:00:01 INFO worker 17 it's done in 83 ms (path=/tmp/a.txt)\r\n" * 4_000,
    "code": "def f(x):\n    return [i ** 2 for i in range(x)]  # 제곱\n\n\n" * 6_000,
    "one line of words": "the quick brown fox doesn't jump " * 10_000,
}


def reference(model: str) -> tiktoken.Encoding:
    return tiktoken.encoding_for_model(model)


@pytest.fixture(scope="module", autouse=True)
def loaded() -> None:
    for name in ("o200k_base", "cl100k_base", "o200k_harmony"):
        encoder(name)


@pytest.mark.parametrize("model", MODELS)
@settings(deadline=None)
@given(text=ANY_TEXT)
def test_any_text_counts_as_tiktoken_counts_it(model: str, text: str) -> None:
    assert text_counter(model)(text) == len(reference(model).encode_ordinary(text))


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", list(ORDINARY))
def test_a_long_ordinary_text_is_counted_exactly_although_it_is_cut(model: str, name: str) -> None:
    text = ORDINARY[name]
    assert len(text) > 2 * LONGEST_PIECE
    assert text_counter(model)(text) == len(reference(model).encode_ordinary(text))


@pytest.mark.parametrize("sentence", KOREAN)
def test_korean_takes_between_half_and_one_and_a_half_tokens_a_syllable(sentence: str) -> None:
    tokens = text_counter("gpt-5")(sentence)
    syllables = sum("가" <= character <= "힣" for character in sentence)
    assert tokens == len(reference("gpt-5").encode_ordinary(sentence))
    assert 0.55 <= tokens / syllables <= 1.6


@pytest.mark.parametrize("emoji", ["😀", "👩‍👩‍👧", "🇰🇷", "👍🏽", "❤️"])
@pytest.mark.parametrize("model", MODELS)
def test_an_emoji_takes_at_least_one_token(model: str, emoji: str) -> None:
    assert text_counter(model)(emoji * 10) >= 10


@pytest.mark.parametrize("text", ["<|endoftext|>", "a <|fim_prefix|> b", "<|start|><|call|>"])
@pytest.mark.parametrize("model", MODELS)
def test_reserved_tokens_in_a_text_count_as_the_text_they_are(model: str, text: str) -> None:
    assert text_counter(model)(text) == len(reference(model).encode_ordinary(text))
    assert text_counter(model)(text) > text.count("<|")


@pytest.mark.parametrize("unit", [" ", "a", "\n", "한", "=", "\t \r\n", "\x00"])
@pytest.mark.timeout(60)
def test_five_megabytes_of_one_thing_are_counted_within_the_timeout(unit: str) -> None:
    text = unit * (5_000_000 // len(unit)) + "x"
    assert text_counter("gpt-5")(text) >= len(text) // 128


@settings(deadline=None)
@given(text=ANY_TEXT, repeats=st.integers(1, 40_000))
def test_pieces_join_to_the_text_and_are_short(text: str, repeats: int) -> None:
    text = text[:20] * repeats
    found = list(pieces(text))
    assert "".join(found) == text
    assert all(len(piece) <= LONGEST_PIECE for piece in found)


@pytest.mark.parametrize(
    ("model", "text", "tokens"),
    [
        ("len // 3", "", 0),
        ("len // 3", "ab", 0),
        ("len // 3", "가나다라", 1),
        ("chars / 4", "", 0),
        ("chars / 4", "abcde", 2),
        ("chars / 4", "\ud800", 1),
    ],
)
def test_rules_of_thumb_count_characters(model: str, text: str, tokens: int) -> None:
    assert text_counter(model)(text) == tokens


@settings(deadline=None)
@given(text=ANY_TEXT, factor=st.floats(0.1, 10))
def test_an_unknown_model_counts_the_factor_rounded_up(text: str, factor: float) -> None:
    exact = text_counter("gpt-5")(text)
    tokens = text_counter("claude-x", unknown_model_factor=factor)(text)
    assert exact * factor - 1e-5 <= tokens <= math.ceil(exact * factor)


def test_the_same_name_gives_the_same_counter() -> None:
    assert text_counter("gpt-5") is text_counter("gpt-4o")
    assert text_counter("gpt-5") is not text_counter("gpt-4")


def test_a_known_model_without_vocabulary_is_an_error_and_not_an_estimate() -> None:
    with pytest.raises(VocabularyMissing, match="p50k_base"):
        text_counter("text-davinci-003")


def test_threads_that_overflow_the_memory_of_counts_still_count_right(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("memory_core.tokens.counting.REMEMBERED_TEXTS", 7)
    count = text_counter("gpt-5")
    texts = [f"{number} 번째 문장 " * (number % 5 + 1) for number in range(200)]
    expected = [len(reference("gpt-5").encode_ordinary(text)) for text in texts]

    def run(_: int) -> list[int]:
        return [count(text) for text in texts]

    with ThreadPoolExecutor(4) as threads:
        assert all(counts == expected for counts in threads.map(run, range(8)))
