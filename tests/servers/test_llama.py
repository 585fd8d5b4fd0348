"""llama.cpp's own server with real weights: what Plimsoll does, not what so small a model says."""

from itertools import islice

import pytest

from product.harness import said
from servers.metering import LEARNING, LOW, entries, reading
from servers.products import DIALECTS, session_in
from servers.running import WINDOW, llama

pytestmark = pytest.mark.slow
PIN = "The ship is called Plimsoll."
TURNS = 5
LONG = "Tell me a long story about a ship, with every port that it saw."


def ended(updates: list[dict]) -> dict:
    (end,) = [update for update in updates if update["kind"] == "turnEnded"]
    return end


def well(updates: list[dict]) -> bool:
    return ended(updates)["stopReason"] in {"endTurn", "maxTokens"}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_answer_in_each_dialect(shared, dialect):
    updates = shared.turn(session_in(shared, dialect), "Say hello.")
    assert well(updates), ended(updates)
    assert said(updates).strip()
    (usage,) = [update for update in updates if update["kind"] == "usage"]
    assert 0 < usage["input"] < WINDOW
    assert 0 < usage["output"] <= 32


def test_a_template_that_drops_the_tools_is_noticed(shared):
    """The one in these weights names no tools, and llama.cpp says how much it has read."""
    session = shared.new_session()
    updates = shared.turn(session, "Which files are there?")
    assert well(updates), ended(updates)
    (told,) = [update["markdown"] for update in updates if update["kind"] == "notice"]
    assert "template probably leaves them out" in told
    assert "--jinja" in told
    updates = shared.turn(session, "And in the folders?")
    assert not [update for update in updates if update["kind"] == "notice"]
    measured = shared.call("plimsoll/context/meter", {"sessionId": session})["lastMeasured"]
    assert LOW <= measured["ourCount"] / measured["inputTokens"] < 1.3, measured


def test_a_cancel_while_it_streams_stops_the_server(small, start):
    product = start(small, PLIMSOLL_BUDGET__RESERVE_OUTPUT_TOKENS="1024")
    session = product.new_session()
    turn = product.prompt(session, LONG)
    product.update("textDelta", turn)
    small.wait_busy()
    product.call("plimsoll/session/cancel", {"sessionId": session})
    assert product.update("turnEnded", turn)["stopReason"] == "cancelled"
    small.wait_busy(False)
    assert well(product.turn(session, "Say hello."))


def test_a_cancel_while_it_reads_the_prompt_stops_the_server(small, shared):
    session = shared.new_session()
    turn = shared.prompt(session, " ".join(f"port {n}," for n in range(300)))
    small.wait_busy()
    shared.call("plimsoll/session/cancel", {"sessionId": session})
    assert shared.update("turnEnded", turn)["stopReason"] == "cancelled"
    small.wait_busy(False)
    assert not [update for update in shared.updates(session) if update["kind"] == "textDelta"]


def test_a_server_that_dies_in_mid_stream_and_comes_back(tmp_path, start):
    with llama(tmp_path) as server:
        product = start(server, PLIMSOLL_BUDGET__RESERVE_OUTPUT_TOKENS="1024")
        session = product.new_session()
        turn = product.prompt(session, LONG)
        product.update("textDelta", turn)
        server.kill()
        end = product.update("turnEnded", turn)
        assert end["stopReason"] == "error"
        assert end["error"]["kind"].startswith("provider")
        assert end["error"]["remedy"]
    with llama(tmp_path, port=server.port):
        assert well(product.turn(session, "Say hello."))


def test_three_clients_on_two_slots(tmp_path, start):
    with llama(tmp_path, "--parallel", "2", window=2 * WINDOW) as server:
        products = [start(server, home=str(number)) for number in range(3)]
        sessions = [product.new_session() for product in products]
        turns = [
            product.prompt(session, f"Count to {number + 3}.")
            for number, (product, session) in enumerate(zip(products, sessions, strict=True))
        ]
        ends = [p.update("turnEnded", turn) for p, turn in zip(products, turns, strict=True)]
    assert {end["stopReason"] for end in ends} <= {"endTurn", "maxTokens"}


@pytest.mark.parametrize(("key", "words"), [("", "no key"), ("sk-wrong-0123456789", "not accept")])
def test_no_key_and_a_wrong_one(small, start, key, words):
    product = start(small, OPENAI_API_KEY=key)
    error = ended(product.turn(product.new_session(), "Say hello."))["error"]
    assert error["kind"] == "providerAuth"
    assert words in error["message"]
    assert "OPENAI_API_KEY" in error["remedy"]
    assert not key or key not in str(error)


@pytest.mark.timeout(1_200)
def test_a_small_window_is_compacted_and_keeps_its_pins(small, start):
    """Of numbers and of prose in turns, each counted as the server does."""
    settings = {"MODEL__CONTEXT_WINDOW": "1280", "BUDGET__RESERVE_OUTPUT_TOKENS": "8"}
    product = start(small, **{f"PLIMSOLL_{name}": value for name, value in settings.items()})
    session = product.new_session()
    product.call("plimsoll/pin/add", {"sessionId": session, "text": PIN})
    said = islice(entries("numbers", "prose", characters=650), TURNS)
    found = [reading(product, session, text) for text in said]
    assert {one.stop for one in found} <= {"endTurn", "maxTokens"}
    assert all(one.ratio >= LOW for one in found[LEARNING:]), found
    stages = {stage for one in found for stage in one.stages}
    assert stages & {"digest", "compact"}, found
    asked = product.call("plimsoll/session/view", {"sessionId": session})
    assert PIN in str(asked["messages"])


def test_a_summary_that_is_of_no_use_is_not_taken(shared):
    session = shared.new_session()
    messages: list[dict] = []
    for text in islice(entries("prose", characters=1_600), 2):
        messages += [
            {"role": "user", "content": "And then?"},
            {"role": "assistant", "content": text},
        ]
    shared.call("plimsoll/session/append", {"sessionId": session, "messages": messages})
    compact = {"sessionId": session, "strategy": "model"}
    answered = shared.reply(shared.request("plimsoll/context/compact", compact))
    assert "summary could not be used" in str(answered), answered
