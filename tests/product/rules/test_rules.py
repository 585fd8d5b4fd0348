"""`/rules` over the wire: what holds, what was ended by what, and one that is taken back."""

import json

import pytest

OLD, NEW = "Use snake_case for class names.", "From now on use CamelCase for class names."
OTHER = "Always start test names with 'check_'."
ENVIRONMENT = {"PLIMSOLL_MODEL__CONTEXT_WINDOW": "32000"}

pytestmark = pytest.mark.slow


@pytest.fixture
def held(start):
    product = start({"mode": "echo"}, **ENVIRONMENT)
    product.open()
    session = product.new_session()
    for text in (OLD, OTHER, NEW, *["Go on. " + "word " * 2_000] * 4):
        product.turn(session, text)
    return product, session


def rules(product, session):
    found = product.call("plimsoll/context/rules", {"sessionId": session})["rules"]
    return [(each["number"], each["text"], each.get("endedBy")) for each in found]


def view(product, session):
    return json.dumps(product.call("plimsoll/session/view", {"sessionId": session})["messages"])


def items_of(product, session, text):
    """The items of the person's messages in view that say this and nothing else."""
    messages = product.call("plimsoll/session/view", {"sessionId": session})["messages"]
    said = (each for each in messages if each["role"] == "user")
    return [each["itemIds"][0] for each in said if each["content"] == text]


def command(product, name, **given):
    params = {"command": f"plimsoll.server.{name}", "arguments": [given]}
    return product.call("workspace/executeCommand", params)


def compact(product, session):
    params = {"sessionId": session, "strategy": "digest"}
    return product.call("plimsoll/context/compact", params)["receipt"]


def test_what_ended_is_on_the_receipt_and_listed_and_comes_back(held, start):
    product, session = held
    listed = [(2, OTHER, None), (3, NEW, None), (1, OLD, NEW)]
    assert rules(product, session) == listed
    receipt = compact(product, session)
    assert receipt["lost"]["ended"] == [{"constraint": OLD, "endedBy": NEW}]
    assert receipt["lost"]["constraints"] == []
    said = command(product, "rules", sessionId=session)["message"]
    assert f"- 1: ~~{OLD}~~ (by: {NEW})" in said

    answer = command(product, "send", sessionId=session, text="/rules restore 1")["message"]
    assert answer == f"Rule 1 holds again, beside what ended it: {OLD}"
    holds = [(1, OLD, None), (2, OTHER, None), (3, NEW, None)]
    assert rules(product, session) == holds

    forked = product.call("plimsoll/session/fork", {"sessionId": session})["session"]["id"]
    assert rules(product, forked) == holds
    product.call("plimsoll/context/undo", {"sessionId": session, "editId": receipt["id"]})
    assert rules(product, session) == holds
    compact(product, session)
    assert OLD in view(product, session)

    product.call("shutdown")
    product.notify("exit")
    assert product.wait_closed() == 0
    later = start({"mode": "echo"}, **ENVIRONMENT)
    later.open()
    later.call("plimsoll/session/load", {"sessionId": session, "workspaceFolder": later.uri})
    assert rules(later, session) == holds
    later.turn(session, "Use kebab-case for class names.")
    ended = [
        (1, OLD, "Use kebab-case for class names."),
        (3, NEW, "Use kebab-case for class names."),
    ]
    assert rules(later, session)[-2:] == ended


def test_a_rule_whose_message_is_out_of_view_comes_back_with_it(held):
    product, session = held
    items = items_of(product, session, OLD)
    product.call("plimsoll/context/evict", {"sessionId": session, "itemIds": items})
    assert items_of(product, session, OLD) == []
    product.call("plimsoll/context/restoreRule", {"sessionId": session, "number": 1})
    assert items_of(product, session, OLD) == items
    assert rules(product, session)[0] == (1, OLD, None)


def test_what_holds_or_is_not_there_cannot_be_restored(held):
    product, session = held
    error = product.failure("plimsoll/context/restoreRule", {"sessionId": session, "number": 2})
    assert error["message"].startswith("No rule of number 2 was ended.")
    said = command(product, "restoreRule", sessionId=session, number=1)
    assert said["result"]["rule"]["text"] == OLD
    assert product.failure("plimsoll/context/restoreRule", {"sessionId": session, "number": 1})
