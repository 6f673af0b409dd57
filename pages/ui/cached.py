"""What is kept between reruns, of one visitor each: files, counts, summarisers, replays."""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from datetime import UTC, datetime
from typing import Final, TypeVar

import streamlit as st

from memory_core.audit import Audit, audit, reference_config
from memory_core.config import MemoryConfig
from memory_core.gauge import Gauge, counting_of
from memory_core.prompt import Recorded
from memory_core.replay import Progress, Replay, draft, replay, summarizer_of, tape_of
from memory_core.sessions import load_bytes
from memory_core.sessions.session import Loaded, Session
from memory_core.summarizing import ExtractiveSummarizer, Summarizer
from memory_core.summarizing.cleaning import holds_facts
from memory_core.summarizing.estimate import Estimate, Rehearsal, estimate
from memory_core.summarizing.folding import FoldingSummarizer
from memory_core.summarizing.standing import StandIn
from memory_core.tape import Tape
from memory_core.techniques import Balance, balance
from memory_core.texts import _
from pages.ui.findings import Findings, find
from pages.ui.notes import Notes
from pages.ui.picture import Picture, picture

MOST_REPLAYS: Final = 24
"""Newest replays, drafts and balances kept for one visitor, of each kind."""
MOST_PICTURES: Final = 4


def digest_of(data: bytes) -> str:
    """The content hash that names a file in caches and links."""
    return hashlib.sha256(data).hexdigest()[:16]


def loaded(data: bytes, *, name: str) -> Loaded:
    """All sessions of a file's bytes; raises `SessionError`."""
    return _loaded((digest_of(data), name), data)


def is_replayed(digest: str, session: Session, config: MemoryConfig) -> bool:
    """Whether `replayed` has the answer already."""
    return _key(digest, session, config) in _replays()


def replayed(
    digest: str, session: Session, config: MemoryConfig, *, progress: Progress | None = None
) -> Replay:
    """The session of the file `digest` under a config."""
    key = _key(digest, session, config)
    kept = _replays()
    if key not in kept:
        found = replay(
            session.messages,
            config,
            summarizer=summarizer(digest, session, config),
            gauge=gauge_of(digest, session, config),
            tape=pairing(digest, session),
            progress=progress,
            clock=time.perf_counter,
        )
        _keep(kept, key, found)
    return kept[key]


def drafted(
    digest: str, session: Session, config: MemoryConfig, *, progress: Progress | None = None
) -> Replay:
    """The numbers of a session under a config before any summary is written."""
    key = _key(digest, session, config)
    kept = _drafts()
    if key not in kept:
        found = draft(
            session.messages,
            config,
            gauge=gauge_of(digest, session, config),
            tape=pairing(digest, session),
            progress=progress,
            clock=time.perf_counter,
        )
        _keep(kept, key, found)
        if not found.is_draft:
            _keep(_replays(), key, found)
    return kept[key]


def summarizer(digest: str, session: Session, config: MemoryConfig) -> Summarizer | None:
    """The summariser that a config names.

    For a model: its answers so far, with extracts where it was not asked.
    """
    if config.summarizer == "model":
        return StandIn(notes().looking(config), extracts(digest, session, config))
    if config.summarizer == "extractive":
        return extracts(digest, session, config)
    return summarizer_of(config)


def extracts(digest: str, session: Session, config: MemoryConfig) -> Summarizer:
    """The summariser of verbatim extracts; it remembers what it found in each message."""
    return _extracts((digest, session.id, _counting(config)))


@st.cache_resource(scope="session", show_spinner=False)
def notes() -> Notes:
    """The model a visitor named, and what it has answered."""
    return Notes()


def rehearsed(digest: str, session: Session, config: MemoryConfig) -> Estimate:
    """What asking the model for all summaries that are not written yet would cost."""
    return _rehearsed(_key(digest, session, config), digest, session, config)


def gauge_of(digest: str, session: Session, config: MemoryConfig) -> Gauge:
    """The counts of a session, shared by every config that counts alike."""
    return _gauge((digest, session.id, _counting(config)), config)


def pairing(digest: str, session: Session) -> Tape:
    """The pairing of calls and results, shared by everything that looks at the session."""
    return _tape((digest, session.id), session)


def tool_tokens(digest: str, session: Session, config: MemoryConfig) -> int:
    """Tokens of the tool schemas that the file holds, sent with every request."""
    return _tool_tokens((digest, session.id, _counting(config)), session, config)


def findings(digest: str, session: Session, config: MemoryConfig) -> Findings:
    """What the session holds, counted as the config counts."""
    return _findings((digest, session.id, _counting(config)), session, config)


def audited(digest: str, session: Session, config: MemoryConfig) -> Audit:
    """The estimators against the count, at every message and call point."""
    key = (digest, session.id, _counting(config), config.provider_profile)
    return _audited(key, session, config)


