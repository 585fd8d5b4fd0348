"""A stored session that cannot be opened: a person goes on in a new one, and the old one stays."""

import json
import sqlite3

import pytest

from product.harness import UPDATE, texts

HELLO = {"rules": [{"when": "hello", "steps": [{"text": ["Hello."]}]}], "mode": "echo"}
BODIES = {
    "no JSON": "{",
    "of a later version": '{"type":"dreamt","id":"x1","at":"2026-01-01T00:00:00.000Z"}',
    "a field of the wrong shape": '{"type":"noted","id":"x1","at":"a","what":"usage","data":[]}',
}


def damaged(product, body: str) -> None:
    """Put a text in the place of the last entry of every session."""
    [path] = (product.home / "data").rglob("plimsoll.db")
    with sqlite3.connect(path) as db:
        db.execute(
            "UPDATE entries SET body = ? WHERE (session, place) IN"
            " (SELECT session, max(place) FROM entries GROUP BY session)",
            (body,),
        )
    db.close()


@pytest.fixture(params=BODIES.values(), ids=BODIES)
def left(start, request):
    """A session that was left, and what stands in its last row now."""
    product = start(HELLO)
    product.open()
    session = product.new_session()
    product.turn(session, "hello")
    product.call("shutdown")
    product.notify("exit")
    assert product.wait_closed() == 0
    damaged(product, request.param)
    return session, request.param


def test_resuming_opens_a_new_session_and_says_why(start, left):
    old, _ = left
    product = start(HELLO)
    answer = product.open(resume="latest")
    assert answer["capabilities"]["experimental"]["plimsoll"]["session"]["id"] == old
    loaded = product.call("plimsoll/session/load", {"workspaceFolder": product.uri})
    new = loaded["session"]["id"]
    assert new != old
    notice = product.update("notice")
    assert old in notice["markdown"]
    assert "export" in notice["markdown"]
    numbers = [message["params"]["seq"] for message in product.notifications(UPDATE)]
    assert numbers == [loaded["seq"] + 1]
    assert product.turn(new, "hello")[-1]["stopReason"] == "endTurn"


def test_the_old_one_stays_can_be_exported_and_can_be_deleted(start, left):
    old, body = left
    product = start(HELLO)
    product.open(resume="latest")
    failure = product.failure(
        "plimsoll/session/load", {"workspaceFolder": product.uri, "sessionId": old}
    )
    assert (failure["code"], failure["data"]["kind"]) == (-32803, "sessionUnreadable")
    export = product.call("plimsoll/context/export", {"sessionId": old})["jsonl"]
    lines = export.splitlines()
    said = [json.loads(line) for line in lines[1:-1]]
    assert "hello" in [p["text"] for e in said if e["type"] == "said" for p in e["parts"]]
    assert lines[-1] == body
    params = {"workspaceFolder": product.uri, "jsonl": export}
    refused = product.failure("plimsoll/context/import", params)
    assert f"line {len(lines)}" in refused["message"]
    # What can be read of it can be taken in: the export is the person's to mend.
    mended = {"workspaceFolder": product.uri, "jsonl": "\n".join(lines[:-1])}
    again = product.call("plimsoll/context/import", mended)["session"]["id"]
    params = {"workspaceFolder": product.uri, "sessionId": again}
    assert "hello" in texts(product.call("plimsoll/session/load", params))
    product.call("plimsoll/session/delete", {"sessionId": old})
    found = product.call("plimsoll/session/list", {"workspaceFolder": product.uri})["sessions"]
    assert old not in [each["id"] for each in found]
