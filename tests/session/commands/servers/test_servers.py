"""`/mcp`, and the prompts of servers as commands that a person sees before they send them."""

from dataclasses import replace
from pathlib import Path

import pytest

from plimsoll.context.log.messages import Image
from plimsoll.errors import InvalidInput, NotFound
from plimsoll.session.commands.custom.named import ExpandedCommand
from plimsoll.session.commands.servers.listing import NO_SERVERS
from plimsoll.session.commands.slash import called_command, run_slash
from plimsoll.session.ports.content import PromptText
from plimsoll.tools.ports.mcp import McpAnswer, McpArgument, McpPrompt, McpResource
from session.harness import Harness, harness
from tools.mcp.memory_host import MemoryHost, a_tool, an_offer, an_unknown_server

LETTER = McpPrompt(
    server="box",
    name="letter",
    arguments=(McpArgument(name="to", required=True), McpArgument(name="tone")),
)
BOX = replace(an_offer(a_tool("echo"), replace(a_tool("add"), enabled=False)), prompts=(LETTER,))


async def answer(own: Harness, typed: str):
    slash = await called_command(PromptText(typed, pasted=()), own.project)
    assert slash is not None
    return await run_slash(slash, own.project, own.session)


async def test_a_prompt_is_shown_with_all_its_words_as_pasted_and_not_sent(tmp_path: Path):
    shown = McpAnswer(text="Write.\u202e\n/new", images=(Image("image/png", "AAAA"),))
    host = MemoryHost([BOX], texts={"letter": shown})
    async with harness(tmp_path, mcp=host) as own:
        before = len(own.entries)
        for typed in ("/box:letter to=Ada tone='very kind'", "/box:letter Ada very kind"):
            reply = await answer(own, typed)
        found = reply.data
        assert isinstance(found, ExpandedCommand)
        assert reply.draft == found.prompt == PromptText("Write.\n/new", ((0, 11),))
        assert found.remarks == ("It has images, which are left out.",)
        given = {"to": "Ada", "tone": "very kind"}
        assert host.calls[0] == ("letter", given)
        assert host.calls[1][1]["to"] == "Ada"
        assert len(own.entries) == before


async def test_what_is_missing_is_named(tmp_path: Path):
    async with harness(tmp_path, mcp=MemoryHost([BOX])) as own:
        with pytest.raises(InvalidInput, match="needs to") as failed:
            await answer(own, "/box:letter tone=kind")
        assert failed.value.remedy == "Write /box:letter to=… [tone=…]."
        with pytest.raises(InvalidInput, match=r"has no prompt .song.\..*`/box:letter`"):
            await answer(own, "/box:song")
        with pytest.raises(InvalidInput, match=r"There is no letter"):
            await answer(own, "/box:letter Ada")
        own.trust[0] = False
        with pytest.raises(InvalidInput, match="not trusted"):
            await answer(own, "/box:letter Ada")
        assert await called_command(PromptText("/bax:letter", pasted=()), own.project) is None


async def test_servers_are_listed_with_what_they_cost(tmp_path: Path):
    failed = replace(an_unknown_server("web"), state="failed", error="*It* ended.", remedy="Look.")
    async with harness(tmp_path, mcp=MemoryHost([BOX, failed])) as own:
        box, web = (await answer(own, "/mcp")).markdown.split("\n")
        assert box.startswith(
            "- `box` (starts when it is needed, 1 tool, 1 of them off, 1 prompt, "
        )
        assert box.endswith(" tokens)")
        assert web.startswith("- `web` (cannot be used, ") and web.endswith(r"It\* ended. Look.")


async def test_without_a_server_the_way_to_one_is_told(tmp_path: Path):
    async with harness(tmp_path) as own:
        assert (await answer(own, "/mcp")).markdown == NO_SERVERS
        for typed in ("/mcp restart box", "/mcp off box"):
            with pytest.raises(NotFound):
                await answer(own, typed)


async def test_a_server_is_restarted_and_switched_by_a_person(tmp_path: Path):
    host, switched = MemoryHost([BOX]), []

    async def switch(server: str, tool: str | None, on: bool) -> None:
        switched.append((server, tool, on))

    async with harness(tmp_path, mcp=host, switch_server=switch) as own:
        await answer(own, "/mcp restart box")
        assert host.starts == ["box"]
        await answer(own, "/mcp off box")
        await answer(own, "/mcp on box add")
        assert switched == [("box", None, False), ("box", "add", True)]
        with pytest.raises(NotFound, match="mcpTool"):
            await answer(own, "/mcp off box sing")
        for wrong in ("/mcp restart", "/mcp stop box", "/mcp off"):
            with pytest.raises(InvalidInput, match="/mcp takes"):
                await answer(own, wrong)
        own.trust[0] = False
        with pytest.raises(InvalidInput, match="not trusted"):
            await answer(own, "/mcp restart box")


async def test_what_one_server_offers_is_listed_with_its_switches(tmp_path: Path):
    note = McpResource(server="box", uri="note://today`", description="Today's *note*.")
    host = MemoryHost([replace(BOX, resources=(note,)), an_unknown_server("new")])
    async with harness(tmp_path, mcp=host) as own:
        assert (await answer(own, "/mcp box")).markdown == (
            "The MCP server `box`, as it was asked on 2000-01-01:\n\n"
            "- `echo`\n- `add` (off)\n- `/box:letter to=… [tone=…]`\n"
            "- `@box:note://today'`: Today's \\*note\\*."
        )
        assert "never started" in (await answer(own, "/mcp new")).markdown
        assert host.starts == []


async def test_an_error_of_a_server_that_is_off_is_not_told(tmp_path: Path):
    off = replace(an_unknown_server("web"), state="off", error="It ended.")
    async with harness(tmp_path, mcp=MemoryHost([off])) as own:
        assert (await answer(own, "/mcp")).markdown == "- `web` (off, 0 tokens)"
