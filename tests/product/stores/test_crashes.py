"""`kill -9` at random points of the real server: nothing that was acknowledged is lost or torn."""

import random
import sys

import pytest

from product.harness import Product, texts

KILLS = 6
"""As many as there is time for in each run; a thousand by `scripts/faults kills --full`."""
SCRIPT = {
    "rules": [
        {
            "when": "number",
            "steps": [
                {"calls": [{"name": "glob", "arguments": {"pattern": "*"}}]},
                {"text": ["answered"]},
            ],
        }
    ]
}


@pytest.mark.slow
def test_no_acknowledged_message_is_lost(tmp_path):
    seed = random.randrange(2**32)
    sys.stderr.write(f"kill seed {seed}\n")
    chance = random.Random(seed)
    acknowledged: list[str] = []
    session = ""
    for round_number in range(KILLS):
        with Product(tmp_path, SCRIPT) as product:
            product.open(resume="latest" if session else None)
            session = session or product.new_session()
            loaded = product.call(
                "plimsoll/session/load", {"workspaceFolder": product.uri, "sessionId": session}
            )
            spoken = [text for text in texts(loaded) if text.startswith("number")]
            assert spoken[: len(acknowledged)] == acknowledged
            assert len(spoken) <= len(acknowledged) + 1
            acknowledged = spoken
            assert_whole(product, session)
            acknowledged += work(product, session, round_number, chance)


def work(product: Product, session: str, round_number: int, chance: random.Random) -> list[str]:
    """Talk to the server and kill it at a random point; what it acknowledged."""
    done: list[str] = []
    messages = chance.randrange(1, 4)
    for number in range(messages):
        text = f"number {round_number} {number}"
        # What is waited for before the kill is of the last turn.
        product.forget()
        turn = product.prompt(session, text)
        done.append(text)
        if number < messages - 1:
            product.update("turnEnded", turn)
    kinds = ["turnStarted", "toolCall", "message", "turnEnded"]
    product.update(chance.choice(kinds))
    product.process.kill()
    product.process.wait(120)
    return done


def assert_whole(product: Product, session: str) -> None:
    """Every call has one result: the view is a request that a provider takes."""
    view = product.call("plimsoll/session/view", {"sessionId": session})["messages"]
    waiting: list[str] = []
    for message in view:
        if message["role"] == "tool":
            waiting.remove(message["toolCallId"])
            continue
        assert not waiting, waiting
        waiting = [call["id"] for call in message.get("toolCalls") or ()]
    assert not waiting
