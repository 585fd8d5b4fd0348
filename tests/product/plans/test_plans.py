"""A plan over the wire: shown whole, accepted, edited, sent back; and it acts for nobody."""

from typing import Any

import pytest

from plimsoll.tools.conversation.plan import LONGEST, plan_text
from plimsoll.tools.display import whole_line
from recordings.attacks import CASES, SOURCES

PERMISSION = "plimsoll/session/requestPermission"
TEXT = "Plan:\n1. Read the lock\n2. Mend it\n\nChecks:\n- pytest"
GIVEN = {"steps": ["Read the lock", "Mend it"], "checks": ["pytest"]}
PLANS = {"sessionUpdates": True, "permission": True, "plans": True}


def proposing(given: object) -> dict[str, Any]:
    step = {"calls": [{"name": "plan", "arguments": given}]}
    return {"steps": [step, {"text": "Well."}], "mode": "echo"}


def planning(product, capabilities=PLANS) -> str:
    product.open(capabilities=capabilities)
    params = {"workspaceFolder": product.uri, "mode": "plan"}
    return product.call("plimsoll/session/new", params)["session"]["id"]


def pins(product, session: str) -> list[str]:
    return [
        pin["text"] for pin in product.call("plimsoll/pin/list", {"sessionId": session})["pins"]
    ]


def mode_of(product) -> str:
    sessions = product.call("plimsoll/session/list", {"workspaceFolder": product.uri})["sessions"]
    return sessions[0]["mode"]


@pytest.mark.parametrize(
    ("more", "kept"),
    [
        ({}, TEXT),
        ({"editedPlan": "Plan:\n1. Oil the lock"}, "Plan:\n1. Oil the lock"),
    ],
)
def test_what_is_accepted_is_what_is_pinned(start, more, kept):
    product = start(proposing(GIVEN))
    session = planning(product)
    product.prompt(session, "plan it")
    question = product.server_request(PERMISSION)
    assert question["params"]["toolCall"]["detail"] == {"plan": TEXT}
    options = [(each["optionId"], each["name"]) for each in question["params"]["options"]]
    assert options == [("allowOnce", "Accept the plan"), ("rejectOnce", "Send it back")]
    product.answer(question, {"outcome": "selected", "optionId": "allowOnce", **more})
    product.update("turnEnded")
    assert (pins(product, session), mode_of(product)) == ([kept], "edit")
    told = [each["tasks"] for each in product.updates(session) if each["kind"] == "tasks"]
    steps = ["Oil the lock"] if more else ["Read the lock", "Mend it"]
    assert told == [[{"title": step, "status": "pending"} for step in steps]]


def test_a_client_that_cannot_edit_plans_accepts_them_as_they_are(start):
    product = start(proposing(GIVEN))
    session = planning(product, {"sessionUpdates": True, "permission": True})
    product.prompt(session, "plan it")
    answer = {"outcome": "selected", "optionId": "allowOnce", "editedPlan": "Plan:\n1. Other"}
    product.answer(product.server_request(PERMISSION), answer)
    product.update("turnEnded")
    assert pins(product, session) == [TEXT]


def test_any_client_is_shown_the_whole_plan_as_a_question(start):
    product = start(proposing(GIVEN))
    session = planning(product, {"sessionUpdates": True})
    product.prompt(session, "plan it")
    question = product.server_request("window/showMessageRequest")
    assert TEXT in question["params"]["message"]
    assert [each["title"] for each in question["params"]["actions"]] == [
        "Accept the plan",
        "Send it back",
    ]
    product.answer(question, {"title": "Accept the plan"})
    product.update("turnEnded")
    assert (pins(product, session), mode_of(product)) == ([TEXT], "edit")


def test_the_reason_for_which_it_is_sent_back_is_read_by_the_model(start):
    product = start(proposing(GIVEN))
    session = planning(product)
    product.prompt(session, "plan it")
    answer = {"outcome": "selected", "optionId": "rejectOnce", "reason": "Test it first."}
    product.answer(product.server_request(PERMISSION), answer)
    product.update("turnEnded")
    request = product.call("plimsoll/session/view", {"sessionId": session})["messages"]
    results = [each["content"] for each in request if each["role"] == "tool"]
    assert results == ["The user declined this call. Reason: Test it first."]
    assert (pins(product, session), mode_of(product)) == ([], "plan")


def test_an_emptied_plan_is_refused(start):
    product = start(proposing(GIVEN))
    session = planning(product)
    product.prompt(session, "plan it")
    answer = {"outcome": "selected", "optionId": "allowOnce", "editedPlan": "Plan:\n"}
    product.answer(product.server_request(PERMISSION), answer)
    product.update("turnEnded")
    assert (pins(product, session), mode_of(product)) == ([], "plan")


@pytest.mark.parametrize("source", CASES)
def test_a_plan_that_carries_orders_has_no_effect_without_a_person(start, source):
    """An obedient model proposes whatever it reads; what is accepted is what was shown."""
    texts = [text for text in SOURCES[source]() if 0 < len(text.strip()) <= 400][:20]
    steps = [
        {"calls": [{"name": "plan", "arguments": {"steps": [text], "checks": [text]}}]}
        for text in texts
    ]
    product = start({"steps": [*steps, {"text": "Well."}]})
    session = planning(product)
    turn = product.prompt(session, "plan it")
    answered: set[object] = set()

    def asked() -> dict[str, Any]:
        question = product.wait_for(
            lambda m: m.get("method") == PERMISSION and m["id"] not in answered
        )
        answered.add(question["id"])
        return question

    for text in texts[:-1]:
        question = asked()
        line = whole_line(text.strip())
        shown = question["params"]["toolCall"]["detail"]["plan"]
        assert shown == plan_text([line], [], [line])
        assert len(shown) <= LONGEST
        product.answer(question, {"outcome": "selected", "optionId": "rejectOnce"})
    question = asked()
    assert (pins(product, session), mode_of(product)) == ([], "plan")
    shown = question["params"]["toolCall"]["detail"]["plan"]
    product.answer(question, {"outcome": "selected", "optionId": "allowOnce"})
    product.update("turnEnded", turn)
    assert pins(product, session) == [shown]
    rejected = [u for u in product.updates(session) if u.get("status") == "rejected"]
    assert len(rejected) == len(texts) - 1
