"""Sessions over the wire: prompts, streams, rewinds, forks, restarts."""

from product.harness import READ, UPDATE, said, texts

HELLO = {
    "rules": [{"when": "hello", "steps": [{"text": ["Hel", "lo ", "there."]}]}],
    "mode": "echo",
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


def test_the_methods_that_are_offered_are_all_there_are(start):
    product = start(HELLO)
    answer = product.open()
    offered = answer["capabilities"]["experimental"]["plimsoll"]
    assert offered["protocolVersion"] == 1
    from plimsoll.lsp.wire.methods import REQUESTS

    assert set(offered["methods"]) == set(REQUESTS)
    assert product.failure("plimsoll/session/later", {})["code"] == -32601


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
