"""A session in which everything that goes wrong in recorded files goes wrong once."""

from __future__ import annotations

import json
from typing import Final

from sample_sessions.making.recording import Message

ONE_PIXEL: Final = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"


def _calls(*calls: tuple[str, str, str]) -> list[object]:
    return [
        {"id": identity, "type": "function", "function": {"name": name, "arguments": arguments}}
        for identity, name, arguments in calls
    ]


def _host(name: str) -> str:
    return json.dumps({"host": name})


def _asks(text: str | None, *calls: tuple[str, str, str]) -> Message:
    return {"role": "assistant", "content": text, "tool_calls": _calls(*calls)}


def _result(identity: str, content: str) -> Message:
    return {"role": "tool", "tool_call_id": identity, "content": content}


def broken() -> list[Message]:
    """All messages; the README beside the files says what is wrong with which."""
    return [*_calls_gone_wrong(), *_messages_gone_wrong(), *_the_end()]


def _calls_gone_wrong() -> list[Message]:
    return [
        {"role": "system", "content": "You watch three test servers: alpha, beta and gamma."},
        {"role": "user", "content": "alpha 디스크랑 beta 서비스 상태 확인해줘. 티켓은 OPS-314야."},
        _asks(
            "Checking both.",
            ("call_a", "disk_usage", _host("alpha.example.com")),
            ("call_b", "service_status", _host("beta.example.com")),
        ),
        _result("call_a", '{"host": "alpha.example.com", "used_percent": 91, "path": "/var/log"}'),
        {
            "role": "assistant",
            "content": "alpha는 91% 찼습니다 (/var/log). beta는 응답이 없습니다.",
        },
        {"role": "developer", "content": "Answer in one sentence from now on."},
        {"role": "user", "content": "그럼 beta를 재시작해줘."},
        _asks(None, ("call_c", "restart", _host("beta.example.com"))),
        {"role": "user", "content": "아직이야?"},
        _result("call_c", '{"host": "beta.example.com", "restarted": true, "seconds": 47}'),
        _result("call_zzz", '{"host": "delta.example.com", "used_percent": 12}'),
        {"role": "tool", "content": "connection closed by gamma.example.com port 2222"},
        _asks("Now gamma.", ("call_a", "service_status", _host("gamma.example.com"))),
        _result("call_a", '{"host": "gamma.example.com", "status": "degraded"}'),
        _result("call_a", '{"host": "gamma.example.com", "status": "running"}'),
    ]


def _messages_gone_wrong() -> list[Message]:
    return [
        {"role": "assistant", "content": None},
        {"role": "user", "content": ""},
        {"role": "system", "content": "Maintenance window: 2026-04-05 02:00-04:00 KST."},
        {"role": "critic", "content": "The second status of gamma contradicts the first one."},
        {
            "role": "assistant",
            "content": "gamma의 상태가 두 번 다르게 왔습니다.",
            "confidence": 0.4,
            "annotations": [{"kind": "doubt", "about": 14}],
            "reasoning_content": "two results for one call",
        },
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "화면을 보낼게."},
                {"type": "voice_note", "seconds": 3, "transcript": "gamma 먼저"},
                {"type": "image_url", "image_url": {"url": ONE_PIXEL}},
            ],
        },
        _asks(
            "Both logs.",
            ("call_d", "tail_log", _host("beta.example.com")),
            ("call_d", "tail_log", _host("gamma.example.com")),
        ),
        _result("call_d", "beta: 2026-04-01T09:12:44Z service started"),
        _result("call_d", "gamma: 2026-04-01T09:13:02Z WARN queue length 1800"),
        _asks("Freeing space.", ("call_e", "delete_logs", '{"host": "alpha.example.com", "older')),
        _result("call_e", '{"error": "arguments are not valid JSON"}'),
    ]


def _the_end() -> list[Message]:
    return [
        {
            "role": "assistant",
            "content": None,
            "function_call": {"name": "queue_length", "arguments": _host("gamma.example.com")},
        },
        {"role": "function", "name": "queue_length", "content": '{"queue_length": 1750}'},
        {"role": "user", "content": "이상한 글자: \ud83d | \u0000 | שלום | 👩‍💻 끝."},
        {"role": "assistant", "content": "OPS-314에 적어 두겠습니다.", "tool_calls": []},
        _asks(None, ("call_f", "comment_ticket", '{"ticket": "OPS-314", "text": "gamma 1750"}')),
    ]
