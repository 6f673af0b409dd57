"""Drives the app as a visitor does, with what is measured of the elements on the screen."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from streamlit.testing.v1 import AppTest

from memory_core.replay import call_points
from tests.setup.folders import ROOT

HOME: Final = "pages/tune/compression.py"
OTHERS: Final = ("pages/inspect/session.py", "pages/tune/fact.py")
PATIENCE: Final = 60


def opened(**parameters: str) -> AppTest:
    """The app after its first run, with these query parameters."""
    return _coming(parameters).run()


def unfolded(**parameters: str) -> AppTest:
    """The app with the parts of the sidebar open that a visitor opens: `More`, `Save, share`."""
    app = _coming(parameters)
    for part in ("more", "keeping"):
        app.session_state[part] = True
    return app.run()


def _coming(parameters: dict[str, str]) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE)
    for name, value in parameters.items():
        app.query_params[name] = value
    return app


def upload(app: AppTest, name: str, data: bytes) -> AppTest:
    """The app after a file was dropped on the uploader."""
    file = (name, data, "application/octet-stream")
    next(one for one in app.file_uploader if str(one.key).startswith("upload")).set_value(file)
    return app.run()


def chat(*messages: dict[str, Any]) -> bytes:
    """Messages as the bytes of an OpenAI chat file."""
    return json.dumps(messages).encode()


TWO = b"\n".join(
    json.dumps(
        {
            "messages": [
                {"role": "user", "content": f"hello {n}"},
                {"role": "assistant", "content": "x"},
            ]
        }
    ).encode()
    for n in range(2)
)
"""A file of two sessions."""


def at_call(app: AppTest, number: int) -> AppTest:
    """The app at a call, numbered from 1."""
    now = app.session_state["current"]
    at = call_points(now.session.messages)[number - 1]
    app.session_state["current"] = replace(now, at=at)
    return app.run()


def figures(app: AppTest) -> dict[str, str]:
    """The figures at the top of the compression page."""
    return {metric.label: str(metric.value) for metric in app.metric}


def protos(app: AppTest) -> Iterator[tuple[str, Any]]:
    """Kind and protocol message of every element on the screen."""
    for node in app._tree:  # pyright: ignore[reportPrivateUsage]
        proto = getattr(node, "proto", None)
        if hasattr(proto, "ByteSize"):
            yield node.type, proto


def payload(app: AppTest) -> int:
    """Bytes of all elements together."""
    return sum(proto.ByteSize() for _kind, proto in protos(app))


def cards(app: AppTest, key: str = "messages") -> list[dict[str, Any]]:
    """The cards of a list: `messages` or `summary`."""
    return [
        card
        for kind, proto in protos(app)
        if kind == "bidi_component" and proto.id.endswith(f"-{key}")
        for card in json.loads(proto.json)["cards"]
    ]


def texts(card: dict[str, Any]) -> list[str]:
    """The texts of a card, as they stand there."""
    blocks = card.get("blocks", [])
    return ["".join(span[1] for span in block["spans"]) for block in blocks]


def verbatim(app: AppTest) -> list[str]:
    """What stands in elements that show text as it is."""
    shown = [element.value for element in (*app.code, *app.text)]
    return shown + [
        text for key in ("messages", "summary") for card in cards(app, key) for text in texts(card)
    ]


def interpreted(app: AppTest) -> list[str]:
    """Every text of the elements that read Markdown or HTML, labels and tooltips included.

    Of components that is their code: what they show travels as data.
    """
    return [
        value
        for kind, proto in protos(app)
        if kind not in ("code", "text")
        for field, value in proto.ListFields()
        if isinstance(value, str) and (kind, field.name) != ("bidi_component", "json")
    ]
