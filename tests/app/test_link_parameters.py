"""A link and its query parameters say the same; hostile parameters are told, never raised."""

from __future__ import annotations

import json
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.config import MemoryConfig
from memory_core.presets import PRESETS
from pages.ui.link import LONGEST, Link, address_of, link_of, parse_link
from tests.histories import configs
from tests.saying import settings

NUMBERS = st.integers(0, 999_999_999)
LINKS = st.builds(
    Link,
    sample=st.sampled_from(["", "coding_agent", "예시"]),
    upload=st.sampled_from(["", "0123456789abcdef"]),
    session=NUMBERS,
    config=configs(),
    preset=st.sampled_from(["", *PRESETS]).filter(lambda name: name != "article"),
    at=st.none() | NUMBERS,
)


@given(LINKS)
def test_a_link_comes_back_from_its_parameters_and_from_its_address(link: Link) -> None:
    assert parse_link(link_of(link)) == (link, [])
    address = address_of("http://127.0.0.1:8501/session", link)
    assert address.missing == ""
    query = dict(parse_qsl(urlsplit(address.url).query, strict_parsing=bool(link_of(link))))
    assert parse_link(query) == (link, [])


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_alone_opens_with_its_own_values(name: str) -> None:
    link, problems = parse_link({"preset": name})
    assert (link.config, problems) == (PRESETS[name].config, [])


def test_a_link_names_no_preset_that_only_this_machine_has() -> None:
    assert link_of(Link(preset="mine")) == {}


def test_a_preset_changed_back_to_the_defaults_stays_so() -> None:
    link = Link(preset="chat")
    assert parse_link(link_of(link)) == (link, [])


@pytest.mark.parametrize(
    ("config", "left_out", "opens"),
    [
        (
            settings(pins=range(10_000), sliding_window_size=3),
            "pins",
            settings(sliding_window_size=3),
        ),
        (settings(model="m" * 20_000), "config", MemoryConfig()),
        (settings(pins=["핀" * 5000], model="m" * 20_000), "config", MemoryConfig()),
    ],
)
def test_a_link_is_never_too_long_and_says_what_it_leaves_out(
    config: MemoryConfig, left_out: str, opens: MemoryConfig
) -> None:
    link = Link(sample="coding_agent", config=config, at=8)
    parameters = link_of(link)
    assert len(urlencode(parameters)) <= LONGEST
    assert address_of("http://x/", link).missing
    found, problems = parse_link(parameters)
    assert found == Link(sample="coding_agent", config=opens, at=8)
    assert [left_out in problem for problem in problems] == [True]


@pytest.mark.parametrize("config", [{"model": "m\ud800"}, {"pins": ["\udfff"]}, {"\ud800": 1}])
def test_half_a_character_is_told_in_text_that_can_be_shown(config: dict[str, object]) -> None:
    link, (problem,) = parse_link({"sample": "s", "config": json.dumps(config)})
    assert link == Link(sample="s")
    assert problem.encode()


NAMES = ("sample", "upload", "session", "config", "preset", "at", "without", "more")
HOSTILE = [
    *("", "null", "[]", "{", "NaN", "-1", "1e9", "٣", "9" * 5000, "../../etc/passwd", "<b>x</b>"),
    *('{"pins": ["' + "x" * 200_000 + '"]}', '{"pins": {}}', '{"a": ' * 20_000, "[" * 100_000),
    *('{"max_token_budget": ' + "9" * 9999 + "}", '{"model": "\\ud800"}', "\x00", "한" * 1000),
]


@pytest.mark.parametrize("name", NAMES)
def test_hostile_values_are_told_and_the_rest_is_read(name: str) -> None:
    for value in HOSTILE:
        link, problems = parse_link({"sample": "s", "at": "3", name: value})
        assert all(isinstance(problem, str) for problem in problems)
        assert name == "at" or link.at == 3
        assert len(urlencode(link_of(link))) <= LONGEST or name == "sample"


@given(st.dictionaries(st.sampled_from(NAMES), st.text() | st.sampled_from(HOSTILE)))
def test_any_parameters_give_a_link_that_can_be_written_again(parameters: dict[str, str]) -> None:
    link, _problems = parse_link(parameters)
    again, problems = parse_link(link_of(link))
    assert again.config == link.config or problems
    assert json.dumps(link_of(again))
