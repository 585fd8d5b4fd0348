"""Sixty and ninety per cent of the window, through the real server with the real tools."""

import json

import pytest

from product.harness import READ

PARTS = {"rules": [{"when": "^Part", "steps": [{"text": ["Noted."]}]}]}
CALLING = {
    "rules": [
        {"when": "^Part 0", "steps": [{"text": ["Noted."]}]},
        {"when": "^Part", "steps": [{"calls": [READ]}, {"text": ["All that I know."]}]},
    ]
}


def part(number: int, tokens: int) -> str:
    sentence = "The quick brown fox jumps over the lazy dog near the old harbour wall. "
    return f"Part {number}. " + sentence * (tokens // 15)


def tools_in(product, session: str) -> list[dict]:
    return product.call("plimsoll/session/view", {"sessionId": session})["tools"]


def described(tools: list[dict]) -> bool:
    """Whether a parameter of a tool has a description."""
    given = [tool["parameters"]["properties"] for tool in tools]
    return any("description" in each for one in given for each in one.values())


@pytest.mark.parametrize("window", [12_000, 64_000])
def test_the_first_step_from_sixty_per_cent_on_strips_the_real_tools(start, window):
    product = start(PARTS, PLIMSOLL_MODEL__CONTEXT_WINDOW=str(window))
    product.open()
    session = product.new_session()
    receipts, number = [], 0
    while not receipts:
        assert described(tools_in(product, session)), "it never is a step of its own"
        product.turn(session, part(number, window // 6))
        report = product.call("plimsoll/context/report", {"sessionId": session})
        receipts = [one for one in report["receipts"] if one["status"] == "completed"]
        number += 1
    assert not described(tools_in(product, session))


def test_at_ninety_per_cent_a_call_is_answered_and_the_person_told_once(start):
    more = {"PLIMSOLL_MODEL__CONTEXT_WINDOW": "32000", "PLIMSOLL_COMPACTION__AUTO": "false"}
    product = start(CALLING, **more)
    (product.workspace / "big.txt").write_text("a line\n")
    product.open()
    session = product.new_session()
    product.turn(session, part(0, 6_000))
    room = product.call("plimsoll/context/report", {"sessionId": session})["meter"]
    seen = product.turn(session, part(1, int(0.93 * room["effective"]) - room["used"]))
    assert seen[-1]["stopReason"] == "endTurn"
    notices = [each["markdown"] for each in seen if each["kind"] == "notice"]
    assert [each for each in notices if "without tools" in each] == notices
    assert len(notices) == 1
    shown = json.dumps(product.call("plimsoll/session/view", {"sessionId": session})["messages"])
    assert "Not run: the context is nearly full" in shown
    assert "a line" not in shown
    assert "All that I know." in shown
