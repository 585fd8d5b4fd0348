"""What a person is asked before something is done, and what is never asked about."""

import pytest

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
