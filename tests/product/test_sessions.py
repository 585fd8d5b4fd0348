"""Sessions over the wire: prompts, streams, modes, questions, rewinds, forks, restarts."""

import pytest

from product.harness import READ, UPDATE, said, texts

HELLO = {
    "rules": [{"when": "hello", "steps": [{"text": ["Hel", "lo ", "there."]}]}],
    "mode": "echo",
}
WRITE = {
    "steps": [
        {"calls": [{"name": "file_write", "arguments": {"path": "a.txt", "content": "new\n"}}]},
        {"text": ["Done."]},
    ]
}
RUN = {
    "steps": [
        {"calls": [{"name": "shell", "arguments": {"command": "touch ran"}}]},
        {"text": ["Done."]},
    ]
}


def test_a_prompt_is_accepted_and_the_answer_streams(start):
    product = start(HELLO)
    product.open()
    session = product.new_session()
    updates = product.turn(session, "hello")
    kinds = [update["kind"] for update in updates]
    assert kinds[0] == "turnStarted"
    assert kinds[-1] == "turnEnded"
    assert said(updates) == "Hello there."
    assert updates[-1]["stopReason"] == "endTurn"


def test_seq_counts_without_a_gap_and_load_says_where_it_stands(start):
    product = start(HELLO)
    product.open()
    session = product.new_session()
    product.turn(session, "hello")
    loaded = product.call("plimsoll/session/load", {"workspaceFolder": product.uri})
    numbers = [message["params"]["seq"] for message in product.notifications(UPDATE)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert loaded["seq"] == numbers[-1]
    assert texts(loaded) == ["hello", "Hello there."]


def test_a_second_prompt_is_refused_while_a_turn_runs_and_cancel_ends_it(start):
    product = start({"steps": [{"text": ["wait ", {"gate": "never"}]}], "mode": "echo"})
    product.open()
    session = product.new_session()
    turn = product.prompt(session, "go")
    product.update("textDelta", turn)
    content = [{"type": "text", "text": "again"}]
    params = {"sessionId": session, "content": content}
    failure = product.failure("plimsoll/session/prompt", params)
    assert (failure["code"], failure["data"]["kind"]) == (-32803, "busy")
    for method, more in (("rewind", {"messageId": "x"}), ("setModel", {"model": "embedded"})):
        failure = product.failure(f"plimsoll/session/{method}", {"sessionId": session, **more})
        assert failure["data"]["kind"] == "busy"
    assert product.call("plimsoll/session/cancel", {"sessionId": session}) == {"cancelled": True}
    assert product.update("turnEnded", turn)["stopReason"] == "cancelled"
    assert product.call("plimsoll/session/cancel", {"sessionId": session}) == {"cancelled": False}
    assert said(product.turn(session, "hello again")) != ""


def test_a_write_asks_and_shows_exactly_what_will_happen(start):
    product = start(WRITE)
    product.open()
    session = product.new_session()
    product.prompt(session, "write")
    question = product.server_request("plimsoll/session/requestPermission")
    call = question["params"]["toolCall"]
    assert "+new" in call["detail"]["diff"]
    assert not (product.workspace / "a.txt").exists()
    options = {each["optionId"]: each for each in question["params"]["options"]}
    assert list(options) == [
        "allowOnce",
        "allowSession",
        "allowWider",
        "allowAlways",
        "rejectOnce",
        "rejectSession",
    ]
    assert options["allowSession"]["scope"] == "Edits to a.txt, in this session."
    assert options["allowWider"]["scope"] == "All edits in this folder, in this session."
    assert options["allowAlways"]["name"] == "Always allow edits in all of this folder"
    assert "scope" not in options["allowOnce"]
    product.answer(question, {"outcome": "selected", "optionId": "allowOnce"})
    product.update("turnEnded")
    assert (product.workspace / "a.txt").read_text() == "new\n"


def test_a_call_that_is_declined_says_by_whom_and_why(start):
    product = start(WRITE)
    product.open()
    session = product.new_session()
    product.prompt(session, "write")
    question = product.server_request("plimsoll/session/requestPermission")
    answer = {"outcome": "selected", "optionId": "rejectOnce", "reason": "Not this file."}
    product.answer(question, answer)
    product.update("turnEnded")
    rejected = next(u for u in product.updates(session) if u.get("status") == "rejected")
    assert rejected["rejection"] == {"by": "person", "reason": "Not this file."}


def test_a_command_asks_with_what_the_sandbox_of_this_machine_keeps_it_from(start):
    product = start(RUN)
    product.open()
    session = product.new_session()
    product.prompt(session, "run")
    question = product.server_request("plimsoll/session/requestPermission")
    sandbox = product.call("plimsoll/status", {})["sandbox"]
    detail = question["params"]["toolCall"]["detail"]
    assert detail["confinement"] == sandbox["confinement"]
    assert (detail["confinement"]["coverage"] == "full") == (sandbox["unavailable"] == [])
    assert detail["confinement"]["summary"]
    product.answer(question, {"outcome": "selected", "optionId": "allowOnce"})
    product.update("turnEnded")
    assert (product.workspace / "ran").exists()


def test_a_limit_of_spending_asks_and_a_stop_ends_the_turn_with_its_reason(start):
    product = start(HELLO, PLIMSOLL_TURN__SPEND_LIMIT_TOKENS="100")
    product.open()
    session = product.new_session()
    turn = product.prompt(session, "hello")
    question = product.server_request("plimsoll/session/requestPermission")
    spend = question["params"]["toolCall"]["detail"]["spend"]
    assert (spend["scope"], spend["unit"], spend["limit"], spend["spent"]) == (
        "turn",
        "tokens",
        100,
        0,
    )
    assert spend["next"] > 100
    assert [option["name"] for option in question["params"]["options"]][-1] == "Stop"
    product.answer(question, {"outcome": "selected", "optionId": "rejectOnce"})
    assert product.update("turnEnded", turn)["stopReason"] == "spendLimit"
    assert "turn.spend_limit_tokens" in product.update("notice")["markdown"]


@pytest.mark.parametrize("answer", [{"outcome": "cancelled"}, {"outcome": "selected"}, None])
def test_anything_but_a_chosen_permission_is_a_rejection(start, answer):
    product = start(WRITE)
    product.open()
    product.prompt(product.new_session(), "write")
    product.answer(product.server_request("plimsoll/session/requestPermission"), answer)
    product.update("turnEnded")
    assert not (product.workspace / "a.txt").exists()


def test_a_client_without_the_capability_is_asked_by_a_message(start):
    product = start(WRITE)
    product.open(capabilities={"sessionUpdates": True})
    product.prompt(product.new_session(), "write")
    question = product.server_request("window/showMessageRequest")
    assert "+new" in question["params"]["message"]
    product.answer(question, {"title": "Allow once"})
    product.update("turnEnded")
    assert (product.workspace / "a.txt").read_text() == "new\n"


def test_an_untrusted_folder_is_never_written(start):
    product = start(WRITE)
    product.open(trusted=False)
    session = product.new_session()
    updates = product.turn(session, "write")
    assert "failed" in [update.get("status") for update in updates]
    owner = {"workspaceFolder": product.uri, "sessionId": session}
    loaded = product.call("plimsoll/session/load", owner)["messages"]
    parts = [part for message in loaded for part in message["parts"]]
    assert [part["type"] for part in parts if part.get("failed")] == ["toolResult"]
    assert not (product.workspace / "a.txt").exists()
    assert not product.requests_of("plimsoll/session/requestPermission")


def test_trust_that_is_given_later_counts(start):
    product = start({"mode": "obedient"})
    product.open(trusted=False)
    product.notify("plimsoll/didChangeTrust", {"workspaceFolder": product.uri, "trusted": True})
    session = product.new_session()
    product.prompt(session, 'CALL file_write {"path": "b.txt", "content": "x"}')
    product.answer(
        product.server_request("plimsoll/session/requestPermission"),
        {"outcome": "selected", "optionId": "allowOnce"},
    )
    product.update("turnEnded")
    assert (product.workspace / "b.txt").exists()


@pytest.mark.parametrize("mode", ["plan", "ask"])
def test_a_mode_gates_the_tool_whatever_the_model_wants(start, mode):
    product = start(WRITE)
    product.open()
    session = product.new_session()
    said_before = [{"role": "user", "content": "before"}]
    product.call("plimsoll/session/append", {"sessionId": session, "messages": said_before})
    before = product.call("plimsoll/session/view", {"sessionId": session})
    changed = product.call("plimsoll/session/setMode", {"sessionId": session, "mode": mode})
    assert changed["session"]["mode"] == mode
    product.turn(session, "write")
    assert not (product.workspace / "a.txt").exists()
    after = product.call("plimsoll/session/view", {"sessionId": session})
    assert after["tools"] == before["tools"]
    assert after["toolChoice"] == ("none" if mode == "ask" else "auto")
    assert after["messages"][0]["content"] == before["messages"][0]["content"]


def test_a_restart_finds_the_conversation_and_the_same_view(start, tmp_path):
    first = start(HELLO)
    first.open()
    session = first.new_session()
    first.turn(session, "hello")
    view = first.call("plimsoll/session/view", {"sessionId": session})
    first.call("shutdown")
    first.notify("exit")
    assert first.wait_closed() == 0
    second = start(HELLO)
    answer = second.open(resume="latest")
    offered = answer["capabilities"]["experimental"]["plimsoll"]
    assert offered["session"]["id"] == session
    assert second.call("plimsoll/session/view", {"sessionId": session}) == view


def test_a_rewind_hides_and_its_undo_brings_back(start):
    product = start(HELLO)
    product.open()
    session = product.new_session()
    product.turn(session, "hello")
    first = product.call("plimsoll/session/load", {"workspaceFolder": product.uri})
    message = first["messages"][0]["id"]
    product.turn(session, "hello again")
    params = {"sessionId": session, "messageId": message}
    edit = product.call("plimsoll/session/rewind", params)["editId"]
    folder = {"workspaceFolder": product.uri}
    assert texts(product.call("plimsoll/session/load", folder)) == ["hello"]
    product.call("plimsoll/context/undo", {"sessionId": session, "editId": edit})
    assert len(texts(product.call("plimsoll/session/load", folder))) == 4


def test_a_fork_has_a_copy_and_a_parent_and_delete_deletes(start):
    product = start(HELLO)
    product.open()
    session = product.new_session()
    product.turn(session, "hello")
    fork = product.call("plimsoll/session/fork", {"sessionId": session})["session"]
    assert fork["parentId"] == session
    view = product.call("plimsoll/session/view", {"sessionId": session})["messages"]
    product.call("plimsoll/session/delete", {"sessionId": session})
    failure = product.failure("plimsoll/session/view", {"sessionId": session})
    assert failure["data"]["kind"] == "sessionNotFound"
    copied = product.call("plimsoll/session/view", {"sessionId": fork["id"]})["messages"]
    assert copied == view
    listed = product.call("plimsoll/session/list", {"workspaceFolder": product.uri})["sessions"]
    assert [each["id"] for each in listed] == [fork["id"]]


def test_an_editors_own_agent_feeds_the_log(start):
    product = start(HELLO)
    product.open()
    session = product.new_session()
    batch = [
        {"id": "u1", "role": "user", "content": "Read it."},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "c1", "name": "Read", "arguments": {"file_path": "x.py"}}],
        },
        {"role": "tool", "content": "text of x", "tool_call_id": "c1"},
    ]
    params = {"sessionId": session, "messages": batch}
    first = product.call("plimsoll/session/append", params)["messageIds"]
    assert first[0] == "u1"
    assert len(first) == 3
    call = product.call("plimsoll/session/view", {"sessionId": session})["messages"][2]
    assert call["toolCalls"][0]["name"] == "file_read"
    assert call["toolCalls"][0]["arguments"] == {"path": "x.py"}
    bad = [{"role": "user", "content": "one"}, {"role": "tool", "content": "", "toolCallId": "no"}]
    count = len(product.call("plimsoll/session/view", {"sessionId": session})["messages"])
    failure = product.failure("plimsoll/session/append", {"sessionId": session, "messages": bad})
    assert failure["code"] == -32803
    system = [{"role": "system", "content": "obey"}]
    assert product.failure("plimsoll/session/append", {"sessionId": session, "messages": system})
    view = product.call("plimsoll/session/view", {"sessionId": session})
    assert len(view["messages"]) == count


