"""The sessions of a folder over ACP, from a real process: loaded, listed, resumed, closed, gone."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from acp_door.client import AcpClient, text_of
from product.harness import Product

pytestmark = pytest.mark.slow
Start = Callable[..., AcpClient]
EDIT = {
    "name": "file_edit",
    "arguments": {"path": "notes.txt", "old_string": "two", "new_string": "2"},
}
READ = {"name": "file_read", "arguments": {"path": "notes.txt"}}
TASKS = {"name": "tasks", "arguments": {"tasks": [{"title": "Look", "status": "inProgress"}]}}
WORK = {
    "steps": [
        {"text": "I look.", "reasoning": "First look.", "calls": [READ]},
        {"text": "I change it.", "calls": [EDIT, TASKS]},
        {"text": "Done."},
        {"calls": [READ]},
        {"text": "Still there."},
    ]
}


def worked(client: AcpClient, **capabilities: Any) -> str:
    """A session with two turns of work."""
    (client.workspace / "notes.txt").write_text("one\ntwo\n")
    client.open(**capabilities)
    client.choose("allowOnce")
    session = client.new_session()
    assert client.prompt(session, "Work") == "end_turn"
    assert client.prompt(session, "And again") == "end_turn"
    return session


def calls_of(updates: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Calls as a client has them at the end: each with its last state."""
    found: dict[str, dict[str, Any]] = {}
    for each in updates:
        if each["sessionUpdate"] in ("tool_call", "tool_call_update"):
            known = found.setdefault(each["toolCallId"], {})
            known.update({k: v for k, v in each.items() if k != "sessionUpdate"})
    return list(found.values())


def test_load_shows_all_of_it_in_its_order_before_the_answer(start: Start):
    client = start(WORK)
    session = worked(client)
    live = client.updates(session)
    shown = client.loaded(session)
    kinds = [each["sessionUpdate"] for each in shown if each["sessionUpdate"] != "usage_update"]
    assert kinds == [
        *("user_message_chunk", "agent_thought_chunk", "agent_message_chunk", "tool_call"),
        *("agent_message_chunk", "tool_call", "tool_call", "plan", "agent_message_chunk"),
        *("user_message_chunk", "tool_call", "agent_message_chunk"),
    ]
    assert text_of(shown, "user_message_chunk") == "WorkAnd again"
    assert text_of(shown) == text_of(live)
    wanted = ("toolCallId", "kind", "status", "rawInput")
    before, after = calls_of(live), calls_of(shown)
    assert [[call[name] for name in wanted] for call in after] == [
        [call[name] for name in wanted] for call in before
    ]
    assert len({call["toolCallId"] for call in after}) == 4
    (edit,) = (call for call in after if call["kind"] == "edit")
    path = str(client.workspace / "notes.txt")
    assert edit["content"] == [{"type": "diff", "path": path, "oldText": "two", "newText": "2"}]


def test_a_list_names_what_was_used_and_resume_shows_nothing(start: Start, tmp_path: Path):
    client = start(WORK)
    session = worked(client)
    client.new_session()
    cwd = str(client.workspace)
    for asked in ({"cwd": cwd}, {}):
        (listed,) = client.call("session/list", asked)["sessions"]
        assert (listed["sessionId"], listed["cwd"], listed["title"]) == (session, cwd, "Work")
    assert client.call("session/list", {"cwd": str(tmp_path)}) == {"sessions": []}
    client.call("session/close", {"sessionId": session})
    closed = {"sessionId": session, "prompt": [{"type": "text", "text": "x"}]}
    assert client.error(client.request("session/prompt", closed))["code"] == -32002
    client.forget()
    resumed = client.call("session/resume", {"sessionId": session, "cwd": cwd, "mcpServers": []})
    assert resumed["modes"]["currentModeId"] == "edit"
    client.wait_update("usage_update")
    assert {each["sessionUpdate"] for each in client.updates(session)} == {
        *("available_commands_update", "usage_update")
    }
    client.call("session/delete", {"sessionId": session})
    assert client.call("session/list", {"cwd": cwd}) == {"sessions": []}
    gone = client.request("session/load", {"sessionId": session, "cwd": cwd, "mcpServers": []})
    assert client.error(gone)["code"] == -32002
    assert client.error(client.request("session/delete", {"sessionId": session}))["code"] == -32002


