"""A session belongs to the address at which it was held: real servers, two addresses."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from model_server import Listening, listening
from product.harness import UPDATE, Product

pytestmark = pytest.mark.slow
PERMISSION = "plimsoll/session/requestPermission"
MESSAGE = "window/showMessageRequest"
ALLOWED = {"outcome": "selected", "optionId": "allowOnce"}
REJECTED = {"outcome": "selected", "optionId": "rejectOnce"}
Start = Callable[..., Product]


@pytest.fixture
def servers() -> Iterator[tuple[Listening, Listening]]:
    with ExitStack() as stack:
        yield stack.enter_context(listening()), stack.enter_context(listening())


def at(server: Listening, **more: str) -> dict[str, str]:
    """The settings of a model there; its window is not set, so that its server is asked for it."""
    return {
        "PLIMSOLL_MODEL__PROVIDER": "openai",
        "PLIMSOLL_MODEL__NAME": "small",
        "PLIMSOLL_MODEL__BASE_URL": server.url,
        **more,
    }


def base(server: Listening) -> str:
    return server.url.removesuffix("/v1")


def held(start: Start, server: Listening, *said: str, **more: str) -> str:
    """Hold a session with a server, and end the process."""
    product = start(None, **at(server, **more))
    product.open()
    session = product.new_session()
    for each in said or ("Hello.",):
        assert end(product, session, each)["stopReason"] == "endTurn"
    product.process.kill()
    product.process.wait(120)
    return session


def end(product: Product, session: str, text: str) -> dict[str, Any]:
    return product.turn(session, text)[-1]


def resumed(
    start: Start, server: Listening, session: str, *, permission: bool = True, **more: str
) -> Product:
    """Load a session in a new process, whose model is at a server."""
    product = start(None, **at(server, **more))
    product.open(capabilities={"sessionUpdates": True, "permission": permission})
    product.call("plimsoll/session/load", {"workspaceFolder": product.uri, "sessionId": session})
    return product


def listed(product: Product) -> dict[str, Any]:
    (found,) = product.call("plimsoll/session/list", {"workspaceFolder": product.uri})["sessions"]
    return found


def test_another_address_is_asked_about_and_a_yes_stays(start: Start, servers):
    first, second = servers
    session = held(start, first)
    product = resumed(start, second, session)
    assert listed(product)["address"] == base(first)
    assert listed(product)["machine"]
    product.responses[PERMISSION] = ALLOWED
    assert end(product, session, "Go on.")["stopReason"] == "endTurn"
    (asked,) = product.requests_of(PERMISSION)
    call = asked["params"]["toolCall"]
    assert (call["kind"], call["detail"]) == (
        "address",
        {"addressChange": {"known": base(first), "now": base(second)}},
    )
    assert call["title"] == (
        f"So far this session went to {base(first)}. Send all of it to {base(second)}?"
    )
    assert [each["name"] for each in asked["params"]["options"]] == [
        "Send it there",
        "Send nothing",
    ]
    assert listed(product)["address"] == base(second)
    product.process.kill()
    product.process.wait(120)
    # The answer stays with the session, and both addresses are known by now.
    for server in (second, first):
        again = resumed(start, server, session)
        assert end(again, session, "And on.")["stopReason"] == "endTurn"
        assert again.requests_of(PERMISSION) == []


def test_after_a_no_nothing_arrives_there(start: Start, servers):
    first, second = servers
    session = held(start, first)
    product = resumed(start, second, session)
    product.responses[PERMISSION] = REJECTED
    updates = product.turn(session, "Go on.")
    assert (updates[-1]["stopReason"], updates[-1].get("error")) == ("rejected", None)
    (notice,) = [each for each in updates if each["kind"] == "notice"]
    assert notice["markdown"].startswith("Nothing was sent: so far this session went to ")
    assert second.sent == []


def test_a_client_without_the_request_is_asked_by_a_message(start: Start, servers):
    first, second = servers
    session = held(start, first)
    product = resumed(start, second, session, permission=False)
    product.responses[MESSAGE] = {"title": "Send it there"}
    assert end(product, session, "Go on.")["stopReason"] == "endTurn"
    (asked,) = product.requests_of(MESSAGE)
    assert f"Send all of it to {base(second)}?" in asked["params"]["message"]


def test_where_nobody_can_be_asked_it_is_refused_until_it_is_accepted(start: Start, servers):
    first, second = servers
    session = held(start, first)
    product = resumed(start, second, session, permission=False)
    turn = product.prompt(session, "Go on.")
    request = product.server_request(MESSAGE)
    product.send(
        {
            "jsonrpc": "2.0",
            "id": request["id"],
            "error": {"code": -32601, "message": "No such method."},
        }
    )
    error = product.update("turnEnded", turn)["error"]
    assert (error["kind"], error["known"], error["now"]) == (
        "addressChanged",
        base(first),
        base(second),
    )
    assert "--accept-address" in error["remedy"]
    assert second.sent == []
    content = [{"type": "text", "text": "Go on."}]
    params = {"sessionId": session, "content": content, "acceptAddress": True}
    turn = product.call("plimsoll/session/prompt", params)["turnId"]
    assert product.update("turnEnded", turn)["stopReason"] == "endTurn"


def test_a_summary_is_not_asked_for_elsewhere_without_a_word(start: Start, servers):
    first, second = servers
    said = [f"{number}: {'word ' * 400}" for number in range(6)]
    session = held(start, first, *said)
    utility = {
        "PLIMSOLL_UTILITY_MODEL__PROVIDER": "openai",
        "PLIMSOLL_UTILITY_MODEL__NAME": "gpt-4o",
        "PLIMSOLL_UTILITY_MODEL__BASE_URL": second.url,
    }
    product = resumed(start, first, session, **utility)
    product.responses[PERMISSION] = REJECTED
    product.call("plimsoll/context/compact", {"sessionId": session})
    (asked,) = product.requests_of(PERMISSION)
    assert asked["params"]["toolCall"]["title"].endswith(" to have it summarised?")
    assert second.sent == []
    assert end(product, session, "Go on.")["stopReason"] == "endTurn"


def test_a_kill_while_the_question_is_open_asks_again(start: Start, servers):
    first, second = servers
    session = held(start, first)
    for _ in range(2):
        product = resumed(start, second, session)
        product.prompt(session, "Go on.")
        product.server_request(PERMISSION)
        product.process.kill()
        product.process.wait(120)
    assert second.sent == []
    assert [each["method"] for each in product.notifications(UPDATE)]
