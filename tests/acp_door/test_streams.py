"""The streams of sessions: what waits for the client to know a session, what is merged and left."""

from pathlib import Path
from typing import Any

from plimsoll.acp.abilities import ClientAbilities
from plimsoll.acp.streams import UpdateStream, UpdateStreams
from plimsoll.context.log.traits import ToolTraits
from plimsoll.session.ports.events import (
    CallChanged,
    CallMade,
    CallShown,
    NoticeGiven,
    TextArrived,
    TurnEnded,
)
from plimsoll.storage.base import SessionRecord

RECORD = SessionRecord(
    id="s1",
    workspace="file:///work",
    title="",
    mode="edit",
    model="scripted/echo",
    created_at="2026-11-27T10:00:00Z",
    updated_at="2026-11-27T10:00:00Z",
)
CALL = CallShown(id="c1", item="m1.0", name="shell", arguments="{}", traits=ToolTraits())
DONE = CallChanged(turn="t1", call_id="c1", status="completed", output="out")


class Sent:
    """The streams, with what they sent."""

    def __init__(self) -> None:
        self.updates: list[tuple[str, dict[str, Any]]] = []
        self.streams = UpdateStreams(self._take, ClientAbilities)

    def _take(self, session_id: str, update: dict[str, Any]) -> None:
        self.updates.append((session_id, update))

    def open(self, session_id: str = "s1") -> None:
        stream = UpdateStream(root=Path("/work"), money=lambda: None, options=lambda _: {})
        self.streams.open(session_id, stream)

    def kinds(self) -> list[str]:
        return [update["sessionUpdate"] for _, update in self.updates]


async def test_what_is_said_before_the_client_knows_the_session_waits():
    sent = Sent()
    sent.streams.hear("s1", NoticeGiven("opened"))
    sent.streams.hear("other", NoticeGiven("not for this client"))
    sent.open()
    sent.streams.hear("s1", CallMade("t1", CALL))
    assert sent.updates == []
    sent.streams.tell("s1", RECORD)
    assert sent.kinds() == ["agent_message_chunk", "tool_call"]
    assert {name for name, _ in sent.updates} == {"s1"}


async def test_pieces_are_merged_and_stand_before_what_comes_after_them():
    sent = Sent()
    sent.open()
    sent.streams.tell("s1", RECORD)
    for piece in ("a", "b", "c"):
        sent.streams.hear("s1", TextArrived("t1", "m1", piece))
    assert sent.updates == []
    sent.streams.hear("s1", CallMade("t1", CALL))
    sent.streams.hear("s1", DONE)
    ended: list[str] = []
    sent.streams.on_end = lambda name, end: ended.append(f"{name} {end.turn}")
    sent.streams.hear("s1", TextArrived("t1", "m2", "d"))
    sent.streams.hear("s1", TurnEnded("t1", "endTurn"))
    texts = [u["content"]["text"] for _, u in sent.updates if "content" in u and "messageId" in u]
    assert texts == ["abc", "d"]
    kinds = ["agent_message_chunk", "tool_call", "tool_call_update", "agent_message_chunk"]
    assert (sent.kinds(), ended) == (kinds, ["s1 t1"])


async def test_nothing_is_sent_of_a_call_that_was_not_shown_nor_of_a_closed_session():
    sent = Sent()
    sent.open()
    sent.streams.tell("s1", RECORD)
    sent.streams.hear("s1", DONE)
    sent.streams.close("s1")
    sent.streams.hear("s1", CallMade("t1", CALL))
    sent.streams.send("s1", {"sessionUpdate": "plan", "entries": []})
    assert sent.updates == []
