"""Statements are found where people and tools put them, and not in what only looks like one."""

from __future__ import annotations

import json

import pytest

from memory_core.facts import statements
from memory_core.messages import ChatMessage, Role
from tests.facts.test_statement_places import called

RULES: list[tuple[Role, str, str]] = [
    ("user", "Ok. Never deploy on Fridays. Thanks.", "Never deploy on Fridays."),
    ("user", "Rules:\n- Don't touch shop/billing.py.", "- Don't touch shop/billing.py."),
    ("user", "please do not push", "please do not push"),
    ("user", "We never deploy on Fridays", "We never deploy on Fridays"),
    ("user", "The file must be under 5 MB.", "The file must be under 5 MB."),
    ("developer", "Answers must not name customers.", "Answers must not name customers."),
    ("user", "Only change the tests.", "Only change the tests."),
    ("user", "Homes only. Not shops.", "Homes only."),
    ("user", "Always run the linter first", "Always run the linter first"),
    ("user", "Spend no more than 300 euros.", "Spend no more than 300 euros."),
    ("user", "Merge nothing without asking me.", "Merge nothing without asking me."),
    ("system", "A trip has at most five guests.", "A trip has at most five guests."),
    ("user", "I don\u2019t want to be transferred.", "I don\u2019t want to be transferred."),
    ("user", "Leave config.toml alone for now.", "Leave config.toml alone for now."),
    ("user", "- No new dependencies.", "- No new dependencies."),
    ("user", "Don't delete it, ok?", "Don't delete it, ok?"),
    ("assistant", "You said: never push to main.", "You said: never push to main."),
    ("user", "billing.py는 손대지 마세요. 감사", "billing.py는 손대지 마세요."),
    ("user", "금요일에는 배포하지 말 것", "금요일에는 배포하지 말 것"),
    ("system", "외부 전송 금지", "외부 전송 금지"),
    ("user", "그 이상은 절대 쓰지 마세요.", "그 이상은 절대 쓰지 마세요."),
    ("user", "테스트는 반드시 돌려 주세요", "테스트는 반드시 돌려 주세요"),
    ("user", "꼭 창가 자리로요.", "꼭 창가 자리로요."),
    ("user", "스탠드만 환불해주세요.", "스탠드만 환불해주세요."),
    ("user", "30만원 이상은 안 돼요", "30만원 이상은 안 돼요"),
    ("user", "밤에 보내면 안 됩니다.", "밤에 보내면 안 됩니다."),
    ("user", "숫자를 포함해야 합니다.", "숫자를 포함해야 합니다."),
    ("assistant", "배는 넣지 말라고 하셨습니다.", "배는 넣지 말라고 하셨습니다."),
]
NO_RULES: list[tuple[Role, str]] = [
    ("user", "Don't worry about it."),
    ("user", "I don't know the id."),
    ("user", "We do not have any baggage."),
    ("user", "That must be a typo."),
    ("user", "There must be a way."),
    ("user", "I must have left it there."),
    ("user", "Should I never deploy on Fridays?"),
    ("user", "Must it be in UTC?"),
    ("user", "Never mind."),
    ("user", "I never received the parcel."),
    ("user", "It always fails."),
    ("user", "But we never get that far."),
    ("user", "I only have one card."),
    ("user", "It is not only slow but wrong."),
    ("user", "No problem, no worries."),
    ("user", "Got HTTP 403 Forbidden."),
    ("user", "```python\n# never do this\n```"),
    ("user", 'if (x) { throw new Error("must not be null"); }'),
    ("assistant", "I'll make sure it must pass."),
    ("tool", "Never deploy on Fridays. 절대 하지 마세요."),
    ("user", "꼭 그런 건 아니에요."),
    ("user", "꼭대기 층이에요."),
    ("user", "걱정하지 마세요."),
    ("user", "로그인이 안 돼요."),
    ("user", "하지만 오늘은 좋아요, 알려 주세요."),
    ("user", "10만 원 보내 주세요"),
    ("user", "절대 경로로 적었어요"),
    ("user", "반드시 그래야 하나요?"),
    ("user", "어떻게 해야 할지 모르겠어요"),
]
DECISIONS: list[tuple[Role, str, str]] = [
    ("user", "We decided to keep Postgres. Next?", "We decided to keep Postgres."),
    ("assistant", "So let's go with option B.", "So let's go with option B."),
    ("assistant", "I'll use SQLite instead of Redis.", "I'll use SQLite instead of Redis."),
    ("user", "I\u2019ll go with flight HAT136.", "I\u2019ll go with flight HAT136."),
    ("user", "Agreed: two reviewers per change.", "Agreed: two reviewers per change."),
    ("user", "Decision: ship on Monday", "Decision: ship on Monday"),
    ("assistant", "We settled on UTC.", "We settled on UTC."),
    ("user", "Redis로 결정했습니다. 네.", "Redis로 결정했습니다."),
    ("user", "월요일에 배포하기로 했어요", "월요일에 배포하기로 했어요"),
    ("user", "그럼 B안으로 가자", "그럼 B안으로 가자"),
    ("assistant", "날짜는 5월 3일로 확정했습니다.", "날짜는 5월 3일로 확정했습니다."),
    ("user", "나머지는 택시로 할게요.", "나머지는 택시로 할게요."),
    ("user", "그건 환불할게요.", "그건 환불할게요."),
]
NO_DECISIONS: list[tuple[Role, str]] = [
    ("user", "We haven't decided on a date."),
    ("user", "Did we decide? Shall we go with B?"),
    ("user", "Julia decided to focus on her career."),
    ("assistant", "Let's go through the code."),
    ("assistant", "Let's check the log."),
    ("assistant", "I'll use grep to look for it."),
    ("assistant", "Once you confirm, I'll go with the booking."),
    ("tool", "We decided to keep Postgres."),
    ("user", "아직 결정하지 못했어요"),
    ("user", "확정되면 알려 주세요"),
    ("user", "B안으로 가자고 할까요?"),
    ("assistant", "주문 내역을 조회하겠습니다."),
]
ERRORS: list[tuple[Role, str, str]] = [
    ("tool", "a\nKeyError: 'x'\nb", "KeyError: 'x'"),
    ("tool", "main.c:3:1: error: expected ';'", "main.c:3:1: error: expected ';'"),
    ("tool", "FAILED tests/test_a.py::test_b - x", "FAILED tests/test_a.py::test_b - x"),
    ("tool", "fatal: not a git repository", "fatal: not a git repository"),
    ("tool", "panic: runtime error", "panic: runtime error"),
    ("tool", "[exit code 1]", "[exit code 1]"),
    ("tool", "Exception in thread main", "Exception in thread main"),
    ("tool", "E   assert 1 == 2", "E assert 1 == 2"),
    ("tool", "sh: foo: command not found", "sh: foo: command not found"),
    ("tool", "== 2 failed, 3 passed in 1s ==", "== 2 failed, 3 passed in 1s =="),
    ("tool", "3 failed, 0 errors in 2s", "3 failed, 0 errors in 2s"),
    ("tool", "6 of 40 checks failed", "6 of 40 checks failed"),
    ("tool", "** (CompileError) a.exs: no", "** (CompileError) a.exs: no"),
    ("user", "<returncode>1</returncode>", "<returncode>1</returncode>"),
    ("tool", "2026-03-12 ERROR worker stopped", "2026-03-12 ERROR worker stopped"),
    ("tool", '{"error": "없는 회원"}', '{"error": "없는 회원"}'),
    ("tool", "오류: 파일이 없습니다", "오류: 파일이 없습니다"),
    ("tool", "결제 실패: 한도 초과", "결제 실패: 한도 초과"),
    ("user", "I get\nValueError: bad date\nnow", "ValueError: bad date"),
]
NO_ERRORS: list[tuple[Role, str]] = [
    ("tool", "0 errors, 0 warnings"),
    ("tool", "done, no error"),
    ("tool", '{"error": null, "rows": 3}'),
    ("tool", "exit code 0"),
    ("tool", "0 of 40 checks failed"),
    ("tool", "-rw-r--r-- 1 root root 4492 Apr 30 08:32 error.h"),
    ("tool", "ERROR:"),
    ("tool", "Exit code 2 shows the text to the user"),
    ("tool", "== 0 failed, 3 passed =="),
    ("tool", "    12→    raise ValueError('x')"),
    ("tool", "    except KeyError:"),
    ("tool", "from app import AppError"),
    ("tool", "오류: 없음, 실패: 0"),
    ("tool", "How to handle an error well"),
    ("user", "My colleague wrote that KeyError: means a missing key"),
    ("system", "KeyError: 'x'"),
]
COMMANDS: list[tuple[Role, str, list[str]]] = [
    ("user", "Run\n$ make test\nplease", ["make test"]),
    ("user", "dev@host:~/x$ ls -la\na.txt", ["ls -la"]),
    ("user", "> git push origin main", ["git push origin main"]),
    (
        "assistant",
        "Do\n```bash\ncd x && make\n# why\npytest -q\n```\nok",
        ["cd x && make", "pytest -q"],
    ),
    ("assistant", "```console\n$ ls\na.txt\n```", ["ls"]),
    ("assistant", "```sh\ncurl -s \\\n  https://a.com\n```", ["curl -s \\ https://a.com"]),
    ("assistant", "```sh\ncat > a <<'EOF'\nx\nEOF\nls\n```", ["cat > a <<'EOF' x EOF", "ls"]),
    ("tool", "$ npm test\nok", ["npm test"]),
    ("user", "> make sure it works", []),
    ("user", "> I think so too", []),
    ("user", "It costs\n$ 120 a day", []),
    ("user", "```python\nprint(1)\n```", []),
    ("tool", "```bash\nrm -rf build\n```", []),
]
CALLS: list[tuple[str, object, list[str]]] = [
    ("Bash", {"command": 'git add . && git commit -m "x"'}, ['git add . && git commit -m "x"']),
    ("Bash", {"command": "cd a\nls '한글'"}, ["cd a", "ls '한글'"]),
    ("shell", {"command": ["ls", "-la"]}, ["ls -la"]),
    ("shell", {"command": ["bash", "-lc", "cd a && ls"]}, ["cd a && ls"]),
    ("exec_command", {"cmd": "rg 'x'", "workdir": "/"}, ["rg 'x'"]),
    ("local", {"action": {"command": "git status"}}, ["git status"]),
    ("str_replace_editor", {"command": "view", "path": "/a.py"}, []),
    ("lamp", {"command": "turn on"}, []),
    ("edit", {"old_string": '{"command": "git push"}'}, []),
    ("tool", {"properties": {"command": {"type": "string"}}}, []),
]


