"""Memories over the wire: kept, told to later sessions, hidden at once, reviewed and audited."""

import json

import pytest

RULE = "We deploy from the branch release, never from main."
PHRASES = {"PLIMSOLL_MEMORY__EXTRACTION": "phrases"}
CHANGED = "plimsoll/memory/didChange"


@pytest.fixture
def product(start):
    begun = start({"mode": "echo"}, **PHRASES)
    begun.open()
    return begun


def add(product, title="Deployments", content=RULE, **more):
    params = {"workspaceFolder": product.uri, "type": "project", "title": title, **more}
    return product.call("plimsoll/memory/add", {**params, "content": content})["memory"]


def listed(product, **filters):
    params = {"workspaceFolder": product.uri, **filters}
    found = product.call("plimsoll/memory/list", params)["memories"]
    return [each for each in found if not each.get("digest")]


def audit(product, **which):
    params = {"workspaceFolder": product.uri, **which}
    return product.call("plimsoll/memory/audit", params)["events"]


def told(product, session):
    """The frame of the memories, where the next request has one."""
    view = product.call("plimsoll/session/view", {"sessionId": session})["messages"]
    found = [message for message in view if message["itemIds"] == ["frame.memories"]]
    assert len(found) <= 1
    return found[0] if found else None


def test_what_is_remembered_is_told_to_a_later_session_and_counted(product):
    add(product)
    (kept,) = listed(product)
    assert (kept["state"], kept["author"], kept["trust"]) == ("active", "user", "user")
    session = product.new_session()
    assert told(product, session) is None
    product.turn(session, "How do we deploy?")
    frame = told(product, session)
    assert frame["role"] == "user"
    assert f"> {RULE}" in frame["content"]
    report = product.call("plimsoll/context/report", {"sessionId": session, "detail": "detail"})
    parts = {part["kind"]: part["tokens"] for part in report["meter"]["parts"]}
    (item,) = [item for item in report["items"] if item["id"] == "frame.memories"]
    assert 0 < parts["memories"] == item["tokens"]
    assert sum(parts.values()) == report["meter"]["used"]
    assert listed(product)[0]["timesUsed"] == 1


def test_forget_hides_at_once_and_restore_brings_it_back_for_a_new_session(product):
    kept = add(product)
    session = product.new_session()
    product.turn(session, "How do we deploy?")
    assert RULE in told(product, session)["content"]
    product.call("plimsoll/memory/forget", {"memoryId": kept["id"]})
    view = product.call("plimsoll/session/view", {"sessionId": session})
    assert RULE not in json.dumps(view["messages"])
    assert listed(product) == []
    back = product.call("plimsoll/memory/restore", {"memoryId": kept["id"]})["memory"]
    assert back["state"] == "active"
    later = product.new_session()
    product.turn(later, "How do we deploy?")
    assert RULE in told(product, later)["content"]
