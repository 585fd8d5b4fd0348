"""The product is killed or closed while a server of tools runs: nothing of either is left."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from product.harness import Product
from tools.mcp.killing import MARK, SCRIPTED, left_of, marked

pytestmark = pytest.mark.slow

ALLOWED = {"outcome": "selected", "optionId": "allowOnce"}
CALL = {"name": "mcp__one__fork"}


@pytest.fixture
def mark(tmp_path: Path) -> str:
    return str(tmp_path)


@pytest.fixture
def product(start: Callable[..., Product], tmp_path: Path, mark: str) -> Product:
    """The product in which a model has called a tool, whose server has children that hide."""
    config = tmp_path / "config/plimsoll/config.toml"
    config.parent.mkdir(parents=True)
    command, arguments = json.dumps(sys.executable), json.dumps([str(SCRIPTED), "forks", "stays"])
    server = f"[mcp.one]\ncommand = {command}\nargs = {arguments}\nenv = {{{MARK} = '{mark}'}}\n"
    config.write_text(server)
    made = start({"mode": "obedient"}, tmp_path)
    made.responses["plimsoll/session/requestPermission"] = ALLOWED
    made.open()
    made.turn(made.new_session(), f"Go. CALL call_tool {json.dumps(CALL)}")
    assert len(marked(mark)) == 3
    return made


def test_nothing_is_left_after_the_product_was_killed(product: Product, mark: str):
    product.process.kill()
    assert left_of(mark) == []


def test_nothing_is_left_after_it_has_ended(product: Product, mark: str):
    product.call("shutdown")
    product.notify("exit")
    product.wait_closed()
    assert left_of(mark) == []
