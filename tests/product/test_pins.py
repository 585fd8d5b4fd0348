"""Pins over the wire: of a session and of the folder, through everything that can happen."""

import json

import pytest

from product.harness import READ, said

SCRIPT = {"steps": [{"calls": [READ]}, {"text": ["It is long."]}], "mode": "echo"}
RULE = "Tabs, not spaces."


@pytest.fixture
def held(start):
    product = start(SCRIPT, PLIMSOLL_MODEL__CONTEXT_WINDOW="32000")
    (product.workspace / "big.txt").write_text("".join(f"row {n} value\n" for n in range(400)))
    product.open()
    session = product.new_session()
    product.turn(session, "Read big.txt.")
    return product, session


def pin(product, text, **where):
    return product.call("plimsoll/pin/add", {"text": text, **where})["pin"]


def pins(product, **where):
    return product.call("plimsoll/pin/list", where)["pins"]


def texts_of(product, **where):
    return [each["text"] for each in pins(product, **where)]


def count(product, session, text=RULE):
    view = product.call("plimsoll/session/view", {"sessionId": session})
    return json.dumps(view["messages"]).count(text)


def again(product, start):
    """The same folder after a restart."""
    product.call("shutdown")
    product.notify("exit")
    assert product.wait_closed() == 0
    later = start({"mode": "echo"}, PLIMSOLL_MODEL__CONTEXT_WINDOW="32000")
    later.open()
    return later


def test_a_pin_of_the_folder_stands_in_every_session_at_once(held):
    product, session = held
    other = product.new_session()
    kept = pin(product, RULE, workspaceFolder=product.uri)
    assert (kept["number"], kept["scope"]) == (1, "workspace")
    assert kept["tokens"] > 0
    later = product.new_session()
    assert [count(product, each) for each in (session, other, later)] == [1, 1, 1]
    assert pins(product, workspaceFolder=product.uri) == [kept]
    assert {each["id"] for s in (session, other, later) for each in pins(product, sessionId=s)} == {
        kept["id"]
    }
    folder = {"workspaceFolder": product.uri, "number": 1}
    product.call("plimsoll/pin/remove", folder)
    assert [count(product, each) for each in (session, other, later)] == [0, 0, 0]
    assert product.failure("plimsoll/pin/remove", folder)["data"]["kind"] == "pinNotFound"
    assert pin(product, "Other.", workspaceFolder=product.uri)["number"] == 2


def test_numbers_are_the_sessions_own_and_never_given_twice(held):
    product, session = held
    pin(product, "Mine.", sessionId=session)
    kept = pin(product, RULE, workspaceFolder=product.uri)
    assert kept["number"] == 1
    rows = [(each["number"], each["scope"]) for each in pins(product, sessionId=session)]
    assert rows == [(1, "session"), (2, "workspace")]
    product.call("plimsoll/pin/remove", {"sessionId": session, "number": 2})
    assert pins(product, workspaceFolder=product.uri) == []
    assert pin(product, "More.", sessionId=session)["number"] == 3


def test_an_item_can_be_pinned_for_the_folder(held):
    product, session = held
    loaded = product.call("plimsoll/session/load", {"workspaceFolder": product.uri})
    item = loaded["messages"][0]["parts"][0]["itemId"]
    params = {"sessionId": session, "itemId": item, "scope": "workspace"}
    kept = product.call("plimsoll/pin/add", params)["pin"]
    assert (kept["text"], kept["scope"]) == ("Read big.txt.", "workspace")
    failure = product.failure("plimsoll/pin/add", {"workspaceFolder": product.uri, "itemId": item})
    assert "session" in failure["message"]


def test_a_pin_is_found_by_its_id_alone(held):
    product, session = held
    mine = pin(product, "Mine.", sessionId=session)
    ours = pin(product, RULE, workspaceFolder=product.uri)
    for each in (mine, ours):
        product.call("plimsoll/pin/remove", {"pinId": each["id"]})
    assert pins(product, sessionId=session) == []
    assert product.failure("plimsoll/pin/remove", {"pinId": ours["id"]})["data"]["kind"] == (
        "pinNotFound"
    )


def test_pins_survive_compactions_a_model_switch_a_rewind_and_a_restart(held, start):
    product, session = held
    pin(product, RULE, workspaceFolder=product.uri)
    pin(product, "Mine too.", sessionId=session)

    def stands(where, name):
        return [count(where, name, text) for text in (RULE, "Mine too.")] == [1, 1]

    assert stands(product, session)
    product.call("plimsoll/context/compact", {"sessionId": session})
    assert stands(product, session)
    product.turn(session, "More " + "words " * 2000)
    product.turn(session, "And more.")
    product.call("plimsoll/context/compact", {"sessionId": session})
    assert stands(product, session)
    model = product.call("plimsoll/status", {})["model"]
    for each in ("embedded/search", model):
        product.call("plimsoll/session/setModel", {"sessionId": session, "model": each})
        assert stands(product, session)
    first = product.call("plimsoll/session/load", {"workspaceFolder": product.uri})["messages"][0]
    rewound = {"sessionId": session, "messageId": first["id"]}
    edit = product.call("plimsoll/session/rewind", rewound)["editId"]
    assert stands(product, session)
    product.call("plimsoll/context/undo", {"sessionId": session, "editId": edit})
    assert stands(product, session)
    later = again(product, start)
    later.call("plimsoll/session/load", {"workspaceFolder": later.uri, "sessionId": session})
    assert stands(later, session)


