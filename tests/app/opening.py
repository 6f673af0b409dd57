"""Drives the app as a visitor does, with what is measured of the elements on the screen."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from streamlit.testing.v1 import AppTest

from tests.setup.folders import ROOT

HOME: Final = "pages/tune/compression.py"
OTHERS: Final = ("pages/inspect/session.py",)
PATIENCE: Final = 60


def opened(**parameters: str) -> AppTest:
    """The app after its first run, with these query parameters."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE)
    for name, value in parameters.items():
        app.query_params[name] = value
    return app.run()


def upload(app: AppTest, name: str, data: bytes) -> AppTest:
    """The app after a file was dropped on the uploader."""
    app.file_uploader(key="upload").set_value((name, data, "application/octet-stream"))
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


def verbatim(app: AppTest) -> list[str]:
    """What stands in elements that show text as it is."""
    return [element.value for element in (*app.code, *app.text)]


def interpreted(app: AppTest) -> list[str]:
    """Every text of the elements that read Markdown or HTML, labels and tooltips included."""
    return [
        value
        for kind, proto in protos(app)
        if kind not in ("code", "text")
        for _descriptor, value in proto.ListFields()
        if isinstance(value, str)
    ]