def balanced(
    digest: str,
    session: Session,
    config: MemoryConfig,
    *,
    known: Replay,
    progress: Progress | None = None,
) -> Balance:
    """What each technique saves; `known` is the replay under `config`. It asks no model."""
    key = _key(digest, session, config)
    kept = _balances()
    if key not in kept:
        found = balance(
            session.messages,
            config,
            gauge=gauge_of(digest, session, config),
            new_summarizer=lambda: summarizer(digest, session, config),
            tape=pairing(digest, session),
            known=known,
            progress=progress,
        )
        _keep(kept, key, found)
    return kept[key]


@st.cache_resource(
    max_entries=MOST_PICTURES, scope="session", show_spinner=False, hash_funcs={Replay: id}
)
def pictured(replay: Replay) -> Picture:
    """The film of a replay, ready to be shown."""
    return picture(replay)


def _key(digest: str, session: Session, config: MemoryConfig) -> tuple[str, ...]:
    known = notes()
    asked = (known.source, str(len(known.answers))) if config.summarizer == "model" else ()
    return (digest, session.id, config.model_dump_json(), *asked)


def _counting(config: MemoryConfig) -> str:
    return repr(counting_of(config))


@st.cache_resource(max_entries=4, scope="session", show_spinner=_("Reading the file …"))
def _loaded(key: tuple[str, ...], _data: bytes) -> Loaded:
    return load_bytes(_data, name=key[1])


Made = TypeVar("Made")
Replays = OrderedDict[tuple[str, ...], Replay]


@st.cache_resource(scope="session", show_spinner=False)
def _replays() -> Replays:
    # Not a cached function of its own: a replay shows its progress, which those cannot.
    return OrderedDict()


@st.cache_resource(scope="session", show_spinner=False)
def _drafts() -> Replays:
    return OrderedDict()


@st.cache_resource(scope="session", show_spinner=False)
def _balances() -> OrderedDict[tuple[str, ...], Balance]:
    return OrderedDict()


def _keep(kept: OrderedDict[tuple[str, ...], Made], key: tuple[str, ...], found: Made) -> None:
    kept[key] = found
    while len(kept) > MOST_REPLAYS:
        kept.popitem(last=False)


@st.cache_data(max_entries=16, scope="session", show_spinner=_("Working out the cost …"))
def _rehearsed(
    key: tuple[str, ...],  # noqa: ARG001  # what the estimate is known by
    _digest: str,
    _session: Session,
    _config: MemoryConfig,
) -> Estimate:
    known, rehearsal = notes(), Rehearsal()
    complete = Recorded(rehearsal, dict(known.answers), known.source, holds_facts)
    gauge = gauge_of(_digest, _session, _config)
    replay(
        _session.messages,
        _config,
        summarizer=FoldingSummarizer(complete, language=_config.summary_heading),
        gauge=gauge,
        tape=pairing(_digest, _session),
    )
    today = datetime.fromtimestamp(time.time(), UTC).date()
    address = known.base_url or None
    return estimate(rehearsal.prompts, known.model, gauge.count, on=today, base_url=address)


@st.cache_resource(max_entries=4, scope="session", show_spinner=False)
def _tape(key: tuple[str, ...], _session: Session) -> Tape:  # noqa: ARG001  # known by `key`
    return tape_of(_session.messages)


@st.cache_data(max_entries=16, scope="session", show_spinner=False)
def _tool_tokens(key: tuple[str, ...], _session: Session, _config: MemoryConfig) -> int:
    return gauge_of(key[0], _session, _config).count(_session.tools)


@st.cache_resource(max_entries=4, scope="session", show_spinner=_("Measuring the session …"))
def _findings(key: tuple[str, ...], _session: Session, _config: MemoryConfig) -> Findings:
    return find(_session, gauge_of(key[0], _session, _config))


@st.cache_resource(max_entries=4, scope="session", show_spinner=_("Comparing the counts …"))
def _audited(key: tuple[str, ...], _session: Session, _config: MemoryConfig) -> Audit:
    gauge = gauge_of(key[0], _session, reference_config(_config))
    return audit(_session.messages, _config, gauge=gauge, tape=pairing(key[0], _session))


@st.cache_resource(max_entries=4, scope="session", show_spinner=False)
def _gauge(key: tuple[str, ...], _config: MemoryConfig) -> Gauge:  # noqa: ARG001  # known by `key`
    return Gauge(_config)


@st.cache_resource(max_entries=4, scope="session", show_spinner=False)
def _extracts(key: tuple[str, ...]) -> ExtractiveSummarizer:  # noqa: ARG001  # known by `key`
    return ExtractiveSummarizer()
