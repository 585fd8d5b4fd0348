"""Each request is answered exactly once, with the right code, and nothing leaks."""

import json

import pytest

from lsp.raw_client import frame

CANARY = "canary-4711"


def test_before_initialize_requests_are_refused_and_notifications_dropped(start):
    client = start()
    client.notify("demo/notice", {"text": "too early"})
    assert client.error(client.request("demo/echo"))["code"] == -32002
    assert client.error(client.request("shutdown"))["code"] == -32002
    client.initialize()
    assert client.call("demo/state")["notices"] == []


def test_initialize_with_bad_params_is_answered_and_may_be_repeated(start):
    client = start()
    error = client.error(client.request("initialize", {"processId": "one", "capabilities": []}))
    assert error["code"] == -32602
    assert error["data"]
    assert client.error(client.request("initialize"))["code"] == -32602
    client.initialize()


def test_a_second_initialize_is_refused(client):
    params = {"processId": None, "rootUri": None, "capabilities": {}}
    assert client.error(client.request("initialize", params))["code"] == -32600


def test_after_shutdown_requests_are_refused(own_client):
    own_client.call("shutdown")
    for method in ("demo/echo", "textDocument/hover", "shutdown", "initialize"):
        assert own_client.error(own_client.request(method, {}))["code"] == -32600


def test_a_request_without_params_is_validated_like_an_empty_one(client):
    error = client.error(client.request("demo/require"))
    assert error["code"] == -32602
    assert error["data"] == [{"loc": ["text"], "msg": "Field required", "type": "missing"}]
    assert client.call("demo/echo") == {"value": None}


@pytest.mark.parametrize("params", [{"text": {"nested": CANARY}}, [CANARY], {"text": [CANARY]}])
def test_invalid_params_never_come_back(client, params):
    answer = client.reply(client.request("demo/require", params))
    assert answer["error"]["code"] == -32602
    assert all(set(item) == {"loc", "msg", "type"} for item in answer["error"]["data"])
    assert CANARY not in json.dumps(answer)


def test_invalid_params_of_a_standard_method_name_their_place(client):
    params = {"textDocument": {"uri": CANARY, "languageId": 5}}
    error = client.error(client.request("workspace/executeCommand", {"arguments": CANARY}))
    assert error["code"] == -32602
    assert error["data"][0]["loc"][0] in {"arguments", "command"}
    assert CANARY not in json.dumps(error)
    client.notify("textDocument/didOpen", params)
    client.call("demo/echo")
    assert CANARY not in client.stderr


def test_what_is_loaded_after_initialize_serves_the_first_message(start):
    client = start()
    commands = client.initialize()["capabilities"]["executeCommandProvider"]["commands"]
    assert "demo.later" in commands
    assert client.call("demo/later", {"value": 1}) == {"value": 1}
    call = {"command": "demo.later", "arguments": [{"value": [2]}]}
    assert client.call("workspace/executeCommand", call) == {"value": [2]}


def test_a_server_that_cannot_be_loaded_says_so_and_ends(start):
    client = start(env={"DEMO_LOAD_FAILS": "1"})
    client.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    assert client.wait_closed() == 1
    told = client.stderr_at_end()
    assert "could not be loaded" in told
    assert "ValueError" in told
    assert client.reply(1)["result"]


@pytest.mark.parametrize(
    ("params", "place"),
    [
        ({"command": "demo.none"}, ["command"]),
        ({"command": "demo.sleep", "arguments": [{"seconds": 0}, 1]}, ["arguments", 1]),
        ({"command": "demo.sleep", "arguments": [{"seconds": CANARY}]}, ["seconds"]),
        ({"command": "demo.sleep", "arguments": [CANARY]}, []),
        ({"command": "demo.sleep"}, ["seconds"]),
        ({}, ["command"]),
        ({"command": [CANARY]}, ["command"]),
        (None, []),
    ],
)
def test_a_command_with_bad_arguments(client, params, place):
    error = client.error(client.request("workspace/executeCommand", params))
    assert error["code"] == -32602
    assert error["data"][0]["loc"] == place
    assert CANARY not in json.dumps(error)


def test_unknown_methods(client):
    for method in ("demo/none", "$/none", "textDocument/hover", "window/showMessage"):
        assert client.error(client.request(method, {}))["code"] == -32601
    client.notify("demo/none")
    client.notify("$/none")
    assert client.call("demo/echo") == {"value": None}


def test_a_domain_failure_carries_kind_remedy_and_data(client):
    error = client.error(client.request("demo/fail", {"text": "busy"}))
    assert error == {
        "code": -32803,
        "message": "A turn is running.",
        "data": {"heldBy": "pid 1", "kind": "busy", "remedy": "Fork it."},
    }
    missing = client.error(client.request("demo/fail", {"text": "missing"}))
    assert missing["data"] == {"kind": "sessionNotFound"}


def test_a_defect_shows_a_reference_and_hides_its_text(own_client):
    error = own_client.error(own_client.request("demo/fail", {"text": CANARY}))
    assert error["code"] == -32603
    assert set(error["data"]) == {"reference"}
    assert CANARY not in json.dumps(error)
    assert "Traceback" not in json.dumps(error)
    own_client.call("shutdown")
    own_client.notify("exit")
    assert own_client.wait_closed() == 0
    told = own_client.stderr_at_end()
    assert error["data"]["reference"] in told
    assert "ValueError" in told
    assert "RuntimeError" in told
    assert CANARY not in told


