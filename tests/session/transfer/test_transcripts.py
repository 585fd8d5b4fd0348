"""Transcripts of Claude Code and Codex: what was said, and versions that nobody has looked at."""

import json

import pytest

from plimsoll.context.log.messages import Role
from plimsoll.errors import LogInvalid
from plimsoll.session.transfer.transcripts import transcript


def lines(*rows: object) -> str:
    return "\n".join(map(json.dumps, rows))


def claude(kind: str, content: object, **more: object) -> dict[str, object]:
    row = {"type": kind, "version": "2.1.12", "message": {"role": kind, "content": content}}
    return {**row, **more}


def codex(payload: dict[str, object], kind: str = "response_item") -> dict[str, object]:
    return {"timestamp": "2026-01-01T00:00:00Z", "type": kind, "payload": payload}


META = codex({"id": "s", "cli_version": "0.65.0"}, "session_meta")
CALL = {"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "a.py"}}


def test_a_transcript_of_claude_code_becomes_messages():
    text = lines(
        {"type": "queue-operation", "operation": "dequeue"},
        claude("user", "Read a.py"),
        claude("assistant", [{"type": "thinking", "thinking": "…", "signature": "x"}]),
        claude("assistant", [{"type": "text", "text": "I read it."}]),
        claude("assistant", [CALL]),
        claude("user", [{"type": "tool_result", "tool_use_id": "t1", "content": "x = 1"}]),
        claude("assistant", [{"type": "text", "text": "Of another agent."}], isSidechain=True),
        claude("user", [{"type": "tool_result", "tool_use_id": "t9", "content": "to nothing"}]),
        claude("assistant", [{"type": "text", "text": "It sets x."}]),
    )
    found = transcript(text + '\n{"cut while it was wri')
    assert found is not None
    told = [(each.role, [part.text for part in each.parts], len(each.calls)) for each in found]
    assert told == [
        (Role.USER, ["Read a.py"], 0),
        (Role.ASSISTANT, ["I read it."], 1),
        (Role.TOOL, ["x = 1"], 0),
        (Role.ASSISTANT, ["It sets x."], 0),
    ]
    assert found[1].calls[0].arguments == {"file_path": "a.py"}


def test_a_transcript_of_codex_becomes_messages():
    asked = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Go"}]}
    said = {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "I run it."}],
    }
    call = {"type": "function_call", "name": "shell", "arguments": '{"cmd": "ls"}', "call_id": "c"}
    output = {"type": "function_call_output", "call_id": "c", "output": '{"output": "a.py"}'}
    sealed = {"type": "reasoning", "encrypted_content": "…"}
    text = lines(META, *map(codex, (asked, sealed, said, call, output)))
    found = transcript(text)
    assert found is not None
    assert [each.role for each in found] == [Role.USER, Role.ASSISTANT, Role.TOOL]
    assert found[1].calls[0].arguments == {"cmd": "ls"}
    assert found[2].parts[0].text == "a.py"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (lines(claude("user", "x", version="3.0.4")), "Claude Code 3.0.4; known are 1.x and 2.x"),
        (lines({"type": "user", "message": {}}), "Claude Code without a version"),
        (
            lines(claude("user", "x"), claude("user", "y", version="3.1.0")),
            "Claude Code 3.1.0; known are 1.x and 2.x",
        ),
        (lines(META, codex({"cli_version": "1.2.0"}, "session_meta")), "Codex 1.2.0"),
        (lines(codex({"cli_version": "1.2.0"}, "session_meta")), "Codex 1.2.0; known are 0.x"),
        (lines(codex({"type": "message"})), "Codex without a version"),
    ],
)
def test_an_unknown_version_is_refused_by_its_name(text, told):
    with pytest.raises(LogInvalid, match=told):
        transcript(text)


def test_rows_of_kinds_that_are_new_do_not_hide_whose_transcript_it_is():
    new = [{"type": f"kind-{n}", "sessionId": "s"} for n in range(9)]
    assert transcript(lines(*new, claude("user", "Read a.py"))) is not None
    with pytest.raises(LogInvalid, match=r"Claude Code 3\.0\.4"):
        transcript(lines(*new, claude("user", "x", version="3.0.4")))


def test_a_type_that_is_no_word_makes_no_transcript():
    assert transcript('{"type": ["user"], "payload": {}}') is None


def test_another_recording_is_none():
    assert transcript(lines({"role": "user", "content": "x", "type": "user"})) is None
    assert transcript("no json") is None
