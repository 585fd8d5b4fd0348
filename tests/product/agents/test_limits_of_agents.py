"""Windows that overflow and limits that are reached, in a caller and in two agents at once."""

import pytest

from session.agents.scripts import agent, calls, read, rule, words

pytestmark = pytest.mark.slow

PERMISSION = "plimsoll/session/requestPermission"
DECLINE = {"outcome": "selected", "optionId": "rejectOnce"}
OVERFLOW = {"error": "overflow"}
BOTH = calls(agent("a", "CHILD-A"), agent("b", "CHILD-B"))


def loaded(product, session):
    named = {"workspaceFolder": product.uri, "sessionId": session}
    return product.call("plimsoll/session/load", named)


def results(product, session):
    parts = [part for each in loaded(product, session)["messages"] for part in each["parts"]]
    made = [part for part in parts if part["type"] == "toolCall"]
    found = [part["text"] for part in parts if part["type"] == "toolResult"]
    assert len(made) == len(found)
    return found


def costs(product, session):
    rows = product.call("plimsoll/session/cost", {"sessionId": session})["rows"]
    return {row["purpose"]: row["input"] for row in rows}


def assert_settled(product, session):
    """No agent runs, and its caller counts what each of them took."""
    asked = {"workspaceFolder": product.uri, "parentId": session}
    agents = product.call("plimsoll/session/list", asked)["sessions"]
    assert len(agents) == 2
    assert all(loaded(product, each["id"]).get("runningTurnId") is None for each in agents)
    taken = [costs(product, each["id"]).get("turn", 0) for each in agents]
    assert costs(product, session).get("subagent", 0) == sum(taken)


def begun(start, rules, **settings):
    product = start({"rules": rules}, **settings)
    (product.workspace / "a.txt").write_text("7\n")
    product.open()
    return product


def test_two_agents_whose_windows_overflow_at_once_fail_and_their_caller_goes_on(start):
    rules = [
        rule("^Go", BOTH, words("Done.")),
        rule("^CHILD-A", calls(read("a.txt")), OVERFLOW, OVERFLOW),
        rule("^CHILD-B", calls(read("a.txt")), OVERFLOW, OVERFLOW),
    ]
    product = begun(start, rules)
    session = product.new_session()
    assert product.turn(session, "Go")[-1]["stopReason"] == "endTurn"
    found = results(product, session)
    assert len(found) == 2
    assert all("The script says that the prompt is too long" in each for each in found)
    assert all("Read: a.txt" in each for each in found)
    assert_settled(product, session)


def test_a_caller_whose_window_overflows_when_results_have_come_keeps_them(start):
    """The first refusal is recovered from by a reduction; the second ends the turn alone."""
    rules = [
        rule("^Go", BOTH, OVERFLOW, words("Done.")),
        rule("^CHILD-A", words("It is 7.")),
        rule("^CHILD-B", words("It is 8.")),
        rule("^Again", words("Both are known.")),
    ]
    product = begun(start, rules)
    session = product.new_session()
    product.turn(session, "Go")
    # They stand in the order in which the agents were done.
    assert sorted(results(product, session)) == ["It is 7.", "It is 8."]
    assert_settled(product, session)
    assert product.turn(session, "Again")[-1]["stopReason"] == "endTurn"


def test_a_spend_limit_that_two_agents_reach_is_asked_about_once_and_ends_all(start):
    """Each agent may send one request; what the first of them took leaves no room for another."""
    dear = {**calls(read("a.txt")), "usage": {"input": 8_900, "output": 10}}
    rules = [
        rule("^Go", BOTH, words("Done.")),
        rule("^CHILD-A", dear, words("It is 7.")),
        rule("^CHILD-B", dear, words("It is 8.")),
    ]
    product = begun(start, rules, PLIMSOLL_TURN__SPEND_LIMIT_TOKENS="9000")
    asked = []
    product.responses[PERMISSION] = lambda params: asked.append(params) or DECLINE
    session = product.new_session()
    assert product.turn(session, "Go")[-1]["stopReason"] == "spendLimit"
    assert [each["sessionId"] for each in asked] == [session]
    # The other one says so too, or is ended with the turn of its caller.
    assert any("the spend limit is reached" in each for each in results(product, session))
    assert not any("It is" in each for each in results(product, session))
    assert_settled(product, session)
