"""A server on this machine that speaks chat completions as providers do, faults included."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol

PATH = "/v1/chat/completions"


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as it came in."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def question(self) -> str:
        """The text of the last message."""
        return self.body["messages"][-1]["content"]


class Reply(Protocol):
    """Writes one response."""

    def send(self, handler: Handler) -> None: ...


Answer = Callable[[Asked], Reply]


@dataclass(frozen=True, slots=True)
class Streamed:
    """An answer in pieces; `is_cut` closes the connection before the end."""

    pieces: Sequence[str]
    finish: str | None = "stop"
    is_cut: bool = False
    closes_with: str = "data: [DONE]\n\n"

    def send(self, handler: Handler) -> None:
        handler.start(200, {"Content-Type": "text/event-stream; charset=utf-8"})
        handler.piece(_event({"role": "assistant", "content": ""}))
        for text in self.pieces:
            handler.piece(_event({"content": text}))
        if self.is_cut:
            handler.close_connection = True
            return
        if self.finish is not None:
            handler.piece(_event({}, self.finish))
        handler.piece(self.closes_with)
        handler.end()


@dataclass(frozen=True, slots=True)
class Whole:
    """An answer as one JSON document, from a server that does not stream."""

    text: str | None
    finish: str = "stop"

    def send(self, handler: Handler) -> None:
        message = {"role": "assistant", "content": self.text}
        choice = {"index": 0, "message": message, "finish_reason": self.finish}
        body = {"id": "c-1", "object": "chat.completion", "choices": [choice]}
        handler.whole(200, json.dumps(body))


@dataclass(frozen=True, slots=True)
class Refused:
    """An error in OpenAI's form."""

    status: int
    message: str = "something went wrong"
    param: str | None = None
    code: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    def send(self, handler: Handler) -> None:
        error = {"message": self.message, "type": "error", "param": self.param, "code": self.code}
        handler.whole(self.status, json.dumps({"error": error}), self.headers)


@dataclass(frozen=True, slots=True)
class Raw:
    """Any body under any content type."""

    body: str
    content_type: str = "text/event-stream"
    status: int = 200

    def send(self, handler: Handler) -> None:
        handler.whole(self.status, self.body, {"Content-Type": self.content_type})


@dataclass(frozen=True, slots=True)
class Silent:
    """No answer at all, until the server stops."""

    def send(self, handler: Handler) -> None:
        handler.stopping.wait()
        handler.close_connection = True


@dataclass(frozen=True, slots=True)
class Endless:
    """A stream that never ends, a piece every `seconds`, until it is given up."""

    text: str = "and so on "
    seconds: float = 0.0

    def send(self, handler: Handler) -> None:
        handler.start(200, {"Content-Type": "text/event-stream"})
        handler.close_connection = True
        while not handler.stopping.wait(self.seconds):
            try:
                handler.piece(_event({"content": self.text}))
            except OSError:
                return


class Handler(BaseHTTPRequestHandler):
    """Takes what a client of OpenAI sends, and lets a reply write the response."""

    protocol_version = "HTTP/1.1"
    answer: Answer
    asked: list[Asked]
    stopping: threading.Event

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        body = json.loads(self.rfile.read(length))
        asked = Asked(self.path, dict(self.headers.items()), body)
        self.asked.append(asked)
        reply = self.answer(asked) if self.path == PATH else Refused(404, "no such path")
        reply.send(self)

    def start(self, status: int, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Transfer-Encoding": "chunked"}.items():
            self.send_header(name, value)
        self.end_headers()

    def piece(self, text: str) -> None:
        data = text.encode()
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def end(self) -> None:
        self.wfile.write(b"0\r\n\r\n")

    def whole(self, status: int, body: str, headers: Mapping[str, str] | None = None) -> None:
        data = body.encode()
        self.send_response_only(status)
        date = self.date_time_string()
        named = {"Date": date, "Content-Type": "application/json", **(headers or {})}
        for name, value in {**named, "Content-Length": str(len(data))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing is printed."""


@dataclass(frozen=True, slots=True)
class ModelServer:
    """A running server: its base URL, and what it was asked so far."""

    base_url: str
    asked: list[Asked]


@contextmanager
def running(answer: Answer) -> Generator[ModelServer]:
    """A server that answers with `answer`; at the end it is stopped and its threads are joined."""
    asked: list[Asked] = []
    stopping = threading.Event()
    fields = {"answer": staticmethod(answer), "asked": asked, "stopping": stopping}
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("_Handler", (Handler,), fields))
    server.daemon_threads = False
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield ModelServer(f"http://127.0.0.1:{server.server_port}/v1", asked)
    finally:
        stopping.set()
        server.shutdown()
        thread.join()
        server.server_close()


def in_turn(*replies: Reply) -> Answer:
    """Each reply once, in order; the last one from then on."""
    left = list(replies)

    def answer(asked: Asked) -> Reply:  # noqa: ARG001 - it answers whatever is asked
        return left.pop(0) if len(left) > 1 else left[0]

    return answer


def _event(delta: Mapping[str, str], finish: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    data = {"id": "c-1", "object": "chat.completion.chunk", "choices": [choice]}
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n"
