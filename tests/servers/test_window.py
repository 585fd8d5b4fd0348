"""The window of llama.cpp: asked for where it is not set, and put right where it is set wrong."""

import pytest

from servers.running import WINDOW, llama

pytestmark = pytest.mark.slow
SMALL = 1_536


def meter(product, session: str) -> dict:
    return product.call("plimsoll/context/meter", {"sessionId": session})


def test_a_window_that_is_not_set_is_asked_for(small, start):
    product = start(small, PLIMSOLL_MODEL__CONTEXT_WINDOW="")
    session = product.new_session()
    assert product.turn(session, "Say hello.")[-1]["stopReason"] in {"endTurn", "maxTokens"}
    found = meter(product, session)
    assert (found["window"], found["windowSource"]) == (WINDOW, "server")


def test_a_window_that_is_set_too_large_is_put_right_by_the_first_prompt(tmp_path, start):
    # Small, since what fits into it is read on one thread.
    with llama(tmp_path, window=SMALL) as server:
        product = start(server, PLIMSOLL_MODEL__CONTEXT_WINDOW="32768")
        session = product.new_session()
        words = " ".join(f"berth {berth} holds {berth * 7} casks;" for berth in range(150))
        assert product.turn(session, words)[-1]["stopReason"] in {"endTurn", "maxTokens"}
        found = meter(product, session)
    assert (found["window"], found["windowSource"]) == (SMALL, "learned")
    told = [update["markdown"] for update in product.updates(session) if update["kind"] == "notice"]
    assert any("1,536 tokens as it is served, not 32,768" in words for words in told), told
