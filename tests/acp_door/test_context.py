"""What is reduced, and what it costs, over ACP: as updates, as messages, by methods of our own."""

from collections.abc import Callable
from typing import Any

import pytest

from acp_door.client import AcpClient, text_of

pytestmark = pytest.mark.slow
Start = Callable[..., AcpClient]
LONG = "word " * 1_500
TALK = {"mode": "echo"}


def talked(client: AcpClient, **capabilities: Any) -> str:
    client.open(**capabilities)
    session = client.new_session()
    for number in range(6):
        assert client.prompt(session, f"{number} {LONG}") == "end_turn"
    return session


def compacted(client: AcpClient, session: str) -> list[dict[str, Any]]:
    client.forget()
    assert client.prompt(session, "/compact anyway") == "end_turn"
    return client.updates(session)


def test_a_compaction_is_told_to_a_client_that_knows_it_and_can_be_undone(start: Start):
    client = start(TALK)
    session = talked(client, session={"compaction": {}})
    updates = compacted(client, session)
    (told,) = (each for each in updates if each["sessionUpdate"] == "compaction_update")
    assert (told["status"], bool(told["summary"])) == ("completed", True)
    asked = {"sessionId": session}
    report = client.call("_plimsoll/context/report", {**asked, "detail": "list"})
    assert told["compactionId"] in {each["id"] for each in report["receipts"]}
    assert report["meter"]["used"] == client.updates(session, "usage_update")[-1]["used"]
    undone = client.call("_plimsoll/context/undo", {**asked, "editId": told["compactionId"]})
    assert undone["receipt"]["undone"] is True
    assert client.wait_update("compaction_update", status="cancelled")
    assert client.call("_plimsoll/session/cost", asked)["total"]["input"] > 0


def test_others_are_told_of_it_in_a_message(start: Start):
    client = start(TALK)
    session = talked(client)
    updates = compacted(client, session)
    assert "compaction_update" not in {each["sessionUpdate"] for each in updates}
    assert "\u2296" in text_of(updates)


def test_the_servers_of_a_client_are_named_and_reject_nothing(start: Start):
    client = start(TALK)
    client.open()
    good = {"name": "files", "command": "true", "args": [], "env": []}
    session = client.new(mcpServers=[good, {"name": "bad"}])["sessionId"]
    client.wait_update("agent_message_chunk")
    said = text_of(client.updates(session))
    assert "bad" in said
    assert "files" in said
    assert client.prompt(session, "Hi") == "end_turn"
