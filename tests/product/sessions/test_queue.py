"""What is sent while a turn runs: it waits, is said in its time, or is given back."""

import pytest

from product.harness import READ, UPDATE, texts

GATED = {"steps": [{"text": ["wait ", {"gate": "open"}], "calls": [READ]}], "mode": "echo"}
AT_THE_END = {"steps": [{"text": ["wait ", {"gate": "open"}]}], "mode": "echo"}


def send(product, session, text, **more):
    content = [{"type": "text", "text": text}]
    params = {"sessionId": session, "content": content, **more}
    return product.call("plimsoll/session/prompt", params)


def open_gate(product):
    (product.home / "open").write_text("")


def running(start, script):
    product = start(script)
    (product.workspace / "big.txt").write_text("row\n")
    product.open()
    session = product.new_session()
    turn = product.prompt(session, "go")
    product.update("textDelta", turn)
    return product, session, turn


def load(product):
    return product.call("plimsoll/session/load", {"workspaceFolder": product.uri})


def queue_changes(product, session):
    return [each for each in product.updates(session) if each["kind"] == "queued"]


def test_steered_text_stands_in_the_next_request_of_the_turn_that_runs(start):
    product, session, turn = running(start, GATED)
    answer = send(product, session, "use tabs", when="steer")
    assert answer["turnId"] == turn
    first = product.update("queued")
    entry = {
        "queuedId": answer["queuedId"],
        "when": "steer",
        "content": [{"type": "text", "text": "use tabs"}],
    }
    assert first["entries"] == [entry]
    loaded = load(product)
    assert (loaded["queued"], loaded["runningTurnId"]) == ([entry], turn)
    assert "use tabs" not in texts(loaded)

    open_gate(product)
    product.update("turnEnded", turn)
    assert queue_changes(product, session)[-1]["said"] == [answer["queuedId"]]
    said = [m["message"] for m in product.updates(session) if m["kind"] == "message"]
    steered = next(m for m in said if m["parts"][0].get("text") == "use tabs")
    assert (steered["role"], steered["turnId"], steered["origin"]) == ("user", turn, "person")
    # The echo answers what was said last: the request behind the tool's result carried it.
    after = load(product)
    assert texts(after)[-1].endswith("use tabs")
    assert "runningTurnId" not in after


@pytest.mark.parametrize("when", ["after", "steer"])
def test_what_waits_at_the_end_of_a_turn_becomes_turns_in_their_order(start, when):
    product, session, turn = running(start, AT_THE_END)
    first = send(product, session, "first", when=when)
    second = send(product, session, "second", when="after")
    open_gate(product)
    product.update("turnEnded", turn)
    ended = {turn}
    for _ in range(2):
        update = product.wait_for(
            lambda message: (
                message.get("method") == UPDATE
                and message["params"]["update"]["kind"] == "turnEnded"
                and message["params"]["update"]["turnId"] not in ended
            )
        )["params"]["update"]
        assert update["stopReason"] == "endTurn"
        ended.add(update["turnId"])
    spoken = [m for m in load(product)["messages"] if m["role"] == "user"]
    assert [m["parts"][0]["text"] for m in spoken] == ["go", "first", "second"]
    assert len({m["turnId"] for m in spoken}) == 3
    said = [name for each in queue_changes(product, session) for name in each.get("said", [])]
    assert said == [first["queuedId"], second["queuedId"]]


def test_what_was_taken_back_is_never_said(start):
    product, session, turn = running(start, GATED)
    queued = send(product, session, "not this", when="steer")["queuedId"]
    params = {"sessionId": session, "queuedId": queued}
    assert product.call("plimsoll/session/unqueue", params) == {}
    assert queue_changes(product, session)[-1]["entries"] == []
    assert product.failure("plimsoll/session/unqueue", params)["data"]["kind"] == "queuedNotFound"
    open_gate(product)
    product.update("turnEnded", turn)
    assert "not this" not in texts(load(product))


def test_a_cancelled_turn_gives_back_what_waits(start):
    product, session, _ = running(start, GATED)
    send(product, session, "one", when="steer")
    send(product, session, "//two", when="after")
    product.call("plimsoll/session/cancel", {"sessionId": session})
    last = queue_changes(product, session)[-1]
    assert last["entries"] == []
    assert [each["content"][0]["text"] for each in last["returned"]] == ["one", "//two"]
    loaded = load(product)
    assert loaded["queued"] == []
    assert not {"one", "/two"} & set(texts(loaded))


def test_a_failed_turn_gives_back_what_waits(start):
    failing = {"steps": [{"text": ["wait ", {"gate": "open"}], "error": "auth"}]}
    product, session, turn = running(start, failing)
    send(product, session, "one", when="after")
    open_gate(product)
    assert product.update("turnEnded", turn)["stopReason"] == "error"
    given_back = product.wait_for(
        lambda message: (
            message.get("method") == UPDATE
            and message["params"]["update"]["kind"] == "queued"
            and message["params"]["update"]["returned"]
        )
    )["params"]["update"]
    assert [each["content"][0]["text"] for each in given_back["returned"]] == ["one"]
    assert given_back["entries"] == []


def test_without_when_a_prompt_is_refused_and_without_a_turn_it_begins_one(start):
    product, session, _ = running(start, GATED)
    content = [{"type": "text", "text": "again"}]
    params = {"sessionId": session, "content": content}
    assert product.failure("plimsoll/session/prompt", params)["data"]["kind"] == "busy"
    product.call("plimsoll/session/cancel", {"sessionId": session})
    begun = send(product, session, "now", when="after")
    assert "queuedId" not in begun
    assert product.update("turnEnded", begun["turnId"])["stopReason"] == "endTurn"


def test_what_cannot_be_attached_is_refused_before_it_waits(start):
    product, session, _ = running(start, GATED)
    content = [{"type": "file", "uri": (product.workspace / "gone.txt").as_uri()}]
    params = {"sessionId": session, "content": content, "when": "after"}
    assert product.failure("plimsoll/session/prompt", params)["data"]["kind"] == "invalid"
    assert queue_changes(product, session) == []


def test_nothing_of_what_waits_is_stored(start, tmp_path):
    product, session, _ = running(start, GATED)
    send(product, session, "From now on never push.", when="steer")
    stored = b"".join(p.read_bytes() for p in (tmp_path / "data").rglob("*") if p.is_file())
    assert b"never push" not in stored
