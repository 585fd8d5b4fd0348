"""Plays scenarios through the real server against the director."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from product.harness import Product
from product.sight.director import Listening, Played
from product.sight.scenarios import Scenario

PERMISSION = "plimsoll/session/requestPermission"
ALLOW = {"outcome": "selected", "optionId": "allowOnce"}
EVERYTHING = 20_000_000
"""A window in which nothing leaves."""


@contextmanager
def server(home: Path, director: Listening, window: int, **settings: str) -> Iterator[Product]:
    """The product in a window of so many tokens."""
    home.mkdir(parents=True, exist_ok=True)
    settings = {
        "PLIMSOLL_MODEL__PROVIDER": "openai",
        "PLIMSOLL_MODEL__NAME": "gpt-4o",
        "PLIMSOLL_MODEL__BASE_URL": director.url,
        "PLIMSOLL_MODEL__CONTEXT_WINDOW": str(window),
        **settings,
    }
    with Product(home, **settings) as product:
        product.responses[PERMISSION] = ALLOW
        product.open()
        yield product


def play(scenario: Scenario, product: Product, director: Listening) -> Played:
    """Play a scenario in a session of its own."""
    for name, text in scenario.files.items():
        (product.workspace / name).write_text(text)
    director.director.begin()
    session = product.new_session()
    for turn in scenario.turns:
        _act(turn.before, product, session)
        director.director.turn(turn.steps, turn.helper)
        product.turn(session, turn.prompt)
        product.forget()
    return director.director.played


def _act(what: str, product: Product, session: str) -> None:
    if what == "rewind":
        params = {"workspaceFolder": product.uri, "sessionId": session}
        said = product.call("plimsoll/session/load", params)["messages"]
        prompts = [message["id"] for message in said if message["role"] == "user"]
        asked = {"sessionId": session, "messageId": prompts[-1], "restoreFiles": True}
        product.call("plimsoll/session/rewind", asked)
    if what == "undo":
        asked = {"sessionId": session, "strategy": "digest"}
        receipt = product.call("plimsoll/context/compact", asked)["receipt"]
        product.call("plimsoll/context/undo", {"sessionId": session, "editId": receipt["id"]})
