"""MCP servers that nobody here wrote, from PyPI and npm, under a host of ours."""

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from plimsoll.context.log.images import image_bytes, image_type
from plimsoll.tools.mcp.naming import called_name
from plimsoll.tools.ports.mcp import McpListener, McpOffer, McpQuestion, McpReply, McpServer
from servers.running import needed
from tools.mcp.conftest import Hosting, gone

pytestmark = pytest.mark.slow

PYTHON = Path(sys.executable).parent


def from_npm(name: str, *arguments: str, **more: object) -> McpServer:
    program = needed("mcp_node") / "node_modules" / ".bin" / f"mcp-server-{name}"
    return McpServer(name=name, command=(str(program), *arguments), **more)


def from_pypi(name: str, *arguments: str) -> McpServer:
    return McpServer(name=name, command=(str(PYTHON / f"mcp-server-{name}"), *arguments))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    subprocess.run(["git", "init", "-q", folder], check=True)
    (folder / "a.txt").write_text("one\n")
    return folder


@pytest_asyncio.fixture
async def hosting(root: Path, tmp_path: Path) -> AsyncIterator[Hosting]:
    made = Hosting(root, tmp_path / "mcp")
    # Beside others a start takes several seconds.
    made.start_seconds(60)
    yield made
    await made.close()


async def started(hosting: Hosting, server: McpServer) -> McpOffer:
    hosting.servers = [server]
    (offer,) = await hosting.host.start()
    assert (offer.state, offer.error) == ("ready", None)
    names = [tool.called for tool in offer.tools]
    assert names == [called_name(server.name, tool.name) for tool in offer.tools]
    return offer


async def test_time(hosting: Hosting):
    offer = await started(hosting, from_pypi("time"))
    assert [tool.name for tool in offer.tools] == ["get_current_time", "convert_time"]
    told = await hosting.call("time", "get_current_time", timezone="Europe/Berlin")
    assert json.loads(told.text)["timezone"] == "Europe/Berlin"
    wrong = await hosting.call("time", "get_current_time", timezone="Nowhere")
    assert wrong.failed
    assert "Invalid timezone" in wrong.text


async def test_git(hosting: Hosting, root: Path):
    offer = await started(hosting, from_pypi("git", "--repository", "${workspaceFolder}"))
    assert len(offer.tools) == 12
    assert "a.txt" in (await hosting.call("git", "git_status", repo_path=str(root))).text


async def test_files(hosting: Hosting, root: Path):
    offer = await started(hosting, from_npm("filesystem", "${workspaceFolder}"))
    assert len(offer.tools) == 14
    read = await hosting.call("filesystem", "read_text_file", path=str(root / "a.txt"))
    # Its structured content says the same, and is not said twice.
    assert read.text == "one\n"
    outside = await hosting.call("filesystem", "read_text_file", path="/etc/passwd")
    assert outside.failed


async def test_memory(hosting: Hosting, tmp_path: Path):
    environment = {"MEMORY_FILE_PATH": str(tmp_path / "graph.jsonl")}
    offer = await started(hosting, from_npm("memory", environment=environment))
    assert len(offer.tools) == 9
    entity = {"name": "Ada", "entityType": "person", "observations": ["counts"]}
    await hosting.call("memory", "create_entities", entities=[entity])
    await hosting.host.restart("memory")
    assert "counts" in (await hosting.call("memory", "search_nodes", query="Ada")).text


async def test_everything(hosting: Hosting):
    offer = await started(hosting, from_npm("everything"))
    assert offer.instructions.startswith("# Everything Server")
    assert {"echo", "get-tiny-image"} <= {tool.name for tool in offer.tools}
    pictured = await hosting.call("everything", "get-tiny-image")
    (image,) = pictured.images
    assert image_type(image_bytes(image.data) or b"") == image.mime_type == "image/png"
    assert "The image above is the MCP logo." in pictured.text
    structured = await hosting.call("everything", "get-structured-content", location="New York")
    assert set(json.loads(structured.text)) == {"temperature", "conditions", "humidity"}
    linked = await hosting.call("everything", "get-resource-links", count=2)
    assert "[resource demo://resource/dynamic/" in linked.text
    prompts = {prompt.name: prompt for prompt in offer.prompts}
    said = await hosting.host.prompt(prompts["args-prompt"], {"city": "Ulm"}, McpListener())
    assert said.text == "What's weather in Ulm?"
    templates = [each.uri for each in offer.resources if each.is_template]
    assert "demo://resource/dynamic/text/{resourceId}" in templates
    read = await hosting.host.read("everything", "demo://resource/dynamic/text/1", McpListener())
    assert read.text.startswith("Resource 1: This is a plaintext resource")
    blob = await hosting.host.read("everything", "demo://resource/dynamic/blob/1", McpListener())
    assert blob.text.startswith("Resource 1: This is a base64 blob")


async def test_everything_tells_its_progress_and_is_cancelled(hosting: Hosting):
    await started(hosting, from_npm("everything"))
    name = "trigger-long-running-operation"
    heard: list[str] = []
    hears = McpListener(heard.append)
    done = await hosting.call("everything", name, hears, duration=1, steps=2)
    assert "completed" in done.text
    assert heard[-1] == "2 of 2"

    begun = asyncio.Event()
    hears = McpListener(lambda _: begun.set())
    call = asyncio.ensure_future(
        hosting.call("everything", name, hears, duration=600, steps=60_000)
    )
    await begun.wait()
    call.cancel()
    await asyncio.wait([call])
    assert call.cancelled()
    assert (await hosting.call("everything", "echo", message="still here")).text.endswith("here")


async def test_everything_asks_the_person(hosting: Hosting):
    await started(hosting, from_npm("everything"))
    asked: list[McpQuestion] = []

    async def ask(question: McpQuestion) -> McpReply:
        asked.append(question)
        return McpReply("accept", {"name": "Ada", "check": True})

    told = await hosting.call("everything", "trigger-elicitation-request", McpListener(ask=ask))
    assert "- Name: Ada" in told.text
    assert "name" in asked[0].fields["properties"]
    told = await hosting.call("everything", "trigger-elicitation-request")
    assert "declined" in told.text


async def test_nothing_of_them_is_left(hosting: Hosting):
    hosting.servers = [from_pypi("time"), from_npm("everything")]
    await hosting.host.start()
    processes = hosting.processes()
    assert len(processes) >= 4
    await hosting.host.close()
    await gone(processes)