def test_half_a_character_in_a_result_leaves_the_wire_whole(client):
    assert client.call("demo/half") == {"value": "a\ud800"}
    assert client.call("demo/echo", {"value": "\U0001f600ü"}) == {"value": "\U0001f600ü"}


def test_a_result_that_is_no_json_is_still_answered(client):
    assert client.error(client.request("demo/strange"))["code"] == -32603


def test_a_failing_notification_shows_nothing_to_the_person(client):
    client.notify("demo/notice", {"text": "explode"})
    client.notify("demo/notice", {"wrong": 1})
    client.notify("demo/notice", {"text": "well"})
    assert client.call("demo/state")["notices"] == ["well"]
    assert [m["method"] for m in client.messages if "method" in m] == []


def test_results_are_camel_case_and_leave_out_what_is_none(client):
    assert client.call("demo/typed") == {"usedTokens": 1}
    assert client.reply(client.request("demo/nothing"))["result"] is None


@pytest.mark.parametrize("value", [{"jsonrpc": "2.0", "id": 3}, [{"jsonrpc": 1}], {"method": "x"}])
def test_nested_json_rpc_members_are_data(client, value):
    assert client.call("demo/echo", {"value": value}) == {"value": value}


def test_an_id_in_use_is_refused_and_the_first_request_still_answered(client):
    sleep = {"method": "demo/sleep", "params": {"seconds": 0.3}}
    echo = {"method": "demo/echo", "params": {}}
    both = [json.dumps({"jsonrpc": "2.0", "id": "twice", **each}) for each in (sleep, echo)]
    # In one write: the second comes before the first is answered.
    client.send_bytes(b"".join(frame(each.encode()) for each in both))
    client.wait_for(lambda m: m.get("id") == "twice" and "result" in m)
    codes = [m.get("error", {}).get("code") for m in client.replies("twice")]
    assert codes == [-32600, None]


def test_ids_of_both_kinds_stay_apart(client):
    client.request("demo/echo", {"value": "string"}, request_id="1000")
    client.request("demo/echo", {"value": "number"}, request_id=1000)
    assert client.reply("1000")["result"] == {"value": "string"}
    assert client.reply(1000)["result"] == {"value": "number"}


def test_a_stray_print_does_not_reach_the_wire_and_a_child_finds_no_input(own_client):
    own_client.call("demo/prints")
    assert own_client.call("demo/echo") == {"value": None}
    own_client.call("shutdown")
    own_client.notify("exit")
    own_client.wait_closed()
    told = own_client.stderr_at_end()
    assert "stray output" in told
    assert "stray child output" in told


def test_no_body_is_logged(own_client):
    own_client.call("demo/echo", {"value": CANARY})
    own_client.notify("demo/notice", {"text": CANARY})
    own_client.request("textDocument/hover", {"textDocument": CANARY})
    own_client.call("shutdown")
    own_client.notify("exit")
    own_client.wait_closed()
    assert CANARY not in own_client.stderr_at_end()


def test_messages_that_await_nothing_are_answered_in_their_order(client):
    for number in range(200):
        client.notify("demo/notice", {"text": str(number)})
    assert client.call("demo/state")["notices"] == [str(number) for number in range(200)]


def test_nothing_is_kept_of_what_is_done(own_client):
    for number in range(300):
        own_client.notify("demo/notice", {"text": "x"})
        own_client.notify("textDocument/didClose", {"textDocument": {"uri": f"file:///{number}"}})
        own_client.request("demo/echo", {})
    own_client.call("demo/echo")
    state = own_client.call("demo/state")
    assert (state["running"], state["waiting"]) == (1, 0)


def test_folders_come_from_the_root_uri_when_there_is_nothing_else(start):
    client = start()
    client.initialize(rootUri="file:///home/someone/my%20project")
    assert client.call("demo/state")["folders"] == ["my project"]


def test_a_folder_renamed_in_place_stays(start):
    client = start()
    client.initialize(workspaceFolders=[{"uri": "file:///a", "name": "old"}], rootUri="file:///b")
    assert client.call("demo/state")["folders"] == ["old"]
    event = {
        "added": [{"uri": "file:///a", "name": "new"}],
        "removed": [{"uri": "file:///a", "name": "old"}],
    }
    client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
    assert client.call("demo/state")["folders"] == ["new"]


def test_positions_are_utf_16_unless_negotiated(start):
    plain, other = start(), start()
    assert plain.initialize()["capabilities"]["positionEncoding"] == "utf-16"
    capabilities = {"general": {"positionEncodings": ["utf-8", "utf-16"]}}
    answer = other.initialize(capabilities=capabilities)["capabilities"]
    assert answer["positionEncoding"] == "utf-8"


def test_tcp_serves_one_loopback_client_and_refuses_other_addresses(start):
    client = start("--tcp", "0.0.0.0:0")
    assert client.wait_closed() == 1
    assert "is not an address of this machine" in client.stderr_at_end()