def _of(role: Role, text: str, kind: str) -> list[str]:
    found = statements(ChatMessage(role=role, content=text), 0)
    return [one.text for one in found if one.kind == kind]


@pytest.mark.parametrize(("role", "text", "expected"), RULES)
def test_a_rule_is_a_constraint(role: Role, text: str, expected: str) -> None:
    assert _of(role, text, "constraint") == [expected]


@pytest.mark.parametrize(("role", "text"), NO_RULES)
def test_what_only_looks_like_a_rule_is_none(role: Role, text: str) -> None:
    assert _of(role, text, "constraint") == []


@pytest.mark.parametrize(("role", "text", "expected"), DECISIONS)
def test_what_settles_something_is_a_decision(role: Role, text: str, expected: str) -> None:
    assert _of(role, text, "decision") == [expected]


@pytest.mark.parametrize(("role", "text"), NO_DECISIONS)
def test_what_settles_nothing_is_no_decision(role: Role, text: str) -> None:
    assert _of(role, text, "decision") == []


@pytest.mark.parametrize(("role", "text", "expected"), ERRORS)
def test_the_line_that_tells_an_error_is_found(role: Role, text: str, expected: str) -> None:
    assert _of(role, text, "error_line") == [expected]


@pytest.mark.parametrize(("role", "text"), NO_ERRORS)
def test_a_line_without_an_error_tells_none(role: Role, text: str) -> None:
    assert _of(role, text, "error_line") == []


