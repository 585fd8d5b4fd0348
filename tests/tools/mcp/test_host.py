"""Servers are started when they are needed, shared, and ended; what they say is made answers."""

import asyncio
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from plimsoll.errors import ToolFailed
from plimsoll.tools.mcp import process
from plimsoll.tools.mcp.client import listing, session
from plimsoll.tools.mcp.host import Host
from plimsoll.tools.ports.mcp import McpListener, McpQuestion, McpReply, McpServer
from tools.mcp.conftest import Hosting, gone, scripted
from tools.mcp.killing import lives

pytestmark = pytest.mark.slow


async def test_a_server_is_started_when_it_is_needed_and_lists_all_its_pages(hosting: Hosting):
    hosting.servers = [scripted("one"), scripted("off", enabled=False)]
    assert [(one.server.name, one.state) for one in hosting.host.offers()] == [
        ("off", "off"),
        ("one", "idle"),
    ]

    (offer,) = await hosting.host.start(["one"])

    assert (offer.state, offer.error, offer.instructions) == ("ready", None, "Use echo first.")
    assert [tool.name for tool in offer.tools][:3] == ["echo", "wait", "die"]
    assert len(offer.tools) == 10
    assert offer.tools[0].claims_reading and not offer.tools[1].claims_reading
    assert [prompt.name for prompt in offer.prompts] == ["praise"]
    assert [(each.uri, each.is_template) for each in offer.resources] == [
        ("note://one", False),
        ("note://{id}", True),
    ]


async def test_a_tool_a_prompt_and_a_resource_answer(hosting: Hosting):
    hosting.servers = [scripted("one")]
    (offer,) = await hosting.host.start()

    assert (await hosting.call("one", "echo", text="hi")).text == "hi"
    said = await hosting.host.prompt(offer.prompts[0], {"of": "Ada"}, McpListener())
    assert said.text == "Praise Ada."
    assert (await hosting.host.read("one", "note://7", McpListener())).text == "This is note://7."


async def test_half_a_character_does_not_end_the_conversation(hosting: Hosting):
    hosting.servers = [scripted("one")]
    (offer,) = await hosting.host.start()
    said = await hosting.host.prompt(offer.prompts[0], {"of": "\udc00x"}, McpListener())
    assert "Praise ?x." in said.text
    assert (await hosting.call("one", "echo", text="hi")).text == "hi"


async def test_what_was_offered_is_known_to_the_next_host_without_a_start(hosting: Hosting):
    hosting.servers = [scripted("one", off_tools=frozenset({"die"}))]
    await hosting.host.start()
    before = hosting.host.offers()[0]
    await hosting.host.close()

    after = Host(lambda: hosting.servers, hosting.needs).offers()[0]

    assert replace(after, state="ready") == before
    assert after.state == "idle"
    assert [tool.name for tool in after.tools if not tool.enabled] == ["die"]
    assert [path.stat().st_mode & 0o777 for path in hosting.needs.data.iterdir()] == [0o600]


async def test_junk_on_standard_output_is_passed_over(hosting: Hosting):
    hosting.servers = [scripted("one", "junk")]
    await hosting.host.start()
    assert (await hosting.call("one", "echo", text="hi")).text == "hi"


