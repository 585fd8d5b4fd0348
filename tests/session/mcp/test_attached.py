"""What a prompt names of servers goes along with it, and what was pasted names nothing."""

from dataclasses import replace
from pathlib import Path

import pytest

from plimsoll.context.log.entries import Said
from plimsoll.context.log.messages import PartKind
from plimsoll.errors import InvalidInput
from plimsoll.session.ports.content import PromptText
from plimsoll.tools.ports.mcp import McpAnswer, McpResource
from session.harness import Harness, harness
from tools.mcp.memory_host import MemoryHost, a_tool, an_offer

BOX = an_offer(
    a_tool("read_note", "Returns the note of a day.", day={"type": "string"}),
    a_tool("search", "Searches notes by their words."),
    a_tool("paint", "Paints a picture."),
)
NOTES = replace(BOX, resources=(McpResource(server="box", uri="note://today", name="today"),))
TEXTS = {"note://today": McpAnswer(text="Rain.\n[end of it]"), "note://other": McpAnswer(text="")}


def attached(own: Harness) -> list[tuple[str, str]]:
    said = [entry for entry in own.entries if isinstance(entry, Said)]
    parts = [part for entry in said for part in entry.parts if part.kind is PartKind.SELECTION]
    return [(part.attached or "", part.text) for part in parts]


def a_host() -> MemoryHost:
    return MemoryHost([NOTES], texts=TEXTS)


async def test_a_resource_goes_along_by_its_address_or_its_name(tmp_path: Path):
    async with harness(tmp_path, {"text": ["Yes."]}, mcp=a_host()) as own:
        await own.turn("See @box:today, and @box:note://other. Not @me:x or a@box:note://x.")
        names = [name for name, _ in attached(own)]
        assert names == ["@box:note://today", "@box:note://other"]
        assert "Rain." in attached(own)[0][1]
        await own.consistent()


async def test_one_that_cannot_be_read_stops_the_prompt_and_says_why(tmp_path: Path):
    async with harness(tmp_path, mcp=a_host()) as own:
        with pytest.raises(InvalidInput, match="was not attached: There is no note://gone"):
            await own.turn("See @box:note://gone.")
        own.trust[0] = False
        with pytest.raises(InvalidInput, match="not trusted"):
            await own.turn("See @box:note://today.")
        assert attached(own) == []


async def test_what_was_pasted_names_nothing(tmp_path: Path):
    host = a_host()
    text = "Why? @box:note://today mcp__box__paint"
    async with harness(tmp_path, {"text": ["Yes."]}, {"text": ["No."]}, mcp=host) as own:
        for prompt in (PromptText(text, pasted=((5, len(text)),)), PromptText(f"Log:\n{text}")):
            await own.session.prompt([prompt])
            await own.session.wait()
        assert attached(own) == []
        assert host.calls == []


@pytest.mark.parametrize(
    ("prompt", "tools"),
    [
        ("Use mcp__box__paint.", ["paint"]),
        ("Use box:search now", ["search"]),
        ("Call read_note for me", ["read_note"]),
        ("Please search the code and paint it red.", []),
        ("Try `paint`!", ["paint"]),
        ("Ask box which note there is of that day.", ["read_note"]),
        ("Put it in the box.", []),
    ],
)
async def test_tools_that_a_prompt_names_are_described_with_it(
    tmp_path: Path, prompt: str, tools: list[str]
):
    async with harness(tmp_path, {"text": ["Yes."]}, mcp=a_host()) as own:
        await own.turn(prompt)
        title = f"MCP tools that this names: {', '.join(f'mcp__box__{name}' for name in tools)}"
        assert [name for name, _ in attached(own)] == ([title] if tools else [])
        for name in tools:
            assert f'"name":"mcp__box__{name}"' in attached(own)[0][1]


async def test_what_stands_in_view_is_not_described_again(tmp_path: Path):
    steps = [{"text": ["Yes."]}, {"text": ["Again."]}]
    async with harness(tmp_path, *steps, mcp=a_host()) as own:
        await own.turn("Use box:paint.")
        await own.turn("Use box:paint and box:search.")
        titles = [name.rpartition(": ")[2] for name, _ in attached(own)]
        assert titles == ["mcp__box__paint", "mcp__box__search"]


async def test_in_ask_mode_no_tool_is_described(tmp_path: Path):
    async with harness(tmp_path, {"text": ["Yes."]}, mcp=a_host(), mode="ask") as own:
        await own.turn("Use box:paint.")
        assert attached(own) == []


async def test_what_is_described_leaves_room_in_a_small_window(tmp_path: Path):
    wide = {"type": "string", "description": "Long. " * 200}
    tools = [a_tool(f"paint_{n}", "Paints.", picture=wide) for n in range(5)]
    host = MemoryHost([an_offer(*tools)])
    prompt = " ".join(tool.called for tool in tools)
    for window, told in ((20_000, 2), (200_000, 5)):
        folder = tmp_path / str(window)
        async with harness(folder, {"text": ["Yes."]}, mcp=host, window=window) as own:
            await own.turn(prompt)
            ((name, _),) = attached(own)
            assert name.count("mcp__box__") == told
