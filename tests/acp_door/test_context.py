"""What is reduced, and what it costs, over ACP: as updates, as messages, by methods of our own."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from acp_door.client import PERMISSION, AcpClient, text_of

pytestmark = pytest.mark.slow
Start = Callable[..., AcpClient]
LONG = "word " * 1_500
ALLOW = {"outcome": {"outcome": "selected", "optionId": "allowOnce"}}
TALK = {"mode": "echo"}


def talked(client: AcpClient, **capabilities: Any) -> str:
    client.open(**capabilities)
    session = client.new_session()
    for number in range(6):
        assert client.prompt(session, f"{number} {LONG}") == "end_turn"
    return session


def compacted(client: AcpClient, session: str) -> list[dict[str, Any]]:
    client.forget()
    assert client.prompt(session, "/compact anyway") == "end_turn"
    return client.updates(session)


def test_a_compaction_is_told_to_a_client_that_knows_it_and_can_be_undone(start: Start):
    client = start(TALK)
    session = talked(client, session={"compaction": {}})
    updates = compacted(client, session)
    (told,) = (each for each in updates if each["sessionUpdate"] == "compaction_update")
    assert (told["status"], bool(told["summary"])) == ("completed", True)
    asked = {"sessionId": session}
    report = client.call("_plimsoll/context/report", {**asked, "detail": "list"})
    assert told["compactionId"] in {each["id"] for each in report["receipts"]}
    assert report["meter"]["used"] == client.updates(session, "usage_update")[-1]["used"]
    undone = client.call("_plimsoll/context/undo", {**asked, "editId": told["compactionId"]})
    assert undone["receipt"]["undone"] is True
    assert client.wait_update("compaction_update", status="cancelled")
    assert client.call("_plimsoll/session/cost", asked)["total"]["input"] > 0


def test_others_are_told_of_it_in_a_message(start: Start):
    client = start(TALK)
    session = talked(client)
    updates = compacted(client, session)
    assert "compaction_update" not in {each["sessionUpdate"] for each in updates}
    assert "\u2296" in text_of(updates)


def test_the_servers_of_a_client_are_asked_about_once_and_serve_its_session(start: Start):
    """Bug 7: none is ignored, a bad one is named and rejects nothing."""
    time = {"name": "clock", "command": sys.executable, "args": ["-m", "mcp_server_time"]}
    call = {"name": "mcp__clock__get_current_time", "arguments": {"timezone": "Etc/UTC"}}
    steps = [
        {"calls": [{"name": "find_tools", "arguments": {"query": "current time"}}]},
        {"calls": [{"name": "call_tool", "arguments": call}]},
        {"text": "Done."},
        {"text": "Again."},
    ]
    client = start({"steps": steps})
    client.open()
    client.choose("allowOnce")
    session = client.new(mcpServers=[{**time, "env": []}, {"name": "bad"}])["sessionId"]
    assert client.prompt(session, "What time is it?") == "end_turn"
    assert client.prompt(session, "And now?") == "end_turn"
    assert "'bad' is not used" in text_of(client.updates(session))
    connect, called = (each["params"]["toolCall"] for each in client.requests_of(PERMISSION))
    assert "mcp_server_time" in connect["content"][0]["content"]["text"]
    assert "clock" in called["title"]
    ended = [u for u in client.updates(session, "tool_call_update") if u["status"] == "completed"]
    assert "UTC" in str(ended[-1]["content"])


FIND = {"calls": [{"name": "find_tools", "arguments": {"query": "files"}}]}


def touching(made: Path) -> dict[str, Any]:
    return {"name": "files", "command": "touch", "args": [str(made)], "env": []}


def test_a_server_that_the_person_refuses_is_not_started(start: Start, tmp_path: Path):
    made = tmp_path / "made"
    server = touching(made)
    client = start({"steps": [FIND, {"text": "No."}]})
    client.open()
    client.choose("rejectOnce")
    session = client.new(mcpServers=[server])["sessionId"]
    assert client.prompt(session, "Go") == "end_turn"
    assert not made.exists()


def test_a_question_that_a_stop_left_open_is_asked_again(start: Start, tmp_path: Path):
    made = tmp_path / "made"
    client = start({"steps": [FIND, {"text": "No."}]})
    client.open()
    session = client.new(mcpServers=[touching(made)])["sessionId"]
    stopped = client.begin_prompt(session, "Go")
    client.server_request(PERMISSION)
    client.notify("session/cancel", {"sessionId": session})
    assert client.reply(stopped)["result"] == {"stopReason": "cancelled"}
    client.forget()
    client.choose("rejectOnce")
    assert client.prompt(session, "Go") == "end_turn"
    assert len(client.requests_of(PERMISSION)) == 1
    assert not made.exists()


def test_another_command_under_the_same_name_is_asked_about(start: Start, tmp_path: Path):
    first, second = tmp_path / "first", tmp_path / "second"
    client = start({"steps": [FIND, {"text": "Yes."}, FIND, {"text": "No."}]})
    client.open()
    client.choose("allowOnce")
    session = client.new(mcpServers=[touching(first)])["sessionId"]
    assert client.prompt(session, "Go") == "end_turn"
    assert first.exists()
    client.forget()
    client.choose("rejectOnce")
    given = {"cwd": str(client.workspace), "mcpServers": [touching(second)]}
    client.call("session/load", {"sessionId": session, **given})
    assert client.prompt(session, "Go") == "end_turn"
    assert len(client.requests_of(PERMISSION)) == 1
    assert not second.exists()


def test_a_server_of_another_session_is_not_started_before_it_is_allowed(
    start: Start, tmp_path: Path
):
    mine, theirs = tmp_path / "mine", tmp_path / "theirs"
    write = {"name": "file_write", "arguments": {"path": "a.txt", "content": "a\n"}}
    client = start({"steps": [{"calls": [write]}, FIND, {"text": "Yes."}]})
    client.open()
    session = client.new(mcpServers=[touching(mine)])["sessionId"]
    prompt = client.begin_prompt(session, "Go")
    client.answer(client.server_request(PERMISSION), ALLOW)
    # It runs when another session is opened.
    question = client.wait_for(lambda each: _asks_to(each, "Write"))
    client.new(mcpServers=[touching(theirs), {**touching(theirs), "name": "more"}])
    client.answer(question, ALLOW)
    assert client.reply(prompt)["result"] == {"stopReason": "end_turn"}
    assert mine.exists()
    assert not theirs.exists()


def _asks_to(message: dict[str, Any], verb: str) -> bool:
    asked = message.get("params", {}) if message.get("method") == PERMISSION else {}
    return str(asked.get("toolCall", {}).get("title", "")).startswith(verb)
