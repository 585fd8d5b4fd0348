"""Every way to cancel reaches the handler; the answer comes once; clean-up is not torn."""

import json

import pytest

from lsp.raw_client import frame


def cancel_request(client, request_id, _token):
    client.notify("$/cancelRequest", {"id": request_id})


def cancel_progress(client, _id, token):
    client.notify("window/workDoneProgress/cancel", {"token": token})


def both(client, request_id, token):
    cancel_request(client, request_id, token)
    cancel_progress(client, request_id, token)
    cancel_request(client, request_id, token)


def command(params):
    return "workspace/executeCommand", {"command": "demo.sleep", "arguments": [params]}


def command_with_outer_token(params):
    token = params.pop("workDoneToken")
    return "workspace/executeCommand", {
        "command": "demo.sleep",
        "arguments": [params],
        "workDoneToken": token,
    }


@pytest.mark.parametrize("cancel", [cancel_request, cancel_progress, both])
@pytest.mark.parametrize(
    "ask", [lambda params: ("demo/sleep", params), command, command_with_outer_token]
)
@pytest.mark.parametrize("token", ["tok-1", 17])
def test_a_cancel_ends_the_handler_and_is_answered_once(client, tmp_path, ask, cancel, token):
    marker = tmp_path / "marker"
    params = {"seconds": 60, "cleanUpSeconds": 0.2, "marker": str(marker), "workDoneToken": token}
    request_id = client.request(*ask(params))
    client.call("demo/echo")
    cancel(client, request_id, token)
    assert client.error(request_id)["code"] == -32800
    assert marker.read_text() == "cleaned up"
    client.call("demo/echo")
    assert len(client.replies(request_id)) == 1


def test_a_cancel_that_overtakes_its_request_in_the_queue_stops_it_before_it_begins(
    client, tmp_path
):
    marker, sent = tmp_path / "marker", tmp_path / "sent"
    client.request("demo/block", {"seconds": 0, "marker": str(sent)})
    request_id = "overtaken"
    sleep = {"method": "demo/sleep", "params": {"seconds": 60, "marker": str(marker)}}
    cancel = {"method": "$/cancelRequest", "params": {"id": request_id}}
    both_in_one = ({"jsonrpc": "2.0", "id": request_id, **sleep}, {"jsonrpc": "2.0", **cancel})
    client.send_bytes(b"".join(frame(json.dumps(each).encode()) for each in both_in_one))
    sent.write_text("")
    assert client.error(request_id)["code"] == -32800
    assert not marker.exists()


def test_a_handler_may_answer_a_cancel_with_what_it_has(client):
    request_id = client.request("demo/sleep", {"seconds": 60, "partial": "half"})
    client.call("demo/echo")
    client.notify("$/cancelRequest", {"id": request_id})
    assert client.reply(request_id)["result"] == {"partial": "half"}


@pytest.mark.parametrize("request_id", ["nothing", 99999, None, {"a": 1}, [1], True])
def test_a_cancel_of_nothing_is_ignored(client, request_id):
    client.notify("$/cancelRequest", {"id": request_id})
    client.notify("window/workDoneProgress/cancel", {"token": request_id})
    client.notify("$/cancelRequest")
    assert client.call("demo/echo") == {"value": None}


def test_shutdown_cancels_what_runs_and_is_answered(own_client):
    request_id = own_client.request("demo/sleep", {"seconds": 60, "cleanUpSeconds": 0.2})
    own_client.call("shutdown")
    assert own_client.error(request_id)["code"] == -32800


def test_a_thousand_requests_and_cancels_are_each_answered_once(client):
    ids = []
    for _ in range(1000):
        ids.append(client.request("demo/sleep", {"seconds": 60}))
        client.notify("$/cancelRequest", {"id": ids[-1]})
    assert {client.error(request_id)["code"] for request_id in ids} == {-32800}
    client.call("demo/echo")
    assert client.call("demo/state")["running"] == 1
    answers = [m["id"] for m in client.messages if m["id"] in set(ids)]
    assert sorted(answers) == sorted(ids)


def test_the_progress_of_a_client_token_begins_and_ends_once(client):
    client.call("demo/sleep", {"seconds": 0, "workDoneToken": "t"})
    kinds = [m["params"]["value"]["kind"] for m in client.notifications("$/progress")]
    assert kinds == ["begin", "end"]
