"""What the server asks and shows: its own progress, questions with a bound, late answers."""

import pytest

SHOWS = {"window": {"workDoneProgress": True}}
CREATE = "window/workDoneProgress/create"


@pytest.fixture
def showing(start):
    client = start()
    client.initialize(capabilities=SHOWS)
    return client


def test_a_turn_shows_a_progress_that_the_person_can_cancel_once(showing):
    token = showing.call("demo/turn", {"text": "turn 1"})["token"]
    assert showing.notifications("$/progress") == []
    showing.answer(showing.server_request(CREATE))
    begin = showing.notification("$/progress")["params"]
    assert begin["token"] == token
    assert begin["value"] == {"kind": "begin", "title": "turn 1", "cancellable": True}
    for _ in range(2):
        showing.notify("window/workDoneProgress/cancel", {"token": token})
    assert showing.call("demo/state")["cancelledTurns"] == ["turn 1"]


def test_a_client_that_refuses_the_progress_gets_none_and_the_turn_goes_on(showing):
    showing.call("demo/turn", {"text": "turn 1"})
    request = showing.server_request(CREATE)
    showing.send({"jsonrpc": "2.0", "id": request["id"], "error": {"code": -1, "message": "no"}})
    assert showing.call("demo/echo") == {"value": None}
    assert showing.notifications("$/progress") == []


def test_a_client_without_progress_is_not_asked(client):
    assert client.call("demo/turn", {"text": "turn 1"}) == {"token": None}
    assert [m for m in client.messages if m.get("method") == CREATE] == []


def test_a_question_is_answered(client):
    asked = client.request("demo/ask", {"seconds": 10})
    client.answer(client.server_request("demo/question"), {"yes": [1]})
    assert client.reply(asked)["result"] == {"answer": {"yes": [1]}}


def test_a_question_refused_by_the_client_is_a_domain_failure(client):
    asked = client.request("demo/ask", {"seconds": 10})
    request = client.server_request("demo/question")
    error = {"code": -32601, "message": "unknown"}
    client.send({"jsonrpc": "2.0", "id": request["id"], "error": error})
    assert client.error(asked)["data"] == {"kind": "clientRefused", "code": -32601}


def test_a_question_that_nobody_answers_ends_and_its_late_answer_is_dropped(client):
    asked = client.request("demo/ask", {"seconds": 0.1})
    assert client.error(asked)["data"]["kind"] == "clientSilent"
    request = client.server_request("demo/question")
    assert client.notification("$/cancelRequest")["params"] == {"id": request["id"]}
    client.answer(request, "too late")
    assert client.call("demo/state")["waiting"] == 0


def test_the_answer_to_a_cancelled_question_is_dropped(client):
    asked = client.request("demo/ask", {"seconds": 60})
    request = client.server_request("demo/question")
    client.notify("$/cancelRequest", {"id": asked})
    assert client.error(asked)["code"] == -32800
    assert client.notification("$/cancelRequest")["params"] == {"id": request["id"]}
    client.answer(request, "too late")
    client.answer({"id": "never asked"}, 1)
    client.send({"jsonrpc": "2.0", "id": None, "error": {"code": -1, "message": "x"}})
    assert client.call("demo/state")["waiting"] == 0
    assert [m["method"] for m in client.messages if "method" in m] == [
        "demo/question",
        "$/cancelRequest",
    ]
