"""A known key that was given as a model's name is refused, and stands nowhere."""

import json
from pathlib import Path

import pytest

from product.harness import Product, assert_nowhere

pytestmark = pytest.mark.slow
KEY = "sk-q9Zx4Vb7Nm1Kw2LpT8rYd3Hc"
ADDRESS = "http://127.0.0.1:9/v1"


@pytest.mark.parametrize("setting", ["PLIMSOLL_MODEL__NAME", "PLIMSOLL_UTILITY_MODEL__NAME"])
def test_in_the_settings(tmp_path: Path, setting: str):
    settings = {
        "PLIMSOLL_MODEL__PROVIDER": "openai",
        "PLIMSOLL_MODEL__NAME": "gpt-4o",
        "PLIMSOLL_UTILITY_MODEL__PROVIDER": "openai",
        "OPENAI_API_KEY": KEY,
        "PLIMSOLL_LOG": "debug",
        setting: KEY,
    }
    with Product(tmp_path, **settings) as product:
        product.open()
        product.call("plimsoll/status", {})
        error = None
        if setting == "PLIMSOLL_MODEL__NAME":
            error = product.failure("plimsoll/session/new", {"workspaceFolder": product.uri})
        else:
            session = product.new_session()
            product.failure("plimsoll/context/compact", {"sessionId": session})
            product.turn(session, "/cost")
        product.call("plimsoll/model/test", {})
        assert_nowhere(product, KEY)
        if error is not None:
            assert "The name of the model holds a key: openai/[redacted:" in error["message"]
            assert error["data"]["kind"] == "providerModel"


def test_from_the_client(tmp_path: Path):
    """The key comes from the editor's secret store; its name is not among the environment's."""
    with Product(tmp_path, {"steps": [], "mode": "echo"}, PLIMSOLL_LOG="debug") as product:
        product.open()
        given = {"provider": "openai", "key": KEY, "baseUrl": ADDRESS}
        product.call("plimsoll/model/setKey", given)
        named = {"workspaceFolder": product.uri, "model": f"openai/{KEY}"}
        assert product.failure("plimsoll/session/new", named)["data"]["kind"] == "providerModel"
        session = product.new_session()
        switch = {"sessionId": session, "model": KEY}
        assert product.failure("plimsoll/session/setModel", switch)["data"]["kind"]
        said = product.turn(session, f"/model openai/{KEY}")
        assert "holds a key" in json.dumps(said) + json.dumps(list(product.messages))
        tried = {"provider": "openai", "baseUrl": ADDRESS, "model": KEY}
        assert product.call("plimsoll/model/test", tried)["error"]["kind"] == "providerModel"
        product.call("plimsoll/session/list", {"workspaceFolder": product.uri})
        assert_nowhere(product, KEY)