def test_the_same_message_twice_is_one(start):
    product = start(HELLO)
    product.open()
    session = product.new_session()
    batch = {"sessionId": session, "messages": [{"id": "u1", "role": "user", "content": "once"}]}
    assert product.call("plimsoll/session/append", batch) == {"messageIds": ["u1"]}
    assert product.call("plimsoll/session/append", batch) == {"messageIds": ["u1"]}
    view = product.call("plimsoll/session/view", {"sessionId": session})["messages"]
    assert [message["content"] for message in view].count("once") == 1


def test_slash_commands_answer_as_turns_and_never_reach_the_model(start):
    product = start({"mode": "echo"})
    product.open()
    session = product.new_session()
    updates = product.turn(session, "/pin Always so")
    assert [update["kind"] for update in updates] == ["turnStarted", "notice", "turnEnded"]
    assert "Always so" in product.turn(session, "/pins")[1]["markdown"]
    assert "//frobnicate" in product.turn(session, "/frobnicate")[1]["markdown"]
    assert said(product.turn(session, "//help me")) != ""
    assert said(product.turn(session, "/etc/hosts is text")) != ""
    view = product.call("plimsoll/session/view", {"sessionId": session})["messages"]
    spoken = [message["content"] for message in view if message["role"] == "user"]
    assert "/help me" in spoken
    assert not any(text.startswith("/pin") for text in spoken)


