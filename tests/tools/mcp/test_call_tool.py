"""One call of a server's tool: found by its exact name, checked, shown whole, run as shown."""

import base64
from dataclasses import replace
from typing import cast

import pytest

from plimsoll.context.log.messages import Image
from plimsoll.errors import ToolFailed
from plimsoll.tools.mcp.call_tool import CLAIM, CallTool
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.conversation import Conversation
from plimsoll.tools.ports.mcp import McpAnswer, McpQuestion, McpReply
from tools.mcp.memory_host import MemoryHost, a_tool, an_offer, an_unknown_server

STORE = a_tool(
    "store",
    "Stores a text.",
    key={"type": "string"},
    text={"type": ["string", "null"]},
    size={"anyOf": [{"type": "integer", "minimum": 1}, {"const": "all"}]},
    tags={"type": "array", "items": {"enum": ["a", "b"]}},
    required=["key"],
)
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(32)).decode()


class Answering:
    """A session whose person answers servers."""

    def __init__(self) -> None:
        self.asked: list[McpQuestion] = []

    async def answer_server(self, question: McpQuestion) -> McpReply:
        self.asked.append(question)
        return McpReply("accept", {"colour": "red"})


@pytest.fixture
def within(context: CallContext) -> CallContext:
    conversation = cast(Conversation, Answering())
    return replace(context, conversation=conversation, trusted=lambda: True)


def call(name: str = "mcp__box__store", **arguments: object) -> dict[str, object]:
    return {"name": name, "arguments": arguments}


async def test_a_call_is_asked_about_shown_whole_and_run_as_it_was_shown(within: CallContext):
    host = MemoryHost([an_offer(replace(STORE, claims_reading=True))])
    tool = CallTool(host)
    intent = await tool.prepare(call(key="k\u200b", size=2, text=None, tags=None), within)
    assert intent.ask
    assert intent.title == "box: store"
    assert intent.address is not None
    assert '"key": "k⟨U+200B⟩"' in intent.address and '"tags"' not in intent.address
    assert intent.address.endswith(CLAIM)
    assert host.calls == []
    outcome = await tool.run(intent, within)
    assert host.calls == [("mcp__box__store", {"key": "k\u200b", "size": 2, "text": None})]
    assert outcome.text.startswith("store {") and not outcome.failed


async def test_an_approval_holds_for_the_tool_as_it_is_described_now(within: CallContext):
    host = MemoryHost([an_offer(STORE)])
    tool = CallTool(host)
    first, second = (
        await tool.prepare(call(key="1"), within),
        await tool.prepare(call(key="2"), within),
    )
    assert first.approval == second.approval
    (scope,) = first.lasting
    changed = a_tool("store", "Stores a text, and sends it on.", key={"type": "string"})
    host.known[0] = an_offer(changed)
    again = await tool.prepare(call(key="1"), within)
    assert again.approval != first.approval
    assert again.lasting[0].subject == scope.subject
    assert again.lasting[0].defined_by != scope.defined_by
    with pytest.raises(ToolFailed, match="box describes mcp__box__store otherwise"):
        await tool.run(first, within)
    host.known[0] = an_offer()
    with pytest.raises(ToolFailed, match="nothing was called"):
        await tool.run(again, within)
    assert host.calls == []


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({}, "key is missing. It takes {key, text?, size?, tags?}."),
        ({"key": 5}, "key must be string, not 5"),
        ({"key": "k", "size": 0}, "size must be at least 1, not 0"),
        ({"key": "k", "size": "many"}, "size must be"),
        ({"key": "k", "tags": ["a", "c"]}, 'tags[1] must be one of "a", "b", not "c"'),
        ({"key": "k", "text": 1}, "text must be string or null, not 1"),
    ],
)
async def test_wrong_arguments_are_said_exactly(
    within: CallContext, arguments: dict[str, object], told: str
):
    host = MemoryHost([an_offer(STORE)])
    with pytest.raises(ToolFailed) as failed:
        await CallTool(host).prepare(call(**arguments), within)
    assert "Bad arguments for mcp__box__store: " in failed.value.message
    assert told in failed.value.message
    assert host.calls == []


