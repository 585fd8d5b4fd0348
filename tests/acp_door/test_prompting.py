"""A prompt over ACP, from a real process: text, thoughts, calls, questions, cancels, errors."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from acp_door.client import PERMISSION, UPDATE, AcpClient, text_of

pytestmark = pytest.mark.slow
Start = Callable[..., AcpClient]
EDIT = {
    "name": "file_edit",
    "arguments": {"path": "notes.txt", "old_string": "two", "new_string": "2"},
}
TEXT = "one\ntwo\nthree\n"
DIFF = {"oldText": TEXT, "newText": "one\n2\nthree\n"}


def editing(*steps: Any) -> dict[str, Any]:
    return {"steps": [{"text": "I change it.", "calls": [EDIT]}, *steps]}


def test_a_prompt_streams_its_answer_and_ends(start: Start):
    client = start({"steps": [{"reasoning": "Hm.", "text": "Hello there."}]})
    client.open()
    session = client.new_session()
    assert client.prompt(session, "Hi") == "end_turn"
    updates = client.updates(session)
    assert text_of(updates) == "Hello there."
    assert text_of(updates, "agent_thought_chunk") == "Hm."
    ids = {each["messageId"] for each in updates if "messageId" in each}
    assert ids
    assert None not in ids


def test_nothing_is_sent_of_a_session_before_the_answer_that_names_it(start: Start):
    client = start({"steps": [{"text": "Hi."}]})
    client.open()
    for _ in range(5):
        session = client.new_session()
        at = next(n for n, m in enumerate(client.messages) if _names(m, session))
        assert "result" in client.messages[at]
    client.wait_update("available_commands_update")


def _names(message: dict[str, Any], session: str) -> bool:
    return session in str(message)


def test_a_turn_of_thoughts_alone_ends(start: Start):
    client = start({"steps": [{"reasoning": "I only think."}]})
    client.open()
    session = client.new_session()
    answer = client.reply(client.begin_prompt(session, "Hi"))
    assert "result" in answer or "no answer" in answer["error"]["message"], answer


def test_an_edit_is_shown_asked_about_and_made(start: Start):
    client = start(editing({"text": "Done."}))
    (client.workspace / "notes.txt").write_text(TEXT)
    client.open()
    client.choose("allowOnce")
    session = client.new_session()
    assert client.prompt(session, "Change it") == "end_turn"
    asked = client.server_request(PERMISSION)["params"]
    path = str(client.workspace / "notes.txt")
    call = asked["toolCall"]
    assert call["content"][0] == {"type": "diff", "path": path, **DIFF}
    assert (call["kind"], call["locations"][0]["path"]) == ("edit", path)
    assert call["rawInput"] == EDIT["arguments"]
    kinds = [option["kind"] for option in asked["options"]]
    assert len(kinds) == len(set(kinds))
    assert {"allow_once", "reject_once"} <= set(kinds)
    named = {option["kind"]: option["name"] for option in asked["options"]}
    assert named["allow_always"] == "Allow for this session: edits to notes.txt"
    made = client.updates(session, "tool_call")[0]
    assert made["toolCallId"] == call["toolCallId"]
    last = client.updates(session, "tool_call_update")[-1]
    assert (last["toolCallId"], last["status"]) == (call["toolCallId"], "completed")
    assert (client.workspace / "notes.txt").read_text() == "one\n2\nthree\n"


def test_a_rejected_edit_changes_nothing_and_the_turn_goes_on(start: Start):
    client = start(editing({"text": "I leave it."}))
    (client.workspace / "notes.txt").write_text(TEXT)
    client.open()
    client.choose("rejectOnce")
    session = client.new_session()
    assert client.prompt(session, "Change it") == "end_turn"
    assert client.updates(session, "tool_call_update")[-1]["status"] == "failed"
    assert (client.workspace / "notes.txt").read_text() == TEXT
    assert "I leave it." in text_of(client.updates(session))


@pytest.mark.parametrize("answers", [True, False])
def test_a_cancel_answers_a_question_that_waits(start: Start, answers: bool):
    """Bugs 1 and 2: also where the client forgets to answer its own question."""
    script = {"rules": [{"when": "Change", "steps": [{"calls": [EDIT]}]}]}
    client = start(script)
    (client.workspace / "notes.txt").write_text(TEXT)
    client.open()
    session = client.new_session()
    for _ in range(3):
        client.forget()
        prompt = client.begin_prompt(session, "Change it")
        question = client.server_request(PERMISSION)
        began = time.monotonic()
        client.notify("session/cancel", {"sessionId": session})
        if answers:
            client.answer(question, {"outcome": {"outcome": "cancelled"}})
        assert client.reply(prompt)["result"] == {"stopReason": "cancelled"}
        assert time.monotonic() - began < 5
    assert (client.workspace / "notes.txt").read_text() == TEXT


def test_a_cancelled_request_is_answered_as_such_and_its_turn_has_ended(start: Start):
    client = start({"rules": [{"when": "Wait", "steps": [{"text": ["a", {"gate": "never"}]}]}]})
    client.open()
    session = client.new_session()
    prompt = client.begin_prompt(session, "Wait")
    client.wait_update("agent_message_chunk")
    client.notify("$/cancel_request", {"requestId": prompt})
    assert client.error(prompt)["code"] == -32800
    again = client.begin_prompt(session, "Wait")
    client.notify("session/cancel", {"sessionId": session})
    assert client.reply(again)["result"] == {"stopReason": "cancelled"}


def test_a_cancel_at_once_is_not_lost(start: Start):
    client = start({"rules": [{"when": "Wait", "steps": [{"text": ["a", {"gate": "never"}]}]}]})
    client.open()
    session = client.new_session()
    for _ in range(5):
        prompt = client.begin_prompt(session, "Wait")
        client.notify("session/cancel", {"sessionId": session})
        assert client.reply(prompt)["result"] == {"stopReason": "cancelled"}


def test_ids_of_both_sides_may_be_the_same(start: Start):
    """Bug 8: numbers and texts, those that the agent itself uses among them."""
    client = start(editing({"text": "Done."}))
    (client.workspace / "notes.txt").write_text(TEXT)
    client.open()
    session = client.new_session()
    content = [{"type": "text", "text": "Change it"}]
    params = {"sessionId": session, "prompt": content}
    client.request("session/prompt", params, request_id="plimsoll-1")
    question = client.server_request(PERMISSION)
    assert question["id"] == "plimsoll-1"
    client.answer(question, {"outcome": {"outcome": "selected", "optionId": "allowOnce"}})
    assert client.reply("plimsoll-1")["result"] == {"stopReason": "end_turn"}


def test_what_is_wrong_is_answered_and_ends_nothing(start: Start):
    client = start({"steps": [{"text": "Still here."}]})
    early = client.request("session/new", {"cwd": "/", "mcpServers": []})
    assert client.error(early)["code"] == -32600
    client.open()
    session = client.new_session()
    client.send_bytes(b"{no json\n\n")
    assert client.reply(None)["error"]["code"] == -32700
    assert client.error(client.request("no/such"))["code"] == -32601
    assert client.error(client.request("_vendor/such"))["code"] == -32601
    assert client.error(client.request("session/prompt", {"sessionId": session}))["code"] == -32602
    gone = {"sessionId": "s000000", "prompt": [{"type": "text", "text": "x"}]}
    assert client.error(client.request("session/prompt", gone))["code"] == -32002
    relative = client.request("session/new", {"cwd": "here", "mcpServers": []})
    assert client.error(relative)["code"] == -32602
    odd = [{"type": "hologram", "data": 1}, {"type": "text", "text": "Hi"}]
    answer = client.call("session/prompt", {"sessionId": session, "prompt": odd})
    assert answer == {"stopReason": "end_turn"}


def test_a_key_that_is_refused_asks_for_a_login(start: Start):
    client = start({"steps": [{"error": "auth"}]})
    client.open()
    session = client.new_session()
    error = client.error(client.begin_prompt(session, "Hi"))
    assert error["code"] == -32000
    assert error["message"]


def test_the_end_of_input_ends_it_well(start: Start):
    client = start({"steps": [{"text": ["a", {"gate": "never"}]}]})
    client.open()
    session = client.new_session()
    client.begin_prompt(session, "Hi")
    client.wait_update("agent_message_chunk")
    client.close_input()
    assert client.wait_closed() == 0


def test_slash_commands_answer_in_the_conversation(start: Start):
    client = start({"steps": [{"text": "Hi."}]})
    client.open()
    session = client.new_session()
    listed = client.wait_update("available_commands_update")["availableCommands"]
    names = {each["name"] for each in listed}
    assert {"compact", "undo", "pin", "context"} <= names
    assert not {"new", "resume"} & names
    assert client.prompt(session, "/pin Use tabs.") == "end_turn"
    assert "Pinned" in text_of(client.updates(session))
    assert client.prompt(session, "/new") == "end_turn"
    assert [m for m in client.notifications(UPDATE) if m["params"]["sessionId"] != session] == []


def test_a_command_is_shown_as_it_is_run(start: Start):
    shell = {"name": "shell", "arguments": {"command": "echo made > made.txt"}}
    client = start({"steps": [{"calls": [shell]}, {"text": "Done."}]})
    client.open()
    client.choose("allowOnce")
    session = client.new_session()
    assert client.prompt(session, "Make it") == "end_turn"
    call = client.server_request(PERMISSION)["params"]["toolCall"]
    assert call["kind"] == "execute"
    assert call["content"][0]["content"]["text"] == "```sh\necho made > made.txt\n```"
    last = client.updates(session, "tool_call_update")[-1]
    assert (last["status"], last["rawOutput"]["exitCode"]) == ("completed", 0)


def test_a_subagent_asks_in_the_session_that_called_it(start: Start):
    task = {"description": "Number", "prompt": "SUBTASK: number it", "kind": "work"}
    rules = [
        {"when": "SUBTASK", "steps": [{"calls": [EDIT]}, {"text": "Numbered."}]},
        {
            "when": "Do it",
            "steps": [{"calls": [{"name": "subagent", "arguments": task}]}, {"text": "All done."}],
        },
    ]
    client = start({"rules": rules})
    (client.workspace / "notes.txt").write_text(TEXT)
    client.open()
    client.choose("allowOnce")
    session = client.new_session()
    assert client.prompt(session, "Do it") == "end_turn"
    asked = client.server_request(PERMISSION)["params"]
    assert asked["sessionId"] == session
    assert "Number" in asked["toolCall"]["title"]
    assert asked["toolCall"]["content"][0]["newText"] == DIFF["newText"]
    assert {each["params"]["sessionId"] for each in client.notifications(UPDATE)} == {session}
    done = asked["toolCall"]["toolCallId"]
    states = [
        each["status"]
        for each in client.updates(session, "tool_call_update")
        if each["toolCallId"] == done
    ]
    assert states[-1] == "completed"
    assert (client.workspace / "notes.txt").read_text() == DIFF["newText"]


def test_links_texts_and_images_are_taken(start: Start):
    client = start({"mode": "echo"})
    notes = client.workspace / "notes.txt"
    notes.write_text(TEXT)
    client.open()
    session = client.new_session()
    pixel = (
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
        "rkJggg=="
    )
    blocks = [
        {"type": "text", "text": "Look"},
        {"type": "resource_link", "uri": f"{notes.as_uri()}#L2", "name": "notes"},
        {"type": "resource", "resource": {"uri": notes.as_uri(), "text": "as it is in the editor"}},
        {"type": "image", "mimeType": "image/png", "data": pixel},
    ]
    answer = client.call("session/prompt", {"sessionId": session, "prompt": blocks})
    assert answer == {"stopReason": "end_turn"}
    shown = [u["content"] for u in client.loaded(session) if "user" in u["sessionUpdate"]]
    assert [each["type"] for each in shown] == ["text", "resource_link", "resource_link", "image"]
    assert shown[1]["name"] == "notes.txt:2"
    context = client.call("_plimsoll/context/report", {"sessionId": session, "detail": "detail"})
    assert any("notes.txt" in each["title"] for each in context["items"])
