"""What a server refuses, through the real product: told once, kept, and never a trap."""

import json
from pathlib import Path

import pytest

from plimsoll.providers.http.refusals import ITS_WORDS
from product.harness import said
from providers.fault_server import document, running, stream
from recordings.streams import chat, chat_chunk, chat_usage
from servers.products import UNRELATED, connected

pytestmark = pytest.mark.slow


def answer(text: str) -> bytes:
    return chat(chat_chunk({"content": text}), chat_chunk({}, "stop"), chat_usage(1_500, 8))


def refusal(words: str) -> dict[str, object]:
    return {"error": {"message": words, "type": "invalid_request_error"}}


def notices(updates: list[dict]) -> list[str]:
    return [update["markdown"] for update in updates if update["kind"] == "notice"]


def test_a_field_that_is_refused_is_told_once_and_kept(tmp_path: Path):
    words = "Unrecognized request argument supplied: stream_options"
    with running() as faults:
        faults.replies[:] = [document(400, refusal(words)), stream(answer("Yes."))]
        with connected(tmp_path, faults, window=32_000, **UNRELATED) as product:
            session = product.new_session()
            updates = product.turn(session, "Are you there?")
            assert said(updates) == "Yes."
            (told,) = notices(updates)
            assert told.endswith("does not take the field `stream_options`, so it is left out.")
            assert notices(product.turn(session, "And now?")) == []
        sent = ["stream_options" in json.loads(body) for body in faults.bodies]
        assert sent == [True, False, False]
        (kept,) = tmp_path.rglob("mends.json")
        assert json.loads(kept.read_text())[0]["what"] == "stream_options"


def test_what_nothing_mends_names_the_item_and_goes_on_without_it(tmp_path: Path):
    words = "messages[3]: this one I will not read"
    with running() as faults, connected(tmp_path, faults, window=32_000, **UNRELATED) as product:
        faults.replies[:] = [stream(answer("Yes.")), document(400, refusal(words))]
        session = product.new_session()
        assert said(product.turn(session, "Begin.")) == "Yes."
        ended = product.turn(session, "Then say it.")[-1]
        error = ended["error"]
        assert (ended["stopReason"], error["kind"]) == ("error", "providerAnswer")
        assert "this one I will not read" in error["message"]
        assert error["remedy"] == (ITS_WORDS)
        taken = {"sessionId": session, "itemIds": [error["item"]]}
        product.call("plimsoll/context/evict", taken)
        faults.replies[:] = [stream(answer("Good."))]
        assert said(product.turn(session, "Go on.")) == "Good."
        assert "Then say it." not in faults.bodies[-1].decode()