async def test_arguments_as_a_text_are_read_and_what_is_no_object_is_refused(within: CallContext):
    tool = CallTool(MemoryHost([an_offer(STORE)]))
    given = {"name": "mcp__box__store", "arguments": '{"key": "k"}'}
    assert (await tool.prepare(given, within)).plan.arguments == {"key": "k"}
    deep = '{"key": ' + "[" * 100_000 + "]" * 100_000 + "}"
    for wrong in ([1], "no JSON", 5, "[1]", '{"key": NaN}', deep):
        with pytest.raises(ToolFailed, match="arguments must be an object"):
            await tool.prepare({"name": "mcp__box__store", "arguments": wrong}, within)


@pytest.mark.parametrize("given", ['{"key": "\\ud800"}', {"key": "\ud800"}, {"\udc00": 1}])
async def test_half_a_character_is_refused_before_a_server_gets_it(
    within: CallContext, given: object
):
    tool = CallTool(MemoryHost([an_offer(STORE)]))
    with pytest.raises(ToolFailed, match="not valid Unicode"):
        await tool.prepare({"name": "mcp__box__store", "arguments": given}, within)


async def test_a_name_that_is_not_there_is_answered_with_near_ones(within: CallContext):
    off = replace(a_tool("secret_store"), enabled=False)
    tool = CallTool(MemoryHost([an_offer(STORE, off)]))
    for name in ("store_text", "mcp__box__secret_store"):
        with pytest.raises(ToolFailed, match="Did you mean mcp__box__store"):
            await tool.prepare(call(name, key="k"), within)


async def test_a_server_is_started_before_its_tool_is_checked(within: CallContext):
    host = MemoryHost([an_unknown_server()], started={"box": an_offer(STORE)})
    assert (await CallTool(host).prepare(call(key="k"), within)).title == "box: store"
    assert host.starts[0] == "box"
    unused = MemoryHost([an_unknown_server()], started={"box": an_offer(STORE)})
    with pytest.raises(ToolFailed, match="There is no tool"):
        await CallTool(unused).prepare(call(key="k"), replace(within, trusted=lambda: False))
    assert unused.starts == []


async def test_images_go_along_as_images_where_the_model_sees_them(within: CallContext):
    async def drawing(*_: object) -> McpAnswer:
        bad, good = Image("image/png", "AAAA"), Image("image/gif", PNG)
        return McpAnswer(text="Drawn.", images=(good, bad))

    tool = CallTool(MemoryHost([an_offer(STORE)], answer=drawing))
    intent = await tool.prepare(call(key="k"), within)
    seen = await tool.run(intent, replace(within, sees_images=True))
    assert seen.images == (Image("image/png", PNG),)
    assert seen.text == "Drawn.\n[1 image, beside this]\n[1 image left out]"
    for sees in (False, None):
        blind = await tool.run(intent, replace(within, sees_images=sees))
        assert blind.images == ()
        assert "2 images came with it" in blind.text


async def test_progress_and_questions_of_a_call_reach_the_session(within: CallContext):
    heard: list[str] = []

    async def asking(_tool: object, _arguments: object, listener: object) -> McpAnswer:
        listener.progress("1 of 2")
        reply = await listener.ask(McpQuestion(server="box", message="Which colour?"))
        return McpAnswer(text=f"{reply.action} {reply.content['colour']}", failed=True)

    tool = CallTool(MemoryHost([an_offer(STORE)], answer=asking))
    there = replace(within, hear_output=heard.append)
    outcome = await tool.run(await tool.prepare(call(key="k"), there), there)
    assert (outcome.text, outcome.failed) == ("accept red", True)
    assert heard == ["1 of 2"]
