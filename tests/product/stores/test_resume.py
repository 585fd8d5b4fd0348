"""A resumed session is the session that was left: its order, its titles, the latest one."""

import pytest

from product.harness import READ

SCRIPT = {
    "rules": [
        {
            "when": "read",
            "steps": [
                {"text": ["Looking."], "calls": [READ, {**READ, "arguments": {"path": "no.txt"}}]},
                {"text": ["Read it."]},
            ],
        }
    ],
    "mode": "echo",
}


def load(product, **more):
    return product.call("plimsoll/session/load", {"workspaceFolder": product.uri, **more})


@pytest.fixture
def left(start):
    """A conversation, what its client was told live, and what a new process finds."""
    product = start(SCRIPT)
    (product.workspace / "big.txt").write_text("alpha\nbeta\n")
    product.open()
    session = product.new_session()
    for text in ("read the file", "say more", "read it again"):
        product.turn(session, text)
    live = [u["message"] for u in product.updates(session) if u["kind"] == "message"]
    loaded = load(product, sessionId=session)
    product.call("shutdown")
    product.notify("exit")
    assert product.wait_closed() == 0
    later = start(SCRIPT)
    later.open()
    return session, live, loaded, later


def test_resumed_order_equals_live_order(left):
    session, live, loaded, later = left
    resumed = load(later, sessionId=session)
    assert [m["id"] for m in resumed["messages"]] == [m["id"] for m in live]
    assert [m["turnId"] for m in resumed["messages"]] == [m["turnId"] for m in live]
    assert resumed["messages"] == loaded["messages"]
    for name in ("id", "title", "mode", "model", "createdAt", "turns", "preview"):
        assert resumed["session"][name] == loaded["session"][name]


def test_the_latest_is_loaded_without_an_id_and_any_by_its_own(left):
    session, _, _, later = left
    assert load(later)["session"]["id"] == session
    other = later.new_session()
    later.turn(other, "hello")
    assert load(later)["session"]["id"] == other
    assert load(later, sessionId=session)["session"]["id"] == session
    listed = later.call("plimsoll/session/list", {"workspaceFolder": later.uri})["sessions"]
    assert [each["id"] for each in listed] == [other, session]
    assert [each["turns"] for each in listed] == [1, 3]
    assert listed[1]["preview"] == "read it again"