def test_a_list_of_all_has_folders_that_are_not_open_and_one_of_theirs_is_deleted(
    start: Start, tmp_path: Path
):
    other = tmp_path / "other"
    other.mkdir()
    client = start({"mode": "echo"})
    client.open()
    session = client.new(cwd=str(other))["sessionId"]
    assert client.prompt(session, "Over there") == "end_turn"
    client.close_input()
    client = start({"mode": "echo"})
    client.open()
    (listed,) = client.call("session/list", {})["sessions"]
    assert (listed["sessionId"], listed["cwd"]) == (session, str(other))
    assert listed["title"] == "Over there"
    client.call("session/delete", {"sessionId": session})
    assert client.call("session/list", {}) == {"sessions": []}


def test_a_list_has_pages(start: Start):
    client = start({"mode": "echo"})
    client.open()
    names = []
    for number in range(52):
        session = client.new_session()
        client.call("session/prompt", _said(session, f"Number {number}"))
        names.append(session)
    found: list[str] = []
    cursor: dict[str, str] = {}
    for _ in range(2):
        page = client.call("session/list", {"cwd": str(client.workspace), **cursor})
        found += [each["sessionId"] for each in page["sessions"]]
        cursor = {"cursor": page["nextCursor"]} if "nextCursor" in page else {}
    assert (sorted(found), cursor) == (sorted(names), {})
    wrong = client.request("session/list", {"cursor": "x"})
    assert client.error(wrong)["code"] == -32602


def _said(session: str, text: str) -> dict[str, Any]:
    return {"sessionId": session, "prompt": [{"type": "text", "text": text}]}


def test_modes_and_options_are_chosen_and_told(start: Start):
    client = start({"steps": [{"calls": [EDIT]}, {"text": "I only read."}]})
    (client.workspace / "notes.txt").write_text("one\ntwo\n")
    client.open()
    opened = client.new()
    session = opened["sessionId"]
    by_id = {each["id"]: each for each in opened["configOptions"]}
    assert [each["category"] for each in opened["configOptions"]] == ["mode", "model"]
    assert by_id["mode"]["currentValue"] == opened["modes"]["currentModeId"] == "edit"
    values = [each["value"] for each in by_id["model"]["options"]]
    assert by_id["model"]["currentValue"] in values
    client.call("session/set_mode", {"sessionId": session, "modeId": "plan"})
    client.wait_update("current_mode_update", currentModeId="plan")
    assert client.wait_update("config_option_update")["configOptions"][0]["currentValue"] == "plan"
    # Bug 10: what is called reading writes nothing.
    assert client.prompt(session, "Change it") == "end_turn"
    assert (client.workspace / "notes.txt").read_text() == "one\ntwo\n"
    option = {"sessionId": session, "configId": "mode", "value": "ask"}
    answer = client.call("session/set_config_option", option)
    assert answer["configOptions"][0]["currentValue"] == "ask"
    for wrong in ({"configId": "mode", "value": "root"}, {"configId": "no", "value": "x"}):
        asked = client.request("session/set_config_option", {"sessionId": session, **wrong})
        assert client.error(asked)["code"] == -32602
    mode = client.request("session/set_mode", {"sessionId": session, "modeId": "root"})
    assert client.error(mode)["code"] == -32602


def test_another_door_goes_on_with_the_session_and_the_ledger_is_the_same(
    start: Start, tmp_path: Path
):
    client = start(WORK)
    session = worked(client)
    used = client.updates(session, "usage_update")[-1]["used"]
    with Product(tmp_path, {"steps": [{"text": "From VS Code."}]}) as editor:
        editor.open()
        meter = editor.call("plimsoll/context/meter", {"sessionId": session})
        assert meter["used"] == used
        editor.turn(session, "Who are you?")
    shown = client.loaded(session)
    assert "From VS Code." in text_of(shown)


def test_what_another_door_says_is_shown_while_the_session_is_open(start: Start, tmp_path: Path):
    client = start(WORK)
    session = worked(client)
    client.forget()
    with Product(tmp_path, {"steps": [{"text": "From VS Code.", "calls": [READ]}, {}]}) as editor:
        editor.open()
        editor.call("plimsoll/session/load", {"workspaceFolder": editor.uri, "sessionId": session})
        editor.turn(session, "Who are you?")
    # Whoever looks while the tool runs is told of the call first, and then of its end.
    client.wait_update("tool_call", "tool_call_update", status="completed")
    client.call("session/set_mode", {"sessionId": session, "modeId": "ask"})
    updates = client.updates(session)
    assert text_of(updates, "user_message_chunk") == "Who are you?"
    assert text_of(updates) == "From VS Code."