def test_send_answers_at_the_end_of_the_turn(start):
    product = start(HELLO)
    product.open(capabilities={})
    command = {"command": "plimsoll.server.send", "arguments": [{"text": "hello"}]}
    assert product.call("workspace/executeCommand", command)["message"] == "Hello there."
    assert not product.notifications(UPDATE)


def test_broken_arguments_are_answered_and_nothing_is_run(start):
    broken = {"calls": [{"name": "file_write", "arguments": '{"path": "a.txt", "content": "ha'}]}
    product = start({"steps": [broken, {"text": ["I see."]}]})
    product.open()
    session = product.new_session()
    product.turn(session, "write")
    assert not (product.workspace / "a.txt").exists()
    view = product.call("plimsoll/session/view", {"sessionId": session})["messages"]
    call = next(message for message in view if message.get("toolCalls"))["toolCalls"][0]
    assert call["arguments"] == {}
    assert call["rawArguments"].startswith('{"path"')


def test_methods_that_come_later_are_unknown(start):
    product = start(HELLO)
    answer = product.open()
    offered = answer["capabilities"]["experimental"]["plimsoll"]
    assert offered["protocolVersion"] == 1
    from plimsoll.lsp.wire.methods import REQUESTS

    later = set(REQUESTS) - set(offered["methods"])
    for method in sorted(later):
        assert product.failure(method, {})["code"] == -32601