async def test_a_silent_server_is_given_up_and_not_started_again(hosting: Hosting):
    hosting.start_seconds(0.3)
    hosting.servers = [scripted("one", "silent")]

    (offer,) = await hosting.host.start()
    assert offer.state == "failed"
    assert offer.error == "The server one could not be started: it did not answer within 0.3 s."

    hosting.changed.clear()
    await hosting.host.start()
    assert hosting.changed == []


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The end of a server that ended by itself is waited for, however late its watcher tells it."""
    monkeypatch.setattr(process, "EOF_SECONDS", 60.0)


@pytest.mark.usefixtures("patient")
async def test_a_server_that_ends_at_once_is_told_with_its_last_words(hosting: Hosting):
    hosting.servers = [scripted("one", "dead"), McpServer(name="two", command=("no-such-program",))]
    one, two = await hosting.host.start()
    assert one.error == (
        "The server one could not be started: it ended with code 1; it wrote: "
        "ModuleNotFoundError: No module named 'numpy'."
    )
    assert two.error == (
        "The server two could not be started: the program no-such-program is not on the PATH."
    )


@pytest.mark.usefixtures("patient")
async def test_a_crash_is_told_without_secrets_and_the_next_call_starts_it_anew(hosting: Hosting):
    hosting.servers = [scripted("one")]
    await hosting.host.start()
    for _ in range(2):
        with pytest.raises(ToolFailed) as failed:
            await hosting.call("one", "die", key="hunter2")
        assert failed.value.message == (
            "The server one ended before it answered: it ended with code 7; it wrote: Traceback: "
            "the disk is on fire, key [redacted]. What it did is not known."
        )
        assert (await hosting.call("one", "echo", text="hi")).text == "hi"

    with pytest.raises(ToolFailed):
        await hosting.call("one", "die", key="hunter2")
    with pytest.raises(ToolFailed, match="ended by itself"):
        await hosting.call("one", "echo", text="hi")
    assert hosting.host.offers()[0].state == "failed"
    assert (await hosting.host.restart("one")).state == "ready"


async def test_a_cancelled_call_is_cancelled_at_the_server_which_goes_on(hosting: Hosting):
    hosting.servers = [scripted("one")]
    await hosting.host.start()
    calls = [asyncio.ensure_future(hosting.call("one", "wait")) for _ in range(3)]
    assert (await hosting.call("one", "echo", text="hi")).text == "hi"
    for call in calls:
        call.cancel()
    await asyncio.wait(calls)
    assert all(call.cancelled() for call in calls)
    assert (await hosting.call("one", "echo", text="still here")).text == "still here"


async def test_progress_is_heard(hosting: Hosting, listener: tuple[McpListener, list[str]]):
    hosting.servers = [scripted("one")]
    await hosting.host.start()
    assert (await hosting.call("one", "steps", listener[0])).text == "done"
    assert (listener[1][0], listener[1][-1]) == ("step 1 (1 of 3)", "step 3 (3 of 3)")


async def test_a_question_is_asked_of_the_person_whose_call_runs(hosting: Hosting):
    hosting.servers = [scripted("one")]
    await hosting.host.start()
    asked: list[McpQuestion] = []

    async def ask(question: McpQuestion) -> McpReply:
        asked.append(question)
        return McpReply("accept", {"name": "Ada"})

    answer = await hosting.call("one", "ask", McpListener(ask=ask))

    assert json.loads(answer.text) == {"action": "accept", "content": {"name": "Ada"}}
    assert (asked[0].server, asked[0].message) == ("one", "Who are you?")
    assert asked[0].fields["properties"] == {"name": {"type": "string"}}
    # What nobody could read, or is no address, is declined unasked.
    listener = McpListener(ask=ask)
    field = {"type": "string", "description": "x" * 30_000}
    large = {"type": "object", "properties": {"name": field}}
    for more in (
        {"requestedSchema": large},
        {"mode": "url", "url": "file:///etc", "elicitationId": "1"},
    ):
        answer = await hosting.call("one", "ask", listener, **more)
        assert json.loads(answer.text) == {"action": "decline"}
    assert len(asked) == 1
    # Nobody listens: declined.
    assert json.loads((await hosting.call("one", "ask")).text) == {"action": "decline"}


async def test_a_changed_tool_is_not_called_in_the_place_of_the_one_that_was_allowed(
    hosting: Hosting,
):
    hosting.servers = [scripted("one")]
    await hosting.host.start()
    allowed = hosting.tool("one", "echo")
    hosting.changed.clear()
    await hosting.call("one", "change")
    while not hosting.changed:
        await asyncio.sleep(0.01)
    with pytest.raises(ToolFailed, match="has changed what mcp__one__echo does or takes"):
        await hosting.host.call(allowed, {"text": "hi"}, McpListener())
    assert [tool.description for tool in hosting.host.offers()[0].tools] == ["Deletes everything."]


async def test_it_gets_what_was_configured_and_no_other_variable(
    hosting: Hosting, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("OPENAI_API_KEY", "hunter2")
    given = {"TOKEN": "t", "WHERE": "${workspaceFolder}/x"}
    hosting.servers = [scripted("one", environment=given)]
    await hosting.host.start()
    got = json.loads((await hosting.call("one", "environment")).text)
    assert (got.pop("TOKEN"), got.pop("WHERE")) == ("t", f"{hosting.needs.root}/x")
    assert got.pop("cwd") == str(Path.home())
    assert got.keys() <= {"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LANG", "LC_CTYPE"}


async def test_all_sessions_share_one_process(hosting: Hosting):
    hosting.servers = [scripted("one")]
    await asyncio.gather(*(hosting.host.start() for _ in range(5)))
    forked = [(await hosting.call("one", "fork")).text for _ in range(2)]
    parents = {Path(f"/proc/{each}/stat").read_text().split()[3] for each in forked}
    assert len(parents) == 1


async def test_a_server_that_is_configured_otherwise_or_off_ends(hosting: Hosting):
    hosting.servers = [scripted("one"), scripted("two")]
    await hosting.host.start()
    old = [int((await hosting.call(name, "fork")).text) for name in ("one", "two")]
    hosting.servers = [scripted("one", "other"), scripted("two", enabled=False)]
    assert [one.state for one in hosting.host.offers()] == ["idle", "off"]
    await hosting.host.start()
    await gone(old)
    with pytest.raises(ToolFailed, match="switched off"):
        await hosting.host.read("two", "note://1", McpListener())


@pytest.mark.parametrize("behaviour", [(), ("stays",)])
async def test_at_the_end_nothing_is_left_of_it(hosting: Hosting, behaviour: tuple[str, ...]):
    hosting.servers = [scripted("one", *behaviour)]
    await hosting.host.start()
    left = [int((await hosting.call("one", "fork")).text) for _ in range(3)]
    await hosting.host.close()
    assert [process for process in left if lives(process)] == []


async def test_a_restart_leaves_no_process_of_the_one_before(hosting: Hosting):
    hosting.servers = [scripted("one", "stays", "forks")]
    await hosting.host.start()
    before = hosting.processes()
    await hosting.host.restart("one")
    await gone(before)
    assert (await hosting.call("one", "echo", text="hi")).text == "hi"


ODD_TOOLS: list[dict[str, object]] = [
    {"name": "repo.search/x", "inputSchema": {"type": "object"}},
    {"name": "x" * 200, "inputSchema": {"type": "object"}},
    {"name": "é" * 3, "description": None, "inputSchema": {"type": "object"}},
    {"name": "boolean", "inputSchema": True},
    {"name": "nothing"},
    {"name": "text", "inputSchema": {"type": "string"}},
    {"name": "choice", "inputSchema": {"anyOf": [{"properties": {"a": {"$ref": "#/x"}}}]}},
    {"name": "listed", "inputSchema": {"properties": ["a"]}, "annotations": 7},
    {"name": "claims", "inputSchema": {"type": "object"}, "outputSchema": {"type": 12}},
    {"name": "surrogate", "description": "\ud800", "inputSchema": {"type": "object"}},
]


async def test_no_odd_tool_takes_another_along(hosting: Hosting):
    told = json.dumps([*ODD_TOOLS, {"no": "name"}, None, {"name": 7}, ODD_TOOLS[0]])
    hosting.servers = [scripted("one", f"tools={told}")]
    (offer,) = await hosting.host.start()
    assert [tool.name for tool in offer.tools] == [tool["name"] for tool in ODD_TOOLS]
    assert all(tool.parameters["type"] == "object" for tool in offer.tools)
    assert len({tool.called for tool in offer.tools}) == len(ODD_TOOLS)
    await hosting.host.close()
    assert Host(lambda: hosting.servers, hosting.needs).offers()[0].tools == offer.tools


async def test_an_answer_that_does_not_keep_to_its_own_schema_is_not_lost(hosting: Hosting):
    schema = {"type": "object", "properties": {"n": {"type": "string"}}, "required": ["n"]}
    tool = {"name": "answer", "inputSchema": {"type": "object"}, "outputSchema": schema}
    hosting.servers = [scripted("one", f"tools={json.dumps([tool])}")]
    await hosting.host.start()
    content = [{"type": "text", "text": "It is done."}]
    answer = await hosting.call("one", "answer", content=content, structuredContent={"n": 7})
    assert answer.text == 'It is done.\n\n{\n "n": 7\n}'


async def test_tools_beyond_the_limit_are_said_to_be_left_out(
    hosting: Hosting, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(listing, "MOST_TOOLS", 4)
    hosting.servers = [scripted("one")]
    (offer,) = await hosting.host.start()
    assert (offer.state, len(offer.tools)) == ("ready", 4)
    assert offer.error == "Of its tools the first 4 are used."


async def test_a_message_without_end_is_given_up(hosting: Hosting, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(process, "LONGEST_LINE", 200_000)
    hosting.servers = [scripted("one")]
    await hosting.host.start()
    assert len((await hosting.call("one", "echo", text="x" * 100_000)).text) == 100_000
    with pytest.raises(ToolFailed, match="it sent a message of more than"):
        await hosting.call("one", "echo", text="x" * 500_000)
    assert (await hosting.call("one", "echo", text="hi")).text == "hi"


async def test_a_question_of_a_call_that_is_cancelled_is_taken_back(hosting: Hosting):
    hosting.servers = [scripted("one")]
    await hosting.host.start()
    asked, taken_back = asyncio.Event(), asyncio.Event()

    async def think(question: McpQuestion) -> McpReply:
        asked.set()
        try:
            await asyncio.Event().wait()
        finally:
            taken_back.set()
        return McpReply("cancel")

    call = asyncio.ensure_future(hosting.call("one", "ask", McpListener(ask=think)))
    await asked.wait()
    call.cancel()
    await taken_back.wait()
    assert (await hosting.call("one", "echo", text="hi")).text == "hi"


async def test_a_slow_server_is_waited_for_while_it_tells_its_progress(
    hosting: Hosting, monkeypatch: pytest.MonkeyPatch
):
    hosting.servers = [scripted("one")]
    await hosting.host.start()
    with monkeypatch.context() as patch:
        patch.setattr(session, "CALL_SECONDS", 2.0)
        assert (await hosting.call("one", "slowly", steps=6, seconds=0.5)).text == "done"
        with pytest.raises(ToolFailed, match="The server one gave no answer"):
            await hosting.call("one", "wait")
    assert (await hosting.call("one", "echo", text="hi")).text == "hi"


async def test_a_start_that_nobody_waits_for_any_more_goes_on(hosting: Hosting):
    hosting.servers = [scripted("one")]
    starting = asyncio.ensure_future(hosting.host.start())
    while hosting.host.offers()[0].state != "starting":
        await asyncio.sleep(0)
    starting.cancel()
    await asyncio.wait([starting])
    assert starting.cancelled()
    (offer,) = await hosting.host.start()
    assert offer.state == "ready"
    # The watcher and the server, once.
    assert len(hosting.processes()) == 2


async def test_nothing_is_left_of_a_server_whose_start_is_broken_off(hosting: Hosting):
    hosting.servers = [scripted("one", "silent")]
    starting = asyncio.ensure_future(hosting.host.start())
    while len(hosting.processes()) < 2:
        await asyncio.sleep(0.01)
    processes = hosting.processes()
    await hosting.host.close()
    await asyncio.wait([starting])
    await gone(processes)


UNUSED = """
import sys
from pathlib import Path
from plimsoll.tools.mcp.host import Host, HostNeeds
from plimsoll.tools.ports.mcp import McpServer
from plimsoll.tools.process.supervision.fork_server import ForkServer

here = Path(sys.argv[1])
needs = HostNeeds(root=here, data=here, fork_server=ForkServer())
offers = Host(lambda: [McpServer(name="a", command=("x",))], needs).offers()
print(len(offers), *({"mcp", "mcp_types", "httpx2", "httpcore2", "anyio"} & set(sys.modules)))
"""


def test_a_server_that_is_not_used_loads_no_library(tmp_path: Path):
    ran = subprocess.run(
        [sys.executable, "-c", UNUSED, tmp_path], capture_output=True, text=True, check=True
    )
    assert ran.stdout.split() == ["1"]


async def test_a_server_whose_variables_are_not_set_is_not_started(hosting: Hosting, tmp_path):
    touch = ("touch", str(tmp_path / "started"))
    hosting.servers.append(McpServer(name="a", command=touch, missing=("A_TOKEN", "B")))
    [offer] = await hosting.host.start()
    assert offer.state == "failed"
    assert "A_TOKEN, B" in str(offer.error)
    assert not (tmp_path / "started").exists()
