"""``call_tool``: calls one tool of an MCP server, after a person has seen the whole call.

Law: what a server says of a tool is a claim. Its answer to the person's question holds for this
tool as it is described now, and for no other. One tool of ours calls all of them, so no name or
schema of a server stands among the tools that a provider checks.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from plimsoll.context.log.images import LARGEST_IMAGE, image_bytes, image_type
from plimsoll.context.log.messages import Image, ToolSchema, canonical
from plimsoll.context.log.traits import ToolTraits
from plimsoll.errors import ToolFailed
from plimsoll.text.wording import plural
from plimsoll.tools.arguments import check_arguments
from plimsoll.tools.display import visible, visible_line
from plimsoll.tools.mcp.find_tools import start_unknown, unknown_tool
from plimsoll.tools.mcp.schema_check import problems_of, signature, without_nulls
from plimsoll.tools.ports.context import CallContext, conversation_of
from plimsoll.tools.ports.intent import Intent, Outcome
from plimsoll.tools.ports.mcp import (
    CALL_TOOL,
    McpAnswer,
    McpHost,
    McpListener,
    McpTool,
    enabled_offers,
    enabled_tools,
    inner_arguments,
)
from plimsoll.tools.ports.permission import DefiningFile, PermissionScope
from plimsoll.tools.ports.tool import Arguments

CHANGED = (
    "{server} describes {tool} otherwise than when the user was asked; nothing was called. Look at "
    "it with find_tools, then call it again."
)
CLAIM = "The server claims that this only reads."
MOST_IMAGES = 8


@dataclass(frozen=True, slots=True)
class McpCall:
    """The call to make, of the tool that was shown."""

    tool: McpTool
    arguments: Mapping[str, object]


class CallTool:
    """Calls a tool of a server that is set up for a folder."""

    schema: ToolSchema = ToolSchema(
        CALL_TOOL,
        "Call a tool that find_tools showed, by its exact name.",
        {
            "type": "object",
            "properties": {"name": {"type": "string"}, "arguments": {"type": "object"}},
            "required": ["name"],
        },
    )
    traits: ToolTraits = ToolTraits(verb="Call", subject="name")
    reading: bool = False

    def __init__(self, host: McpHost) -> None:
        self._host = host

    async def prepare(self, arguments: Arguments, context: CallContext) -> Intent[McpCall]:
        """Find the tool as its server describes it now, check the arguments, show all of them."""
        inner = inner_arguments(arguments.get("arguments"))
        outer = {name: value for name, value in arguments.items() if name != "arguments"}
        name = str(check_arguments(self.schema, outer)["name"])
        tool = await self._tool(name, context)
        given = without_nulls(tool.parameters, inner)
        if problems := problems_of(tool.parameters, given):
            told = "; ".join(problems)
            raise ToolFailed(
                f"Bad arguments for {tool.called}: {told}. It takes {signature(tool.parameters)}."
            )
        who = f"{tool.server}: {visible_line(tool.name, 80)}"
        return Intent(
            title=who,
            ask=True,
            approval=canonical(["mcp", tool.server, tool.name, tool.fingerprint]),
            covers=f"calls of {who}, as it is described now",
            lasting=(_lasting(tool),),
            address=_show_call(tool, given),
            plan=McpCall(tool, given),
        )

    async def run(self, intent: Intent[McpCall], context: CallContext) -> Outcome:
        """Call the tool if it is still the one that was shown."""
        plan = intent.plan
        now = _find_named(self._host, plan.tool.called)
        if now is None or now.fingerprint != plan.tool.fingerprint:
            raise ToolFailed(CHANGED.format(server=plan.tool.server, tool=plan.tool.called))
        listener = McpListener(context.hear_output, conversation_of(context).answer_server)
        answer = await self._host.call(now, plan.arguments, listener)
        return _outcome(answer, context)

    async def _tool(self, name: str, context: CallContext) -> McpTool:
        """Return a tool by its exact name, with its server started; raises ToolFailed."""
        if _find_named(self._host, name) is None:
            await start_unknown(self._host, context)
        known = _find_named(self._host, name)
        if known is not None:
            await self._host.start([known.server])
            known = _find_named(self._host, name)
        if known is None:
            raise unknown_tool(name, enabled_offers(self._host))
        return known


def _find_named(host: McpHost, name: str) -> McpTool | None:
    tools = enabled_tools(enabled_offers(host))
    return next((tool for tool in tools if tool.called == name), None)


def _lasting(tool: McpTool) -> PermissionScope:
    who = f"{tool.server}: {visible_line(tool.name, 80)}"
    return PermissionScope(
        kind="tool",
        subject=canonical([tool.server, tool.name]),
        what=f"calls of {who}",
        covers="all calls of this tool, whatever its arguments, while its description and its "
        "schema stay as they are",
        defined_by=(DefiningFile(f"what {tool.server} says of it", tool.fingerprint),),
    )


def _show_call(tool: McpTool, arguments: Mapping[str, object]) -> str:
    """Write the whole call for people, nothing hidden."""
    lines = [visible(json.dumps(arguments, indent=2, ensure_ascii=False))]
    if tool.claims_reading:
        lines.append(CLAIM)
    return "\n".join(lines)


def _outcome(answer: McpAnswer, context: CallContext) -> Outcome:
    images, told = _images(answer.images, context.sees_images)
    text = "\n".join(filter(None, (answer.text, *told)))
    return Outcome(text=text, failed=answer.failed, images=images)


def _images(
    given: tuple[Image, ...], sees_images: bool | None
) -> tuple[tuple[Image, ...], list[str]]:
    """Return the images that the model takes, and what is said of the others."""
    if not given:
        return (), []
    if not sees_images:
        count = plural(len(given), "image")
        return (), [f"[{count} came with it; this model is not known to see images]"]
    good = tuple(filter(None, map(_check_image, given[:MOST_IMAGES])))
    left = len(given) - len(good)
    told = [f"[{plural(len(good), 'image')}, beside this]"] if good else []
    return good, [*told, *([f"[{plural(left, 'image')} left out]"] if left else [])]


def _check_image(image: Image) -> Image | None:
    """Return an image under the type that its bytes have; None if models do not take it."""
    data = image_bytes(image.data)
    kind = image_type(data) if data is not None else None
    if data is None or kind is None or len(data) > LARGEST_IMAGE:
        return None
    return Image(kind, image.data)
