"""A server of our own, which answers byte for byte what no other does when it is asked to."""

import json
from collections.abc import Iterator

import pytest

from product.harness import Product, said
from providers.fault_server import FaultServer, Reply, framed, head, running, stream
from recordings.streams import (
    chat,
    chat_chunk,
    chat_usage,
    messages,
    response_end,
    response_item,
    response_usage,
)
from servers.products import UNRELATED, connected, session_in

pytestmark = pytest.mark.slow
PATH = '{"path": "note.txt"}'
CALL = {"type": "function_call", "id": "fc_1", "call_id": "call_note", "name": "file_read"}
ANSWER = "It holds forty-two."
MESSAGE = {
    "type": "message",
    "id": "msg_1",
    "role": "assistant",
    "content": [{"type": "output_text", "text": ANSWER, "annotations": []}],
}


@pytest.fixture(scope="module")
def faults() -> Iterator[FaultServer]:
    with running() as server:
        yield server


@pytest.fixture(scope="module")
def product(faults: FaultServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    home = tmp_path_factory.mktemp("home")
    with connected(home, faults, window=32_000, **UNRELATED) as own:
        (own.workspace / "note.txt").write_text("forty-two\n")
        yield own


def notices(updates: list[dict]) -> list[str]:
    return [update["markdown"] for update in updates if update["kind"] == "notice"]


def test_a_tool_is_called_in_the_dialect_of_responses(faults: FaultServer, product: Product):
    pieces = ({"type": "response.function_call_arguments.delta", "delta": each} for each in PATH)
    asks = messages(
        *response_item(0, {**CALL, "arguments": PATH}, *pieces),
        response_end("completed", usage=response_usage(1_500, 0, 12)),
    )
    says = messages(
        *response_item(0, MESSAGE), response_end("completed", usage=response_usage(1_540, 0, 5))
    )
    faults.replies[:] = [stream(asks), stream(says)]
    updates = product.turn(session_in(product, "openai-responses"), "Read the note.")
    (status, *_) = [u["status"] for u in reversed(updates) if u["kind"] == "toolUpdate"]
    assert (status, said(updates), updates[-1]["stopReason"]) == ("completed", ANSWER, "endTurn")
    assert faults.heads[-1].startswith("POST /v1/responses ")
    *_, call, result = json.loads(faults.bodies[-1])["input"]
    own = {"type": "function_call", "call_id": "call_note", "name": "file_read"}
    assert call == {**own, "arguments": '{"path":"note.txt"}'}
    assert (result["type"], result["call_id"]) == ("function_call_output", "call_note")
    assert "forty-two" in result["output"]


def test_a_phrase_for_ever_ends_the_turn_and_the_request(faults: FaultServer, product: Product):
    opening = head(content_type="text/event-stream", transfer_encoding="chunked")
    again = framed(chat(chat_chunk({"content": "the same again\n" * 20}), done=False))
    faults.replies[:] = [Reply([opening], drip=again, every=0), stream(_chat(ANSWER))]
    session = product.new_session()
    updates = product.turn(session, "What stands there?")
    assert updates[-1]["stopReason"] == "loop"
    assert "without an end" in notices(updates)[-1]
    assert faults.gone.wait(product.timeout)
    assert said(product.turn(session, "And now?")) == ANSWER


def test_reasoning_alone_says_what_to_set(faults: FaultServer, product: Product):
    thought = chat_chunk({"reasoning_content": "Let me see. "})
    events = [thought, thought, chat_chunk({}, "length"), chat_usage(1_500, 8)]
    faults.replies[:] = [stream(chat(*events))]
    updates = product.turn(product.new_session(), "What stands there?")
    assert updates[-1]["stopReason"] == "maxTokens"
    assert [u["text"] for u in updates if u["kind"] == "reasoningDelta"]
    assert said(updates) == ""
    assert "only reasoned" in notices(updates)[-1]
    assert "`budget.reserve_output_tokens`" in notices(updates)[-1]


def _chat(text: str) -> bytes:
    return chat(chat_chunk({"content": text}), chat_chunk({}, "stop"), chat_usage(1_500, 8))