@pytest.mark.parametrize(("role", "text", "expected"), COMMANDS)
def test_commands_stand_in_fences_and_behind_prompts(
    role: Role, text: str, expected: list[str]
) -> None:
    assert _of(role, text, "command") == expected


@pytest.mark.parametrize(("name", "arguments", "expected"), CALLS)
@pytest.mark.parametrize("ascii_only", [True, False])
def test_commands_are_read_out_of_arguments(
    name: str, arguments: object, expected: list[str], *, ascii_only: bool
) -> None:
    found = called(name, json.dumps(arguments, ensure_ascii=ascii_only))
    assert [(one.kind, one.message, one.call, one.text) for one in found] == [
        ("command", 3, 0, text) for text in expected
    ]


def test_a_message_gives_twenty_error_lines_the_first_and_the_last_and_none_twice() -> None:
    lines = [f"Error: number {number}" for number in range(50)]
    found = _of("tool", "\n".join([*lines, *lines]), "error_line")
    assert found == lines[:10] + lines[-10:]


def test_a_long_sentence_is_given_around_its_rule() -> None:
    text = "word " * 200 + "and never deploy on Fridays " + "word " * 200
    (found,) = _of("user", text, "constraint")
    assert "never deploy on Fridays" in found
    assert len(found) <= 240