def test_a_large_prompt_is_kept_whole(start):
    product = start(HELLO, PLIMSOLL_MODEL__CONTEXT_WINDOW="1000000")
    product.open()
    session = product.new_session()
    text = "hello " + "line of a million\n" * 60_000
    product.turn(session, text)
    loaded = product.call("plimsoll/session/load", {"workspaceFolder": product.uri})
    assert texts(loaded)[0] == text


def test_what_was_sent_with_a_prompt_is_given_back_whole(start):
    product = start({"mode": "echo"})
    (product.workspace / "src").mkdir()
    (product.workspace / "src/a b.py").write_text("one\ntwo\nthree\n")
    product.open()
    session = product.new_session()
    lines = {"start": {"line": 1, "character": 0}, "end": {"line": 2, "character": 0}}
    file = (product.workspace / "src/a b.py").as_uri()
    content = [
        {"type": "text", "text": "Look."},
        {"type": "file", "uri": file},
        {"type": "file", "uri": file, "range": lines},
        {"type": "file", "uri": (product.workspace / "src").as_uri()},
        {"type": "selection", "uri": file, "range": lines, "text": "two\n[end of it]"},
        {"type": "excerpt", "title": "terminal bash:1", "text": "$ make\n\nDone."},
        {"type": "image", "mimeType": "image/png", "data": "iVBORw0KGgoAAAAN"},
    ]
    product.call("plimsoll/session/prompt", {"sessionId": session, "content": content})
    product.update("turnEnded")
    asked, answer = product.call("plimsoll/session/load", {"workspaceFolder": product.uri})[
        "messages"
    ]
    params = {"sessionId": session, "messageId": asked["id"]}
    assert product.call("plimsoll/session/promptContent", params) == {"content": content}
    refused = product.failure(
        "plimsoll/session/promptContent", {**params, "messageId": answer["id"]}
    )
    assert refused["data"]["kind"] == "messageNotFound"


def test_reading_a_file_brings_it_into_the_context(start):
    product = start({"steps": [{"calls": [READ]}, {"text": ["Read."]}]})
    (product.workspace / "big.txt").write_text("alpha\nbeta\n")
    product.open()
    session = product.new_session()
    product.turn(session, "read it")
    view = product.call("plimsoll/session/view", {"sessionId": session})["messages"]
    result = next(message for message in view if message["role"] == "tool")
    assert "1\talpha" in result["content"]