def test_a_fork_has_each_pin_once_and_those_that_came_later(held):
    product, session = held
    first = product.call("plimsoll/session/load", {"workspaceFolder": product.uri})["messages"][0]
    gone = pin(product, "Gone.", sessionId=session)
    product.call("plimsoll/pin/remove", {"pinId": gone["id"]})
    pin(product, RULE, workspaceFolder=product.uri)
    pin(product, "Mine.", sessionId=session)
    for more in ({}, {"messageId": first["id"]}):
        copy = product.call("plimsoll/session/fork", {"sessionId": session, **more})["session"]
        assert texts_of(product, sessionId=copy["id"]) == [RULE, "Mine."]
        assert [count(product, copy["id"], t) for t in (RULE, "Mine.", "Gone.")] == [1, 1, 0]


def test_an_import_keeps_its_pins_and_its_view(held, start, tmp_path):
    product, session = held
    pin(product, RULE, workspaceFolder=product.uri)
    view = product.call("plimsoll/session/view", {"sessionId": session})
    jsonl = product.call("plimsoll/context/export", {"sessionId": session})["jsonl"]
    elsewhere = start({"mode": "echo"}, tmp_path / "b", PLIMSOLL_MODEL__CONTEXT_WINDOW="32000")
    elsewhere.open()
    pin(elsewhere, "Other house, other rule.", workspaceFolder=elsewhere.uri)
    params = {"workspaceFolder": elsewhere.uri, "jsonl": jsonl}
    copy = elsewhere.call("plimsoll/context/import", params)["session"]["id"]
    imported = elsewhere.call("plimsoll/session/view", {"sessionId": copy})
    (ours, *said), (_, *exported) = imported["messages"], view["messages"]
    assert (ours["role"], said) == ("system", exported)
    elsewhere.turn(copy, "go on")
    rows = [(each["text"], each["scope"]) for each in pins(elsewhere, sessionId=copy)]
    assert rows == [(RULE, "session"), ("Other house, other rule.", "workspace")]


def test_another_server_takes_a_pin_in_with_its_next_turn(held, start):
    product, session = held
    second = start({"mode": "echo"}, PLIMSOLL_MODEL__CONTEXT_WINDOW="32000")
    second.open()
    second.call("plimsoll/session/load", {"workspaceFolder": second.uri, "sessionId": session})
    pin(product, RULE, workspaceFolder=product.uri)
    other = second.new_session()
    assert count(second, other) == 1
    second.turn(session, "go on")
    assert count(second, session) == 1
    product.call("plimsoll/pin/remove", {"workspaceFolder": product.uri, "number": 1})
    second.turn(other, "go on")
    assert count(second, other) == 0


def test_pins_of_the_folder_have_the_same_budget(held):
    product, session = held
    failure = product.failure(
        "plimsoll/pin/add", {"workspaceFolder": product.uri, "text": "word " * 20_000}
    )
    assert failure["data"]["needsTokens"] > 0
    pin(product, "word " * 3_000, sessionId=session)
    failure = product.failure(
        "plimsoll/pin/add", {"workspaceFolder": product.uri, "text": "word " * 1_500}
    )
    assert 0 < failure["data"]["needsTokens"] < 1_500
    assert pins(product, workspaceFolder=product.uri) == []


def test_people_pin_for_the_folder_with_an_option(held):
    product, session = held
    told = product.turn(session, f"/pin --workspace {RULE}")[1]
    assert "every session" in told["markdown"]
    assert told["data"]["pin"]["scope"] == "workspace"
    assert told["data"]["pin"] == pins(product, sessionId=session)[0]
    assert "every session" in product.turn(session, "/pins")[1]["markdown"]
    assert texts_of(product, workspaceFolder=product.uri) == [RULE]
    assert "--workspace" in product.turn(session, "/help")[1]["markdown"]
    assert "every session" in product.turn(session, "/unpin 1")[1]["markdown"]
    assert pins(product, workspaceFolder=product.uri) == []
    empty = product.turn(session, "/pin --workspace")[1]
    assert empty["level"] == "error"


def test_commands_with_a_folder_alone_mean_the_folder(held):
    product, session = held

    def command(verb, **argument):
        params = {"command": f"plimsoll.server.{verb}", "arguments": [argument]}
        return product.call("workspace/executeCommand", params)

    folder = {"workspaceFolder": product.uri}
    assert command("pin", text=RULE, **folder)["result"]["pin"]["scope"] == "workspace"
    assert RULE in command("pins", **folder)["message"]
    assert count(product, session) == 1
    command("unpin", number=1, **folder)
    assert count(product, session) == 0


def test_a_pin_made_during_a_turn_is_in_its_next_request(start, tmp_path):
    steps = [{"text": ["wait ", {"gate": "open"}], "calls": [READ]}, {"text": ["Done."]}]
    product = start({"steps": steps})
    (product.workspace / "big.txt").write_text("row\n")
    product.open()
    session = product.new_session()
    turn = product.prompt(session, "go")
    product.update("textDelta", turn)
    pin(product, RULE, workspaceFolder=product.uri)
    assert count(product, session) == 1
    (product.home / "open").write_text("")
    product.update("turnEnded", turn)
    assert said(product.updates(session)) == "wait Done."
    assert count(product, session) == 1


def test_a_pin_for_the_team_says_so_in_the_folder_and_in_a_session(held):
    product, session = held
    kept = pin(product, RULE, sessionId=session, scope="team")

    assert kept["scope"] == "team"
    assert pins(product, workspaceFolder=product.uri) == [kept]
    assert [each["scope"] for each in pins(product, sessionId=session)] == ["team"]
    assert count(product, session) == 1
