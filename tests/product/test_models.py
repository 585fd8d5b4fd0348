"""`plimsoll/model/list` and `/test`: what an address serves, and whether it answers."""

from pathlib import Path

import pytest

from model_server import KEY, Listening, listening
from product.harness import UPDATE, Product

pytestmark = pytest.mark.slow
LIST, TEST, SET_KEY = "plimsoll/model/list", "plimsoll/model/test", "plimsoll/model/setKey"


def at(server: Listening, **more: str) -> dict[str, str]:
    return {"provider": "openai", "baseUrl": server.url, **more}


def test_an_address_is_listed_and_tried_with_the_key_that_is_for_it(tmp_path: Path):
    with listening() as server, listening() as other:
        server.key = KEY
        with Product(tmp_path, OPENAI_API_KEY="sk-of-the-vendor-1234") as product:
            product.open()
            refused = product.call(TEST, at(server, model="small"))
            assert (refused["ok"], refused["error"]["kind"]) == (False, "providerAuth")
            assert refused["error"]["remedy"]
            product.call(SET_KEY, {"provider": "openai", "key": KEY, "baseUrl": server.url})
            assert product.call(LIST, at(server))["models"] == [
                {"name": "small", "contextWindow": 8_192, "windowSource": "server"},
                {"name": "gpt-4o", "contextWindow": 128_000, "windowSource": "table"},
                {"name": "unheard-of"},
            ]
            done = product.call(TEST, at(server, model="small"))
            assert done.pop("firstTokenSeconds") > 0
            assert done == {
                "ok": True,
                "streamed": True,
                "tools": True,
                "usage": {"input": 60, "output": 5, "cached": 0},
            }
            product.call(LIST, at(other))
    # Neither the key of the one address nor the vendor's own goes to another.
    assert set(server.sent) == {"", f"Bearer {KEY}"}
    assert set(other.sent) == {""}


def test_nothing_is_asked_before_a_folder_is_trusted(tmp_path: Path):
    with listening() as server, Product(tmp_path) as product:
        product.open(trusted=False)
        for method in (LIST, TEST):
            assert product.failure(method, at(server))["data"]["kind"] == "untrustedWorkspace"
        assert server.sent == []
        trust = {"workspaceFolder": product.uri, "trusted": True}
        product.notify("plimsoll/didChangeTrust", trust)
        assert product.call(LIST, at(server))["models"]


def test_what_is_set_is_what_is_meant(tmp_path: Path):
    with Product(tmp_path, {"rules": [], "mode": "echo"}) as product:
        product.open()
        (own,) = product.call(LIST, {})["models"]
        assert own["windowSource"] == "table"
        assert product.call(TEST, {})["ok"]


def test_a_changed_setting_reaches_an_open_session_in_which_nothing_was_said(tmp_path: Path):
    editor = {"workspace": {"configuration": True}}
    with Product(tmp_path, {"steps": [], "mode": "echo"}) as product:
        product.responses["workspace/configuration"] = [{}]
        product.open(editor)
        used, unused = product.new_session(), product.new_session()
        product.turn(used, "hello")
        other = {"provider": "openai", "name": "gpt-4o", "baseUrl": "http://127.0.0.1:9/v1"}
        product.responses["workspace/configuration"] = [{"model": other}]
        product.notify("workspace/didChangeConfiguration", {"settings": None})
        product.wait_for(
            lambda told: (
                told.get("method") == UPDATE
                and told["params"]["sessionId"] == unused
                and told["params"]["update"]["kind"] == "sessionChanged"
            )
        )
        assert product.notifications("plimsoll/didChangeSettings")
        loaded = {
            session: product.call(
                "plimsoll/session/load", {"workspaceFolder": product.uri, "sessionId": session}
            )["session"]["model"]
            for session in (used, unused)
        }
        assert loaded[unused] == "openai/gpt-4o"
        assert loaded[used].startswith("scripted/")
