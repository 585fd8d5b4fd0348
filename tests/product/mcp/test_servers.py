"""A person's MCP servers in the real server: listed, switched, restarted, added and taken over."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from product.harness import Product

pytestmark = pytest.mark.slow
SCRIPTED = Path(__file__).parents[2] / "tools" / "mcp" / "scripted.py"
CHANGED = "plimsoll/mcp/didChange"


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    own = tmp_path / "config" / "plimsoll" / "config.toml"
    own.parent.mkdir(parents=True)
    arguments = json.dumps([str(SCRIPTED)])
    own.write_text(
        f"# mine\n[mcp.here]\ncommand = {json.dumps(sys.executable)}\nargs = {arguments}\n"
        '[mcp.gone]\ncommand = "no-such-program"\nargs = ["${QUIET_WORD}"]\n'
    )
    yield tmp_path


class Servers:
    """What a client asks of the servers of a session."""

    def __init__(self, product: Product) -> None:
        self.product = product
        product.open()
        self.session = product.new_session()

    def call(self, method: str, **params: Any) -> dict[str, dict[str, Any]]:
        asked = {"sessionId": self.session, **params}
        found = self.product.call(f"plimsoll/mcp/{method}", asked)
        return {one["name"]: one for one in found["servers"]}

    def failure(self, method: str, **params: Any) -> str:
        asked = {"sessionId": self.session, **params}
        return self.product.failure(f"plimsoll/mcp/{method}", asked)["message"]


def test_servers_are_listed_started_and_switched(home: Path):
    with Product(home, {"rules": []}) as product:
        servers = Servers(product)
        listed = servers.call("list")
        assert {name: one["state"] for name, one in listed.items()} == {
            "gone": "idle",
            "here": "idle",
        }
        assert listed["gone"]["runs"] == "no-such-program ${QUIET_WORD}"

        started = servers.call("restart", server="here")["here"]
        assert started["state"] == "ready"
        assert product.notifications(CHANGED)[0]["params"] == {"workspaceFolder": product.uri}
        assert started["offers"] == {
            "prompts": [{"name": "praise", "hint": "of=…"}],
            "resources": [{"uri": "note://one", "name": "one"}],
        }
        tools = {tool["name"]: tool for tool in started["tools"]}
        assert (tools["echo"]["claimsReading"], tools["echo"]["enabled"]) == (True, True)

        called = {"sessionId": servers.session, "name": "here:praise", "arguments": "Ada"}
        praise = "Praise Ada."
        expanded = {"text": praise, "pasted": [[0, len(praise)]], "remarks": []}
        assert product.call("plimsoll/custom/expand", called) == expanded

        off = servers.call("setTool", server="here", tool="echo", enabled=False)["here"]
        assert {tool["name"] for tool in off["tools"] if not tool["enabled"]} == {"echo"}
        assert servers.call("setServer", server="here", enabled=False)["here"]["state"] == "off"
        assert "offers" not in servers.call("list")["here"]
        assert servers.call("setServer", server="here", enabled=True)["here"]["state"] == "idle"
        assert servers.call("restart", server="here")["here"]["state"] == "ready"

        servers.call("restart", server="gone")
        failed = servers.call("list")["gone"]
        assert failed["state"] == "failed"
        assert "QUIET_WORD" in failed["error"]
        assert failed["missing"] == ["QUIET_WORD"]


def test_servers_are_added_and_removed_in_the_persons_own_file(home: Path):
    own = home / "config" / "plimsoll" / "config.toml"
    before = own.read_text()
    with Product(home, {"rules": []}) as product:
        servers = Servers(product)
        command = [sys.executable, str(SCRIPTED)]
        added = servers.call("add", name="more", command=command, env={"LEVEL": "2"})
        assert list(added) == ["gone", "here", "more"]
        assert servers.call("restart", server="more")["more"]["state"] == "ready"
        assert "already" in servers.failure("add", name="more", command=["x"])
        secret = servers.failure("add", name="web", url="https://a.example/mcp?token=abcabcabc")
        assert "abcabcabc" not in secret
        assert list(servers.call("remove", server="more")) == ["gone", "here"]

        known = product.notifications(CHANGED)
        own.write_text(f'{before}[mcp.late]\ncommand = "late"\n')
        product.turn(servers.session, "Hello.")
        assert len(product.notifications(CHANGED)) == len(known) + 1
        assert list(servers.call("list")) == ["gone", "here", "late"]
        own.write_text(before)
        assert list(servers.call("list")) == ["gone", "here"]
        assert own.read_text() == before


def test_a_folder_brings_no_server_and_the_person_takes_one_over(home: Path):
    folder = home / "workspace"
    folder.mkdir()
    theirs = {"command": "touch", "args": [str(home / "started")]}
    (folder / ".mcp.json").write_text(json.dumps({"mcpServers": {"theirs": theirs}}))
    (folder / ".vscode").mkdir()
    (folder / ".vscode" / "settings.json").write_text('{"plimsoll.mcp.bad.command": "x"}')
    with Product(home, {"rules": []}) as product:
        servers = Servers(product)
        assert list(servers.call("list")) == ["gone", "here"]
        asked = {"sessionId": servers.session}
        [found] = product.call("plimsoll/mcp/found", asked)["files"]
        assert found["path"] == str(folder / ".mcp.json")
        assert [one["name"] for one in found["servers"]] == ["theirs"]
        assert list(servers.call("list")) == ["gone", "here"]
        assert not (home / "started").exists()
        taken = servers.call("takeOver", path=found["path"], servers=["theirs"])
        assert list(taken) == ["gone", "here", "theirs"]
        assert "no server" in servers.failure("takeOver", path=found["path"], servers=["others"])
