"""Every rule of every vendor against what our dialects render, and its words for what happens."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from plimsoll.context.log.messages import Call, Image, Message, Role, ToolSchema
from plimsoll.errors import ProviderOverflow
from plimsoll.providers.base import Finished, Provider, Request, StopReason, TextDelta, Usage
from providers.fault_server import document, fault_server, stream
from providers.support import anthropic, openai, outcome, request, responses
from providers.vendors.catalog import VENDORS
from providers.vendors.conformance import GOOD, Rule, Vendor, events, refusal

DOCS = Path(__file__).parents[3] / "docs"
OPENS: dict[str, Callable[..., Provider]] = {
    "openai": openai,
    "openai-responses": responses,
    "anthropic": anthropic,
}
TOOL = ToolSchema("file.read", "Read.", {"type": "object", "properties": {}})


def user(number: int, text: str = "Well?", **more: object) -> Message:
    return Message(id=f"u{number}", role=Role.USER, text=text, **more)


def answer(number: int, text: str, *calls: Call, **more: object) -> Message:
    return Message(id=f"a{number}", role=Role.ASSISTANT, text=text, calls=calls, **more)


def result(call: str, text: str = "seven") -> Message:
    return Message(id=f"r{call}", role=Role.TOOL, text=text, call_id=call)


ODD = "toolu.01:" + "x" * 60
SCENES: dict[str, tuple[Message, ...]] = {
    "a prompt": (user(1),),
    "an answer": (user(1), answer(2, "Yes."), user(3)),
    "parallel calls": (
        user(1),
        answer(2, "I look.", Call("c1", "grep", "{}"), Call("c2", "grep", '{"a":1}')),
        result("c1"),
        result("c2"),
    ),
    "a prompt behind a result": (
        user(1),
        answer(2, "", Call("c1", "grep", "{}")),
        result("c1"),
        user(3, "Stop, look there."),
    ),
    "two prompts behind one another": (user(1), user(2, "And?")),
    "calls of another provider": (
        user(1),
        answer(2, "", Call(ODD, "mcp.server/odd name", "{}"), Call("functions.x:0", "1st", "{}")),
        result(ODD),
        result("functions.x:0"),
        answer(4, "So."),
        user(5),
    ),
    "reasoning of another provider": (
        user(1),
        answer(
            2,
            "Yes.",
            Call("c1", "grep", "{}"),
            reasoning="hm",
            signature='{"for":["chat","h","m"]}',
        ),
        result("c1", ""),
    ),
    "a call that is no JSON": (
        user(1),
        answer(2, "", Call("c1", "grep", '{"a":Infinity}')),
        result("c1"),
    ),
    "an image": (user(1, images=(Image("image/png", "aGk="),)), answer(2, "A boat."), user(3)),
}


def asked(messages: tuple[Message, ...]) -> Request:
    return request(*messages, tools=(TOOL,), max_output=1_000, cache_key="session-1")


async def answered(vendor: Vendor, provider: Provider, scene: tuple[Message, ...]) -> None:
    chunks, error = await outcome(provider, asked(scene))
    assert error is None, error.message
    assert TextDelta("hi") in chunks


@pytest.mark.parametrize(
    ("vendor", "rule"),
    [pytest.param(v, r, id=f"{v.name}-{r.name}") for v in VENDORS for r in v.rules],
)
async def test_each_rule_holds_in_every_scene(vendor: Vendor, rule: Rule):
    words = rule.check(rule.broken)
    assert words

    def decide(raw: bytes):
        told = rule.check(json.loads(raw))
        return refusal(rule, told) if told else stream(GOOD[vendor.dialect])

    async with fault_server(decide=decide) as server:
        provider = OPENS[vendor.dialect](server.url)
        for scene in SCENES.values():
            await answered(vendor, provider, scene)
        await provider.close()


@pytest.mark.parametrize("vendor", VENDORS, ids=lambda vendor: vendor.name)
async def test_all_rules_together_are_met_and_what_was_learned_is_kept(vendor: Vendor):
    async with fault_server(decide=vendor.answer) as server:
        provider = OPENS[vendor.dialect](server.url)
        for scene in SCENES.values():
            await answered(vendor, provider, scene)
        once = len(server.bodies)
        for scene in SCENES.values():
            await answered(vendor, provider, scene)
        assert len(server.bodies) - once == len(SCENES)
        await provider.close()


@pytest.mark.parametrize("vendor", VENDORS, ids=lambda vendor: vendor.name)
async def test_a_prompt_that_is_too_long_is_known_as_such(vendor: Vendor):
    async with fault_server(document(*vendor.too_long)) as server:
        provider = OPENS[vendor.dialect](server.url)
        _, error = await outcome(provider)
        await provider.close()
    assert isinstance(error, ProviderOverflow), error
    assert len(server.bodies) == 1


@pytest.mark.parametrize("vendor", VENDORS, ids=lambda vendor: vendor.name)
async def test_a_busy_server_is_asked_again(vendor: Vendor):
    busy = [document(*vendor.busy)]

    def decide(raw: bytes):
        return busy.pop() if busy else vendor.answer(raw)

    async with fault_server(decide=decide) as server:
        provider = OPENS[vendor.dialect](server.url)
        await answered(vendor, provider, SCENES["a prompt"])
        await provider.close()
    assert not busy


def ending(vendor: Vendor, reason: str, usage: object = None) -> bytes:
    """Make an answer of one word, with an end and a report."""
    told = {} if usage is None else {"usage": usage}
    if vendor.dialect == "anthropic":
        return events(
            {"type": "message_start", "message": {}},
            {
                "type": "content_block_start",
                "index": 0,
                "content_block": {"type": "text", "text": "h"},
            },
            {"type": "message_delta", "delta": {"stop_reason": reason}, **told},
            {"type": "message_stop"},
        )
    if vendor.dialect == "openai-responses":
        item = {"type": "message", "content": [{"type": "output_text", "text": "h"}]}
        response = {"status": "incomplete", "incomplete_details": {"reason": reason}}
        return events(
            {"type": "response.incomplete", "response": {**response, "output": [item], **told}}
        )
    choice = {"delta": {"content": "h"}, "finish_reason": reason}
    return events({"choices": [choice]}, {"choices": [], **told}) + b"data: [DONE]\n\n"


@pytest.mark.parametrize(
    ("vendor", "word", "reason"),
    [pytest.param(v, w, r, id=f"{v.name}-{w}") for v in VENDORS for w, r in v.ends.items()],
)
async def test_each_end_is_known(vendor: Vendor, word: str, reason: StopReason):
    async with fault_server(stream(ending(vendor, word))) as server:
        provider = OPENS[vendor.dialect](server.url)
        chunks, error = await outcome(provider)
        await provider.close()
    assert error is None
    assert chunks[-1] == Finished(reason, word if reason == "cut" else "")


@pytest.mark.parametrize("vendor", VENDORS, ids=lambda vendor: vendor.name)
async def test_usage_is_read(vendor: Vendor):
    told, meant = vendor.usage
    async with fault_server(stream(ending(vendor, next(iter(vendor.ends)), told))) as server:
        provider = OPENS[vendor.dialect](server.url)
        chunks, error = await outcome(provider)
        await provider.close()
    assert error is None
    assert [chunk for chunk in chunks if isinstance(chunk, Usage)] == [meant]


def documented_rows() -> list[str]:
    """Write the rows of the table in docs/models.md."""
    return [
        f"| {vendor.name} | {', '.join(f'{r.name} ({r.source})' for r in vendor.rules)} | "
        f"{', '.join(f'`{word}`' for word in vendor.ends)} |"
        for vendor in VENDORS
    ]


def test_the_table_of_the_vendors_is_true():
    table = (DOCS / "models.md").read_text().splitlines()
    assert [row for row in documented_rows() if row not in table] == []
