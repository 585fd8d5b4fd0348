"""What the server asks of the client: questions with a bound, late answers, those of pygls."""

import pytest


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


@pytest.mark.parametrize(
    ("answer", "title"), [({"title": "This"}, "This"), (None, None)], ids=["chosen", "dismissed"]
)
def test_a_typed_question_of_pygls_is_answered_in_its_type(client, answer, title):
    asked = client.request("demo/choose")
    question = client.server_request("window/showMessageRequest")
    assert question["params"] == {"type": 3, "message": "Which?"}
    client.answer(question, answer)
    assert client.reply(asked)["result"] == {"title": title}
    assert client.call("demo/state")["waiting"] == 0


def test_an_answer_of_the_wrong_shape_to_pygls_ends_the_request(client):
    asked = client.request("demo/choose")
    client.answer(client.server_request("window/showMessageRequest"), 5)
    assert "wrong shape" in client.error(asked)["message"]
