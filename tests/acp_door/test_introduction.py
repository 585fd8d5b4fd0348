"""What an ACP client is told as it begins, and how docs/editors.md connects two of them."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from acp_door.client import AcpClient
from acp_door.schema import RESULTS, check
from plimsoll import __version__
from plimsoll.acp.abilities import ClientAbilities, initialize_result
from plimsoll.acp.extensions import EXTENSIONS
from plimsoll.terminal.arguments import parser

Start = Callable[..., AcpClient]
PAGE = Path(__file__).parents[2] / "docs/editors.md"
BLOCKS = re.findall(r"^```json\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
SERVERS = [server for block in BLOCKS for server in json.loads(block)["agent_servers"].values()]
HELLO = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": 1, "clientCapabilities": {}},
}


def test_abilities_are_read_and_odd_ones_are_none():
    given = {
        "fs": {"readTextFile": True, "writeTextFile": "yes"},
        "auth": {"terminal": True},
        "elicitation": {"form": {}},
        "session": {"compaction": {}},
    }
    assert ClientAbilities.of({"clientCapabilities": given}) == ClientAbilities(
        reads_files=True, runs_terminals=True, fills_forms=True, knows_compactions=True
    )
    for odd in (None, [], {"clientCapabilities": {"fs": 1, "auth": [], "session": None}}):
        assert ClientAbilities.of(odd) == ClientAbilities()


@pytest.mark.parametrize("terminal", [True, False])
def test_a_login_in_a_terminal_is_offered_where_the_client_has_one(terminal: bool):
    asked = {"clientCapabilities": {"auth": {"terminal": terminal}}}
    result = initialize_result(asked)
    check(RESULTS["initialize"], json.loads(json.dumps(result)))
    methods = result["authMethods"]
    assert isinstance(methods, list)
    assert [each.get("type", "agent") for each in methods] == ["agent", "terminal"][: 1 + terminal]


def test_the_methods_of_our_own_are_named():
    result = initialize_result({})
    named = result["agentCapabilities"]["_meta"]["plimsoll"]["methods"]
    assert set(named) == EXTENSIONS.keys()
    assert all(name.startswith("_plimsoll/") for name in named)


def test_the_entry_for_the_registry_starts_this_version():
    folder = PAGE.parent / "acp-registry"
    entry = json.loads((folder / "agent.json").read_text("utf-8"))
    assert entry["version"] == __version__
    started = entry["distribution"]["uvx"]
    assert started["package"] == f"plimsoll-lsp=={__version__}"
    assert parser().parse_args(started["args"]).command == "acp"
    assert 'width="16" height="16"' in (folder / "icon.svg").read_text("utf-8")


@pytest.mark.slow
def test_a_version_is_wanted_and_ours_is_answered(start: Start):
    client = start()
    refused = client.request("initialize", {"clientCapabilities": {}})
    assert client.error(refused)["code"] == -32602
    assert client.call("initialize", {"protocolVersion": 7})["protocolVersion"] == 1
    for method in client.open(auth={"terminal": True})["authMethods"]:
        assert client.call("authenticate", {"methodId": method["id"]}) == {}
    assert client.call("logout") == {}
    wrong = client.request("authenticate", {"methodId": "magic"})
    assert client.error(wrong)["code"] == -32602


@pytest.mark.slow
@pytest.mark.parametrize("server", SERVERS)
def test_the_lines_for_editors_start_it(server: dict[str, object], tmp_path: Path):
    assert server["command"] == "plimsoll"
    done = subprocess.run(
        [sys.executable, "-m", "plimsoll", *server["args"]],
        input=json.dumps(HELLO).encode() + b"\n",
        env={"HOME": str(tmp_path), "PLIMSOLL_DATA_DIR": str(tmp_path / "data")},
        capture_output=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout.splitlines()[0])["result"]["agentInfo"]["name"] == "plimsoll"


WITHOUT = """
import sys
import plimsoll.acp.peer, plimsoll.acp.main
print(sorted({"pydantic", "pygls", "lsprotocol", "tiktoken", "httpx", "acp"} & sys.modules.keys()))
"""


@pytest.mark.slow
def test_the_answer_needs_no_heavy_import():
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr
