"""What to do is said for where the person is, by what is to be put right."""

import pytest

from plimsoll.errors import Fix, PlimsollError
from plimsoll.lsp.dispatch.faults import fault_of
from plimsoll.lsp.features.convert.updates import update
from plimsoll.lsp.wire.base import dump
from plimsoll.session.ports.events import TurnEnded
from plimsoll.terminal.opening import remedy_of

KEY = PlimsollError("no", remedy="Set K to a valid key.", fix=Fix(kind="key", variable="K"))


@pytest.mark.parametrize(
    ("fix", "says"),
    [
        (KEY.fix, "Set K to a valid key, or run `plimsoll connect`."),
        (Fix(kind="address", address="http://h/v1"), 'base_url = "http://h/v1"'),
        (Fix(kind="model"), "`plimsoll connect`"),
        (Fix(kind="address"), "in general"),
        (None, "in general"),
    ],
)
def test_at_a_terminal(fix: Fix | None, says: str):
    remedy = remedy_of(PlimsollError("no", remedy="in general", fix=fix))
    assert says in (remedy or "")
    assert "setKey" not in (remedy or "")


def test_for_a_client_of_the_protocol():
    ended = update(TurnEnded("t", "error", KEY))
    assert ended is not None
    told = dump(ended)["error"]
    assert told["fix"] == {"kind": "key", "variable": "K"}
    assert "plimsoll/model/setKey" in told["remedy"]
    data = fault_of(KEY, "ref").data
    assert isinstance(data, dict)
    assert (data["fix"], data["remedy"]) == (told["fix"], told["remedy"])
